"""Engines as players: the commands they are sent, and the compat driver."""

from dataclasses import replace
from itertools import count

import pytest

from gtp import syntax
from gtp.clock import Limit
from gtp.drivers import CompatDriver
from gtp.engine import EnginePlayer, read_move
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Accepted, Message, Moved, Placed, Reason, Refused
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, PASS, RESIGN, WHITE, Colour, parse_move
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from tests.support.engines import LocalChannel, Plain, Tap
from tests.support.gtp_tools import Scripted, session

GAME = Game(Rules())


def over(server, **options) -> EnginePlayer:
    return EnginePlayer(lambda: LocalChannel(server.run), "engine", **options)


def moves(size: int, text: str) -> list[int]:
    return [parse_move(word, size) for word in text.split()]


def who_plays(size: int, text: str) -> Scripted:
    return Scripted(GAME, 0, dict.fromkeys(Colour, moves(size, text)))


def test_a_game_is_told_in_the_order_of_the_protocol():
    tap = Tap(session({WHITE: moves(3, "B2 A1 B1 C1 C3 pass")}, rules=Rules(size=3)))
    seconds = count()
    engine = over(tap, limit=Limit(60), now=lambda: next(seconds) / 8)
    engine.new_game(5)
    rules = replace(Rules(size=3, komi=1.5), reason="kind", tries="count")
    play_game(rules, who_plays(3, "A1 B2 C2 A2 pass"), engine)
    # What is sent before the second move: the set-up, then each message before each genmove.
    assert tap.sent[:25] == [
        "list_commands", "boardsize 3", "clear_board", "komi 1.5", "time_settings 60 0 0",
        "phantom-protocol_version", "phantom-seat w", "phantom-rules olympiad",
        "phantom-rule reason kind",
        "phantom-rule tries count", "phantom-param seed 5",
        "phantom-opponent b move captured 0", "time_left w 60 0", "genmove w",
        "phantom-accept w B2 captured 0", "phantom-note tries b 1",
        "phantom-opponent b move captured 0", "time_left w 59.87 0", "genmove w",
        "phantom-illegal w A1 occupied", "time_left w 59.75 0", "genmove w",
        "phantom-accept w B1 captured 0", "phantom-opponent b move captured 0",
        "time_left w 59.62 0",
    ]  # fmt: skip
    assert tap.sent[-1].startswith("phantom-game_over ")


@pytest.mark.parametrize(
    ("limit", "command"),
    [
        (Limit(60), "time_settings 60 0 0; time_left b 60 0"),
        (Limit(60, 10, 5), "time_settings 60 10 5; time_left b 60 0"),
        # Without main time the first period has begun: `0 0` would be no time at all.
        (Limit(0, 10, 5), "time_settings 0 10 5; time_left b 10 5"),
        (Limit(0, 2), "time_settings 0 2 1; time_left b 2 1"),
        (Limit(60, increment=1.5), "kata-time_settings fischer 60 1.5; time_left b 60 0"),
        (Limit(0, 0.5), "kata-time_settings canadian 0 0.5 1; time_left b 0.5 1"),
        (Limit(1.5), "kata-time_settings absolute 1.5; time_left b 1.5 0"),
    ],
)
def test_time_controls_are_sent_in_the_command_that_has_them(limit, command):
    tap = Tap(session({BLACK: moves(3, "A1")}, rules=Rules(size=3)))
    over(tap, limit=limit).decide(View(Rules(size=3), BLACK))
    assert "; ".join(line for line in tap.sent if "time_" in line) == command


def test_an_engine_that_thinks_before_it_answers_a_message_uses_its_time():
    """The time of a game is that of its record: from the first message to the move."""
    server, clock = session(rules=Rules(size=3)), [0.0]

    def answer(text):
        clock[0] += "phantom-opponent" in text and 5
        return server.run(text)

    engine = EnginePlayer(
        lambda: LocalChannel(answer), "slow", limit=Limit(8), now=lambda: clock[0]
    )
    record = play_game(Rules(size=3), who_plays(3, "A1 B1 C1"), engine)
    assert record.outcome.sentence == "White ran out of time: 8 s a side"
    assert len([step for step in record.attempts if step.reason is None]) == 3


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (Limit(60.5, increment=2), "60 0 0"),
        (Limit(0, 0.5, 3), "0 1 3"),
        (Limit(0.5), "1 0 0"),  # three zeros mean no limit
    ],
)
def test_an_engine_without_kata_time_settings_is_told_whole_seconds(limit, told):
    tap = Tap(session(rules=Rules(size=3)))
    start = lambda: LocalChannel(lambda text: tap.run(text).replace("kata-time", "other"))  # noqa: E731
    EnginePlayer(start, "engine", limit=limit).join(View(Rules(size=3), BLACK))
    assert f"time_settings {told}" in tap.sent
    over(server := Tap(Plain(3)), limit=limit).join(View(Rules(size=3), BLACK))
    assert not any("time_settings" in text for text in server.sent)


def test_a_plain_engine_is_shown_what_the_player_knows():
    server = Plain(3, ["B2", "B1", "C3", "pass"])
    engine = over(server)
    referee = Referee(Rules(size=3))
    for colour, text in [(BLACK, ""), (WHITE, "B1"), (BLACK, ""), (BLACK, ""), (WHITE, "pass")]:
        view = referee.view(colour)
        move = parse_move(text, 3) if text else engine.decide(view).move
        referee.attempt(colour, move)
    engine.decide(referee.view(BLACK))
    assert server.sent == [
        "list_commands", "boardsize 3", "clear_board", "komi 7.5",
        "clear_board", "genmove b",
        "clear_board", "play b B2", "genmove b",
        "clear_board", "play b B2", "play w B1", "genmove b",
        "clear_board", "play b B2", "play b C3", "play w B1", "play w pass", "genmove b",
    ]  # fmt: skip


