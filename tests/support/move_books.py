"""A small book of moves."""

from phantomgo.game.rules import Rules
from phantomgo.identity import Identity
from phantomgo.portfolio.movebook import Growth, MoveBook, Tried
from phantomgo.portfolio.setup import Setup

MOVES = MoveBook(
    name="moves",
    setup=Setup(
        Identity("random", "0" * 16),
        Identity("random", "1" * 16),
        "olympiad",
        Rules.profile("olympiad", size=3, komi=0.5),
    ),
    black={"": {4: Tried(9, 5.0), -1: Tried(2, 0.5)}, "B2 .": {0: Tried(1, 1.0)}},
    white={". B2!": {1: Tried(3, 0.0)}},
    growth=Growth("mvbm", 0.1, 8, 1, None, 10, 5, 7, 6, {"phantomgo": "0"}),
)
