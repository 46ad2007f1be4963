"""What a book plays first is what its bots answer, and mirrored openings are one."""

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar

import pytest

import bots
from bots import Bot
from phantomgo.beginning import Beginning
from phantomgo.identity import Identity
from phantomgo.lab.measure.openings import first_moves, first_of_images, first_points, openings
from phantomgo.player import Decision
from phantomgo.points import BLACK, PASS, WHITE, Move, parse_move, parse_points
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.line import Side, Step
from phantomgo.portfolio.setup import Setup
from phantomgo.rules import PROFILES, Rules
from phantomgo.view import View
from tests.support.learning import go_setup


def setup_of(rules, handicap=0):
    return Setup(Identity("random"), Identity("random"), "olympiad", rules, Beginning(handicap))


FIVE = setup_of(Rules(size=5))


@dataclass(frozen=True)
class Listed(Bot):
    """Plays given moves in turn, and keeps the views it was asked with."""

    kind: ClassVar[str] = "listed"
    moves: tuple[Move, ...]
    views: list[View] = field(default_factory=list)

    def decide(self, view, _seconds=math.inf):
        self.views.append(view)
        return Decision(self.moves[len(self.views) - 1])


@pytest.mark.parametrize("profile", PROFILES)
def test_a_bot_is_asked_as_if_nothing_happened(profile):
    rules = Rules.profile(profile, size=5)
    bot = Listed(0, (12, 6, PASS))
    assert first_moves(bot, setup_of(rules), WHITE, 9) == (12, 6, PASS)
    assert [(view.turn, view.opponent_turn, view.own) for view in bot.views] == [
        (0, 1, 0),
        (1, 2, 1 << 12),
        (2, 3, 1 << 12 | 1 << 6),
    ]
    assert first_moves(Listed(0, (12, 6, 7)), setup_of(rules), BLACK, 2) == (12, 6)


def test_mirrored_openings_are_one():
    corners = [parse_move(text, 5) for text in ("A1", "E1", "A5", "E5")]
    assert {first_of_images((corner, 12), FIVE) for corner in corners} == {
        (parse_move("A1", 5), 12)
    }
    assert first_of_images((PASS,), FIVE) == (PASS,)


def test_handicap_stones_are_seen_and_leave_fewer_images():
    setup = setup_of(Rules(size=5), parse_points(["B2", "D4"], 5))
    bot = Listed(0, (12, PASS))
    assert first_moves(bot, setup, BLACK, 2) == (12, PASS)
    assert bot.views[0].own == setup.beginning.handicap
    first_moves(bot := Listed(0, (PASS,)), setup, WHITE, 1)
    assert bot.views[0].opponent_turn == 0  # with more stones of Black's White moves first
    assert bot.views[0].located == setup.beginning.handicap
    # Four symmetries keep both stones in place: the diagonals and the half turn.
    assert len(setup.symmetries) == 4
    corners = [parse_move(text, 5) for text in ("A1", "E1", "A5", "E5")]
    assert len({first_of_images((corner,), setup) for corner in corners}) == 2


def test_the_shares_of_a_book():
    book = read_book("nash5")
    lines = tuple((Step("flatmc:playouts=200", seed),) for seed in (11, 17, 18))
    book = replace(book, black=Side(lines, (0.5, 0.25, 0.25), 0.4))
    found = openings(book, BLACK, 2)
    assert sum(opening.share for opening in found) == pytest.approx(1)
    assert sorted(line for opening in found for line in opening.lines) == [*lines]
    for opening in found:
        for (step,) in opening.lines:
            bot = bots.make(step.bot, step.seed)
            moves = first_moves(bot, go_setup(book), BLACK, 2)
            assert first_of_images(moves, FIVE) == opening.moves
    shares = first_points(found, FIVE)
    assert sum(shares.values()) == pytest.approx(1)
    # As it is played, no side of the board is preferred.
    assert shares.get(parse_move("B3", 5), 0) == pytest.approx(shares.get(parse_move("C2", 5), 0))
