"""The bench says what it should; how fast things are is no business of a test."""

import json

import pytest

from phantomgo.app.bench import peers, report
from phantomgo.app.bench.measure import Plan, measure
from phantomgo.app.cli import main
from phantomgo.lab.timing import Sample, interleaved, spread


@pytest.fixture(scope="module")
def result():
    return measure(Plan((3, 5), repeats=2, seconds=0.002))


def leaves(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}/{key}")
    else:
        yield path, value


def test_every_figure_is_there_and_json(result):
    assert json.loads(json.dumps(result)) == result
    figures = dict(leaves(result))
    for size in (3, 5):
        for kind in ("empty", "middle"):
            for name in (
                "playouts_per_second", "moves_per_second", "ns_per_move", "cycles_per_move",
                "decisions_per_second", "kept_of_kernel",
            ):  # fmt: skip
                low, middle, high = (
                    figures[f"/sizes/{size}/{kind}/{name}/{key}"]
                    for key in ("min", "median", "max")
                )
                assert 0 < low <= middle <= high
        assert figures[f"/sizes/{size}/game/ms_per_game/median"] > 0
        assert figures[f"/sizes/{size}/all_cores/threads"] >= 1
    assert figures["/machine/clock_ghz/median"] > 0
    assert 35 < figures["/sizes/5/empty/moves_per_playout"] < 50


def test_the_table_tells_of_every_size(result):
    text = "\n".join(report.lines(result))
    assert text.count("k playouts/s of") == 4
    assert "\n3x3\n" in text
    assert "\n5x5\n" in text


def test_no_peers_no_figures(monkeypatch):
    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(peers.shutil, "which", lambda _name, **_: None)
    assert peers.works(9, 0.01) == {}
    assert peers.figures(6, {}, 1.0) == {}


def test_a_quoted_figure_says_so():
    samples = {"gnugo": [Sample(10, 0, 2.0)], "empty": [Sample(10, 0, 1.0)]}
    figures = peers.figures(9, samples, 50.0)
    assert figures["gnugo"] == {"playouts_per_second": spread([5.0]), "ratio": 10.0}
    lines = report.peers({"peers": figures})
    assert any("quoted" in line for line in lines)


def test_cases_take_turns():
    seen = []

    def case(name):
        def work():
            seen.append(name)
            return Sample(1, 0, 1.0)

        return work

    samples = interleaved({name: case(name) for name in "abc"}, 5)
    assert [len(taken) for taken in samples.values()] == [5, 5, 5]
    assert all(set(seen[i : i + 3]) == set("abc") for i in range(0, 15, 3))


def test_sizes_are_those_of_boards(capsys):
    assert main(["bench", "--size", "20"]) == 2
    assert "size 20 is not from 2 to 19" in capsys.readouterr().err
