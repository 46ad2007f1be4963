"""All tables of a server, found by the links that people have; closed when idle, opened when asked.

A link is a path with a token that nobody can guess: an HMAC of the table, the role and how many
links the role has had, under the server's secret key. So no list of tokens is kept anywhere, a new
link makes the older ones void, and there are no cookies.
"""

import asyncio
import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from phantomgo.app.web.engines import Engines
from phantomgo.app.web.guest import Guest
from phantomgo.app.web.journal import Journal
from phantomgo.app.web.room import ROLES, Room
from phantomgo.app.web.terms import LEVELS, Terms
from phantomgo.app.web.thinkers import Thinkers
from phantomgo.errors import PhantomGoError
from phantomgo.points import Colour

TOKEN: Final = 22
"""Characters of a token: 132 bits."""


class Busy(PhantomGoError):
    """A limit of the server is reached; the error says which."""


@dataclass(frozen=True)
class Limits:
    """What strangers may ask of a server.

    Attributes:
        tables: open at the same time.
        laid: new tables a minute, from one address.
        presses: requests that do something, in ten seconds, of one guest.
        screens: open pages of one guest.
        body: bytes of a request.
        idle: seconds after which a table that nobody looks at is closed; its link opens it again.
    """

    tables: int = 500
    laid: int = 20
    presses: int = 40
    screens: int = 12
    body: int = 4096
    idle: float = 600.0


class Hall:
    """The tables of a server."""

    def __init__(
        self,
        journal: Journal,
        thinkers: Thinkers,
        limits: Limits = Limits(),
        *,
        judges: Thinkers | None = None,
        engines: Engines | None = None,
        levels: Mapping[str, str] = LEVELS,
        beat: float = 0.5,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        number: Callable[[], int] = lambda: secrets.randbits(40),
    ) -> None:
        """Open the hall.

        Args:
            journal: where everything is kept.
            thinkers: where bots think.
            limits: what strangers may ask.
            judges: who judges finished games, so that no game waits for that; None: the thinkers.
            engines: those that tables may name; None: there are none.
            levels: the bots and engines one may ask for: their specs by what the page calls them.
            beat: seconds that a bot's turn takes.
            now: the time in seconds.
            sleep: lets so many of them pass.
            number: the number of a new table.
        """
        self.journal, self.thinkers, self.limits = journal, thinkers, limits
        self.judges, self.engines = judges or thinkers, engines or Engines({})
        self.levels, self.beat, self.now, self.sleep = levels, beat, now, sleep
        self._number = number
        self._rooms: dict[int, Room] = {}

    async def lay(self, terms: Terms, role: str) -> str:
        """Lay a new table; the path of whoever asked for it, who sits down at once.

        Raises:
            Busy: too many are open.
            BadStore: it cannot be kept.
        """
        number = self._number()
        self._make_room()
        self.journal.lay(number, terms)
        room = self._open(number, terms)
        if role in ("black", "white"):
            room.happen({"sits": role, "name": ""})
        await self.journal.written()
        return room.link(role)

    def lay_again(self, terms: Terms, sitting: Iterable[Colour]) -> int:
        """Lay the table of a rematch, where the persons who sat at the last one sit; its number.

        Raises:
            Busy: too many are open.
        """
        number = self._number()
        self._make_room()
        self.journal.lay(number, terms)
        room = self._open(number, terms)
        for colour in sitting:
            room.happen({"sits": str(colour.other).lower(), "name": ""})
        return number

    def room(self, number: int) -> Room | None:
        """An open table, or one of the journal, opened."""
        if number not in self._rooms:
            terms = self.journal.terms(number)
            if terms is None:
                return None
            self._make_room()
            return self._open(number, terms)
        return self._rooms[number]

    def _open(self, number: int, terms: Terms) -> Room:
        room = self._rooms[number] = Room(number, terms, self)
        room.begin()
        return room

    def _make_room(self) -> None:
        if len(self._rooms) >= self.limits.tables:
            self.close_idle(self.limits.idle / 10)
        if len(self._rooms) >= self.limits.tables:
            raise Busy(f"{self.limits.tables} tables are open; try again later")

    def close_idle(self, seconds: float | None = None) -> None:
        """Close the tables that nobody has looked at for so long."""
        longest = self.limits.idle if seconds is None else seconds
        for number, room in list(self._rooms.items()):
            idle = not room.looked_at and not room.unsettled
            if idle and self.now() - room.touched > longest:
                room.close()
                del self._rooms[number]

    def forget(self, room: Room) -> None:
        """Close a table whose latest events could not be kept."""
        room.close()
        self._rooms.pop(room.number, None)

    def tick(self) -> None:
        """Let clocks that have run down end games."""
        for room in self._rooms.values():
            room.tick()

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()

    # Links

    def token(self, number: int, role: str, generation: int) -> str:
        text = f"{number}/{role}/{generation}".encode()
        digest = hmac.new(self.journal.key, text, hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest)[:TOKEN].decode()

    def enter(self, number: int, role: str, token: str) -> Guest | None:
        """Who has this link; None if nobody."""
        if role not in ROLES or not 0 < number < 1 << 62:
            return None
        room = self._checked(number, role, token)
        return None if room is None else room.guest(role)

    def invited(self, number: int, colour: Colour, token: str) -> Room | None:
        """The table that this link invites to; None if it does not."""
        if not 0 < number < 1 << 62:
            return None
        return self._checked(number, f"invite-{colour}".lower(), token)

    def _checked(self, number: int, role: str, token: str) -> Room | None:
        room = self.room(number)
        if room is None:
            return None
        expected = self.token(number, role, room.generations.get(role, 0))
        good = hmac.compare_digest(expected.encode(), token.encode())
        return room if good else None
