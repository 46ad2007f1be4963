"""The commands of a console, during the game and after it."""

import re
from pathlib import Path

import pytest

from phantomgo.app.play import commands
from phantomgo.app.play.console import Console
from phantomgo.app.table.facts import ABANDONED
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.players import HUMAN
from phantomgo.app.table.viewer import Phase
from phantomgo.game.outcome import Ending, Fault, Outcome
from phantomgo.game.points import BLACK, parse_attempt
from phantomgo.records.record_json import read_record
from tests.support.play_tools import Scripted, new_game, say, seen, sit


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


@pytest.mark.parametrize(
    ("word", "question", "ending"),
    [
        ("resign", "`resign` again gives the game up.", "You lost by resignation."),
        (
            "abandon",
            "`abandon` again ends the game without a result.",
            "There is no result. The game was abandoned (Void).",
        ),
    ],
)
def test_nothing_ends_a_game_without_a_question(word, question, ending):
    chair = sit(new_game(), Scripted())
    for length in range(1, len(word)):
        for slip in (word[:length], word[:length].upper(), f"{word[:length]} 4"):
            say(chair, slip, slip)
            assert (chair.game.outcome, chair.asked) == (None, ""), slip
    for between in ("mark d4", "log", "", "b2", "resign" if word == "abandon" else "abandon"):
        assert say(chair, word) == question
        say(chair, between)  # anything else drops the question
        assert chair.game.outcome is None, between
    assert say(chair, word.upper()) == question
    chair.interrupt()
    assert say(chair, word) == question
    assert say(chair, word).startswith(ending)


def test_every_command_that_ends_a_game_asks_and_no_other():
    for command in commands.COMMANDS:
        chair = sit(new_game(), Scripted())
        say(chair, command.name)
        assert chair.game.outcome is None, command.name
        say(chair, command.name)
        assert (chair.game.outcome is not None) == bool(command.question), command.name


def test_other_words_for_help_and_quit():
    chair = sit(new_game(HUMAN, HUMAN))
    say(chair, "?")
    page = chair.page
    say(chair, "", "help")
    assert page == chair.page != []
    say(chair, "help exit")
    assert chair.page == ["quit               leave"]
    assert say(chair, "Exit") == "Leave? [y/N]"
    say(chair, "n", "c3", "", "exit")  # even before a curtain
    assert chair.leaving
    say(chair, "y")
    assert chair.closed


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("a", "'a' is neither a point (A1 to E5) nor a command; `help` lists them."),
        ("aband", "'aband' is neither a point (A1 to E5) nor a command; did you mean `abandon`?"),
        ("c3", "Your own stone is at C3."),
        ("z9", "'z9' is not a vertex of a 5x5 board (A1 to E5, or pass)."),
        ("beleif", "'beleif' is neither a point (A1 to E5) nor a command; did you mean `belief`?"),
        ("xyzzy", "'xyzzy' is neither a point (A1 to E5) nor a command; `help` lists them."),
        ("e5 e4", "One attempt at a time: type e5 alone."),
        ("undo", "Nothing can be undone: what the referee has said cannot be unheard."),
        ("b", "'b' may be belief, board."),
        ("back", "`back` is for after the game."),
        ("mark", "Mark which points? As in: mark D4 E5"),
        ("save", "Save under which name? As in: save game1"),
        ("save game.sgf", "SGF would reveal hidden stones: save it after the game."),
        ("save nowhere/game", "nowhere/game: No such file or directory."),
        ("save game.pgn", "game.pgn: games are saved as .json or .sgf, not .pgn."),
        ("save /", "'/' is not the name of a file."),
        ("go", "There is nothing to wait for."),
        ("go on", "Type `go`, without 'on'."),
        ("help go save", "Type `help [COMMAND]`, without 'save'."),
        ("abandon now", "Type `abandon`, without 'now'."),
        ("quit game", "Type `quit`, without 'game'."),
        ("\x1b[2J", "'\\x1b[2J' is neither a point (A1 to E5) nor a command; `help` lists them."),
        ("a" * 401, "Only lines of up to 400 characters are read."),
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
    assert "1-9 how likely White is there: 4 means 40 %" in seen(chair)


def test_the_log_and_the_counts_are_the_players():
    chair = sit(new_game(), Scripted("D4"))
    say(chair, "c3", "d4", "log")
    said = [
        "   1  Black's move C3 is accepted.",
        "   2  White has moved.",
        "   3  Black's move D4 is refused.",
    ]
    assert chair.page == said
    assert all(line in seen(chair) for line in said)
    say(chair, "")
    assert "1 on the board, 0 lost" in seen(chair)
    # The one stone White has cannot make D4 a suicide: it stands there.
    assert "1 on the board, 0 of them hidden, 0 captured" in seen(chair)


