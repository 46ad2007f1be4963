"""Views to measure and test with."""

from phantomgo.game.board import Board
from phantomgo.game.messages import Accepted, Moved, Reason
from phantomgo.game.points import BLACK
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.rng import Stream


def views(size: int) -> dict[str, View]:
    """Black's views of the empty board and of one with 15 % own and as many hidden stones."""
    rules = Rules(size=size)
    empty = middle = View(rules, BLACK)
    stones, stream = Board(size), Stream(size)
    pool = list(range(size * size))
    while pool and stones.black.bit_count() < round(0.15 * size * size):
        point = pool.pop(stream.below(len(pool)))
        played = stones.play(BLACK, point)
        if not isinstance(played, Reason):
            stones = played.board
            middle = middle.after(Accepted(point)).after(Moved())
    return {"empty": empty, "middle": middle}
