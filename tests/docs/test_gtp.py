"""gtp/README.md describes the commands that there are; the examples of GTP are real."""

import inspect
import re

from gtp.channel import QUIT_SECONDS
from gtp.engine import PATIENT
from gtp.session import COMMANDS, ROLES, Session
from phantomgo.game.points import WHITE, parse_move
from tests.support.commands import phantomgo
from tests.support.gtp_tools import run, session, transcript
from tests.support.places import ROOT

REFERENCE = (ROOT / "gtp" / "README.md").read_text()


def described() -> list[list[str]]:
    """The words of each command, in headings and in the first column of tables of commands."""
    places = re.findall(r"^#### .*", REFERENCE, re.M)
    for rows in re.findall(r"^\| command \|.*\n((?:\|.*\n)+)", REFERENCE, re.M):
        places += [row.split(" | ")[0] for row in rows.splitlines()]
    return [found.split() for place in places for found in re.findall(r"`([a-z][^`]+)", place)]


def test_the_reference_has_every_command_and_no_other():
    assert sorted(name for name, *_ in described()) == Session.commands()


def test_the_reference_has_the_arguments_of_every_command():
    """Of those that take a fixed number: as many as can be given, and as many in brackets."""
    tables = (COMMANDS, *ROLES.values())
    handlers = {name: handler.run for table in tables for name, handler in table.items()}
    compared = 0
    for name, *words in described():
        _, *taken = inspect.signature(handlers[name]).parameters.values()
        if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in taken):
            continue
        optional = sum(parameter.default is not parameter.empty for parameter in taken)
        assert (len(words), sum(word[0] == "[" for word in words)) == (len(taken), optional), name
        compared += 1
    assert compared > 45


def test_the_example_is_real():
    found = re.search(r"\$ printf '(.*)' \| phantomgo (gtp)\n(.*?)\n```", REFERENCE, re.S)
    assert found is not None
    lines, command, shown = found.groups()
    done = phantomgo(command, input=lines.replace("\\n", "\n"), check=True)
    assert [line.rstrip() for line in done.stdout.splitlines()] == [*shown.splitlines(), ""]


def test_the_dialogue_is_real():
    page = (ROOT / "docs" / "engines.md").read_text()
    assert f"is not answered in {QUIT_SECONDS:g} s" in page
    assert (
        "message in {1:g} s, its first in {0:g} s or `genmove` in {2:g} s".format(*PATIENT) in page
    )
    dialogue = page.partition("## A dialogue")[2].split("```")[1]
    for _, expected, actual in transcript(f"# The bot plays b: D4 E5 E4 D5 pass\n{dialogue}"):
        assert actual == expected


def blocks(page: str) -> list[list[str]]:
    """The lines of each block of code without a language."""
    return [found.splitlines() for found in re.findall(r"^```\n(.*?)^```", page, re.S | re.M)]


def test_the_list_of_parameters_is_real():
    ((_, *shown),) = (block for block in blocks(REFERENCE) if block[0] == "phantom-param")
    assert run(session(bot="random"), "phantom-param")[0].splitlines() == shown


def test_the_board_that_is_shown_is_real():
    ((_, *shown),) = (block for block in blocks(REFERENCE) if block[0] == "showboard")
    server = session({WHITE: [parse_move("B3", 5)]})
    *_, board = run(server, "play b C3", "genmove w", "play b B3", "showboard")
    assert board.splitlines() == shown


def test_the_dialogue_of_the_adapter_is_real():
    page = (ROOT / "docs" / "engines.md").read_text().partition("## The adapter")[2]
    server = session({WHITE: [parse_move(word, 5) for word in ("C3", "B3")]}, hide=False)
    for line in blocks(page)[0]:
        command, answer, *_ = re.split(r"\s{3,}", line)
        assert run(server, command) == [answer]
