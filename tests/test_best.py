"""The best candidate, by whole fractions and a stream for ties."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from bots.worlds import Tally
from phantomgo.rng import Stream

KEYS = st.integers(0, 2**64 - 1)
FEW = st.tuples(st.integers(1, 3), st.integers(0, 3), st.integers(-2, 2))
MANY = st.tuples(
    st.integers(1, 10**9), st.integers(0, 10**9), st.integers(-361 * 10**9, 361 * 10**9)
)


def tally(results: list[tuple[int, int, int]]) -> Tally:
    counted = Tally(len(results))
    for i, (visits, wins, margins) in enumerate(results):
        counted.counts[:, i] = visits, min(wins, visits), margins
    return counted


@given(st.lists(FEW | MANY, min_size=1, max_size=30), KEYS)
def test_greatest_share_then_margin_then_the_stream(results, key):
    counted = tally(results)
    ranks = [
        (Fraction(wins, visits), Fraction(margins, visits))
        for visits, wins, margins in counted.counts.T.tolist()
    ]
    tied = [i for i, rank in enumerate(ranks) if rank == max(ranks)]
    assert counted.best(key) == tied[Stream(key).below(len(tied))]


def test_what_was_not_played_is_no_better_than_what_lost():
    counted = tally([(0, 0, 0), (9, 1, -50), (0, 0, 0)])
    assert counted.best(1) == 1
