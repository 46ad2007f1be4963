"""Portfolios against exact best responses: the table, and what it refuses."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from bots import seeded
from phantomgo.app.cli import main
from phantomgo.errors import BadBook
from phantomgo.lab.measure.exact import Drawn, _drawn, kept, measure_book, players_of, secured
from phantomgo.lab.measure.responder import Mirrored
from phantomgo.lab.seed_store import SeedStore
from phantomgo.lab.verbs.exact import exact
from phantomgo.points import Colour
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.exploiter import Portfolio, against

GAME = ["--size", "2", "--komi", "0.5", "--bot", "random"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The games of 24 seeds of a random bot on 2x2."""
    folder = tmp_path_factory.mktemp("exact")
    words = ["--seeds", "24", "--test-seeds", "0", "--jobs", "1"]
    where = ["--store", f"{folder}/m.db", "--out", f"{folder}/b.json"]
    assert main(["learn", *GAME, *words, *where]) == 0
    return folder / "m.db"


def test_no_exploiter_does_better_than_a_best_response(store):
    _, plan, rows, _ = exact(store=store, train=16, exploiters=(1, 4, 8), budgets=(64, 256))
    assert [(row.learner, row.games) for row in rows[:3]] == [
        ("uniform", 64),
        ("uniform", 256),
        ("bestseed", 64),
    ]
    for row in rows:
        assert all(rate >= row.rate - 1e-9 for rate in row.tried)
        assert row.tried == tuple(sorted(row.tried, reverse=True))
        assert 0 <= row.nash_conv <= 1
        assert row.nash_conv == pytest.approx(1 - 2 * row.rate)
    uniform, best = rows[1], rows[3]
    assert best.nash_conv == 1, "one deterministic player is beaten by whoever knows them"
    assert uniform.nash_conv < 1
    # No seed, fresh or not, wins more than a best response to the portfolio.
    results = plan.matrix.black
    shares = np.repeat([1 / 16, 0], [16, 8])
    rates = against(Portfolio(shares, shares), results, results)
    assert min(rates.black) >= uniform.black - 1e-9
    assert min(rates.white) >= uniform.white - 1e-9


def test_the_rates_are_of_the_portfolios_own_games(store):
    """Whoever can only face one seed wins what that seed loses to its best response."""
    with SeedStore(store) as games:
        players = players_of(games.setup)
    alone = [rates(players, [seed]) for seed in range(4)]
    mixed = rates(players, range(4))
    assert all(rate in (0.0, 1.0) for pair in alone for rate in pair)
    assert mixed[0] >= sum(black for black, _ in alone) / 4
    assert mixed[1] >= sum(white for _, white in alone) / 4


def rates(players, seeds):
    """What these seeds, all alike, win as each colour against a best response."""
    start, player = players
    return [
        secured(start, colour, [Drawn(1 / len(seeds), player(colour, seed)) for seed in seeds])
        for colour in Colour
    ]


