"""The responder learns a policy that does, in games, what it says."""

from functools import partial

import pytest

import bots
from bots.book import LineBot
from phantomgo.game.beginning import Game
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.rules import Rules
from phantomgo.lab.learning.growth import Follower
from phantomgo.lab.measure.responder import Position, Responder, faced
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.movebook import best

RULES = Rules.profile("olympiad", size=3, komi=1.5)
GAME = Game(RULES)
BASE, OPPONENT = "flatmc:playouts=9", "flatmc:playouts=12"
SEEDS = range(100, 124)


def responding(colour, base, opponents, **terms):
    start = Position.start(RULES)
    return Responder(start, colour, lambda seed: bots.make(base, GAME, seed), opponents, **terms)


def rate_in_games(found, colour, opponents):
    """What the policy wins, played by a player who knows nothing else."""
    known = {told: best(moves, -1.0) for told, moves in found.situations().items()}
    won = 0.0
    for opponent, weight in opponents.items():
        mine = Follower(bots.make("random", GAME, 7), known, 99)
        black, white = (mine, opponent) if colour is BLACK else (opponent, mine)
        won += weight * play_game(RULES, black, white).outcome.score(colour)
    return won / sum(opponents.values())


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_its_rate_is_that_of_games(colour):
    opponents = faced(partial(bots.make, OPPONENT, GAME), colour.other, SEEDS)
    found = responding(colour, BASE, opponents)
    before = found.rate
    assert rate_in_games(found, colour, opponents) == pytest.approx(before)
    found.learn(lambda: found.nodes >= 3)
    assert found.rate > before
    assert found.nodes == 3
    assert found.games > 24 * 3
    assert rate_in_games(found, colour, opponents) == pytest.approx(found.rate)


def test_the_same_seed_learns_the_same():
    opponents = faced(partial(bots.make, OPPONENT, GAME), WHITE, SEEDS)

    def learned(seed):
        found = responding(BLACK, BASE, opponents, seed=seed)
        found.learn(lambda: found.nodes >= 1)
        return found.rate, found.games, found.situations()

    assert learned(3) == learned(3) != learned(4)


def test_it_stops_in_the_midst_of_a_view():
    opponents = faced(partial(bots.make, OPPONENT, GAME), WHITE, SEEDS)
    found = responding(BLACK, BASE, opponents)
    before, rate = found.games, found.rate
    found.learn(lambda: found.games >= before + 20)
    assert found.games == before + 20
    assert found.rate == rate == pytest.approx(rate_in_games(found, BLACK, opponents))


def test_it_stops_when_nothing_is_lost():
    found = responding(BLACK, BASE, faced(partial(bots.make, "random", GAME), WHITE, range(2)))
    found.learn(lambda: False)
    assert found.rate == 1


def test_few_samples_of_many_players_teach_nothing():
    opponents = faced(partial(bots.make, OPPONENT, GAME), WHITE, SEEDS)
    found = responding(BLACK, BASE, opponents, least=25)
    found.learn(lambda: False)
    assert found.nodes == 0


def test_a_book_of_whole_games_is_a_few_players():
    book, rules = read_book("ucb5"), Rules.profile("olympiad", size=5, komi=2.5)
    players = faced(partial(bots.make, "book:ucb5", Game(rules)), BLACK, range(200))
    assert len(players) == 8 * len(book.black.lines)
    assert sum(players.values()) == 200
    assert all(isinstance(player, LineBot) for player in players)


def test_a_book_that_is_left_is_a_player_a_seed():
    rules = Rules.profile("olympiad", size=5, komi=2.5)
    assert set(
        faced(partial(bots.make, "book:steps5", Game(rules)), BLACK, range(40)).values()
    ) == {1}
