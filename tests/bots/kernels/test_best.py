"""The best candidate, by whole fractions and a stream for ties."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bots.worlds import Statistics
from phantomgo.rng import Stream

KEYS = st.integers(0, 2**64 - 1)
FEW = st.tuples(st.integers(1, 3), st.integers(0, 3), st.integers(-2, 2))
MANY = st.tuples(
    st.integers(1, 10**9), st.integers(0, 10**9), st.integers(-361 * 10**9, 361 * 10**9)
)


def stats(results: list[tuple[int, int, int]]) -> Statistics:
    counted = Statistics(len(results))
    for i, (visits, wins, margins) in enumerate(results):
        counted.counts[:, i] = visits, min(wins, visits), margins
    return counted


@given(st.lists(FEW | MANY, min_size=1, max_size=30), KEYS)
def test_greatest_share_then_margin_then_the_stream(results, key):
    counted = stats(results)
    ranks = [
        (Fraction(wins, visits), Fraction(margins, visits))
        for visits, wins, margins in counted.counts.T.tolist()
    ]
    tied = [i for i, rank in enumerate(ranks) if rank == max(ranks)]
    assert counted.best(key) == tied[Stream(key).below(len(tied))]


def test_an_unplayed_candidate_is_no_better_than_a_lost_one():
    counted = stats([(0, 0, 0), (9, 1, -50), (0, 0, 0)])
    assert counted.best(1) == 1


@given(st.lists(FEW, min_size=2, max_size=12), st.integers(0, 300), st.data())
def test_the_best_of_a_round(results, amaf, data):
    """By value, all moves as first included, then by margin; one that is as good may be any."""
    counted, points = Statistics(len(results), 20), np.arange(len(results)) + 3
    counted.counts[:] = stats(results).counts
    for p in range(20):
        visits = data.draw(st.integers(0, 4))
        counted.amaf_counts[:, p] = visits, data.draw(st.integers(0, visits))
    left = np.array(data.draw(st.permutations(range(len(results)))))[: len(results) - 1]
    kept = data.draw(st.integers(1, len(left)))

    def rank(i: int) -> tuple[Fraction, Fraction]:
        visits, wins, margins = counted.counts[:, i].tolist()
        also, won = counted.amaf_counts[:, points[i]].tolist()
        extra = amaf if also else 0
        value = (wins + extra * Fraction(won, max(also, 1))) / Fraction(visits + extra)
        return value, Fraction(margins, visits)

    best = counted.best_of(left, points, amaf, kept, data.draw(KEYS)).tolist()
    assert len(set(best)) == kept
    assert set(best) <= set(left.tolist())
    ranked = sorted((float(rank(i)[0]) for i in left.tolist()), reverse=True)
    assert np.allclose([float(rank(i)[0]) for i in best], ranked[:kept])
    if amaf == 0:  # whole counts: no rounding but of the last place
        margins = [float(rank(i)[1]) for i in best]
        for a, b, m, n in zip(best, best[1:], margins, margins[1:], strict=False):
            assert rank(a)[0] != rank(b)[0] or m >= n
