"""The value of a game: bounds that meet, the whole tree, minimax, and who may not exceed it."""

from itertools import product

import pytest

from phantomgo.lab.exact.phantom import Situation
from phantomgo.lab.exact.response import Member, best_response, pure
from phantomgo.lab.exact.value import Tree, find_value
from phantomgo.lab.games.table import make_game
from phantomgo.points import BLACK, WHITE, Colour
from phantomgo.rules import Rules

FIRST = {colour: lambda position: position.moves[0] for colour in Colour}
LAST = {colour: lambda position: position.moves[-1] for colour in Colour}


def small(moves, size=2):
    return Situation.start(Rules(size=size, komi=0.5).with_text("max_moves", str(moves)))


def whole_tree(start):
    """The value by a linear program with all moves of all players."""
    tree, todo = Tree(start, FIRST), [start]
    while todo:
        position = todo.pop()
        if position.result is None:
            for move in position.moves:
                tree.join(position.mover, {position.known: move})
                todo.append(position.after(move))
    black, white = tree.solve()
    low = 1 - best_response(start, WHITE, [Member(1, black)]).rate
    high = best_response(start, BLACK, [Member(1, white)]).rate
    assert low == pytest.approx(high)
    return low


def minimax(position):
    if position.result is not None:
        return position.result == "B+"
    wanted = position.mover is BLACK
    return wanted if wanted in map(minimax, map(position.after, position.moves)) else not wanted


@pytest.mark.parametrize("moves", [1, 2])
def test_the_bounds_meet_at_the_value_of_the_whole_tree(moves):
    start = small(moves)
    for defaults in (FIRST, LAST):
        bounds = find_value(start, defaults)
        assert bounds.found
        assert bounds.middle == pytest.approx(whole_tree(start))


def test_the_value_of_2x2_takes_chances():
    bounds = find_value(small(4), FIRST)
    assert bounds.found
    assert bounds.middle == pytest.approx(0.5), "neither player can be sure to win"


def test_with_nothing_hidden_it_is_that_of_minimax():
    start = make_game("domineering:size=3").start(0)
    assert find_value(start, FIRST).middle == minimax(start)


def test_whoever_stops_has_bounds():
    start, seen = small(4), []

    def stop(bounds):
        seen.append(bounds)
        return len(seen) == 2

    bounds = find_value(start, FIRST, stop)
    assert len(seen) == 2
    assert not bounds.found
    assert 0 <= bounds.low <= 0.5 <= bounds.high <= 1
    assert bounds.leaves > seen[0].leaves
    assert all(now >= then for now, then in zip(bounds.sequences, seen[0].sequences, strict=True))


@pytest.mark.parametrize(("colour", "choice"), [*product([BLACK, WHITE], [0, -1])])
def test_no_player_secures_more(colour, choice):
    start = small(4)
    always = Member(1, pure(lambda position: position.moves[choice]))
    mixing = Member(1, lambda position: dict.fromkeys(position.moves, 1 / len(position.moves)))
    for members in ([always], [mixing], [always, mixing]):
        assert 1 - best_response(start, colour.other, members).rate <= 0.5 + 1e-9
