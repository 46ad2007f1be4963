"""The terms of a table: the game, who plays, who may watch; read from a form, and stored."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Self, TypeVar

from gtp.clock import Limit
from gtp.handicap import most
from phantomgo.app.table.game import ADJOURNED
from phantomgo.app.table.players import HUMAN
from phantomgo.checks import unknown
from phantomgo.errors import BadText
from phantomgo.game.points import BLACK, MAX_SIZE, MIN_SIZE, Colour
from phantomgo.game.record import PlayerInfo, Record
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.lab.admission import handicap_stones, usual_komi
from phantomgo.phrase import Phrase, enumerated
from phantomgo.rng import MAX_SEED, fresh_seed
from phantomgo.values import checked_int, checked_number, typed_number

OPPONENTS: Final = {
    "person": Phrase("a person on another device"),
    "here": Phrase("a person at this device"),
    "referee": Phrase("nobody: I am the referee of two others"),
    "bots": Phrase("nobody: two hard bots play, and I watch"),
}
"""Opponents other than bots, and their labels."""
WATCHING: Final = {
    "nothing": Phrase("nothing before the end"),
    "black": Phrase("Black's view, by Black's link"),
    "white": Phrase("White's view, by White's link"),
    "all": Phrase("everything, by the referee's link"),
}
"""Policies for spectators during the game, and their labels; afterwards they see everything."""
RULES: Final = {"olympiad": Phrase("usual rules")}
"""The names of profiles at a table; others are called as in documents."""
COLOURS: Final = {"black": Phrase("Black"), "white": Phrase("White"), "either": Phrase("either")}

BOTS: Final = {
    str(name): name
    for name in (
        Phrase("novice bot"),
        Phrase("easy bot"),
        Phrase("medium bot"),
        Phrase("skilled bot"),
        Phrase("hard bot"),
        Phrase("expert bot"),
    )
}
"""The names of the levels' bots at a table."""

SWAPPED: Final = {"black": "white", "white": "black"}
"""The roles of players when colours change; other roles stay what they are."""

MAX_MINUTES: Final = 24 * 60
MAX_SECONDS: Final = 3600
"""Upper bound of the increment and of a byo-yomi period."""
MAX_KOMI: Final = 400.0
NAME: Final = 30
"""The longest name of a player, in characters."""

Form = Mapping[str, str]
"""The fields of a submitted form."""
N = TypeVar("N", int, float)


