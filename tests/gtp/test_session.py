"""The server's dialogue: transcripts in tests/data, failed commands, bots at fault, seeds, time."""

import math
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import Bot, make
from gtp.limits import SAFE
from gtp.seat import Seat
from gtp.session import Session
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Accepted, Reason, Refused
from phantomgo.game.player import Decision
from phantomgo.game.points import PASS, WHITE, Colour
from phantomgo.game.rules import Rules
from phantomgo.version import __version__
from tests.support.gtp_tools import hosting, run, seated, session, transcript
from tests.support.places import TESTS

GAME = Game(Rules())

TRANSCRIPTS = sorted(TESTS.glob("data/*.gtp"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path):
    for command, expected, actual in transcript(path.read_text().replace("VERSION", __version__)):
        assert f"{command}  {actual}" == f"{command}  {expected}"


def test_a_file_without_komi_has_the_komi_of_the_profile():
    files = {"large.sgf": b"(;SZ[5]KM[375];B[cc])", "none.sgf": b"(;SZ[5];B[cc])"}
    server = session({}, read_file=files.__getitem__)
    asked = ["loadsgf none.sgf", "get_komi", "loadsgf large.sgf", "clear_board"]
    assert run(server, *asked)[1] == "= 7.5"
    asked = ["phantom-rules ccgc", "get_komi", "loadsgf none.sgf", "get_komi"]
    assert run(server, *asked) == ["=", "= 375", "=", "= 6.5"]


def fingerprint(server: Session) -> object:
    """Everything about a server that a command may change."""
    thinker, seat = server.role.thinker, server.role
    known = thinker.settings, thinker.seed, server.closed
    if isinstance(seat, Seat):
        return *known, seat.view, seat.pending
    host = hosting(server)
    game = host.referee
    views = [game.view(colour) for colour in Colour]
    return (
        *(*known, host.owners, host.latest, host.story),
        *(game.board, list(game.log), views, game.outcome, game.to_move, game.rules),
    )


VERTICES = ["A1", "A2", "B1", "B2", "C3", "D4", "E5", "pass", "resign", "Z9", "a1"]
WORDS = [*VERTICES, "b", "w", "black", "WHITE", "none", "0", "1", "2", "5", "-1", "1e3", "nan"]
WORDS += ["captured", "move", "atari", "tries", "ko", "hide", "off", "seed", "bot", "olympiad"]
words = st.sampled_from(WORDS) | st.text(max_size=6)
commands = st.builds(
    lambda name, arguments: " ".join([name, *arguments]),
    st.sampled_from(Session.commands()).filter(lambda name: name != "quit"),
    st.lists(words, max_size=4),
)
moves = st.builds(
    "{} {} {}".format, st.just("play"), st.sampled_from("bw"), st.sampled_from(VERTICES)
) | st.sampled_from(["genmove b", "genmove w", "phantom-accept b A1 captured 0", "phantom-seat b"])
lines = st.one_of(commands, moves, st.text(max_size=30), st.binary(max_size=60))


@settings(max_examples=100)
@given(st.lists(lines, max_size=30))
def test_no_line_crashes_and_a_failure_changes_nothing(script):
    server = session()
    for line in script:
        before = fingerprint(server)
        response = server.run(line)
        assert response is None or (response[0] in "=?" and response.count("\n\n") == 1)
        assert "internal error" not in (response or "")
        if response is not None and response.startswith("?") and "illegal move" not in response:
            assert fingerprint(server) == before


class Faulty(Bot):
    kind = "faulty"
    error: ClassVar[BaseException] = KeyError("a stone at A1")

    def decide(self, view, _seconds=math.inf):  # noqa: ARG002
        raise self.error


class Interrupted(Faulty):
    kind = "interrupted"
    error = KeyboardInterrupt()


def test_a_faulty_bot_is_our_error_and_leaves_the_game_alone(caplog):
    server = session(bot=Faulty(GAME, 0))
    run(server, "play b C3")
    before = fingerprint(server)
    assert run(server, "3 genmove w") == ["?3 internal error: KeyError"]
    assert "Traceback" in caplog.text
    assert fingerprint(server) == before
    assert run(server, "play w C4") == ["="]
    server = session(bot=Interrupted(GAME, 0))
    before = fingerprint(server)
    with pytest.raises(KeyboardInterrupt):
        server.run("genmove b")
    assert fingerprint(server) == before


def test_tries_run_out():
    """For attempts off the board, such as those of engines (a bot that insists: rules.gtp)."""
    server = session({WHITE: [-25] * 9}, hide=False)
    run(server, "phantom-rule max_tries 3", "phantom-rule reason kind")
    assert run(server, "play b C3", "genmove w", "reg_genmove w") == ["=", "= pass", "= pass"]
    *refused, accepted = hosting(server).referee.view(WHITE).events[1:]
    assert refused == [Refused(25, Reason.OFF_BOARD)] * 3
    assert accepted == Accepted(PASS)


KOMI = {"1e300": "? unacceptable komi", "1000.5": "? unacceptable komi", "nan": "? syntax error"}
KOMI |= dict.fromkeys(["1000", "-1000", "0.1", "1e-300", "-0", "7.25"], "=")


@pytest.mark.parametrize("bot", ["flatmc:playouts=5", "phantom:playouts=5", "imperfect:worlds=1"])
def test_any_komi_is_played_with_or_refused(bot):
    for komi, answer in KOMI.items():
        server = session(bot=make(bot, GAME, 1), rules=Rules(size=3))
        assert run(server, f"komi {komi}", "play b B2", "genmove w") == [answer, "=", "= pass"]


def test_a_fresh_seed_for_every_game_and_a_fixed_one():
    server = session(hide=False)
    described = [run(server, "clear_board", "gomill-describe_engine")[1] for _ in range(5)]
    assert len({text.split("\n")[2] for text in described}) == 5
    run(server, "set_random_seed 7")
    for _ in range(2):
        assert "\nseed 7\n" in run(server, "clear_board", "gomill-describe_engine")[1]


class Clocked(Bot):
    """Plays down a list of moves, and remembers the times it was given, each of which it takes."""

    kind = "clocked"
    given: ClassVar[list[float]] = []
    moves: ClassVar[list[int]] = []

    def decide(self, view, seconds=math.inf):  # noqa: ARG002
        if seconds < math.inf:
            self.given.append(seconds)
        return Decision(self.moves.pop(0) if self.moves else PASS)


@pytest.fixture(autouse=True)
def _no_times():
    Clocked.given.clear()
    Clocked.moves.clear()


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        (["time_settings 0 1 0"], None),
        (["time_settings 0 0 0"], None),
        (["kata-time_settings none"], None),
        # On 5x5, 31.25 decisions are ahead. 0.2625 s are never planned with.
        (["time_settings 120 0 0"], 119.7375 / 31.25),
        (["time_settings 300 0 0", "time_left b 24 0"], 23.7375 / 31.25),
        (["time_left b 24 0"], 23.7375 / 31.25),
        (["time_left b 0 0"], 0),
        (["time_left b -3 0"], 0),
        (["time_left w 100 0"], None),
        (["time_settings 300 0 0", "time_left b 24 0", "clear_board"], 299.7375 / 31.25),
        # An attempt takes most of the time for its move; later ones share the rest.
        (["time_settings 0 30 5"], 0.8 * 29.8 / 5),
        (["time_settings 300 10 5", "time_left b 20 4"], 0.8 * 19.8 / 4),
        (["kata-time_settings byoyomi 300 30 5", "time_left b 30 5"], 0.8 * 29.8),
        (["kata-time_settings fischer 12 3", "time_left b 12 0"], 11.7375 / 31.25 + 1.5),
        (["kata-time_settings fischer 0 3", "time_left b 1 0"], 0.7375),
        (["kata-time_settings fischer-capped 120 30 60 2.5"], 2.3),
    ],
)
def test_time_is_obeyed(lines, seconds):
    assert run(session(bot=Clocked(GAME, 0)), *lines, "genmove b")[-1] == "= pass"
    assert Clocked.given == ([] if seconds is None else [pytest.approx(seconds)])


