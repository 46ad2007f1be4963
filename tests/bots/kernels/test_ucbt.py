"""UCBT: the formula of Reinforcing, section III-B, and which of equal arms is played."""

import math
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bots.kernels.ucbt import best_arm


def score(n: float, r: float, t: int) -> float:
    """As the paper writes it: p = 2.1, C = 2, X/0 is infinite."""
    if n == 0:
        return 1.0
    wide = math.log(4 * t**2.1)
    return min(1.0, r / n + math.sqrt(2 * wide / n) / 100 + 16 / 100 * wide / n)


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), min_size=1, max_size=30))
def test_no_arm_has_a_higher_score(arms):
    played = np.array([n for n, _ in arms], float)
    won = np.array([min(n, r) for n, r in arms], float)
    t = 1 + int(played.sum())
    scores = [score(n, r, t) for n, r in zip(played, won, strict=True)]
    best = best_arm(played, won, 5)
    assert scores[best] >= max(scores) - 1e-4
    if scores[best] == max(scores) == 1:
        shares = [r / n if n else 0 for n, r in zip(played, won, strict=True)]
        sure = [s for s, x in zip(shares, scores, strict=True) if x == 1]
        assert shares[best] >= max(sure) - 1e-9


def test_its_constants_are_those_of_the_paper():
    """Of two arms with nearly the same score the better one is played, by every constant."""
    random, told_apart = np.random.default_rng(1), set()
    for _ in range(3000):
        played = random.integers(100, 5000, 2).astype(float)
        t = 1 + int(played.sum())
        wide = [score(n, 0, t) for n in played]
        share = 0.5 + random.normal(0, 1e-4)
        won = np.array([0.5 * played[0], (share + wide[0] - wide[1]) * played[1]])
        first, second = (score(n, r, t) for n, r in zip(played, won, strict=True))
        if abs(first - second) > 1e-6:
            best = int(second > first)
            assert best_arm(played, won, 1) == best
            told_apart.add(best)
    assert told_apart == {0, 1}


def test_arms_that_are_all_alike_are_drawn_evenly():
    drawn = Counter(best_arm(np.zeros(4), np.zeros(4), key) for key in range(4000))
    assert len(drawn) == 4
    assert min(drawn.values()) > 850
