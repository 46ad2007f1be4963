"""The example of docs/rules.md is a game as the referee judges it."""

import re

from gtp import display
from phantomgo.game.messages import Accepted, Moved, Refused
from phantomgo.game.points import BLACK, WHITE, Colour, parse_move, point_set, vertices
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "rules.md").read_text()


def rows(text: str) -> list[str]:
    """The rows of a board without coordinates."""
    return re.findall(r"^ \d ([.XO ]+) \d$", text, re.M)


def attempt(referee: Referee, side: Colour, where: str) -> Accepted | Refused:
    return referee.attempt(side, parse_move(where, 5))


def test_the_boards_of_the_example():
    lines = re.findall(r"^ \d [.XO].*$", PAGE, re.M)
    shown = [re.findall(r"\d ([.XO ]+?) \d", line) for line in lines]
    full, *views = ([row[place] for row in shown] for place in range(4))
    referee = Referee(Rules(size=5))
    for side, where in zip([BLACK, WHITE] * 3, ["C4", "C3", "B3", "E5", "C2", "A1"], strict=True):
        attempt(referee, side, where)
    board = referee.board
    assert rows(display.framed(5, display.marks(board.black, board.white))) == full
    seen: list[View] = [referee.view(BLACK)]
    for where in ("C3", "D3"):
        answer = attempt(referee, BLACK, where)
        assert isinstance(answer, Refused) is (where == "C3")
        seen.append(referee.view(BLACK))
    assert [rows(display.view_board(view)) for view in seen] == views
    told = referee.view(WHITE)
    assert told.events[-1] == Moved(lost=point_set([parse_move("C3", 5)]))
    assert vertices(told.located, 5) == "C2 B3 D3 C4"


def test_the_turn_that_becomes_a_pass():
    assert "After\npoints + 1 refusals in one turn (26 on 5x5)" in PAGE
    assert Rules(size=5).tries_limit == 26
