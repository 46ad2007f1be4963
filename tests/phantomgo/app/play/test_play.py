"""`phantomgo play` without a terminal: what is typed, what is shown, what is waited for."""

import io
import math
import re
import sys
from pathlib import Path
from typing import TextIO, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.app.cli import main
from phantomgo.app.play import commands, lines
from phantomgo.app.play.console import Console
from phantomgo.app.play.draw import ASCII, DRAWN, draw_board, plain, width
from phantomgo.app.play.large import QUADRANTS, disc, draw_large, most_lines
from phantomgo.app.play.page import board, boards, page, point_at, prompt, status
from phantomgo.app.table import advice, saving
from phantomgo.app.table.game import Game, Moment
from phantomgo.app.table.players import HUMAN, ThreadedPlayers
from phantomgo.app.table.scene import view_scene
from phantomgo.app.table.table import Table
from phantomgo.app.table.viewer import Phase, three_scenes
from phantomgo.outcome import Ending, Fault
from phantomgo.points import BLACK, PASS, RESIGN, WHITE, Colour, parse_move, vertex
from phantomgo.record import verify
from phantomgo.record_json import read_record, write_record
from phantomgo.rules import Rules
from tests.support.commands import exit_code
from tests.support.places import ROOT
from tests.support.play_tools import Scripted, Slow, new_game, say, seen, settle, sit
from tests.support.strategies import played, profiles, seeds

MIRROR = str.maketrans("▘▝▖▗▌▐▞▚▛▜▙▟", "▝▘▗▖▐▌▚▞▜▛▟▙")
"""Characters of quarters, seen in a mirror."""


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("phantomgo.app.play.end_process", lambda: None)
    monkeypatch.chdir(tmp_path)


# Playing


def test_a_pass_that_ends_the_game_is_asked_about():
    chair = sit(new_game(), Scripted("pass pass"))
    question = "White has passed: `pass` again ends the game."
    say(chair, "c3")
    assert say(chair, "pass") == question
    assert say(chair, "b2") != question  # anything else drops the question
    assert say(chair, "pass") == question
    say(chair, "log")
    assert (say(chair, "pass"), chair.phase is Phase.OVER) == (question, False)
    say(chair, "pass")
    assert chair.phase is Phase.OVER


def test_attempts_are_judged_by_the_referee():
    chair = sit(new_game(), Scripted("D4 pass B2"))
    say(chair, "c3", "d4")
    assert chair.game.view(BLACK).refusals == 1
    assert "Black's move D4 is refused." in seen(chair)
    say(chair, "B2", "A1")
    log = [(step.colour, vertex(step.move, 5), step.reason) for step in chair.game.steps]
    assert log[:4] == [
        (BLACK, "C3", None),
        (WHITE, "D4", None),
        (BLACK, "D4", "occupied"),
        (BLACK, "B2", None),
    ]
    verify(chair.game.record())


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("c3", "Your own stone is at C3."),
        ("z9", "'z9' is not a vertex of a 5x5 board (A1 to E5, or pass)."),
        ("c33", "'c33' is not a vertex of a 5x5 board (A1 to E5, or pass)."),
        ("beleif", "'beleif' is neither a point (A1 to E5) nor a command; did you mean `belief`?"),
        ("xyzzy", "'xyzzy' is neither a point (A1 to E5) nor a command; `help` lists them."),
        ("e5 e4", "One attempt at a time: type e5 alone."),
        ("pass now", "One attempt at a time: type pass alone."),
        ("undo", "Nothing can be undone: what the referee has said cannot be unheard."),
        ("b", "'b' may be belief, board."),
        ("back", "`back` is for after the game."),
        ("mark", "Mark which points? As in: mark D4 E5"),
        ("mark z1", "'z1' is not a vertex of a 5x5 board (A1 to E5, or pass)."),
        ("save", "Save under which name? As in: save game1"),
        ("save game.sgf", "SGF shows the truth: it can be written when the game is over."),
        ("save nowhere/game", "nowhere/game: No such file or directory."),
        ("save game.pgn", "game.pgn: games are saved as .json or .sgf, not .pgn."),
        ("save /", "'/' is not the name of a file."),
        ("go", "There is nothing to wait for."),
        ("\x1b[2J", "'\\x1b[2J' is neither a point (A1 to E5) nor a command; `help` lists them."),
        ("a" * 401, "That is 401 characters long; at most 400 are read."),
    ],
)
def test_wrong_words_get_a_friendly_answer_and_change_nothing(typed, answer):
    chair = sit(new_game(), Scripted())
    say(chair, "c3")
    before = chair.game.record()
    assert say(chair, typed) == answer
    assert chair.game.record() == before


