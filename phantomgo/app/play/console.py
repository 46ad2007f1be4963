"""A viewer who types, without a terminal: their answers, and the work they wait for.

screen.py and lines.py show a `Console` (page.py) and pass it what is typed (commands.py), so whole
games are tested without a terminal. Anything slow is a `Work`, done in a thread: the interface
calls `finish` when it is done, or `interrupt` if the person wants the prompt back before. An
interrupted bot continues to think, and its answer is awaited again later.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phantomgo.app import background
from phantomgo.app.table.facts import ending, score
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.players import Proposal
from phantomgo.app.table.table import BotFailed, Table
from phantomgo.app.table.viewer import Phase, Viewer
from phantomgo.errors import BadText
from phantomgo.game.points import Colour


@dataclass(frozen=True)
class Work:
    """Work in progress.

    Attributes:
        what: a description.
        future: its result, or error.
        take: called with the future when it is done.
        began: when the wait began.
    """

    what: str
    future: Future[Any]
    take: Callable[[Future[Any]], None]
    began: float


class Console(Viewer):
    """The person, or the two people, at the prompt of a terminal.

    Attributes:
        answer: the reply to what was typed last, a line or two.
        page: a longer reply.
        scroll: lines of the page scrolled by.
        leaf: lines of the page that were shown last: a step of PageDown.
        chances: Black's chance to win at each moment, once reviewed.
        work: the work in progress.
        leaving: whether the person was asked about leaving.
        asked: the word that ends the game if it is typed again; empty if nothing was asked.
        closed: whether the person has left.
        files: files that saving again may overwrite.
        note: a line that a bot logged, shown while it thinks.
        changed: whether the board has to be shown again (by an interface that cannot redraw).
        resumable: whether the game is saved as it goes, for `phantomgo play --resume`.
    """

    def __init__(
        self,
        table: Table,
        *,
        resumable: bool = False,
        set_up: Callable[[TableGame], Table] | None = None,
    ) -> None:
        """Sit down at a table, which saves its game if it is resumable; `begin` starts the game.

        `set_up` sets up another table, for a rematch.
        """
        self._set_up = set_up
        super().__init__(table, table.people)
        self.resumable = resumable
        self._prepare()

    def _prepare(self) -> None:
        self.answer = "Type a point, such as D4, or `help`."
        self.page: list[str] = []
        self.scroll, self.leaf = 0, 1
        self.chances: list[float] | None = None
        self.work: Work | None = None
        self.leaving = self.closed = False
        self.asked = ""
        self.files: set[tuple[Path, Colour | None]] = set()
        self.note = ""
        self.changed = True
        if self.phase is Phase.OVER:
            self._say_ending()

    def begin(self) -> None:
        """Seat the players and start the game."""
        self.table.begin()
        self._continue()

    # The game

    def notice(self) -> None:
        super().notice()
        self.page, self.changed = [], True
        if self.table.trouble:
            self.answer, self.resumable = self.table.trouble, False
        if self.phase is Phase.OVER:
            self.work = None
            self._say_ending()
        else:
            self._continue()

    def _say_ending(self) -> None:
        outcome = self.game.outcome
        assert outcome is not None
        seat = next(iter(self.seats)) if len(self.seats) == 1 else None
        words = f"{ending(outcome, seat)} {score(self.game)}"
        self.answer = f"{words} `back`, `next`, `review`, `rematch`, `save`, `help`."

    def rematch(self) -> None:
        """Begin the next game, with the colours changed."""
        if self._set_up is None:
            self.answer = "There is no table for another game."
            return
        try:
            table = self._set_up(self.game.again())
        except BadText as error:
            self.answer = f"No rematch: {error}."
            return
        self.sit_at(table, table.people)
        self._prepare()
        self.begin()

    def _continue(self) -> None:
        """Wait for the bot to move, if it is its turn and the game is not paused."""
        over = self.game.outcome is not None
        if not over and not self.table.paused and self.game.to_move not in self.table.people:
            self._await_bot()

    def _await_bot(self) -> None:
        table, what = self.table, f"{self.game.to_move} thinks"
        began = table.now() - table.turn.seconds
        self.work = Work(what, table.think(), self._take_move, began)

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

    def start(self, what: str, task: Callable[[], Any], take: Callable[[Any], None]) -> None:
        """Run a task in a thread; `take` gets its result, unless the person stops waiting."""

        def took(future: Future[Any]) -> None:
            error = future.exception()
            if error is None:
                take(future.result())
            else:
                self.answer = f"That failed: {error or type(error).__name__}."

        self.work = Work(what, background.begin(what, task), took, self.table.now())

    def finish(self) -> None:
        """Take the result of the work, which has to be done."""
        work, self.work = self.work, None
        if work is not None:
            self.note = ""
            work.take(work.future)

    def interrupt(self) -> None:
        """Stop waiting (Ctrl-C)."""
        self.leaving, self.asked = False, ""
        work, self.work = self.work, None
        if work is None:
            self.answer = "Ctrl-D or `quit` leaves."
        elif work.future is self.table.thought:
            self.table.paused = True
            self.answer = f"{work.what} on; Enter waits for it."
        else:
            self.answer = "Stopped."

    # Beside playing

    def enter(self) -> None:
        """Continue, whatever comes next (Enter)."""
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

    def reply(self, lines: Iterable[str]) -> None:
        """Show a longer reply."""
        self.page, self.scroll, self.changed = list(lines), 0, True

    def show(self, number: int) -> None:
        super().show(number)
        self.page, self.changed = [], True

    def ask_to_leave(self) -> None:
        """Ask whether to leave; asked twice (Ctrl-D), or after the game, do."""
        self.closed, self.leaving = self.leaving or self.phase is Phase.OVER, True
        self.answer = "" if self.closed else f"Leave? {self.resume_hint} [y/N]".replace("  ", " ")

    @property
    def resume_hint(self) -> str:
        """Return a hint on resuming the game; empty if that is impossible."""
        if not self.resumable or not self.game.steps:
            return ""
        return "The game is saved: `phantomgo play --resume` continues it."
