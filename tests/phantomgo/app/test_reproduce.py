"""`phantomgo reproduce`: published experiments as commands of phantomgo."""

import contextlib
import os
import re
import shlex
import signal
import subprocess

import pytest

import bots
from phantomgo.app.cli import main, parser_of
from phantomgo.app.experiments import Scope, experiments
from phantomgo.app.published import printed
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from tests.support.commands import started
from tests.support.engines import processes
from tests.support.waiting import PATIENCE, until

GAME = Game(Rules())


@pytest.mark.parametrize("name", experiments())
def test_every_command_of_every_study_is_one(name):
    experiment = experiments()[name]
    for size in experiment.sizes:
        assert printed(name, size)
        for seeds in (None, 50) if experiment.own else (None,):
            steps = list(experiment.commands(Scope(size, seeds, 100, 1)))
            assert len({step.name for step in steps}) == len(steps)
            for step in steps:
                words = shlex.split(step.command)
                parser_of({words[0]}).parse_args(words)


def test_rectangles_are_learned_over_fewer_opponents():
    """Fast seed-learning algorithms, section 3.1: Kt = K / 10, and 20 that test."""
    scope = Scope(5, 1000, 100, 1)
    steps = list(experiments()["rectangles"].commands(scope))
    for step in steps:
        assert " --seeds 1000 --opponent-seeds 120 " in step.command


def test_a_cell_that_a_paper_lacks_is_empty():
    lines = printed("rectangles", 5).splitlines()
    assert (
        "| Atari-Go, bestseed | 69.5 ± 2.76 |  | 41.0 ± 2.89 | 21.0 ± 2.49 | 7.0 ± 1.75 |" in lines
    )


def test_the_variants_are_bots():
    step = next(experiments()["variants"].commands(Scope(5, None, 100, 1)))
    words = shlex.split(step.command)
    specs = words[words.index("--movers") + 1 : words.index("--method")]
    assert len({bots.make(spec, GAME, 0).name for spec in specs}) == 32


def test_the_commands_are_printed_before_anything_is_made(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("phantomgo.app.reproduce._done", lambda *_: 0)
    assert main(["reproduce", "table1", "--seeds", "400", "--out", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "  phantomgo learn --bot flatmc:playouts=200 --size 5" in captured.err


def test_a_table_is_made_once(tmp_path, capfd, monkeypatch):
    with_steps(monkeypatch, {"name": "a", "command": f"{QUICK}{{local}}"})
    words = ["reproduce", "table1", "--out", str(tmp_path / "x")]
    assert main(words) == 0
    first = capfd.readouterr().out
    assert [file.name for file in (tmp_path / "x").iterdir()] == ["a.md"]
    assert "| nash |" in first
    assert "In the paper:\n\n| method | K'=1 |" in first
    text = (tmp_path / "x" / "a.md").read_text()
    assert text == f"<!-- phantomgo {QUICK} -->\n{first}"
    monkeypatch.setattr("phantomgo.app.reproduce.main", None)  # nothing is run again
    assert main([*words, "--workers", "2"]) == 0
    assert capfd.readouterr().out == first


QUICK = "evaluate methods --matrix flat5 --seeds 40 --methods nash --repeats 2"


def with_steps(monkeypatch, *steps):
    """Let an experiment have these steps."""
    table1 = experiments()["table1"]._replace(steps=steps)
    monkeypatch.setitem(experiments(), "table1", table1)


def test_a_command_that_fails_ends_it_and_keeps_no_table(tmp_path, capfd, monkeypatch):
    with_steps(monkeypatch, {"name": "a", "command": "evaluate book no"})
    assert main(["reproduce", "table1", "--out", str(tmp_path)]) == 2
    assert "no book 'no'" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_file_of_somebody_else_is_not_replaced(tmp_path, capsys, monkeypatch):
    with_steps(monkeypatch, {"name": "a", "command": QUICK})
    (tmp_path / "a.md").write_text("# My notes")
    assert main(["reproduce", "table1", "--out", str(tmp_path)]) == 2
    assert "a.md holds no table of ours: move it away, or name an" in capsys.readouterr().err
    assert (tmp_path / "a.md").read_text() == "# My notes"


def test_ctrl_c_in_a_command_ends_both_and_keeps_no_table(tmp_path, capsys, monkeypatch):
    def press(*_, **__):
        signal.raise_signal(signal.SIGINT)

    with_steps(monkeypatch, {"name": "a", "command": QUICK})
    monkeypatch.setattr("phantomgo.app.evaluate.matrix_of", press)
    assert main(["reproduce", "table1", "--out", str(tmp_path)]) == 130
    assert "phantomgo evaluate: interrupted" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_all_that_it_has_started(tmp_path, number):
    words = ["reproduce", "table1", "--seeds", "400", "--workers", "2", "--out", tmp_path]
    process = started("-m", "phantomgo", *words, start_new_session=True, stderr=subprocess.PIPE)
    until(lambda: list(tmp_path.glob("*.db")) or process.poll() is not None, "the first games")
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode in (130, -signal.SIGTERM)
    assert not re.search("Traceback|resource_tracker", said), said
    try:
        until(lambda: process.pid not in [group for group, _ in processes()], "their end")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
