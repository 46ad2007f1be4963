"""The results of the benchmark: complete, in the table, and the same games again."""

import json
import re
from importlib import import_module
from importlib.util import find_spec

import pytest

from tests.support.places import ROOT

FOLDER = ROOT / "docs" / "benchmark"
RESULTS = {path.name: json.loads(path.read_text()) for path in (FOLDER / "results").glob("*.json")}


@pytest.fixture
def run(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return import_module("run")


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_complete(name, run):
    result = RESULTS[name]
    player = result["player"]
    solver = player in run.SOLVERS
    more = set() if solver else {"data", "cost", "belief", "ladder"}
    assert set(result) == {"player", "date", "versions", "exact"} | more
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", result["date"])
    assert set(result["versions"]) == {"python", "phantomgo", "numpy", "numba", "open_spiel"}
    assert set(result["exact"]) == set(run.TINY)
    assert all(0 <= gain <= 2 for gain in result["exact"].values())
    for board, cells in result.get("ladder", {}).items():
        assert board in {f"{size}x{size}" for size in run.KOMI}
        assert set(cells) == set(run.LADDER)
        for cell in cells.values():
            assert 0 <= cell["points"] <= cell["games"]
            assert len(cell["replayed"]) == run.REPLAYED
    if not solver:
        assert set(result["cost"]) == {"milliseconds", "relative"}
        assert set(result["belief"]) == {"log_loss", "error"}


@pytest.mark.parametrize("name", [name for name in RESULTS if "ladder" in RESULTS[name]])
def test_the_games_of_a_result_come_again(name, run):
    """Two of each cell on 5x5."""
    player = RESULTS[name]["player"]
    for rung, cell in RESULTS[name]["ladder"]["5x5"].items():
        again = [run.replayed(player, rung, 5, seed) for seed in range(run.REPLAYED)]
        assert again == cell["replayed"], rung


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
