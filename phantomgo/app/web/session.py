"""A table on the web: its game and clients. Events are stored before anybody sees their effects."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from phantomgo.app.table.review import review
from phantomgo.app.table.table import BotFailed, Table
from phantomgo.app.web.bot_workers import BotWorkers, PooledPlayers
from phantomgo.app.web.client import Client, make_client
from phantomgo.app.web.journal import Event, Journal
from phantomgo.app.web.table_state import TableState, ended
from phantomgo.app.web.terms import TableTerms
from phantomgo.app.web.turn_time import TurnPlan
from phantomgo.errors import BadStore
from phantomgo.game.outcome import Outcome
from phantomgo.game.points import Colour, Move, attempt_text
from phantomgo.phrase import Phrase
from phantomgo.records.record_json import write_record

log = logging.getLogger("phantomgo.web")


@dataclass
class SharedServices:
    """The services that all tables of a server share.

    Attributes:
        journal: stores all events.
        bots: worker processes for bots.
        reviewers: worker processes for finished games, so that no game waits for them.
        beat: seconds that a bot's turn takes.
        now: the time in seconds.
        sleep: lets time pass.
    """

    journal: Journal
    bots: BotWorkers
    reviewers: BotWorkers
    beat: float = 0.5
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class WebTable(Table):
    """A table whose attempts and endings are events."""

    def __init__(self, session: "TableSession") -> None:
        self._session = session
        game, services = session.game, session.services
        super().__init__(game, PooledPlayers(game, services.bots, session.who), now=services.now)

    def make(self, move: Move, seconds: float) -> None:
        where = attempt_text(move, self.game.rules.size)
        first = not self.game.steps
        self._session.apply_and_store({"attempt": where, "seconds": round(seconds, 4)})
        if first:
            self._session.set_clock()

    def finish(self, outcome: Outcome) -> None:
        self._session.apply_and_store(ended(outcome))


class TableSession(TableState):
    """An open table with its clients.

    Attributes:
        table: the game, its players and clocks.
        clients: who looks at it, by role.
        who: the address on whose behalf it is open.
        touched: when it was last used.
        closed: this object no longer represents the table; its links open it again.
    """

    def __init__(self, number: int, terms: TableTerms, services: SharedServices, who: str) -> None:
        """Open a table from the journal; `begin` resumes the game."""
        super().__init__(number, terms, services.journal)
        self.services, self.who = services, who
        self.closed = False
        self.touched = services.now()
        self.clients: dict[str, Client] = {}
        self._added = 0
        self._showing: asyncio.Task[None] | None = None
        self._reviewing: asyncio.Task[None] | None = None
        self._driver: asyncio.Task[None] | None = None
        self._make_table()

    def _make_table(self) -> None:
        """Make the table of the present game, and move its clients there."""
        self.table = WebTable(self)
        self.table.watchers.append(self.changed)
        self.set_clock()
        for client in self.clients.values():
            client.move_to(self.table)

    def begin(self) -> None:
        """Let the game continue."""
        self.table.begin()
        self._continue()

    # Events

    def record_event(self, event: Event) -> None:
        """Apply an event, queue it for the journal, and show it once it is on disk."""
        game = self.game
        self.apply_and_store(event)
        if self.game is not game:
            self._stop_driver()
            self._make_table()
        self.set_clock()
        self.changed()
        if self.game is not game:
            self.begin()

    def apply_and_store(self, event: Event) -> None:
        """Apply an event, and queue it for the journal."""
        before = self.game.outcome
        self.apply(event)
        self.journal.add(self.number, self._events, event)
        self._events += 1
        if before is None and self.game.outcome is not None:
            self.journal.finish(self.number)

    def sit(self, colour: Colour, name: str) -> str:
        """Take a free seat; return the path of its player."""
        seat = colour.word
        self.record_event({"sits": seat, "name": name})
        return self.link(seat)

    def free(self, seat: str) -> None:
        """Free a seat: its link is void, and so is the invitation that led to it; its pages end."""
        self.record_event({"link": seat})
        self.record_event({"link": f"invite-{seat}"})
        if (client := self.clients.pop(seat, None)) is not None:
            client.wake()

    # Clocks

    def set_clock(self) -> None:
        """Run the clock, unless nobody has started it, a seat is free, or something is wrong.

        It starts with the first attempt, which is always legal and so tells both players the same.
        """
        begun = self.terms.refereed or bool(self.game.steps)
        if not begun or self.stopped or self.free_seats or self.trouble:
            self.table.turn.stop()
        else:
            self.table.turn.start()

    def tick(self) -> None:
        """End the game if a clock has run down."""
        if self.terms.limit is not None and not self.trouble:
            self.table.tick()

    def fail(self, error: Exception) -> None:
        """Stop the clocks of a table where something of ours went wrong, and say so there."""
        log.error("table %d: %s", self.number, type(error).__name__, exc_info=error)
        self.trouble = Phrase("Something went wrong at this table, and its clocks are stopped.")
        self.table.turn.stop()
        for client in self.clients.values():
            with contextlib.suppress(Exception):  # it may be what went wrong
                client.update()

    # Clients

    def client(self, role: str) -> Client:
        """Return the client of this role; a person may look at several pages."""
        self.touched = self.services.now()
        if role not in self.clients:
            self.clients[role] = make_client(self, self.table, role)
        return self.clients[role]

    def has(self, client: Client) -> bool:
        """Return whether a client's pages are to be told what is new."""
        return not self.closed and self.clients.get(client.role) is client

    def changed(self) -> None:
        """Have every client look again, once what has happened is on the disk."""
        self._added = self.journal.added
        if self._showing is None:
            self._showing = asyncio.create_task(self._show())
            # asyncio would log a BadStore that nobody retrieves, which `_show` has logged.
            self._showing.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def _show(self) -> None:
        try:
            written = -1
            while written < self._added:
                written = self._added
                await self.journal.written(written)
        except BadStore as error:
            log.error("%s", error)
            self.close()  # it is opened again as it stands on the disk
            raise
        finally:
            self._showing = None
        try:
            states = [client.latest_state() for client in self.clients.values()]
        except Exception as error:
            self.fail(error)
        else:
            for client, state in zip(self.clients.values(), states, strict=True):
                client.show_state(state)
        self._continue()

    async def settled(self) -> None:
        """Wait until all that has happened is on the disk, and seen.

        Raises:
            BadStore: it cannot be written; the table is unchanged.
        """
        while self._showing is not None:
            await asyncio.shield(self._showing)

    @property
    def idle(self) -> bool:
        """Return whether no page is open, and nothing is being written or worked out."""
        looked_at = any(client.pages for client in self.clients.values())
        return not looked_at and not self.unsettled

    @property
    def unsettled(self) -> bool:
        """Return whether something is being written or worked out."""
        return self._showing is not None or self._reviewing is not None

    def close(self) -> None:
        """Stop everything here; the journal has the table."""
        self.closed = True
        self._stop_driver()
        self.table.watchers.clear()
        for client in self.clients.values():
            client.wake()

    # Bots

    @property
    def waits_for_bot(self) -> bool:
        bots_turn = self.game.outcome is None and self.game.to_move not in self.people
        return bots_turn and not (self.adjourned or self.table.paused)

    def _continue(self) -> None:
        if self.waits_for_bot and self._driver is None:
            self._driver = asyncio.create_task(self._drive(), name=f"table {self.number}")

    async def _drive(self) -> None:
        """Ask bots and make their attempts until a person is to move.

        A refused attempt is made at once and charged nothing. The one that ends the turn waits for
        the end of the plan, and takes the whole charge of the turn from the clock.
        """
        try:
            while self.waits_for_bot:
                thought, charge = self.table.think(), 0.0
                with contextlib.suppress(Exception):  # `take` raises it
                    move, _ = await asyncio.wrap_future(thought)
                    if self.game.ends_turn(move):
                        turn = self._planned()
                        await self.services.sleep(turn.rest(self.table.turn.seconds))
                        charge = turn.charge
                if self.waits_for_bot and thought is self.table.thought:
                    self._take(charge)
        finally:
            self._driver = None

    def _planned(self) -> TurnPlan:
        """The plan of the turn of the bot to move."""
        colour = self.game.to_move
        left = self.game.left_at_turn(colour)
        return TurnPlan.of(self.game.view(colour), left, self.services.beat)

    def _take(self, charge: float) -> None:
        try:
            self.table.take(charge)
        except BotFailed as error:
            log.warning("table %d: %s", self.number, error)
            self.trouble = Phrase("The bot failed. It can be asked again; the game is as it was.")
            self.changed()

    def ask_again(self) -> None:
        """Ask a bot that failed once more."""
        self.trouble, self.table.paused = "", False
        self.set_clock()
        self.changed()

    def _stop_driver(self) -> None:
        if self._driver is not None:
            self._driver.cancel()
            self._driver = None

    def advise(self, task: Callable[..., Any], *arguments: Any) -> "asyncio.Future[Any]":
        """Have a worker process work something out."""
        return asyncio.wrap_future(self.services.bots.ask(task, *arguments, who=self.who))

    def begin_review(self) -> None:
        """Work out the review of the finished game, unless that is done."""
        if self._reviewing is None and not self.review.chances.truth:
            self._reviewing = asyncio.create_task(self._make_review())

    async def _make_review(self) -> None:
        try:
            record = write_record(self.game.record())
            reviewed = self.services.reviewers.ask(review, record, who=self.who)
            self.record_event({"review": await asyncio.wrap_future(reviewed)})
        except Exception:  # it may be asked for again
            log.warning("table %d cannot be reviewed", self.number, exc_info=True)
        finally:
            self._reviewing = None
