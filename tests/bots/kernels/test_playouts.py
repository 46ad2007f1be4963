"""The playout kernel against the oracle, game by game, from the same random streams."""

import os

import numpy as np
import pytest

from bots.kernels.playouts import play_out
from bots.kernels.positions import TABLE
from bots.kernels.rows import workspace
from bots.kernels.tasks import only_task
from phantomgo.game.points import members
from phantomgo.rng import Stream
from tests.support.commands import python
from tests.support.naive import playout
from tests.support.positions import Position, kernel, packed, positions


def oracle(position, candidates, first, key, passed=0):
    size = position.size
    open_points = [divmod(p, size) for p in members(position.open)]
    weights = {divmod(p, size): weight for p, weight in enumerate(position.weights)}
    moves, margins = 0, []
    amaf_visits, amaf_wins = [0] * size**2, [0] * size**2
    for i, candidate in enumerate(candidates):
        point = divmod(candidate, size) if candidate >= 0 else None
        margin, count, played = playout(
            position.naive(), open_points, weights, position.hidden, point, key, first + i, passed
        )
        moves += count
        margins.append(margin)
        for r, c in played:
            amaf_visits[r * size + c] += 1
            amaf_wins[r * size + c] += margin > 0
    wins = [int(margin > 0) for margin in margins]
    return moves, margins, wins, [1] * len(candidates), amaf_visits, amaf_wins


def compare(size: int, seed: int, games: int, batch: int = 40) -> None:
    stream = Stream(seed)
    for number, position in enumerate(positions(size, seed, max(1, games // batch))):
        known = position.own | position.enemy
        points = [p for p in range(size * size) if not known >> p & 1] + [-1]
        candidates = [points[stream.below(len(points))] for _ in range(batch)]
        first, key = stream.below(1000), stream.below(1 << 32) << 28
        wide, passed = bool(number % 2), number % 3 // 2  # after the opponent's pass
        assert kernel(position, candidates, first, key, wide, passed) == oracle(
            position, candidates, first, key, passed
        )


GAMES = {2: 160, 3: 160, 4: 160, 5: 160, 7: 40, 9: 16, 13: 4, 15: 2, 16: 2, 19: 2}


@pytest.mark.parametrize(("size", "games"), GAMES.items())
def test_every_playout_is_the_oracles(size, games):
    compare(size, 1, games, batch=max(1, games // 4))


@pytest.mark.parametrize("weights", [(), (9, 1, 5, 700, 1, 1, 1, 1, 1)])
def test_more_hidden_stones_than_open_points(weights):
    position = Position(3, own=1 << 8, open=0b001_110_011, hidden=7, weights=weights)
    candidates = [0, 2, 5, -1] * 10
    assert kernel(position, candidates, 3, 11) == oracle(position, candidates, 3, 11)


@pytest.mark.parametrize("size", [5, 9])
def test_results_do_not_depend_on_lanes_or_batches(size):
    """Playouts one at a time, and all abreast in lanes of either width, are the same games."""
    position = list(positions(size, 5, 2))[1]
    points = [p for p in range(size * size) if not (position.own | position.enemy) >> p & 1]
    candidates = (points * 40)[:200]
    together = kernel(position, candidates, 0, 99)
    assert together == kernel(position, candidates, 0, 99, wide=True)
    alone = [kernel(position, [c], i, 99) for i, c in enumerate(candidates)]
    assert together[1] == [margins[0] for _, margins, *_ in alone]
    assert together[0] == sum(moves for moves, *_ in alone)


@pytest.mark.parametrize("size", [4, 9, 16])
def test_tasks_that_share_the_lanes_are_played_as_they_are_alone(size):
    """Positions with weights and without, jobs that start over, tasks of nothing."""
    chosen = [*positions(size, 9, 8)]
    points = size * size
    candidates = [[p for p in range(points) if not (o.own | o.enemy) >> p & 1][:5] for o in chosen]
    rows, tables, tasks, alone = [], [], [], []
    at = before = 0
    for number, (position, some) in enumerate(zip(chosen, candidates, strict=True)):
        made, table = packed(position)
        made[0, TABLE] = before
        rows.append(made)
        tables.append(table)
        before += len(table)
        playouts = 0 if number == 3 else 7 + 11 * number
        key, need, passed = 1000 + number, number - 4, number % 2 == 1
        amaf = number * points if number % 3 else -1
        tasks.append((number, at, at, len(some), playouts, key, need, passed, amaf))
        at += len(some)
        counts, amaf_counts = np.zeros((3, len(some)), np.int64), np.zeros((2, points), np.int64)
        play_out(
            *workspace(size), size, *packed(position),
            only_task(len(some), playouts, key, need, passed), np.arange(len(some)),
            np.array(some), counts, amaf_counts,
        )  # fmt: skip
        alone.append((counts, amaf_counts if amaf >= 0 else 0 * amaf_counts))
    together, amaf_together = np.zeros((3, at), np.int64), np.zeros((2, 8 * points), np.int64)
    play_out(
        *workspace(size), size, np.concatenate(rows), np.concatenate(tables), np.array(tasks),
        np.concatenate([np.arange(len(some)) for some in candidates]),
        np.concatenate(candidates), together, amaf_together,
    )  # fmt: skip
    assert together.tolist() == np.concatenate([counts for counts, _ in alone], 1).tolist()
    assert amaf_together.tolist() == np.concatenate([amaf for _, amaf in alone], 1).tolist()


DIGEST = """
from tests.support.positions import Position, kernel, positions
import hashlib
played = [
    kernel(position, [-1, 0] * 40, 0, 5) for size in (3, 5, 9, 19)
    for position in positions(size, 8, 4) if not (position.own | position.enemy) & 1
]
print(hashlib.sha256(repr(played).encode()).hexdigest())
"""


INSERTIONS = """
from bots.kernels.playouts import play_out
from tests.support.positions import kernel, positions
for position in positions(5, 8, 1):
    kernel(position, [-1], 0, 5)
print(sum(code.count("pinsrb") for code in play_out.inspect_asm().values()))
"""


def printed(program: str, cpu: str | None, features: str | None, **more: str) -> str:
    """The output of a program whose kernels are compiled for another processor."""
    environment = {**os.environ, **more}
    if cpu is not None:
        environment |= {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": features or ""}
    return python("-c", program, env=environment, check=True, timeout=None).stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cpu", "features"), [("haswell", "+avx2"), ("nehalem", ""), ("x86-64", "")]
)
def test_same_playouts_without_avx512_avx2_or_bmi2(cpu, features):
    """Compiled for older processors, whose vectors are narrower: AVX2, none of it and no BMI2,
    plain x86-64.
    """
    assert printed(DIGEST, cpu, features) == printed(DIGEST, None, None)


@pytest.mark.slow
def test_no_mask_is_put_together_lane_by_lane(tmp_path):
    """With AVX2 that took half of the kernel's time, in 1188 instructions."""
    caches = {"NUMBA_CACHE_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    assert int(printed(INSERTIONS, "haswell", "+avx2", **caches)) < 600
