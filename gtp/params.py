"""Commands about the bot and the server itself."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from bots.naming import Head
from gtp.role import NO_BOOK, GameRole, Settings
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.errors import BadText
from phantomgo.rng import MAX_SEED
from phantomgo.version import __version__


class Params(GameRole):
    """Settings, who plays, and how much time it took."""

    @command("phantom-param")
    def phantom_param(self, key: str | None = None, value: str | None = None) -> str | None:
        """All settings in GoGui's format, the value of one, or nothing after changing one."""
        if key is None:
            return "\n".join(f"{p.kind} {name} {p.shown(self)}" for name, p in PARAMS.items())
        if key not in PARAMS:
            raise Failure(f"no parameter {key[:40]!r}; there are {', '.join(PARAMS)}")
        if value is None:
            return PARAMS[key].shown(self)
        self.forbid_in_game()
        self.settings = PARAMS[key].changed(self, value)
        if not self.begun:
            self.new_game()
        return None

    @command("set_random_seed")
    def set_random_seed(self, seed: str) -> None:
        """GNU Go's name for `phantom-param seed`."""
        self.phantom_param("seed", seed)

    @command("gomill-describe_engine")
    def describe_engine(self) -> str:
        hidden = self.secret and self.settings.seed is None
        return "\n".join(
            [
                f"phantomgo {__version__}",
                f"bot {self.services.describe(self.settings.bot)}",
                f"seed {'hidden until the game is over' if hidden else self.seed}",
                f"rules {json.dumps(self.settings.rules.as_dict())}",
            ]
        )

    @command("cputime")
    @command("gomill-cpu_time")
    def cpu_time(self) -> str:
        """Refused while a hidden bot plays: its thinking time depends on its hidden view."""
        if self.secret:
            raise Failure("game not over")
        return f"{self.services.cpu_time():.3f}"


class Param(NamedTuple):
    """A setting: its kind in GoGui's format, its text, and the settings after a change."""

    kind: str
    shown: Callable[[GameRole], str]
    changed: Callable[[GameRole, str], Settings]


def _hide(role: GameRole, value: str) -> Settings:
    if value not in ("pass", "off"):
        raise Failure("hide is pass or off")
    return replace(role.settings, hide=value == "pass")


def _bot(role: GameRole, value: str) -> Settings:
    limits = role.services.limits
    try:
        limits.check_spec(value)
        limits.check_bot(value, role.services.make_bot(value, 0))
    except BadText as error:
        raise Failure(str(error)) from None
    return replace(role.settings, bot=value)


def _seed(role: GameRole, value: str) -> Settings:
    if value == "random":
        return replace(role.settings, seed=None)
    digits = value.isascii() and value.isdecimal() and len(value) <= 19
    if not digits or int(value) > MAX_SEED:
        raise Failure(f"seed is random or a number from 0 to {MAX_SEED}")
    return replace(role.settings, seed=int(value))


def _book(role: GameRole, value: str) -> Settings:
    """The settings with a bot that plays from this book, or from none."""
    if value == _shown_book(role):
        return role.settings
    bookless = f"{role.services.limits.bot},book={NO_BOOK}"
    return _bot(role, bookless if value == NO_BOOK else f"{Head.BOOK}{value}")


def _shown_book(role: GameRole) -> str:
    return role.opens_from() or NO_BOOK


def _shown_seed(role: GameRole) -> str:
    return "random" if role.settings.seed is None else str(role.settings.seed)


PARAMS: Final = {
    "hide": Param("[list/pass/off]", lambda role: "pass" if role.settings.hide else "off", _hide),
    "bot": Param("[string]", lambda role: role.settings.bot, _bot),
    "book": Param("[string]", _shown_book, _book),
    "seed": Param("[string]", _shown_seed, _seed),
}
