"""The worlds of one view, played out by the kernels.

`Worlds` turns a belief into the kernels' form once per decision; a `Statistics` gathers the
results.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots.belief import Belief, true_eyes
from bots.kernels.best import best_candidate, best_of
from bots.kernels.net import odds_table, scaled
from bots.kernels.playouts import play_out
from bots.kernels.positions import position_of
from bots.kernels.rows import workspace
from bots.kernels.sample import count_stones
from bots.kernels.stream import STREAM
from bots.kernels.tasks import only_task
from bots.pace import PIECE, go_on
from phantomgo.game.points import BLACK, PASS, Colour, Point, PointSet, grid, members
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.rng import Purpose, purpose_key
from phantomgo.system import after_fork, cores

Ints = NDArray[np.int64]

UNIFORM: Final[Ints] = np.zeros(0, np.int64)
"""Odds of hidden stones, or their logarithms: every open point alike."""
COUNTED_WORLDS: Final = 20_000
"""Worlds that are counted: a share is off by less than 0.007 in nineteen of twenty."""
LEAST_PER_THREAD: Final = 64
"""Fewer playouts are not worth another thread."""
ONLY_JOB: Final[Ints] = np.zeros(1, np.int64)
"""The jobs of a search with one candidate."""
_ONLY_PASS = np.array([PASS], np.int64)


class Statistics:
    """The results of each candidate's playouts, as int64 arrays.

    Attributes:
        visits: playouts.
        wins: won playouts.
        margins: own area minus enemy area at their ends, summed.
        amaf_visits: for each point, the playouts of any candidate in which the searching side
            played there before the enemy did (all moves as first); empty if not counted.
        amaf_wins: the won ones among them.
    """

    def __init__(self, candidates: int, points: int = 0) -> None:
        """No playouts yet; `points` is the size of the board's area to count all moves as first."""
        self.counts = np.zeros((3, candidates), np.int64)
        self.amaf_counts = np.zeros((2, points), np.int64)
        self.visits: Ints = self.counts[0]
        self.wins: Ints = self.counts[1]
        self.margins: Ints = self.counts[2]
        self.amaf_visits: Ints = self.amaf_counts[0]
        self.amaf_wins: Ints = self.amaf_counts[1]

    def win_rate(self, candidate: int) -> float:
        """The share of playouts the candidate won."""
        return self.wins.item(candidate) / self.visits.item(candidate)

    def best(self, key: int) -> int:
        """The candidate with the greatest share of wins.

        Ties go to the greater mean margin (when all is won, nothing else in the playouts
        distinguishes candidates), then to the stream of `key`.
        """
        return int(best_candidate(self.counts, signed(key)))

    def best_of(
        self, left: Ints, points: Ints, amaf: int, kept: int, key: int, prior: Ints | None = None
    ) -> Ints:
        """The best `kept` of the candidates `left`, best first.

        All moves as first count as much as `amaf` playouts of a candidate's own. `prior` has an
        evaluator's estimates as playouts, in the form of `counts`. Ties go to the greater mean
        margin, then to the stream of `key`.
        """
        counts = self.counts if prior is None else self.counts + prior
        best: Ints = best_of(left, points, counts, self.amaf_counts, amaf, kept, signed(key))
        return best


