"""Morra and Batoo against their rules."""

from phantomgo.game.points import BLACK, WHITE, Colour
from phantomgo.papers.games.contest import OtherGames, make_game, play
from phantomgo.papers.games.morra import Hands
from phantomgo.papers.games.players import make_player
from phantomgo.papers.games.stones import Base, Fight


def show(fingers, guess):
    return 2 * (fingers - 1) + guess - 1


def test_who_guesses_alone_wins_all_fingers():
    shown = {
        (show(1, 2), show(2, 2)): "B+",  # Black says two and sees two; White says two and sees one
        (show(1, 1), show(2, 1)): "W+",
        (show(1, 1), show(1, 1)): "0",
        (show(2, 1), show(2, 1)): "0",
    }
    for moves, result in shown.items():
        assert Hands(1, 0, moves).result == result


def test_nobody_sees_the_other_hand_before_showing_their_own():
    state = make_game("morra:rounds=3").start(5)
    after = [state.after(move) for move in range(4)]
    assert {each.known for each in after} == {()}
    assert all(each.mover is WHITE for each in after)


def test_luck_decides_half_of_the_choices():
    same = sum(Hands(1, luck, ()).after(2).shown == (2,) for luck in range(400))
    assert 0.5 < same / 400 < 0.75  # half, and a fourth of the rest


def test_batoo_removes_what_both_have_chosen():
    state = make_game("batoo:size=5,komi=0.5,stones=2").start(0)
    for point in (0, 7):
        assert (state.mover, state.blind) == (BLACK, True)
        state = state.after(point)
    hidden = state.known
    for point in (7, 12):
        assert isinstance(state, Base)
        assert state.mover is WHITE
        assert 0 in state.moves
        state = state.after(point)
    assert hidden == 0
    assert isinstance(state, Fight)
    assert (state.board.black, state.board.white, state.mover) == (1, 1 << 12, BLACK)


def test_the_seed_draws_the_stones_whoever_plays():
    spec = "batoo:size=5,komi=0.5,stones=3"
    game = make_game(spec)
    weak, strong = make_player("random", game), make_player("flatmc:playouts=30", game)
    first = play(game, dict.fromkeys(Colour, weak), (4, 5))
    second = play(game, dict.fromkeys(Colour, strong), (4, 5))
    assert first.moves[:6] == second.moves[:6]
    assert {
        result.text
        for result in OtherGames.of(spec, "random").play([(0, 1), (1, 0), (2, 3), (3, 4)])
    } <= {"B+", "W+"}