def test_a_stone_that_is_certain_is_not_tried():
    chair = sit(new_game(reason="occupied"), Scripted("D4"))
    say(chair, "c3", "d4")
    steps = len(chair.game.steps)
    assert say(chair, "d4") == "White certainly has a stone at D4."
    assert len(chair.game.steps) == steps


def test_marks_belief_and_hint():
    chair = sit(new_game(), Scripted("E5 D5 E4 B2"))
    say(chair, "c3", "d3", "mark a1 e5", "c2", "e5")
    assert chair.game.view(BLACK).refusals == 1  # marks outlast an attempt
    board = seen(chair).splitlines()
    assert board[1].startswith(" 5 . . . . o 5")
    assert board[5].startswith(" 1 o . . . . 1")
    assert "o your guess" in seen(chair)
    say(chair, "clear e5")
    assert seen(chair).splitlines()[1].startswith(" 5 . . . . ? 5")
    say(chair, "clear")
    assert "o your guess" not in seen(chair)
    answer = say(chair, "hint")
    assert re.fullmatch(r"phantom would attempt [A-E][1-5]; your chance is \d+ %.", answer)
    assert chair.hint is not None
    say(chair, "e3", "belief")
    assert chair.hint is None  # gone with the next attempt
    assert sum(chair.heat.values()) == pytest.approx(4, abs=0.05)
    assert "1-9 where White may be; 9 is " in seen(chair)


def test_the_log_and_the_counts_are_the_players():
    chair = sit(new_game(), Scripted("D4"))
    say(chair, "c3", "d4", "log")
    said = [
        "   1  Black's move C3 stands.",
        "   2  White has moved.",
        "   3  Black's move D4 is refused.",
    ]
    assert chair.page == said
    assert all(line in seen(chair) for line in said)
    say(chair, "")
    assert "1 on the board, 0 lost" in seen(chair)
    # The one stone White has cannot make D4 a suicide: it stands there.
    assert "1 on the board, 0 of them hidden, 0 captured" in seen(chair)


def test_what_is_shown_depends_on_the_view_alone():
    pictures = []
    for hidden in ("E5 A1", "E4 A2"):
        chair = sit(new_game(), Scripted(hidden))
        say(chair, "c3", "c2", "belief", "hint")
        pictures.append([seen(chair), chair.answer, status(chair), prompt(chair)])
        say(chair, "log")
        pictures[-1].append(seen(chair))
    assert pictures[0] == pictures[1]


def test_every_command_is_explained():
    chair = sit(new_game(), Scripted())
    say(chair, "help")
    during = [line[:18].strip() for line in chair.page]
    say(chair, "pass", "help")
    assert chair.phase is Phase.OVER
    after = [line[:18].strip() for line in chair.page]
    for command in commands.COMMANDS:
        assert (command.words in during) == command.during
        assert (command.words in after) == command.after
    assert say(chair, "help review") == ""
    assert chair.page == ["review             the moments that decided the game"]


# Waiting


def test_a_bot_that_thinks_can_be_left_to_it():
    slow = Slow()
    chair = sit(new_game(), slow)
    commands.run(chair, "c3")
    work = chair.work
    assert work is not None
    assert re.match(r"\| White thinks \d+ s", status(chair, "|"))
    chair.interrupt()
    assert chair.answer == "White thinks on; Enter waits for it."
    before = chair.game.record()
    for line in ("d4", "pass", "resign", "hint", "mark e5", "log", "help", "board"):
        commands.run(chair, line)
        assert chair.work is None
    assert chair.game.record() == before
    commands.run(chair, "")
    assert chair.work is not None
    slow.let.set()
    settle(chair)
    assert slow.asked == 1  # the same thought was waited for
    assert chair.game.to_move is BLACK
    say(chair, "d4")
    assert chair.game.view(WHITE).opponent_turn == 2


