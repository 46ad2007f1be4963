"""A game that people play: the referee, every attempt so far, the time used, and its record.

A game that is not over is recorded as a void one (`ADJOURNED`); resuming its record continues it.
"""

from dataclasses import replace
from typing import Final, NamedTuple, Self

from gtp.clock import Limit
from phantomgo.game.board import Board
from phantomgo.game.outcome import Ending, Outcome
from phantomgo.game.points import Colour, Move
from phantomgo.game.record import Record, RecordedAttempt
from phantomgo.game.recording import recorded_attempt, replay, verify
from phantomgo.game.referee import Referee
from phantomgo.game.view import View
from phantomgo.rng import fresh_seed

ADJOURNED: Final = Outcome(None, None, Ending.VOID, "adjourned")


class GameMoment(NamedTuple):
    """The game after an attempt.

    Attributes:
        board: the full board.
        views: Black's view and White's.
        to_move: who attempts next.
        step: the attempt that led here; None at the beginning.
    """

    board: Board
    views: tuple[View, View]
    to_move: Colour
    step: RecordedAttempt | None = None

    @classmethod
    def of(cls, referee: Referee, step: RecordedAttempt | None = None) -> Self:
        """Return the present moment of a referee's game."""
        black, white = (referee.view(colour) for colour in Colour)
        return cls(referee.board, (black, white), referee.to_move, step)

    def view(self, colour: Colour) -> View:
        return self.views[colour - 1]


class TableGame:
    """The current state of a game.

    Attributes:
        start: a record of its terms: rules, players, handicap.
        limit: the time of each side, with a byo-yomi of one move; None without a clock.
        steps: every attempt.
        moments: the game at its beginning and after each attempt.
    """

    def __init__(self, start: Record, limit: Limit | None = None) -> None:
        """Begin a game on the terms of a record, whose attempts are ignored.

        Without a limit the time of each side is the record's.
        """
        self.start, self.rules = start, start.rules
        self.limit = Limit(start.time) if limit is None and start.time else limit
        self.steps: list[RecordedAttempt] = []
        self._referee = Referee(start.rules, black=start.handicap)
        self.moments = [GameMoment.of(self._referee)]

    @classmethod
    def resumed(cls, record: Record) -> Self:
        """Return the game of a record, checked. It continues if it was adjourned."""
        verify(record)
        game = cls(record)
        for step, referee in replay(record):
            game._referee = referee
            game._keep(step)
        if game.outcome is None and record.outcome != ADJOURNED:
            game.end(record.outcome)
        return game

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None until the game has ended."""
        return self._referee.outcome

    @property
    def to_move(self) -> Colour:
        return self._referee.to_move

    def view(self, colour: Colour) -> View:
        return self._referee.view(colour)

    def name(self, colour: Colour) -> str:
        """Return the spec of a player."""
        return self.start.side(colour).name

    def attempt(self, move: Move, seconds: float) -> RecordedAttempt:
        """Make an attempt for the side to move, which took `seconds`; GameOver at the end."""
        step = recorded_attempt(self._referee, move, seconds)
        self._keep(step)
        return step

    def _keep(self, step: RecordedAttempt) -> None:
        self.steps.append(step)
        self.moments.append(GameMoment.of(self._referee, step))

    def end(self, outcome: Outcome) -> None:
        """End the game for a reason the board does not show."""
        self._referee.end(outcome)
        self.moments[-1] = GameMoment.of(self._referee, self.moments[-1].step)

    def record(self) -> Record:
        """Return the current game."""
        return replace(self.start, steps=tuple(self.steps), outcome=self.outcome or ADJOURNED)

    # Turns

    def ends_turn(self, move: Move) -> bool:
        """Return whether this attempt of the side to move would end its turn, or the game."""
        twin = self.twin()
        twin.attempt(self.to_move, move)
        return twin.outcome is not None or twin.to_move is not self.to_move

    def turn_ends(self) -> list[int]:
        """Return the numbers of the moments at which a turn was over."""
        return [
            number
            for number in range(1, len(self.moments))
            if self.moments[number].to_move is not self.moments[number - 1].to_move
        ]

    def last_turn(self, colour: Colour) -> int | None:
        """Return the number of the moment before a side's last move; None if it has made none."""
        ends = (n - 1 for n in self.turn_ends() if self.steps[n - 1].colour is colour)
        return max(ends, default=None)

    # Other games made from this one

    def before_last(self) -> Self:
        """Return the game without its last attempt."""
        return self.first(len(self.steps) - 1)

    def taken_back(self, colour: Colour) -> Self:
        """Return the game without a side's last move and all that followed; its record says so.

        Refused attempts of the turn before that move stay.
        """
        number = self.last_turn(colour)
        assert number is not None
        game = self.first(number)
        game.start = replace(self.start, takebacks=self.start.takebacks + 1)
        return game

    def first(self, count: int) -> Self:
        """Return the game with only its first attempts."""
        game = type(self)(self.start, self.limit)
        for step in self.steps[:count]:
            game.attempt(step.move, step.seconds)
        return game

    def again(self) -> Self:
        """Return a new game on the same terms, with the colours changed and other seeds."""
        start = self.start
        black, white = (
            side if side.seed is None else side._replace(seed=fresh_seed())
            for side in (start.white, start.black)
        )
        terms = replace(start, black=black, white=white, steps=(), outcome=ADJOURNED, takebacks=0)
        return type(self)(terms, self.limit)

    def twin(self) -> Referee:
        """Return a referee of this game in its current state, with which it may be continued
        elsewhere.
        """
        return self._referee.copy()

    # Time

    def left(self, colour: Colour) -> float | None:
        """Return the seconds left to a side after its last attempt; None without a clock.

        Who has lost on time has none left.
        """
        left, outcome = self.left_at_turn(colour), self.outcome
        if left is None:
            return None
        if outcome is not None and outcome.ending is Ending.TIME and outcome.winner is not colour:
            return 0.0
        return left - self.used(colour)[-1]

    def left_at_turn(self, colour: Colour) -> float | None:
        """Return the seconds a side had left when its turn began; None without a clock.

        They include its last byo-yomi period, as the game is lost on time only after that.
        """
        if self.limit is None:
            return None
        left = self.limit.main
        for seconds in self.used(colour)[:-1]:
            left = max(left - seconds, 0.0) + self.limit.increment
        return left + self.limit.period

    def used(self, colour: Colour) -> list[float]:
        """Return the seconds of a side's turns; the last one is not over."""
        turns = [0.0]
        for step, moment in zip(self.steps, self.moments[1:], strict=True):
            if step.colour is colour:
                turns[-1] += step.seconds
                if moment.to_move is not colour:
                    turns.append(0.0)
        return turns
