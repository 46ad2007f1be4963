"""Commands about the bot and the server itself."""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from bots.book import spec_with
from bots.naming import NO_BOOK
from gtp.role import GameRole
from gtp.syntax import Failure
from gtp.table import table
from gtp.thinker import Thinker
from phantomgo.checks import unknown
from phantomgo.errors import BadText
from phantomgo.points import Colour
from phantomgo.rng import MAX_SEED
from phantomgo.version import __version__


class Param(NamedTuple):
    """A setting: its kind in GoGui's format, its text, and the settings that a new text changes."""

    kind: str
    shown: Callable[[Thinker], str]
    read: Callable[[Thinker, str], dict[str, Any]]


def _hide(_thinker: Thinker, value: str) -> dict[str, Any]:
    if value not in ("pass", "off"):
        raise Failure("hide is pass or off")
    return {"hide": value == "pass"}


def _bot(thinker: Thinker, value: str) -> dict[str, Any]:
    limits = thinker.services.limits
    try:
        limits.check_spec(value)
        limits.check_bot(value, thinker.services.make_bot(value, 0))
    except BadText as error:
        raise Failure(str(error)) from None
    return {"bot": value}


def _seed(_thinker: Thinker, value: str) -> dict[str, Any]:
    if value == "random":
        return {"seed": None}
    digits = value.isascii() and value.isdecimal() and len(value) <= 19
    if not digits or int(value) > MAX_SEED:
        raise Failure(f"seed is random or a number from 0 to {MAX_SEED}")
    return {"seed": int(value)}


def _shown_seed(thinker: Thinker) -> str:
    return "random" if thinker.settings.seed is None else str(thinker.settings.seed)


def _book(thinker: Thinker, value: str) -> dict[str, Any]:
    """The settings with the default bot, its games opened by this book, or by none."""
    if value == _shown_book(thinker):
        return {}
    limits = thinker.services.limits
    try:
        limits.check_spec(value)
        return _bot(thinker, spec_with(limits.bot, value))
    except BadText as error:
        raise Failure(str(error)) from None


def _shown_book(thinker: Thinker) -> str:
    """Such as `phantom5`, or `open5 (White)` if it opens for one colour."""
    books = thinker.opens_from()
    names = set(books.values())
    if len(names) == 1 and len(books) == len(Colour):
        return names.pop()
    return ", ".join(f"{name} ({colour})" for colour, name in books.items()) or NO_BOOK


PARAMS: Final = {
    "hide": Param("[list/pass/off]", lambda t: "pass" if t.settings.hide else "off", _hide),
    "bot": Param("[string]", lambda t: t.settings.bot, _bot),
    "book": Param("[string]", _shown_book, _book),
    "seed": Param("[string]", _shown_seed, _seed),
}


def phantom_param(role: GameRole, key: str | None = None, *words: str) -> str | None:
    """All settings in GoGui's format, the value of one, or nothing after changing one."""
    thinker = role.thinker
    if key is None:
        return "\n".join(f"{p.kind} {name} {p.shown(thinker)}" for name, p in PARAMS.items())
    if key not in PARAMS:
        raise Failure(unknown("parameter", key, PARAMS))
    if not words:
        return PARAMS[key].shown(thinker)
    role.forbid_in_game()
    thinker.change(**PARAMS[key].read(thinker, " ".join(words)))
    if not role.begun:
        role.new_game()
    return None


def set_random_seed(role: GameRole, seed: str) -> None:
    """GNU Go's name for `phantom-param seed`."""
    phantom_param(role, "seed", seed)


def describe_engine(role: GameRole) -> str:
    thinker = role.thinker
    hidden = role.secret and thinker.settings.seed is None
    return "\n".join(
        [
            f"phantomgo {__version__}",
            f"bot {thinker.services.describe(thinker.settings.bot)}",
            f"seed {'hidden until the game is over' if hidden else thinker.seed}",
            f"rules {json.dumps(thinker.settings.rules.as_dict())}",
        ]
    )


def cpu_time(role: GameRole) -> str:
    """Refused while a hidden bot plays: its thinking time depends on its hidden view."""
    if role.secret:
        raise Failure("game not over")
    return f"{role.thinker.services.cpu_time():.3f}"


COMMANDS: Final = table(
    {
        "phantom-param": phantom_param,
        "set_random_seed": set_random_seed,
        "gomill-describe_engine": describe_engine,
        "cputime": cpu_time,
        "gomill-cpu_time": cpu_time,
    }
)
