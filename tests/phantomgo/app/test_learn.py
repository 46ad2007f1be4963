"""The command learn: from the command line to the byte."""

import json
import re
import signal
from argparse import Namespace
from dataclasses import replace
from functools import partial
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from phantomgo.app.cli import main
from phantomgo.app.learn import _advice
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.lab.api import learning as api
from phantomgo.lab.learners.catalog import parse_learning_method
from phantomgo.lab.learners.learner import SeedTerms
from phantomgo.lab.learning import learn as learning
from phantomgo.lab.learning import timetable
from phantomgo.lab.lockstep.kernels import layout
from phantomgo.lab.run import loop
from phantomgo.lab.run.progress import SILENT
from phantomgo.lab.run.workers import Run
from phantomgo.lab.seeds.contest import make_setup
from phantomgo.lab.seeds.seed_store import SeedStore
from phantomgo.portfolio.book import read_book, write_book
from phantomgo.portfolio.evaluation import Trial
from phantomgo.portfolio.line import MAX_STEPS, Side, Step
from tests.support.commands import exit_code
from tests.support.learning import GAME, games, go_setup, learn, stopped_midway
from tests.support.places import ROOT


def advice(book, folder):
    return _advice(book, Namespace(out=folder / "b.json", minutes=None, test_seeds=None))


def test_a_learned_book(learned, capsys):
    book = read_book(f"{learned}/nash3.json")
    assert (book.name, go_setup(book).profile) == ("nash3", "olympiad")
    assert (go_setup(book).rules.size, go_setup(book).rules.komi) == (3, 1.5)
    assert book.setup.black == book.setup.white
    assert (book.setup.black.name, len(book.setup.black.games)) == ("random", 13)
    assert book.training.games == 196
    assert (book.evaluation.first_seed, book.evaluation.seeds) == (14, 4)
    assert [score.exploiter for score in book.evaluation.played] == [1, 2]
    # The value is what the mixture secures against every training seed; at an equilibrium the
    # two colours' values sum to 1.
    assert book.black.value + book.white.value == pytest.approx(1, abs=1e-6)
    with SeedStore(learned / "m.db") as store:
        wins = store.scores([line[0].seed for line in book.black.lines], range(14))
        assert (np.array(book.black.probabilities) @ wins).min() == pytest.approx(book.black.value)
        assert store.matrix(14, 14).digest() == book.training.matrix
    capsys.readouterr()
    assert main(["book", "show", "--json", f"{learned}/nash3.json"]) == 0
    assert capsys.readouterr().out == (learned / "nash3.json").read_text()
    assert main(["book", "show", f"{learned}/nash3.json"]) == 0
    assert "nash3: nash over 14 seeds, 3x3, komi 1.5, olympiad\n" in capsys.readouterr().out
    assert main(["book", "check", f"{learned}/nash3.json"]) == 0
    assert capsys.readouterr().out.startswith("nash3: valid")


def test_a_second_bot_of_a_module_is_told_how_to_name_its_files(tmp_path, monkeypatch, capsys):
    """Both would be written to the same book, by the games of the same store."""
    monkeypatch.chdir(tmp_path)
    words = ["learn", "--size", "3", "--komi", "0.5", "--seeds", "4", "--test-seeds", "0", "--bot"]
    module = "tests.support.bad_bots"
    assert main([*words, f"{module}:Good"]) == 0
    before = (tmp_path / "3x3.json").read_bytes()
    capsys.readouterr()
    assert main([*words, f"{module}:Sure"]) == 2
    said = capsys.readouterr().err
    assert f"3x3.json is a book of 3x3, {module}:Good, komi 0.5, olympiad: name another" in said
    assert (tmp_path / "3x3.json").read_bytes() == before
    (tmp_path / "3x3.json").unlink()
    assert main([*words, f"{module}:Sure"]) == 1
    said = capsys.readouterr().err
    assert f"has games of {module}:Good, not of {module}:Sure: choose another store" in said
    assert said.endswith("(--out NAME.json names book and store)\n")


def test_a_newcomer_names_a_bot_a_board_and_minutes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ticks = count()  # a clock that every look moves on, whatever the speed of this machine
    clock = SimpleNamespace(monotonic=lambda: next(ticks) / 1000)
    for module in (learning, timetable, loop, api):
        monkeypatch.setattr(module, "time", clock)
    words = ["learn", "--bot", "random", "--size", "5", "--minutes", "0.5"]
    assert main(words) == 0
    said = capsys.readouterr()
    book = read_book("./random-5x5.json")
    assert go_setup(book).rules.komi == 2.5
    assert "komi is 2.5: games on 5x5 are about even with it" in said.err
    assert re.search(
        r"0.5 minutes: at the speed of one game about \d+ games to learn from", said.err
    )
    assert (book.training.method, book.evaluation) == ("besttop:aim=both,turned=on", None)
    assert book.trial is not None
    assert book.trial.first_seed == book.training.seeds
    rate = f"{100 * book.trial.won / book.trial.games:.1f} % ("
    assert f"  against its bot with fresh seeds it won {rate}" in said.out
    commands = [line.split() for line in said.out.splitlines() if line.startswith("  phantomgo ")]
    assert [command[1] for command in commands] == ["gtp", "play", "match"]
    assert main([*commands[2][1:-1], "4"]) == 0
    assert "book:random-5x5.json" in capsys.readouterr().out


