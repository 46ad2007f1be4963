"""The game that the options of a command describe."""

import pytest

from phantomgo.lab.admission import game_of


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
