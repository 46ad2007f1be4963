"""Books for games that begin elsewhere than on an empty board."""

import json

import pytest

import bots
from phantomgo.app.cli import main
from phantomgo.beginning import Beginning
from phantomgo.game import play_game
from phantomgo.lab.seed_store import SeedStore
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.packed import read_matrix
from phantomgo.record_json import write_record
from tests.support.learning import go_setup, learn
from tests.support.records import game


def is_checked_shown_and_packed(folder, book):
    """The other commands take the book for what it is for, and its store, too."""
    name, matrix = f"{folder}/nash3.json", f"{folder}/all3.json"
    assert main(["book", "check", name]) == 0
    assert main(["book", "show", name]) == 0
    assert main(["store", "pack", matrix, "--store", f"{folder}/m.db"]) == 0
    assert read_matrix(matrix).setup == book.setup


def test_a_book_for_a_handicap(tmp_path, capsys):
    asked = ["--handicap", "A1", "C3", "--white-bot", "flatmc:playouts=10", "--symmetries", "8"]
    assert main(learn(tmp_path, *asked, seeds=4)) == 0
    assert "all 4 symmetries" in capsys.readouterr().out  # those that keep both stones in place
    name = f"{tmp_path}/nash3.json"
    book, text = read_book(name), json.loads((tmp_path / "nash3.json").read_text())
    assert go_setup(book).beginning == Beginning(1 | 1 << 8)
    assert text["handicap"] == ["A1", "C3"]
    assert book.evaluation.symmetries == 4
    with SeedStore(tmp_path / "m.db") as store:
        assert store.setup == book.setup
        black, white = bots.make("random", 3), bots.make("flatmc:playouts=10", 2)
        played = play_game(go_setup(book).rules, black, white, go_setup(book).beginning)
        assert store.results()[3, 2] == played.outcome.result
    is_checked_shown_and_packed(tmp_path, book)
    both = ["--black", f"book:{name}", "--white", "random", "--size", "3", "--komi", "1.5"]
    capsys.readouterr()
    assert main(["match", *both, "--games", "2", "--handicap", "C3", "A1"]) == 0
    assert main(["match", *both, "--games", "2"]) == 1
    assert "was learned with handicap A1 C3, not an empty board; " in capsys.readouterr().err
    both[1] += ",force=on"
    assert main(["match", *both, "--games", "2"]) == 0
    other = ["--game", "domineering:size=3", "--handicap", "A1"]
    words = ["learn", "--bot", "random", *other, "--seeds", "2", "--store", "a.db", "--out", name]
    assert main(words) == 2
    assert "handicap is for Phantom Go" in capsys.readouterr().err


def test_a_book_for_a_position_of_a_record(tmp_path, capsys):
    record = game(1, size=3)
    file, name = f"{tmp_path}/game.json", f"{tmp_path}/nash3.json"
    (tmp_path / "game.json").write_text(write_record(record) + "\n")
    after = ["--after", file, "3"]
    assert main(learn(tmp_path, *after, seeds=4)) == 0
    out = capsys.readouterr().out
    book, text = read_book(name), json.loads((tmp_path / "nash3.json").read_text())
    made = record.beginning(3).attempts
    assert go_setup(book).beginning == Beginning(0, made)
    assert f", {len(made)} attempts made\n" in out
    assert len(text["attempts"]) == len(made) > 3  # one was refused
    with SeedStore(tmp_path / "m.db") as store:
        assert store.setup == book.setup
        black, white = bots.make("random", 3), bots.make("random", 2)
        played = play_game(go_setup(book).rules, black, white, go_setup(book).beginning)
        assert played.steps[: len(made)] == tuple(
            step._replace(seconds=0) for step in record.steps[: len(made)]
        )
        assert store.results()[3, 2] == played.outcome.result
    is_checked_shown_and_packed(tmp_path, book)
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
        (["--after", "GAME", "99"], "the game has 15 moves, not 99"),
        (["--after", "TWO", "1"], "one game is needed, not more than one"),
        (["--after", "NONE", "1"], "one game is needed, not none"),
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
