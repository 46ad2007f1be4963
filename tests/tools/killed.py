"""Mutate lines of the product at random and see whether the fast tests notice.

    python -m tests.tools.killed [--mutants 40] [--seed 1] [--rooms ROOM ...]

Mutates one line at a time in a copy of the checkout and runs tests there: the mirrored file, then
the files that import the module, then the folder that mirrors the module's. Prints a row for each
mutant: `killed by` a test that fails, or `SURVIVED`; add a test then, or say why none is needed.
Tests that hang for 300 s kill a mutant, too. Run it on a machine that does nothing else.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.support.places import ROOT
from tests.tools.mutants import Change, mutants, planted

ROOMS: Final = ("phantomgo/*.py", "phantomgo/portfolio/*.py", "bots/**/*.py", "gtp/*.py")
PYTEST: Final = (sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider")
SECONDS: Final = 300
PASSED: Final = (0, 5)
"""Exit codes of pytest: all tests pass, or none was chosen."""


def copied(folder: Path) -> Path:
    """A copy of what git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def chosen(file: str) -> Iterator[list[str]]:
    """The tests to run for a module, in batches, the closest first."""
    mirrored = Path("tests", file).parent
    twin = mirrored / f"test_{Path(file).name}.py"
    module = file.removesuffix("/__init__").replace("/", ".")
    if (ROOT / twin).exists():
        yield [str(twin)]
    every = sorted((ROOT / "tests").rglob("test_*.py"))
    yield [str(path.relative_to(ROOT)) for path in every if module in path.read_text()]
    yield [str(path.relative_to(ROOT)) for path in every if path.parent == ROOT / mirrored]


def fate(copy: Path, change: Change) -> str:
    """Which test notices a change, if any."""
    with planted(copy, change):
        for batch in filter(None, chosen(change.file)):
            try:
                done = subprocess.run(
                    [*PYTEST, *batch], cwd=copy, capture_output=True, text=True, timeout=SECONDS,
                    check=False, env=os.environ | {"PYTHONPATH": str(copy)},
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return f"killed: tests hang for {SECONDS} s"
            if done.returncode not in PASSED:
                lines = done.stdout.splitlines()
                return (
                    f"killed by {[line for line in lines if line.startswith(('FAILED', 'ERROR'))]}"
                )
    return "SURVIVED"


def main(argv: Sequence[str] | None = None) -> int:
    """Try every mutant and print its row."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", default=ROOMS, metavar="ROOM", help="globs of files")
    arguments = parser.parse_args(argv)
    files = {str(path.relative_to(ROOT)) for room in arguments.rooms for path in ROOT.glob(room)}
    names = sorted(file.removesuffix(".py") for file in files)
    survived = 0
    with tempfile.TemporaryDirectory() as place:
        copy = copied(Path(place, "checkout"))
        for change in mutants(random.Random(arguments.seed), names, arguments.mutants):
            found = fate(copy, change)
            survived += found == "SURVIVED"
            print(f"{change.file}.py:{change.line} | {change.shown} | {found}", flush=True)
    print(f"{arguments.mutants - survived} of {arguments.mutants} mutants were killed")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
