"""`phantomgo reproduce`, from the command line to the files."""

import contextlib
import csv
import os
import re
import signal
import subprocess
import time
from itertools import islice

import pytest

from phantomgo.app.cli import main
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.study import Listed
from phantomgo.papers import seeds
from phantomgo.papers.experiments import EXPERIMENTS
from phantomgo.papers.published import published
from phantomgo.papers.report import Rate
from tests.support.commands import started
from tests.support.engines import processes
from tests.support.waiting import PATIENCE, until

SMALL = (("Domineering 5x5", "domineering:size=5", "flatmc:playouts=5"),)


@pytest.fixture
def one_board(monkeypatch):
    """Let the rectangles be of one small game, and all experiments be that one."""
    monkeypatch.setattr(seeds, "BOARDS", SMALL)
    for name in list(EXPERIMENTS):
        if name not in ("rectangles", "online"):
            monkeypatch.delitem(EXPERIMENTS, name)
    monkeypatch.setattr("phantomgo.papers.bandits.LEARNERS", 4)


def test_every_experiment_is_a_function():
    for experiment in EXPERIMENTS.values():
        module, _, name = experiment.place.partition(":")
        assert callable(getattr(pytest.importorskip(f"phantomgo.papers.{module}"), name))


@pytest.mark.usefixtures("one_board")
def test_the_list_says_what_has_been_found(tmp_path, capsys):
    assert main(["reproduce", "--out", f"{tmp_path}"]) == 0
    assert (
        "| rectangles | Fast seeds: Table 3, Figures 1 to 4 | 0.6 | 40 |  |"
        in capsys.readouterr().out
    )
    assert (
        main(["reproduce", "rectangles", "--seeds", "60", "--repeats", "2", "--out", f"{tmp_path}"])
        == 0
    )
    capsys.readouterr()
    assert main(["reproduce", "--out", f"{tmp_path}"]) == 0
    listed = capsys.readouterr().out
    assert re.search(
        r"Figures 1 to 4 \| 0.6 \| 40 \| \d of \d+ figures, \d of 3 predictions \|", listed
    )


