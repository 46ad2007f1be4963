"""A recorded game: every attempt, and each player's messages about it.

Messages are lines of the phantom protocol (phantomgo/wording.py): a player's lines, in order, are
all that they know. They follow from the rules and the attempts, which `verify` checks.
phantomgo/record_json.py writes and reads records, phantomgo/record_sgf.py shows them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from phantomgo.beginning import Beginning
from phantomgo.errors import BadRecord, BadText
from phantomgo.outcome import FAULTS, Ending, Outcome
from phantomgo.points import BLACK, RESIGN, WHITE, Colour, Move, PointSet, attempt_text
from phantomgo.referee import Attempt, Referee
from phantomgo.rules import Reason, Rules
from phantomgo.wording import line


class RecordedAttempt(NamedTuple):
    """One attempt, the seconds it took to find, and the message lines to each player.

    `reason` is the true one, None if the move stood.
    """

    colour: Colour
    move: Move
    reason: Reason | None
    seconds: float
    black: tuple[str, ...]
    white: tuple[str, ...]

    def lines(self, colour: Colour) -> tuple[str, ...]:
        return self.black if colour is Colour.BLACK else self.white


class PlayerInfo(NamedTuple):
    """The player of a colour.

    Attributes:
        name: what they are called; of a bot, its spec.
        seed: None for a player that has none.
        data: the learned data they went by, each with its digest: a net, a book.
    """

    name: str
    seed: int | None = None
    data: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is kept.

    Attributes:
        handicap: Black's stones on the board before the first move.
        time: seconds of each side for the game; None without a clock.
        takebacks: how often a player took a move back. Moves taken back are not in the steps, but
            the players had been told about them.
    """

    rules: Rules
    black: PlayerInfo
    white: PlayerInfo
    steps: tuple[RecordedAttempt, ...]
    outcome: Outcome
    handicap: PointSet
    time: int | None = None
    takebacks: int = 0

    def begin(self) -> Referee:
        """The referee before the first attempt."""
        return Referee(self.rules, black=self.handicap)

    def beginning(self, moves: int) -> Beginning:
        """The beginning of a game that continues this one after a number of moves.

        Raises:
            BadText: there are fewer.
        """
        stood = [
            number
            for number, step in enumerate(self.steps, 1)
            if step.reason is None and step.move != RESIGN
        ]
        if not 0 <= moves <= len(stood):
            raise BadText(f"the game has {len(stood)} moves, not {moves}")
        made = self.steps[: stood[moves - 1] if moves else 0]
        return Beginning(self.handicap, tuple((step.colour, step.move) for step in made))

    def side(self, colour: Colour) -> PlayerInfo:
        return self.black if colour is Colour.BLACK else self.white

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """The attempts, without messages."""
        return tuple(Attempt(step.colour, step.move, step.reason) for step in self.steps)

    @property
    def moves(self) -> list[tuple[Colour, Move]]:
        """The moves that stood, as the attempts have them."""
        return [(s.colour, s.move) for s in self.steps if s.reason is None and s.move != RESIGN]

    def refused(self, colour: Colour) -> int:
        """The number of a side's refused attempts."""
        return sum(s.reason is not None and s.colour is colour for s in self.steps)

    def seconds(self, colour: Colour) -> float:
        """The seconds that a side thought."""
        return math.fsum(s.seconds for s in self.steps if s.colour is colour)


def take_step(referee: Referee, move: Move, seconds: float) -> RecordedAttempt:
    """Make an attempt of the side to move, which took `seconds` to find."""
    black, white = len(referee.view(BLACK).events), len(referee.view(WHITE).events)
    referee.attempt(referee.to_move, move)
    lines = _lines(referee, BLACK, black), _lines(referee, WHITE, white)
    return RecordedAttempt(*referee.log[-1], round(seconds, 4), *lines)


def _lines(referee: Referee, side: Colour, heard: int) -> tuple[str, ...]:
    """The lines to a player after those they have heard."""
    events = referee.view(side).events
    if len(events) == heard:
        return ()
    return tuple([line(message, side, referee.rules.size) for message in events[heard:]])


def begin(rules: Rules, beginning: Beginning) -> tuple[Referee, list[RecordedAttempt]]:
    """The referee of a game that begins like this, and the attempts until then.

    Raises:
        BadText: by these rules no game does: an attempt is made out of turn, the last one is
            refused, or the game is over.
    """
    referee, steps = Referee(rules, black=beginning.handicap), list[RecordedAttempt]()
    for number, (colour, move) in enumerate(beginning.attempts, 1):
        what = f"attempt {number}, {colour}'s {attempt_text(move, rules.size)},"
        if colour is not referee.to_move:
            raise BadText(f"{what} is out of turn: by these rules {referee.to_move} is to move")
        steps.append(take_step(referee, move, 0))
        if referee.outcome is not None:
            raise BadText(f"{what} ends the game")
    if steps and steps[-1].reason is not None:
        raise BadText(f"{what} is refused by these rules: {steps[-1].reason}")
    return referee, steps


def replay(record: Record) -> Iterator[tuple[RecordedAttempt, Referee]]:
    """Each step and the referee after it.

    Raises:
        BadRecord: an attempt is judged otherwise than the record says, is made out of turn or after
            the end, or a player was told something else.
    """
    referee = record.begin()
    for number, step in enumerate(record.steps, 1):
        if referee.outcome is not None:
            raise BadRecord(f"attempt {number} is made after the end: {referee.outcome.sentence}")
        if step.colour is not referee.to_move:
            raise BadRecord(
                f"attempt {number} is {step.colour}'s, but {referee.to_move} is to move"
            )
        true = take_step(referee, step.move, step.seconds)
        if true.reason is not step.reason:
            judged, recorded = true.reason or "legal", step.reason or "legal"
            raise BadRecord(f"attempt {number} is {judged}, the record has {recorded}")
        for side in Colour:
            lines, recorded_lines = true.lines(side), step.lines(side)
            if lines != recorded_lines:
                raise BadRecord(
                    f"attempt {number}: {side} is told {list(lines)},"
                    f" the record has {list(recorded_lines)}"
                )
        yield step, referee


def verify(record: Record) -> Referee:
    """Replay a record and check every answer, every announcement and the ending.

    Returns the referee at the end of the game.

    Raises:
        BadRecord: something in it is inconsistent.
    """
    referee = record.begin()
    for _, after in replay(record):
        referee = after
    if referee.outcome is None:
        _check_fault(record.outcome, referee.to_move)
        referee.end(record.outcome)
    elif referee.outcome != record.outcome:
        raise BadRecord(
            f"the game ended by {referee.outcome}, the record has {record.outcome}".replace(
                "\n", " "
            )
        )
    return referee


def _check_fault(outcome: Outcome, to_move: Colour) -> None:
    """An ending that the moves do not show is adjudicated, or the fault of the side to move."""
    if outcome.ending is Ending.ADJUDICATION and outcome.winner and outcome.margin is None:
        return
    if outcome.ending not in FAULTS:
        raise BadRecord(f"the last attempt does not end the game, the record has {outcome.ending}")
    winner = None if outcome.ending is Ending.VOID else to_move.other
    if outcome.winner is not winner or outcome.margin is not None:
        raise BadRecord(f"{outcome.ending} while {to_move} is to move is not {outcome.result}")
