"""A finished game as one line of JSON, read back strictly, replayed and checked.

A record holds every attempt, the referee's answer and what the other player was told, as the lines
of the phantom protocol (phantomgo/wording.py): a player's lines, in order, are his whole knowledge.
All of it follows from the rules and the attempts, which is what `verify` checks. Records come from
anywhere: reading one is bounded, and whatever is wrong names the field.

Form, version 1 (`seed` may be null; `reason` only of a refused attempt):

    {"format": 1, "rules": {...}, "black": {"name": "flatmc", "seed": 5}, "white": {...},
     "steps": [{"by": "b", "move": "D4", "seconds": 0.012, "black": ["phantom-accept ..."],
                "white": ["phantom-opponent ..."]}, ...],
     "outcome": {"winner": "b", "margin": 2.5, "ending": "score", "sentence": "..."}}

Before `steps` there may be Black's handicap stones, `"handicap": ["C3", "G7"]`, and the seconds
each side had for the game, `"time": 300`.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from phantomgo.errors import BadRecord, BadRules, BadText
from phantomgo.game import GameRecord, Step
from phantomgo.outcome import FAULTS, Ending, Outcome
from phantomgo.points import (
    PASS,
    RESIGN,
    Colour,
    Move,
    PointSet,
    grid,
    parse_colour,
    parse_move,
    vertex,
    vertices,
)
from phantomgo.referee import Referee
from phantomgo.rng import MAX_SEED
from phantomgo.rules import Reason, Rules
from phantomgo.wording import line

FORMAT: Final = 1
MAX_CHARACTERS: Final = 1 << 24
"""Of one record; a 19x19 game with every attempt refused has less."""
MAX_TEXT: Final = 1000
OFF_BOARD: Final = "off-board"
MAX_SECONDS: Final = 10**7
"""Of a side for a game: four months."""


class Told(NamedTuple):
    """One attempt and the lines each player was told of it; `reason` is the true one."""

    colour: Colour
    move: Move
    reason: Reason | None
    seconds: float
    black: tuple[str, ...]
    white: tuple[str, ...]

    @classmethod
    def of(cls, step: Step, size: int) -> "Told":
        """A step of a game on a board of this size."""
        return cls(
            *step.attempt,
            round(step.seconds, 4),
            tuple(line(message, Colour.BLACK, size) for message in step.black),
            tuple(line(message, Colour.WHITE, size) for message in step.white),
        )

    def lines(self, colour: Colour) -> tuple[str, ...]:
        return self.black if colour is Colour.BLACK else self.white


class Side(NamedTuple):
    """Who played a colour; `seed` is None for a player that has none."""

    name: str
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is kept.

    Attributes:
        handicap: Black's stones on the board before the first move.
        time: seconds of each side for the game; None without a clock.
    """

    rules: Rules
    black: Side
    white: Side
    steps: tuple[Told, ...]
    outcome: Outcome
    handicap: PointSet = 0
    time: int | None = None

    @classmethod
    def of(cls, game: GameRecord, black: int | None = None, white: int | None = None) -> "Record":
        """The record of a game, with the seeds that were played."""
        steps = tuple(Told.of(step, game.rules.size) for step in game.steps)
        return cls(
            game.rules, Side(game.black, black), Side(game.white, white), steps, game.outcome
        )

    def begin(self) -> Referee:
        """The referee before the first attempt."""
        return Referee(self.rules, black=self.handicap)

    def side(self, colour: Colour) -> Side:
        return self.black if colour is Colour.BLACK else self.white

    @property
    def moves(self) -> list[tuple[Colour, Move]]:
        """The moves that stood, as the attempts have them."""
        return [(s.colour, s.move) for s in self.steps if s.reason is None and s.move != RESIGN]

    def refused(self, colour: Colour) -> int:
        """How many attempts of a side were refused."""
        return sum(s.reason is not None and s.colour is colour for s in self.steps)

    def seconds(self, colour: Colour) -> float:
        """How long a side thought."""
        return math.fsum(s.seconds for s in self.steps if s.colour is colour)


