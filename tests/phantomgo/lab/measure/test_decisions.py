"""What single decisions are worth, on seeds whose beginnings are known."""

import json

import numpy as np
import pytest

from phantomgo.app.cli import main
from phantomgo.identity import Identity
from phantomgo.lab.measure.decisions import _explained, beginnings, best_beginning, steps
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.packed import read_matrix
from phantomgo.portfolio.setup import Setup
from phantomgo.rules import Rules
from tests.support.learning import go_setup

THREE = Setup(Identity("random"), Identity("random"), "olympiad", Rules(size=3))


def test_the_best_beginning_move_after_move():
    # On 3x3: the middle (4), corners (0, 2, 6, 8: one by symmetry), and what follows.
    begun = [(4, 0), (4, 2), (4, 1), (0, 4), (2, 4), (8, 4), (0, 1)]
    rates = np.array([0.5, 0.7, 0.2, 0.6, 0.6, 0.6, 0.1])
    moves, seeds = best_beginning(rates, begun, THREE, 1, fewest=3)
    assert (moves, seeds.tolist()) == ((0,), [3, 4, 5, 6])  # 0.475 against 0.467
    moves, seeds = best_beginning(rates, begun, THREE, 2, fewest=2)
    assert (moves, seeds.tolist()) == ((0, 4), [3, 4, 5])
    moves, seeds = best_beginning(rates, begun, THREE, 2, fewest=4)
    assert (moves, seeds.tolist()) == ((0,), [3, 4, 5, 6])
    assert best_beginning(rates, begun, THREE, 2, fewest=9)[0] == ()


def test_what_beginnings_explain():
    random = np.random.default_rng(1)
    groups = [(number % 4,) for number in range(8000)]
    noise = random.normal(0, 1, 8000)
    assert _explained(noise, groups) == pytest.approx(0, abs=0.03)
    planted = noise + np.array([group[0] % 2 * 2.0 for group in groups])
    assert _explained(planted, groups) == pytest.approx(0.5, abs=0.06)
    assert _explained(noise, [(number,) for number in range(8000)]) is None


def test_steps_find_a_planted_first_move():
    packed = read_matrix("flat5")
    black, _ = beginnings(go_setup(packed), 80, 1)
    middle = np.array([moves == (12,) for moves in black])
    random = np.random.default_rng(0)
    won = (random.random((80, 80)) < np.where(middle[:, None], 0.8, 0.3)).astype(np.uint8)
    found = steps(go_setup(packed), SeedMatrix(won, won), 1)
    assert [step.length for step in found] == [0, 1]
    assert found[0].kept == (80, 80)
    assert found[1].chosen[0] == (12,)
    assert found[1].kept[0] == middle.sum()
    assert found[1].explained[0] > 0.8
    assert found[1].rates[:, 0].mean() > found[0].rates[:, 0].mean() + 0.1


def test_the_command(capsys):
    assert main(["evaluate", "openings", "flat5", "--length", "1", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["steps"][1]["number"] == [6, 6]
    assert table["steps"][1]["chosen"][0] == ["C3"]


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "openings"],
        ["evaluate", "learners"],
        ["evaluate", "online"],
        ["evaluate", "methods", "--matrix"],
    ],
    ids=" ".join,
)
def test_survivors_are_not_dealt_anew(words, capsys):
    assert main([*words, "halved5"]) == 2
    assert "matrix halved5 is of seeds that halving left" in capsys.readouterr().err
