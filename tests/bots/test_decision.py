"""What a decision says beside its move."""

import pytest

from bots import BOTS, make
from bots.belief import candidates, presume_refused
from phantomgo.points import BLACK, PASS, RESIGN, WHITE, point_set
from phantomgo.rules import Rules
from phantomgo.view import View
from tests.support.strategies import played

QUICK = {
    "random": "random",
    "flatmc": "flatmc:playouts=120",
    "phantom": "phantom:playouts=120",
    "imperfect": "imperfect:worlds=2,inner=1,horizon=1",
    "twolevel": "twolevel:playouts=9,inner=1,horizon=3",
    "hybrid": "hybrid:playouts=3,inner=1,horizon=3,flat=60,hidden=9",
    "mcts": "mcts:playouts=120",
}
VIEWS = [played(5, 3, count, "olympiad").view(BLACK) for count in (0, 9, 24)]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", sorted(BOTS))
def test_a_decision_is_of_its_best_candidate_or_a_pass(kind, view):
    bot = make(QUICK[kind], 4)
    decision = bot.decide(view)
    assert decision.move == bot.decide(view).move
    if kind == "random":
        assert (decision.candidates, decision.share, decision.value) == ((), None, None)
        return
    allowed = candidates(view, presume_refused(view))
    assert not point_set(c.point for c in decision.candidates) & ~allowed
    best = decision.candidates[0]
    assert decision.move in (PASS, best.point)
    assert decision.share == best.share
    assert 0 <= decision.value <= 1
    assert all(c.visits >= 1 and 0 <= c.share <= 1 for c in decision.candidates)
    assert all(abs(c.lead) <= 25 + 7.5 for c in decision.candidates)


def test_the_candidates_are_those_of_the_search_the_best_first():
    view = View(Rules(size=5, komi=2.5), BLACK)
    found = make("flatmc:playouts=250", 1).decide(view).candidates
    assert {c.point for c in found} == set(range(25))
    assert [c.visits for c in found] == [10] * 25
    assert [c.share for c in found] == sorted((c.share for c in found), reverse=True)
    halved = make("phantom:playouts=1000,net=stones1", 1).decide(view).candidates
    assert sum(c.visits for c in halved) <= 1000
    assert halved[0].visits == max(c.visits for c in halved) > 200
    assert all(c.amaf_visits > c.visits and 0 <= c.amaf_share <= 1 for c in halved)


def test_komi_is_counted_in_the_lead():
    even, given = (
        [make("flatmc:playouts=250", 1).decide(View(Rules(size=5, komi=komi), colour))
         .candidates[0].lead for komi in (2.5, 4.5)]
        for colour in (BLACK, WHITE)
    )  # fmt: skip
    assert even[0] - even[1] == pytest.approx(2, abs=1.5)
    assert given[1] - given[0] == pytest.approx(2, abs=1.5)


def test_a_decision_without_candidates_has_no_value():
    view = View(Rules(size=2), BLACK)
    nothing = view._replace(own=0b1111)
    decision = make("phantom", 1).decide(nothing)
    assert (decision.move, decision.candidates, decision.value) == (PASS, (), None)


def test_a_resignation_reports_its_candidates():
    decision = make("flatmc:playouts=50,resign=5", 1).decide(View(Rules(size=5, komi=100), BLACK))
    assert decision.move == RESIGN
    assert len(decision.candidates) == 25


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_book_decides_on_the_board_as_it_is(colour):
    bot = make("book:nash5,force=on", 12)
    view = played(5, 3, 8, "olympiad").view(colour)._replace(rules=Rules(size=5, komi=2.5))
    decision = bot.decide(view)
    assert decision.move == bot.decide(view).move
    assert decision.candidates[0].point == decision.move
    assert {c.point for c in decision.candidates} <= set(bot.stone_shares(view)) | {decision.move}
