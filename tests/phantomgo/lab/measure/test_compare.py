"""All learners at equal games, measured on seeds they never asked for."""

import json

import numpy as np
import pytest

from phantomgo.app.cli import main
from phantomgo.errors import BadText
from phantomgo.lab.learners import learner as learned
from phantomgo.lab.measure import compare as compared
from phantomgo.lab.measure.compare import budgets_of, compare
from phantomgo.portfolio.matrix import SeedMatrix


def square(number, seed=0):
    random = np.random.default_rng(seed)
    ahead = random.normal(0, 1, number)[:, None] - random.normal(0, 1, number)
    won = (random.random((number, number)) < 1 / (1 + np.exp(-ahead))).astype(np.uint8)
    return SeedMatrix(won, won)


def test_budgets_grow_up_to_the_whole_matrix():
    assert budgets_of(380) == (800, 3200, 12800, 51200, 144400)
    assert budgets_of(40) == (800, 1600)
    assert budgets_of(20) == (400,)


def test_nobody_asks_for_a_test_seed(monkeypatch):
    """A matrix in which every seed is its own mark."""
    seen = []

    def recorded(learner, matrix, budgets, price):
        seen.append({number for number in range(60) if (matrix.black == number).any()})
        return recorded_before(learner, SeedMatrix(*2 * (matrix.black % 2,)), budgets, price)

    recorded_before = learned.recorded
    monkeypatch.setattr(compared, "recorded", recorded)
    marks = np.tile(np.arange(60, dtype=np.uint8)[:, None], (1, 60))
    compare(SeedMatrix(marks, marks), ["bestseed"], [100], exploiters=[1, 16], deals=1)
    assert [len(seeds) for seeds in seen] == [40, 40, 40]
    assert set().union(*seen) == set(range(60))
    assert not set.intersection(*seen)


def test_a_comparison_finds_what_is_better():
    done = compare(square(80), ["uniform", "topk:k=4", "exp3", "oracle"], deals=1)
    assert done.own == 60
    assert list(done.budgets) == [800, 3200, 3600]
    assert done.rates.shape == (1, 4, 4, 3, 2)
    one, sixteen = done.mean[:, -1].T
    assert abs(one[0] - 0.5) < 0.05
    assert one[1] > one[0] + 0.1
    assert one[2] > one[0]
    assert sixteen[3] > sixteen[0]
    assert (done.games[:, :, 0, -1] == 3600).all()
    assert (done.games[:, :, 3, -1] < 3600).all()
    again = compare(square(80), ["uniform", "topk:k=4", "exp3", "oracle"], deals=1)
    assert (again.rates == done.rates).all()


def test_at_equal_time_a_learner_that_computes_more_plays_less():
    """A game takes no longer here than a millionth of a second, so equilibria take it all."""
    learners = ["halving:k=4", "oracle:more=1"]
    done = compare(square(80), learners, [3600], price=1e-6, deals=1)
    assert np.allclose(done.budgets, 0.0036)
    assert (done.seconds > 0).all()
    assert done.games[:, :, 1].max() < 3600
    dear = compare(square(80), ["nash"], [850, 3599], price=10.0, deals=1)
    assert (dear.games == [29**2, 59**2]).all()
    assert (dear.rates == compare(square(80), ["nash"], [850, 3599], deals=1).rates).all()


def test_what_cannot_be_compared():
    with pytest.raises(
        BadText, match="30 x 30 seeds are not a square matrix that can be split into folds"
    ):
        compare(square(30))
    with pytest.raises(BadText, match="K'=24, which takes 48 seeds at least"):
        compare(square(40), exploiters=(1, 24))
    with pytest.raises(BadText, match="exploiters is empty; name one K' at least"):
        compare(square(60), exploiters=())
    with pytest.raises(BadText, match=r"exp3:games=9,.*is given for all alike"):
        compare(square(60), ["exp3:games=9"])
    with pytest.raises(BadText, match="no method 'magic'"):
        compare(square(60), ["magic"])


def test_the_command(tmp_path, capsys):
    words = ["evaluate", "learners", "flat5", "flat7", "--learners", "bestseed", "ucb"]
    words += ["--budgets", "400", "900", "--deals", "1", "--jobs", "1"]
    assert main([*words, "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    five = table["flat5: 5x5, flatmc:playouts=200, komi 2.5, olympiad"]
    assert (five["seeds"], five["games"], five["learnings"]) == (380, [400, 900], 20)
    assert five["learners"]["bestseed"]["rate"][0][1] > 0.55
    assert five["learners"]["bestseed"]["different_games"] == [400, 900]
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    assert main([*words, "--budgets", "400", "--plot", str(tmp_path / "c.svg")]) == 0
    assert "| ucb | " in capsys.readouterr().out
    for name in ("c-flat5-1.svg", "c-flat7-16.svg"):
        assert (tmp_path / name).read_text().startswith("<?xml")


def test_budgets_are_games_or_seconds(capsys):
    words = ["evaluate", "learners", "flat5", "--learners", "bestseed", "--deals", "1"]
    words += ["--budgets", "400", "--exploiters", "1"]
    assert main(words) == 0
    assert "\n| K'=1 | 400 |\n" in capsys.readouterr().out
    assert main([*words, "--milliseconds", "0.1"]) == 0
    assert "\n| K'=1 | 0.04 s |\n" in capsys.readouterr().out


def test_a_plot_that_cannot_be_drawn(tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    assert main(["evaluate", "learners", "flat5", "--plot", str(tmp_path / "c.xyz")]) == 2
    assert "ends in no format" in capsys.readouterr().err


def test_wrong_results_mislead_learners_and_spoil_no_test():
    """Where every other result is wrong, nothing can be learned; the tests are what they were."""
    methods = ["uniform", "topk:k=4"]
    right, wrong = (compare(square(80), methods, [3600], noise=n, deals=3) for n in (0.0, 0.5))
    (same, best), (same_again, misled) = (done.mean[:, 0, 0] for done in (right, wrong))
    assert same == same_again
    assert best > misled + 0.08
    assert abs(misled - same) < 0.08