def test_a_game_can_be_abandoned_while_a_bot_thinks():
    slow = Slow()
    chair = sit(new_game(), slow)
    commands.run(chair, "c3")
    chair.interrupt()
    commands.run(chair, "abandon")
    assert chair.phase is Phase.OVER
    assert chair.game.outcome is not None
    assert chair.game.outcome.result == "Void"
    slow.let.set()
    verify(chair.game.record())


def test_a_refused_bot_is_not_seen_to_begin_anew():
    now = [0.0]
    slow = Slow()
    chair = sit(new_game(time=60), slow, now=lambda: now[0])
    commands.run(chair, "c3")
    now[0] = 7.0
    chair.table.thought = None
    chair.table._attempt(parse_move("c3", 5), 7.0)  # as if it had tried that
    now[0] = 9.0
    assert chair.game.to_move is WHITE
    assert status(chair) == "White thinks 9 s (Ctrl-C: back to the prompt)"
    assert chair.table.clock(WHITE) == 51.0
    slow.let.set()


class Broken:
    name = "broken"

    def __init__(self, error):
        self.error = error

    def propose(self, _view):
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return PASS


def test_a_bot_that_fails_is_a_message_and_can_be_asked_again():
    chair = sit(new_game(), Broken(ZeroDivisionError("by zero")))
    answer = say(chair, "c3")
    assert answer == "White failed: by zero. Enter asks again; the game is as it was."
    assert (len(chair.game.steps), chair.game.to_move) == (1, WHITE)
    say(chair, "")
    assert chair.game.to_move is BLACK


def test_an_engine_at_fault_loses():
    chair = sit(new_game(), Broken(Fault(Ending.CRASH, "is gone")))
    assert say(chair, "c3").startswith("You won by a crash. White is gone (B+F).")
    assert chair.phase is Phase.OVER
    verify(chair.game.record())


def test_time_runs_out():
    now = [0.0]
    chair = sit(new_game(time=60), Scripted(), now=lambda: now[0])
    now[0] = 25.0
    say(chair, "c3")
    now[0] = 45.0
    assert "Black (you), 0:15 left" in seen(chair)
    assert chair.game.left(WHITE) == pytest.approx(60, abs=1)
    now[0] = 85.1
    chair.table.tick()
    assert chair.answer.startswith("You lost on time. Black ran out of time")
    verify(chair.game.record())


# Other seats


def test_two_people_do_not_see_each_other():
    chair = sit(new_game(HUMAN, HUMAN))
    say(chair, "c3")
    assert (chair.phase, "X" in seen(chair)) == (Phase.HANDOVER, True)
    assert say(chair, "d4") == "White (human) is to move; Enter continues."
    say(chair, "")
    assert (chair.phase, "White, take your seat." in seen(chair)) == (Phase.CURTAIN, True)
    assert "C3" not in seen(chair) + status(chair)
    say(chair, "log")  # anything lifts the curtain, and is nothing more
    assert (chair.phase, chair.page) == (Phase.PLAY, [])
    assert (chair.facing, "(X)" in seen(chair)) == (WHITE, False)
    say(chair, "mark c3", "d4", "", "")
    assert chair.facing is BLACK
    assert "your guess" not in seen(chair)
    say(chair, "pass", "", "", "pass", "pass")
    assert chair.phase is Phase.OVER
    assert "White's view" in seen(chair)


def test_bots_are_watched_with_the_truth():
    chair = sit(new_game("random", "random"))
    settle(chair)
    assert chair.phase is Phase.OVER
    assert "True board" in seen(chair)
    verify(chair.game.record())


