"""`phantomgo bots`: list the bots, or a bot's parameters, or check a bot."""

import sys
from collections.abc import Collection, Mapping
from typing import Any, Final, TypeAlias

from bots import BOTS, make, parameters
from bots.book_checks import usual_game
from bots.deployed import LEVELS, Deployment, boards
from bots.foreign import installed
from bots.nets import LIBRARY, read_net
from bots.spec import DEFAULT, ONLINE_OPTIONS, SHORT_NAMES, is_book, is_engine
from phantomgo.app.command import docstring, of_command, print_json
from phantomgo.checks import unknown
from phantomgo.errors import BadText
from phantomgo.game.points import MAX_SIZE
from phantomgo.game.rules import Rules
from phantomgo.lab.admission import Named, spec_of
from phantomgo.lab.players.compliance import player_breaches
from phantomgo.lab.players.contract import PASS_IT_ON, ignores_its_seed
from phantomgo.portfolio.book import book_names
from phantomgo.terminal import say
from phantomgo.values import ON_OFF, Form

Keys: TypeAlias = dict[str, dict[str, Any]]
"""The parameters of a bot: their defaults, what is allowed, and what they mean."""


def _key(default: object, form: Form, meaning: str) -> dict[str, Any]:
    return {"default": default, "allowed": form.allowed, "meaning": meaning}


BOOK: Final = {
    "symmetry": _key("on", ON_OFF, "play with a random symmetry of the board"),
    "force": _key("off", ON_OFF, "play even if the bot has changed, or with other announcements"),
    "code": _key("off", ON_OFF, "run the code of a bot MODULE:CLASS that the book names"),
}
LEARNER: Final = {
    "state": _key("", ONLINE_OPTIONS["state"], "the file in which results are stored; required")
}
OTHERS: Final[dict[str, tuple[str, Keys]]] = {
    "online:SPEC|SPEC": (
        "picks one of several bots before each game, by UCB",
        LEARNER,
    ),
    "book:NAME": ("a bot that draws a line from a book for each game", BOOK),
}
"""Bots that are not in the table of bots, each with a line about it and its options."""


def bots(name: str | None = None, *, json: bool = False, check: Named | None = None) -> int:
    """List the bots, or the parameters of one, or check a bot.

    Args:
        name: list the parameters of this bot; for `default`, print what plays on which board.
        json: print JSON.
        check: check this bot by the contract of all bots, or this engine by that of GTP.

    Returns:
        1 if the bot breaks the contract, else 0.
    """
    if check is not None:
        if name is not None:
            raise BadText(f"check names the bot: {name[:40]} cannot be given as well")
        return _check(spec_of(check), json)
    if name == DEFAULT:
        if json:
            print_json({DEFAULT: SHORT_NAMES[DEFAULT], "boards": [*map(_as_dict, boards())]})
        else:
            _print_boards()
    elif name is not None:
        table = _table()
        kind = _kind(name, table)
        if json:
            print_json({kind: table[kind]})
        else:
            _print_parameters(kind, table[kind])
    else:
        _print_all(_table(), json)
    return 0


configure = of_command(bots)


def _table() -> dict[str, Keys]:
    """The parameters of every bot."""
    table = {
        kind: {
            f.name: _key(f.default, f.metadata["form"], f.metadata["meaning"])
            for f in parameters(bot)
        }
        for kind, bot in sorted(BOTS.items())
    }
    return table | {kind: keys for kind, (_, keys) in OTHERS.items()}


def _print_all(table: Mapping[str, Keys], as_json: bool) -> None:
    default, offered = {DEFAULT: SHORT_NAMES[DEFAULT]}, installed(BOTS)
    nets = {name: read_net(name, None).digest for name in LIBRARY.names()}
    if as_json:
        print_json({**table, "levels": dict(LEVELS), **default, "nets": nets, "installed": offered})
        return
    _print_list(
        "bots (`phantomgo bots NAME` lists parameters)", {kind: about(kind) for kind in table}
    )
    _print_list("levels for people", LEVELS)
    _print_list("the bot that plays where none is named", default)
    _print_list("nets", {name: f"digest {digest}" for name, digest in nets.items()})
    if offered:
        _print_list("bots of installed packages", offered)


def about(kind: str) -> str:
    """A line about a bot: for ours, the first line of its module without the name."""
    if kind in OTHERS:
        return OTHERS[kind][0]
    first = docstring(sys.modules[BOTS[kind].__module__]).partition("\n")[0]
    return first.partition(": ")[2].rstrip(".")


def _kind(name: str, kinds: Collection[str]) -> str:
    """The bot with a name, or with a spec that begins with it."""
    words = {kind.partition(":")[0]: kind for kind in kinds}
    word = SHORT_NAMES.get(name, name).partition(":")[0]
    if word not in words:
        raise BadText(unknown("bot", name, words))
    return words[word]


def _print_list(title: str, lines: Mapping[str, str]) -> None:
    width = max(map(len, lines))
    say(title)
    for name, text in lines.items():
        say(f"  {name:{width}}  {text}")


def _as_dict(board: Deployment) -> dict[str, Any]:
    """The nets, books and komi of a board, for JSON."""
    books = [book._asdict() for book in board.books]
    return board._asdict() | {"phantom": board.phantom._asdict(), "books": books}


def _print_boards() -> None:
    say(f"{DEFAULT}: {SHORT_NAMES[DEFAULT]}")
    rows = [("board", "even komi", "nets of phantom", "policy", "books of phantom")]
    ends = [each.size - 1 for each in boards()[1:]] + [MAX_SIZE]
    for each, last in zip(boards(), ends, strict=True):
        size = str(each.size) if last == each.size else f"{each.size} to {last}"
        komi = "" if each.komi is None else f"{each.komi:g}"
        nets = ",".join(f"{key}={value}" for key, value in each.phantom._asdict().items())
        books = (
            f"{book.name} ({book.komi[0]:g} to {book.komi[1]:g}, {' '.join(book.rules)})"
            for book in each.books
        )
        rows.append((size, komi, nets, each.policy, "; ".join(books)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        say(("  " + "  ".join(cells)).rstrip())


def _print_parameters(kind: str, keys: Mapping[str, Mapping[str, Any]]) -> None:
    say(f"{kind}: {about(kind)}")
    for name, option in keys.items():
        say(f"  {name}={option['default']}  {option['allowed']}: {option['meaning']}")
    if is_book(kind):
        say(f"  NAME  a .json file, or one of {', '.join(book_names()) or 'none'}")


def _has_one_seed(spec: str) -> bool:
    """True if a bot repeats itself and its seed changes nothing."""
    return make(spec, usual_game(spec), 0).deterministic and ignores_its_seed(spec, Rules(size=5))


def _check(spec: str, as_json: bool) -> int:
    """Print for each part of the contract whether the player fulfils it; return 1 if not."""
    found: dict[str, str | None] = {}
    for what, wrong in player_breaches(spec):
        found[what] = wrong
        if not as_json:
            say(f"{what}: {wrong or 'yes'}")
    if as_json:
        print_json({"bot": spec, "checks": found})
    elif not is_engine(spec) and not any(found.values()) and _has_one_seed(spec):
        say(f"note: it plays the same with every seed, so no book can be learned: {PASS_IT_ON}")
    return 1 if any(found.values()) else 0
