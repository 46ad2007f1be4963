"""The desk: the games of a batch and the decisions they are waiting for.

Python makes its arrays, a `Desk`. Kernels take a table of their addresses, as numba takes seconds
to compile functions that pass on thirty arrays.

Game g has the tasks 2 g and 2 g + 1 (tasks.py), the position and the table of chances g. A task
has room for as many candidates and jobs as the board has points.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from bots.kernels.jit import INLINE
from bots.kernels.positions import POSITION
from bots.kernels.tasks import TASK
from bots.kernels.vectors import beyond
from phantomgo.lab.lockstep.kernels.layout import BOT, WORDS
from phantomgo.lab.lockstep.kernels.sets import ROWS

Ints = NDArray[np.int64]
NetArrays = tuple[Ints, NDArray[np.int32]]
"""A net's `channels` and `pairs` (net.py)."""

# The numbers of a desk
(
    GAMES,  # games at once
    GAME_SETS,  # sets of a game
    CHANCES,  # numbers of a position's table of chances
    COUNTED,  # 1 if all moves as first are counted
    ROOM,  # attempts for which a log has room
    KEPT_DECISIONS,  # cached decisions, a power of two or 0
    ODDS,  # numbers of the table of odds
    CHANNELS,  # channels that nets see
    CHANNEL,  # numbers of a channel
    PASS_WORLDS,  # worlds that evaluate a pass (bots/passing.py)
    SURE,  # the share of wins that counts as won then, in units of 1 / MILLION
    ARRAYS,  # the addresses of the arrays follow
) = range(12)
MILLION = 10**6
# The addresses of the arrays of a `Desk`, in their order
(
    RULES_AT,
    BOTS_AT,
    WORDS_AT,
    SETS_AT,
    POSITIONS_AT,
    TABLES_AT,
    TASKS_AT,
    JOBS_AT,
    CANDIDATES_AT,
    COUNTS_AT,
    AMAF_AT,
    ONTO_AT,
    LOG_ODDS_AT,
    SHARES_AT,
    PLANES_AT,
    ODDS_AT,
    KEPT_AT,
    LOG_AT,
    NETS,  # the nets follow: Black's belief net and candidate evaluator, then White's
) = range(ARRAYS, ARRAYS + 19)
NET = 4
"""The numbers of a net: its layers, where its channels and its pairs are, and how many pairs."""


class Desk(NamedTuple):
    """The arrays of a desk.

    Attributes:
        rules: layout.py has their order.
        bots: of shape (2, BOT).
        words: of shape (games, WORDS).
        sets: of shape (games, numbers of all sets).
        positions: of shape (games, POSITION).
        tables: of shape (games, numbers).
        tasks: of shape (tasks, TASK).
        jobs: of all tasks.
        candidates: of all tasks.
        counts: of shape (3, candidates).
        amaf_counts: of shape (2, points of all games), or (2, 0) if nobody asks.
        onto: of all games, for each candidate the one that stands for it.
        log_odds: of all games, the belief net's log odds of a hidden stone at each point.
        shares: of all games, the candidate evaluator's estimate of each candidate.
        planes: what a net sees, for one view at a time.
        odds: the odds for each log odds (bots/kernels/net.py).
        kept: of shape (decisions, KEPT): decisions made and in the making.
        log: of shape (games, attempts).
    """

    rules: Ints
    bots: Ints
    words: Ints
    sets: NDArray[np.uint32]
    positions: Ints
    tables: NDArray[np.uint16]
    tasks: Ints
    jobs: Ints
    candidates: Ints
    counts: Ints
    amaf_counts: Ints
    onto: Ints
    log_odds: Ints
    shares: Ints
    planes: NDArray[np.uint32]
    odds: Ints
    kept: Ints
    log: NDArray[np.int32]

    def addresses(self, nets: Sequence[NetArrays], worlds: int, sure: float) -> Ints:
        """The desk as kernels take it; valid as long as its arrays and those of the nets.

        Args:
            nets: Black's belief net and candidate evaluator, and White's.
            worlds: the number of worlds that evaluate a pass.
            sure: the share of wins that counts as won then.
        """
        numbers = [
            len(self.words), self.sets.shape[1] // ROWS, self.tables.shape[1],
            int(self.amaf_counts.size > 0), self.log.shape[1], len(self.kept), len(self.odds),
            *self.planes.shape, worlds, round(sure * MILLION),
        ]  # fmt: skip
        places = [array.ctypes.data for array in self]
        for channels, pairs in nets:
            places += [len(channels), channels.ctypes.data, pairs.ctypes.data, len(pairs)]
        return np.array(numbers + places, np.int64)


def _address_of(kind):
    @intrinsic
    def at(_context, desk, index):
        def codegen(context, builder, sig, arguments):
            address = builder.load(builder.gep(arguments[0], [arguments[1]]))
            return builder.inttoptr(address, context.get_value_type(sig.return_type))

        return types.CPointer(kind)(desk, types.int64), codegen

    return at


int64_at = _address_of(types.int64)
uint32_at = _address_of(types.uint32)
uint16_at = _address_of(types.uint16)
int32_at = _address_of(types.int32)


@njit(**INLINE)
def rules_at(desk):
    """The rules."""
    return int64_at(desk, RULES_AT)


@njit(**INLINE)
def bot_at(desk, side):
    """The parameters of a side's bot."""
    return beyond(int64_at(desk, BOTS_AT), side * BOT)


@njit(**INLINE)
def words_at(desk, g):
    """The words of game g."""
    return beyond(int64_at(desk, WORDS_AT), g * WORDS)


@njit(**INLINE)
def sets_at(desk, g):
    """The sets of game g."""
    return beyond(uint32_at(desk, SETS_AT), g * desk[GAME_SETS] * ROWS)


@njit(**INLINE)
def position_at(desk, g):
    """Position g."""
    return beyond(int64_at(desk, POSITIONS_AT), g * POSITION)


@njit(**INLINE)
def task_at(desk, number):
    """A task."""
    return beyond(int64_at(desk, TASKS_AT), number * TASK)


@njit(**INLINE)
def of_points(desk, which, number, size):
    """That part of an array with a number for each point which is for one task, or one game."""
    return beyond(int64_at(desk, which), number * size * size)


@njit(**INLINE)
def counts_of(desk, number, count, size):
    """The counts of the first candidates of a task, of shape (3, count)."""
    first = number * size * size
    total = 2 * desk[GAMES] * size * size
    return carray(int64_at(desk, COUNTS_AT), (3, total))[:, first : first + count]


@njit(**INLINE)
def amaf_of(desk, g, size):
    """The counts of all moves as first of game g, of shape (2, points), or (2, 0)."""
    points = size * size * desk[COUNTED]
    total = points * desk[GAMES]
    return carray(int64_at(desk, AMAF_AT), (2, total))[:, g * points : (g + 1) * points]


@njit(**INLINE)
def planes_of(desk, channels):
    """The first channels of what a net sees."""
    return carray(uint32_at(desk, PLANES_AT), (channels, desk[CHANNEL]))


@njit(**INLINE)
def net_of(desk, side, judge):
    """The channels and the pairs of a side's belief net, or of its candidate evaluator."""
    at = NETS + (2 * side + judge) * NET
    channels = carray(int64_at(desk, at + 1), (desk[at],))
    return channels, carray(int32_at(desk, at + 2), (desk[at + 3],))
