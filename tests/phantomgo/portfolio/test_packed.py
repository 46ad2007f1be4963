"""Packed matrices: written, read back, and refused with the wrong field's name."""

import base64
import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.errors import BadStore
from phantomgo.game.outcome import black_won, drawn
from phantomgo.game.rules import Rules
from phantomgo.identity import Identity
from phantomgo.lab.run.contest import Result
from phantomgo.lab.seeds.seed_store import SeedStore, pack
from phantomgo.portfolio.matrix import cells
from phantomgo.portfolio.packed import dumps, loads
from phantomgo.portfolio.setup import Setup
from tests.support.commands import exit_code
from tests.support.json_texts import changed
from tests.support.strategies import json_values

PLAYERS = Identity("random", "0" * 16), Identity("flatmc", "1" * 16, ("01234567",))
SETUP = Setup(*PLAYERS, "olympiad", Rules.profile("olympiad", size=5))
RESULTS = ("B+2.5", "B+R", "W+0.5", "W+R", "0")


def filled(own, opponents, seed=0, results=RESULTS):
    """A store in memory with made-up games."""
    games = list(cells(own, opponents))
    drawn = np.random.default_rng(seed).integers(len(results), size=len(games))
    store = SeedStore(":memory:", SETUP)
    store.add([(game, Result(results[number])) for game, number in zip(games, drawn, strict=True)])
    return store


def counts(store, own, opponents):
    """The number of games of a matrix, of Black's wins and of draws."""
    texts = [store.get(game) for game in cells(own, opponents)]
    return len(texts), sum(text.startswith("B+") for text in texts), texts.count("0")


def text_of(own=5, opponents=5, results=RESULTS):
    with filled(own, opponents, results=results) as store:
        return dumps(pack(store, "small", own, opponents))


TEXT = text_of()


@given(st.integers(1, 12).flatmap(lambda k: st.tuples(st.just(k), st.integers(1, k))), st.data())
@settings(max_examples=40)
def test_a_matrix_is_read_back(sizes, data):
    results, (own, opponents) = data.draw(st.sampled_from([RESULTS, ("B+R", "W+R")])), sizes
    with filled(own, opponents, seed=data.draw(st.integers(0, 99)), results=results) as store:
        packed = pack(store, "small", *sizes)
        found = loads(dumps(packed))
        assert dumps(found) == dumps(packed)
        assert found.setup == SETUP
        assert found.counts == counts(store, *sizes)
        assert found.scores.digest() == store.matrix(*sizes).digest()
        assert found.won.digest() == store.matrix(*sizes, black_won).digest()
        assert found.drawn.digest() == store.matrix(*sizes, drawn).digest()


def test_the_bits_are_where_the_readme_says():
    top = json.loads(text_of(11, 3))
    with filled(11, 3) as store:
        for (key, letter), colour in product((("won", "B"), ("drawn", "0")), ("black", "white")):
            for own, row in enumerate(top[key][colour]):
                data = base64.b64decode(row)
                for j in range(3):
                    bit = data[j // 8] >> (7 - j % 8) & 1
                    cell = ([own], [j]) if colour == "black" else ([j], [own])
                    assert bit == store.scores(*cell, lambda r, x=letter: r[0] == x)[0, 0]
    assert json.loads(text_of(results=("B+R", "W+R")))["drawn"] is None


def refusal(text):
    with pytest.raises(BadStore) as caught:
        loads(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", 1, "format: 1 is not 4"),
        ("format", 3, "format: 3 is not 4"),
        ("seeds", 0, "seeds: 0 is not a whole number from 1 to 20000"),
        ("draws", -1, "draws: -1 is not a whole number from 0 to 800000000"),
        ("seeds", 4, "opponent_seeds: 5 is more than seeds, 4"),
        ("seeds", 6, "won.black: has 5 rows, not 6"),
        ("opponent_seeds", 2, "won.white: None is not a list"),
        ("games", 24, "games: 24 is not the 25 of the results"),
        ("draws", 3, "draws: 3 is not the 6 of the results"),
        ("matrix", "0" * 64, "matrix: is not the digest of the results, "),
        ("won.black", ["AA=="] * 4, "won.black: has 4 rows, not 5"),
        ("won.black.2", "AAA=", "won.black[2]: is not 5 bits in base64"),
        ("won.black.2", "AB==", "won.black[2]: is not 5 bits in base64"),  # too many
        ("won.black.2", "BA==", "won.black[2]: is not 5 bits in base64"),  # bits of no game
        ("drawn", None, "draws: 6 is not the 0 of the results"),
        ("drawn", ..., "drawn: is missing"),
        ("drawn.black", ["qA=="] * 5, "draws: 6 is not the 15 of the results"),
    ],
)
def test_what_is_wrong_is_named(path, value, message):
    text = changed(TEXT, path, value)
    if path == "opponent_seeds":
        top = json.loads(text)
        top["won"]["black"] = ["AA=="] * 5
        text = json.dumps(top)
    assert refusal(text).startswith(message)


