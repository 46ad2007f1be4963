"""Phantom Go: the referee, the views, and the laboratory of seed portfolios.

    import phantomgo as pg

    print(pg.play_match("phantom:playouts=200", "flatmc:playouts=200", games=20, size=5))

docs/library.md describes them. Names are imported when they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from phantomgo.version import __version__ as __version__

if TYPE_CHECKING:
    from bots import Bot as Bot
    from bots.belief import candidates as candidates
    from bots.spec import parameter as parameter
    from phantomgo.errors import PhantomGoError as PhantomGoError
    from phantomgo.lab.run.workers import Run as Run
    from phantomgo.lab.verbs.games import belief_map as belief_map
    from phantomgo.lab.verbs.games import bot_names as bot_names
    from phantomgo.lab.verbs.games import check_bot as check_bot
    from phantomgo.lab.verbs.games import decide as decide
    from phantomgo.lab.verbs.games import make_bot as make_bot
    from phantomgo.lab.verbs.games import play_game as play_game
    from phantomgo.lab.verbs.games import play_match as play_match
    from phantomgo.lab.verbs.learning import learn as learn
    from phantomgo.lab.verbs.measuring import evaluate as evaluate
    from phantomgo.lab.verbs.tournaments import play_tournament as play_tournament
    from phantomgo.match.report import Report as Report
    from phantomgo.player import Decision as Decision
    from phantomgo.points import BLACK as BLACK
    from phantomgo.points import PASS as PASS
    from phantomgo.points import RESIGN as RESIGN
    from phantomgo.points import WHITE as WHITE
    from phantomgo.points import Move as Move
    from phantomgo.points import members as members
    from phantomgo.points import parse_move as parse_move
    from phantomgo.points import vertex as vertex
    from phantomgo.portfolio.book import Book as Book
    from phantomgo.portfolio.book import book_names as book_names
    from phantomgo.portfolio.book import read_book as read_book
    from phantomgo.portfolio.book import write_book as write_book
    from phantomgo.portfolio.exploit import Table as Table
    from phantomgo.portfolio.packed import read_matrix as read_matrix
    from phantomgo.record import Record as Record
    from phantomgo.referee import Referee as Referee
    from phantomgo.rules import Rules as Rules
    from phantomgo.view import View as View

_NAMES: Final = {
    "bots": ["Bot"],
    "bots.belief": ["candidates"],
    "phantomgo.player": ["Decision"],
    "bots.spec": ["parameter"],
    "phantomgo.errors": ["PhantomGoError"],
    "phantomgo.lab.run.workers": ["Run"],
    "phantomgo.lab.verbs.games": [
        "belief_map",
        "bot_names",
        "check_bot",
        "decide",
        "make_bot",
        "play_game",
        "play_match",
    ],
    "phantomgo.lab.verbs.learning": ["learn"],
    "phantomgo.lab.verbs.measuring": ["evaluate"],
    "phantomgo.lab.verbs.tournaments": ["play_tournament"],
    "phantomgo.match.report": ["Report"],
    "phantomgo.points": [
        "BLACK",
        "PASS",
        "RESIGN",
        "WHITE",
        "Move",
        "members",
        "parse_move",
        "vertex",
    ],
    "phantomgo.portfolio.book": ["Book", "book_names", "read_book", "write_book"],
    "phantomgo.portfolio.exploit": ["Table"],
    "phantomgo.portfolio.packed": ["read_matrix"],
    "phantomgo.record": ["Record"],
    "phantomgo.referee": ["Referee"],
    "phantomgo.rules": ["Rules"],
    "phantomgo.view": ["View"],
}
"""The public names, by the module each is from."""
_HOMES: Final = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_HOMES)  # noqa: PLE0605  (a list, whatever it is made from)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
