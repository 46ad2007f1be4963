"""What a table is laid for: the game, who plays, who may watch. As a form sends it, and as JSON."""

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, Self

from phantomgo.app.table.game import ADJOURNED
from phantomgo.app.table.players import HUMAN
from phantomgo.checks import number, whole
from phantomgo.errors import BadText
from phantomgo.lab.seat import handicap_stones
from phantomgo.points import BLACK, MAX_SIZE, MIN_SIZE, Colour
from phantomgo.record import Record, Side
from phantomgo.rng import MAX_SEED
from phantomgo.rules import PROFILES, Rules

LEVELS: Final = {
    "novice": "random",
    "easy": "flatmc:playouts=100",
    "medium": "flatmc:playouts=1000",
    "hard": "phantom:playouts=500",
    "strongest": "phantom",
}
"""The bots one may ask for, by what the page calls them."""

DESCRIBED: Final = {
    "novice": "plays anywhere at random: for a first game",
    "easy": "plays out 100 random games an attempt, so it overlooks much",
    "medium": "plays out 1000 random games an attempt",
    "hard": "has learned where hidden stones stand, and plays out 500 games an attempt",
    "strongest": "the same with more games, and what it learned beforehand about the usual boards",
}
"""What the levels are, in a line each."""

ENGINE: Final = "engine:"
"""How the spec of an engine begins here; its name follows (engines.py)."""

MAX_MINUTES: Final = 24 * 60
MAX_DELAY: Final = 50
MAX_KOMI: Final = 400.0
NAME: Final = 30
"""Characters of a player's name."""


class Opponent(StrEnum):
    """Who else sits down, beside bots: their names are those of `LEVELS`."""

    PERSON = "person"
    HERE = "here"
    REFEREE = "referee"


class Watching(StrEnum):
    """What spectators see while the game goes on; afterwards they see everything."""

    NOTHING = "nothing"
    BLACK = "black"
    WHITE = "white"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table is laid for.

    Attributes:
        size: points per side.
        komi: points White is given.
        profile: the rules' profile.
        handicap: Black's stones before the first move, 0 or at least 2.
        minutes: of each side for the game; 0 without a clock.
        black: who plays Black: `human`, a bot's spec, or `engine:NAME`.
        white: who plays White.
        seed: the seed the bots play.
        watching: what spectators see.
        delay: how many moves later they see it, whatever they see.
        here: two people play at one device, with a curtain between turns.
        refereed: a referee sees the truth and may enter the players' attempts.
        helped: players may ask for the belief map and hints.
        listed: the finished game is among the earlier ones that everybody may open.
        black_name: what the player of Black is called; empty if they gave no name.
        white_name: of White.
    """

    size: int = 9
    komi: float = 7.5
    profile: str = "olympiad"
    handicap: int = 0
    minutes: int = 0
    black: str = HUMAN
    white: str = HUMAN
    seed: int = 0
    watching: Watching = Watching.NOTHING
    delay: int = 0
    here: bool = False
    refereed: bool = False
    helped: bool = False
    listed: bool = True
    black_name: str = ""
    white_name: str = ""

    def __post_init__(self) -> None:
        whole("size", self.size, MIN_SIZE, MAX_SIZE)
        number("komi", self.komi, -MAX_KOMI, MAX_KOMI)
        if self.profile not in PROFILES:
            raise BadText(f"no rules {self.profile[:20]!r}; there are {', '.join(PROFILES)}")
        handicap_stones(self.handicap, self.size)
        for name, value, highest in (
            ("minutes", self.minutes, MAX_MINUTES),
            ("delay", self.delay, MAX_DELAY),
            ("seed", self.seed, MAX_SEED),
        ):
            whole(name, value, 0, highest)

    @property
    def record(self) -> Record:
        """The game before its first attempt."""
        rules = Rules.profile(self.profile, size=self.size, komi=self.komi)
        black, white = (
            Side(spec, None if spec == HUMAN else self.seed) for spec in (self.black, self.white)
        )
        stones = handicap_stones(self.handicap, self.size)
        seconds = 60 * self.minutes or None
        return Record(rules, black, white, (), ADJOURNED, stones, seconds)

    def spec(self, colour: Colour) -> str:
        return self.black if colour is BLACK else self.white

    def name(self, colour: Colour) -> str:
        """What a player is called."""
        return (self.black_name if colour is BLACK else self.white_name) or str(colour)

    def swapped(self) -> Self:
        """The same with the colours changed, for a rematch."""
        values = asdict(self)
        values |= {"black": self.white, "white": self.black, "seed": secrets.randbelow(MAX_SEED)}
        values |= {"black_name": self.white_name, "white_name": self.black_name}
        return type(self)(**values)

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Terms as `as_json` wrote them."""
        return cls(**{**values, "watching": Watching(values["watching"])})