def test_a_game_has_one_result_in_both_of_its_places():
    text = text_of(4, 2)
    row = json.loads(text)["won"]["white"][0]
    assert refusal(changed(text, "won.white.0", "gA==" if row != "gA==" else "AA==")) == (
        "won: has two results of one game"
    )
    assert refusal(changed(TEXT, "won.white", ["AA=="] * 5)).startswith("won.white: is not null")


def test_a_game_is_not_both_won_and_drawn():
    top = json.loads(TEXT)
    top["drawn"] = top["won"]
    top["draws"] = top["black_wins"]
    assert refusal(json.dumps(top)) == "drawn: has a game that Black won"


@given(st.sampled_from([*json.loads(TEXT), "won.black", "won.black.0"]), json_values)
@settings(max_examples=200)
def test_fuzzed_matrices_never_crash(path, value):
    try:
        packed = loads(changed(TEXT, path, value))
    except BadStore:
        return
    assert loads(dumps(packed)).won.digest() == packed.won.digest()


def test_what_cannot_be_packed():
    with (
        filled(3, 3, results=("B+R", "Void")) as store,
        pytest.raises(BadStore, match="void games"),
    ):
        pack(store, "small", 3, 3)
    with filled(3, 3) as store, pytest.raises(BadStore, match="lacks 7 of the 16 games"):
        pack(store, "small", 4, 4)
    odd = replace(SETUP, rules=Rules(size=5, max_moves=9))
    with SeedStore(":memory:", odd) as store:
        store.add([((0, 0), Result("0"))])
        with pytest.raises(BadStore, match="was made for other rules than olympiad now is"):
            pack(store, "small", 1, 1)


def run(capsys, *words):
    """The exit code and what was printed."""
    code = exit_code("store", *words)
    done = capsys.readouterr()
    return code, done.out or done.err.splitlines()[-1]


def test_the_command(tmp_path, capsys):
    with filled(5, 5) as memory, SeedStore(tmp_path / "m.db", SETUP) as store:
        store.add([(cell, Result(text)) for cell, text in memory.results().items()])
    file = tmp_path / "small.json"
    line = "small: 5x5, random against flatmc, komi 7.5, olympiad; 5 seeds, 25 games,"
    code, out = run(capsys, "pack", file, "--store", tmp_path / "m.db")
    assert (code, file.read_text()) == (0, TEXT)
    assert out.startswith(f"{line} Black won 36.0 %, 24.0 % drawn")
    assert run(capsys, "show", file) == (0, out)
    code, out = run(capsys, "show", "--json", file)
    assert json.loads(out)["small"]["matrix"] == json.loads(TEXT)["matrix"]
    words = ["--seeds", "4", "--opponent-seeds", "2"]
    code, out = run(capsys, "pack", file, "--store", tmp_path / "m.db", *words)
    assert "; 4 seeds against 2, 12 games" in out
