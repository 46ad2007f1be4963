"""`python -m tests.support.tables` writes the tables of docs/notes again.

Each stands below the command that makes it, in a comment: `<!-- python -m docs.books -->` before it
and `<!-- end -->` after it.
"""

import re

from tests.support.commands import python
from tests.support.places import ROOT

PAGES = tuple(sorted((ROOT / "docs" / "notes").glob("*.md")))
BLOCK = re.compile(r"<!-- ((?:phantomgo|python -m) .*?) -->\n(.*?)<!-- end -->\n", re.S)


def tables() -> list[tuple[str, str]]:
    """The commands and what stands below each."""
    return [block for page in PAGES for block in BLOCK.findall(page.read_text())]


def made_by(command: str) -> str:
    """What a command prints."""
    words = command.removeprefix("python -m ").split()
    return python("-m", *words, check=True, timeout=None).stdout


def _renewed(block: re.Match[str]) -> str:
    return block[0][: block.start(2) - block.start()] + made_by(block[1]) + "<!-- end -->\n"


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(BLOCK.sub(_renewed, page.read_text()))
