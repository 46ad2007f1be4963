"""Successive halving asks for no more than it says, and keeps the best."""

import numpy as np
import pytest

from phantomgo.lab.halving import Halving, rounds

RATES = np.random.default_rng(0).random((40, 40))


def black_won(result):
    return result == "B+"


def play(game):
    """A game between seeds of which those with small numbers are stronger."""
    black, white = game
    luck = RATES[black % 40, white % 40]
    return "B+" if luck * 60 > 30 + black - white else "W+"


def round_of(study):
    asked = []
    while (game := study.ask()) is not None:
        asked.append(game)
    for game in asked:
        study.tell(game, play(game))
    return asked


def test_the_rounds():
    assert list(rounds(100, 16)) == [(100, 16)]
    assert list(rounds(100, 5)) == [(100, 5)]
    assert list(rounds(100, 40)) == [(100, 16), (50, 32), (25, 40)]
    assert list(rounds(1, 64)) == [(1, 16), (1, 32), (1, 64)]


def test_what_it_keeps_is_what_won_most():
    study = Halving(40, 40, black_won)
    assert study.survivors.black == tuple(range(40))
    played = set(round_of(study))
    assert played == {(i, j) for i in range(40) for j in range(16)} | {
        (i, j) for i in range(16) for j in range(40)
    }
    wins = {i: sum(play((i, j)) == "B+" for j in range(16)) for i in range(40)}
    losses = {j: sum(play((i, j)) == "B+" for i in range(16)) for j in range(40)}
    assert study.next_round()
    assert study.survivors.black == tuple(sorted(sorted(wins, key=lambda i: (-wins[i], i))[:20]))
    assert study.survivors.white == tuple(sorted(sorted(losses, key=lambda j: (losses[j], j))[:20]))
    again = round_of(study)
    assert sorted(again) == sorted(study.games())
    assert len(again) == 2 * 20 * 16
    assert study.opponents == 32
    assert study.next_round()
    round_of(study)
    assert study.opponents == 40
    assert len(study.survivors.black) == len(study.survivors.white) == 10
    assert not study.next_round()


@pytest.mark.parametrize("seeds", [1, 3])
def test_a_few_seeds(seeds):
    study = Halving(seeds, 20, black_won)
    round_of(study)
    assert study.next_round()
    assert len(round_of(study)) == 2 * 1 * 4
    assert not study.next_round()
