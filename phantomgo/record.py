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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple, TypeVar

from phantomgo.errors import BadRecord, BadRules, BadText
from phantomgo.fields import Fields, Kind, parse_json
from phantomgo.game import GameRecord, Step
from phantomgo.outcome import FAULTS, Ending, Outcome
from phantomgo.points import (
    RESIGN,
    Colour,
    Move,
    PointSet,
    grid,
    parse_colour,
    parse_move,
    parse_points,
    vertex,
    vertices,
)
from phantomgo.referee import Referee
from phantomgo.rng import MAX_SEED
from phantomgo.rules import CHOICES, Reason, Rules
from phantomgo.wording import line

FORMAT: Final = 1
MAX_CHARACTERS: Final = 1 << 24
"""Of one record; a 19x19 game with every attempt refused has less."""
MAX_TEXT: Final = 1000
MAX_NUMBER: Final = 2.0**53
"""No komi, margin or time comes near."""
OFF_BOARD: Final = "off-board"
MAX_SECONDS: Final = 10**7
"""Of a side for a game: four months."""
KIND: Final = Kind("record", BadText)
T = TypeVar("T")


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
            game.rules,
            Side(game.black, black),
            Side(game.white, white),
            steps,
            game.outcome,
            game.handicap,
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
    try:
        return _read(text)
    except BadText as error:
        raise BadText(f"record: {error}") from None


def _read(text: str) -> Record:
    if len(text) > MAX_CHARACTERS:
        raise BadText(f"has {len(text)} characters; at most {MAX_CHARACTERS} are read")
    top = Fields(parse_json(text, KIND), KIND)
    top.whole("format", FORMAT, FORMAT)
    rules = _rules(top.object("rules"))
    black, white = (_side(top.object(name)) for name in ("black", "white"))
    steps = tuple(_step(step, rules.size) for step in top.objects("steps"))
    outcome = _outcome(top.object("outcome"))
    handicap, seconds = _handicap(top, rules.size), _time(top)
    top.finish()
    return Record(rules, black, white, steps, outcome, handicap, seconds)


def _rules(fields: Fields) -> Rules:
    rules = Rules()
    for key, default in rules.as_dict().items():
        value: object
        if key == "komi":
            value = fields.number(key, -MAX_NUMBER, MAX_NUMBER)
        elif key in CHOICES:
            value = fields.choice(key, CHOICES[key])
        elif default is None and fields.is_null(key):
            value = None
        else:
            value = fields.whole(key, 1, MAX_SEED)
        try:
            rules = replace(rules, **{key: value})  # type: ignore[arg-type]
        except BadRules as error:
            raise fields.wrong(key, str(error)) from None
    fields.finish()
    return rules


def _side(fields: Fields) -> Side:
    name = fields.string("name", MAX_TEXT)
    seed = None if fields.is_null("seed") else fields.whole("seed", 0, MAX_SEED)
    fields.finish()
    return Side(name, seed)


def _handicap(fields: Fields, size: int) -> PointSet:
    if not fields.has("handicap"):
        return 0
    try:
        stones = parse_points(fields.strings("handicap", MAX_TEXT), size)
    except BadText as error:
        raise fields.wrong("handicap", str(error)) from None
    if not 0 < stones < grid(size).full:
        raise fields.wrong("handicap", "leaves the board empty or full")
    return stones


def _time(fields: Fields) -> int | None:
    return fields.whole("time", 1, MAX_SECONDS) if fields.has("time") else None


def _step(fields: Fields, size: int) -> Told:
    colour = _parsed(fields, "by", parse_colour)
    move = _parsed(fields, "move", partial(_move, size=size))
    reason = Reason(fields.choice("reason", list(Reason))) if fields.has("reason") else None
    seconds = fields.number("seconds", 0, MAX_NUMBER)
    black, white = (tuple(fields.strings(side, 2 * MAX_TEXT)) for side in ("black", "white"))
    fields.finish()
    return Told(colour, move, reason, seconds, black, white)


def _parsed(fields: Fields, key: str, parse: Callable[[str], T]) -> T:
    """A field whose text something else reads."""
    text = fields.string(key, MAX_TEXT)
    try:
        return parse(text)
    except BadText as error:
        raise fields.wrong(key, str(error)) from None


def _move(text: str, size: int) -> Move:
    if text == "resign":
        return RESIGN
    return grid(size).points if text == OFF_BOARD else parse_move(text, size)


def _outcome(fields: Fields) -> Outcome:
    winner = None
    if not fields.is_null("winner"):
        winner = parse_colour(fields.choice("winner", ("b", "w")))
    margin = None
    if not fields.is_null("margin"):
        margin = fields.number("margin", -MAX_NUMBER, MAX_NUMBER)
    ending = Ending(fields.choice("ending", list(Ending)))
    sentence = fields.string("sentence", MAX_TEXT)
    fields.finish()
    return Outcome(winner, margin, ending, sentence)
