"""Short arrays, by Python's own lists."""

from hypothesis import given
from hypothesis import strategies as st

from bots.worlds import as_array
from phantomgo.points import members


@given(
    st.integers(2, 19).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 2 ** (n * n) - 1)))
)
def test_members_in_board_order(board):
    size, points = board
    assert as_array(points, size).tolist() == list(members(points))
