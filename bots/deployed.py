"""The table of what plays on which board: levels, nets, policy, komi and books.

All of it is in deployed.toml; docs/notes has the measurements behind it.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from phantomgo.game.rules import Rules

NONE: Final = "none"
"""The value of a parameter that names a net or a book, for playing without one."""
BOT_WITH_BOOKS: Final = "phantom"
"""The bot that plays from the books of this table."""


class Nets(NamedTuple):
    """The nets of `phantom` and their parameters, as in its spec."""

    net: str
    judge: str = NONE
    trust: int = 0
    fold: str = "off"


class MeasuredBook(NamedTuple):
    """A book, and the games for which it was measured to win.

    Attributes:
        name: the book's name.
        komi: the least and the greatest komi.
        rules: the rules profiles.
    """

    name: str
    komi: tuple[float, float]
    rules: tuple[str, ...]

    def covers(self, rules: Rules) -> bool:
        """True if it was measured with this komi and by these rules, whatever the size."""
        least, most = self.komi
        profiles = (Rules.profile(name, size=rules.size, komi=rules.komi) for name in self.rules)
        return least <= rules.komi <= most and rules in profiles


class Deployment(NamedTuple):
    """Nets, policy, even komi and books of a board.

    Attributes:
        size: the smallest board of this entry, which applies up to the next entry's.
        komi: the points for White with which games are about even; None if unknown.
        policy: the policy's name.
        phantom: the nets of `phantom`.
        books: the opening books of `phantom`, and the books that play its whole games.
    """

    size: int
    komi: float | None
    policy: str
    phantom: Nets
    books: tuple[MeasuredBook, ...]


def _read() -> dict[str, Any]:
    text = files("bots").joinpath("deployed.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


_TABLE: Final = _read()
LEVELS: Final[Mapping[str, str]] = MappingProxyType(_TABLE["levels"])
"""Specs by level, from the weakest up."""
DEFAULT_BOT: Final[str] = _TABLE["default"]
"""The spec of the strongest bot, on one core."""


@cache
def boards() -> tuple[Deployment, ...]:
    """All boards, by size."""
    deployments = []
    for size, entry in _TABLE["boards"].items():
        books = (
            MeasuredBook(book["name"], tuple(book["komi"]), tuple(book["rules"]))
            for book in entry.get("books", ())
        )
        nets = Nets(**entry["phantom"])
        deployments.append(
            Deployment(int(size), entry.get("komi"), entry["policy"], nets, tuple(books))
        )
    return tuple(deployments)


def board(size: int) -> Deployment:
    """The entry for boards of this size."""
    return max(each for each in boards() if each.size <= size)


def even_komi(size: int) -> float | None:
    """The komi with which games on this board are about even; None if unknown."""
    return board(size).komi
