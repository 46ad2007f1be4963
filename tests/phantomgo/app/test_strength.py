"""`phantomgo strength`: budgets at equal processor time, and a table that can be resumed."""

import io
import json
import shutil
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import ClassVar

import pytest

from bots import Bot, make
from bots.spec import parameter
from phantomgo.app.cli import main
from phantomgo.lab.measure import calibration
from phantomgo.lab.measure.calibration import Round, Stopwatch, Timing, calibrated, positions
from phantomgo.lab.run.contest import Result
from phantomgo.lab.run.workers import workers
from phantomgo.points import PASS
from phantomgo.rules import Rules
from tests.support.commands import exit_code
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE, until

RULES = Rules(size=5, komi=2.5)
TINY = ("--sizes", 4, "--games", 2, "--milliseconds", 0.2)


def strength(*words, code=0) -> str:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        ended = main(["strength", *map(str, words)])
    assert ended == code, err.getvalue()
    return out.getvalue()


# Budgets


class Costs:
    """A machine on which a decision takes each bot so long, and a playout so long, in ms."""

    def __init__(self, monkeypatch) -> None:
        self.costs = {"random": (0.05, 0), "flatmc": (0.2, 0.002), "phantom": (0.4, 0.005)}
        self.slowness = 1.0
        monkeypatch.setattr(Stopwatch, "play", self.play)

    def play(self, rounds):
        return [Result(json.dumps([self.cost(spec) for spec in asked.specs])) for asked in rounds]

    def cost(self, spec):
        fixed, each = self.costs[make(spec, 0).kind]
        return self.slowness * (fixed + each * getattr(make(spec, 0), "playouts", 0))


def budgets(specs, milliseconds, first=None):
    with workers(1) as crew:
        return calibrated(specs, RULES, milliseconds, crew, first)


def test_budgets_take_the_time_that_is_asked_for(monkeypatch):
    Costs(monkeypatch)
    flatmc, random, phantom = budgets(["flatmc", "random", "phantom:net=none"], 2)
    assert random == Timing("random", None, 0.05)
    assert flatmc == Timing("flatmc:playouts=900", 900, 2.0)
    assert phantom == Timing("phantom:playouts=320,net=none", 320, 2.0)


def test_later_bots_are_tuned_to_the_first_one(monkeypatch):
    """The machine has slowed down since; both are told in the time of then."""
    machine = Costs(monkeypatch)
    (first,) = budgets(["flatmc"], 2)
    machine.slowness = 3
    assert budgets(["flatmc", "phantom"], 2, first) == [
        first,
        Timing("phantom:playouts=320", 320, 2.0),
    ]


def test_a_bot_too_slow_for_the_time_plays_with_the_least(monkeypatch):
    Costs(monkeypatch)
    assert budgets(["phantom"], 0.1)[0] == Timing("phantom:playouts=1", 1, 0.405)


@dataclass(frozen=True)
class Levels(Bot):
    kind: ClassVar[str] = "levels"
    budget: ClassVar[str] = "levels"
    levels: int = parameter(2, 1, 9, "how deep")

    def propose(self, view):  # noqa: ARG002
        return PASS


def test_what_counts_as_a_budget():
    assert calibration._budget(Levels(0, 5)) == 5
    assert calibration._budget(make("flatmc:playouts=70", 0)) == 70
    assert calibration._budget(make("flatmc:playouts=70,time=1", 0)) is None
    assert calibration._budget(make("random", 0)) is None


def test_positions_are_of_whole_games():
    views = positions(RULES)
    assert len(views) >= 8
    assert {view.colour.letter for view in views} == {"b", "w"}
    assert any(view.refusals for view in views)
    assert max(view.turn for view in views) > 8


def test_times_are_measured():
    asked = Round(1, ("flatmc:playouts=50", "flatmc:playouts=5000"), 3)
    (result,) = Stopwatch(RULES).play([asked])
    few, many = json.loads(result.text)
    assert 0 < 5 * few < many


# The table


