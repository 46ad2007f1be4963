"""The scripts in docs/examples run as they are, and the pages of docs show them."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.support.commands import python
from tests.support.places import PAGES, ROOT

EXAMPLES = ROOT / "docs" / "examples"
SCRIPTS = {path.name: path.read_text() for path in EXAMPLES.glob("*.py")}


@pytest.mark.parametrize(
    ("script", "needs", "printed"),
    [
        ("two_bots.py", None, r"both players passed; .*10 of 10 games.*"),
        ("own_bot.py", None, r"5x5, .*: 30 of 30 games.*Corner won [\d.]+ of 20 games\n"),
        ("book.py", None, r"against the worst of 1 fresh seeds: .*\nnash .*book:small.json.*"),
        ("belief.py", "matplotlib", r"best: .*"),
        ("curve.py", "matplotlib", r"nash against the worst of 16: 0.4\d\n"),
        ("openspiel.py", "pyspiel", r"(a best.*1.00\n){2}NashConv: flatmc 2.00, CFR\+ 0.13\n"),
    ],
)
def test_a_script_runs(script, needs, printed, tmp_path):
    if needs:
        pytest.importorskip(needs, reason=f"the optional extra that has {needs} is not installed")
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, tmp_path)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    done = python(script, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(printed, done.stdout, re.S), done.stdout


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of code in this language, `` for those without one."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.S | re.M)


def test_the_pages_show_the_scripts_and_no_other_python():
    shown = {
        block.removeprefix("# mybots.py\n") for page in PAGES for block in blocks(page, "python")
    }
    assert {code.partition('"""\n\n')[2] for code in SCRIPTS.values()} == shown


def test_no_page_has_a_session_that_is_not_run():
    """Each is run by a test: of its page, or of all tutorials."""
    sessions = {
        str(page.relative_to(ROOT))
        for page in PAGES
        for language in ("", "console")
        for block in blocks(page, language)
        if re.search(r"^(\$|>) ", block, re.M)
    }
    elsewhere = {name for name in sessions if not name.startswith("docs/tutorials/")}
    assert elsewhere == {"README.md", "docs/play.md", "gtp/README.md"}
