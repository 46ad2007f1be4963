"""The results of the benchmark: complete, in the table, and the same games again."""

import json
import re
import shutil
from functools import partial
from importlib import import_module
from importlib.util import find_spec

import pytest

import phantomgo as pg
from bots.spec import is_engine
from tests.support.engines import OURS
from tests.support.places import ROOT

FOLDER = ROOT / "docs" / "benchmark"
RESULTS = {path.name: json.loads(path.read_text()) for path in (FOLDER / "results").glob("*.json")}
LOSS = {"log_loss", "error"}


@pytest.fixture
def run(monkeypatch, tmp_path):
    """The script, beside the example's bot and its policy."""
    monkeypatch.syspath_prepend(FOLDER)
    for path in [*(ROOT / "docs" / "examples").glob("*.py"), FOLDER / "results" / "ppo.pt"]:
        shutil.copy(path, tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return import_module("run")


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_complete(name, run):
    result = RESULTS[name]
    player = result["player"]
    more = set() if player in run.SOLVERS else {"data", "cost"}
    tracks = set(result) & set(run.TRACKS)
    assert tracks
    assert set(result) == {"player", "date", "versions"} | more | tracks
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", result["date"])
    assert set(result["versions"]) == {"python", "phantomgo", "numpy", "numba", "open_spiel"}
    assert set(result.get("cost", {})) <= {"milliseconds", "relative"}
    for board, gain in result.get("exact", {}).items():
        assert board in run.TINY
        assert 0 <= gain <= 2
    for board, cells in result.get("ladder", {}).items():
        assert board in {f"{size}x{size}" for size in run.KOMI}
        assert set(cells) == set(run.LADDER)
        for cell in cells.values():
            assert 0 <= cell["points"] <= cell["games"]
            assert is_engine(player) or len(cell["replayed"]) == run.REPLAYED
    if "belief" in tracks:
        belief = result["belief"]
        assert set(belief) == {"even", "nonce", "public", "drawn"}
        assert set(belief["public"]) == set(belief["drawn"]) == LOSS
    if "response" in tracks:
        response = result["response"]
        assert set(response) == {"million_attempts", "responders", "points", "games", "all"}
        assert 0 <= response["points"] <= response["games"]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in RESULTS
        if "ladder" in RESULTS[name] and not is_engine(RESULTS[name]["player"])
    ],
)
def test_the_games_of_a_result_come_again(name, run):
    """Five of each cell on 5x5."""
    player = RESULTS[name]["player"]
    if player.startswith("ppo_bot:"):
        pytest.importorskip("torch")
        pytest.importorskip("gymnasium")
    for rung, cell in RESULTS[name]["ladder"]["5x5"].items():
        again = [run.replayed(player, rung, 5, seed) for seed in range(run.REPLAYED)]
        assert again == cell["replayed"], rung


def test_an_engine_enters_the_ladder(run, monkeypatch, tmp_path):
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "LADDER", ("random",))
    monkeypatch.setattr("sys.argv", ["run.py", OURS, "--boards", "3", "--games", "2"])
    monkeypatch.setattr(run, "KOMI", {3: 2.5, 5: 2.5})
    run.main()
    (path,) = tmp_path.glob("gtp-*.json")
    result = json.loads(path.read_text())
    assert set(result["ladder"]["3x3"]["random"]) == {"points", "games"}
    assert result["cost"]["relative"] > 0


def test_each_nonce_draws_other_views(run, monkeypatch):
    monkeypatch.setattr(run, "NUMBER", {5: 3})
    assert run.drawn("one") != run.drawn("another")
    for view, hidden in run.views(run.drawn("one")):
        assert len(hidden) == view.hidden
        assert not hidden & set(pg.members(view.own | view.located))


def test_the_loss_of_a_belief(run):
    """A bot without one is measured by the even spread, and counting worlds beats it."""
    cases = run.public()[:6]
    even = run.log_loss("random", cases)
    assert run.log_loss("policy", cases) == even
    assert run.log_loss("phantom:playouts=20,book=none", cases)["log_loss"] < even["log_loss"]


def test_a_best_response_is_measured_in_games_that_did_not_choose_it(run, monkeypatch):
    monkeypatch.setattr(run.pg, "exploit", partial(pg.exploit, draws=32))  # not 256: seconds
    found = run.response("random", 0.001, 16)
    assert found["games"] == 8
    assert found["points"] >= 6, "whoever tries 500 attempts beats random"


def test_the_page_shows_the_table(run):
    page = (FOLDER / "README.md").read_text()
    assert run.table() in page
    assert run.with_table(page) == page


@pytest.mark.skipif(not find_spec("pyspiel"), reason="OpenSpiel is not installed")
def test_the_exact_track_measures_again_what_it_measured(run, monkeypatch):
    monkeypatch.setattr(run, "TINY", {"2x2, 3 moves": (2, 3)})
    for name, result in RESULTS.items():
        if result["player"] in ("random", "openspiel:uniform", "flatmc:playouts=200"):
            expected = result["exact"]["2x2, 3 moves"]
            assert run.exact(result["player"])["2x2, 3 moves"] == pytest.approx(expected), name
