"""Players by name: what the file may say, what it may not, and where the names are good for."""

import io
import json
from pathlib import Path

import pytest

from gtp.channel import ProcessChannel
from phantomgo.app.cli import main
from phantomgo.errors import BadText
from phantomgo.lab.players import program
from phantomgo.lab.roster import FILE, NamedPlayer, read_roster

ECHO = """
import os, sys
for line in sys.stdin:
    print(f"={line.split()[0]} {os.environ['WHO']} {os.getcwd()}\\n", flush=True)
"""


@pytest.fixture(autouse=True)
def _a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def players(text: str, file: str = FILE):
    Path(file).write_text(text)
    return read_roster(Path(file))


def test_a_name_stands_for_a_spec():
    found = players('[players.weak]\nspec = "flatmc:playouts=50"\nlabel = "Weak | one"')
    assert found.player("weak") == NamedPlayer("flatmc:playouts=50", "Weak | one")
    assert found.player("random") == NamedPlayer("random")
    assert found.player("flatmc:playouts=7") == NamedPlayer("flatmc:playouts=7")


def test_an_engine_has_a_folder_and_an_environment(tmp_path):
    """Each word is the engine's, whatever a shell would make of it."""
    folder = tmp_path / "my engines"
    folder.mkdir()
    (folder / "echo.py").write_text(ECHO)
    found = players(
        '[players.echo]\ncommand = ["python3", "-S", "echo.py", "a b", "$HOME"]\n'
        'folder = "my engines"\nenv = { WHO = "it\'s me; & you" }'
    )
    started = program(found.player("echo").spec)
    assert started.words == ["python3", "-S", "echo.py", "a b", "$HOME"]
    with ProcessChannel(*started) as channel:
        assert channel.ask("name", 10) == f"it's me; & you {folder}"


def test_a_shell_line_says_the_same():
    assert program("gtp:cd here && A=1 A=2 B= ./engine C=3") == (
        ["./engine", "C=3"],
        {"A": "2", "B": ""},
        "here",
    )
    for spec in ("gtp:cd here &&", "gtp:A=1"):
        with pytest.raises(BadText, match="names no command"):
            program(spec)


def test_a_folder_that_is_missing_is_named(capsys):
    players('[players.lost]\ncommand = "true"\nfolder = "nowhere"')
    words = ["match", "--black", "lost", "--white", "random", "--games", "2", "--size", "5"]
    assert main(words) == 1
    assert "nowhere: No such file or directory" in capsys.readouterr().err


WRONG = [
    ("players = 3", "players: is not a table, as [players] begins one"),
    ("[engines.a]", "engines: is not a table of this file; it has [players.NAME]"),
    ("[players]\na = 'x'", "players.a: is not a table, as [players.a] begins one"),
    ("[players.a]\nspec='random'\ncommand='x'", "players.a: has both a spec and a command"),
    ("[players.a]\nsepc='x'", "players.a.sepc: is not a key; a player has spec, command, label, "),
    ("[players.a]\nspec='x'\nlabel=\"\\n\"", "players.a.label: '\\n' is not printable text"),
    (
        "[players.a]\nspec='x'\nfolder='y'",
        "players.a.folder: is for a player with a command, not a",
    ),
    ("[players.a]\ncommand='x'\nenv={A=1}", 'players.a.env.A: is not NAME = "TEXT"'),
    ("[players.a]\ncommand='x'\nenv={'A-B'='1'}", 'players.a.env.A-B: is not NAME = "TEXT"'),
    ("[players.flatmc]\nspec='random'", "players.flatmc: flatmc means something else already"),
    ("[players.'a b']\nspec='random'", "players.a b: a name is a letter and up to 39 letters, dig"),
    ("[players.a]\nspec='x'\nspec='y'", "not TOML: Cannot overwrite a value"),
    ("x = " + "[" * 9000, "not TOML: nested too deeply"),
    ("x = 1\n" * 200_000, "has more than 1048576 bytes"),
]


@pytest.mark.parametrize(("text", "error"), WRONG, ids=[error[:40] for _, error in WRONG])
def test_the_file_the_table_and_the_key_are_named(text, error):
    with pytest.raises(BadText) as caught:
        players(text, "mine.toml")
    assert str(caught.value).startswith(f"mine.toml: {error}")


