"""CCGC records, written and read."""

import re

import pytest

from phantomgo.app.cli import main
from phantomgo.errors import BadText
from phantomgo.lab.record_ccgc import read_ccgc, write_ccgc
from phantomgo.lab.records import records
from phantomgo.outcome import Ending
from phantomgo.points import BLACK, PASS, RESIGN, WHITE
from phantomgo.record_json import read_record, write_record
from phantomgo.referee import verify
from tests.support.records import game

GAME = "([PG][Ann][Bob][后手胜][2025.09.20 23:22 Here][Test];B[E5];W[I9];W[A1])"


def stones(record):
    return [(colour, move) for colour, move in record.moves if move != PASS]


@pytest.mark.parametrize("end", [None, RESIGN, Ending.TIME])
def test_what_is_written_is_read(end):
    for seed in range(4):
        record = game(seed, 9, "ccgc", end)
        text = write_ccgc(record)
        assert re.fullmatch(r"\(\[PG\](\[[^]]*\]){5};(([BW]\[[A-I][1-9]\]);?)*\)", text)
        read = read_ccgc(text.encode())
        verify(read)
        assert stones(read) == stones(record)
        assert read.outcome.winner is record.outcome.winner
        assert (read.black.name, read.white.name) == (record.black.name, record.white.name)
        assert write_ccgc(read) == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_a_file_is_replayed_and_printed(encoding, tmp_path, capsys):
    file = tmp_path / "PG-Ann vs Bob.txt"
    file.write_text(GAME + "\n", encoding)
    assert main(["replay", str(file), "--check"]) == 0
    assert capsys.readouterr().out.startswith("game 0: true: W+")
    assert main(["replay", str(file), "--ccgc"]) == 0
    assert capsys.readouterr().out == "([PG][Ann][Bob][后手胜][][];B[E5];W[I9];W[A1])\n"
    ((number, text),) = records(str(file))
    assert (number, len(read_record(text).moves)) == (0, 6)  # passes have been filled in


def test_a_file_of_several_games(tmp_path, capsys):
    file = tmp_path / "games.txt"
    games = [write_ccgc(game(seed, 9, "ccgc", RESIGN)) for seed in range(3)]
    file.write_text("\n".join([*games, GAME.replace(";W", "\n;W", 1), ""]), "utf-8")
    assert main(["replay", str(file), "--ccgc"]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == games
    assert main(["replay", str(file), "--check"]) == 0
    assert re.findall(r"^game (\d): true", capsys.readouterr().out, re.MULTILINE) == [*"0123"]
    file.write_text("\n".join([*games, GAME.replace("E5", "E0")]), "utf-8")
    assert main(["replay", str(file), "--check"]) == 2
    assert "replay: game 3: CCGC record, move 1: 'B[E0]' is not like" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (GAME[:-1], "does not begin with"),
        (GAME.replace("PG", "GO"), "does not begin with"),
        (GAME.replace("后手胜", "和棋"), "has '和棋' for the winner"),
        (GAME.replace("I9", "J9"), r"move 2: 'W\[J9\]' is not like"),
        (GAME.replace("I9", "E5"), r"move 2, E5, is refused: occupied"),
        ("([PG]" + "[a]" * 30_000, "CCGC record of 90005 bytes; at most 65536 are read"),
    ],
)
def test_what_is_wrong_is_named(text, error):
    with pytest.raises(BadText, match=error):
        read_ccgc(text.encode())


@pytest.mark.parametrize(
    ("record", "error"),
    [
        (game(1, 5, "ccgc"), "of a game on 9x9 without a handicap"),
        (game(2, 9, "ccgc", Ending.VOID), "names a winner; this game ended Void"),
    ],
)
def test_what_cannot_be_written_is_named(record, error, tmp_path, capsys):
    with pytest.raises(BadText, match=error):
        write_ccgc(record)
    file = tmp_path / "game.json"
    file.write_text(write_record(record) + "\n")
    assert main(["replay", str(file), "--ccgc"]) == 2
    assert error in capsys.readouterr().err


@pytest.mark.parametrize("moves", ["B[E5]", "B[E5];W[I9]", "B[E5];W[I9];B[A1]"])
@pytest.mark.parametrize(("word", "winner"), [("先手胜", BLACK), ("后手胜", WHITE)])
def test_who_won_is_who_is_named(moves, word, winner):
    record = read_ccgc(f"([PG][Ann][Bob][{word}][][];{moves})".encode())
    verify(record)
    assert record.outcome.winner is winner