def write(record: Record) -> str:
    """The record as JSON on one line, without a line end."""
    size = record.rules.size
    outcome = record.outcome
    before: dict[str, object] = {}
    if record.handicap:
        before["handicap"] = vertices(record.handicap, size).split()
    if record.time is not None:
        before["time"] = record.time
    return json.dumps(
        {
            "format": FORMAT,
            "rules": record.rules.as_dict(),
            "black": record.black._asdict(),
            "white": record.white._asdict(),
            **before,
            "steps": [
                {
                    "by": step.colour.letter,
                    "move": _move_text(step.move, size),
                    **({} if step.reason is None else {"reason": step.reason.value}),
                    "seconds": step.seconds,
                    "black": step.black,
                    "white": step.white,
                }
                for step in record.steps
            ],
            "outcome": {
                "winner": None if outcome.winner is None else outcome.winner.letter,
                "margin": outcome.margin,
                "ending": outcome.ending.value,
                "sentence": outcome.sentence,
            },
        },
        separators=(",", ":"),
    )


def _move_text(move: Move, size: int) -> str:
    return OFF_BOARD if move >= size * size else vertex(move, size)


def replay(record: Record) -> Iterator[tuple[Told, Referee]]:
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
        before = {side: len(referee.view(side).events) for side in Colour}
        referee.attempt(step.colour, step.move)
        judged = referee.log[-1].reason
        if judged is not step.reason:
            raise BadRecord(
                f"attempt {number} is {judged or 'legal'}, the record has {step.reason or 'legal'}"
            )
        for side, heard in before.items():
            events = referee.view(side).events[heard:]
            lines = tuple(line(message, side, record.rules.size) for message in events)
            if lines != step.lines(side):
                raise BadRecord(
                    f"attempt {number}: {side} is told {list(lines)},"
                    f" the record has {list(step.lines(side))}"
                )
        yield step, referee