def test_every_command_is_explained_while_it_can_be_given():
    chair = sit(new_game(), Scripted())
    always = ["log", "save", "board", "help", "quit"]
    say(chair, "help")
    moves = ["D4,", "Enter"]
    during = ["mark", "clear", "belief", "hint", "go", "abandon"]
    assert [line.split()[0] for line in chair.page[:-1]] == moves + during + always
    say(chair, "pass", "help")
    assert chair.phase is Phase.OVER
    after = ["next", "back", "first", "last", "goto", "review", "rematch"]
    assert [line.split()[0] for line in chair.page[:-1]] == after + always
    assert say(chair, "mark c3") == "`mark` is for during the game."
    assert say(chair, "help review") == ""
    assert chair.page == ["review             the moments that decided the game"]


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
        ("goto 0 1", 1),
        ("0 1", 1),
        ("next 1 1", 1),
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
    assert "What decided the game" in seen(chair)
    assert "      Stones found by a refused attempt: Black " in "\n".join(chair.page)
    assert "Black wins" not in seen(chair)
    say(chair, "")
    assert "Black wins " in seen(chair)


def test_saving():
    chair = sit(new_game(), Scripted("D4"))
    say(chair, "c3")
    assert say(chair, "save one") == "Saved one.json. It shows the hidden stones: no peeking."
    assert say(chair, "save one.json").startswith("Saved")  # one's own may be written again
    Path("two.json").write_text("precious")
    assert say(chair, "save two") == "two.json exists already."
    assert Path("two.json").read_text() == "precious"
    say(chair, "pass", "pass")
    assert say(chair, "save three") == "Saved three.json."
    assert read_record(Path("three.json").read_text()) == chair.game.record()
    assert say(chair, "save my game.sgf") == "Saved my game.sgf."
    assert say(chair, "save black.sgf Black") == "Saved black.sgf."
    assert say(chair, "save black.sgf black") == "Saved black.sgf."
    for another in ("save black.sgf", "save black.sgf white"):  # neither replaces the other
        assert say(chair, another) == "black.sgf exists already."
    assert say(chair, "save white.sgf green") == "green is not black or white."
    assert say(chair, "save white.json white") == "white.json: a view is saved as .sgf."
    assert "AW[" in Path("my game.sgf").read_text() or ";W[" in Path("my game.sgf").read_text()
    assert {file.name for file in Path().iterdir() if file.is_file()} == {
        "one.json", "two.json", "three.json", "my game.sgf", "black.sgf",
    }  # fmt: skip


VOID = Fault(Ending.VOID, ABANDONED)
LATE = Fault(Ending.TIME, "ran out of time")
SHORT = [
    ("", LATE, "0  Black ran out of time"),
    ("", VOID, ""),
    ("resign", None, "1  Black resigns"),
    ("c3", LATE, "1  White ran out of time"),
    ("c3", VOID, ""),
    ("pass", Fault(Ending.CRASH, "crashed"), "1  White crashed"),
    ("pass pass", None, "1  1. Black passes"),
    ("c3 c3", LATE, "2  White ran out of time"),
    ("c3 resign", None, "2  White resigns"),
    ("c3 d4", VOID, ""),
]
"""Attempts, the fault that ended the game, if any, and what decided it by the review."""


@pytest.mark.parametrize(("attempts", "fault", "decided"), SHORT)
def test_every_short_game_can_be_reviewed(attempts, fault, decided):
    game = new_game(HUMAN, HUMAN)
    for word in attempts.split():
        game.attempt(parse_attempt(word, 5), 0.1)
    if fault is not None:
        game.end(fault.outcome(game.to_move))
    games = [game] if fault is VOID else [game, TableGame.resumed(game.record())]
    for chair in map(sit, games):
        assert say(chair, "review") == ""
        found = [line.strip() for line in chair.page[1:-1] if not line.startswith("      ")]
        assert any(line.startswith(decided) for line in found) if decided else not found
        for line in ("", "first", "next", "last", "back", "log", "0", "board"):
            say(chair, line)
            assert seen(chair)


def test_a_draw_can_be_reviewed():
    chair = sit(new_game(HUMAN, HUMAN, komi=0))
    say(chair, "pass", "", "", "pass", "pass", "review")
    assert chair.game.outcome == Outcome(
        None, 0.0, Ending.SCORE, "both players passed; the game is drawn"
    )
    assert [line for line in chair.page[1:-1] if not line.startswith("      ")] == []


def test_a_review_that_fails_is_an_answer(monkeypatch):
    chair = finished()
    monkeypatch.setattr(commands, "decisive", lambda *_: 1 // 0)
    assert say(chair, "review") == "That failed: integer division or modulo by zero."
    assert say(chair, "2") == ""