# A form


Form = Mapping[str, str]


def from_form(form: Form, levels: Mapping[str, str] = LEVELS) -> tuple[Terms, str]:
    """Terms as the front page asks for them, and the role of who asks.

    Args:
        form: the fields; what is not there is as usual.
        levels: the bots and engines one may ask for: their specs by name.

    Raises:
        BadText: a field has no such value.
    """
    size = _whole(form, "size", 9)
    opponent = form.get("opponent", Opponent.PERSON.value)
    colour = _choice(form, "colour", ("black", "white", "either"))
    if colour == "either":
        colour = secrets.choice(("black", "white"))
    if opponent not in (*Opponent, *levels):
        raise BadText(f"no opponent {opponent[:20]!r}; there are {', '.join((*Opponent, *levels))}")
    seats = {"black": HUMAN, "white": HUMAN}
    names = {"black_name": "", "white_name": ""}
    if opponent in levels:
        other = "white" if colour == "black" else "black"
        seats[other] = levels[opponent]
        names[f"{other}_name"] = called(opponent, levels[opponent])
    role = {Opponent.HERE.value: "both", Opponent.REFEREE.value: "referee"}.get(opponent, colour)
    if role == colour:
        names[f"{colour}_name"] = name(form)
    terms = Terms(
        size=size,
        komi=_decimal(form, "komi", usual_komi(size)),
        profile=_choice(form, "rules", tuple(PROFILES)),
        handicap=_whole(form, "handicap", 0),
        minutes=_whole(form, "minutes", 0),
        seed=secrets.randbelow(MAX_SEED + 1),
        watching=Watching(_choice(form, "watching", tuple(Watching))),
        delay=_whole(form, "delay", 0),
        here=opponent == Opponent.HERE,
        refereed=opponent == Opponent.REFEREE,
        helped="helped" in form or opponent in levels,
        listed="unlisted" not in form,
        **seats,
        **names,
    )
    return terms, role


def called(name: str, spec: str) -> str:
    """What an opponent one may ask for is called at the table."""
    return name if spec.startswith(ENGINE) else f"{name} bot"


def usual_komi(size: int) -> float:
    """Komi where none is asked for: boards of the tables of this project have these."""
    return 2.5 if size <= 5 else 7.5


def name(form: Form) -> str:
    """A name as it may be shown.

    Raises:
        BadText: it is too long, or has characters that cannot be shown.
    """
    text = " ".join(form.get("name", "").split())
    if len(text) > NAME or not text.isprintable():
        raise BadText(f"a name is up to {NAME} characters that can be shown")
    return text


def _choice(form: Form, key: str, allowed: tuple[str, ...]) -> str:
    text = form.get(key) or allowed[0]
    if text not in allowed:
        raise BadText(f"{key} {text[:20]!r} is not one of {', '.join(allowed)}")
    return str(text)


def _whole(form: Form, key: str, otherwise: int) -> int:
    text = form.get(key) or str(otherwise)
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise BadText(f"{key} {text[:20]!r} is not a whole number")
    return int(text)


def _decimal(form: Form, key: str, otherwise: float) -> float:
    text = form.get(key) or str(otherwise)
    try:
        value = float(text) if len(text) <= 10 else None
    except ValueError:
        value = None
    if value is None:
        raise BadText(f"{key} {text[:20]!r} is not a number")
    return value
