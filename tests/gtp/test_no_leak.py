"""Law 3: what a controller reads depends on nothing but what their seat was told.

Two hosted games run side by side on the same commands with different hidden bots. As long as the
controller's views are equal, every response must be, byte for byte, whatever the true boards are.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp.seat import Seat
from gtp.session import Session
from gtp.table import table
from phantomgo.points import PASS, RESIGN, Colour, vertex
from phantomgo.rng import Stream
from phantomgo.rules import PROFILES, Rules
from tests.support.gtp_tools import session
from tests.support.strategies import profiles, script, seeds, variant

# Every command that looks and does not change anything, with arguments of every kind; whatever
# is added to the server and only looks is found by the last test of this file.
LOOKS = [
    "name",
    "version",
    "protocol_version",
    "list_commands",
    "known_command undo",
    "showboard",
    "final_score",
    "final_status_list alive",
    "final_status_list dead",
    "cputime",
    "gomill-cpu_time",
    "gomill-describe_engine",
    "gogui-analyze_commands",
    "kata-list_time_settings",
    "undo",
    "loadsgf nothing.sgf",
    "phantom-get_rules",
    "phantom-protocol_version",
    "phantom-param",
    "phantom-param seed",
    "phantom-param hide off",
    "phantom-param seed 3",
    "phantom-rules sensei",
    "phantom-rule ko simple",
    "phantom-reveal_board",
    "fixed_handicap 2",
    "place_free_handicap 2",
    "set_free_handicap A1 B2",
    "komi 6.5",
    "time_left b 10 0",
    "time_settings 10 0 0",
    "kgs-time_settings none",
    "kata-time_settings none",
    *(f"phantom-{what}" for what in ("view", "belief", "gfx", "last", "log")),
    *(
        f"phantom-{what} {side}"
        for what in ("view", "belief", "gfx", "last", "log")
        for side in "bw"
    ),
]


def compare(profile: str, seed: int, size: int, looks: list[str] = LOOKS) -> int:
    """Run two games as far as their views are equal.

    Returns how many times both were looked at with equal views after different games.
    """
    stream = Stream(seed)
    own = Colour.BLACK if stream.below(2) else Colour.WHITE
    bot_moves = script(stream, size, 40)
    if stream.below(8) == 0:
        bot_moves[stream.below(40)] = RESIGN
    rules = Rules.profile(profile, size=size)
    if stream.below(3) == 0:
        rules = rules.with_text("max_tries", str(2 + stream.below(3)))
    first, second = (
        session({own.other: moves}, rules=rules)
        for moves in (bot_moves, variant(bot_moves, stream, size))
    )
    pairs, to_move = 0, Colour.BLACK
    for _ in range(30):
        if to_move is own:
            where = PASS if stream.below(12) == 0 else stream.below(size * size)
            line = f"play {own.letter} {vertex(where, size)}"
        else:
            line = f"{'reg_' if stream.below(5) == 0 else ''}genmove {own.other.letter}"
            if line.startswith("reg_") and own.other not in first.role.owners:
                continue  # an undecided seat would become the controller's
        answers = first.run(line), second.run(line)
        views = [server.role.referee.view(own) for server in (first, second)]
        if views[0] != views[1]:
            return pairs
        assert answers[0] == answers[1], line
        if first.role.referee.outcome is not None:
            return pairs
        logs = [server.role.referee.log for server in (first, second)]
        if logs[0] != logs[1]:
            pairs += 1
            for look in looks:
                assert first.run(look) == second.run(look), look
        if answers[0].startswith("=") and not line.startswith("reg_"):
            to_move = to_move.other
    return pairs


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_equal_views_read_equal_bytes(profile):
    found = sum(compare(profile, seed, 3 + seed % 4) for seed in range(20))
    assert found >= 50, "too few pairs of different games with equal views to say anything"


@given(profile=profiles, seed=seeds, size=st.integers(2, 6))
@settings(max_examples=30)
def test_equal_views_read_equal_bytes_in_any_game(profile, seed, size):
    compare(profile, seed, size)


@pytest.mark.parametrize(
    "leak",
    [
        lambda host: f"{host.referee.board.black.bit_count()} {host.referee.board.white}",
        lambda host: str(len(host.referee.log)),
        lambda host: str(max(host.referee.view(colour).turn for colour in Colour) + host.seed),
    ],
    ids=["stones", "tries", "seed"],
)
def test_a_planted_leak_is_found(leak, monkeypatch):
    """The property above can fail: a command that tells too much does not get through."""
    monkeypatch.setitem(
        table(Session),
        "planted",
        table(Session)["name"]._replace(handler=lambda server: leak(server.role)),
    )

    def search():
        for seed in range(400):
            compare("olympiad", seed, 4, ["planted"])

    with pytest.raises(AssertionError, match="planted"):
        search()


def test_every_command_is_looked_at_or_changes_the_game():
    changing = {
        "boardsize",
        "clear_board",
        "play",
        "genmove",
        "reg_genmove",
        "quit",
        "phantom-seat",
    }
    told = {name for name in table(Seat) if name in Session.commands()} - set(
        table(type(session().role))
    )
    looked = {look.split()[0] for look in LOOKS}
    assert set(Session.commands()) - changing - told - looked == set()
