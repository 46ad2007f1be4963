"""Learning the seeds of other games: through the commands."""

import json
import re

import jsonschema
import numpy as np
import pytest

from phantomgo.app.cli import main
from phantomgo.lab.seeds.seed_store import SeedStore
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.packed import read_matrix
from tests.support.places import ROOT

GAME = ["--game", "domineering:size=4", "--bot", "flatmc:playouts=20"]


def learn(folder, *more):
    where = ["--store", f"{folder}/m.db", "--out", f"{folder}/dom4.json"]
    numbers = ["--seeds", "12", "--test-seeds", "4"]
    return ["learn", *GAME, *numbers, *where, *more]


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A folder with a book and its store, made without interruption."""
    folder = tmp_path_factory.mktemp("learned")
    assert main(learn(folder)) == 0
    return folder


def test_a_book_of_another_game(learned, capsys):
    book = read_book(f"{learned}/dom4.json")
    assert book.setup.game == "domineering:size=4"
    assert book.setup.black.name == "flatmc:playouts=20"
    assert len(book.setup.black.games) == 4
    assert (book.games, book.training.games) == ((), 144)
    assert book.evaluation.symmetries == 0
    assert book.evaluation.played == book.evaluation.plain
    schema = json.loads((ROOT / "books" / "schema.json").read_text())
    jsonschema.validate(json.loads((learned / "dom4.json").read_text()), schema)
    assert main(["book", "show", f"{learned}/dom4.json"]) == 0
    assert (
        "dom4: besttop:aim=both,turned=off over 12 seeds, domineering:size=4\n"
        in capsys.readouterr().out
    )
    assert main(["book", "check", f"{learned}/dom4.json"]) == 0


def test_its_games_are_measured_and_packed(learned, tmp_path, capsys):
    store, book = f"{learned}/m.db", f"{learned}/dom4.json"
    words = f"evaluate methods --store {store} --repeats 3 --train 6".split()
    assert main([*words, "--exploiters", "1", "2", "--methods", "uniform", "nash"]) == 0
    assert capsys.readouterr().out.startswith("domineering:size=4, flatmc:playouts=20: learned on")
    assert main(["evaluate", "book", book, "--test-seeds", "3"]) == 0
    out = capsys.readouterr().out
    assert "against the most dangerous of K' of 3 fresh seeds per colour, in %" in out
    assert "symmetries" not in out  # its boards are not turned
    assert main(["store", "pack", f"{tmp_path}/m4.json", "--store", store]) == 0
    assert read_matrix(f"{tmp_path}/m4.json").setup == read_book(book).setup


def test_a_book_plays_somebody_else(learned, tmp_path, capsys):
    words = f"evaluate transfer {learned}/dom4.json --opponent random --games 20".split()
    where = ["--store", f"{tmp_path}/t.db"]
    assert main([*words, *where]) == 0
    said = capsys.readouterr().out
    assert re.fullmatch(
        r"dom4 as Black wins [0-9.]+ ± [0-9.]+ % against random,"
        r" its player with random seeds [0-9.]+ ± [0-9.]+ %\n",
        said,
    )
    assert main([*words, *where, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    book = read_book(f"{learned}/dom4.json")
    with SeedStore(tmp_path / "t.db") as store:
        fresh = range(12, 32)
        results = store.results((0, 0), (31, 31))
        original = [results.pop((seed, seed)) == "B+" for seed in fresh]
    assert len(results) == 20
    assert sorted(white for _, white in results) == [*fresh]
    assert {black for black, _ in results} <= {line[0].seed for line in book.black.lines}
    assert told["book"]["rate"] == np.mean([result == "B+" for result in results.values()])
    assert told["original"]["rate"] == np.mean(original)
    error = np.std(original, ddof=1) / 20**0.5
    assert told["original"]["error"] == pytest.approx(error)
    assert main([*words, "--colour", "white", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["colour"] == "white"


def test_no_file_has_a_program_started(learned, tmp_path, capsys):
    text = (learned / "dom4.json").read_text().replace("domineering:size=4", "go:size=3,komi=0.5")
    mischief = text.replace('"flatmc:playouts=20"', '"gtp:touch mischief {seed}"')
    (tmp_path / "dom4.json").write_text(mischief)
    for words in (["book", "check"], ["evaluate", "book"]):
        assert main([*words, f"{tmp_path}/dom4.json"]) == 1
        assert "book dom4 starts a program, gtp:touch mischief {seed}; --code allows it" in (
            capsys.readouterr().err
        )


def test_a_player_who_has_changed_is_noticed(learned, tmp_path, capsys):
    text = (learned / "dom4.json").read_text()
    first = read_book(f"{learned}/dom4.json").setup.black.games[0]
    (tmp_path / "dom4.json").write_text(text.replace(first, "00000000"))
    assert main(["evaluate", "book", f"{tmp_path}/dom4.json"]) == 1
    assert "flatmc:playouts=20 has changed since it was learned: its opening is" in (
        capsys.readouterr().err
    )