def test_the_table(tmp_path, monkeypatch):
    words = (*TINY, "--players", "random", "phantom", "flatmc:allocation=ucb", "--store", tmp_path)
    table = strength(*words)
    lines = table.splitlines()
    assert lines[0].startswith(
        "| bot | board | komi | against | won | 95 % | games | playouts | ms"
    )
    assert sum("| 4x4 | 7.5 | `flatmc` |" in line for line in lines) == 3
    assert len(lines) in (5, 6, 7)  # besides, those above the next best that is not flatmc
    assert all("| 2 | " in line for line in lines[2:])
    assert "| `random` |" in table
    assert "| - : " in table

    def never(*_):
        raise AssertionError

    monkeypatch.setattr("phantomgo.lab.measure.strength.calibrated", never)
    assert strength(*words) == table
    rows = json.loads(strength(*words, "--json"))
    assert len(rows) == len(lines) - 2
    assert {row["games"] for row in rows} == {2}
    assert all(row["won"]["low"] <= row["won"]["value"] <= row["won"]["high"] for row in rows)


def test_more_games_and_bots_go_on_from_a_store(tmp_path):
    strength(*TINY, "--players", "random", "--store", tmp_path)
    before = json.loads((tmp_path / "budgets.json").read_text())
    table = strength(*TINY, "--games", 4, "--players", "random", "phantom", "--store", tmp_path)
    (board,) = json.loads((tmp_path / "budgets.json").read_text())["boards"].values()
    (old,) = before["boards"].values()
    assert {bot: board[bot] for bot in old} == old
    assert set(board) == {"flatmc", "random", "phantom"}
    assert all("| 4 | " in line for line in table.splitlines()[2:])


def test_ctrl_c_keeps_what_was_played(tmp_path):
    words = ["--sizes", "5", "--games", "60", "--players", "phantom", "--milliseconds", "0.3"]
    process = subprocess.Popen(
        [sys.executable, "-m", "phantomgo", "strength", *words, "--store", str(tmp_path / "a")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    until(lambda: process.poll() is not None or list(tmp_path.glob("a/*.db")))
    time.sleep(0.3)  # of the two seconds that the games take
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "interrupted; the same command goes on" in err
    assert "Traceback" not in err
    whole = tmp_path / "b"
    whole.mkdir()
    shutil.copy(tmp_path / "a" / "budgets.json", whole)
    assert strength(*words, "--store", tmp_path / "a") == strength(*words, "--store", whole)


WRONG = [
    (("--players", "nosuch"), "no bot 'nosuch'; there are "),
    (("--players", "flatmc:x=1"), "flatmc has no parameter 'x'"),
    (("--players", "flatmc"), "none but flatmc, whom all play, is named"),
    (("--players", "random", "random"), "random is named twice"),
    (("--players", "gtp:gnugo"), "gtp:gnugo: only the processor time of our own bots is known"),
    (("--against", "gtp:gnugo"), "gtp:gnugo: only the processor time"),
    (("--games", 3), "3 games: they come in pairs, so 2 or any even number"),
    (("--games", 0), "0 games: they come in pairs"),
    (("--sizes", 20), "size 20 is not a whole number from 2 to 19"),
    (("--sizes", "x"), "argument --sizes: 'x' is not a whole number"),
    (("--milliseconds", 0), "milliseconds 0 is not a number from 0.001 to 1000000"),
    (("--milliseconds", "nan"), "milliseconds nan is not"),
    (("--jobs", 0), "jobs 0 is not a whole number from 1 to"),
    (("--rules", "chess"), "no rules profile 'chess'; there are olympiad"),
    (("--seed", -1), "seed -1 is not a whole number from 0 to"),
    (("--store", "/dev/null/x"), "store /dev/null/x: Not a directory"),
]


@pytest.mark.parametrize(("words", "error"), WRONG, ids=[wrong[1][:30] for wrong in WRONG])
def test_wrong_usage(words, error, capsys):
    code = exit_code("strength", *words)
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert error in captured.err


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"milliseconds": 0.2, "against": "flatmc"}'])
def test_a_file_that_has_no_budgets(text, tmp_path, capsys):
    (tmp_path / "budgets.json").write_text(text)
    assert main(["strength", *map(str, TINY), "--store", str(tmp_path)]) == 1
    assert "budgets.json is not a file of budgets" in capsys.readouterr().err


def test_a_store_of_another_table(tmp_path, capsys):
    header = {"milliseconds": 5.0, "against": "flatmc", "boards": {}}
    (tmp_path / "budgets.json").write_text(json.dumps(header))
    assert main(["strength", *map(str, TINY), "--store", str(tmp_path)]) == 1
    assert "is of a table with milliseconds 5.0, not 0.2" in capsys.readouterr().err
