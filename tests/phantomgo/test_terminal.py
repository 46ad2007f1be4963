"""Text and numbers as other people, other scripts and other programs write them."""

import io
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from phantomgo.app.cli import main
from phantomgo.game.rules import Rules
from phantomgo.lab.matches.game_files import records
from phantomgo.lab.matches.moves_only import read_game
from phantomgo.lab.tournament.setup import read_setup
from phantomgo.portfolio.movebook import dumps, read_any
from phantomgo.records.record_json import read_record, write_record
from phantomgo.records.record_sgf import true_sgf
from phantomgo.records.sgf import read_sgf
from phantomgo.terminal import clean, columns, markdown, padded, say, width
from phantomgo.values import typed_number
from tests.support.commands import started
from tests.support.engines import argv
from tests.support.gtp_tools import run, session
from tests.support.move_books import MOVES
from tests.support.waiting import PATIENCE

RECORD = read_game(b"(;SZ[9]RE[B+R];B[ee];W[ai];B[cg])")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_every_reader_takes_what_windows_writes(tmp_path, encoding):
    def written(text):
        file = tmp_path / "file.json"
        file.write_bytes(text.encode(encoding))
        return str(file)

    assert read_any(written(dumps(MOVES))) == MOVES
    players = '[players."囲碁"]\nspec = "random"\n[players.b]\nspec = "random"\n'
    assert list(read_setup(Path(written(players))).players) == ["囲碁", "b"]
    assert read_sgf(true_sgf(RECORD).encode(encoding)).moves
    for text in (write_record(RECORD) + "\n", true_sgf(RECORD)):
        ((_, found),) = records(written(text))
        assert read_record(found).moves == RECORD.moves


def test_a_byte_order_mark_begins_no_command():
    assert run(session({}), "\ufeff1 protocol_version") == ["=1 2"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2,5", 2.5),
        ("\N{FULLWIDTH DIGIT TWO}\N{FULLWIDTH FULL STOP}5", 2.5),
        ("\N{MINUS SIGN}3", -3.0),
        (" -0 ", 0.0),
        ("1_0", None),
        ("", None),
    ],
)
def test_numbers_that_people_type(text, number):
    if number is None:
        with pytest.raises(ValueError, match=r".*"):
            typed_number(text)
    else:
        komi = Rules(komi=typed_number(text)).komi
        assert (komi, f"{komi:g}") == (number, f"{number:g}")


def test_what_others_wrote_does_nothing_to_a_terminal(capsys):
    assert clean("a\x1b]0;x\x07\n李\u202e") == "a?]0;x?\n李?"
    assert (width("囲碁 a"), padded("囲", 4), padded("囲", 4, left=False)) == (6, "囲  ", "  囲")
    for words in ("replay", "tournament", "book list", "bridge gtp"):
        with suppress(SystemExit):
            main([*words.split(), "\x1b]0;x\x07"])
        assert "?]0;x?" in capsys.readouterr().err
    lines = columns([["player", "games"], ["囲碁 太郎", "1"], ["a", "12"]])
    assert {width(line) for line in lines} == {width(lines[0])}


@pytest.mark.parametrize("room", [60, 80, 1000])
def test_a_table_wider_than_the_terminal_goes_on_below(monkeypatch, room):
    monkeypatch.setattr("phantomgo.terminal.room", lambda: room)
    head, names = ["#", "player", *"abcdefgh"], ["phantom:book=none", "gtp:/李/go --gtp"]
    rows = [[str(n), name, *(8 * ["70.0 %"])] for n, name in enumerate(names)]
    for lines in (columns([head, *rows]), markdown(head, rows)):
        assert max(map(width, lines)) <= room
        assert "".join(lines).count("70.0 %") == 16
        assert all(word in "\n".join(lines) for name in names for word in name.split())


@given(st.text("ab 李\u202e\n", max_size=200), st.integers(8, 40))
@example("aaaaa aaaaaaaa李李 李 aa", 16)
def test_prose_is_broken_between_words_and_commands_are_not(text, most):
    """On a terminal; elsewhere nothing is broken."""
    command = "  to play it: phantomgo gtp --book 李.json --size 9"
    out = io.StringIO()
    with mock.patch("phantomgo.terminal.room", return_value=most):
        say(f"{text}\n{command}", out)
    shown = out.getvalue()
    assert command in shown.split("\n")
    assert shown.split() == f"{clean(text)}\n{command}".split()
    assert all(width(line) <= most or " " not in line.strip() for line in shown.split("\n")[:-2])
    say(text, elsewhere := io.StringIO())
    assert elsewhere.getvalue() == f"{clean(text)}\n"


@pytest.mark.parametrize("name", ["josé", "李 #1", "a\tb", os.fsdecode(b"\xff")])
def test_names_in_any_script_are_played_and_kept_or_refused_at_once(name, tmp_path, capsys):
    """An engine in such a folder, a match's store, a game in SGF."""
    folder = tmp_path / name
    folder.mkdir()
    engine = folder / "engine.py"
    engine.write_text(f"import os, sys; os.execv(sys.executable, {argv('pass')!r})")
    spec = f"gtp:{sys.executable} '{engine}'"
    store = str(tmp_path / "李.db")
    words = ["match", "--black", "random", "--white", spec, "--size", "3", "--games", "2"]
    code = main([*words, "--store", store, "--sgf", str(folder), "--json"])
    told = capsys.readouterr()
    if spec.isprintable():
        assert code == 0, told.err
        assert spec in json.loads(told.out)["players"][1].values()
        assert main(["replay", store]) == 0
        assert main(["replay", str(min(folder.glob("*[0-9].sgf")))]) == 0
    else:
        assert (code, "cannot be shown" in told.err) == (2, True)
        assert not os.path.exists(store)


ESCAPED = [("", False), ("dumb", False), ("unknown", False), ("xterm", True)]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
@pytest.mark.parametrize(("term", "escaped"), ESCAPED)
def test_a_terminal_gets_the_escapes_that_it_knows(tmp_path, term, escaped):
    pair = ["--black", "random", "--white", "random", "--size", "3", "--games", "2"]
    play = ["play", "--bot", "random", "--size", "3"]
    for words in (["match", *pair], play):
        ours, theirs = os.openpty()
        environment = os.environ | {"TERM": term, "XDG_STATE_HOME": str(tmp_path)}
        process = started(
            "-m", "phantomgo", *words,
            env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        os.write(ours, b"quit\ry\r")
        said = b""
        with suppress(OSError):  # nobody has it open any more
            while piece := os.read(ours, 4096):
                said += piece
        os.close(ours)
        assert process.wait(PATIENCE) == 0
        assert (b"\x1b" in said) == escaped, said
