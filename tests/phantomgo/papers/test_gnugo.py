"""The experiments of GNU Go, with a small engine that plays by its seed in its place."""

import sys

import numpy as np
import pytest

from phantomgo.app.cli import main
from phantomgo.papers import gnugo
from phantomgo.papers.seeds import GNU_GO
from tests.support.engines import GNUGO
from tests.support.places import TESTS

ENGINE = f"gtp:{sys.executable} -S {TESTS / 'engines' / 'seeded.py'} {{seed}} --level 400"


@pytest.fixture(autouse=True)
def in_place_of_gnu_go(monkeypatch):
    monkeypatch.setattr(gnugo, "which", lambda _: "gnugo")
    monkeypatch.setattr(gnugo, "GNU_GO", ENGINE)
    monkeypatch.setattr(gnugo, "classical", lambda level: f"{ENGINE} {level}")
    monkeypatch.setattr(gnugo, "SMALL", "go:size=3,komi=0.5")


def test_the_best_seed_plays_another_program(tmp_path, capsys):
    words = ["reproduce", "transfer", "--seeds", "4", "--games", "3", "--out", f"{tmp_path}"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "The best of 4 seeds as Black, 3 games a level" in said
    assert said.count("| level ") == 10
    assert main(words) == 0
    assert capsys.readouterr().out == said


def test_a_strong_player_judges_the_first_differences(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(gnugo, "POSITIONS", 2)
    words = ["reproduce", "judged", "--seeds", "4", "--games", "500", "--out", f"{tmp_path}"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert said.count("| position ") == 2
    best_black = gnugo.best_black

    def another(scope):
        best, matrix = best_black(scope)
        return (best + 1) % matrix.own, matrix

    # With more seeds another one may be the best, whose first differences are others.
    monkeypatch.setattr(gnugo, "best_black", another)
    assert main(words) == 0


def test_differences_are_other_positions():
    found = [each for each, _ in zip(gnugo.differences(1), range(6), strict=False)]
    for state, best, original in found:
        boards = [gnugo._images(state.after(move).board) for move in (best, original)]
        assert boards[0] != boards[1]
    assert len(found) == 6


def test_variants_meet(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(gnugo, "OPTIONS", (("--a", ""),))
    monkeypatch.setattr(
        gnugo, "GNU_GO", f"gtp:{sys.executable} -S {TESTS / 'engines' / 'seeded.py'} {{seed}}"
    )
    monkeypatch.setattr(gnugo, "BOARD", "go:size=3,komi=0.5")
    assert main(["reproduce", "variants", "--games", "4", "--out", f"{tmp_path}"]) == 0
    assert "4 games of each two variants" in capsys.readouterr().out


@pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed (Debian: apt-get install gnugo)")
def test_gnu_go_has_the_options_of_all_variants(monkeypatch):
    monkeypatch.setattr(gnugo, "GNU_GO", GNU_GO.replace("gtp:gnugo", f"gtp:{GNUGO}"))
    made = gnugo.Variants.made().players
    assert len({identity.name for identity in made}) == 32
    assert {identity.data["engine"] for identity in made} == {"GNU Go 3.8"}


def test_portfolios_of_variants_meet():
    """Rock, paper and scissors, and a variant that loses to all: by hand."""
    mean = np.array([[50, 0, 100, 100], [100, 50, 0, 100], [0, 100, 50, 100], [0, 0, 0, 50]]) / 100
    judge = np.repeat(mean[:, :, None], 100, axis=2)
    found = [rate.value for rate in gnugo._pairs(mean, judge)]
    uniform = 100 * (3 / 2 + 1) / 4
    assert found == pytest.approx([50, uniform, 100 - uniform, 50, 50])
