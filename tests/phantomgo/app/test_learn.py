"""The commands learn, evaluate and book: from the command line to the byte."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from functools import partial

import numpy as np
import pytest

import bots
from phantomgo.app import plots
from phantomgo.app.cli import main
from phantomgo.app.progress import Lines
from phantomgo.beginning import Beginning
from phantomgo.game import play_game
from phantomgo.lab.books import check_matrix
from phantomgo.lab.contest import Result
from phantomgo.lab.learners.table import LEARNERS
from phantomgo.lab.seeds import SeedStore, make_setup
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.exploit import cross_validate
from phantomgo.portfolio.matrix import cells
from phantomgo.portfolio.methods import METHODS
from phantomgo.portfolio.packed import read_matrix
from phantomgo.record_json import write_record
from phantomgo.rules import Rules
from tests.support.learning import begin, games, stop_once_it_has_played, stopped_midway
from tests.support.places import ROOT
from tests.support.records import game
from tests.support.waiting import PATIENCE

GAME = ["--bot", "random", "--size", "3", "--komi", "1.5"]


def learn(folder, *more, seeds=8, jobs=1, out="nash3.json"):
    """The words of a `learn` command in a folder."""
    where = ["--store", f"{folder}/m.db", "--out", f"{folder}/{out}"]
    numbers = ["--seeds", str(seeds), "--test-seeds", "4", "--jobs", str(jobs)]
    return ["learn", *GAME, *numbers, *where, *more]


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A folder with a book and its store, made without interruption."""
    folder = tmp_path_factory.mktemp("learned")
    assert main(learn(folder, seeds=14)) == 0
    return folder


def test_a_learned_book(learned, capsys):
    book = read_book(f"{learned}/nash3.json")
    assert (book.name, book.setup.profile) == ("nash3", "olympiad")
    assert (book.setup.rules.size, book.setup.rules.komi) == (3, 1.5)
    assert book.setup.black == book.setup.white
    assert (book.setup.black.name, len(book.setup.black.games)) == ("random", 13)
    assert book.training.games == 196
    assert (book.evaluation.first_seed, book.evaluation.seeds) == (14, 4)
    assert [score.exploiter for score in book.evaluation.played] == [1, 2]
    # The value is what the mixture secures against every training seed; at an equilibrium the
    # two colours' values sum to 1.
    assert book.black.value + book.white.value == pytest.approx(1, abs=1e-6)
    with SeedStore(learned / "m.db") as store:
        wins = store.wins(book.black.seeds, range(14))
        assert (np.array(book.black.probabilities) @ wins).min() == pytest.approx(book.black.value)
        assert store.matrix(14, 14).digest() == book.training.matrix
    capsys.readouterr()
    assert main(["book", "show", "--json", f"{learned}/nash3.json"]) == 0
    assert capsys.readouterr().out == (learned / "nash3.json").read_text()
    assert main(["book", "show", f"{learned}/nash3.json"]) == 0
    assert "nash3: nash over 14 seeds, 3x3, komi 1.5, olympiad\n" in capsys.readouterr().out
    assert main(["book", "check", f"{learned}/nash3.json"]) == 0
    assert capsys.readouterr().out.startswith("nash3: good")


def test_other_methods_and_fewer_seeds_play_nothing_new(learned, tmp_path, capsys):
    size = games(learned / "m.db")
    (tmp_path / "m.db").write_bytes((learned / "m.db").read_bytes())
    for number, method in enumerate(["bestseed", "uniform", "sparse:alpha=0.5"]):
        words = learn(tmp_path, "--method", method, "--test-seeds", "0", seeds=14 - number)
        assert main(words) == 0
        assert read_book(f"{tmp_path}/nash3.json").training.method == method
        assert read_book(f"{tmp_path}/nash3.json").evaluation is None
    assert games(tmp_path / "m.db") == size
    assert "games" not in capsys.readouterr().err


def test_extended_equals_learned_at_once_whatever_the_jobs(learned, tmp_path):
    for seeds, jobs in ((5, 1), (9, 1), (14, 2)):
        assert main(learn(tmp_path, seeds=seeds, jobs=jobs)) == 0
    assert (tmp_path / "nash3.json").read_bytes() == (learned / "nash3.json").read_bytes()


def test_two_learners_share_the_games_and_one_outlives_the_other(learned, tmp_path):
    others = []

    def words(folder):
        others.append(begin(learn(folder, seeds=14)))
        return learn(folder, seeds=14)

    killed, folder = stopped_midway(words, tmp_path, signal.SIGKILL)
    killed.stderr.close()
    for other in others:
        said = other.communicate(timeout=PATIENCE)[1]
        assert other.returncode == 0, said
    assert (folder / "nash3.json").read_bytes() == (learned / "nash3.json").read_bytes()