def test_a_server_for_strangers_bounds_a_decision_by_the_clock():
    server = session(bot=Clocked(GAME, 0))
    server.role.thinker.services = server.services._replace(limits=SAFE)
    run(server, "time_settings 999999 0 0", "genmove b")
    assert Clocked.given == [10]


def test_without_time_left_the_server_measures():
    """Every attempt takes all of its time, and the first one of each turn is refused."""
    Clocked.moves += [move for point in range(5) for move in (point + 20, point)]
    # A time is given between two looks at the clock.
    wall_time = lambda: 50.0 + sum(Clocked.given)  # noqa: E731
    server = session(bot=Clocked(GAME, 0), wall_time=wall_time)
    run(server, "time_settings 60 0 0")
    for letter in "ABCDE":
        assert run(server, f"play b {letter}5", "genmove w") == ["=", "= pass"]
    left = 59.7375
    for number, seconds in enumerate(Clocked.given):
        assert seconds == pytest.approx(left / (31.25 - 1.7 * (number // 2)))
        left -= seconds
    assert len(Clocked.given) == 10
    run(server, "time_left w 3 0", "play b pass", "genmove w")
    assert Clocked.given[-1] == pytest.approx(2.7375 / (31.25 - 1.7 * 5))


def test_a_seat_restored_from_its_log_proposes_the_same():
    first = session(seed=3)
    run(first, "boardsize 5", "phantom-seat w", "phantom-opponent b move captured 0")
    for _ in range(6):
        move = run(first, "genmove w")[0].removeprefix("= ")
        run(first, f"phantom-accept w {move} captured 0", "phantom-opponent b move captured 0")
    log = run(first, "phantom-log")[0].split("\n")[1:]
    second = session(seed=3)
    assert set(run(second, "boardsize 5", "phantom-seat w", *log)) == {"="}
    assert seated(second).view == seated(first).view
    assert run(second, "genmove w") == run(first, "genmove w")


@pytest.mark.parametrize("bot", ["random", "flatmc", "phantom:book=none"])
def test_the_belief_shown_is_that_of_the_bot_beside_it(bot):
    """After a refusal at A1 `flatmc` presumes a stone there; `phantom` considers an eye, too."""
    server = session(bot=bot)
    told = ["phantom-accept b E5", "phantom-opponent w move", "phantom-accept b E4"]
    run(server, "phantom-seat b", *told, "phantom-opponent w move", "phantom-illegal b A1")
    shares = make(bot, Game.of(seated(server).view), 7).stone_probabilities(seated(server).view)
    corner = run(server, "phantom-belief")[0].split()[-5]
    assert corner == f"{-shares[0]:.2f}"
    assert (corner == "-1.00") == (not bot.startswith("phantom"))
    assert f" A1 {corner}" in run(server, "phantom-gfx")[0]
