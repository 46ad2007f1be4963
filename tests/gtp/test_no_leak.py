"""Law 3: what a controller reads depends only on the views of their seats.

Two hosted games run side by side on the same commands with different hidden bots. As long as the
controller's views are equal, every response must be, byte for byte, whatever the full boards are.
"""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gtp import host
from gtp.handlers import Handler
from gtp.host import Host
from gtp.seat import Seat
from gtp.session import COMMANDS, ROLES, Session
from gtp.story import GameSnapshot, SentMove
from phantomgo.game.points import PASS, RESIGN, Colour, vertex
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.game.view import View
from phantomgo.rng import Stream
from tests.support.gtp_tools import LOOKS, analyst, hosting, said, session
from tests.support.strategies import profiles, script, seeds, variant

OFTEN = [*LOOKS, *(look for look in LOOKS if "analy" in look or "rules" in look)]
"""All queries, those of analysis and ruler twice."""
TELLING = (3, 4, 14, 16)
"""Seeds of games that differ while the views are equal, under the rules of every profile."""
SETTINGS = (
    "phantom-param ",
    "phantom-rule",
    "set_random_seed",
    "fixed_",
    "place_",
    "set_free_",
)


def compare(
    profile: str, seed: int, size: int, looks: list[str] = LOOKS, *, some: int | None = None
) -> int:
    """Run two games as far as their views are equal.

    `some` looks are drawn each time they are looked at, all are taken if it is None. Returns how
    many times both were looked at with equal views after different games.
    """
    stream = Stream(seed)

    def drawn() -> list[str]:
        if some is None:
            return looks
        return [looks[stream.below(len(looks))] for _ in range(some)]

    own = Colour.BLACK if stream.below(2) else Colour.WHITE
    bot_moves = script(stream, size, 40)
    if stream.below(8) == 0:
        bot_moves[stream.below(40)] = RESIGN
    rules = Rules.profile(profile, size=size)
    if stream.below(3) == 0:
        rules = rules.with_text("max_tries", str(2 + stream.below(3)))
    first, second = (
        session({own.other: moves}, rules=rules, analyst=analyst)
        for moves in (bot_moves, variant(bot_moves, stream, size))
    )
    pairs, to_move = 0, Colour.BLACK
    for _ in range(30):
        if to_move is own:
            where = PASS if stream.below(12) == 0 else stream.below(size * size)
            line = f"play {own.letter} {vertex(where, size)}"
        else:
            name = {0: "reg_genmove", 1: "kata-genmove_analyze"}.get(stream.below(5), "genmove")
            line = f"{name} {own.other.letter}"
            if line.startswith("reg_") and own.other not in hosting(first).owners:
                continue  # an undecided seat would become the controller's
        answers = first.run(line), second.run(line)
        views = [hosting(server).referee.view(own) for server in (first, second)]
        if views[0] != views[1]:
            return pairs
        assert answers[0] == answers[1], line
        if hosting(first).referee.outcome is not None:
            return pairs
        logs = [hosting(server).referee.log for server in (first, second)]
        if logs[0] != logs[1]:
            pairs += 1
            for look in [*drawn(), shown_before(first, stream)]:
                assert said(first, look) == said(second, look), look
            if stream.below(4) == 0:
                tell_again(first, second, looks, stream)
        if answers[0].startswith("=") and not line.startswith("reg_"):
            to_move = to_move.other
    return pairs


def shown_before(server: Session, stream: Stream) -> str:
    """A ruler's query about an earlier position."""
    moves = [step.sent for step in hosting(server).story.steps]
    words = [f"{sent.colour.letter} {vertex(sent.move, hosting(server).size)}" for sent in moves]
    return " ".join(["phantom-shown", *words[: stream.below(len(words) + 1)]])


def tell_again(first: Session, second: Session, looks: list[str], stream: Stream) -> None:
    """Clear the board and repeat the game with some of its refused attempts and with queries."""
    host, logs = hosting(first), [list(hosting(s).referee.log) for s in (first, second)]
    lines = ["clear_board"]
    for step in host.story.steps:
        if step.accepted or stream.below(2):
            line = f"play {step.sent.colour.letter} {vertex(step.sent.move, host.size)}"
            lines.append(line)
    for line in lines:
        assert first.run(line) == second.run(line), line
        if stream.below(3):
            continue
        # After clear_board, before the first line, settings would start a new game.
        safe = [look for look in looks if line != "clear_board" or not look.startswith(SETTINGS)]
        for look in [safe[stream.below(len(safe))], shown_before(first, stream)]:
            assert first.run(look) == second.run(look), look
    assert [hosting(s).referee.log for s in (first, second)] == logs, "nothing is taken back"


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_equal_views_read_equal_bytes(profile):
    found = sum(compare(profile, seed, 3 + seed % 4) for seed in TELLING)
    assert found >= 50, "too few pairs of different games with equal views to say anything"


@given(profile=profiles, seed=seeds, size=st.integers(2, 6))
@example("cazenave", 170215521, 3)  # undo while the game is repeated
@settings(max_examples=15)
def test_equal_views_read_equal_bytes_in_any_game(profile, seed, size):
    compare(profile, seed, size)


def answer_from_the_true_board(host: Host, sent: SentMove) -> bool | None:
    """A repetition that is judged again, so that it answers what was never tried."""
    if host.story.repeated is None or host.story.repeated >= host.story.last_accepted:
        return None
    board = host.referee.board
    return sent.move == PASS or not (board.black | board.white) >> sent.move & 1


def look_from_whoever_moves(game: GameSnapshot, *, hide: bool) -> Colour:  # noqa: ARG001
    """A ruler that shows the side to move, even a hidden one."""
    return game.to_move


def see_whoever_moves(host: Host, _colour: str | None) -> View:
    """An analysis of the side to move, even a hidden one."""
    return host.referee.view(host.referee.to_move)


COMMAND_LEAKS = {
    "stones": lambda host: f"{host.referee.board.black.bit_count()} {host.referee.board.white}",
    "tries": lambda host: str(len(host.referee.log)),
    "seed": lambda host: str(host.referee.view(Colour.BLACK).turn + host.thinker.seed),
}
LEAKS = {
    "analysis": (Host, "visible_view", see_whoever_moves),
    "repetition": (Host, "repeat", answer_from_the_true_board),
    "ruler": (host, "ruler_side", look_from_whoever_moves),
}


@pytest.mark.parametrize("leak", [*COMMAND_LEAKS, *LEAKS])
def test_a_planted_leak_is_found(leak, monkeypatch):
    """The property above can fail: it finds what reveals too much."""
    looks, some, found = OFTEN, 1, None
    if leak in LEAKS:
        monkeypatch.setattr(*LEAKS[leak])
    else:
        told, looks, some, found = COMMAND_LEAKS[leak], ["planted"], None, "planted"
        monkeypatch.setitem(COMMANDS, "planted", Handler.of(lambda server: told(server.role)))

    def search():
        for seed in range(1000):
            compare("olympiad", seed, 4, looks, some=some)

    with pytest.raises(AssertionError, match=found):
        search()


def test_every_command_is_looked_at_or_changes_the_game():
    changing = {
        "boardsize",
        "clear_board",
        "play",
        "genmove",
        "kata-genmove_analyze",
        "reg_genmove",
        "quit",
        "phantom-seat",
    }
    told = ROLES[Seat].keys() - ROLES[Host].keys()
    looked = {look.split()[0] for look in LOOKS}
    assert set(Session.commands()) - changing - told - looked == set()