class BadField(BadText):
    """A field of the form cannot be used; the message says why.

    Attributes:
        field: its name.
    """

    def __init__(self, field: str, words: str) -> None:
        super().__init__(words)
        self.field = field


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The terms of a table.

    Attributes:
        profile: the rules' profile.
        handicap: Black's stones before the first move, 0 or at least 2.
        minutes: of each side for the game.
        increment: seconds added after each move.
        period: seconds for each move once the minutes are used up. Without any there is no clock.
        black: who plays Black: `human`, or a bot's spec.
        seed: the seed the bots play.
        watching: what spectators see, a key of `WATCHING`.
        here: two people play at one device, with a curtain between turns.
        refereed: a referee sees the full board and may enter the players' attempts.
        helped: players may ask for the belief map and hints.
        black_name: Black's name; empty if none was given.
    """

    size: int
    komi: float = 7.5
    profile: str = "olympiad"
    handicap: int = 0
    minutes: int = 0
    increment: int = 0
    period: int = 0
    black: str = HUMAN
    white: str = HUMAN
    seed: int = 0
    watching: str = "nothing"
    here: bool = False
    refereed: bool = False
    helped: bool = False
    black_name: str = ""
    white_name: str = ""

    def __post_init__(self) -> None:
        checked_int("size", self.size, MIN_SIZE, MAX_SIZE)
        checked_number("komi", self.komi, -MAX_KOMI, MAX_KOMI)
        for key, value, allowed in (
            ("rules", self.profile, PROFILES),
            ("watching", self.watching, WATCHING),
        ):
            _choice({key: value}, key, allowed)
        handicap_stones(self.handicap, self.size)
        checked_int("minutes", self.minutes, 0, MAX_MINUTES)
        checked_int("increment", self.increment, 0, MAX_SECONDS)
        if self.increment and not self.minutes:
            raise BadText(f"increment {self.increment} needs minutes to be added to")
        checked_int("period", self.period, 0, MAX_SECONDS)
        checked_int("seed", self.seed, 0, MAX_SEED)

    @property
    def record(self) -> Record:
        """The game before its first attempt."""
        rules = Rules.profile(self.profile, size=self.size, komi=self.komi)
        black, white = (
            PlayerInfo(spec, None if spec == HUMAN else self.seed)
            for spec in (self.black, self.white)
        )
        stones = handicap_stones(self.handicap, self.size)
        simple = self.limit is not None and self.limit == Limit(self.limit.main)
        time = 60 * self.minutes if simple else None  # as records of matches have it
        return Record(rules, black, white, (), ADJOURNED, stones, time)

    @property
    def limit(self) -> Limit | None:
        """The time of each side; None without a clock."""
        limit = Limit(60 * self.minutes, self.period, increment=self.increment)
        return limit if limit.main or limit.period else None

    @property
    def clock(self) -> str:
        """The time of each side in words; empty without a clock."""
        one, many = Phrase("1 minute each"), Phrase("{count} minutes each", count=self.minutes)
        words = [one if self.minutes == 1 else many] if self.minutes else []
        words += [Phrase("{count} s increment", count=self.increment)] if self.increment else []
        words += [Phrase("{count} s byo-yomi", count=self.period)] if self.period else []
        return enumerated(words)

    def spec(self, colour: Colour) -> str:
        return self.black if colour is BLACK else self.white

    def rematch(self, names: Mapping[Colour, str]) -> Self:
        """The terms of the next game: colours changed, another seed, players by these names."""
        return replace(
            self,
            black=self.white,
            white=self.black,
            black_name=names[BLACK.other],
            white_name=names[BLACK],
            seed=fresh_seed(),
        )


def from_form(form: Form, levels: Mapping[str, str]) -> tuple[TableTerms, str]:
    """The terms as the front page asks for them, and the role of whoever asks.

    Args:
        form: the fields; those that are missing have their usual values.
        levels: the specs of the bots to choose from, by name.
    """
    opponent = form.get("opponent", "person")
    if opponent not in (allowed := (*OPPONENTS, *levels)):
        raise BadField("opponent", unknown("opponent", opponent, allowed))
    colour = _choice(form, "colour", COLOURS)
    if colour == "either":
        colour = secrets.choice(("black", "white"))
    role = {"here": "both", "referee": "referee", "bots": "watch"}.get(opponent, colour)
    name = player_name(form) if role == colour else ""
    size, profile = _number(form, "size", 9, MIN_SIZE, MAX_SIZE), _choice(form, "rules", PROFILES)
    handicap = _number(form, "handicap", 0, 2, most(size))
    komi = usual_komi(profile, max(size, 5), handicap=handicap > 0)
    minutes = _number(form, "minutes", 0, 0, MAX_MINUTES)
    increment = _number(form, "increment", 0, 0, MAX_SECONDS)
    if increment and not minutes:
        raise BadField("increment", Phrase("an increment needs minutes to be added to"))
    terms = TableTerms(
        size=size,
        komi=_number(form, "komi", komi, -MAX_KOMI, MAX_KOMI),
        handicap=handicap,
        minutes=minutes,
        increment=increment,
        period=_number(form, "period", 0, 0, MAX_SECONDS),
        watching="all" if opponent == "bots" else _choice(form, "watching", WATCHING),
        profile=profile,
        seed=fresh_seed(),
        here=opponent == "here",
        refereed=opponent == "referee",
        helped="helped" in form or opponent in levels,
        **_seats(opponent, colour, name, levels),
    )
    return terms, role


def _seats(opponent: str, colour: str, name: str, levels: Mapping[str, str]) -> dict[str, Any]:
    """The players' fields of the terms, if somebody of this name asks for this opponent."""
    bots: dict[str, str] = {}
    if opponent in levels:
        bots = {SWAPPED[colour]: opponent}
    elif opponent == "bots":
        bots = dict.fromkeys(SWAPPED, "hard" if "hard" in levels else next(iter(levels)))
    seats = {f"{colour}_name": name}
    for side, level in bots.items():
        seats |= {side: levels[level], f"{side}_name": bot_name(level)}
    return seats


def bot_name(name: str) -> str:
    """The name of a bot at the table."""
    return shown_name(f"{name} bot")


def shown_name(name: str) -> str:
    """A name as it is shown: those of the levels in the reader's language."""
    return BOTS.get(name, name)


def player_name(form: Form) -> str:
    """The name in a form, as it may be shown."""
    text = " ".join(form.get("name", "").split())
    if len(text) > NAME or not text.isprintable():
        words = Phrase("a name is up to {count} characters that can be shown", count=NAME)
        raise BadField("name", words)
    return text


def _choice(form: Form, key: str, allowed: Mapping[str, object]) -> str:
    text = form.get(key) or next(iter(allowed))
    if text not in allowed:
        raise BadField(key, f"{key} {text[:20]!r} is not one of {', '.join(allowed)}")
    return text


def _number(form: Form, key: str, usual: N, low: float, high: float) -> N:
    """The number of a field, from low to high; the usual one if it is empty, or given."""
    text = (form.get(key) or str(usual))[:20].replace(",", ".")
    try:
        found = typed_number(text)
    except ValueError:
        raise BadField(key, Phrase("{text} is not a number", text=text)) from None
    if found == usual or (
        low <= found <= high and (found.is_integer() or isinstance(usual, float))
    ):
        return type(usual)(found)
    bounds = {"low": f"{low:g}", "high": f"{high:g}"}
    raise BadField(key, Phrase("{text} is not possible: from {low} to {high}", text=text, **bounds))
