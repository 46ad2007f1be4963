"""Scripts of notes whose figures are quick to repeat."""

import pytest

from tests.support.commands import python


def test_a_portfolio_of_sixteen_seeds_is_an_equilibrium_of_2x2():
    """As docs/notes/exact.md and README say."""
    pytest.importorskip("pyspiel")
    words = ("--size", "2", "--moves", "3", "--seeds", "16")
    done = python("docs/notes/exact.py", *words, check=True)
    assert "\n| 16 | 1.000 | 0.000 | 0.500 |" in done.stdout
