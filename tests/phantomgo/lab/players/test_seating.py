"""Engines as players: their command lines, folders and variables."""

import shlex

import pytest

from gtp.channel import ProcessChannel
from phantomgo.errors import BadText
from phantomgo.lab.players.seating import program

ECHO = """
import os, sys
for line in sys.stdin:
    print(f"={line.split()[0]} {os.environ['WHO']} {os.getcwd()}\\n", flush=True)
"""


def test_an_engine_has_a_folder_and_an_environment(tmp_path):
    """Each word is the engine's, whatever a shell would make of it."""
    folder = tmp_path / "my engines"
    folder.mkdir()
    (folder / "echo.py").write_text(ECHO)
    command = ["python3", "-S", "echo.py", "a b", "$HOME"]
    who = shlex.quote("it's me; & you")
    started = program(f"gtp:cd {shlex.quote(str(folder))} && WHO={who} {shlex.join(command)}")
    assert started.words == command
    with ProcessChannel(*started) as channel:
        assert channel.ask("name", 10) == f"it's me; & you {folder}"


def test_a_shell_line_says_the_same():
    found = program("gtp:cd here && A=1 A=2 B= ./engine C=3")
    assert found == (["./engine", "C=3"], {"A": "2", "B": ""}, "here")
    for spec in ("gtp:cd here &&", "gtp:A=1"):
        with pytest.raises(BadText, match="names no command"):
            program(spec)
