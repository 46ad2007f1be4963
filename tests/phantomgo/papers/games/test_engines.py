"""Engines as players of Go, with seeds."""

import sys
from dataclasses import replace

import pytest

from phantomgo.errors import BadText
from phantomgo.game.points import RESIGN, Colour
from phantomgo.identity import Identity
from phantomgo.papers.games.contest import OtherGames, make_game, play
from phantomgo.papers.games.engines import SeededEngine
from phantomgo.papers.games.players import make_player
from tests.support.engines import GNUGO
from tests.support.places import TESTS

GO = make_game("go:size=3,komi=0.5")
SEEDED = f"gtp:{sys.executable} -S {TESTS / 'engines' / 'seeded.py'} {{seed}}"


def test_an_engine_plays_by_its_seed():
    both = dict.fromkeys(Colour, make_player(SEEDED, GO))
    games = {seeds: play(GO, both, seeds) for seeds in ((0, 1), (0, 2), (1, 1))}
    assert games[0, 1].moves[0] == games[0, 2].moves[0]
    assert len({game.moves for game in games.values()}) == 3
    state = GO.start(0)
    for move in games[0, 1].moves:
        assert state.result is None
        if move == RESIGN or not state.allows(move):
            break
        state = state.after(move)


def test_its_identity_is_what_it_reports():
    contest = OtherGames.of(GO.name, SEEDED, "flatmc:playouts=5")
    assert contest.black.data == {"engine": "Seeded 1.0"}
    assert (contest.black.games, len(contest.white.games)) == ((), 4)
    assert contest.engines
    assert contest.play([(0, 0)])[0].text in ("B+", "W+")


def test_a_game_with_a_broken_engine_is_void():
    contest = OtherGames.of(GO.name, SEEDED)
    broken = Identity(f"gtp:{sys.executable} -S -c raise(SystemExit(3)) {{seed}}")
    (result,) = replace(contest, black=broken).play([(0, 0)])
    assert result.void.startswith("an engine ")


@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [
        ("gtp:gnugo --mode gtp", GO, "its command has no {seed}"),
        (SEEDED, make_game("atarigo:size=3"), "an engine plays go"),
    ],
)
def test_who_cannot_play(spec, game, message):
    with pytest.raises(BadText, match="cannot play") as error:
        make_player(spec, game)
    assert str(error.value).endswith(message)


def test_a_missing_engine_is_said_at_once():
    with pytest.raises(BadText, match="cannot be started: nosuch: No such file or directory"):
        OtherGames.of(GO.name, "gtp:nosuch --seed {seed}", "random")


@pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed (Debian: apt-get install gnugo)")
def test_gnugo_plays_by_its_seed():
    spec = f"gtp:{GNUGO} --mode gtp --monte-carlo --mc-games-per-level 10 --level 1 --seed {{seed}}"
    state = make_game("go:size=4,komi=0.5").start(0).after(5)
    player = make_player(spec, make_game("go:size=4,komi=0.5"))
    moves = [player.choose(state, seed) for seed in (1, 2, 3, 1, 2, 3)]
    assert moves[:3] == moves[3:]
    assert all(move == RESIGN or state.allows(move) for move in moves)


def test_an_engine_is_started_once_a_game(monkeypatch):
    started = []
    monkeypatch.setattr(
        SeededEngine,
        "_started",
        lambda self, seed, real=SeededEngine._started: started.append(seed) or real(self, seed),
    )
    play(GO, dict.fromkeys(Colour, make_player(SEEDED, GO)), (3, 4))
    assert started == [3, 4]


def test_an_engine_plays_batoo_from_what_both_have_placed():
    game = make_game("batoo:size=4,komi=0.5,stones=3")
    both = dict.fromkeys(Colour, make_player(SEEDED, game))
    first, second = (play(game, both, (1, 2)) for _ in range(2))
    assert first == second
    assert play(game, both, (1, 3)).moves[:3] == first.moves[:3]
    assert len(first.moves) > 6
