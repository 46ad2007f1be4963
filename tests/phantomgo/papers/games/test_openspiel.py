"""Games of OpenSpiel, and phantom games made of them."""

import random

import pytest

from phantomgo.errors import BadText
from phantomgo.game.points import BLACK, Colour
from phantomgo.papers.games.contest import OtherGames, make_game, play
from phantomgo.papers.games.player import stream
from phantomgo.papers.games.players import make_player

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra: games)")


def test_games_go_by_openspiel():
    game = make_game("openspiel:breakthrough(rows=4,columns=4)")
    chooser = random.Random(1)
    for _ in range(20):
        state, theirs = (
            game.start(0),
            pyspiel.load_game("breakthrough(rows=4,columns=4)").new_initial_state(),
        )
        while state.result is None:
            assert list(state.moves) == theirs.legal_actions()
            assert (state.mover is BLACK) == (theirs.current_player() == 0)
            move = chooser.choice(state.moves)
            state = state.after(move)
            theirs.apply_action(move)
        assert state.result == ("B+" if theirs.returns()[0] > 0 else "W+")


def same_games(number):
    """Play random games of the wrapper's phantom tic-tac-toe and of OpenSpiel's own."""
    game, own = make_game("phantom:tic_tac_toe"), pyspiel.load_game("phantom_ttt")
    chooser = random.Random(7)
    for _ in range(number):
        state, theirs = game.start(0), own.new_initial_state()
        while state.result is None:
            assert not theirs.is_terminal()
            assert list(state.moves) == theirs.legal_actions()
            assert (state.mover is BLACK) == (theirs.current_player() == 0)
            move = chooser.choice(state.moves)
            state = state.after(move)
            theirs.apply_action(move)
        assert theirs.is_terminal()
        black = theirs.returns()[0]
        assert state.result == ("0" if black == 0 else "B+" if black > 0 else "W+")


def test_phantom_tic_tac_toe_is_that_of_openspiel():
    same_games(300)


@pytest.mark.slow
def test_phantom_tic_tac_toe_is_that_of_openspiel_in_ten_thousand_games():
    same_games(10_000)


def test_a_refused_attempt_tells_only_who_made_it():
    state = make_game("phantom:mnk(m=4,n=4,k=4)").start(0)
    state = state.after(5)
    before = state.known
    refused = state.after(5)
    assert refused.mover is state.mover is not BLACK
    assert (before, refused.known) == ((), ((5, False),))
    assert 5 not in refused.moves
    put = refused.after(6)
    assert put.mover is BLACK
    assert put.known == ((5, True),)
    assert put.turn == 1


@pytest.mark.parametrize(
    ("game", "player"),
    [
        ("openspiel:nim", "random"),
        ("openspiel:phantom_ttt", "random"),
        ("phantom:mnk(m=4,n=4,k=4)", "random"),
        ("openspiel:breakthrough(rows=4,columns=4)", "mcts:simulations=5"),
        ("openspiel:pig(players=2,winscore=20,horizon=100)", "random"),
    ],
)
def test_seeds_decide_games(game, player):
    first, again = (OtherGames.of(game, player) for _ in range(2))
    assert first.players == again.players
    games = [(i, j) for i in range(6) for j in range(6)]
    results = [result.text for result in first.play(games)]
    assert results == [result.text for result in again.play(games)]
    assert len(set(results)) > 1


def test_dice_belong_to_both_seeds():
    game = make_game("openspiel:pig(players=2,winscore=20,horizon=100)")
    both = dict.fromkeys(Colour, make_player("random", game))
    assert len({play(game, both, (1, other)).moves for other in range(8)}) == 8
    assert game.start(1) != game.start(2)


def test_a_decision_does_not_depend_on_what_is_hidden():
    """After a refusal of the other player the same seed decides by the same numbers."""
    game = make_game("openspiel:phantom_ttt")
    refused, not_refused = (game.start(0).after(0) for _ in range(2))
    refused = refused.after(0).after(1)  # White tries Black's stone first
    not_refused = not_refused.after(1)
    assert refused.known == not_refused.known
    assert stream(refused, 3).below(1 << 30) == stream(not_refused, 3).below(1 << 30)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("openspiel:nogame", "has no game 'nogame'"),
        ("openspiel:goofspiel", "is not a game of two players in turn"),
        ("openspiel:mnk(m=4000)", "has a number above 999"),
        ("openspiel:mnk(q=3)", "does not make a game of"),
        ("phantom:chess", "phantom:chess: not one of tic_tac_toe, mnk, hex"),
    ],
)
def test_what_is_no_game(spec, message):
    with pytest.raises(BadText) as error:
        make_game(spec)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("player", "game", "message"),
    [
        ("mcts:simulations=5", "openspiel:phantom_ttt", "it would search what is hidden from it"),
        ("mcts:simulations=5", "domineering:size=4", "it plays games of OpenSpiel"),
        ("flatmc:playouts=5", "openspiel:nim", "it has no playouts"),
    ],
)
def test_who_cannot_play(player, game, message):
    with pytest.raises(BadText, match=message):
        make_player(player, make_game(game))
