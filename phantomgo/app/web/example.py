"""An example of a game, which wide screens show beside the text of plain pages."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from phantomgo.app.table.game import Game
from phantomgo.app.table.viewer import three_scenes
from phantomgo.app.web.board import board
from phantomgo.app.web.markup import Markup, tag
from phantomgo.app.web.reader import READER
from phantomgo.app.web.terms import Terms
from phantomgo.phrase import Phrase
from phantomgo.points import parse_attempt

ATTEMPTS: Final = """
    D5 G6 E2 E5 E5 E4 D5 F6 D4 E4 D4 D6 F5 E6 D6 E6 C6 F4 F4 F3 C6 C7 G4 C5 B6 B6
    F4 D7 F6 C7 D7 G6 B7 B5 B8 C4 H3 B7 B8 C3 C5 B5 C4 C3 C2 D2 C8 C8 D8 D3 E3 A6
"""
"""The beginning of a game of phantom:playouts=300 against itself, with its refusals."""


def played(terms: Terms, attempts: Iterable[str]) -> Game:
    """Return a game in which these vertices, and passes, were attempted."""
    game = Game(terms.record)
    for attempt in attempts:
        game.attempt(parse_attempt(attempt, terms.size), 0.0)
    return game


def example() -> Markup:
    """Return the boards of the example: the truth, and what each player knows of it."""
    return _example(READER.get().language)


@cache
def _example(_language: str) -> Markup:
    """The example as readers of a language see it; it is on every error page, too."""
    scenes = three_scenes(played(Terms(size=9), ATTEMPTS.split()).moments[-1])
    boards = (board(scene, title, small=True) for title, scene in scenes)
    caption = Phrase("A game, and what each player knows of it")
    return tag("aside", tag("h2", caption), tag("div", *boards, class_="row"), class_="example")