def verify(record: Record) -> Referee:
    """Replay a record and check every answer, every announcement and the ending.

    Returns the referee at the end of the game.

    Raises:
        BadRecord: something in it is not so.
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
    """An ending that the moves do not show is the fault of the side to move."""
    if outcome.ending not in FAULTS:
        raise BadRecord(f"the game goes on after the last attempt, the record has {outcome.ending}")
    winner = None if outcome.ending is Ending.VOID else to_move.other
    if outcome.winner is not winner or outcome.margin is not None:
        raise BadRecord(f"{outcome.ending} while {to_move} is to move is no {outcome.result}")


def read(text: str) -> Record:
    """Read one line of JSON. What it says need not be true yet: see `verify`.

    Raises:
        BadText: it is too long, no JSON, or a field is missing, unknown or not as it has to be.
    """
    if len(text) > MAX_CHARACTERS:
        raise BadText(f"record of {len(text)} characters; at most {MAX_CHARACTERS} are read")
    try:
        whole = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BadText(f"record is no JSON: {str(error)[:80]}") from None
    top = _Fields(whole, "")
    if top.take("format", int) != FORMAT:
        raise BadText(f"record: format is not {FORMAT}")
    rules = _rules(top.object("rules"))
    black, white = (_side(top.object(name)) for name in ("black", "white"))
    steps = tuple(
        _step(_Fields(step, f"steps[{number}]."), rules.size)
        for number, step in enumerate(top.take("steps", list))
    )
    outcome = _outcome(top.object("outcome"))
    handicap, seconds = _handicap(top, rules.size), _time(top)
    top.finish()
    return Record(rules, black, white, steps, outcome, handicap, seconds)


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number")


class _Fields:
    """A JSON object that is being read; what is wrong with it names the path to the field."""

    def __init__(self, value: Any, path: str) -> None:
        self.path = path
        if not isinstance(value, dict):
            raise BadText(f"record: {path.rstrip('.') or 'the line'} is no object")
        self.left = dict(value)

    def wrong(self, key: str, why: str) -> BadText:
        return BadText(f"record: {self.path}{key[:40]} {why}")

    def take(self, key: str, *kinds: type) -> Any:
        """Take a field out; it has to be exactly of one of these types."""
        if key not in self.left:
            raise self.wrong(key, "is missing")
        value = self.left.pop(key)
        if type(value) not in kinds:
            names = " or ".join("null" if k is type(None) else k.__name__ for k in kinds)
            raise self.wrong(key, f"is not of type {names}")
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise self.wrong(key, f"has {len(value)} characters, more than {MAX_TEXT}")
        return value

    def number(self, key: str) -> float:
        value = self.take(key, int, float)
        if isinstance(value, int) and abs(value) > 1 << 53:
            raise self.wrong(key, "is too large")
        if not math.isfinite(value):
            raise self.wrong(key, "is not finite")
        return float(value)

    def object(self, key: str) -> "_Fields":
        return _Fields(self.take(key, dict), f"{self.path}{key}.")

    def finish(self) -> None:
        for key in self.left:
            raise self.wrong(key, "is not a field of a record")


def _rules(fields: _Fields) -> Rules:
    rules = Rules()
    for key, default in rules.as_dict().items():
        value: object
        if key == "komi":
            value = fields.number(key)
        elif default is None:
            value = fields.take(key, int, type(None))
        else:
            value = fields.take(key, type(default))
        try:
            rules = replace(rules, **{key: value})  # type: ignore[arg-type]
        except BadRules as error:
            raise fields.wrong(key, f"is not allowed: {error}") from None
    fields.finish()
    return rules


def _side(fields: _Fields) -> Side:
    name, seed = fields.take("name", str), fields.take("seed", int, type(None))
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise fields.wrong("seed", f"is not from 0 to {MAX_SEED}")
    fields.finish()
    return Side(name, seed)


def _handicap(fields: _Fields, size: int) -> PointSet:
    if "handicap" not in fields.left:
        return 0
    stones = 0
    for text in fields.take("handicap", list):
        try:
            point = parse_move(text, size) if isinstance(text, str) else PASS
        except BadText as error:
            raise fields.wrong("handicap", f"has {str(error)[:80]}") from None
        if point == PASS or stones >> point & 1:
            raise fields.wrong("handicap", "is not a list of different points")
        stones |= 1 << point
    if not 0 < stones < grid(size).full:
        raise fields.wrong("handicap", "leaves the board empty or full")
    return stones


def _time(fields: _Fields) -> int | None:
    if "time" not in fields.left:
        return None
    seconds = fields.take("time", int)
    if not 0 < seconds <= MAX_SECONDS:
        raise fields.wrong("time", f"is not from 1 to {MAX_SECONDS}")
    return int(seconds)


def _step(fields: _Fields, size: int) -> Told:
    reason = None
    try:
        colour = parse_colour(fields.take("by", str))
        move = _move(fields.take("move", str), size)
        if "reason" in fields.left:
            reason = Reason(fields.take("reason", str))
    except ValueError as error:  # BadText is one, with its own words
        raise BadText(f"record: {fields.path.rstrip('.')}: {str(error)[:80]}") from None
    seconds = fields.number("seconds")
    if seconds < 0:
        raise fields.wrong("seconds", "is negative")
    black, white = (_lines(fields, side) for side in ("black", "white"))
    fields.finish()
    return Told(colour, move, reason, seconds, black, white)


def _move(text: str, size: int) -> Move:
    if text == "resign":
        return RESIGN
    return grid(size).points if text == OFF_BOARD else parse_move(text, size)


def _lines(fields: _Fields, side: str) -> tuple[str, ...]:
    lines = fields.take(side, list)
    if not all(isinstance(text, str) and len(text) <= 2 * MAX_TEXT for text in lines):
        raise fields.wrong(side, "is not a list of lines")
    return tuple(lines)


def _outcome(fields: _Fields) -> Outcome:
    letter = fields.take("winner", str, type(None))
    if letter not in ("b", "w", None):
        raise fields.wrong("winner", "is not b, w or null")
    margin = None
    if fields.left.get("margin", 0) is None:
        del fields.left["margin"]
    else:
        margin = fields.number("margin")
    ending = fields.take("ending", str)
    if ending not in list(Ending):
        raise fields.wrong("ending", f"is not one of {', '.join(Ending)}")
    sentence = fields.take("sentence", str)
    fields.finish()
    winner = None if letter is None else parse_colour(letter)
    return Outcome(winner, margin, Ending(ending), sentence)