class Worlds:
    """The boards that a belief allows, as seen by the player whose belief it is.

    Attributes:
        belief: what they have in common.
        log_odds: those of a hidden stone by point, in units of 1 / ONE (bots/kernels/net.py).
        odds: the same as weights.
        points: points on the board.
    """

    def __init__(
        self, belief: Belief, rules: Rules, colour: Colour, log_odds: Ints = UNIFORM
    ) -> None:
        self.belief = belief
        self.log_odds = log_odds
        self.points = rules.size * rules.size
        self._size = rules.size
        sets = [as_bytes(points, self.points) for points in belief[:3]]
        self.odds = scaled(log_odds, odds_table(), sets[2]) if len(log_odds) else UNIFORM
        self._position, self._table = position_of(sets, self.odds, belief.hidden, rules.size)
        self._need = rules.lead_to_exceed(colour)

    def play_out(
        self,
        candidates: Ints,
        jobs: Ints,
        count: int,
        key: int,
        first: int,
        stats: Statistics,
        threads: int = 1,
    ) -> None:
        """Play out `count` of the jobs, which begin again after the last, from playout `first` on.

        A job is an index into `candidates`, points (-1 passes).

        The results are added to `stats`. Playout g of a key is the same game whatever else is
        played, and in whichever of the threads that share the jobs. With 0 `threads` there is one
        for each core. A share has at least LEAST_PER_THREAD playouts.

        Raises:
            Unwanted: nobody waits for the results.
        """
        threads = threads or cores()
        go_on()
        if count > (piece := PIECE * threads):
            for start in range(0, count, piece):
                part = np.roll(jobs, -start), min(piece, count - start)
                self.play_out(candidates, *part, key, first + start, stats, threads)
            return
        key += first * STREAM
        share = max(LEAST_PER_THREAD, -(-count // threads))
        submitted = []
        for start in range(share, count, share):
            part = np.roll(jobs, -start), min(share, count - start)
            own_stats = Statistics(len(candidates), len(stats.amaf_visits))
            task = (False, candidates, *part, key + start * STREAM, own_stats)
            submitted.append((own_stats, _pool(threads).submit(self._run, *task)))
        self._run(False, candidates, jobs, min(share, count), key, stats)
        for own_stats, done in submitted:
            done.result()
            stats.counts += own_stats.counts
            stats.amaf_counts += own_stats.amaf_counts

    def standing(self, key: int, count: int) -> float:
        """The share of `count` worlds in which the current board is won."""
        stats = Statistics(1)
        self._run(True, _ONLY_PASS, ONLY_JOB, count, key, stats)
        return stats.win_rate(0)

    def stone_probabilities(
        self, view: View, key: int, count: int = COUNTED_WORLDS
    ) -> dict[Point, float]:
        """The probability of an enemy stone on each point that may have one, counted in worlds.

        World number g is the one that playout g of this key begins with if its candidate is a pass.
        """
        presumed = dict.fromkeys(members(self.belief.enemy & ~view.located), 1.0)
        counts = count_stones(
            *_memory.workspace(self._size), self._size, self._position, self._table,
            signed(key), count,
        )  # fmt: skip
        return presumed | {p: int(counts[p]) / count for p in members(self.belief.open)}

    def _run(
        self, passed: bool, candidates: Ints, jobs: Ints, count: int, key: int, stats: Statistics
    ) -> None:
        task = only_task(len(jobs), count, signed(key), self._need, passed)
        play_out(
            *_memory.workspace(self._size), self._size, self._position, self._table, task, jobs,
            candidates, stats.counts, stats.amaf_counts,
        )  # fmt: skip


def seen_share(
    own: PointSet, enemy: PointSet, rules: Rules, colour: Colour, turn: int, count: int
) -> float:
    """The share of random playouts that the side to move, `colour`, would win, seeing all stones.

    They are dealt evenly to the points worth a move. The side and its moves so far, `turn`,
    determine the random stream.
    """
    points = grid(rules.size).full & ~(own | enemy | true_eyes(own, enemy, rules.size))
    candidates = as_array(points, rules.size) if points else _ONLY_PASS
    stats = Statistics(len(candidates))
    board = Belief(own, enemy, open=0, hidden=0)
    key = purpose_key(Purpose.REVIEW, 0, colour, turn)
    jobs = np.arange(len(candidates))
    Worlds(board, rules, colour).play_out(candidates, jobs, count, key, 0, stats)
    return int(stats.wins.sum()) / count


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads for the playouts of decisions, besides those that decide."""
    return ThreadPoolExecutor(threads, "playouts")


after_fork(_pool.cache_clear)  # a child has no threads


def warm_up(size: int) -> None:
    """Have all kernels of flat Monte Carlo on boards of this size loaded or compiled."""
    belief = Belief(own=0, enemy=0, open=grid(size).full, hidden=1)
    Worlds(belief, Rules(size=size), BLACK).play_out(ONLY_JOB, ONLY_JOB, 1, 0, 0, Statistics(1))
    Statistics(1).best(0)


class _Memory(threading.local):
    def __init__(self) -> None:
        self.workspace = cache(workspace)


_memory = _Memory()
"""`workspace(size)` is the kernels' memory, one for each thread and size."""


def signed(key: int) -> int:
    """A number modulo 2**64 as the kernels take it."""
    return (key + (1 << 63) & (1 << 64) - 1) - (1 << 63)


def as_flags(points: PointSet, size: int) -> NDArray[np.uint8]:
    """For each point 1 if it is in the set, else 0."""
    packed = np.frombuffer(as_bytes(points, size * size), np.uint8)
    return np.unpackbits(packed, count=size * size, bitorder="little")


def as_array(points: PointSet, size: int) -> Ints:
    """The points of a set in board order."""
    return as_flags(points, size).nonzero()[0]


def as_bytes(points: PointSet, count: int) -> bytes:
    """A set of points as the kernels take it."""
    return points.to_bytes((count + 7) // 8, "little")
