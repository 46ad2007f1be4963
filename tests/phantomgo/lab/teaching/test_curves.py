"""How often a share of won playouts has won: a curve found again, and made from a match."""

import json
import math

import numpy as np
import pytest

from bots import make
from bots.value import SEEN, Curve, chance, curves, smoothed, stage
from phantomgo.app.cli import main
from phantomgo.lab.records import records
from phantomgo.lab.teaching.curves import HELD_OUT, Judged, fitted, judged_in
from phantomgo.lab.teaching.positions import Origin
from phantomgo.points import BLACK, WHITE
from phantomgo.rules import Rules
from phantomgo.view import View
from tests.support.strategies import played

TRUE = Curve(-0.3, 0.8, -0.7)


def games_by(curve: Curve, count: int) -> list[list[Judged]]:
    """Games in which shares have won as often as a curve says, a position to each."""
    random, origin = np.random.default_rng(5), Origin(9, 5.5, ("a", "b"))
    made = []
    for _ in range(count):
        share, stage = random.uniform(0.02, 0.98), random.uniform(0, 2)
        won = bool(random.random() < curve.at(share, stage))
        made.append([Judged("flatmc", origin, [share], [stage], won)])
    return made


def test_the_curve_behind_the_games_is_found():
    found = fitted(games_by(TRUE, 20_000))["flatmc"]
    assert found.curve == pytest.approx(TRUE, abs=0.1)
    assert found.log_loss < found.raw_log_loss - 0.05
    assert (found.games, found.positions) == (20_000, 20_000)


def test_a_curve_is_measured_on_games_it_was_not_fitted_to():
    """Every game that is held out contradicts all the others."""
    games = [
        [Judged("flatmc", Origin(9, 5.5, ("a", "b")), [0.9], [1.0], number % HELD_OUT > 0)]
        for number in range(20 * HELD_OUT)
    ]
    found = fitted(games)["flatmc"]
    assert found.curve.at(0.9, 1.0) == pytest.approx(1 - 1 / HELD_OUT, abs=0.01)
    assert found.raw_log_loss == pytest.approx(-math.log(0.1), abs=1e-3)
    assert found.log_loss > found.raw_log_loss


def test_few_games_make_no_curve():
    assert not fitted(games_by(TRUE, 39))


def test_a_curve_by_hand():
    assert Curve(0, 1, 0).at(0.7, 1.5) == pytest.approx(0.7)
    assert Curve(0, 1, -1).at(0.5, math.log(3)) == pytest.approx(0.25)
    assert Curve(math.log(4), 0.5, 0).at(0.2, 0) == pytest.approx(2 / 3)


def test_a_share_of_all_or_nothing_leaves_a_doubt():
    assert smoothed(1, 49) == pytest.approx(0.99)
    assert smoothed(0, 0) == 0.5
    view = View(Rules(size=9), BLACK)
    assert 0 < chance("phantom", 0, 10**9, view) < 0.01
    assert 0.99 < chance("phantom", 1, 10**9, view) < 1


def test_a_bot_without_a_curve_is_taken_at_its_word():
    assert chance("nobody", 0.6, 10, View(Rules(size=9), WHITE)) == 0.6


def test_the_bundled_curves_are_less_sure_than_playouts():
    """The raw share says 0.82 in the midst of a game where 64 to 69 % are won."""
    view = played(9, 3, 60).view(BLACK)
    assert 0.5 < stage(view) < 2
    assert set(curves()) == {"flatmc", "phantom", SEEN}
    assert chance("flatmc", 0.82, 1000, view) < chance("phantom", 0.82, 1000, view) < 0.75
    for kind in curves():
        values = [chance(kind, share, 1000, view) for share in np.linspace(0, 1, 11)]
        assert values == sorted(values)
    decision = make("phantom:playouts=200", 1).decide(view)
    assert decision.value == chance("phantom", decision.share, decision.candidates[0].visits, view)


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """The store of a match of `flatmc` with itself."""
    store = tmp_path_factory.mktemp("value") / "games.db"
    words = ["match", "--black", "flatmc:playouts=20", "--white", "flatmc:playouts=20"]
    words += ["--size", "3", "--komi", "0.5", "--games", "60", "--jobs", "1"]
    assert main([*words, "--store", str(store)]) == 0
    return store


def test_the_decisions_of_a_game_are_made_again(match):
    _, text = next(iter(records(str(match))))
    sides = judged_in(text)
    assert [side.kind for side in sides] == ["flatmc", "flatmc", SEEN, SEEN]
    assert sorted(side.won for side in sides) == [False, False, True, True]
    assert all(0 < share < 1 for side in sides for share in side.shares)
    assert judged_in(text) == sides


def test_a_record_runs_no_code(match, tmp_path, monkeypatch):
    """Whoever wrote it may have put any spec into it."""
    (tmp_path / "stranger.py").write_text("open('started', 'w')")
    monkeypatch.chdir(tmp_path)
    _, text = next(iter(records(str(match))))
    sides = judged_in(text.replace("flatmc:playouts=20", "stranger:Bot"))
    assert [side.kind for side in sides] == [SEEN, SEEN]
    assert not (tmp_path / "started").exists()


def test_curves_are_made_of_a_match(match, tmp_path, capsys):
    out = tmp_path / "curves.json"
    assert main(["train", "value", str(match), "--jobs", "1", "--out", str(out)]) == 0
    made = json.loads(out.read_text())
    assert set(made["curves"]) == {"flatmc", SEEN}
    assert set(made["curves"]["flatmc"]) == {"constant", "share", "turn"}
    assert made["learned_from"]["games"][0]["games"] == 60
    assert "flatmc: 60 games, " in capsys.readouterr().out


def test_games_of_others_tell_nothing(tmp_path, capsys):
    empty = tmp_path / "none.jsonl"
    empty.write_text("")
    assert main(["train", "value", str(empty), "--jobs", "1"]) == 2
    assert "no bot of ours decides in 40 of these games" in capsys.readouterr().err
