"""Learning online: in matches, and from matrices."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import chdir, closing, redirect_stdout
from io import StringIO

import numpy as np
import pytest

from bots.experience import holdings
from bots.kernels.bandits import learn
from bots.kernels.ucbt import best_arm
from bots.worlds import signed
from phantomgo.app.cli import main
from phantomgo.lab.measure.adaptation import Opponent, changing, curve
from phantomgo.lab.seed_store import SeedStore
from phantomgo.portfolio.book import read_book
from phantomgo.rng import GAMMA, mix
from tests.support.places import ROOT

HERE = os.environ | {"PYTHONPATH": str(ROOT)}
ARMS = "random|flatmc:playouts=3|flatmc:playouts=40"


SPEC = f"online:{ARMS},state=state.db"
MATCH = ("match", "--black", SPEC, "--white", "flatmc:playouts=20", "--size", "4", "--games", "20")
KEPT = ("--store", "games.db", "--jobs")


def state(folder) -> list[tuple]:
    query = "SELECT what, seed, arm, won, place FROM games JOIN learners ON learner = id"
    with closing(sqlite3.connect(folder / "state.db")) as file:
        return sorted(file.execute(query).fetchall())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The table and the state of a match played in one go."""
    folder = tmp_path_factory.mktemp("whole")
    with chdir(folder), redirect_stdout(StringIO()) as out:
        assert main([*MATCH]) == 0
    return out.getvalue(), state(folder)


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_a_match_comes_to_the_same_in_two_processes_and_after_kills(
    whole, tmp_path, monkeypatch, capsys, kills
):
    chance = random.Random(kills)
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-m", "phantomgo", *MATCH, *KEPT, "2"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path, env=HERE,
        )  # fmt: skip
        try:
            process.wait(1.0 + 1.5 * chance.random())
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.wait()
    monkeypatch.chdir(tmp_path)
    assert main([*MATCH, *KEPT, "2"]) == 0
    assert capsys.readouterr().out == whole[0]
    assert state(tmp_path) == whole[1]
    assert sum(one["games"] for one in holdings("state.db")) == 20
    assert main(["store", "learned", "state.db"]) == 0
    shown = capsys.readouterr().out
    assert re.search("^Black, 4x4, komi 7.5: 10 games, won ", shown, re.M)
    assert "  random\n" in shown


def slow_curve(won, before, after, switch, discount, keys, games):
    """The losing rates of learners, a game at a time; results are drawn as the kernel does."""
    found = np.zeros(games)
    for r, first in enumerate(keys):
        key = first
        played, gained = np.zeros(len(won)), np.zeros(len(won))
        for t in range(games):
            chances = (before if t < switch else after)[r % len(before)]
            key = (key + GAMMA) % 2**64
            arm = best_arm(played, gained, signed(mix(key)))
            found[t] += 1 - won[arm] @ chances
            key = (key + GAMMA) % 2**64
            number, column = (mix(key) >> 11) / 2**53, 0
            while column < len(chances) - 1 and number >= chances[: column + 1].cumsum()[-1]:
                column += 1
            played, gained = played * discount, gained * discount
            played[arm] += 1
            gained[arm] += won[arm, column]
    return found / len(keys)


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_the_kernel_learns_as_the_formula_says(discount):
    won = np.random.default_rng(1).integers(0, 2, (6, 8)).astype(np.uint8)
    opponent = changing(8, 3, 2, 4)
    keys = np.array([3, 2**63 + 5, 77, 12345], np.uint64)
    lost, squares, last = np.zeros(60), np.zeros(60), np.zeros(4, np.int64)
    stages = np.stack([opponent.before, opponent.after], 1)
    chances, rates = np.cumsum(stages, 2), stages @ won.T.astype(float)
    learn(won, chances, rates, keys.view(np.int64), 40, discount, lost, squares, last)
    slow = slow_curve(
        won, opponent.before, opponent.after, 40, discount, [int(k) for k in keys], 60
    )
    assert np.allclose(lost / 4, slow)


def test_every_single_opponent_is_beaten_for_good():
    won = np.random.default_rng(2).integers(0, 2, (20, 20)).astype(np.uint8)
    assert won.any(axis=0).all()
    found = curve(won, Opponent("each", np.eye(20)), games=400, repeats=40, seed=1)
    assert found.best == 0
    assert found.last.max() < 128
    assert (found.lost[128:] == 0).all()


def test_a_mixture_is_played_by_the_arm_that_beats_it():
    won = np.array([[1, 0, 0], [0, 1, 1], [0, 1, 0]], np.uint8)
    opponent = Opponent("mixed", np.array([[0.2, 0.5, 0.3]]))
    found = curve(won, opponent, games=2000, repeats=20, seed=1)
    assert found.best == pytest.approx(0.2)
    assert found.lost[-1] < 0.25
    assert found.until_beaten is not None
    assert curve(won[:1], opponent, games=50, repeats=2, seed=1).until_beaten is None


def test_who_forgets_recovers_sooner():
    won = np.eye(2, dtype=np.uint8)
    won[0, 1] = 0
    opponent = Opponent("turned", np.array([[0.9, 0.1]]))._replace(after=np.array([[0.1, 0.9]]))
    found = {
        discount: curve(won, opponent, games=900, repeats=50, seed=1, discount=discount, switch=400)
        for discount in (1.0, 0.95)
    }
    recovered = {discount: one.until_recovered(400) for discount, one in found.items()}
    assert recovered[0.95] < 60 < recovered[1.0]


FEW = ["--repeats", "20", "--games", "64"]
CURVES = ["evaluate", "online", "flat5", "--arms", "20", *FEW]


def test_the_curves_are_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    plot = tmp_path / "curves.svg"
    assert main([*CURVES, "--plot", str(plot)]) == 0
    assert "each single seed, as White" in plot.read_text()


def test_the_command(tmp_path, capsys):
    assert main(CURVES) == 0
    out = capsys.readouterr().out
    assert re.search(r"\| nash \| Black \| [\d.]+ ± ", out)
    assert "| one seed, then another | White | 0.99 |" in out
    store = ["--store", str(tmp_path / "games.db"), "--jobs", "1", "--json"]
    assert main(["evaluate", "arms", "top5", "--arms", "3", *FEW, *store]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["opponent"], row["colour"]) for row in rows] == [
        ("top5", "Black"),
        ("top5", "White"),
    ]
    assert 0 < rows[0]["best_arm_loses"] < 1
    book = read_book("top5")
    fresh = range(book.training.fresh, book.training.fresh + 3)
    with SeedStore(tmp_path / "games.db", book.setup) as kept:
        assert {white for _, white in kept.results()} == {*book.white.seeds, *fresh}
    assert main(["evaluate", "online", "flat5", "--arms", "401"]) == 2
    assert "arms 401 is not from 2 to 400, as flat5 has" in capsys.readouterr().err
    assert main(["store", "learned", str(tmp_path / "games.db")]) == 1
    assert "is not a store of what a bot has learned online" in capsys.readouterr().err
