"""Commands about the bot and the server itself."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from bots.naming import Head
from gtp.role import BOOKLESS, NO_BOOK, GameRole, Settings, Theme
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.errors import BadText
from phantomgo.rng import MAX_SEED
from phantomgo.version import __version__


class Params(Theme):
    """Settings, who plays, and how long it took."""

    @command("phantom-param")
    def param(self, key: str | None = None, value: str | None = None) -> str | None:
        """All settings in GoGui's format, or one of them, or a new value for one."""
        role = self.role
        if key is None:
            return "\n".join(
                f"{param.kind} {name} {param.shown(role)}" for name, param in PARAMS.items()
            )
        if key not in PARAMS:
            raise Failure(f"no parameter {key[:40]!r}; there are {', '.join(PARAMS)}")
        if value is None:
            return PARAMS[key].shown(role)
        role.forbid_in_game()
        role.settings = PARAMS[key].changed(role, value)
        if not role.begun:
            role.new_game()
        return None

    @command("set_random_seed")
    def set_random_seed(self, seed: str) -> None:
        """GNU Go's name for `phantom-param seed`."""
        self.param("seed", seed)

    @command("gomill-describe_engine")
    def describe_engine(self) -> str:
        role = self.role
        hidden = role.secret and role.settings.seed is None
        return "\n".join(
            [
                f"phantomgo {__version__}",
                f"bot {role.services.describe(role.settings.bot)}",
                f"seed {'hidden until the game is over' if hidden else role.seed}",
                f"rules {json.dumps(role.settings.rules.as_dict())}",
            ]
        )

    @command("cputime")
    @command("gomill-cpu_time")
    def cpu_time(self) -> str:
        """Refused while a hidden bot plays: how long it thought tells what it thought about."""
        if self.role.secret:
            raise Failure("game not over")
        return f"{self.role.services.cpu_time():.3f}"


class Param(NamedTuple):
    """A setting: its kind in GoGui's format, how it is shown, the settings after a change."""

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
    """A book's name changes who plays; so does `none`, unless none is played from already."""
    if value == _shown_book(role):
        return role.settings
    return _bot(role, BOOKLESS if value == NO_BOOK else f"{Head.BOOK}{value}")


def _shown_book(role: GameRole) -> str:
    return role.services.book_of(role.settings.bot, role.settings.rules)


def _shown_seed(role: GameRole) -> str:
    return "random" if role.settings.seed is None else str(role.settings.seed)


PARAMS: Final = {
    "hide": Param("[list/pass/off]", lambda role: "pass" if role.settings.hide else "off", _hide),
    "bot": Param("[string]", lambda role: role.settings.bot, _bot),
    "book": Param("[string]", _shown_book, _book),
    "seed": Param("[string]", _shown_seed, _seed),
}
