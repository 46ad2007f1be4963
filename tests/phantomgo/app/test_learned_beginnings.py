"""Books for games that begin elsewhere than on an empty board."""

import json

import bots
from phantomgo.app.cli import main
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.playing import play_game
from phantomgo.game.recording import beginning_after
from phantomgo.lab.seeds.seed_store import SeedStore
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.packed import read_matrix
from phantomgo.records.record_json import write_record
from tests.support.learning import go_setup, learn
from tests.support.records import game


def made(folder, white="random"):
    """The book in a folder, and a game of its store; other commands take it for what it is for."""
    name, matrix = f"{folder}/nash3.json", f"{folder}/all3.json"
    book = read_book(name)
    rules, beginning = go_setup(book).rules, go_setup(book).beginning
    played = play_game(
        rules, bots.make("random", Game(rules), 3), bots.make(white, Game(rules), 2), beginning
    )
    with SeedStore(folder / "m.db") as store:
        assert store.setup == book.setup
        assert store.results()[3, 2] == played.outcome.result
    assert main(["book", "check", name]) == 0
    assert main(["book", "show", name]) == 0
    assert main(["store", "pack", matrix, "--store", f"{folder}/m.db"]) == 0
    assert read_matrix(matrix).setup == book.setup
    return book, played


def test_a_book_for_a_handicap(tmp_path, capsys):
    asked = ["--handicap", "A1", "C3", "--white-bot", "flatmc:playouts=10", "--symmetries", "8"]
    assert main(learn(tmp_path, *asked, seeds=4)) == 0
    assert "all 4 symmetries" in capsys.readouterr().out  # those that keep both stones in place
    name, (book, _) = f"{tmp_path}/nash3.json", made(tmp_path, "flatmc:playouts=10")
    assert go_setup(book).beginning == Beginning(1 | 1 << 8)
    assert json.loads((tmp_path / "nash3.json").read_text())["handicap"] == ["A1", "C3"]
    assert book.evaluation.symmetries == 4
    both = ["--black", f"book:{name}", "--white", "random", "--size", "3", "--komi", "1.5"]
    capsys.readouterr()
    assert main(["match", *both, "--games", "2", "--handicap", "C3", "A1"]) == 0
    assert main(["match", *both, "--games", "2"]) == 1
    assert "was learned with handicap A1 C3, not an empty board; " in capsys.readouterr().err
    both[1] += ",force=on"
    assert main(["match", *both, "--games", "2"]) == 0


def test_a_book_for_a_position_of_a_record(tmp_path, capsys):
    record = game(1, size=3)
    file, name = f"{tmp_path}/game.json", f"{tmp_path}/nash3.json"
    (tmp_path / "game.json").write_text(write_record(record) + "\n")
    after = ["--after", file, "3"]
    assert main(learn(tmp_path, *after, seeds=4)) == 0
    out = capsys.readouterr().out
    begun, (book, played) = beginning_after(record, 3).attempts, made(tmp_path)
    assert go_setup(book).beginning == Beginning(0, begun)
    assert f", {len(begun)} attempts made\n" in out
    attempts = json.loads((tmp_path / "nash3.json").read_text())["attempts"]
    assert len(attempts) == len(begun) > 3  # one was refused
    before = record.steps[: len(begun)]
    assert played.steps[: len(begun)] == tuple(step._replace(seconds=0) for step in before)
    both = ["--black", f"book:{name}", "--white", "random", "--size", "3", "--komi", "1.5"]
    games = ["match", *both, "--games", "2"]
    assert main([*games, *after, "--store", f"{tmp_path}/match.db"]) == 0
    assert main(["replay", "--check", f"{tmp_path}/match.db"]) == 0
    capsys.readouterr()
    assert main(games) == 1
    said = f"was learned with {len(begun)} attempts made, not an empty board; "
    assert said in capsys.readouterr().err
    (tmp_path / "game.json").write_text(write_record(game(4, size=3)) + "\n")
    assert main([*games, "--after", file, str(len(begun))]) == 1
    assert f"was learned with {len(begun)} attempts made, not others; " in capsys.readouterr().err
