"""Games of OpenSpiel: what is hidden stays hidden, chance is of the seeds, and absence is said."""

import sys
from collections import Counter
from random import Random

import pytest

from phantomgo.errors import BadText, MissingExtra
from phantomgo.lab.games import openspiel
from phantomgo.lab.games.players import FlatMC, TreeSearch, make_player
from phantomgo.lab.games.table import make_game, play
from phantomgo.points import BLACK, WHITE, Colour

REASON = "OpenSpiel is not installed (pip install '.[games]')"
try:
    import pyspiel
except ModuleNotFoundError:
    pyspiel = None
needs = pytest.mark.skipif(pyspiel is None, reason=REASON)


def reached(text, *moves):
    state = make_game(f"openspiel:{text}").start(0)
    for move in moves:
        state = state.after(move)
    return state


@needs
def test_a_position_is_openspiels():
    state = reached("tic_tac_toe", 4, 0, 2)
    assert (state.mover, state.turn, state.result) == (WHITE, 1, None)
    assert list(state.moves) == [1, 3, 5, 6, 7, 8]
    assert not state.allows(4)
    assert reached("tic_tac_toe", 4, 0, 2, 1, 6).result == "B+"
    assert reached("tic_tac_toe", 4, 0, 8, 2, 1, 7, 5, 3, 6).result == "0"


@needs
def test_playouts_see_a_win_and_a_draw():
    state = reached("tic_tac_toe", 4, 0, 2, 1)
    points = dict(zip(state.moves, state.points(8, 1), strict=True))
    assert points[6] == 16 == max(points.values())
    assert points[3] < 16
    last = reached("tic_tac_toe", 4, 0, 8, 2, 1, 7, 5, 3)
    assert list(last.points(5, 1)) == [5]


@needs
def test_what_a_player_does_not_know_decides_nothing():
    # Black has played the centre and a corner; White's one stone is somewhere else.
    states = [reached("phantom_ttt", 4, hidden, 0) for hidden in (1, 2, 5)]
    states = [state.after(8) for state in states]  # White again
    assert len({state.known for state in states}) == 1
    player = FlatMC(60)
    for seed in range(10):
        assert len({player.choose(state, seed) for state in states}) == 1
    # A refusal tells: then they know, and decide, otherwise.
    assert reached("phantom_ttt", 4, 1, 1).known != reached("phantom_ttt", 4, 2, 1).known


@needs
def test_worlds_are_all_that_a_player_may_think_of():
    state = reached("phantom_ttt", 4, 1)
    worlds = Counter(str(state._world(Random(number))) for number in range(400))
    assert len(worlds) == 8
    assert min(worlds.values()) > 20
    for number in range(20):
        world = state._world(Random(number))
        assert world.information_state_string(0) == state.state.information_state_string(0)


@needs
def test_dice_are_thrown_by_both_seeds():
    game = make_game("openspiel:pig(winscore=10)")
    both = dict.fromkeys(Colour, make_player("random", game))
    games = [play(game, both, (1, white)) for white in range(6)]
    assert games == [play(game, both, (1, white)) for white in range(6)]
    assert len({game.moves for game in games}) > 1


@needs
def test_tree_search_wins_and_is_refused_what_it_must_not_see():
    game = make_game("openspiel:breakthrough(rows=5,columns=4)")
    players = {BLACK: TreeSearch(200), WHITE: make_player("random", game)}
    results = [play(game, players, (seed, seed)).result for seed in range(6)]
    assert results.count("B+") >= 5
    assert results[0] == play(game, {**players, BLACK: TreeSearch(200)}, (0, 0)).result
    with pytest.raises(BadText, match=r"mcts:.* cannot play openspiel:phantom_ttt"):
        make_player("mcts", make_game("openspiel:phantom_ttt"))
    with pytest.raises(BadText, match="in which nothing is hidden"):
        make_player("mcts", make_game("domineering:size=4"))


@needs
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chss", "has no game 'chss'"),
        ("", "has no game ''"),
        ("hex(board_size=10000)", "has a number above 999"),
        ("goofspiel", "is not a game of two players in turn"),
        ("breakthrough(rows=two)", "OpenSpiel does not make a game of 'breakthrough"),
    ],
)
def test_what_is_no_game(text, message):
    with pytest.raises(BadText, match=message.replace("(", r"\(")):
        make_game(f"openspiel:{text}")


@needs
def test_too_much_may_be_hidden(monkeypatch):
    monkeypatch.setattr(openspiel, "STEPS", 1)
    with pytest.raises(BadText, match="too much is hidden"):
        reached("phantom_ttt", 4, 1).points(1, 0)


def test_without_the_package_a_line_says_so(monkeypatch):
    openspiel._package.cache_clear()
    openspiel._loaded.cache_clear()
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r"needs open_spiel: pip install open_spiel, or '.\[gam"):
        make_game("openspiel:nim")
    openspiel._package.cache_clear()
