"""Mutate lines of the product at random and see whether the fast tests notice.

    python -m tests.tools.killed [--mutants 40] [--seed 1] [--rows 5-8] [--contexts FILE] [--list]
        [--core]

The fast tests run once in a copy of the checkout, and coverage records which of them execute which
line. Then one line at a time is mutated in the copy. First the tests that execute it run, those of
the mirrored file before the others, then all tests of the mirrored folder; compiled lines, which
are not traced, have the folder alone. Prints a table in Markdown; a mutant that no test notices
*survived*, and needs a test or a reason. `--contexts` keeps the record for the next call. `--core`
mutates the core alone, `phantomgo/*.py`, and runs its tests, `tests/phantomgo/test_*.py`.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from coverage import CoverageData

from tests.support.places import ROOT
from tests.tools.mutations import Change, mutants

PRODUCT: Final = ("phantomgo", "bots", "gtp")
LIMIT: Final = 600
"""Seconds for the tests of one mutant; a test that hangs has noticed."""
FIRST: Final = 60
"""Tests that execute a line and run before those of the folder; more of them hardly differ."""
CONFIG: Final = """[run]
source = phantomgo, bots, gtp
dynamic_context = test_function
"""
PYTEST: Final = ("pytest", "-q", "-x", "-p", "no:cacheprovider")
KILLED, SURVIVED = "killed", "SURVIVED"


def files() -> list[str]:
    """The product's files, without `.py`."""
    found = (path for name in PRODUCT for path in sorted((ROOT / name).rglob("*.py")))
    return [path.relative_to(ROOT).as_posix().removesuffix(".py") for path in found]


def copied(folder: Path) -> Path:
    """A copy of what git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


def ran(copy: Path, words: list[str], limit: float | None = None) -> tuple[int | None, str]:
    """The exit code of a Python module in the copy, None if it took too long; and its output."""
    environment = os.environ | {
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(copy / ".numba"),
    }
    try:
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=copy,
            env=environment,
            capture_output=True,
            timeout=limit,
            check=False,
            text=True,
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


def contexts(copy: Path, kept: Path, tests: Sequence[str] = ()) -> CoverageData:
    """Which tests execute which lines, from a file or from a run of these tests (all fast ones)."""
    if not kept.exists():
        rc = copy / ".contexts"
        rc.write_text(CONFIG)
        words = ["coverage", "run", f"--rcfile={rc}", f"--data-file={kept}", "-m", "pytest", "-q"]
        ran(copy, [*words, *tests])
    data = CoverageData(str(kept))
    data.read()
    return data


def chosen(data: CoverageData, change: Change, others: Sequence[str] = ()) -> Iterator[list[str]]:
    """The tests to run, in batches, until one of them notices.

    Args:
        data: which tests execute which lines.
        change: the mutant.
        others: the last batch, in place of the mirrored folder.
    """
    mirrored = Path("tests", change.file).parent / f"test_{Path(change.file).name}.py"
    path = next(iter(p for p in data.measured_files() if p.endswith(f"/{change.file}.py")), None)
    names = data.contexts_by_lineno(path).get(change.line, []) if path else []
    found = sorted({test for name in names if (test := node(name))})
    found.sort(key=lambda test: not test.startswith(mirrored.as_posix()))
    if found:
        yield found[:FIRST]
    folder = mirrored.parent
    while not folder.exists():
        folder = folder.parent
    yield list(others) or [folder.as_posix()]


def node(context: str) -> str | None:
    """The pytest name of a function that coverage names `tests.bots.test_bots.test_x`."""
    module, _, name = context.rpartition(".")
    file = f"{module.replace('.', '/')}.py"
    return f"{file}::{name}" if re.match(r"test_", name) and (ROOT / file).is_file() else None


def fate(copy: Path, change: Change, batches: Iterable[list[str]], doubted: set[str]) -> str:
    """Whether the tests notice a change, and which did.

    A test that fails without the change, too, is doubted from then on, and left out.
    """
    file = copy / f"{change.file}.py"
    before = file.read_text(encoding="utf-8")
    for tests in batches:
        while True:
            left_out = [word for test in sorted(doubted) for word in ("--deselect", test)]
            file.write_text(change.text, encoding="utf-8")
            code, said = ran(copy, [*PYTEST, *left_out, *tests], LIMIT)
            file.write_text(before, encoding="utf-8")
            if code in (0, 5):
                break
            noticed = re.search(r"^FAILED (\S+::[^\s\[]+)", said, re.MULTILINE)
            if noticed is None:
                return f"{KILLED}: {'it hangs' if code is None else 'it cannot be imported'}"
            if ran(copy, [*PYTEST, *left_out, noticed[1]], LIMIT)[0] in (0, 5):
                return f"{KILLED} by {noticed[1]}"
            doubted.add(noticed[1])
    return SURVIVED


def main() -> int:
    """Try every mutant and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", default="1-", metavar="FIRST-LAST", help="only these rows")
    parser.add_argument("--contexts", type=Path, metavar="FILE", help="keeps which test runs what")
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    parser.add_argument("--core", action="store_true", help="mutate the core alone")
    arguments = parser.parse_args()
    paths, tests = files(), list[str]()
    if arguments.core:
        paths = [path for path in paths if Path(path).parent == Path("phantomgo")]
        tests = [str(p.relative_to(ROOT)) for p in sorted(ROOT.glob("tests/phantomgo/test_*.py"))]
    changes = mutants(random.Random(arguments.seed), paths, arguments.mutants, ".")
    first, _, last = arguments.rows.partition("-")
    changes = changes[int(first) - 1 : int(last) if last else None]
    if arguments.list:
        for change in changes:
            print(f"{change.file}.py:{change.line}  {change.shown}")
        return 0
    survived = 0
    with tempfile.TemporaryDirectory() as place:
        copy = copied(Path(place, "checkout"))
        kept = arguments.contexts or Path(place, "contexts")
        data = contexts(copy, kept.absolute(), tests)
        doubted = set[str]()
        print("| place | change | |\n|---|---|---|", flush=True)
        for change in changes:
            found = fate(copy, change, chosen(data, change, tests), doubted)
            survived += found == SURVIVED
            shown = change.shown.replace("|", "\\|")
            print(f"| {change.file}.py:{change.line} | {shown} | {found} |", flush=True)
    print(f"\n{len(changes) - survived} of {len(changes)} mutants were killed.")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
