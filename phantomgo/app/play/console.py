"""A viewer who types: what they are answered, and what they wait for.

No terminal takes part: screen.py and lines.py show what a `Console` has to show (page.py) and hand
it what is typed (commands.py), so whole games are tested without one.

What takes time is a `Work`, done in a thread: the front awaits it, calls `finish` when it is done,
or `interrupt` when the person would rather have the prompt back. An interrupted bot thinks on, and
its answer is awaited again later.
"""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phantomgo.app.table import background
from phantomgo.app.table.facts import ending, score
from phantomgo.app.table.game import Game
from phantomgo.app.table.players import Proposal
from phantomgo.app.table.table import BotFailed, Table
from phantomgo.app.table.viewer import Phase, Viewer
from phantomgo.errors import BadText
from phantomgo.points import Move


@dataclass(frozen=True)
class Work:
    """Something being waited for.

    Attributes:
        what: what is done, in words.
        future: its result, or error.
        take: to be called with the future when that is done.
        share: how much of it is done, 0 to 1; None where nobody knows.
        began: when the waiting began.
    """

    what: str
    future: Future[Any]
    take: Callable[[Future[Any]], None]
    share: Callable[[], float | None]
    began: float


class Console(Viewer):
    """The person, or the two people, at the prompt of a terminal.

    Attributes:
        answer: the reply to what was typed last, a line or two.
        page: a longer reply.
        scroll: lines of the page scrolled by.
        chances: Black's chance of winning at each moment, once reviewed.
        work: what is being waited for.
        leaving: the person was asked whether to leave.
        passing: the person was asked whether to end the game by a pass.
        closed: they are gone.
        files: what may be overwritten by saving again.
        note: what a bot logged, to be shown while it is waited for.
        changed: the board has to be shown again (for who cannot redraw).
        resumable: the game is kept as it goes, for `phantomgo play --resume`.
    """

    def __init__(
        self,
        table: Table,
        *,
        resumable: bool = False,
        lay: Callable[[Game], Table] | None = None,
    ) -> None:
        """Sit down at a table; `begin` lets the game go on.

        Args:
            table: the table.
            resumable: it keeps its game.
            lay: lays another table, for a rematch.
        """
        self._lay = lay
        super().__init__(table, table.people)
        self.resumable = resumable
        self._prepare()

    def _prepare(self) -> None:
        """Nothing has been typed yet at this table."""
        self.answer = "Type a point, such as D4, or `help`."
        self.page: list[str] = []
        self.scroll = 0
        self.chances: list[float] | None = None
        self.work: Work | None = None
        self.leaving = self.passing = self.closed = False
        self.files: set[Path] = set()
        self.note = ""
        self.changed = True
        if self.phase is Phase.OVER:
            self._say_ending()

    def begin(self) -> None:
        """Have the players sit down, and let the game go on."""
        self.table.begin()
        self._go_on()

    # The game

    def attempt(self, move: Move) -> None:
        """The person's attempt."""
        self.table.attempt(move)

    def notice(self) -> None:
        super().notice()
        self.page, self.changed = [], True
        if self.table.trouble:
            self.answer, self.resumable = self.table.trouble, False
        if self.phase is Phase.OVER:
            self.work = None
            self._say_ending()
        else:
            self._go_on()

    def _say_ending(self) -> None:
        outcome = self.game.outcome
        assert outcome is not None
        seat = next(iter(self.seats)) if len(self.seats) == 1 else None
        words = f"{ending(outcome, seat)} {score(self.game)}"
        self.answer = f"{words} `back`, `next`, `review`, `rematch`, `save`, `help`."

    def rematch(self) -> None:
        """Begin the next game, with the colours changed."""
        if self._lay is None:
            self.answer = "There is no table for another game."
            return
        try:
            table = self._lay(self.game.again())
        except BadText as error:
            self.answer = f"No rematch: {error}."
            return
        self.sit_at(table, table.people)
        self._prepare()
        self.begin()

    def _go_on(self) -> None:
        """Wait for the bot that is to move, if one is and may."""
        over = self.game.outcome is not None
        if not over and not self.table.paused and self.game.to_move not in self.table.people:
            self._await_bot()

    def _await_bot(self) -> None:
        table = self.table
        what, began = f"{self.game.to_move} thinks", table.now() - table.turn.seconds
        self.work = Work(what, table.think(), self._take_move, table.share, began)

    def _take_move(self, _future: Future[Proposal]) -> None:
        try:
            self.table.take()
        except BotFailed as error:
            self.answer = f"{error}. Enter asks again; the game is as it was."

    def go(self, *, once: bool = False) -> None:
        """Wait for the bot that is to move; `once` only for its next attempt."""
        if self.phase is Phase.OVER or self.game.to_move in self.table.people:
            self.answer = "There is nothing to wait for."
            return
        self.table.paused = once and not self.seats
        self._await_bot()

    # Waiting

    def start(
        self,
        what: str,
        task: Callable[[], Any],
        take: Callable[[Any], None],
        share: Callable[[], float | None] = lambda: None,
    ) -> None:
        """Have something worked out; `take` gets it, unless the person stops waiting."""

        def took(future: Future[Any]) -> None:
            error = future.exception()
            if error is None:
                take(future.result())
            else:
                self.answer = f"That failed: {error or type(error).__name__}."

        self.work = Work(what, background.begin(what, task), took, share, self.table.now())

    def finish(self) -> None:
        """Take what was waited for; it has to be done."""
        work, self.work = self.work, None
        if work is not None:
            self.note = ""
            work.take(work.future)

    def interrupt(self) -> None:
        """Ctrl-C: stop waiting."""
        self.leaving = False
        work, self.work = self.work, None
        if work is None:
            self.answer = "Ctrl-D or `quit` leaves."
        elif work.future is self.table.thought:
            self.table.paused = True
            self.answer = f"{work.what} on; Enter waits for it."
        else:
            self.answer = "Stopped."

    # What the person does beside playing

    def enter(self) -> None:
        """Enter without a word: go on, whatever that is now."""
        self.changed = True
        if self.phase in (Phase.HANDOVER, Phase.CURTAIN):
            self.change_seats()
            self.page, self.answer = [], ""
        elif self.page:
            self.page = []
        elif self.phase is Phase.OVER:
            self.show(self.at + 1)
        elif self.game.to_move not in self.table.people:
            self.go(once=True)

    def show(self, number: int) -> None:
        super().show(number)
        self.page, self.changed = [], True

    def ask_to_leave(self) -> None:
        """Ctrl-D, or `quit`."""
        if self.leaving:
            self.closed = True
        self.leaving = True
        self.answer = f"Leave? {self.kept} [y/N]".replace("  ", " ")

    @property
    def kept(self) -> str:
        """How to come back to the game, if one can."""
        if not self.resumable or not self.game.steps:
            return ""
        return "The game is kept: `phantomgo play --resume` goes on with it."