@pytest.mark.usefixtures("one_board")
def test_ours_stands_beside_the_papers(tmp_path, capsys):
    words = ["reproduce", "rectangles", "--seeds", "60", "--repeats", "2", "--out", f"{tmp_path}"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert said == (tmp_path / "rectangles.md").read_text()
    assert "| K=47, Kt=13 |" in said  # 60 seeds against 26, of whom 13 test
    assert re.search(r"\| uniform \| [0-9.]+ ± [0-9.]+ \[49.0 ± 1.3\]", said)
    with (tmp_path / "rectangles.csv").open() as file:
        rows = [*csv.reader(file)]
    assert rows[0] == ["of", "row", "column", "rate", "error", "paper", "paper's error"]
    assert rows[1][:3] == ["Domineering 5x5", "uniform", "K'=1"]
    assert rows[1][5:] == ["49.03", "1.3"]
    assert (tmp_path / "rectangles.svg").read_text().startswith("<?xml")
    assert main(words) == 0  # from the same games
    assert capsys.readouterr().out == said


@pytest.mark.usefixtures("one_board")
def test_rectangles_are_rectangles(tmp_path, capsys):
    """Fast seeds, section 3.1: 2 K Kt - Kt^2 games."""
    from phantomgo.lab.run.store import Store

    assert (
        main(["reproduce", "rectangles", "--seeds", "60", "--repeats", "2", "--out", f"{tmp_path}"])
        == 0
    )
    capsys.readouterr()
    (store,) = tmp_path.glob("*.db")
    with Store(store) as games:
        assert len(games.games()) == 2 * 60 * 26 - 26**2


@pytest.mark.usefixtures("one_board")
def test_less_time_is_a_smaller_matrix_that_more_time_completes(tmp_path, capsys, monkeypatch):
    deadlines = []

    def few(study, *others, deadline, **more):
        deadlines.append(deadline)
        first = Listed(islice(iter(study.ask, None), 1000))
        return run(first, *others, deadline=deadline, **more)

    monkeypatch.setattr("phantomgo.papers.scope.run", few)
    words = ["reproduce", "rectangles", "--seeds", "400", "--repeats", "2", "--out", f"{tmp_path}"]
    known = []
    for _ in range(3):
        assert main([*words, "--minutes", "9"]) == 0
        said = capsys.readouterr().out
        known.append(int(re.search(r"K=(\d+)", said)[1]))
        assert re.search(r"\d+ games were not played: the same command plays them", said)
    assert known == sorted(set(known))
    assert all(0 < deadline - time.monotonic() <= 540 for deadline in deadlines)


@pytest.mark.parametrize(("minutes", "tests"), [("0.01", 3), ("9", 6)])
def test_a_book_is_measured_on_as_many_seeds_as_there_is_time_for(
    tmp_path, capsys, monkeypatch, minutes, tests
):
    from phantomgo.lab.run.store import Store

    for name, value in {"TESTS": 6, "FEWEST_TESTS": 3, "GAMES": 20}.items():
        monkeypatch.setattr(f"phantomgo.papers.coevolution.{name}", value)
    monkeypatch.setattr("phantomgo.papers.coevolution.BOT", "flatmc:playouts=5")
    assert main(["reproduce", "moves", "--minutes", minutes, "--out", f"{tmp_path}"]) == 0
    capsys.readouterr()
    with Store(tmp_path / "none5-20.db") as games:
        assert len(games.games()) == 2 * tests**2


@pytest.mark.usefixtures("one_board")
def test_all_run_and_one_table_says_how(tmp_path, capsys):
    assert (
        main(["reproduce", "all", "--seeds", "60", "--repeats", "2", "--out", f"{tmp_path}"]) == 0
    )
    captured = capsys.readouterr()
    assert captured.out.startswith("| experiment | paper | core hours | at its size | found |")
    assert len(captured.out.splitlines()) == 4
    assert "online: 3 of 3 predictions\n" in captured.err or "online: 2 of 3" in captured.err
    assert {"online.md", "online.csv", "rectangles.md"} <= {
        file.name for file in tmp_path.iterdir()
    }


@pytest.mark.usefixtures("one_board")
def test_what_comes_after_the_time_is_left_for_more_minutes(tmp_path, capsys):
    words = ["reproduce", "all", "--minutes", "0.01", "--repeats", "2", "--out", f"{tmp_path}"]
    assert main(words) == 0
    captured = capsys.readouterr()
    assert "rectangles: no time is left\n" in captured.err
    assert not (tmp_path / "rectangles.md").exists()


def test_what_lacks_a_program_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("phantomgo.papers.gnugo.which", lambda _: None)
    assert main(["reproduce", "transfer", "--out", f"{tmp_path}"]) == 2
    assert "gnugo is not installed: this experiment needs GNU Go" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tabel1"], "no experiment 'tabel1'; did you mean table1?"),
        (["table1", "--minutes", "0"], "minutes 0 is not a number from 0.01"),
        (["table1", "--seeds", "3"], "seeds"),
        (["table1", "--repeats", "1"], "repeats"),
    ],
)
def test_what_is_refused(words, message, tmp_path, capsys):
    assert main(["reproduce", *words, "--out", f"{tmp_path}"]) == 2
    assert message in capsys.readouterr().err


def test_the_papers_figures_are_those_of_their_tables():
    assert published("rectangles", "bestseed", 5, "Atari-Go 5x5")[:2] == [Rate(69.5, 2.76), None]
    assert published("table1", "nash", 5, "5x5")[4] == Rate(41.3, 0.2)
    assert published("portfolios", "Havannah", 3) == [Rate(55.36), Rate(58.10), Rate(52.51)]
    assert published("portfolios", "Phantom Go 5x5", 2) == [None, None]
    assert published("coevolution", "without a book", 2) == [Rate(48.5, 1.8), Rate(51.5, 1.8)]
    assert published("rectangles", "nash", 5, "Breakthrough 8x8")[1] == Rate(48.89, 0.22)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_all_that_it_has_started(tmp_path, number):
    words = ["reproduce", "rectangles", "--workers", "2", "--out", tmp_path]
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
