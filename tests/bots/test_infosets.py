"""Games imagined from a view, and the searches in them."""

import numpy as np
import pytest

from bots import make
from bots.belief import presume_refused
from bots.imperfect import Imperfect, order
from bots.infosets import Imagined, InfoSet, public_stones
from bots.worlds import Statistics
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Accepted, Message, Moved, Passed, Placed, Refused
from phantomgo.game.points import BLACK, PASS, WHITE, members, parse_move
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.rng import Stream
from tests.support.naive import NaiveGo, is_true_eye
from tests.support.strategies import at
from tests.support.views import views


def seen(colour, *messages) -> View:
    return View.replay(Rules(size=5), colour, messages)


def test_the_opponent_knows_our_captors_and_handicap_stones():
    point = lambda text: parse_move(text, 5)  # noqa: E731
    view = seen(WHITE, Moved(), Accepted(point("E5")), Moved(), Refused(point("B1")))
    assert view.located or view.refused
    assert public_stones(view) == 0
    moves = [m for text in ("A2", "D4", "E4", "E3") for m in (Accepted(point(text)), Moved())]
    took = seen(BLACK, *moves, Accepted(point("B1"), 1, at("A1")))
    assert public_stones(took) == at("A2 B1")
    assert public_stones(took.after(Moved(at("A2")))) == at("B1 A1 A3 B2")
    lost = seen(BLACK, Accepted(0), Moved(), Accepted(point("D4")), Moved(at("A1")))
    assert public_stones(lost) == at("A2 B1")
    handicap = seen(WHITE, Placed(BLACK, at("C3")), Moved())
    assert public_stones(handicap) == at("C3")


def test_untold_captures_show_the_stone_that_took():
    rules = Rules.profile("cazenave", size=5)
    told: list[Message] = [Accepted(5, 0, None), Moved(), Accepted(1, 1, None)]
    assert public_stones(View.replay(rules, BLACK, told)) == 1 << 1


class Referee:
    """The oracle's imagined game: the full board, and each side's knowledge."""

    def __init__(self, game: Imagined, size: int) -> None:
        self.go, self.size = NaiveGo(size), size
        self.known = {}
        for colour, letter in ((BLACK, "b"), (WHITE, "w")):
            for p in members(game.stones[colour]):
                self.go.stones[divmod(p, size)] = letter
            known = self.info(game, colour).belief.enemy
            self.known[letter] = {divmod(p, size) for p in members(known)}

    @staticmethod
    def info(game: Imagined, colour):
        turn, game.to_move = game.to_move, colour
        info = game.info_set()
        game.to_move = turn
        return info

    def attempt(self, letter: str, point) -> bool:
        other = {"b": "w", "w": "b"}[letter]
        done = self.go.attempt(letter, point)
        if isinstance(done, str):
            if done == "occupied":
                self.known[letter].add(point)
            return False
        for taken in done:
            self.known[letter].discard(taken)
            near = self.go.neighbours(taken)
            self.known[other] |= {q for q in near if self.go.stones.get(q) == letter}
        return True

    def agree(self, game: Imagined) -> None:
        for colour, letter in ((BLACK, "b"), (WHITE, "w")):
            info, stones = self.info(game, colour), self.go.stones
            cells = lambda points: {divmod(p, self.size) for p in members(points)}  # noqa: E731
            own = {p for p, s in stones.items() if s == letter}
            assert cells(info.belief.own) == own
            assert cells(info.belief.enemy) == self.known[letter]
            assert info.belief.hidden == len(stones) - len(own) - len(self.known[letter])
            eyes = NaiveGo(self.size)
            other = {"b": "w", "w": "b"}[letter]
            eyes.stones = dict.fromkeys(own, letter) | dict.fromkeys(self.known[letter], other)
            moves = {p for p in eyes.points() if p not in eyes.stones}
            assert cells(info.moves) == {p for p in moves if not is_true_eye(eyes, p, letter)}
            assert game.margin(colour) == (1 if letter == "b" else -1) * self.go.score()


@pytest.mark.parametrize(("size", "games"), [(3, 12), (5, 8), (7, 3)])
def test_an_imagined_game_tells_each_side_what_the_oracle_says(size, games):
    for seed in range(games):
        view = views(size)["middle" if seed % 2 else "empty"]
        game = Imagined(InfoSet.of(view, presume_refused(view)), seed)
        referee, stream = Referee(game, size), Stream(seed)
        referee.agree(game)
        while not game.over:
            letter = game.to_move.letter
            points = list(range(size * size))
            tries = [points.pop(stream.below(len(points))) for _ in range(3)]
            game.play(tries)
            if not any(referee.attempt(letter, divmod(p, size)) for p in tries):
                referee.go.ko = None
            referee.agree(game)


def test_a_world_holds_what_the_information_set_says():
    view = views(7)["middle"]
    info = InfoSet.of(view, presume_refused(view))
    hidden = set()
    for key in range(40):
        stones = Imagined(info, key, empty=24).stones
        own, enemy = stones[view.colour], stones[view.colour.other]
        assert own == info.belief.own
        assert enemy & info.belief.enemy == info.belief.enemy
        found = enemy & ~info.belief.enemy
        assert found.bit_count() == info.belief.hidden
        assert not found & ~info.belief.open
        assert not found >> 24 & 1
        hidden.add(found)
    assert len(hidden) == 40


@pytest.mark.parametrize("size", [4, 7])
def test_imperfect_of_one_level_is_flat_monte_carlo(size):
    for name, view in views(size).items():
        for seed in range(5):
            flat = make("flatmc:per_candidate=7", Game.of(view), seed).decide(view).move
            assert (
                make("imperfect:levels=1,worlds=7", Game.of(view), seed).decide(view).move == flat
            ), name


def test_three_levels_are_nested():
    asked = set()

    class Asked(Imperfect):
        def evaluate(self, info, points, level, *others):
            asked.add(level)
            return super().evaluate(info, points, level, *others)

    Asked(Game(Rules(size=2)), 1, levels=3, worlds=1, inner=1).decide(views(2)["empty"])
    assert asked == {1, 2, 3}


@pytest.mark.parametrize(("margin", "wins"), [(6, 0), (7, 0), (8, 1)])
def test_a_game_is_won_above_komi(margin, wins, monkeypatch):
    monkeypatch.setattr(Imperfect, "finished_game_value", lambda *_: margin)
    info = InfoSet.of(
        View(Rules(size=5, komi=7.5), BLACK), presume_refused(View(Rules(size=5), BLACK))
    )
    found = Imperfect(Game(info.rules), 1).evaluate(info, np.array([12]), 2, 1, 3, float("inf"))
    assert (found.visits.tolist(), found.wins.tolist()) == ([1], [wins])


def test_moves_are_ordered_by_wins_then_margins():
    stats = Statistics(4)
    stats.wins[:] = [1, 3, 3, 0]
    stats.margins[:] = [9, -1, 2, 50]
    assert order(np.arange(4), stats, 5).tolist() == [2, 1, 0, 3]


@pytest.mark.parametrize("spec", ["twolevel:playouts=1000000", "imperfect:worlds=1,inner=1"])
def test_a_clock_ends_a_decision(spec):
    assert make(spec, Game.of(views(5)["empty"]), 1).decide(views(5)["empty"], 0).move != PASS


def test_a_pass_after_a_pass_ends_an_imagined_game():
    view = View.replay(Rules(size=5), BLACK, [Accepted(12), Passed()])
    game = Imagined(InfoSet.of(view, presume_refused(view)), 1)
    game.play([])
    assert game.over
    assert game.margin(BLACK) == 25
