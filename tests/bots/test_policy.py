"""Policies: the kernel against an obvious oracle, draws, and untrusted files."""

import json
import math
from collections import Counter

import numpy as np
import pytest

from bots import make
from bots.belief import candidates
from bots.kernels.net import ONE
from bots.kernels.policy import BITS, POLICY_ONE, TOP, log_odds
from bots.policies import LIBRARY, POLICY_PLANES, Policy, dumps, loads, read_policy
from bots.policy import PolicyBot, chances
from phantomgo.errors import BadNet, BadText
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, PASS
from phantomgo.game.rules import Rules
from tests.support.strategies import played

GAME = Game(Rules())

SHAPE = (5, 3, 1, 4)
COUNT = 9 * len(POLICY_PLANES) * 5 + 5 + 2 * 9 * 25 + 2 * 5 + 25 + 5 + 4 * 6 + 5


def small(seed=0, widest=400) -> Policy:
    """A policy of small shape with drawn numbers, its log odds far apart."""
    numbers = np.random.default_rng(seed).integers(-widest, widest, COUNT)
    return Policy("small", SHAPE, numbers.astype(np.int32), {})


def text(**changes) -> str:
    """The file of a small policy, with some of its fields changed; None leaves one out."""
    fields = json.loads(dumps(small())) | changes
    return json.dumps({key: value for key, value in fields.items() if value is not None})


def oracle(policy, seen, size):
    """What the kernel says, with Python's numbers, point by point."""
    first, bias, others, biases, pool, point, hidden, outcome = (
        part.tolist() for part in policy.parts
    )
    channels, _, pooled, _ = policy.shape
    board = [(r, c) for r in range(size) for c in range(size)]

    def mean(values, i):
        return sum(values[at][i] for at in board) // size**2

    def found(values, weights, added):
        sums = {}
        for r, c in board:
            sums[r, c] = list(added)
            for n, (dr, dc) in enumerate((dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)):
                for i, value in enumerate(values.get((r + dr, c + dc), [])):
                    for o in range(channels):
                        sums[r, c][o] += value * weights[n][i][o]
        return {at: [max(s >> BITS, 0) for s in each] for at, each in sums.items()}

    values = {(r, c): [int(v) * POLICY_ONE // ONE for v in seen[:, r * size + c]] for r, c in board}
    values = {at: [min(v, TOP) for v in each] for at, each in found(values, *first, *bias).items()}
    for layer, (weights, added) in enumerate(zip(others, biases, strict=True), 1):
        summed = added
        if layer == pooled:
            means = [mean(values, i) for i in range(channels)]
            summed = [
                a + sum(m * pool[i][o] for i, m in enumerate(means)) for o, a in enumerate(added)
            ]
        new = found(values, weights, summed)
        values = {
            at: [min(a + b, TOP) for a, b in zip(values[at], new[at], strict=True)] for at in board
        }
    said = [sum(v * w for v, w in zip(values[at], point, strict=True)) >> BITS for at in board]
    means = [mean(values, i) for i in range(channels)]
    units = [
        min(
            max((sum(m * w for m, w in zip(means, unit[:-1], strict=True)) + unit[-1]) >> BITS, 0),
            TOP,
        )
        for unit in hidden
    ]
    total = sum(u * w for u, w in zip(units, outcome[:-1], strict=True)) + outcome[-1]
    return [*said, total >> BITS]


@pytest.mark.parametrize("size", [2, 5, 8])
def test_the_kernel_computes_what_the_oracle_does(size):
    for seed, widest in enumerate((60, 200, 1000, 10_000, (1 << 31) - 1)):
        policy = small(seed, widest)
        seen = np.random.default_rng(seed).integers(0, 129, (len(POLICY_PLANES), size**2))
        said = log_odds(seen, *policy.parts, policy.shape[2], size)
        assert said.tolist() == oracle(policy, seen, size)


def test_chances_are_in_proportion_to_the_odds():
    odds = np.array([0, POLICY_ONE, 2 * POLICY_ONE, -40 * POLICY_ONE])
    for thousandths, base in ((1000, math.e), (2000, math.e**0.5), (500, math.e**2)):
        weights = chances(odds, thousandths)
        assert np.allclose(weights[1:3] / weights[0], [base, base**2], rtol=1e-2)
        assert weights[3] == weights.min() > 0


def test_it_makes_the_likeliest_attempt_or_draws_by_its_seed(tmp_path, caplog):
    LIBRARY.write(small(), tmp_path / "small.json")
    view = played(5, 3, 12).view(BLACK)
    spec = f"policy:net={tmp_path}/small.json"
    likeliest = {make(spec, Game.of(view), seed).decide(view).move for seed in range(5)}
    assert len(likeliest) == 1
    bot = PolicyBot(GAME, 0, f"{tmp_path}/small.json", 4.0)
    drawn = Counter(make(bot.name, Game.of(view), seed).decide(view).move for seed in range(400))
    assert len(drawn) > 3
    assert all(move == PASS or candidates(view) >> move & 1 for move in drawn)
    assert make(f"{spec},temperature=0.001", Game.of(view), 1).decide(view).move in likeliest
    assert bot.data() == {"net": small().digest}
    assert caplog.text.count("was learned on a board of size None, not 5") == 1


@pytest.mark.parametrize(
    ("size", "net"),
    [
        (2, "policy5"),
        (5, "policy5"),
        (6, "policy7"),
        (7, "policy7"),
        (8, "policy7"),
        (9, "policy9"),
    ],
)
def test_the_best_policy_is_that_of_the_board(size, net):
    view = played(size, 1, 4).view(BLACK)
    said = [
        make(f"policy:{more}temperature=1", Game.of(view), 3).decide(view)
        for more in ("", f"net={net},")
    ]
    assert said[0].move == said[1].move
    assert make("policy", GAME, 0).data()[f"net {net}"] == read_policy(net).digest


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"format": 2}, "format: 2 is not 1"),
        ({"name": "a/b"}, "name: 'a/b' does not match"),
        ({"more": 1}, "more: is not a field of a policy"),
        ({"digest": "0" * 16}, "digest: 0000000000000000 is not that of the numbers"),
        ({"learned_from": []}, "learned_from: a list is not an object"),
        ({"planes": ["own"]}, "planes: are not board, own, enemy"),
        ({"shape": [5, 3, 1]}, "shape: is not four whole numbers"),
        ({"shape": [5, 3, 1, 0.5]}, "shape: is not four whole numbers"),
        ({"shape": [10**9, 3, 1, 4]}, r"is not from 1 to \(128, 16, 16, 128\)"),
        ({"shape": [5, 3, 1, 5]}, "numbers: are not .* whole numbers"),
        ({"numbers": [1.5] * COUNT}, "are not .* whole numbers of at most 2147483647"),
        ({"numbers": [1 << 31] * COUNT}, "numbers: are not"),
        ({"layers": []}, "it is a net, not a policy"),
    ],
)
def test_a_bad_policy_is_refused_by_the_field(changes, complaint):
    with pytest.raises(BadNet, match=complaint):
        loads(text(**changes))


def test_an_unknown_policy_is_refused(tmp_path):
    with pytest.raises(BadText, match="nosuch"):
        make("policy:net=nosuch", GAME, 0).data()
    with pytest.raises(BadNet, match="there is no policy"):
        make(f"policy:net={tmp_path}/missing.json", GAME, 0).data()