class Picky(Plain):
    """Takes no stone at one point."""

    def __init__(self, size, point, moves=()):
        super().__init__(size, moves)
        self.point = point

    def place(self, colour, move):
        if move == self.point:
            raise syntax.Failure("illegal move")
        super().place(colour, move)


def test_a_plain_engine_that_takes_no_guess_passes_rather_than_repeat_itself():
    engine = over(Picky(3, 4, ["B2", "B2"]))
    # Five hidden stones: B2 may be one of them or be surrounded by them.
    messages: list[Message] = [Moved(), Accepted(PASS)] * 5
    view = View.replay(Rules(size=3), BLACK, messages)
    assert engine.decide(view).move == parse_move("B2", 3)
    view = view.after(Refused(parse_move("B2", 3)))
    assert view.refused
    assert engine.decide(view).move == PASS


def test_a_plain_engine_does_not_try_a_located_stone():
    rules, (a1, b2) = Rules(size=3, reason="kind"), (parse_move(v, 3) for v in ("A1", "B2"))
    view = View(rules, BLACK)
    for message in (Moved(), Refused(b2, Reason.OCCUPIED), Accepted(a1, 0, 0), Moved()):
        view = view.after(message)
    driver = CompatDriver(lambda _: "", frozenset(), rules, BLACK)
    assert [driver.must_pass(view, p) for p in (b2, a1, b2 + 1, PASS)] == [True, True, False, False]


def test_a_seed_is_cut_to_what_gnugo_takes():
    sent: list[str] = []
    commands = frozenset({"set_random_seed"})
    driver = CompatDriver(lambda line: sent.append(line) or "", commands, Rules(size=3), BLACK)
    driver.set_up(2**31 + 5, None)
    assert sent[-1] == "set_random_seed 5"


def test_a_plain_engine_that_refuses_the_position_loses():
    record = play_game(Rules(size=3), over(Picky(3, 4, ["B2"])), who_plays(3, "A1 A2"))
    assert record.outcome.ending is Ending.PROTOCOL
    assert record.outcome.sentence == "Black refused `play b B2`: 'illegal move'"


@pytest.mark.parametrize(
    ("listed", "line"),
    [(True, "phantom-placed b B2 D4"), (False, "set_free_handicap B2 D4")],
    ids=["listed", "not listed"],
)
def test_handicap_stones_are_placed_by_a_command_that_the_engine_has(listed, line):
    tap = Tap(session(rules=Rules(size=5)))

    def answer(text):
        response = tap.run(text)
        return response if listed else response.replace("phantom-placed\n", "")

    stones = 1 << parse_move("B2", 5) | 1 << parse_move("D4", 5)
    engine = EnginePlayer(lambda: LocalChannel(answer), "engine")
    engine.decide(View(Rules(size=5), WHITE).after(Placed(BLACK, stones)))
    assert [text for text in tap.sent if "B2" in text] == [line]


def test_another_version_of_the_protocol_is_not_played():
    server = session(rules=Rules(size=3))

    def answer(text):
        return f"={text.split()[0]} 2\n\n" if "protocol_version" in text else server.run(text)

    engine = EnginePlayer(lambda: LocalChannel(answer), "new")
    outcome = play_game(Rules(size=3), engine, who_plays(3, "A1")).outcome
    assert outcome.ending is Ending.VOID
    assert "speaks version '2' of the phantom commands, not 1" in outcome.sentence


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_a_plain_engine_plays_whole_games(size):
    passing = who_plays(size, "pass pass")
    for black, white in ((None, None), (None, passing), (passing, None)):
        sides = black or over(Plain(size)), white or over(Plain(size))
        record = play_game(Rules(size=size, komi=0.5), *sides)
        assert record.outcome.ending in (Ending.SCORE, Ending.MOVE_LIMIT)


def test_a_game_of_another_view_is_set_up_anew():
    """The messages sent are compared with the view: a restarted engine gets its log again."""
    tap = Tap(session(rules=Rules(size=5), seed=1))
    engine = over(tap)
    referee = Referee(Rules(size=5))
    for _ in range(6):
        colour = referee.to_move
        referee.attempt(colour, engine.decide(referee.view(colour)).move)
    assert tap.sent.count("clear_board") >= 4
    engine.decide(referee.view(referee.to_move))
    assert tap.server.role.view.events == referee.view(referee.to_move).events
    vars(engine._channel)["_run"] = lambda text: f"?{text.split()[0]} no\n\n"
    with pytest.raises(Fault, match="does not take part: refused `boardsize 5`") as fault:
        engine.decide(View(Rules(size=5), BLACK))
    assert fault.value.ending is Ending.PROTOCOL, "a game that it has played in is lost"


@pytest.mark.parametrize(
    ("text", "move"),
    [("D4", 21), ("d4", 21), ("PASS", PASS), ("Resign", RESIGN), ("Z99", 36), ("", 36),
     ("D4 D5", 36), ("G1", 36), ("\u4e00", 36)],
)  # fmt: skip
def test_answers_to_genmove(text, move):
    assert read_move(text, 6) == move
