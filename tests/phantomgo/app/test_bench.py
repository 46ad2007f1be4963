"""The bench says what it should; how fast things are is no business of a test."""

import importlib.util
import json
import os
import re
import shutil
import sys

import pytest

from phantomgo.app.bench import peers, report, versions
from phantomgo.app.bench.cases import DECISION
from phantomgo.app.bench.measure import KINDS, _figures, machine, measure
from phantomgo.app.cli import main
from phantomgo.errors import BadText
from phantomgo.lab.measure.timing import Sample, interleaved, spread
from tests.support.places import ROOT


@pytest.fixture(scope="module")
def result():
    return measure((3, 5), repeats=2, seconds=0.002)


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
        assert figures[f"/sizes/{size}/batch/times_faster/median"] > 0
        assert figures[f"/sizes/{size}/all_cores/threads"] >= 1
    assert figures["/machine/clock_ghz/median"] > 0
    assert 35 < figures["/sizes/5/empty/moves_per_playout"] < 50


def test_decisions_are_compared_with_the_kernel_by_their_playouts():
    alone, decided = Sample(4 * DECISION, 80, 1.0), Sample(3, 0, 2.0)
    samples = {"game": [decided], "batch": [decided]}
    for kind in KINDS:
        samples |= {kind: [alone], f"{kind} amaf": [alone], f"{kind} decision": [decided]}
    for kind in KINDS:
        assert _figures(samples, 3.0)[kind]["kept_of_kernel"]["median"] == 3 / 2 / 4


def test_the_table_tells_of_every_size(result):
    text = "\n".join(report.lines(result))
    assert text.count("k playouts/s of") == 4
    assert "\n3x3\n" in text
    assert "\n5x5\n" in text


def test_no_peers_no_figures(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(shutil, "which", lambda _name, **_: None)
    assert peers.installed(9, 0.01) == {}
    assert peers.figures(6, {}) == {}


def test_a_quoted_figure_says_so():
    samples = {"gnugo": [Sample(10, 0, 2.0)], "empty": [Sample(10, 0, 1.0)]}
    figures = peers.figures(9, samples)
    assert figures["gnugo"] == {"playouts_per_second": spread([5.0]), "ratio": spread([2.0])}
    lines = report.peers({"peers": figures})
    assert any("quoted" in line for line in lines)


PLAYER = """
import sys
size, playouts = map(int, sys.argv[1:])
for _ in range(20 * playouts):
    sum(range(size * size))
"""


def test_a_program_that_is_named_is_measured(tmp_path):
    """A program that takes its time for every playout; its start does not count."""
    (tmp_path / "player.py").write_text(PLAYER)
    command = f"ours={sys.executable} {tmp_path / 'player.py'} {{size}} {{playouts}}"
    programs = dict([peers.parse_program(command)])
    (work,) = peers.named(programs, 9, 0.2).values()
    sample = work()
    assert sample.done >= 30
    samples = {"peer ours": [sample], "empty": [Sample(sample.done, 0, sample.seconds / 3)]}
    figures = peers.figures(6, samples)
    assert figures["ours"]["ratio"]["median"] == pytest.approx(3)
    assert next(report.peers({"peers": figures})).startswith("  ours: ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("libego", "is not NAME=COMMAND"),
        ("a b=true {playouts}", "is not NAME=COMMAND"),
        ("ego=", "{playouts} is nowhere"),
        ("ego=true {size}", "{playouts} is nowhere"),
        ("ego='true {playouts}", "No closing quotation"),
        ("ego=there-is-no-such-program {playouts}", "there is no program"),
    ],
)
def test_a_peer_that_is_none_is_named(text, why, capsys):
    assert main(["bench", "--peer", text]) == 2
    assert why in capsys.readouterr().err


def test_a_peer_that_fails_is_named():
    with pytest.raises(BadText, match="the program 'false' fails"):
        peers.named({"ego": ["false", "{playouts}"]}, 9, 0.1)


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
    assert main(["bench", "--sizes", "20"]) == 2
    assert "size 20 is not a whole number from 2 to 19" in capsys.readouterr().err


@pytest.fixture
def another(tmp_path):
    """An environment whose version knows no `learn`."""
    program = tmp_path / "bin" / "phantomgo"
    program.parent.mkdir()
    program.write_text(
        f"#!/bin/sh\n[ $1 = learn ] && exit 2\ncd {ROOT} && exec {sys.executable} -m phantomgo $@\n"
    )
    program.chmod(0o755)
    return str(tmp_path)