def test_what_is_wrong_with_a_player_is_told_when_it_is_named():
    found = players(
        "[players.a]\nspec='nobody'\n[players.b]\ncommand='\"'\n[players.c]\nspec='mcts:playouts=0'"
    )
    for name, error in (
        ("a.spec", "no bot 'nobody'; there are"),
        ("b.command", "No closing quotation"),
        ("c.spec", "mcts playouts=0 is not a whole number from 1 to"),
    ):
        with pytest.raises(BadText) as caught:
            found.player(name[0])
        assert str(caught.value).startswith(f"{FILE}: players.{name}: ")
        assert error in str(caught.value)
    with pytest.raises(
        BadText, match=f"no player 'd': {FILE} has a, b, c; the bots are .*flatmc, "
    ):
        found.player("d")


def test_reading_the_file_runs_nothing():
    """A folder from elsewhere may have such a file."""
    Path("stranger.py").write_text("open('started', 'w')")
    players("[players.a]\nspec='stranger:Bot'\n[players.b]\ncommand='touch started'")
    assert main(["bots"]) == 0
    assert main(["bots", "--check", "random"]) == 0
    assert not Path("started").exists()


def test_names_are_good_for_a_match(capsys):
    """Tables, PGN and SGF have the labels, records the specs; a label changes nothing of games."""
    two = "[players.a]\nspec='random'\nlabel='{}'\n[players.b]\nspec='flatmc:playouts=5'"
    players(two.format("First"), "mine.toml")
    words = ["match", "--black", "a", "--white", "b", "--games", "4", "--size", "3"]
    words += ["--players-file", "mine.toml", "--store", "games.db"]
    assert main([*words, "--sgf", "sgf"]) == 0
    shown = capsys.readouterr()
    assert [line.split()[0] for line in shown.out.splitlines()[3:5]] == [
        "First",
        "flatmc:playouts=5",
    ]
    assert "for First" in shown.out
    assert shown.err.splitlines()[-2].startswith("First: ")
    for kind in ("", "-black", "-white"):
        sgf = Path(f"sgf/000000{kind}.sgf").read_text()
        assert "PB[First]" in sgf
        assert "\nBlack: random\n" in sgf
        assert "PW[flatmc:playouts=5]" in sgf
        assert "\nWhite: " not in sgf
    players(two.format("Second"), "mine.toml")
    assert main([*words, "--json"]) == 0
    (one, other) = json.loads(capsys.readouterr().out)["players"]
    assert (one["name"], one["spec"]) == ("Second", "random")
    assert (other["name"], other["spec"]) == ("flatmc:playouts=5", "flatmc:playouts=5")


def test_names_are_good_for_other_commands(capsys, monkeypatch):
    players("[players.a]\nspec='random'\nlabel='Dice'\n[players.b]\nspec='flatmc:playouts=5'")
    words = ["--size", "3", "--seeds", "2", "--test-seeds", "0"]
    assert main(["learn", "--bot", "b", *words, "--store", "s.db", "--out", "mine.json"]) == 0
    assert "Black flatmc:playouts=5: 1 line" in capsys.readouterr().out
    assert main(["warm", "a", "--sizes", "5"]) == 0
    assert "random on 5x5: ready" in capsys.readouterr().out
    words = [
        "evaluate",
        "transfer",
        "mine.json",
        "--opponent",
        "a",
        "--games",
        "2",
    ]
    assert main(words) == 0
    assert " against Dice, its player " in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\ny\n"))
    monkeypatch.setattr("phantomgo.app.play.end_process", lambda: None)
    assert main(["play", "--bot", "a", "--size", "5"]) == 0
    assert "White (Dice)" in capsys.readouterr().out


def test_two_names_of_one_spec_keep_their_labels(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    labels = {"one": "First", "other": "Second"}
    tables = [f'[players.{name}]\nspec = "random"\nlabel = "{labels[name]}"' for name in labels]
    (tmp_path / "phantomgo.toml").write_text("\n".join(tables))
    words = ["--games", "2", "--size", "3", "--komi", "0.5", "--json"]
    assert main(["match", "--players", "one", "other", *words]) == 0
    found = json.loads(capsys.readouterr().out)["players"]
    assert [player["name"] for player in found] == ["First", "Second"]
