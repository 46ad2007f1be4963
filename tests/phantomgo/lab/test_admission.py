"""The game that the options of a command describe."""

import pytest

from phantomgo.errors import BadText
from phantomgo.lab.admission import game_of
from tests.support.gtp_tools import run, session


@pytest.mark.parametrize(
    ("profile", "handicap", "given", "komi"),
    [
        ("olympiad", (), None, 2.5),
        ("olympiad", ("0",), None, 2.5),
        ("olympiad", ("2",), None, 0.5),
        ("olympiad", ("C3", "B2"), None, 0.5),
        ("cazenave", ("2",), None, 0.5),
        ("olympiad", ("2",), 3.5, 3.5),
    ],
)
def test_komi_is_even_without_handicap_and_a_half_with_it(profile, handicap, given, komi):
    assert game_of(profile, 5, given, handicap).rules.komi == komi


def begun(size, *handicap):
    return game_of("olympiad", size, 0.5, handicap).beginning.handicap


@pytest.mark.parametrize(("size", "counts"), [(5, (2, 3, 4)), (9, range(2, 10)), (19, (2, 9))])
def test_a_number_of_handicap_stones_is_that_of_gtp(size, counts):
    for count in counts:
        answer = run(session(), f"boardsize {size}", f"place_free_handicap {count}")[-1]
        _, *points = answer.split()
        assert begun(size, f"{count}") == begun(size, *points)
        assert len(points) == count


@pytest.mark.parametrize("count", ["1", "10", "9" * 30])
def test_no_other_number_is_a_handicap(count):
    with pytest.raises(BadText, match=f"handicap {count[:9]} is not 0 or from 2 to 9 on 9x9"):
        begun(9, count)
    assert begun(9, "0") == begun(9) == 0