def test_watching_stops_and_goes_on():
    slow = Slow()
    chair = sit(new_game("random", "random"), slow)
    assert "True board" in seen(chair)
    chair.interrupt()
    slow.let.set()
    say(chair, "")
    assert len(chair.game.steps) == 1  # Enter: one attempt
    assert say(chair, "d4") == "White (random) is to move; Enter continues."
    assert say(chair, "belief") == "That is for players; you are watching."
    say(chair, "go")
    assert chair.phase is Phase.OVER


def test_a_gtp_engine_plays(monkeypatch):
    monkeypatch.chdir(ROOT)
    engine = f"gtp:{sys.executable} -m phantomgo gtp --bot random"
    monkeypatch.setattr("sys.stdin", io.StringIO("c3\nb2\npass\nresign\n"))
    assert main(["play", "--bot", engine, "--size", "4", "--seed", "3"]) == 0
    record = saving.load(saving.chosen("1"))
    assert record.white.name == engine
    assert verify(record).outcome == record.outcome
    assert len(record.moves) > 2


# After the game


def finished(moves="D4 B2") -> Console:
    chair = sit(new_game(komi=0.5), Scripted(moves))
    say(chair, "c3", "d4", "c2", "pass")
    if chair.phase is not Phase.OVER:
        say(chair, "pass")  # asked about, as the opponent has passed
    assert chair.phase is Phase.OVER
    return chair


def test_stepping():
    chair = finished()
    last = len(chair.game.steps)
    assert chair.at == last
    for line, at in [
        ("back", last - 1),
        ("", last),
        ("back 2", last - 2),
        ("first", 0),
        ("back", 0),
        ("next 3", 3),
        ("2", 2),
        ("goto 1", 1),
        ("goto x", 1),
        ("99999", last),
        ("last", last),
    ]:
        say(chair, line)
        assert chair.at == at, line
    say(chair, "3")
    assert "3/7  Black: D4 is refused (occupied)" in seen(chair)
    assert "to Black: Black's move D4 is refused." in seen(chair)
    say(chair, "log")
    assert chair.page[2].startswith("   3  Black: D4 is refused (occupied)")


def test_the_review_names_what_decided():
    chair = finished("D4 pass")
    say(chair, "review")
    assert chair.chances is not None
    assert len(chair.chances) == len(chair.game.moments)
    outcome = chair.game.outcome
    assert outcome is not None
    assert chair.chances[-1] == (outcome.winner is BLACK)
    changes = [change for _, change in advice.turning_points(chair.game, chair.chances, 9)]
    assert changes == sorted(changes, key=abs, reverse=True)
    assert "Black wins" not in seen(chair)
    say(chair, "")
    assert "Black wins " in seen(chair)


def test_a_won_board_is_judged_won():
    chair = sit(new_game(komi=0.5, handicap=0b11110_11111_00000_11111_11110))
    chance = advice.chance(chair.game.moments[0], chair.game.rules)
    assert chance > 0.95
    assert advice.chance(new_game().moments[0], Rules(5, 25.5)) < 0.01
    assert advice.chance(new_game().moments[0], Rules(5, -25.5)) > 0.99


# Files


def test_saving():
    chair = sit(new_game(), Scripted("D4"))
    say(chair, "c3")
    assert say(chair, "save one") == "Saved one.json. It holds the truth: no peeking."
    assert say(chair, "save one.json").startswith("Saved")  # one's own may be written again
    Path("two.json").write_text("precious")
    assert say(chair, "save two") == "two.json exists already."
    assert Path("two.json").read_text() == "precious"
    say(chair, "pass", "pass")
    assert say(chair, "save three") == "Saved three.json."
    assert read_record(Path("three.json").read_text()) == chair.game.record()
    assert say(chair, "save my game.sgf") == "Saved my game.sgf."
    assert say(chair, "save black.sgf Black") == "Saved black.sgf."
    assert say(chair, "save white.json white") == "white.json: a view is saved as .sgf."
    assert "AW[" in Path("my game.sgf").read_text() or ";W[" in Path("my game.sgf").read_text()
    assert {file.name for file in Path().iterdir() if file.is_file()} == {
        "one.json", "two.json", "three.json", "my game.sgf", "black.sgf",
    }  # fmt: skip