def test_too_few_minutes_are_refused_before_the_first_game(tmp_path, capsys):
    words = ["learn", "--bot", "flatmc:playouts=20000", "--size", "7", "--minutes", "0.02"]
    store, file = tmp_path / "m.db", tmp_path / "b.json"
    assert main([*words, "--store", str(store), "--out", str(file)]) == 2
    said = r"minutes: 0.02 are enough for about \d+ games, and a book needs 64: give at least \d"
    assert re.search(said, capsys.readouterr().err)
    assert games(store) == 0
    assert not file.exists()


def test_no_gain_is_said_to_be_none(tmp_path):
    book = read_book("nash5")
    assert "no gain" not in "".join(advice(book, tmp_path))
    for won, found in ((290.0, True), (400.0, False)):
        tried = replace(book, trial=Trial(400, 600, won))
        assert any("no gain was found" in line for line in advice(tried, tmp_path)) is found


def test_a_book_of_bots_with_files_is_played_where_one_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    movers = ["random", f"random:book={ROOT / 'books' / 'steps5.json'}"]
    words = ["learn", "--bot", "random", "--size", "5", "--method", "rates:rounds=0,cell=2,extra=0"]
    assert main([*words, "--test-seeds", "0", "--out", "b.json", "--movers", *movers]) == 0
    assert capsys.readouterr().out.count(" book:b.json,code=on") == 3


def test_minutes_are_filled_with_games_and_repeated_learn_on(tmp_path, monkeypatch):
    setup = make_setup("random", "random", "olympiad", Game(Rules(size=3, komi=1.5)))
    with SeedStore(tmp_path / "m.db", setup) as store, Run().begin() as workers:
        clock = SimpleNamespace(monotonic=lambda: len(store.games()) / 100)  # 100 games a second
        for module in (learning, loop):
            monkeypatch.setattr(module, "time", clock)

        def sizes(deadline):
            nash = parse_learning_method("nash")
            plan = learning.LearningPlan("a", nash, SeedTerms(1, 1), timed=True)
            found = plan.books(store, workers, SILENT, deadline)
            return [book.training.seeds for book in found]

        *doubled, last = sizes(20)
        assert doubled == [8, 16, 32]
        assert 38 <= last < 64  # 2000 games, and those of tasks that were being played
        again = sizes(30)
        assert again[0] >= last
        assert again[-1] >= 54


def test_extended_equals_learned_at_once_whatever_the_jobs(learned, tmp_path):
    for seeds, jobs in ((5, 1), (9, 1), (14, 2)):
        assert main(learn(tmp_path, seeds=seeds, jobs=jobs)) == 0
    assert (tmp_path / "nash3.json").read_bytes() == (learned / "nash3.json").read_bytes()


