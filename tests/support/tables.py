"""`python -m tests.support.tables` writes the tables of docs/notes again.

Each stands below the command that makes it, in a comment: `<!-- phantomgo book list --markdown -->`
before it and `<!-- end -->` after it.
"""

import re
import subprocess
import sys

from tests.support.places import ROOT

PAGES = tuple(sorted((ROOT / "docs" / "notes").glob("*.md")))
BLOCK = re.compile(r"<!-- phantomgo (.*?) -->\n(.*?)<!-- end -->\n", re.S)


def tables() -> list[tuple[str, str]]:
    """The commands and what stands below each."""
    return [block for page in PAGES for block in BLOCK.findall(page.read_text())]


def made_by(command: str) -> str:
    """What a command prints."""
    words = [sys.executable, "-m", "phantomgo", *command.split()]
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _renewed(block: re.Match[str]) -> str:
    return block[0][: block.start(2) - block.start()] + made_by(block[1]) + "<!-- end -->\n"


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(BLOCK.sub(_renewed, page.read_text()))
