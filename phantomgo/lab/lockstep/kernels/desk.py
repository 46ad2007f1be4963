"""The desk: the games of a batch, and the decisions they are waiting for."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Desk(NamedTuple):
    """All arrays of a batch, with room for what each of its games asks.

    Game g has the tasks 2 g and 2 g + 1 (bots/kernels/tasks.py), the position and the table of
    chances g. A task has room for as many candidates and jobs as the board has points.

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
        said: of all games, what the net of hidden stones says of each point.
        shares: of all games, what the judge says of each candidate.
        planes: what a net sees, for one view at a time.
        black_channels, black_pairs: Black's net of hidden stones (bots/kernels/net.py).
        white_channels, white_pairs: White's.
        black_judge_channels, black_judge_pairs: Black's judge, if there is one.
        white_judge_channels, white_judge_pairs: White's.
        odds: of whatever a net can say.
        kept: of shape (decisions, KEPT): decisions made and in the making.
        log: of shape (games, attempts).
        worlds: how many of them judge a pass (bots/passing.py).
        sure: a share of wins that counts as won then.
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
    said: Ints
    shares: Ints
    planes: NDArray[np.uint32]
    black_channels: Ints
    black_pairs: NDArray[np.int32]
    white_channels: Ints
    white_pairs: NDArray[np.int32]
    black_judge_channels: Ints
    black_judge_pairs: NDArray[np.int32]
    white_judge_channels: Ints
    white_judge_pairs: NDArray[np.int32]
    odds: Ints
    kept: Ints
    log: NDArray[np.int32]
    worlds: int
    sure: float
