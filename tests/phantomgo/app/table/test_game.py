"""A game as a table keeps it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.app.table.facts import ABANDONED
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.players import HUMAN
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.rules import Rules
from phantomgo.records.record_json import read_record, write_record
from tests.support.play_tools import new_game
from tests.support.strategies import played, profiles, seeds


@given(seed=seeds, count=st.integers(0, 40), profile=profiles)
@settings(max_examples=30)
def test_a_game_is_resumed_where_it_was(seed, count, profile):
    referee = played(4, seed, count, profile)
    game = new_game(HUMAN, HUMAN, size=4, **changes(profile))
    for attempt in referee.log:
        game.attempt(attempt.move, 0.5)
    again = TableGame.resumed(read_record(write_record(game.record())))
    assert again.record() == game.record()
    assert again.outcome == game.outcome
    assert again.moments == game.moments


def changes(profile: str) -> dict:
    rules = Rules.profile(profile, size=4).as_dict()
    return {key: value for key, value in rules.items() if key != "size"}


def test_an_abandoned_game_stays_abandoned_when_it_is_resumed():
    game = new_game(HUMAN, HUMAN)
    game.attempt(3, 0.5)
    assert TableGame.resumed(game.record()).outcome is None, "it is adjourned"
    game.end(Fault(Ending.VOID, ABANDONED).outcome(game.to_move))
    assert TableGame.resumed(game.record()).outcome == game.outcome