def test_the_table(store, capsys):
    words = ["evaluate", "exact", "--store", str(store), "--learners", "uniform", "nash"]
    numbers = ["--budgets", "16", "--train", "8", "--exploiters", "1", "4", "--jobs", "1"]
    assert main([*words, *numbers]) == 0
    title, _, head, _, uniform, nash = capsys.readouterr().out.splitlines()
    assert title.startswith("2x2, random, komi 0.5, olympiad: learned on 8 seeds, tested on 16")
    assert head == (
        "| portfolio | games | K'=1 | K'=4 | exact | as Black | as White | NashConv | s |"
    )
    assert re.fullmatch(
        r"\| uniform \| 16 (\| [0-9.]+ ){5}\| [01]\.[0-9]{3} \| [0-9.]+ \|", uniform
    )
    assert nash.startswith("| nash | 16 |")
    assert main([*words, *numbers, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["seeds"], told["exploiters"]) == (8, [1, 4])
    assert told["portfolios"][0]["nash_conv"] == 1 - sum(
        told["portfolios"][0][side] for side in ("black", "white")
    )


def test_a_book_is_measured_as_it_is_played(store):
    """Under symmetries nobody knows which of the images of its players they face."""
    book = read_book(str(store.with_name("b.json")))
    one = replace(book.black, seeds=(3,), probabilities=(1.0,))
    row = measure_book(replace(book, black=one, white=one))
    assert rates(players_of(book.setup), [3]) == [0, 0]
    assert 0 < row.black < 1
    assert (row.learner, row.games, row.tried) == ("b", 576, ())
    with pytest.raises(ValueError, match="b is left after some moves: its players are countless"):
        measure_book(replace(book, black=replace(one, leave=(2,))))


def respond(book, views):
    """What a book keeps against a responder who has improved their policy in so many views."""
    start, player = players_of(book.setup)
    return [
        kept(
            start,
            colour,
            list(_drawn(book, colour, player)),
            player,
            Mirrored,
            lambda responder: responder.nodes >= views,
        )
        for colour in Colour
    ]


def test_a_responder_never_wins_more_than_a_best_response(store):
    whole = read_book(str(store.with_name("b.json")))
    black = replace(whole.black, seeds=(3, 4), probabilities=(0.6, 0.4))
    book = replace(whole, black=black, white=replace(black, seeds=(1,), probabilities=(1.0,)))
    exact_row = measure_book(book)
    early = respond(book, 0)
    late = respond(book, 6)
    for first, left, best in zip(early, late, (exact_row.black, exact_row.white), strict=True):
        assert first >= left >= best - 1e-9
    assert sum(late) < sum(early), "views teach it"


@pytest.mark.parametrize("seed", [0, 3, 7])
def test_a_responder_comes_to_a_best_response(store, seed):
    """Also where two decisions have to be changed at once to win more, as against seed 3."""
    book = read_book(str(store.with_name("b.json")))
    one = replace(book.black, seeds=(seed,), probabilities=(1.0,))
    book = replace(book, black=one, white=one)
    row = measure_book(book)
    assert respond(book, 60) == pytest.approx([row.black, row.white], abs=1e-9)


def test_books_and_the_value_of_their_game(tmp_path, capsys):
    book = str(tmp_path / "b.json")
    game = ["--game", "domineering:size=3", "--bot", "random", "--seeds", "4"]
    words = ["--test-seeds", "0", "--jobs", "1", "--store", f"{tmp_path}/m.db", "--out", book]
    assert main(["learn", *game, *words]) == 0
    capsys.readouterr()
    assert main(["evaluate", "exact", "--books", book, "--value", "1"]) == 0
    title, _, head, _, row = capsys.readouterr().out.splitlines()
    assert title.endswith(" The value of the game: Black wins 100.0 %.")
    columns = "portfolio | games | exact | as Black | as White | Black short | White short"
    assert head == f"| {columns} | NashConv | s |"
    assert re.fullmatch(r"\| b \| 16 \| .* \| 0.0 \| [0-9.]+ \| 0.0 \| [0-9.]+ \| [0-9.]+ \|", row)
    assert main(["evaluate", "exact", "--books", book, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--train", "9"], "training seeds 9 is not a whole number from 1 to 8"),
        (["--exploiters", "25"], "exploiters 25 is not a whole number from 1 to 24"),
        (["--budgets", "0"], "budgets 0 is not a whole number from 1 to"),
        (["--learners", "exp3:games=800"], "how many games each may play is given for all alike"),
        (["--learners", "best"], "no method 'best'; there are "),
        (["--value", "-1"], "minutes for the value -1 is not a number from 0 to 1440"),
        (["--books", "nash5"], "books are measured without a matrix"),
        (["--matrix", "flat5"], "one of a matrix and a store is needed"),
    ],
)
def test_what_is_refused(words, message, store, capsys):
    assert main(["evaluate", "exact", "--store", str(store), "--jobs", "1", *words]) == 2
    assert message in capsys.readouterr().err


def test_what_books_leave_no_room_for(capsys):
    assert main(["evaluate", "exact", "--books", "nash5", "--train", "9"]) == 2
    assert "training seeds are for a matrix, not for books" in capsys.readouterr().err


def test_a_book_that_has_changed(store, monkeypatch):
    monkeypatch.setattr(seeded, "CHECKS", [lambda *_: ["it has changed"]])
    with pytest.raises(BadBook, match="it has changed; learn it again"):
        exact(books=[str(store.with_name("b.json"))])


def test_games_of_changed_players_are_refused(store, monkeypatch):
    from phantomgo.lab.measure import exact as measuring

    def changed(setup):
        return replace(setup, black=replace(setup.black, fingerprint="0" * 16))

    monkeypatch.setattr(measuring, "made_again", changed)
    with pytest.raises(ValueError, match="random has changed since these games were played: fing"):
        exact(store=store, train=8)


def test_dice_are_not_searched(tmp_path, capsys):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install '.[games]')")
    game = ["--game", "openspiel:pig(winscore=10)", "--bot", "random", "--seeds", "2"]
    where = ["--store", f"{tmp_path}/p.db", "--out", f"{tmp_path}/p.json"]
    assert main(["learn", *game, *where, "--test-seeds", "0", "--jobs", "1"]) == 0
    capsys.readouterr()
    words = ["--store", f"{tmp_path}/p.db", "--train", "1", "--exploiters", "1", "--jobs", "1"]
    assert main(["evaluate", "exact", *words]) == 2
    assert "has chance events, which a best response does not search" in capsys.readouterr().err
