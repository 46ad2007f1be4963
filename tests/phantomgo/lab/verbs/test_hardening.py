"""`book harden`: seeds weighed by what owners of the book leave them."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from phantomgo.errors import BadBook, BadText
from phantomgo.lab.run.progress import Silent
from phantomgo.lab.verbs import exploiting, hardening
from phantomgo.lab.verbs.hardening import harden, weighted
from phantomgo.points import BLACK, WHITE, Colour
from phantomgo.portfolio.book import read_book, write_book
from phantomgo.portfolio.side import Side, Start
from tests.support.commands import exit_code
from tests.support.learning import learn

TERMS: dict[str, Any] = {"base": "random", "draws": 16, "games": 20, "tails": 2}


class Told(Silent):
    """Remembers what is noted."""

    def __init__(self):
        self.notes: list[str] = []

    def note(self, sentence):
        self.notes.append(sentence)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A book of eight seeds for each colour."""
    folder = tmp_path_factory.mktemp("book")
    assert exit_code(*learn(folder, "--method", "topk:k=8", seeds=10)) == 0
    return f"{folder}/nash3.json"


def test_the_mixture_that_keeps_most_is_the_new_book(book, tmp_path):
    file = tmp_path / "hard.json"
    told = Told()
    found = harden(book, minutes=0.003, rounds=2, out=file, progress=told, **TERMS)
    before, after = read_book(book), read_book(str(file))
    assert after == found.book
    assert (after.training.method, after.training.responders) == ("topk:k=8", 2)
    assert told.notes == [
        f"{colour}, round {number}: keeps {100 * mixture.kept.value:.1f} % of 20 games"
        for colour, mixtures in found.mixtures.items()
        for number, mixture in enumerate(mixtures)
    ]
    for colour, mixtures in found.mixtures.items():
        assert len(mixtures) == 3
        assert tuple(mixtures[0].probabilities) == before.side(colour).probabilities
        best = max(mixtures, key=lambda mixture: mixture.least)
        assert after.side(colour).probabilities == pytest.approx(best.probabilities, abs=1e-9)
        assert set(after.side(colour).seeds) <= set(before.side(colour).seeds)
    assert exit_code("book", "check", str(file)) == 0


def test_a_seed_that_keeps_all_gains_weight_step_by_step(book, monkeypatch):
    seeds = {colour: read_book(book).side(colour).seeds for colour in Colour}

    def score_against(_policy, _base, bot, colour, _seed):
        drawn = bot.player_of(colour.other)
        return 0.0 if drawn == seeds[colour.other][2] else 1.0

    def seeded(_name, mixed, _seed, _make):
        class Bot:
            def player_of(self, colour):
                return mixed.side(colour).seeds[0]

        return Bot()

    monkeypatch.setattr(hardening, "seeded", seeded)
    monkeypatch.setattr(hardening, "score_against", score_against)
    monkeypatch.setattr(hardening, "score", lambda *_: 10.0)
    monkeypatch.setattr(hardening, "respond", lambda *_: None)
    found = harden(book, rounds=3, **TERMS)
    for colour in (BLACK, WHITE):
        weights = [mixture.probabilities[2] for mixture in found.mixtures[colour]]
        # The mean of 1/8 and of as many ones as there were rounds.
        assert weights == pytest.approx([1 / 8, 9 / 16, 17 / 24, 25 / 32])
        assert [mixture.least for mixture in found.mixtures[colour]] == pytest.approx(weights)


def test_all_games_follow_from_the_seed(book, monkeypatch):
    played: set[int] = set()
    monkeypatch.setattr(hardening, "score_against", lambda *given: played.add(given[-1]) or 0.5)
    monkeypatch.setattr(hardening, "score", lambda *_: 10.0)
    monkeypatch.setattr(hardening, "respond", lambda *_: None)
    found = []
    for seed in (0, 1):
        played.clear()
        harden(book, rounds=1, seed=seed, **TERMS)
        found.append(set(played))
    assert [len(seeds) for seeds in found] == [16, 16]  # two for each of eight
    assert not found[0] & found[1]


def test_the_same_command_continues(book, tmp_path, monkeypatch):
    first = harden(book, minutes=0.003, rounds=1, store=tmp_path / "rounds", **TERMS)
    kept = sorted(file.name for file in (tmp_path / "rounds").iterdir())
    assert kept == [f"{colour}-{n}.json" for colour in ("black", "white") for n in (0, 1)]
    monkeypatch.setattr(exploiting, "Responder", None)  # nothing is learned again
    again = harden(book, minutes=0.003, rounds=1, store=tmp_path / "rounds", **TERMS)
    for colour in Colour:
        for one, other in zip(first.mixtures[colour], again.mixtures[colour], strict=True):
            assert one.kept == other.kept
            assert np.array_equal(one.probabilities, other.probabilities)
    found = read_book(book)
    few = weighted(found.black, np.array([0.5] * 2 + [0.0] * 6))
    write_book(replace(found, name="other", black=few), tmp_path / "other.json")
    with pytest.raises(BadBook, match=r"black-0.json is a policy against another player"):
        harden(str(tmp_path / "other.json"), store=tmp_path / "rounds", force=True, **TERMS)


def test_seeds_that_are_not_drawn_leave_the_book():
    start = Start(100, (((3, 1),),), (1.0,))
    side = Side((5, 7, 9), (0.2, 0.3, 0.5), 0.25, leave=(2, 4, 6), start=start)
    found = weighted(side, np.array([0.5, 0.0, 0.5]))
    assert found == Side((5, 9), (0.5, 0.5), 0.0, leave=(2, 6), start=start)


def test_one_seed_cannot_be_weighed(tmp_path):
    assert exit_code(*learn(tmp_path, "--method", "bestseed")) == 0
    with pytest.raises(BadText, match="nash3 has one seed for each colour; there is nothing"):
        harden(f"{tmp_path}/nash3.json", **TERMS)


def test_the_report(book, tmp_path, capsys):
    words = ["book", "harden", book, "--minutes", "0", "--base", "random"]
    words += ["--draws", "8", "--games", "4", "--tails", "1", "--rounds", "1"]
    assert exit_code(*words, "--out", f"{tmp_path}/h.json") == 0
    text = capsys.readouterr().out
    assert f"to measure it: phantomgo evaluate book {tmp_path}/h.json" in text
    assert text.count("chosen") == 2
    assert exit_code(*words, "--json", "--out", f"{tmp_path}/i.json") == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["white"]) == 2
    assert found["white"][0]["seeds"] == 8
    assert found["games"] == 4


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("rounds", 0, "rounds 0 is not a whole number from 1 to 100"),
        ("tails", 0, "tails 0 is not a whole number from 1 to 1048576"),
        ("minutes", -1, "minutes -1 is not a number from 0 to 1440"),
        ("base", "nobody", "no bot 'nobody'; there are"),
    ],
)
def test_bad_values_are_refused(book, name, value, said):
    with pytest.raises(BadText, match=said):
        harden(book, **{**TERMS, name: value})
