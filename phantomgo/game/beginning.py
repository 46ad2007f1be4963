"""A game before its first move, as every player knows it: its rules, and how it begins.

A game need not begin from an empty board: there may be handicap stones, or the attempts of a
recorded game, refused ones included, as both players know the referee's answers. Seeds can be
learned for such games, and matches played from them.
"""

from typing import Any, Final, NamedTuple, Self

from phantomgo.errors import BadText
from phantomgo.fields import Fields
from phantomgo.game.messages import Placed
from phantomgo.game.points import (
    Colour,
    Move,
    PointSet,
    attempt_text,
    parse_attempt,
    parse_colour,
    vertices,
)
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.game.wording import counted
from phantomgo.values import MAX_TEXT

MAX_ATTEMPTS: Final = 10_000
"""The most attempts of a beginning in a file."""


class Beginning(NamedTuple):
    """The events before the players are asked for their first attempt.

    Attributes:
        handicap: Black's stones on the board before the first move.
        attempts: the attempts made then, each with its side, in order; the last one was legal.
    """

    handicap: PointSet = 0
    attempts: tuple[tuple[Colour, Move], ...] = ()

    @classmethod
    def read(cls, fields: Fields, size: int) -> Self:
        """Read it from a file's fields; the referee checks whether a game can begin like this."""
        handicap = fields.stones("handicap", size) if fields.has("handicap") else 0
        if not fields.has("attempts"):
            return cls(handicap)
        try:
            halves = (text.partition(" ") for text in fields.any_texts("attempts", MAX_TEXT))
            attempts = tuple((parse_colour(c), parse_attempt(m, size)) for c, _, m in halves)
        except BadText as error:
            raise fields.wrong("attempts", str(error)) from None
        if len(attempts) > MAX_ATTEMPTS:
            raise fields.wrong("attempts", f"has {len(attempts)}, more than {MAX_ATTEMPTS}")
        return cls(handicap, attempts)

    def as_dict(self, size: int) -> dict[str, Any]:
        """Its fields in a file; none for an empty board."""
        given: dict[str, Any] = {}
        if self.handicap:
            given["handicap"] = vertices(self.handicap, size).split()
        if self.attempts:
            given["attempts"] = [
                f"{colour.letter} {attempt_text(move, size)}" for colour, move in self.attempts
            ]
        return given

    def text(self, size: int) -> str:
        """A description, such as `handicap A1 C3, 5 attempts made`; empty for an empty board."""
        parts = [f"handicap {vertices(self.handicap, size)}"] if self.handicap else []
        if self.attempts:
            parts.append(f"{counted(len(self.attempts), 'attempt')} made")
        return ", ".join(parts)


START: Final = Beginning()
"""An empty board."""


class Game(NamedTuple):
    """A game before it is played. Bots are made for one.

    Attributes:
        rules: its rules.
        beginning: what is on the board, or has been attempted, when the players are first asked.
    """

    rules: Rules
    beginning: Beginning = START

    @classmethod
    def of(cls, view: View) -> Self:
        """The game of a view, as far as a player can tell: with its handicap stones."""
        first = view.events[0] if view.events else None
        placed = first.points if isinstance(first, Placed) else 0
        return cls(view.rules, Beginning(placed) if placed else START)
