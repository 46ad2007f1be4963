"""Commands about the bot and the server itself."""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from bots.book_checks import usual_game
from bots.deployed import NONE
from bots.opening import spec_playing
from bots.spec import DEFAULT
from gtp.handlers import table
from gtp.role import GameRole
from gtp.syntax import Failure
from phantomgo.checks import unknown
from phantomgo.errors import BadText
from phantomgo.game.messages import Placed
from phantomgo.game.points import Colour
from phantomgo.game.view import View
from phantomgo.rng import MAX_SEED
from phantomgo.values import read_whole
from phantomgo.version import __version__


class Param(NamedTuple):
    """A setting: its kind in GoGui's format, its text, and the settings that a new text changes."""

    kind: str
    shown: Callable[[GameRole], str]
    read: Callable[[GameRole, str], dict[str, Any]]


def _hide(_role: GameRole, value: str) -> dict[str, Any]:
    if value not in ("pass", "off"):
        raise Failure("hide is pass or off")
    return {"hide": value == "pass"}


def _bot(role: GameRole, value: str) -> dict[str, Any]:
    services = role.thinker.services
    limits = services.limits
    spec = limits.bot if value == DEFAULT else value
    try:
        limits.check_spec(spec)
        game = usual_game(spec)  # the board may be set after the bot
        limits.check_bot(spec, services.make_bot(spec, game, 0))
    except BadText as error:
        raise Failure(str(error)) from None
    return {"bot": spec}


def _seed(_role: GameRole, value: str) -> dict[str, Any]:
    if value == "random":
        return {"seed": None}
    seed = read_whole(value, 0, MAX_SEED)
    if seed is None:
        raise Failure(f"seed is random or a number from 0 to {MAX_SEED}")
    return {"seed": seed}


def _shown_seed(role: GameRole) -> str:
    seed = role.thinker.settings.seed
    return "random" if seed is None else str(seed)


def _book(role: GameRole, value: str) -> dict[str, Any]:
    """The settings with the default bot and this opening book, or none."""
    if value == _shown_book(role):
        return {}
    limits = role.thinker.services.limits
    try:
        limits.check_spec(value)
        return _bot(role, spec_playing(limits.bot, value))
    except BadText as error:
        raise Failure(str(error)) from None


def _shown_book(role: GameRole) -> str:
    """Such as `rates5`, or `open5 (White)` if it is for one colour."""
    books = _books(role)
    names = set(books.values())
    if len(names) == 1 and len(books) == len(Colour):
        return names.pop()
    return ", ".join(f"{name} ({colour})" for colour, name in books.items()) or NONE


def _books(role: GameRole) -> dict[Colour, str]:
    """The opening book of this game, for each colour that has one."""
    rules, found = role.thinker.settings.rules, dict[Colour, str]()
    for colour in Colour:
        handicap = [told for told in role.events(colour)[:1] if isinstance(told, Placed)]
        if book := role.thinker.opens_from(View.replay(rules, colour, handicap)):
            found[colour] = book
    return found


PARAMS: Final = {
    "hide": Param("[list/pass/off]", lambda r: "pass" if r.thinker.settings.hide else "off", _hide),
    "bot": Param("[string]", lambda r: r.thinker.settings.bot, _bot),
    "book": Param("[string]", _shown_book, _book),
    "seed": Param("[string]", _shown_seed, _seed),
}


def phantom_param(role: GameRole, key: str | None = None, *words: str) -> str | None:
    """All settings in GoGui's format, the value of one, or nothing after changing one."""
    if key is None:
        return "\n".join(f"{p.kind} {name} {p.shown(role)}" for name, p in PARAMS.items())
    if key not in PARAMS:
        raise Failure(unknown("parameter", key, PARAMS))
    if not words:
        return PARAMS[key].shown(role)
    role.forbid_in_game()
    role.thinker.change(**PARAMS[key].read(role, " ".join(words)))
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
