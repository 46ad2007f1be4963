"""Every command line on a page is one that the parser takes: no option is misspelt or gone."""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator

import pytest

from phantomgo.app.cli import COMMANDS, parser_of
from tests.support.places import ROOT, TEXTS


def commands(text: str) -> Iterator[str]:
    """The lines of blocks that begin with `phantomgo`, joined where they are continued."""
    joined = re.sub(r" *\\\n\s*", " ", text)
    for line in re.findall(r"^(?:    |\$ )(phantomgo [a-z].*)$", joined, re.M):
        command, *_ = re.split(r"\s{3,}|\s+#\s|\s\|\s", line)
        yield command


def wrong(command: str) -> str | None:
    """What the parser has against a command, if it is one in full."""
    words = shlex.split(command)[1:]
    if any("..." in word or word.isupper() or "[" in word for word in words):
        return None
    if words[0] not in COMMANDS:
        return f"there is no command {words[0]}"
    error = io.StringIO()
    with contextlib.redirect_stderr(error):
        try:
            parser_of({words[0]}).parse_args(words)
        except SystemExit:
            return f"{command}: {error.getvalue().splitlines()[-1]}"
    return None


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_are_taken_as_they_are_printed(page):
    assert [error for command in commands(page.read_text()) if (error := wrong(command))] == []


def test_a_misspelt_option_is_found():
    (command,) = commands(
        "    phantomgo match --black random \\\n        --wite random   # or so\n"
    )
    assert "--wite" in wrong(command)