def test_two_versions_in_turn(another, monkeypatch, capsys):
    cases = {"start": versions.Case(["--version"]), "learn": versions.Case(["learn", "--help"])}
    monkeypatch.setattr(versions, "cases", lambda _: cases)
    assert main(["bench", "--against", another, "--sizes", "5", "--repeats", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (case,) = found["cases"].values()
    assert case["times_faster"]["min"] <= case["times_faster"]["median"]
    out = "\n".join(versions.lines(found))
    assert re.search(
        r"\| start \| \d+\.\d\d \| \d+\.\d\d \| [1-9]\d+ / [1-9]\d+"
        r" \| \d+\.\d\d / \d+\.\d\d / \d+\.\d\d \|",
        out,
    )
    assert "left out, as one of the two does not know it: learn" in out


def test_a_version_is_slower_where_it_was_in_every_round():
    def result(most):
        times = {"min": 0.8, "median": 0.9, "max": most}
        memory = {"megabytes": 100, "megabytes_there": 200}
        case = {"seconds": times, "seconds_there": times, "times_faster": times, **memory}
        return {"machine": machine(), "against": "2", "cases": {"a": case}, "left_out": []}

    assert "slower" in "".join(versions.lines(result(0.95)))
    assert "slower" not in "".join(versions.lines(result(1.01)))


def test_an_earlier_bench_beside_this_one(result, tmp_path, monkeypatch, capsys):
    """Twice the speed of then, but for games one by one, which were four times as fast."""
    earlier = json.loads(json.dumps(result))
    for figures in earlier["sizes"].values():
        for kind in ("empty", "middle"):
            for name in ("playouts_per_second", "decisions_per_second"):
                figures[kind][name] = {key: value / 2 for key, value in figures[kind][name].items()}
        speed = figures["game"]["games_per_second"]
        figures["game"]["games_per_second"] = dict.fromkeys(speed, 4 * speed["max"])
    earlier["machine"]["commit"] = "abc1234"
    file = tmp_path / "then.json"
    file.write_text(json.dumps(earlier))
    monkeypatch.setattr("phantomgo.app.bench.measure", lambda *_: result)
    assert main(["bench", "--against", str(file), "--sizes", "3", "5"]) == 0
    out = capsys.readouterr().out
    assert "(abc1234)" in out
    assert len(re.findall(r"board \| .* / 2\.00 / .* \| +\|\n", out)) == 8
    assert len(re.findall(r"games one by one .*\*\*slower\*\*", out)) == 2


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "is not what `bench --json` prints"),
        ('{"machine": {"phantomgo": "1"}}', "is not what `bench --json` prints"),
        (None, "No such file"),
    ],
)
def test_files_that_are_no_bench(text, error, tmp_path, capsys):
    file = tmp_path / "then.json"
    if text is not None:
        file.write_text(text)
    assert main(["bench", "--against", str(file)]) == 2
    assert error in capsys.readouterr().err


def test_a_program_that_fails_or_cannot_be_run():
    assert peers.run([sys.executable, "-c", "x = bytes(10**8)"]).megabytes > 90
    with pytest.raises(BadText, match=r"fails with status 3: so it goes"):
        peers.run(["sh", "-c", "echo so it goes >&2; exit 3"])
    with pytest.raises(BadText, match=r"'/nowhere' fails: .*No such file"):
        peers.run(["/nowhere"])


@pytest.mark.slow
def test_every_command_of_a_comparison_is_known_here(tmp_path, monkeypatch):
    """Each with as little to do as may be."""
    for name, value in (("DECISIONS", 1), ("LEARNED", (2,)), ("BOT", "random"), ("GAMES", 4)):
        monkeypatch.setattr(versions, name, value)
    here = versions.Program([sys.executable, "-m", "phantomgo"], {**os.environ})
    monkeypatch.chdir(ROOT)
    for case in versions.cases([3]).values():
        words = [word.replace("1000", "2").replace("110", "4") for word in case.words]
        small = case._replace(words=words, cold=False)
        assert versions._spent(here, small, str(tmp_path)).seconds > 0


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--against", "/nowhere"], "--against '/nowhere' has no bin/phantomgo"),
        (["--against", "HERE", "--peers"], "--against compares versions, without other programs"),
    ],
)
def test_versions_that_cannot_be_compared(words, error, another, capsys):
    assert main(["bench", *(another if word == "HERE" else word for word in words)]) == 2
    assert error in capsys.readouterr().err
