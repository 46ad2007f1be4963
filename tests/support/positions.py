"""Positions to play out, and one call of the kernel that plays them."""

from dataclasses import dataclass

import numpy as np

from bots.kernels.playouts import play_out
from bots.kernels.positions import position_of
from bots.kernels.rows import workspace
from bots.kernels.stream import STREAM
from bots.kernels.tasks import only_task
from phantomgo.game.points import members
from phantomgo.rng import Stream
from tests.support.naive import NaiveGo, NaiveStream, random_move


@dataclass
class Position:
    """Black is to search; sets of points as bit masks."""

    size: int
    own: int = 0
    enemy: int = 0
    open: int = 0
    hidden: int = 0
    weights: tuple[int, ...] = ()

    def naive(self) -> NaiveGo:
        go = NaiveGo(self.size)
        for stones, colour in ((self.own, "b"), (self.enemy, "w")):
            go.stones |= {divmod(p, self.size): colour for p in members(stones)}
        return go


def positions(size: int, seed: int, count: int):
    """Empty boards, and positions in the middle of random games with some stones hidden."""
    stream = Stream(seed)
    full = (1 << size * size) - 1
    for number in range(count):
        go, colour, naive_stream = NaiveGo(size), "b", NaiveStream(seed, number)
        for _ in range(stream.below(size * size) if number % 3 else 0):
            if random_move(go, colour, naive_stream) is None:
                go.ko = None
            colour = "w" if colour == "b" else "b"
        own = enemy = hidden = 0
        for (r, c), stone in go.stones.items():
            point = 1 << (r * size + c)
            if stone == "b":
                own |= point
            elif stream.below(2):
                enemy |= point
            else:
                hidden += 1
        known = own | enemy
        some = full if number % 2 else stream.below(1 << 32) * 0x1_0001_0001_0001_0001
        weights = [1 + stream.below(1 << stream.below(23)) for _ in range(size * size)]
        yield Position(
            size, own, enemy, full & ~known & some, hidden, tuple(weights) if number % 4 else ()
        )


def packed(position):
    """A position and its table of chances, as the kernels take them."""
    length = (position.size**2 + 7) // 8
    sets = (position.own, position.enemy, position.open)
    weights = np.array(position.weights, np.int64)
    points = [one.to_bytes(length, "little") for one in sets]
    return position_of(points, weights, position.hidden, position.size)


def kernel(position, candidates, first, key, wide=False, passed=0):
    """Moves of all, and margin, wins and visits of each playout; all-moves-as-first counts."""
    size, n = position.size, len(candidates)
    counts, amaf_counts = np.zeros((3, n), np.int64), np.zeros((2, size * size), np.int64)
    made = packed(position)
    stream = (key + first * STREAM + 2**63) % 2**64 - 2**63
    moves = play_out(
        *workspace(size, wide), size, *made, only_task(n, n, stream, 0, passed), np.arange(n),
        np.array(candidates, np.int64), counts, amaf_counts,
    )  # fmt: skip
    visits, wins, margins = counts.tolist()
    return moves, margins, wins, visits, *amaf_counts.tolist()
