"""A record as one line of JSON, read back strictly.

Records may come from anywhere: reading one is bounded, and errors name the field.

Form, version 1 (`seed` may be null; `reason` only of a refused attempt):

    {"format": 1, "rules": {...}, "black": {"name": "flatmc", "seed": 5}, "white": {...},
     "steps": [{"by": "b", "move": "D4", "seconds": 0.012, "black": ["phantom-accept ..."],
                "white": ["phantom-opponent ..."]}, ...],
     "outcome": {"winner": "b", "margin": 2.5, "ending": "score", "sentence": "..."}}

Before `steps` there may be Black's handicap stones, `"handicap": ["C3", "G7"]`, the seconds that
each side had for the game, `"time": 300`, and how often a player took a move back,
`"takebacks": 1`.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from phantomgo.errors import BadRules, BadText
from phantomgo.fields import Fields, Kind, parse_json
from phantomgo.game.messages import Reason
from phantomgo.game.outcome import Ending, Outcome
from phantomgo.game.points import attempt_text, parse_attempt, parse_colour, vertices
from phantomgo.game.record import PlayerInfo, Record, RecordedAttempt
from phantomgo.game.rules import CHOICES, Rules
from phantomgo.rng import MAX_SEED

FORMAT: Final = 1
MAX_CHARACTERS: Final = 1 << 24
"""Of one record; a 19x19 game with every attempt refused has less."""
LONGEST_TEXT: Final = 1000
MAX_NUMBER: Final = 2.0**53
"""No komi, margin or time comes near."""
MAX_SECONDS: Final = 10**7
"""Of a side for a game: four months."""
MAX_TAKEBACKS: Final = 1000
KIND: Final = Kind("record", BadText)
T = TypeVar("T")


def write_record(record: Record) -> str:
    """The record as JSON on one line, without a line end."""
    size = record.rules.size
    outcome = record.outcome
    before: dict[str, object] = {}
    if record.handicap:
        before["handicap"] = vertices(record.handicap, size).split()
    if record.time is not None:
        before["time"] = record.time
    if record.takebacks:
        before["takebacks"] = record.takebacks
    return json.dumps(
        {
            "format": FORMAT,
            "rules": record.rules.as_dict(),
            "black": _side_fields(record.black),
            "white": _side_fields(record.white),
            **before,
            "steps": [
                {
                    "by": step.colour.letter,
                    "move": attempt_text(step.move, size),
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


def read_record(text: str) -> Record:
    """Read one line of JSON. Its content is not checked against the rules: see `verify`.

    Raises:
        BadText: it is too long, not JSON, or a field is missing, unknown or not as it has to be.
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
    handicap = top.stones("handicap", rules.size) if top.has("handicap") else 0
    seconds = top.whole("time", 1, MAX_SECONDS) if top.has("time") else None
    takebacks = top.whole("takebacks", 1, MAX_TAKEBACKS) if top.has("takebacks") else 0
    top.finish()
    return Record(rules, black, white, steps, outcome, handicap, seconds, takebacks)


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


def _side_fields(side: PlayerInfo) -> dict[str, object]:
    return {
        "name": side.name,
        "seed": side.seed,
        **({"data": dict(side.data)} if side.data else {}),
    }


def _side(fields: Fields) -> PlayerInfo:
    name = fields.any_text("name", LONGEST_TEXT)
    seed = None if fields.is_null("seed") else fields.whole("seed", 0, MAX_SEED)
    data = tuple(fields.texts("data").items()) if fields.has("data") else ()
    fields.finish()
    return PlayerInfo(name, seed, data)


def _step(fields: Fields, size: int) -> RecordedAttempt:
    colour = _parsed(fields, "by", parse_colour)
    move = _parsed(fields, "move", partial(parse_attempt, size=size))
    reason = Reason(fields.choice("reason", list(Reason))) if fields.has("reason") else None
    seconds = fields.number("seconds", 0, MAX_NUMBER)
    black, white = (tuple(fields.any_texts(side, 2 * LONGEST_TEXT)) for side in ("black", "white"))
    fields.finish()
    return RecordedAttempt(colour, move, reason, seconds, black, white)


def _parsed(fields: Fields, key: str, parse: Callable[[str], T]) -> T:
    """A field whose text something else reads."""
    text = fields.any_text(key, LONGEST_TEXT)
    try:
        return parse(text)
    except BadText as error:
        raise fields.wrong(key, str(error)) from None


def _outcome(fields: Fields) -> Outcome:
    winner = None
    if not fields.is_null("winner"):
        winner = parse_colour(fields.choice("winner", ("b", "w")))
    margin = None
    if not fields.is_null("margin"):
        margin = fields.number("margin", -MAX_NUMBER, MAX_NUMBER)
    ending = Ending(fields.choice("ending", list(Ending)))
    sentence = fields.any_text("sentence", LONGEST_TEXT)
    fields.finish()
    return Outcome(winner, margin, ending, sentence)
