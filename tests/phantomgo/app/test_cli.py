"""What all subcommands share: where they begin, how they end, and what a shell makes of them."""

import argparse
import collections
import functools
import os
import re
import subprocess
import sys

import pytest

import phantomgo
from phantomgo.app.cli import BROKEN_PIPE, COMMANDS, main, parser_of
from tests.support.commands import COMMAND, started
from tests.support.places import ROOT

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}


def run(words, folder, **variables):
    """A command that has ended, with what it wrote in bytes."""
    return subprocess.run(
        words, cwd=folder, env=ENVIRONMENT | variables, stdin=subprocess.DEVNULL,
        capture_output=True, check=False,
    )  # fmt: skip


def test_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"phantomgo {phantomgo.__version__}\n"


MATCH = "match --black random --white random --size 4 --games 2"


@pytest.mark.parametrize("line", ["bots", MATCH])
def test_a_reader_who_has_seen_enough_is_no_error(tmp_path, line):
    """As `phantomgo bots | head -1` has it."""
    process = started("-m", "phantomgo", *line.split(), cwd=tmp_path, stderr=subprocess.PIPE)
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait() == BROKEN_PIPE
    assert not re.search("roken|Traceback", error)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such shell")
@pytest.mark.parametrize(
    ("line", "closed"),
    [
        ("bots", ">&-"),
        ("gtp --bot random", "<&-"),
        ("gtp --bot random", "<&- >&- 2>&-"),
        ("play --bot novice --size 4", "<&-"),
    ],
)
def test_a_closed_stream_is_as_an_empty_one(tmp_path, line, closed):
    """As some launchers start a program: Python then has None in place of a stream."""
    words = ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *line.split()]
    done = run(words, tmp_path, XDG_STATE_HOME=str(tmp_path))
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert line.startswith("play") or done.stderr == b""


def test_what_a_terminal_has_no_letters_for_is_escaped(tmp_path):
    """As under an old locale: the list of a long tournament is not lost."""
    players = '[players.a]\nspec = "random"\nlabel = "Zoë 囲"\n[players.b]\nspec = "random"\n'
    (tmp_path / "club.toml").write_text(f"[tournament]\nsize = 3\n{players}", encoding="utf-8")
    words = [*COMMAND, "tournament", "club.toml"]
    done = run(words, tmp_path, PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert (done.returncode, "Zoë \\u56f2".encode("latin-1") in done.stdout) == (0, True)


@pytest.mark.parametrize("name", ["bots.py", "gtp.py", "bots/__init__.py"])
def test_somebody_elses_code_under_our_names_is_named(tmp_path, name):
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("print('mine')\n")
    done = run([*COMMAND, "bots"], tmp_path)
    package = name.partition("/")[0].removesuffix(".py")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        f"phantomgo bots: {file} hides our package {package}: rename or uninstall it, or start from"
        " another folder\n"
    )


@pytest.mark.parametrize(
    ("words", "usage"), [([], "phantomgo [-h]"), (["help", "match"], "phantomgo match [-h]")]
)
def test_help_is_a_command_too(words, usage, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert usage in said
    assert max(map(len, said.splitlines())) <= 80


def test_a_program_in_place_of_a_bot_is_named_as_an_engine(tmp_path, monkeypatch, capsys):
    program = tmp_path / "gnugo"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["match", "--black", "gnugo", "--white", "random"]) == 2
    assert "where engines are allowed, 'gtp:gnugo --mode gtp'" in capsys.readouterr().err


def options():
    """The options of every parser: the command, the option, and how argparse reads it."""
    waiting = [("phantomgo", parser_of(COMMANDS))]
    while waiting:
        name, parser = waiting.pop()
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                waiting += [(f"{name} {word}", one) for word, one in action.choices.items()]
            else:
                yield name, action


def test_every_option_has_help_and_one_form():
    """The same option takes the same words, of the same type, everywhere."""
    forms = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, action in options():
        assert action.help, (name, action.dest)
        assert not action.help.endswith("."), (name, action.dest)
        read = action.type.args[0] if isinstance(action.type, functools.partial) else action.type
        number = {int: int, float: float}.get(read)  # all else is text
        for flag in action.option_strings:
            forms[flag][number, action.nargs].append(name)
    several = {flag: dict(found) for flag, found in forms.items() if len(found) > 1}
    assert several.keys() == SEVERAL.keys(), several


SEVERAL = {
    "--check": "of `bots` it takes a SPEC",
    "--games": "of `play` it lists those that were saved",
    "--workers": "of `evaluate methods` it is a number of processes, as no games are played",
}
"""Options with several forms, and why."""


HELP = """
from phantomgo.app.bots import about
from phantomgo.app.cli import COMMANDS, parser_of
from bots import BOTS

parser = parser_of(COMMANDS)
waiting = [parser]
while waiting:
    parser = waiting.pop()
    print(parser.format_help())
    for action in parser._actions:
        waiting += (action.choices or {}).values() if hasattr(action.choices, "values") else []
print([about(kind) for kind in BOTS])
"""
"""A program that prints the help of every subcommand, and a line about each bot."""


def test_python_without_docstrings_says_the_same():
    said, short = (run([sys.executable, *o, "-c", HELP], ROOT) for o in ([], ["-OO"]))
    assert (said.returncode, said.stderr, short.stderr) == (0, b"", b"")
    assert b"--playouts" in said.stdout or b"--games" in said.stdout
    assert short.stdout == said.stdout
