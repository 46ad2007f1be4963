"""Law 3 for the referee's side: the bytes an engine is sent depend only on its view.

Two true games run side by side, the same engine in both, against opponents whose hidden moves
differ. As long as the engine's views are equal, so must be everything it was sent, byte for byte.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp.clock import Limit
from gtp.engine import EnginePlayer
from phantomgo.game.playing import play_game
from phantomgo.game.points import PASS, Colour
from phantomgo.game.referee import Referee
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.game.wording import line
from phantomgo.rng import Stream
from tests.support.engines import LocalChannel, Plain, Tap
from tests.support.gtp_tools import seated, session
from tests.support.strategies import profiles, script, seeds, variant


def engine(kind: str, size: int) -> tuple[EnginePlayer, Tap]:
    wire = Tap(session(rules=Rules(size=size)) if kind == "phantom" else Plain(size))
    player = EnginePlayer(lambda: LocalChannel(wire.run), kind, limit=Limit(600))
    player.new_game(7)
    return player, wire


def hidden_move(moves: list[int], done: int) -> int:
    """The next attempt of the hidden opponent."""
    return moves[done] if done < len(moves) else PASS


def told_alike(wires) -> bool:
    """True if the bytes are the same, except for the seconds on the clock."""
    first, second = ([text for text in wire.sent if "time_left " not in text] for wire in wires)
    clocks = [sum("time_left " in text for text in wire.sent) for wire in wires]
    return first == second and clocks[0] == clocks[1]


def compare(profile: str, seed: int, size: int, kind: str) -> int:
    """Play two games while the engine's views are equal; returns how often the games differed."""
    stream = Stream(seed)
    own = Colour.BLACK if stream.below(2) else Colour.WHITE
    moves = script(stream, size, 60)
    both = [moves, variant(moves, stream, size)]
    rules = Rules.profile(profile, size=size).with_text("max_tries", str(4 + stream.below(9)))
    players, wires = zip(*(engine(kind, size) for _ in both), strict=True)
    referees, done, found = [Referee(rules), Referee(rules)], [0, 0], 0
    for _ in range(60):
        for i, referee in enumerate(referees):
            while referee.outcome is None and referee.to_move is own.other:
                referee.attempt(own.other, hidden_move(both[i], done[i]))
                done[i] += 1
        views = [referee.view(own) for referee in referees]
        if views[0] != views[1]:
            break
        ended = views[0].result is not None
        answers = [
            player.hear_end(view) if ended else player.decide(view).move
            for player, view in zip(players, views, strict=True)
        ]
        assert told_alike(wires), (wires[0].sent, wires[1].sent)
        found += referees[0].log != referees[1].log
        if ended:
            break
        for referee, answer in zip(referees, answers, strict=True):
            referee.attempt(own, answer)
    return found


@pytest.mark.parametrize("kind", ["phantom", "plain"])
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_equal_views_are_sent_equal_bytes(profile, kind):
    found = sum(compare(profile, seed, 3 + seed % 3, kind) for seed in range(12))
    assert found >= 15, "too few pairs of different games with equal views to say anything"


@given(
    profile=profiles, seed=seeds, size=st.integers(2, 6), kind=st.sampled_from(["phantom", "plain"])
)
@settings(max_examples=25)
def test_equal_views_are_sent_equal_bytes_in_any_game(profile, seed, size, kind):
    compare(profile, seed, size, kind)


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_the_bytes_are_the_view(profile):
    """Nothing is left out: the engine knows its view and the result."""
    rules = Rules.profile(profile, size=5)
    players, wires = zip(*(engine("phantom", 5) for _ in range(2)), strict=True)
    players[1].new_game(8)
    play_game(rules, *players)
    for colour, wire in zip(Colour, wires, strict=True):
        view = seated(wire.server).view
        assert view.result is not None
        assert view.colour is colour
        lines = [line(message, colour, 5) for message in view.events]
        heard = {"phantom-accept", "phantom-illegal", "phantom-opponent", "phantom-note"}
        assert [t for t in wire.sent if t.split()[0] in heard or "game_over" in t] == lines
    assert view.turn + view.opponent_turn > 10
