"""All tables of a server, found by the links that people have; closed when idle, opened when asked.

A link is a path with a token that nobody can guess (table_state.py), made with the server's secret
key. So no list of tokens is stored, and a new link makes the older ones void.
"""

import hmac
import math
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from bots.deployed import LEVELS
from phantomgo.app.web.client import ROLES, Client
from phantomgo.app.web.session import SharedServices, TableSession
from phantomgo.app.web.table_state import LARGEST, UNNAMED, token
from phantomgo.app.web.terms import TableTerms
from phantomgo.errors import PhantomGoError
from phantomgo.game.points import Colour
from phantomgo.phrase import Phrase


class Busy(PhantomGoError):
    """A limit of the server is reached; the error names it."""


@dataclass(frozen=True)
class ServerLimits:
    """Limits on what clients may ask of the server.

    Attributes:
        tables: open at the same time. A link to a game in progress opens up to twice as many.
        own: of them, opened from one address; twice as many with games in progress.
        share: the part of the server's time that the answers to one address may take
            (server.py has the work of each).
        new_tables: set up in a minute, from one address.
        requests: that do something, in ten seconds, of one client.
        pages: open pages of one client.
        sockets: open pages of one address.
        body: bytes of a request.
        idle: seconds after which an unattended table is closed; its link reopens it.
    """

    tables: int = 500
    own: int = 250
    share: float = 0.5
    new_tables: int = 20
    requests: int = 40
    pages: int = 12
    sockets: int = 1000
    body: int = 4096
    idle: float = 600.0


class TableRegistry:
    """The tables of a server.

    Attributes:
        levels: the specs of the bots to choose from, by the names the page gives them.
    """

    def __init__(
        self,
        services: SharedServices,
        limits: ServerLimits,
        *,
        levels: Mapping[str, str] = LEVELS,
        number: Callable[[], int] = lambda: secrets.randbits(40),
    ) -> None:
        """Open the registry; `number` returns the number of a new table."""
        self.services, self.limits, self.levels = services, limits, levels
        self.journal = services.journal
        self._new_number = number
        self._sessions: dict[int, TableSession] = {}

    # New tables

    async def set_up(self, terms: TableTerms, role: str, who: str = "") -> str:
        """Set up a new table; return the path of the person who asked for it, who sits down at
        once.

        Args:
            terms: of the table.
            role: of whoever asks.
            who: the address they ask from.

        Raises:
            Busy: too many are open.
            BadStore: it cannot be stored.
        """
        session = self._set_up(terms, [role] if role in ("black", "white") else [], who)
        await self.journal.written()
        return session.link(role)

    def set_up_rematch(self, session: TableSession) -> None:
        """Set up the table of a rematch for the same players, unless that is done; Busy if full."""
        if session.rematch is None:
            sitting = [colour.other.word for colour in session.sitting]
            given = {c: "" if it is UNNAMED[c] else it for c, it in session.names.items()}
            again = self._set_up(session.terms.rematch(given), sitting, session.who)
            session.record_event({"rematch": again.number})

    def _set_up(self, terms: TableTerms, sitting: Iterable[str], who: str) -> TableSession:
        number = self._new_number()
        self._check_limits(who)
        self.journal.add_table(number, terms)
        session = self._open(number, terms, who)
        for seat in sitting:
            session.record_event({"sits": seat, "name": None})
        return session

    # Open tables

    @property
    def sessions(self) -> dict[int, TableSession]:
        """The open tables, by number."""
        for number, session in list(self._sessions.items()):
            if session.closed:
                del self._sessions[number]
        return self._sessions

    def session(self, number: int, who: str = "") -> TableSession | None:
        """Return an open table, or one of the journal, opened for an address; Busy if full."""
        if (session := self.sessions.get(number)) is not None:
            return session
        terms = self.journal.terms(number) if 0 < number < LARGEST else None
        if terms is None:
            return None
        self._check_limits(who, twice=self.journal.in_progress(number))
        return self._open(number, terms, who)

    def _open(self, number: int, terms: TableTerms, who: str) -> TableSession:
        session = self._sessions[number] = TableSession(number, terms, self.services, who)
        session.begin()
        return session

    def _check_limits(self, who: str, *, twice: bool = False) -> None:
        """Check that one more table may be opened; within twice the limits if wanted."""
        if self._full(who):
            self.close_idle(self.limits.idle / 10)
        if self._full(who, 2 if twice else 1):
            count = self.limits.tables
            raise Busy(Phrase("{count} tables are open; try again later", count=count))

    def _full(self, who: str, times: int = 1) -> bool:
        own, limits = sum(session.who == who for session in self.sessions.values()), self.limits
        return len(self._sessions) >= times * limits.tables or own >= times * limits.own

    # Looking after them

    def tick(self) -> None:
        """Let clocks that have run down end games; a fault at one table stops no other."""
        for session in list(self.sessions.values()):
            try:
                session.tick()
            except Exception as error:
                session.fail(error)

    def close_idle(self, seconds: float = math.inf) -> None:
        """Close the tables that nobody has looked at for this long, or for the limit if less.

        A game in progress stays open until the limit in any case.
        """
        now, limit = self.services.now(), self.limits.idle
        for session in self.sessions.values():
            longest = limit if session.in_progress else min(seconds, limit)
            if session.idle and now - session.touched > longest:
                session.close()

    def close(self) -> None:
        for session in self.sessions.values():
            session.close()

    # Links

    def enter(
        self, number: int, role: str, token: str, who: str = ""
    ) -> tuple[TableSession, Client] | None:
        """Return the table and client that this link is for; None if not valid, Busy if full."""
        if role not in ROLES or not self.is_valid(number, role, token):
            return None
        session = self.session(number, who)
        return None if session is None else (session, session.client(role))

    def invited(
        self, number: int, colour: Colour, token: str, who: str = ""
    ) -> TableSession | None:
        """Return the table that this link invites to; None if it does not, Busy if full."""
        valid = self.is_valid(number, f"invite-{colour.word}", token)
        return self.session(number, who) if valid else None

    def is_valid(self, number: int, role: str, given: str) -> bool:
        """Return whether a link is the latest of its role, in constant time; opens no table."""
        if not 0 < number < LARGEST:
            return False
        session, links = self.sessions.get(number), self.journal.links
        made = links(number, role) if session is None else session.generations.get(role, 0)
        latest = token(self.journal.key, number, role, made)
        return hmac.compare_digest(latest.encode(), given.encode())
