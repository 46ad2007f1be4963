"""All tables of a server, found by the links that people have; closed when idle, opened when asked.

A link is a path with a token that nobody can guess: an HMAC of the table, the role and how many
links the role has had, under the server's secret key. So no list of tokens is kept anywhere, a new
link makes the older ones void, and there are no cookies.
"""

import asyncio
import base64
import hashlib
import hmac
import logging
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
from phantomgo.errors import BadStore, PhantomGoError
from phantomgo.points import Colour

TOKEN: Final = 22
"""Characters of a token: 132 bits."""

SWEEP: Final = 60.0
"""Seconds between two looks for games that are too old to be kept."""
SWEPT: Final = 200
"""Games that are deleted in one go."""

log = logging.getLogger("phantomgo.web")


class Busy(PhantomGoError):
    """A limit of the server is reached; the error says which."""


@dataclass(frozen=True)
class Limits:
    """What strangers may ask of a server.

    Attributes:
        tables: open at the same time. A link to a game in progress opens up to as many more.
        own: of them, opened from one address; as many more for games in progress.
        laid: new tables a minute, from one address.
        presses: requests that do something, in ten seconds, of one guest.
        screens: open pages of one guest.
        sockets: open pages of one address.
        quiet: seconds after which the socket of a page that was sent nothing is closed; the page
            opens it again.
        body: bytes of a request.
        idle: seconds after which a table that nobody looks at is closed; its link opens it again.
    """

    tables: int = 500
    own: int = 250
    laid: int = 20
    presses: int = 40
    screens: int = 12
    sockets: int = 1000
    quiet: float = 3600.0
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
        keep: float | None = None,
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
            keep: seconds after which finished games are deleted; None keeps them.
            number: the number of a new table.
        """
        self.journal, self.thinkers, self.limits = journal, thinkers, limits
        self.judges, self.engines = judges or thinkers, engines or Engines({})
        self.levels, self.beat, self.now, self.sleep = levels, beat, now, sleep
        self._number, self._keep = number, keep
        self._swept = -SWEEP
        self._deleting: asyncio.Task[None] | None = None
        self._rooms: dict[int, Room] = {}

    async def lay(self, terms: Terms, role: str, who: str = "") -> str:
        """Lay a new table; the path of whoever asked for it, who sits down at once.

        Args:
            terms: what it is laid for.
            role: of whoever asks.
            who: the address they ask from.

        Raises:
            Busy: too many are open.
            BadStore: it cannot be kept.
        """
        number = self._number()
        self._make_room(who)
        self.journal.lay(number, terms)
        room = self._open(number, terms, who)
        if role in ("black", "white"):
            room.happen({"sits": role, "name": ""})
        await self.journal.written()
        return room.link(role)

    def lay_again(self, terms: Terms, sitting: Iterable[Colour], who: str = "") -> int:
        """Lay the table of a rematch, where the persons who sat at the last one sit; its number.

        It is laid on behalf of the address that opened the last one.

        Raises:
            Busy: too many are open.
        """
        number = self._number()
        self._make_room(who)
        self.journal.lay(number, terms)
        room = self._open(number, terms, who)
        for colour in sitting:
            room.happen({"sits": str(colour.other).lower(), "name": ""})
        return number

    def room(self, number: int, who: str = "") -> Room | None:
        """An open table, or one of the journal, opened on behalf of an address.

        Raises:
            Busy: too many are open.
        """
        if number not in self._rooms:
            terms = self.journal.terms(number)
            if terms is None:
                return None
            self._make_room(who, twice=self.journal.in_progress(number))
            return self._open(number, terms, who)
        return self._rooms[number]

    def listed(self, number: int, who: str = "") -> Room | None:
        """The table of a finished game that everybody may see.

        Raises:
            Busy: too many are open.
        """
        if number not in self._rooms and not self.journal.is_listed(number):
            return None
        room = self.room(number, who)
        over = room is not None and room.terms.listed and room.game.outcome is not None
        return room if over else None

    def _open(self, number: int, terms: Terms, who: str) -> Room:
        room = self._rooms[number] = Room(number, terms, self, who)
        room.begin()
        return room

    def _make_room(self, who: str, *, twice: bool = False) -> None:
        """See that one more table may be opened; within twice the limits if wanted."""
        if self._full(who):
            self.close_idle(self.limits.idle / 10)
        if self._full(who, 2 if twice else 1):
            raise Busy(f"{self.limits.tables} tables are open; try again later")

    def _full(self, who: str, times: int = 1) -> bool:
        own = sum(room.who == who for room in self._rooms.values())
        limits = self.limits
        return len(self._rooms) >= times * limits.tables or own >= times * limits.own

    def close_idle(self, seconds: float | None = None) -> None:
        """Close the tables that nobody has looked at for so long.

        A game in progress stays open for as long as there is no need to hurry.
        """
        for number, room in list(self._rooms.items()):
            hurry = seconds is not None and not room.in_progress
            longest = seconds if hurry and seconds is not None else self.limits.idle
            idle = not room.looked_at and not room.unsettled
            if idle and self.now() - room.touched > longest:
                room.close()
                del self._rooms[number]

    def forget_old(self) -> None:
        """Delete games that ended too long ago, some at a time, where they are not to be kept."""
        waits = self._deleting is not None and not self._deleting.done()
        if self._keep is None or waits or self.now() - self._swept < SWEEP:
            return
        found = self.journal.older(self._keep, SWEPT + len(self._rooms))
        old = [number for number in found if number not in self._rooms]
        if old:
            self.journal.delete(old)
            self._deleting = asyncio.create_task(self._written())
        else:
            self._swept = self.now()

    async def _written(self) -> None:
        try:
            await self.journal.written()
        except BadStore as error:  # it is tried again
            log.error("%s", error)

    def forget(self, room: Room) -> None:
        """Close a table whose latest events could not be kept."""
        room.close()
        self._rooms.pop(room.number, None)

    def tick(self) -> None:
        """Let clocks that have run down end games; what fails at one table stops no other."""
        for room in list(self._rooms.values()):
            try:
                room.tick()
            except Exception as error:
                room.fail(error)

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()

    # Links

    def token(self, number: int, role: str, generation: int) -> str:
        text = f"{number}/{role}/{generation}".encode()
        digest = hmac.new(self.journal.key, text, hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest)[:TOKEN].decode()

    def enter(self, number: int, role: str, token: str, who: str = "") -> Guest | None:
        """Who has this link; None if nobody.

        Raises:
            Busy: their table would have to be opened, and too many are open.
        """
        if role not in ROLES or not self._is_good(number, role, token):
            return None
        room = self.room(number, who)
        return None if room is None else room.guest(role)

    def invited(self, number: int, colour: Colour, token: str, who: str = "") -> Room | None:
        """The table that this link invites to; None if it does not.

        Raises:
            Busy: it would have to be opened, and too many are open.
        """
        good = self._is_good(number, f"invite-{colour}".lower(), token)
        return self.room(number, who) if good else None

    def _is_good(self, number: int, role: str, token: str) -> bool:
        """Whether a link is the latest of its role; this opens no table."""
        if not 0 < number < 1 << 62:
            return False
        room = self._rooms.get(number)
        links = self.journal.links(number, role) if room is None else room.generations.get(role, 0)
        expected = self.token(number, role, links)
        return hmac.compare_digest(expected.encode(), token.encode())