def test_stores_are_shown_and_merged(learned, tmp_path, capsys):
    assert main(["store", "merge", f"{tmp_path}/all.db", f"{learned}/m.db"]) == 0
    assert capsys.readouterr().out == f"{tmp_path}/all.db: {games(learned / 'm.db')} new games\n"
    assert main(["store", "show", f"{tmp_path}/all.db"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "random against random"
    assert shown[1].startswith("game seeds, profile olympiad, size 3, komi 1.5")
    assert shown[2] == f"{games(learned / 'm.db')} games, 0 void, 0 being played"
    assert main(["store", "show", "--json", f"{tmp_path}/all.db"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == games(learned / "m.db")


def test_a_rectangle_and_two_bots(tmp_path):
    words = learn(tmp_path, "--opponent-seeds", "3", "--white-bot", "random", "--rules", "ccgc")
    assert main(words) == 0
    book = read_book(f"{tmp_path}/nash3.json")
    assert (book.training.seeds, book.training.opponent_seeds) == (8, 3)
    assert book.training.games == 2 * 8 * 3 - 9
    assert book.setup.profile == "ccgc"


def test_a_learner_that_asks_for_a_part_is_killed_and_goes_on(tmp_path, capsys):
    (tmp_path / "whole").mkdir()
    more = ["--method", "exp3:games=700"]
    assert main(learn(tmp_path / "whole", *more, seeds=40, out="b.json")) == 0
    book = read_book(f"{tmp_path}/whole/b.json")
    assert book.training.method.startswith("exp3:games=700,exploration=0.3,")
    assert 256 < book.training.games < 700
    assert "known to within" not in capsys.readouterr().out  # that is for a whole matrix
    words = partial(learn, seeds=40, out="b.json")
    killed, folder = stopped_midway(
        lambda folder: words(folder, *more, jobs=2), tmp_path, signal.SIGKILL
    )
    killed.stderr.close()
    assert main(words(folder, *more)) == 0
    assert (folder / "b.json").read_bytes() == (tmp_path / "whole/b.json").read_bytes()
    assert main(["book", "check", f"{tmp_path}/whole/b.json"]) == 0


def test_a_learner_on_terms_it_cannot_have(tmp_path, capsys):
    assert main(learn(tmp_path, "--method", "exp3")) == 2
    assert "exp3 never ends: say how many games it may play" in capsys.readouterr().err
    assert main(learn(tmp_path, "--method", "oracle", "--halving")) == 2
    assert "--halving is for a method of a whole matrix, not oracle" in capsys.readouterr().err
    assert not (tmp_path / "m.db").exists()
    assert main(learn(tmp_path, "--method", "halving:games=100")) == 2
    assert "its first round takes more than 100 games" in capsys.readouterr().err
    assert not (tmp_path / "nash3.json").exists()


def test_it_is_told_how_many_games_a_learner_plays(tmp_path, capsys):
    assert main(learn(tmp_path, "--method", "halving:first=4", "--test-seeds", "0", seeds=16)) == 0
    # 16 seeds of each colour against 4, 8 against 4 more, and 4 against the last 8.
    assert "games, at most,: 256 of 256" in capsys.readouterr().err


def test_halving_learns_from_the_seeds_that_are_left(tmp_path, capsys):
    words = ["--halving", "--opponent-seeds", "20", "--method", "besttop:turned=on"]
    matrix = f"{tmp_path}/halved3.json"
    assert main(learn(tmp_path, *words, "--matrix", matrix, seeds=12)) == 0
    assert "besttop:aim=both,turned=on over 6 that halving left of 12 seeds" in (
        capsys.readouterr().out
    )
    book = read_book(f"{tmp_path}/nash3.json")
    training = book.training
    assert (training.seeds, training.opponent_seeds, training.survivors) == (12, 20, 6)
    assert training.games == 2 * 6 * 20
    assert book.evaluation.first_seed == 20
    check_matrix(book, read_matrix(matrix))
    # Interrupted anywhere, it comes to the same.
    again = tmp_path / "again"
    again.mkdir()
    for _ in range(3):
        process = begin(learn(again, *words, seeds=12))
        stop_once_it_has_played(process, again / "m.db", signal.SIGKILL)
        process.stderr.close()
    assert main(learn(again, *words, seeds=12, jobs=2)) == 0
    assert (again / "nash3.json").read_bytes() == (tmp_path / "nash3.json").read_bytes()


def test_a_book_is_there_before_the_end(learned, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("phantomgo.app.learn.held_out", interrupted)
    assert main(learn(tmp_path, seeds=14)) == 130
    book, whole = read_book(f"{tmp_path}/nash3.json"), read_book(f"{learned}/nash3.json")
    assert book == replace(whole, evaluation=None)


def test_killed_and_resumed_it_writes_the_same_bytes(learned, tmp_path):
    process, folder = stopped_midway(partial(learn, seeds=14), tmp_path, signal.SIGKILL)
    process.stderr.close()
    for _ in range(2):
        process = begin(learn(folder, seeds=14))
        stop_once_it_has_played(process, folder / "m.db", signal.SIGKILL)
        process.stderr.close()
    assert main(learn(folder, seeds=14)) == 0
    assert (folder / "nash3.json").read_bytes() == (learned / "nash3.json").read_bytes()
    assert sorted(entry.name for entry in folder.iterdir()) == ["m.db", "nash3.json"]


def test_ctrl_c_is_no_traceback(tmp_path):
    process, _ = stopped_midway(partial(learn, seeds=40), tmp_path, signal.SIGINT)
    # Python itself ends by the signal, whatever we return, if it came while scipy was imported.
    assert process.returncode in (130, -signal.SIGINT)
    assert process.stderr.read().splitlines()[-1] == "phantomgo learn: interrupted"
    process.stderr.close()


def test_ctrl_c_while_an_extension_is_imported_is_ctrl_c(monkeypatch, capsys):
    """Extensions made with pybind11 say ImportError, caused by what interrupted them."""

    def imported(_):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("initialization failed") from error

    monkeypatch.setattr("phantomgo.app.learn.run", imported)
    assert main(learn("nowhere")) == 130
    assert capsys.readouterr().err == "phantomgo learn: interrupted\n"


@pytest.mark.parametrize("method", [*METHODS, *LEARNERS])
def test_a_toy_book_of_every_method(learned, tmp_path, method):
    (tmp_path / "m.db").write_bytes((learned / "m.db").read_bytes())
    known = LEARNERS.get(method)
    spec = method if known is None or known.ends else f"{method}:games=64"
    assert main(learn(tmp_path, "--method", spec, seeds=14)) == 0
    book = read_book(f"{tmp_path}/nash3.json")
    assert book.training.method.startswith(method)
    assert [score.exploiter for score in book.evaluation.played] == [1, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["--method", "nash"],
        ["--method", "topk:k=4", "--halving"],
        ["--method", "halving:k=4"],
        ["--method", "ucb:games=4000"],
        ["--method", "exp3:games=6000"],
        ["--method", "oracle:start=2,more=1"],
        ["--method", "sublinear"],
    ],
    ids=lambda words: " ".join(words[1:]),
)
def test_killed_twenty_times_on_all_cores(tmp_path, words):
    """Whenever it comes to its end between two kills it begins anew, with an empty store."""
    assert main(learn(tmp_path, *words, seeds=60)) == 0
    whole = (tmp_path / "nash3.json").read_bytes()
    kills = ends = 0
    while kills < 20 or not ends:
        assert ends < 20
        broken = tmp_path / str(ends)
        broken.mkdir(exist_ok=True)
        process = begin(learn(broken, *words, seeds=60, jobs=2))
        killed = kills < 20 and stop_once_it_has_played(process, broken / "m.db", signal.SIGKILL)
        # The workers hold our end of the pipe: it closes when the last of them has gone.
        os.set_blocking(process.stderr.fileno(), True)
        said = process.stderr.read()
        process.stderr.close()
        if killed:
            kills += 1
        else:
            assert process.wait() == 0, said
            assert (broken / "nash3.json").read_bytes() == whole
            ends += 1


@pytest.fixture(scope="module")
def matrix_store(tmp_path_factory):
    """A store with made-up results of 30 seeds."""
    path = tmp_path_factory.mktemp("store") / "m.db"
    rules = Rules.profile("olympiad", size=3, komi=1.5)
    wins = np.random.default_rng(2).integers(0, 2, (30, 30))
    with SeedStore(path, make_setup("random", "random", "olympiad", rules)) as store:
        store.add(
            [((i, j), Result("B+1.5" if won else "W+R")) for (i, j), won in np.ndenumerate(wins)]
        )
    return path


def test_evaluate_a_store(matrix_store, capsys):
    words = ["evaluate", "--store", str(matrix_store), "--repeats", "20", "--jobs", "1"]
    assert main([*words, "--exploiters", "1,2,8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    with SeedStore(matrix_store) as store:
        matrix = store.matrix(30, 30)
    table = cross_validate(
        matrix, list(found["methods"]), opponents=10, exploiters=(1, 2, 8), repeats=20
    )
    assert found["learned_on"] == {"seeds": 10, "opponent_seeds": 10}
    assert found["setup"]["size"] == 3
    for row, scores in enumerate(found["methods"].values()):
        assert scores["rate"] == table.mean[row].tolist()
        assert scores["error"] == table.error[row].tolist()
    assert main([*words, "--methods", "uniform,nash", "--train", "14"]) == 0
    lines = capsys.readouterr().out.splitlines()
    learned = "3x3, random, komi 1.5, olympiad: learned on K=14 of 30 seeds, tested on 16 others, "
    assert lines[0].startswith(f"{learned}20 repeats. Black wins ")
    assert lines[-4] == "| method | K'=1 | K'=2 | K'=4 | K'=8 | K'=16 |"
    assert [line.split(" | ")[0] for line in lines[-2:]] == ["| uniform", "| nash"]
    assert main([*words, "--seeds", "30", "--opponent-seeds", "24", "--methods", "nash"]) == 0
    assert "learned on K=10 against Kt=4 of 30 seeds" in capsys.readouterr().out


def test_evaluate_a_book(learned, tmp_path, capsys):
    words = ["evaluate", "--book", f"{learned}/nash3.json", "--test-seeds", "4", "--jobs", "1"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["evaluation"]
    book = read_book(f"{learned}/nash3.json")
    assert found == json.loads(json.dumps(asdict(book.evaluation)))
    assert main([*words, "--first-seed", "100", "--store", f"{tmp_path}/e.db"]) == 0
    assert "against 4 fresh seeds per colour" in capsys.readouterr().out
    assert games(tmp_path / "e.db") == 8 * 4 * (len(book.black.seeds) + len(book.white.seeds))


def test_evaluate_every_method_on_fresh_seeds(learned, tmp_path, capsys):
    (tmp_path / "m.db").write_bytes((learned / "m.db").read_bytes())
    assert main(learn(tmp_path, "--matrix", f"{tmp_path}/all3.json", seeds=14)) == 0
    capsys.readouterr()
    words = ["evaluate", "--matrix", f"{tmp_path}/all3.json", "--fresh", "--test-seeds", "4"]
    words += ["--methods", "nash,bestseed", "--exploiters", "1,3", "--jobs", "1"]
    assert main([*words, "--json", "--store", f"{tmp_path}/e.db"]) == 0
    found = json.loads(capsys.readouterr().out)
    book = read_book(f"{learned}/nash3.json")
    assert list(found["methods"]) == ["nash", "bestseed"]
    of_book = json.loads(json.dumps(asdict(book.evaluation)))["played"][0]
    assert found["methods"]["nash"]["played"][0] == of_book
    assert main([*words, "--store", f"{tmp_path}/e.db"]) == 0  # plays nothing again
    table = capsys.readouterr().out.splitlines()
    nash = found["methods"]["nash"]["played"][0]
    assert table[0].endswith("learned on 14 seeds, tested on 4 fresh ones.")
    assert table[3] == "| method | seeds | symmetries | K'=1 | K'=3 |"
    assert table[5].startswith("| `nash` | ")
    assert f" | 8 | {100 * nash['rate']:.1f} ± {100 * nash['error']:.1f} | " in table[5]
    assert table[6].startswith("|  |  | none | ")
    assert table[7].startswith("| `bestseed` | 1 | 8 | ")


def test_a_book_for_a_handicap(tmp_path, capsys):
    asked = ["--handicap", "A1", "C3", "--white-bot", "flatmc:playouts=10", "--symmetries", "8"]
    assert main(learn(tmp_path, *asked, seeds=4)) == 0
    assert "all 4 symmetries" in capsys.readouterr().out  # those that keep both stones in place
    name = f"{tmp_path}/nash3.json"
    book, text = read_book(name), json.loads((tmp_path / "nash3.json").read_text())
    assert book.setup.beginning == Beginning(1 | 1 << 8)
    assert text["handicap"] == ["A1", "C3"]
    assert book.evaluation.symmetries == 4
    assert not book.fits("random", book.setup.rules)
    with SeedStore(tmp_path / "m.db") as store:
        assert store.setup == book.setup
        black, white = bots.make("random", 3), bots.make("flatmc:playouts=10", 2)
        game = play_game(book.setup.rules, black, white, book.setup.beginning)
        assert store.results()[3, 2] == game.outcome.result
    assert main(["book", "check", name]) == 0
    assert main(["book", "show", name, "--openings", "2"]) == 0
    assert main(["matrix", "pack", f"{tmp_path}/all3.json", "--store", f"{tmp_path}/m.db"]) == 0
    assert read_matrix(f"{tmp_path}/all3.json").setup == book.setup
    both = ["--black", f"book:{name}", "--white", "random", "--size", "3", "--komi", "1.5"]
    capsys.readouterr()
    assert main(["match", *both, "--games", "2", "--handicap", "C3", "A1"]) == 0
    assert main(["match", *both, "--games", "2"]) == 1
    assert "was learned with handicap A1 C3, not an empty board; " in capsys.readouterr().err
    both[1] += ",force=on"
    assert main(["match", *both, "--games", "2"]) == 0
    game = ["--game", "domineering:size=3", "--handicap", "A1"]
    words = ["learn", "--bot", "random", *game, "--seeds", "2", "--store", "a.db", "--out", name]
    assert main(words) == 2
    assert "--handicap is for Phantom Go" in capsys.readouterr().err


def test_a_book_for_a_position_of_a_record(tmp_path, capsys):
    record = game(1, size=3)
    file, name = f"{tmp_path}/game.json", f"{tmp_path}/nash3.json"
    (tmp_path / "game.json").write_text(write_record(record) + "\n")
    after = ["--after", file, "3"]
    assert main(learn(tmp_path, *after, seeds=4)) == 0
    out = capsys.readouterr().out
    book, text = read_book(name), json.loads((tmp_path / "nash3.json").read_text())
    made = record.beginning(3).attempts
    assert book.setup.beginning == Beginning(0, made)
    assert f", {len(made)} attempts made\n" in out
    assert len(text["attempts"]) == len(made) > 3  # one was refused
    assert not book.fits("random", book.setup.rules)
    with SeedStore(tmp_path / "m.db") as store:
        assert store.setup == book.setup
        players = bots.make("random", 3), bots.make("random", 2)
        played = play_game(book.setup.rules, *players, book.setup.beginning)
        assert played.steps[: len(made)] == tuple(
            step._replace(seconds=0) for step in record.steps[: len(made)]
        )
        assert store.results()[3, 2] == played.outcome.result
    assert main(["book", "check", name]) == 0
    assert main(["book", "show", name, "--openings", "2"]) == 0
    assert main(["matrix", "pack", f"{tmp_path}/all3.json", "--store", f"{tmp_path}/m.db"]) == 0
    assert read_matrix(f"{tmp_path}/all3.json").setup == book.setup
    both = ["--black", f"book:{name}", "--white", "random", "--size", "3", "--komi", "1.5"]
    games = ["match", *both, "--games", "2"]
    assert main([*games, *after, "--store", f"{tmp_path}/match.db"]) == 0
    assert main(["replay", "--check", f"{tmp_path}/match.db"]) == 0
    capsys.readouterr()
    assert main(games) == 1
    said = f"was learned with {len(made)} attempts made, not an empty board; "
    assert said in capsys.readouterr().err
    (tmp_path / "game.json").write_text(write_record(game(4, size=3)) + "\n")
    assert main([*games, "--after", file, str(len(made))]) == 1
    assert f"was learned with {len(made)} attempts made, not others; " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["--after", "GAME", "-1"], "--after: '-1' is not a number of moves"),
        (["--after", "GAME", "99"], "the game has 15 moves, not 99"),
        (["--after", "GAME", "15"], "ends the game"),
        (["--after", "TWO", "1"], "one game is needed, not more than one"),
        (["--after", "NONE", "1"], "one game is needed, not none"),
        (["--after", "GAME", "1", "--handicap", "A1"], "--handicap goes without --after"),
        (["--after", "GAME", "1", "--size", "4"], "the game is on 3x3, not 4x4"),
    ],
)
def test_what_no_game_begins_with(tmp_path, capsys, words, wrong):
    text = write_record(game(1, size=3))
    for name, texts in (("GAME", [text]), ("TWO", [text, text]), ("NONE", [])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in texts))
    words = [f"{tmp_path}/{word}" if word.isupper() else word for word in words]
    assert main(learn(tmp_path, *words)) == 2
    assert wrong in capsys.readouterr().err


def test_two_books_meet(learned, tmp_path, capsys):
    (tmp_path / "m.db").write_bytes((learned / "m.db").read_bytes())
    more = ["--method", "topk:k=3", "--test-seeds", "0"]
    assert main(learn(tmp_path, *more, seeds=14, out="top3.json")) == 0
    books = [f"{learned}/nash3.json", f"{tmp_path}/top3.json"]
    found = []
    for one, other in (books, books[::-1]):
        capsys.readouterr()
        words = ["--book", one, "--against", other, "--store", f"{tmp_path}/e.db", "--jobs", "1"]
        assert main(["evaluate", *words, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    # What one wins the other loses (a komi with a half point knows no draws).
    assert found[0]["black"] + found[1]["white"] == pytest.approx(1)
    assert found[0]["rate"] + found[1]["rate"] == pytest.approx(1)
    nash, top = (read_book(name) for name in books)
    with SeedStore(f"{tmp_path}/e.db") as store:
        shares = store.turned_wins(nash.black.seeds, top.white.seeds, 8)
    assert found[0]["black"] == pytest.approx(
        float(np.array(nash.black.probabilities) @ shares.mean(axis=1))
    )


def test_methods_meet(capsys):
    words = ["evaluate", "--matrix", "flat5", "--seeds", "40", "--methods", "uniform,topk,nash"]
    words += ["--against", "uniform", "--repeats", "3"]
    assert main(words) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[4].startswith("| uniform | 50.0 | ")
    assert [line.split(" | ")[0] for line in table[4:]] == ["| uniform", "| topk", "| nash"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["against"] == "uniform"
    nash = found["methods"]["nash"]
    assert f"| nash | {50 * sum(nash['within'].values()):.1f} | " in table[6]
    with pytest.raises(SystemExit):
        main([*words, "--plot", "figure.svg"])


def test_the_server_plays_from_a_book(learned):
    words = [sys.executable, "-m", "phantomgo", "gtp", "--book", f"{learned}/nash3.json"]
    lines = ["phantom-param bot book:no", "genmove b", "gomill-describe_engine", "quit"]
    asked = "\n".join(lines) + "\n"
    found = subprocess.run(words, input=asked, cwd=ROOT, capture_output=True, text=True, check=True)
    refusal, move, description, _ = found.stdout.split("\n\n", 3)
    assert refusal.startswith("? there is no book no; shipped: ")
    assert move.startswith("=")
    assert f"\nbot book:{learned}/nash3.json\nseed hidden until the game is over" in description
    assert '"size": 3, "komi": 1.5,' in description
    assert found.stderr == ""


def test_a_changed_bot_fails_the_check(learned, tmp_path, capsys):
    text = (learned / "nash3.json").read_text()
    fingerprint = read_book(f"{learned}/nash3.json").setup.black.fingerprint
    (tmp_path / "nash3.json").write_text(text.replace(fingerprint, "0" * 16))
    assert main(["book", "check", f"{tmp_path}/nash3.json"]) == 1
    assert "Black's bot random has changed since it was learned" in capsys.readouterr().err
    words = ["evaluate", "--book", f"{tmp_path}/nash3.json", "--test-seeds", "2", "--jobs", "1"]
    assert main(words) == 1
    assert main([*words, "--force"]) == 0


def test_the_bots_include_books(learned, monkeypatch, capsys):
    monkeypatch.setattr("phantomgo.portfolio.book.folder", lambda: learned)
    assert main(["bots"]) == 0
    out = capsys.readouterr().out
    assert "\nbook:NAME\n  symmetry=on  on or off: " in out
    assert "\n  NAME  a .json file, or one of nash3\nnets\n  judge1  digest " in out
    assert "\n  stones1  digest " in out
    assert main(["bots", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["book:NAME"]) == {"symmetry", "force", "code"}
    assert set(told["nets"]) == {"judge1", "judge2", "stones1", "stones2", "stones3", "stones4"}


def test_book_list(learned, monkeypatch, capsys):
    monkeypatch.setattr("phantomgo.portfolio.book.folder", lambda: learned)
    assert main(["book", "list"]) == 0
    assert "\nhand5  moves for 5x5, flatmc:playouts=200, komi 2.5" in capsys.readouterr().out
    monkeypatch.setattr("phantomgo.portfolio.moves.folder", lambda: learned)
    assert main(["book", "list"]) == 0
    assert capsys.readouterr().out == (
        "nash3  size 3, komi 1.5, rules olympiad, bot random, method nash, seeds 14\n"
    )
    assert main(["book", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nash3"]["seeds"] == 14
    assert main(["book", "list", "--markdown"]) == 0
    head, _, played, plain = capsys.readouterr().out.splitlines()
    assert head.startswith("| book | board | komi | method | seeds | measured | K'=1 | K'=2 | ")
    assert played.startswith("| `nash3` | 3x3 | 1.5 | `nash` | ")
    evaluation = read_book("nash3").evaluation
    for row, how in ((played, "as played"), (plain, "plainly")):
        scores = evaluation.played if row is played else evaluation.plain
        rates = [f"{100 * score.rate:.1f} ± {100 * score.error:.1f}" for score in scores]
        assert row.endswith(f" | {how} | {' | '.join(rates)} |  |  |  |")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["learn"], 2, "the following arguments are required: --bot, --seeds, --store,"),
        (["learn", "--seeds", "0"], 2, "argument --seeds: '0' is not a whole number from 1 on"),
        (["learn", "--jobs", "-1"], 2, "argument --jobs: '-1' is not a whole number from 1 on"),
        (["learn", "--komi", "nan"], 2, "argument --komi: 'nan' is not a number of points"),
        (["learn", "--komi", "x"], 2, "argument --komi: 'x' is not a number of points"),
        (["learn", "--test-seeds", "x"], 2, "argument --test-seeds: 'x' is not a whole number"),
        (learn("DIR", "--bot", "nosuch"), 2, "no bot 'nosuch'; there are "),
        (learn("DIR", "--bot", "book:x"), 2, "book:x is a book already; learn the bot it is for"),
        (learn("DIR", "--size", "30"), 2, "size 30 is not from 2 to 19"),
        (learn("DIR", "--rules", "chess"), 2, "no rules profile 'chess'; there are olympiad, "),
        (learn("DIR", "--method", "best"), 2, "no method 'best'; there are oneseed, uniform, "),
        (learn("DIR", seeds=20_001), 2, "--seeds 20001 is more than 20000"),
        (learn("DIR", "--opponent-seeds", "9"), 2, "--opponent-seeds 9 is more than --seeds 8"),
        (learn("DIR", out="book.txt"), 2, "--out 'DIR/book.txt' is not NAME.json with a plain"),
        (learn("DIR", out="no/b.json"), 2, "--out: there is no folder DIR/no"),
        (learn("DIR", "--store", "DIR/no/m.db"), 1, "store DIR/no/m.db: unable to open database"),
        (["evaluate"], 2, "one of --matrix, --store and --book is required"),
        (["evaluate", "--store", "STORE", "--fresh"], 2, "--fresh goes with --matrix, and without"),
        (
            ["evaluate", "--matrix", "flat5", "--fresh", "--methods", "sparse:alpha=best"],
            2,
            "--methods: sparse:alpha=best is chosen for each K' by cross-validation; name the ",
        ),
        (
            ["evaluate", "--store", "STORE", "--against", "nash", "--methods", "sparse:alpha=best"],
            2,
            "--methods: sparse:alpha=best is chosen for each K'",
        ),
        (["evaluate", "--store", "DIR/no.db"], 1, "there is no store DIR/no.db"),
        (["evaluate", "--store", "STORE", "--train", "15"], 2, "15 training seeds of 30 leave 15"),
        (["evaluate", "--store", "STORE", "--methods", "x"], 2, "no method 'x'; there are "),
        (["evaluate", "--store", "STORE", "--exploiters", "1,x"], 2, "argument --exploiters: 'x'"),
        (["evaluate", "--store", "STORE", "--seeds", "31"], 1, "STORE lacks 61 of the 961 games"),
        (
            ["evaluate", "--store", "STORE", "--opponent-seeds", "31"],
            2,
            "STORE has no matrix of 30 own and 31 opponent seeds",
        ),
        (["evaluate", "--book", "no"], 1, "there is no book no; shipped: "),
        (["evaluate", "--book", "BOOK", "--plot", "x"], 2, "--plot and --matrix are for cross-"),
        (
            ["evaluate", "--book", "BOOK", "--first-seed", "13"],
            2,
            "--first-seed 13: book nash3 was learned on seeds below 14",
        ),
        (["evaluate", "--book", "BOOK", "--against", "nash5"], 2, "book nash5 is of 5x5, flatmc:"),
        (["book", "list", "x"], 2, "unrecognized arguments: x"),
        (["book", "show"], 2, "the following arguments are required: NAME"),
        (["book", "show", "BOOK", "--markdown"], 2, "unrecognized arguments: --markdown"),
        (["book", "check", "no"], 1, "there is no book no; shipped: "),
        (["gtp", "--book", "BOOK", "--size", "5"], 1, "book:BOOK is for 3x3, not 5x5"),
        (["gtp", "--bot", "book:BOOK"], 1, "book:BOOK is for 3x3, not 9x9"),
        (["gtp", "--book", "BOOK", "--komi", "9"], 1, "book:BOOK was learned with komi 1.5, not 9"),
        (["bridge", "sau", "--bot", "book:BOOK"], 1, "book:BOOK is for 3x3, not 9x9"),
        (
            ["match", "--black", "random", "--white", "book:BOOK", "--size", "3", "--games", "2"],
            1,
            "book:BOOK was learned with komi 1.5, not 7.5; book:BOOK,force=on plays it all the",
        ),
        (["book", "burn"], 2, "argument ACTION: invalid choice: 'burn'"),
    ],
)
def test_errors(words, code, message, tmp_path, learned, matrix_store, capsys):
    places = {"DIR": tmp_path, "STORE": matrix_store, "BOOK": learned / "nash3.json"}
    for name, path in places.items():
        words = [word.replace(name, str(path)) for word in words]
    try:
        found = main(words)
    except SystemExit as stop:
        found = stop.code
    last = capsys.readouterr().err.splitlines()[-1]
    for name, path in places.items():
        last = last.replace(str(path), name)
    assert f": {message}" in last
    assert found == code
    assert list(tmp_path.iterdir()) in ([], [tmp_path / "m.db"])


def test_a_store_of_other_games_is_refused(learned, tmp_path, capsys):
    words = learn(tmp_path, "--store", f"{learned}/m.db", "--komi", "2.5")
    assert main(words) == 1
    expected = f"phantomgo learn: {learned}/m.db was made for komi 1.5, not 2.5\n"
    assert capsys.readouterr().err == expected


def test_plots(matrix_store, tmp_path, capsys):
    words = ["evaluate", "--store", str(matrix_store), "--repeats", "3", "--jobs", "1"]
    words += ["--methods", "uniform,nash", "--plot", f"{tmp_path}/figure.svg"]
    if not has_matplotlib():
        assert main(words) == 1
        expected = "--plot needs matplotlib: pip install matplotlib, or '.[plot]' in a checkout"
        assert expected in capsys.readouterr().err
        return
    assert main([*words, "--plot", f"{tmp_path}/figure.txt"]) == 2
    assert "figure.txt ends in no format; there are " in capsys.readouterr().err
    assert main(words) == 0
    assert "<svg" in (tmp_path / "figure.svg").read_text()
    assert main(["book", "list", "--plot", f"{tmp_path}/books.svg"]) == 0
    drawn = (tmp_path / "books.svg").read_text()
    assert all(f"<!-- {word} -->" in drawn for word in ("9x9", "nash5", "CIG 2016, Table I"))


def has_matplotlib():
    try:
        plots.load_pyplot()
    except plots.PhantomGoError:
        return False
    return True


def test_progress_lines(capsys):
    """The first game waits for the compiler, which the estimate leaves out; it may never end."""
    times = iter([100.0, 110.0, 120.0, 121.0, 130.0, 131.0, 140.0, 150.5])
    lines = Lines("games", 50, sys.stderr, lambda: next(times))
    for number in (0, 1, 9, 9, 1, 4, 26):
        lines.advance(number)
    assert capsys.readouterr().err.splitlines() == [
        "games: 0 of 50, 0 a second",
        "games: 1 of 50, 0.05 a second",
        "games: 19 of 50, 0.633 a second, 0:17 left",
        "games: 24 of 50, 0.6 a second, 0:23 left",
        "games: 50 of 50, 0.99 a second, done in 0:50",
    ]


def test_the_papers_figures_stand_beside_ours(tmp_path, capsys, monkeypatch):
    rules = Rules.profile("olympiad", size=7, komi=3.5)
    with SeedStore(tmp_path / "m.db", make_setup("random", "random", "olympiad", rules)) as store:
        store.add([((i, j), Result("B+1.5" if (i + j) % 2 else "W+R")) for i, j in cells(24, 24)])
    words = ["evaluate", "--store", f"{tmp_path}/m.db", "--repeats", "4", "--jobs", "1"]
    words += ["--train", "8", "--exploiters", "1,3,16"]
    assert main(words) == 0
    assert "CIG 2016" not in capsys.readouterr().out, "8 seeds are not to be held to 380"
    monkeypatch.setattr("phantomgo.app.published.ENOUGH", 8)
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "; in brackets CIG 2016, Table I (K=380, another player); ↓: below it by" in lines[2]
    table = {line.split(" | ")[0][2:]: line.split(" | ")[1:] for line in lines[4:]}
    assert [cell.split()[3:] for cell in table["nash"][:2]] == [["(58.3↓)"], []]
    assert table["nash"][2].startswith("50.0 ± 0.0 (41.1)")
    assert table["bestseed"][2].startswith("0.0 ± 0.0 (0.1)")
    # The highest of its sparse rows.
    assert [table["sparse:alpha=best"][k].split("(")[1][:4] for k in (0, 2)] == ["59.6", "33.2"]
    assert table["uniform"][0].count("(") == 0


def test_one_is_not_many(tmp_path, capsys):
    words = ["learn", "--bot", "random", "--size", "4", "--seeds", "1", "--test-seeds", "0"]
    files = ["--store", f"{tmp_path}/m.db", "--out", f"{tmp_path}/one.json"]
    assert main([*words, *files]) == 0
    out = capsys.readouterr().out
    assert "one: nash over 1 seed, 4x4" in out
    assert "\n  1 game, of which Black won" in out
    assert main(["matrix", "pack", f"{tmp_path}/packed.json", "--store", f"{tmp_path}/m.db"]) == 0
    assert "; 1 seed, 1 game, Black won" in capsys.readouterr().out


def test_a_check_takes_no_longer_for_a_book_that_asks_for_more(learned, tmp_path, capsys):
    text = (learned / "nash3.json").read_text()
    for bot in ("flatmc:playouts=999999999,per_candidate=9999999", "twolevel:playouts=999999"):
        (tmp_path / "nash3.json").write_text(text.replace('"name": "random"', f'"name": "{bot}"'))
        assert main(["book", "check", f"{tmp_path}/nash3.json"]) == 1
        assert f"bot {bot} has changed since it was learned" in capsys.readouterr().err