def test_stores_are_shown(learned, capsys):
    assert main(["store", "show", f"{learned}/m.db"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "random against random"
    assert shown[1].startswith("game seeds, profile olympiad, size 3, komi 1.5")
    assert shown[1].endswith("on_max_tries pass"), "nothing is said to be None"
    assert shown[2] == f"{games(learned / 'm.db')} games, 0 void"
    assert main(["store", "show", "--json", f"{learned}/m.db"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == games(learned / "m.db")


def test_a_learner_may_ask_for_a_part_of_the_matrix(tmp_path, capsys):
    words = learn(tmp_path, "--method", "ucb:games=700", seeds=40, out="b.json")
    assert main(words) == 0
    book = read_book(f"{tmp_path}/b.json")
    assert book.training.method.startswith("ucb:games=700,exploration=0.2,")
    assert 256 < book.training.games < 700
    assert "known to within" not in capsys.readouterr().out  # that is for a whole matrix
    assert main(["book", "check", f"{tmp_path}/b.json"]) == 0


def test_a_learner_on_terms_it_cannot_have(tmp_path, capsys):
    assert main(learn(tmp_path, "--method", "halving:games=100")) == 2
    assert "its first round takes more than 100 games" in capsys.readouterr().err
    assert not (tmp_path / "nash3.json").exists()


def test_a_seed_for_each_step_of_a_game(tmp_path, capsys):
    """A book continues one that was left earlier, and is whole without it."""
    begin = learn(tmp_path, "--moves", "1", "--test-seeds", "0", seeds=12, out="one.json")
    assert main(begin) == 0
    words = ["learn", *GAME, "--seeds", "12", "--opponent-seeds", "6", "--test-seeds", "4"]
    words += ["--moves", "3"]
    words += ["--start", f"{tmp_path}/one.json", "--store", f"{tmp_path}/two.db"]
    assert main([*words, "--out", f"{tmp_path}/two.json"]) == 0
    one, two = (read_book(f"{tmp_path}/{name}.json") for name in ("one", "two"))
    lines = two.black.lines
    assert {sum(step.moves for step in line) for line in lines} == {3}
    assert {len(line) for line in lines} <= {1, 2}
    assert {line[:1] for line in lines if len(line) == 2} <= set(one.black.lines)
    assert two.evaluation is not None
    (tmp_path / "one.json").unlink()
    capsys.readouterr()
    assert main(["book", "check", f"{tmp_path}/two.json"]) == 0
    assert main(["book", "show", f"{tmp_path}/two.json"]) == 0
    assert "each plays the first 3 own moves of a game" in capsys.readouterr().out
    # The games of the store are those of the lines; measured apart the book has the same figures.
    again = ["evaluate", "book", f"{tmp_path}/two.json", "--test-seeds", "4"]
    assert main([*again, "--out", f"{tmp_path}/three.json"]) == 0
    assert read_book(f"{tmp_path}/three.json").evaluation == two.evaluation
    # White's lines alone: Black has none, in the store as well.
    alone = [*again, "--moves", "0", "3", "--store", f"{tmp_path}/white.db"]
    for _ in range(2):
        assert main([*alone, "--out", f"{tmp_path}/white.json"]) == 0
        white = read_book(f"{tmp_path}/white.json")
        assert (white.black.lines, white.white.lines) == ((), two.white.lines)


def test_a_line_has_as_many_steps_as_lock_step_plays(tmp_path, capsys):
    """A line that is continued, the seed that continues it, and the one that plays on."""
    assert MAX_STEPS == layout.SEEDS
    assert main(learn(tmp_path, "--moves", "7", "--test-seeds", "0", out="one.json")) == 0
    one = read_book(f"{tmp_path}/one.json")
    line = tuple(Step("random", n, 1) for n in range(MAX_STEPS - 1))
    side = Side((line,), (1.0,), 0.5)
    long = replace(one, name="long", black=side, white=side, games=())
    write_book(long, tmp_path / "long.json")
    assert main(["evaluate", "book", f"{tmp_path}/long.json", "--test-seeds", "4"]) == 0
    capsys.readouterr()
    words = ["learn", *GAME, "--seeds", "4", "--opponent-seeds", "2", "--moves", "8"]
    words += ["--store", f"{tmp_path}/b.db", "--out", f"{tmp_path}/b.json"]
    assert main([*words, "--start", f"{tmp_path}/long.json"]) == 2
    assert "start: lines of book long have 7 steps, of 6 at most" in capsys.readouterr().err


def test_a_book_is_there_before_the_end(learned, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("phantomgo.lab.api.learning.held_out", interrupted)
    assert main(learn(tmp_path, seeds=14)) == 130
    book, whole = read_book(f"{tmp_path}/nash3.json"), read_book(f"{learned}/nash3.json")
    assert book == replace(whole, evaluation=None)


def test_killed_and_resumed_it_writes_the_same_bytes(learned, tmp_path):
    process, folder = stopped_midway(partial(learn, seeds=14), tmp_path, signal.SIGKILL)
    process.stderr.close()
    assert main(learn(folder, seeds=14)) == 0
    assert (folder / "nash3.json").read_bytes() == (learned / "nash3.json").read_bytes()
    assert sorted(entry.name for entry in folder.iterdir()) == ["m.db", "nash3.json"]


def test_a_slow_bot_of_somebody_else_is_refused_before_its_games_are_known(tmp_path, capsys):
    """Its games for an identity, which cannot be cached, take longer than the minutes."""
    words = ["learn", "--bot", "tests.support.bad_bots:Slow", "--size", "5", "--minutes", "0.05"]
    assert main([*words, "--out", str(tmp_path / "b.json"), "--store", str(tmp_path / "m.db")]) == 2
    assert "minutes: 0.05 are enough for about 0 games" in capsys.readouterr().err


def test_a_book_without_a_trial_says_so(tmp_path):
    untested = Namespace(out=tmp_path / "b.json", minutes=1.0, test_seeds=None)
    assert "no time was left" in "".join(_advice(read_book("nash5"), untested))


def test_the_book_of_another_bot_is_not_written_over(tmp_path, capsys):
    words = [
        "--size",
        "3",
        "--komi",
        "7.5",
        "--seeds",
        "4",
        "--test-seeds",
        "0",
        "--out",
        str(tmp_path / "b.json"),
    ]
    assert exit_code("learn", "--bot", "random", *words) == 0
    before = (tmp_path / "b.json").read_bytes()
    assert exit_code("learn", "--bot", "flatmc:playouts=3", *words) == 2
    assert "b.json is a book of 3x3, random, komi 7.5, olympiad: name another file" in (
        capsys.readouterr().err
    )
    assert (tmp_path / "b.json").read_bytes() == before
    assert exit_code("learn", "--bot", "random", *words, "--method", "nash") == 0