@given(seed=seeds, count=st.integers(0, 40), profile=profiles)
@settings(max_examples=30)
def test_a_game_is_resumed_where_it_was(seed, count, profile):
    referee = played(4, seed, count, profile)
    game = Game(new_game(HUMAN, HUMAN, size=4).start)
    game = new_game(HUMAN, HUMAN, size=4, **changes(profile))
    for attempt in referee.log:
        game.attempt(attempt.move, 0.5)
    again = Game.resumed(read_record(write_record(game.record())))
    assert again.record() == game.record()
    assert again.outcome == game.outcome
    assert again.moments == game.moments


def changes(profile: str) -> dict:
    rules = Rules.profile(profile, size=4).as_dict()
    return {key: value for key, value in rules.items() if key != "size"}


def typed(monkeypatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_game_goes_on_by_the_command(monkeypatch, capsys):
    typed(monkeypatch, "c3\nd4\nquit\ny\n")
    assert main(["play", "--size", "5", "--bot", "random", "--seed", "4", "--time", "900"]) == 0
    first = saving.load(saving.chosen("1"))
    capsys.readouterr()
    typed(monkeypatch, "log\nresign\n")
    assert main(["play", "--resume"]) == 0
    out = capsys.readouterr().out
    assert "Black's move C3 stands." in out
    again = saving.load(saving.chosen("1"))
    assert again.steps[: len(first.steps)] == first.steps
    assert (again.white, again.time) == (first.white, 900)
    assert again.outcome.result == "W+R"
    typed(monkeypatch, "review\n")
    assert main(["play", "--resume"]) == 0
    assert "Where Black's chance to win changed most" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "hint"), [([], True), (["--komi", "7.5"], False)])
def test_a_komi_that_nobody_asked_for_is_told(words, hint, monkeypatch, capsys):
    typed(monkeypatch, "c3\n")
    assert main(["play", "--size", "5", "--bot", "random", *words]) == 0
    told = "Komi is 7.5, the profile's; games on 5x5 are about even with 2.5."
    assert (told in capsys.readouterr().out) is hint


