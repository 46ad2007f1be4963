"""The command evaluate: stores, matrices and books, measured."""

import json
from dataclasses import replace

from phantomgo.app.cli import main
from phantomgo.game.points import BLACK, WHITE
from phantomgo.lab.seeds.seed_store import SeedStore
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.cross_validation import cross_validate
from tests.support.learning import games


def test_evaluate_a_store(matrix_store, capsys):
    words = f"evaluate methods --store {matrix_store} --repeats 20".split()
    assert main([*words, "--exploiters", "1", "2", "8", "--json"]) == 0
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
    assert main([*words, "--methods", "uniform", "nash", "--train", "14"]) == 0
    lines = capsys.readouterr().out.splitlines()
    learned = "3x3, random, komi 1.5, olympiad: learned on K=14 of 30 seeds, tested on 16 others, "
    assert lines[0].startswith(f"{learned}20 repeats. Black wins ")
    assert lines[-4] == "| method | K'=1 | K'=2 | K'=4 | K'=8 | K'=16 |"
    assert [line.split(" | ")[0] for line in lines[-2:]] == ["| uniform", "| nash"]
    assert main([*words, "--seeds", "30", "--opponent-seeds", "24", "--methods", "nash"]) == 0
    assert "learned on K=10 against Kt=4 of 30 seeds" in capsys.readouterr().out


def test_evaluate_a_book(learned, tmp_path, capsys):
    words = ["evaluate", "book", f"{learned}/nash3.json", "--test-seeds", "4"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["evaluation"]
    book = read_book(f"{learned}/nash3.json")
    alone = replace(book.evaluation, without=(), own_seeds=0)
    assert found == json.loads(json.dumps(alone.as_dict()))
    assert main([*words, "--first-seed", "100", "--store", f"{tmp_path}/e.db"]) == 0
    assert "the most dangerous of K' of 4 fresh seeds per colour" in capsys.readouterr().out
    assert games(tmp_path / "e.db") == 8 * 4 * (len(book.black.lines) + len(book.white.lines))
    assert main([*words, "--own-seeds", "6", "--out", f"{tmp_path}/both3.json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == "  its bot without a book, estimated from 6 seeds:"
    both = read_book(f"{tmp_path}/both3.json").evaluation
    assert replace(both, without=(), own_seeds=0) == alone
    assert lines[-1].startswith(f"    K'=2  {100 * both.without[0].rate:5.1f} ± ")


def test_each_colour_leaves_a_book_in_its_own_time_or_does_without(learned, tmp_path, capsys):
    words = ["evaluate", "book", f"{learned}/nash3.json", "--test-seeds", "2", "--exploiters", "1"]
    assert main([*words, "--moves", "1", "2", "--out", f"{tmp_path}/left3.json"]) == 0
    book = read_book(f"{tmp_path}/left3.json")
    assert (book.black.moves, book.white.moves) == (1, 2)
    assert book.evaluation.tails
    assert main([*words, "--moves", "0", "2", "--out", f"{tmp_path}/white3.json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    book = read_book(f"{tmp_path}/white3.json")
    assert book.colours == [WHITE]
    assert f"  Black {book.player(BLACK)} plays without the book" in lines
    assert "    each plays the first 2 own moves of a game" in lines
    words[2] = f"{tmp_path}/white3.json"
    assert main([*words, "--moves", "0", "1", "--out", f"{tmp_path}/white1.json"]) == 0
    assert read_book(f"{tmp_path}/white1.json").white.moves == 1
    capsys.readouterr()
    assert main([*words, "--moves", "3"]) == 2
    said = "phantomgo evaluate: moves: book white3 has no lines for Black, so 0, not 3\n"
    assert capsys.readouterr().err == said
