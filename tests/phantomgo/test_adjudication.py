"""Games that end because both players hold the same one to win."""

import math

import pytest

import bots
from phantomgo.adjudication import Adjudication
from phantomgo.errors import BadText
from phantomgo.game import play_game
from phantomgo.outcome import Ending
from phantomgo.player import Decision
from phantomgo.points import BLACK, PASS, WHITE, parse_move
from phantomgo.record import verify
from phantomgo.record_json import read_record, write_record
from phantomgo.rules import Rules

RULES = Rules(size=4)


class Scripted:
    """Makes these attempts with these chances; each is `D4 0.7`, or `D4` for no chance."""

    name = "scripted"

    def __init__(self, *attempts: str) -> None:
        self._attempts = [attempt.split() for attempt in attempts]
        self.chance: float | None = None

    def decide(self, view, _seconds=math.inf):
        if not self._attempts:
            self.chance = None
            return Decision(PASS)
        where, *chance = self._attempts.pop(0)
        self.chance = float(chance[0]) if chance else None
        return Decision(parse_move(where, view.rules.size))


def game(black, white, moves=2, chance=90):
    return play_game(RULES, black, white, adjudication=Adjudication(moves, chance))


def test_both_have_to_agree_for_some_moves_in_a_row():
    black = Scripted("A1 0.95", "A2 0.93", "A3 0.9")
    white = Scripted("D1 0.05", "D2 0.01", "D3 0.5")
    found = game(black, white)
    assert (found.outcome.winner, found.outcome.ending) == (BLACK, Ending.ADJUDICATION)
    assert len(found.moves) == 4
    assert found.outcome.result == "B+R"
    assert found.outcome.sentence == "both players gave Black at least 90 % for 2 moves in a row"
    assert read_record(write_record(found)) == found
    assert verify(found).outcome == found.outcome


@pytest.mark.parametrize("moves", [1, 3])
def test_each_makes_as_many_moves_as_were_asked_for(moves):
    black = Scripted("A1 0.95", "A2 0.95", "A3 0.95", "A4 0.95")
    white = Scripted("D1 0.05", "D2 0.05", "D3 0.05", "D4 0.05")
    assert len(game(black, white, moves).moves) == 2 * moves


def test_one_who_hopes_plays_on():
    black = Scripted("A1 0.95", "A2 0.95", "A3 0.95", "A4 0.95")
    white = Scripted("D1 0.05", "D2 0.2", "D3 0.05", "D4 0.9")
    assert game(black, white).outcome.ending is Ending.SCORE


def test_each_holding_themselves_to_win_is_no_agreement():
    black = Scripted("A1 0.95", "A2 0.95", "A3 0.95")
    white = Scripted("D1 0.95", "D2 0.95", "D3 0.95")
    assert game(black, white, chance=50).outcome.ending is Ending.SCORE


def test_a_player_without_a_chance_agrees_to_nothing():
    black = Scripted("A1 0.95", "A2 0.95", "A3 0.95")
    assert game(black, Scripted("D1", "D2", "D3")).outcome.ending is Ending.SCORE
    assert game(black, bots.make("random", 0)).outcome.ending is not Ending.ADJUDICATION


def test_with_fifty_percent_the_winner_is_enough():
    black = Scripted("A1 0.6", "A2 0.49", "A3 0.4", "A4 0.5", "B1 0.4", "B2 0.3")
    white = Scripted("D1 0.9", "D2 0.51", "D3 0.51", "D4 0.7", "C1 0.6", "C2 0.6")
    found = game(black, white, chance=50)
    assert (found.outcome.winner, len(found.moves)) == (WHITE, 5), "from the first 0.9 on"


def test_only_attempts_that_stood_count():
    """White tries Black's point first, sure of winning; their move was made without hope."""
    black = Scripted("A1 0.95", "A2 0.95")
    white = Scripted("A1 0.99", "D1 0.05", "A2 0.99", "D2 0.05")
    found = game(black, white)
    assert (found.outcome.ending, found.refused(WHITE)) == (Ending.ADJUDICATION, 2)


def test_the_end_of_the_game_itself_comes_first():
    black, white = Scripted("A1 0.95", "pass 0.95"), Scripted("D1 0.05", "pass 0.05")
    assert game(black, white).outcome.ending is Ending.SCORE


@pytest.mark.parametrize(("moves", "chance"), [(0, 90), (1001, 90), (2, 49), (2, 101), (2, "x")])
def test_terms_that_mean_nothing(moves, chance):
    with pytest.raises(BadText, match=r"^(moves|chance) "):
        Adjudication(moves, chance)
