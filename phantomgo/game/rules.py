"""Rules as data: board, komi, ko, limits, and who is told what.

A profile is a preset of `Rules`, nothing more: every difference between them is a field, and one
referee serves them all. The profiles follow what is published about each event or program; where
a source is silent the default stays.
"""

import math
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, Self, get_args

from phantomgo.checks import unknown
from phantomgo.errors import BadRules
from phantomgo.game.points import BLACK, MAX_SIZE, MIN_SIZE, Colour
from phantomgo.values import Unfit, Whole, checked_int, checked_number

Ko = Literal["simple", "positional", "situational", "draw"]
Captures = Literal["positions", "count", "none"]
ReasonTold = Literal["none", "occupied", "kind"]
Tries = Literal["private", "count", "public"]
Atari = Literal["none", "kind"]
OnMaxTries = Literal["pass", "lose", "count"]


MAX_KOMI: Final = 1000
"""A komi above any possible area."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The parameters of the referee. Suicide is always illegal and scoring is by area.

    A player whose stones are captured always learns which: they see their own stones.

    Attributes:
        size: points per side, 2 to 19.
        komi: points White is given.
        ko: `simple` forbids retaking a ko at once; `positional` forbids repeating any earlier
            position, `situational` repeating one with the same player to move; `draw` ends the
            game without a winner when a move repeats an earlier position.
        captures_to_capturer: what a capturing player is told: `positions`, the `count`, or `none`.
        reason: what a refused player is told: nothing (`none`), whether an enemy stone is there
            (`occupied`), or occupied, own, suicide or ko (`kind`).
        tries: what the other player is told of refused attempts: nothing (`private`), how many
            there were once the turn ends (`count`), or each as it happens (`public`).
        atari: `kind` tells both players which colour has a chain newly in atari, not which chain.
        max_tries: refused attempts in one turn before `on_max_tries`; None means points + 1.
        on_max_tries: the turn becomes a `pass`, or the player is to `lose`; `count` sets no limit
            for a turn, but counts each refused attempt as a move: towards `max_moves`, and between
            two passes.
        max_moves: accepted moves before the game ends and is scored; None means 4 x points.
    """

    size: int = 9
    komi: float = 7.5
    ko: Ko = "simple"
    captures_to_capturer: Captures = "positions"
    reason: ReasonTold = "none"
    tries: Tries = "private"
    atari: Atari = "none"
    max_tries: int | None = None
    on_max_tries: OnMaxTries = "pass"
    max_moves: int | None = None

    def __post_init__(self) -> None:
        # Numbers of numpy become Python's, which shift without overflow and are written as JSON.
        self._set("size", checked_int("size", self.size, MIN_SIZE, MAX_SIZE, BadRules))
        komi = checked_number("komi", self.komi, -MAX_KOMI, MAX_KOMI, BadRules)
        if type(self.komi) is not int:
            self._set("komi", komi)
        for key, allowed in CHOICES.items():
            if not (isinstance(value := getattr(self, key), str) and value in allowed):
                raise BadRules(f"{key} {value!r} is not one of {', '.join(allowed)}")
        for key in ("max_tries", "max_moves"):
            limit = getattr(self, key)
            if limit is not None:
                self._set(key, checked_int(key, limit, 1, error=BadRules))

    def _set(self, key: str, value: float) -> None:
        object.__setattr__(self, key, value)

    def komi_for(self, colour: Colour) -> float:
        """The lead in area that this side needs: more than komi for Black, than -komi for White."""
        return self.komi if colour is BLACK else -self.komi

    def lead_to_exceed(self, colour: Colour) -> int:
        """This side wins by a greater lead in area.

        It is `komi_for` rounded down, as areas are whole numbers.
        """
        return math.floor(self.komi_for(colour))

    @property
    def tries_limit(self) -> int:
        if self.on_max_tries == "count":
            return self.moves_limit
        return self.size * self.size + 1 if self.max_tries is None else self.max_tries

    @property
    def forbids_repetition(self) -> bool:
        """True if a move may be illegal for the position that it would repeat (superko)."""
        return self.ko in ("positional", "situational")

    @property
    def moves_limit(self) -> int:
        return 4 * self.size * self.size if self.max_moves is None else self.max_moves

    @classmethod
    def profile(cls, name: str, *, size: int = 9, komi: float | None = None) -> Self:
        """The rules of a named profile on a board of this size; komi None keeps the profile's.

        Raises:
            BadRules: no profile has this name, or a value is not allowed.
        """
        if not (isinstance(name, str) and name in PROFILES):
            raise BadRules(unknown("rules profile", name, PROFILES))
        rules = replace(cls(), **PROFILES[name])  # type: ignore[arg-type]
        return replace(rules, size=size, komi=rules.komi if komi is None else komi)

    @property
    def profile_name(self) -> str | None:
        """The name of these rules' profile, whatever the board and komi; None if they have none."""
        return _profile_name(self)

    def with_text(self, key: str, text: str) -> Self:
        """These rules with one field read from text, as `phantom-rule KEY VALUE` gives it.

        Raises:
            BadRules: no field has this name, or the value is not allowed.
        """
        if key in CHOICES:
            return replace(self, **{key: text})  # type: ignore[arg-type]
        if key in ("max_tries", "max_moves"):
            try:
                return replace(self, **{key: Whole(1).read(text)})  # type: ignore[arg-type]
            except Unfit as why:
                raise BadRules(f"{key} {why}") from None
        if FIXED.get(key) == text:
            return self
        if key in FIXED:
            raise BadRules(f"{key} {text[:20]!r} is not supported, only {FIXED[key]}")
        raise BadRules(unknown("rule", key, [*CHOICES, "max_tries", "max_moves", *FIXED]))

    def as_dict(self) -> dict[str, object]:
        """The fields by name, for JSON."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


CHOICES: Final = MappingProxyType(
    {
        "ko": get_args(Ko),
        "captures_to_capturer": get_args(Captures),
        "reason": get_args(ReasonTold),
        "tries": get_args(Tries),
        "atari": get_args(Atari),
        "on_max_tries": get_args(OnMaxTries),
    }
)
"""The allowed values of each field that is a choice."""

FIXED: Final = MappingProxyType({"suicide": "false", "scoring": "area"})
"""Rules that have one value here; a controller may state them."""

PROFILES: Final = MappingProxyType(
    {
        # Cazenave & Borsboom, Golois Wins Phantom Go Tournament (ICGA Journal, 2007).
        "olympiad": {},
        # Cazenave, A Phantom-Go Program (2006): the capturer hears only the number.
        "cazenave": {"captures_to_capturer": "count"},
        # Sensei's Library, Phantom Go, common rules: atari is announced.
        "sensei": {"atari": "kind"},
        # Sensei's Library, Hamburg rules: reasons and ataris are announced, tries are heard.
        "hamburg": {
            "captures_to_capturer": "count",
            "reason": "kind",
            "tries": "public",
            "atari": "kind",
        },
        # OpenSpiel phantom_go: its games end by the same attempts.
        "openspiel": {
            "ko": "draw",
            "captures_to_capturer": "count",
            "reason": "occupied",
            "tries": "public",
            "on_max_tries": "count",
        },
        # China Computer Games Championship; 3.25 stones of komi are 6.5 points of area.
        "ccgc": {"komi": 6.5},
    }
)
"""The named presets: for each, the fields in which it differs from the default rules."""


@lru_cache(1000)
def _profile_name(rules: Rules) -> str | None:
    for name in PROFILES:
        if replace(Rules.profile(name), size=rules.size, komi=rules.komi) == rules:
            return name
    return None
