"""Atari-Go and Go against the naive board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.game.points import BLACK, PASS, WHITE, Colour, parse_move
from phantomgo.papers.games.contest import play
from phantomgo.papers.games.player import GamePlayer
from phantomgo.papers.games.players import FlatSearch, Random
from phantomgo.papers.games.stones import AtariGo, Go
from tests.support.naive import NaiveGo

SIZES = st.integers(2, 6)
RANDOM = st.randoms(use_true_random=False)


def legal(go, colour):
    """What the naive board lets a side play, with what it captures."""
    answers = {point: go.copy().attempt(colour, point) for point in go.points()}
    return {point: taken for point, taken in answers.items() if isinstance(taken, set)}


def after(game, size, *moves):
    state = game.start(0)
    for move in moves:
        state = state.after(parse_move(move, size))
    return state


@given(SIZES, RANDOM)
def test_the_first_capture_wins(size, random):
    state, go, colour = AtariGo(size).start(0), NaiveGo(size), "b"
    while state.result is None:
        moves = legal(go, colour)
        assert list(state.moves) == sorted(r * size + c for r, c in moves)
        point = random.choice(sorted(moves))
        captured = go.attempt(colour, point)
        state = state.after(point[0] * size + point[1])
        colour = "w" if colour == "b" else "b"
        if captured:
            assert state.result == ("W+" if colour == "b" else "B+")
            return
    assert not legal(go, colour)
    assert state.result == ("W+" if colour == "b" else "B+")


def naive_wins(state, move, playouts, random):
    """How many random games the mover wins after a move."""
    wins = 0
    for _ in range(playouts):
        after = state.after(move)
        while after.result is None:
            after = after.after(random.choice(after.moves))
        wins += after.result == ("B+" if state.mover is BLACK else "W+")
    return wins


def test_playouts_of_atari_go_are_random_games():
    import random

    state = after(AtariGo(4), 4, "B2", "B3", "C3")
    assert state.mover is WHITE
    each, points = 4000, state.points(4000, 7)
    for move, found in zip(state.moves, points, strict=True):
        expected = naive_wins(state, move, 250, random.Random(move)) / 250
        assert found / 2 / each == pytest.approx(expected, abs=0.1)
    capture = after(AtariGo(4), 4, "A1", "A2", "D4")
    assert capture.points(10, 1)[capture.moves.index(1)] == 20


@given(SIZES, RANDOM)
def test_go_goes_by_the_rules(size, random):
    state, go, colour, passes = Go(size, 0.5).start(0), NaiveGo(size), "b", 0
    for number in range(3 * size * size):
        assert state.result is None
        points = [move for move in state.moves if move != PASS]
        moves = legal(go, colour)
        assert set(points) <= {r * size + c for r, c in moves}
        assert all(state.allows(r * size + c) for r, c in moves)
        move = random.choice([*points, PASS])
        if move == PASS:
            go.ko, passes = None, passes + 1
        else:
            go.attempt(colour, divmod(move, size))
            passes = 0
        state, colour = state.after(move), "w" if colour == "b" else "b"
        assert state.turn == number + 1
        if passes == 2:
            break
    assert state.result == ("B+" if go.score() > 0.5 else "W+")


def test_a_pass_is_considered_if_it_ends_the_game_and_counts_what_stands():
    state = after(Go(3, 0.5), 3, "B2", "pass")
    assert state.moves[-1] == PASS
    assert state.points(10, 0)[-1] == 20
    lost = after(Go(3, 9.5), 3, "B2", "pass")
    assert lost.points(10, 0)[-1] == 0
    assert PASS not in after(Go(3, 0.5), 3, "B2").moves
    drawn = after(Go(3, 9), 3, "B2", "pass", "pass")
    assert drawn.result == "0"


@pytest.mark.parametrize("game", [AtariGo(5), Go(5, 2.5)])
def test_more_playouts_win(game):
    weak: GamePlayer = Random()
    strong: GamePlayer = FlatSearch(200)
    as_black = {BLACK: strong, WHITE: weak}
    as_white = {BLACK: weak, WHITE: strong}
    won = sum(play(game, as_black, (seed, seed)).result == "B+" for seed in range(10))
    won += sum(play(game, as_white, (seed, seed)).result == "W+" for seed in range(10))
    assert won >= 18
    assert play(game, dict.fromkeys(Colour, strong), (1, 2)) == play(
        game, dict.fromkeys(Colour, strong), (1, 2)
    )