def test_two_games_are_kept_apart_and_listed(monkeypatch, capsys):
    for moves in ("c3\nd4\n", "resign\n"):
        typed(monkeypatch, moves)
        assert main(["play", "--size", "5", "--bot", "random", "--seed", "4"]) == 0
    assert len(saving.kept()) == 2
    first, second = (saving.load(file) for file in saving.kept())
    assert {first.outcome.result, second.outcome.result} == {"Void", "W+R"}
    capsys.readouterr()
    assert main(["play", "--games"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 2
    assert all("5x5  human against random: " in line for line in listed)
    number = next(n for n, line in enumerate(listed, 1) if "attempts" in line)
    typed(monkeypatch, "resign\n")
    assert main(["play", "--resume", str(number)]) == 0
    assert len(saving.kept()) == 2  # it goes on where it is kept
    assert "no saved game 7; there are 1 to 2" in failing(["play", "--resume", "7"], capsys)


def test_a_handicap_is_a_number_or_vertices(monkeypatch):
    for words in (["2"], ["C3", "G7"]):
        typed(monkeypatch, "")
        assert main(["play", "--bot", "random", "--handicap", *words]) == 0
        assert saving.load(saving.chosen("1")).handicap == 1 << 20 | 1 << 60
        saving.kept()[0].unlink()


def failing(words, capsys):
    assert main(words) == 2
    return capsys.readouterr().err


def test_a_rematch_changes_colours():
    tables = []

    def lay(game):
        tables.append(Table(game, ThreadedPlayers(game)))
        return tables[-1]

    first = new_game()
    chair = Console(Table(first, ThreadedPlayers(first)), lay=lay)
    chair.begin()
    assert say(chair, "rematch") == "`rematch` is for after the game."
    assert say(chair, "resign").startswith("You lost by resignation. Black resigns (W+R).")
    say(chair, "rematch")
    assert chair.game.name(BLACK) == "random"
    assert chair.facing is WHITE
    settle(chair)
    assert chair.their_turn
    assert len(chair.game.steps) == 1
    assert say(chair, "resign").startswith("You lost by resignation. White resigns (B+R).")


def test_the_ending_shows_the_area():
    chair = sit(new_game(komi=0.5, handicap=0b11110_11111_00000_11111_11110), Scripted())
    say(chair, "pass", "pass")
    assert chair.answer.startswith("You won by 24.5. Both players passed; Black wins by 24.5")
    assert "Black has 25 points, White 0 and 0.5 komi." in chair.answer
    board = seen(chair).splitlines()
    assert board[4].startswith(" 3 x x x x x 3")
    assert "x Black's area" in seen(chair)


PROGRAMS = ["gtp:touch started", "stranger:Bot", "book:strange.json,code=on"]


@pytest.mark.parametrize("spec", PROGRAMS)
def test_a_saved_game_runs_no_code(spec, monkeypatch, capsys, tmp_path):
    """Neither when it is resumed nor, if it is over, for a rematch: anybody may have written it."""
    Path("stranger.py").write_text("open('started', 'w')")
    book = Path(ROOT / "books" / "nash5.json").read_text()
    Path("strange.json").write_text(book.replace('"flatmc:playouts=200"', '"stranger:Bot"'))
    game = new_game(HUMAN, spec)
    game.attempt(3, 0.1)
    saving.keep(game, tmp_path / "game.json")
    typed(monkeypatch, "")
    assert main(["play", "--resume", "game.json"]) == 2
    assert f"White is {spec!r} in the saved game, which would run a pro" in capsys.readouterr().err
    game.attempt(RESIGN, 0.1)
    saving.keep(game, tmp_path / "over.json")
    typed(monkeypatch, "rematch\n")
    assert main(["play", "--resume", "over.json"]) == 0
    assert f"No rematch: Black is {spec!r} in the saved game" in capsys.readouterr().out
    assert not Path("started").exists()
    typed(monkeypatch, "pass\n")
    assert main(["play", "--resume", "game.json", "--bot", "random"]) == 0
    assert saving.load(saving.chosen("1")).white.name == "random"


WRONG = [
    (["--bot", "nobody"], "no bot 'nobody'; there are"),
    (["--bot", "flatmc:x=1"], "flatmc has no parameter 'x'"),
    (["--bot", "gtp:"], "player 'gtp:' names no command"),
    (["--bot", "gtp:'"], "No closing quotation"),
    (["--bot", "x" * 1001], "has 1001 characters, more than 1000"),
    (["--book", "nobook"], "nobook"),
    (["--book", "nash5", "--bot", "random"], "bot and book exclude each other"),
    (["--book", "nash5", "--size", "7"], "book:nash5 is for 5x5, not 7x7"),
    (["--bot", "book:nash5", "--size", "9"], "book:nash5 is for 5x5, not 9x9"),
    (["--bot", "gtp:false"], "White (gtp:false) does not take part: ended with exit code 1"),
    (["--black", "random", "--bot", "random"], "bot cannot be combined with black or white"),
    (["--white", "random", "--colour", "b"], "colour cannot be combined with black or white"),
    (["--colour", "green"], "'green' is not a colour (b, black, w or white)"),
    (["--size", "20"], "size 20 is not a whole number from 2 to 19"),
    (["--size", "x"], "'x' is not a whole number"),
    (["--komi", "inf"], "komi inf is not a number from -1000 to 1000"),
    (["--rules", "chess"], "no rules profile 'chess'; there are olympiad"),
    (["--handicap", "10"], "handicap 10 is not 0 or from 2 to 9 on 9x9"),
    (["--handicap", "C3", "Z9"], "handicap: 'Z9' is not a vertex of a 9x9 board"),
    (["--resume", "good.json", "--handicap", "2"], "handicap cannot be combined with resume"),
    (["--handicap", "1"], "handicap 1 is not 0 or from 2 to 9 on 9x9"),
    (["--time", "0"], "time 0 is not a whole number from 1 to 10000000"),
    (["--seed", "-1"], "seed -1 is not a whole number from 0 to"),
    (["--resume", "nothing.json"], "nothing.json: No such file or directory"),
    (["--resume", "bad.json"], "bad.json: record: not JSON"),
    (["--resume", "game.sgf"], "game.sgf is SGF, which lacks the messages to each player"),
    (["--resume", "false.json"], "attempt 1: Black is told"),
    (
        ["--resume", "bad.json", "--size", "9"],
        "size cannot be combined with resume: the saved game",
    ),
    (["--resume", "good.json", "--bot", "random"], "bot names the one opponent"),
]


@pytest.mark.parametrize(("words", "error"), WRONG, ids=[" ".join(w)[:30] for w, _ in WRONG])
def test_wrong_usage(words, error, monkeypatch, capsys):
    game = new_game(HUMAN, HUMAN)
    game.attempt(3, 0.1)
    Path("bad.json").write_text("hello\n")
    Path("good.json").write_text(write_record(game.record()))
    Path("game.sgf").write_text("(;GM[1]SZ[9])")
    Path("false.json").write_text(
        write_record(game.record()).replace("D1 captured 0", "D1 captured 9")
    )
    typed(monkeypatch, "")
    code = exit_code("play", *words)
    captured = capsys.readouterr()
    assert code in (1, 2)
    assert captured.err.startswith(("phantomgo play: ", "usage: "))
    assert error in captured.err


# Line by line, and pictures


def test_ctrl_c_line_by_line(capsys):
    class Keyboard:
        def __init__(self):
            self.lines = [
                "c3\n",
                KeyboardInterrupt(),
                "d4\n",
                "quit\n",
                "n\n",
                "quit\n",
                "y\n",
                "e5\n",
            ]

        def readline(self, _most):
            line = self.lines.pop(0)
            if isinstance(line, BaseException):
                raise line
            return line

    keyboard = Keyboard()
    chair = sit(new_game(), Scripted("A1"))
    settle(chair)
    chair.begin = lambda: None
    lines.play(chair, cast(TextIO, keyboard), prompting=True)
    assert keyboard.lines == ["e5\n"]
    out = capsys.readouterr().out
    assert "Ctrl-D or `quit` leaves." in out
    assert "Leave? [y/N]" in out
    assert len(chair.game.view(BLACK).events) == 4


@pytest.mark.parametrize("look", [ASCII, DRAWN])
@pytest.mark.parametrize("size", range(2, 20))
def test_boards_are_square_and_fit(size, look):
    referee = played(size, size, 3 * size)
    for colour in Colour:
        view = referee.view(colour)
        heat = dict.fromkeys(range(size * size), 0.5)
        for scene in (view_scene(view), view_scene(view, 7, heat, 5)):
            for close in (False, True):
                board = draw_board(scene, look, close=close)
                rows = board[1 : size + 1]
                assert len({width([row if close else row[:-1]]) for row in rows}) == 1
                assert width(board) <= (size + 3 if close else 2 * size + 5)
            for high in (2, 3):
                large = draw_large(scene, high)
                rows = large[1 : high * size + 1]
                assert {width([row[:-1]]) for row in rows} == {2 * high * size + 3}
                assert most_lines(size, width(large), len(large)) == high
                assert most_lines(size, width(large) - 1, len(large)) == high - 1
    views = referee.view(BLACK), referee.view(WHITE)
    scenes = three_scenes(Moment(referee.board, views, referee.to_move))
    assert width(boards(scenes, look, 80)) <= 80


def test_a_board_to_read():
    chair = sit(new_game(size=9), Scripted("J9 H9 J8 pass"))
    say(chair, "c3", "d3", "e3", "j9", "mark g7", "e5")
    assert seen(chair).splitlines() == [
        "   A B C D E F G H J     9x9, komi 7.5, olympiad",
        " 9 . . . . . . . . ? 9",
        " 8 . . . . . . . . . 8   > X  Black (you)",
        " 7 . . + . . . o . . 7        4 on the board, 0 lost",
        " 6 . . . . . . . . . 6",
        " 5 . . . .(X). . . . 5     O  White (random)",
        " 4 . . . . . . . . . 4        3 on the board, 3 of them hidden, 0 captured",
        " 3 . . X X X . + . . 3",
        " 2 . . . . . . . . . 2   Move 9.",
        " 1 . . . . . . . . . 1",
        "   A B C D E F G H J     Black's move E5 stands. White has passed.",
        "",
        "                         ? refused",
        "                         o your guess",
    ]


def test_a_large_board_to_read():
    chair = sit(new_game(size=3), Scripted("A3"))
    say(chair, "b2", "a3", "mark c1")
    scene = view_scene(chair.game.view(BLACK), 1 << 2)
    assert plain(draw_large(scene, 2)).splitlines() == [
        "    A   B   C",
        " 3 ▟▀▙──┬───┐  3",
        "   ▜▄▛  │   │",
        " 2  ├──▟●▙──┤  2",
        "    │  ▜█▛  │",
        " 1  └───┴───◌  1",
        "",
        "    A   B   C",
    ]


@pytest.mark.parametrize("look", [ASCII, DRAWN])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 24), (20, 30), (120, 60), (25, 60)])
@pytest.mark.parametrize("size", [3, 9, 19])
def test_a_click_finds_the_point_that_is_drawn_there(size, columns, rows, look):
    chair = sit(new_game(size=size))
    for point in (0, size - 1, size * size // 2, size * (size - 1), size * size - 1):
        chair.hint = point
        picture = plain(page(chair, look, columns, rows)).splitlines()
        (place,) = [
            (line.index(look.hint), row)
            for row, line in enumerate(picture)
            if look.hint in line and "hint" not in line
        ]
        assert point_at(chair, *place, look, columns, rows) == point
    assert point_at(chair, 0, 1, look, columns, rows) is None
    assert point_at(chair, place[0], 0, look, columns, rows) is None
    chair.table.abandon()
    assert point_at(chair, *place, look, columns, rows) is None


@pytest.mark.parametrize("lines", range(2, 12))
def test_stones_are_round(lines):
    """Symmetrical, and of the area of an ellipse within a quarter of a character an edge."""
    drawn = disc(lines)
    assert {len(line) for line in drawn} == {2 * lines - 1}
    filled = sum(QUADRANTS.index(char).bit_count() for line in drawn for char in line) / 4
    assert filled == pytest.approx(math.pi / 4 * lines * (2 * lines - 1), rel=0.1)
    assert [line.translate(MIRROR)[::-1] for line in drawn] == list(drawn)


def test_colours_differ_without_colour():
    chair = sit(new_game(size=9), Scripted("D5 pass"))
    say(chair, "d4", "e5", "c5", "d5")  # refused: White certainly stands there
    [(_, scene)] = chair.scenes()
    assert scene.black
    assert scene.white
    for high in (0, 1, 2, 3):
        stones = {
            plain(
                [[part for line in board(scene, DRAWN, high) for part in line if style in part[0]]]
            )
            for style in ("class:black", "class:white")
        }
        assert len(stones) == 2


@pytest.mark.parametrize("size", [2, 9, 19])
def test_pages_keep_to_the_screen(size):
    chair = sit(new_game(size=size), Scripted())
    say(chair, "a1", "b1")
    for typed_line in ("help", "log", "", "pass", "pass", "", "help", "log", "review"):
        say(chair, typed_line)
        for columns, rows in ((80, 24), (120, 40), (40, 10), (10, 3), (300, 100)):
            for look in (ASCII, DRAWN):
                picture = page(chair, look, columns, rows)
                assert len(picture) <= rows
                if columns >= 80:
                    assert width(picture) <= columns


def test_text_of_a_file_cannot_reach_the_terminal():
    game = new_game("\x1b[31mred", HUMAN)
    chair = sit(game, Slow())
    chair.interrupt()
    assert "\x1b" not in seen(chair)
    assert "?[31mred" in seen(chair)
