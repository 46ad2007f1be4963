"""A table: a game with its players, clocks and bots' thoughts, independent of any interface.

A table changes by `attempt` (a person's), `take` (a bot's), `tick` (a clock that has run down),
and `abandon`; each time it changes the game by `make` or `finish`, saves it, and notifies its
watchers. A bot thinks in the background: `think` asks it once and returns the same future until its
answer is taken, so a caller may stop waiting and wait again later.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from phantomgo.app.table.facts import ABANDONED
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.players import HUMAN, Players, Proposal
from phantomgo.errors import PhantomGoError
from phantomgo.game.outcome import Ending, Fault, Outcome
from phantomgo.game.points import Colour, Move


class BotFailed(PhantomGoError):
    """A bot raised an exception that is not a fault by the rules; the game is unchanged."""


class TurnTimer:
    """Counts the seconds while it runs; it is started running."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now, self._counted = now, 0.0
        self._since: float | None = now()

    @property
    def seconds(self) -> float:
        return self._counted + (0.0 if self._since is None else self._now() - self._since)

    @property
    def running(self) -> bool:
        return self._since is not None

    def reset(self, seconds: float = 0.0) -> None:
        """Count from here, running or not as before."""
        self._counted = seconds
        self._since = None if self._since is None else self._now()

    def stop(self) -> None:
        self._counted, self._since = self.seconds, None

    def start(self) -> None:
        self._counted, self._since = self.seconds, self._now()


class Table:
    """A game, its players, and their clocks.

    Attributes:
        people: the colours that persons play.
        players: the others.
        thought: the bot's answer, or the promise of one; None if none is asked.
        paused: no bot is asked until the game is continued.
        watchers: called after every change.
        turn: the time since the turn of the side to move began.
        trouble: why the game can no longer be saved; empty while it can.
    """

    def __init__(
        self,
        game: TableGame,
        players: Players,
        *,
        keep: Callable[[TableGame], None] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up the table; `begin` has the players sit down.

        Args:
            game: new, adjourned or over.
            players: of the colours that no person plays.
            keep: saves the game after every change; may raise OSError.
            now: the time in seconds.
        """
        self.game, self.players, self.now = game, players, now
        self.people = frozenset(c for c in Colour if game.name(c) == HUMAN)
        self.thought: Future[Proposal] | None = None
        self.paused = False
        self.watchers: list[Callable[[], None]] = []
        self.turn = TurnTimer(now)
        self._attempt_from = 0.0
        self.trouble = ""
        self._keep: Final = keep

    def begin(self) -> None:
        """Have the players sit down."""
        self.players.begin()
        self._turn_begins(self.game.used(self.game.to_move)[-1])

    def _turn_begins(self, used: float = 0.0) -> None:
        self.turn.reset(used)
        self._attempt_from = used

    # Attempts

    def attempt(self, move: Move) -> None:
        """Make the attempt of the person to move; GameOver at the end."""
        self._attempt(move, self.turn.seconds - self._attempt_from)

    def think(self) -> Future[Proposal]:
        """Return the answer of the bot to move, which is asked if it has not been yet."""
        if self.thought is None:
            self.thought = self.players.ask(self.game.to_move)
        return self.thought

    def take(self, charge: float | None = None) -> None:
        """Make the bot's attempt, which has to be done, or end the game by its fault.

        Args:
            charge: seconds that the attempt takes from the clock; None takes those it took.

        Raises:
            BotFailed: the bot raised something else; the game is paused.
        """
        assert self.thought is not None
        colour, future, self.thought = self.game.to_move, self.thought, None
        error = future.exception()
        if isinstance(error, Fault):
            self._end(error.outcome(colour))
        elif error is not None:
            self.paused = True
            raise BotFailed(f"{colour} failed: {str(error) or type(error).__name__}")
        else:
            move, seconds = future.result()
            self._attempt(move, seconds if charge is None else charge)

    def _attempt(self, move: Move, seconds: float) -> None:
        before = self.game.to_move
        self.make(move, seconds)
        self._attempt_from = self.turn.seconds
        if self.game.to_move is not before:
            self._turn_begins()
        self._changed()

    def abandon(self, why: str = ABANDONED) -> None:
        """End the game without a result, whoever is to move."""
        self._fail(Ending.VOID, why)

    def _fail(self, ending: Ending, why: str) -> None:
        self._end(Fault(ending, why).outcome(self.game.to_move))

    def _end(self, outcome: Outcome) -> None:
        self.finish(outcome)
        self._changed()

    def make(self, move: Move, seconds: float) -> None:
        """Change the game by an attempt of the side to move; GameOver at the end."""
        self.game.attempt(move, seconds)

    def finish(self, outcome: Outcome) -> None:
        """Change the game by an end that the board does not show."""
        self.game.end(outcome)

    def _changed(self) -> None:
        if self._keep is not None and not self.trouble:
            try:
                self._keep(self.game)
            except OSError as error:
                self.trouble = f"The game cannot be saved any more: {error.strerror}."
        if self.game.outcome is not None:
            self.players.hear_end()
        for watcher in self.watchers:
            watcher()

    # Clocks

    def clock(self, colour: Colour) -> float | None:
        """Return the seconds left to a side at this moment; None without a clock."""
        left = self.game.left_at_turn(colour)
        if left is None or self.game.outcome is not None or colour is not self.game.to_move:
            return self.game.left(colour)
        waits = colour not in self.people and self.paused
        return left - (0.0 if waits else self.turn.seconds)

    def tick(self) -> None:
        """End the game if the time of the person to move is up."""
        colour = self.game.to_move
        if self.game.outcome is None and colour in self.people and (self.clock(colour) or 0) < 0:
            self._fail(Ending.TIME, f"ran out of time: {self.game.limit}")
