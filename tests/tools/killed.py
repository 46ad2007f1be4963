"""Mutate lines of the product at random and see whether the fast tests notice.

    python -m tests.tools.killed [--mutants 40] [--seed 1] [--limit 240] [--done FILE]
        [--list] [--core]

Mutates one line at a time in a copy of the checkout and runs tests there: first those that share
most words with the mutant, then the files that import its module, beginning with the mirrored one,
then those that import a module which imports it, and so on, and finally all of the mirrored folder.
Prints a row of a Markdown table for each mutant:

- killed: a test fails, or takes three times as long as without the mutant, and passes without it;
- survived: every test that there was time for passes; add a test, or say why none is needed.

`--done FILE` keeps the rows there, and the same command continues after the last of them. `--core`
mutates the core alone, `phantomgo/*.py`, and runs its tests, `tests/phantomgo/test_*.py`.
"""

import argparse
import ast
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from tests.support.places import ROOT
from tests.tools.mutants import Change, mutants, planted

PRODUCT: Final = ("phantomgo", "bots", "gtp")
ALIKE: Final = 16
"""Tests that run first, as they share words with the mutant."""
BATCH: Final = 8
"""Test files that one process runs."""
PYTEST: Final = ("-m", "pytest", "-v", "-x", "-p", "no:cacheprovider")
PASSED: Final = (0, 5)
"""Exit codes of pytest: all tests pass, or none was chosen."""
NAMED: Final = re.compile(r"^(?:FAILED |ERROR )?(tests/\S+?\.py(?:::[^\s\[]+)?)", re.MULTILINE)
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
KILLED, SURVIVED = "killed", "SURVIVED"


def modules(folders: Sequence[str]) -> dict[str, Path]:
    """The files of these folders by the names that Python imports them by."""
    found = {}
    for path in (path for name in folders for path in sorted((ROOT / name).rglob("*.py"))):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path) -> Iterator[str]:
    """The names that a file imports anywhere, or writes as text, as tables of modules do."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.partition(":")[0]  # `f"phantomgo.app.{name}"` as `phantomgo.app.`


@cache
def importers() -> dict[Path, set[Path]]:
    """For each file of the product and the tests, those that import it."""
    every = modules((*PRODUCT, "tests"))
    named = defaultdict[str, set[Path]](set)
    for name, path in every.items():
        named[name].add(path)
        named[f"{name.rpartition('.')[0]}."].add(path)
    found = defaultdict[Path, set[Path]](set)
    for path in every.values():
        for name in set(imports(path)) & named.keys():
            for imported in named[name]:
                found[imported].add(path)
    return found


def distances(file: str) -> dict[Path, int]:
    """The number of imports from each module that depends on a file to that file."""
    found, level = dict[Path, int](), {ROOT / f"{file}.py"}
    while level:
        found |= dict.fromkeys(level, max(found.values(), default=-1) + 1)
        level = {path for one in level for path in importers()[one]} - found.keys()
    return found


def words(text: str) -> set[str]:
    """The words of names and texts: `amaf_shares` has `amaf` and `share`."""
    return {word.lower().rstrip("s") for word in re.findall(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}", text)}


@cache
def fast(path: Path) -> dict[str, set[str]]:
    """The words of the fast tests of a file, by their pytest names."""
    text, found = path.read_text(encoding="utf-8"), {}
    for node in ast.parse(text).body:
        if not isinstance(node, FUNCTIONS) or not node.name.startswith("test_"):
            continue
        if not any("slow" in ast.unparse(one) for one in node.decorator_list):
            name = f"{path.relative_to(ROOT).as_posix()}::{node.name}"
            found[name] = words(f"{path.stem} {ast.get_source_segment(text, node)}")
    return found


def enclosing(change: Change) -> set[str]:
    """The words of a mutated statement, and of the names of its module, class and function."""
    found = [re.sub(r".*/(?=.)", "", change.file.removesuffix("/__init__"))]
    for node in ast.walk(ast.parse(change.text)):
        if isinstance(node, ast.stmt) and node.lineno <= change.line <= (node.end_lineno or 0):
            if isinstance(node, (ast.ClassDef, *FUNCTIONS)):
                found.append(node.name)
            else:
                found.append(ast.unparse(node)[:1000])
    return words(" ".join(found))


def alike(change: Change, files: Mapping[Path, int]) -> list[str]:
    """The tests whose words are most like those of a mutant, rare ones first.

    Args:
        change: the mutant.
        files: how many imports lie between it and each test file.
    """
    tests = {name: (said, path) for path in files for name, said in fast(path).items()}
    often = Counter(word for said, _ in tests.values() for word in said)
    wanted = enclosing(change)

    def likeness(name: str) -> float:
        said, path = tests[name]
        shared = sum(math.log(len(tests) / often[word]) ** 2 for word in wanted & said)
        return shared / math.sqrt(len(said)) / math.sqrt(1 + files[path])

    return sorted(tests, key=likeness, reverse=True)[:ALIKE]


def chosen(change: Change, core: bool) -> Iterator[list[str]]:
    """The tests to run for a mutant, in batches: those alike, then files, the closest first."""
    mirrored = Path("tests", change.file).parent
    while not (ROOT / mirrored).exists():
        mirrored = mirrored.parent
    twin = ROOT / mirrored / f"test_{Path(change.file).name}.py"
    near = distances(change.file)
    if core:
        found = set((ROOT / "tests/phantomgo").glob("test_*.py"))
    else:
        reached = {path for path in near if path.name.startswith("test_")}
        found = reached | set((ROOT / mirrored).rglob("test_*.py"))
    far = {path: 0 if path == twin else near.get(path, len(near)) for path in found}

    def distance(path: Path) -> tuple[int, int, Path]:
        return far[path], -len(os.path.commonpath([path, twin])), path

    yield alike(change, far)
    files = sorted(found, key=distance)
    names = [path.relative_to(ROOT).as_posix() for path in files]
    yield from (names[at : at + BATCH] for at in range(0, len(names), BATCH))


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


def ran(copy: Path, words: Sequence[str], limit: float) -> tuple[int | None, str]:
    """The exit code of pytest in the copy, None if it took too long; and its output.

    Nothing that the tests started outlives them.
    """
    environment = os.environ | {
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(copy / ".bytecode"),
        "NUMBA_CACHE_DIR": str(copy / ".numba"),
    }
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [sys.executable, *PYTEST, *words],
            cwd=copy,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said.seek(0)
        return code, said.read()


def fate(
    copy: Path, change: Change, batches: Iterable[list[str]], doubted: set[str], limit: float
) -> str:
    """Whether the tests notice a change, and which did.

    A test that fails without the change, too, is doubted from then on, and left out.
    """
    end = time.monotonic() + limit
    for batch in batches:
        while True:
            left_out = [word for test in sorted(doubted) for word in ("--deselect", test)]
            with planted(copy, change):
                code, said = ran(copy, [*left_out, *batch], max(end - time.monotonic(), 1))
            if code in PASSED:
                break
            test = NAMED.findall(said)[-1:] or batch  # all of them, if it cannot be imported
            began = time.monotonic()
            if ran(copy, test, limit / 3 if code is None else limit)[0] not in PASSED:
                if code is None:
                    return f"{SURVIVED} {limit:.0f} s of tests"
                doubted.update(test)
                continue
            if code is None:  # in that test, which may have begun a moment before
                with planted(copy, change):
                    code, _ = ran(copy, test, 3 * (time.monotonic() - began))
                if code in PASSED:
                    return f"{SURVIVED} {limit:.0f} s of tests"
            return f"{KILLED} by {test[0]}{', which hangs' if code is None else ''}"
    return SURVIVED


def main() -> int:
    """Try every mutant and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=240, help="seconds for a mutant's tests")
    parser.add_argument(
        "--done", type=Path, metavar="FILE", help="keep the rows, to continue later"
    )
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    parser.add_argument("--core", action="store_true", help="mutate the core alone")
    arguments = parser.parse_args()
    files = [path.relative_to(ROOT).as_posix() for path in modules(PRODUCT).values()]
    if arguments.core:
        files = [file for file in files if Path(file).parent == Path("phantomgo")]
    names = [file.removesuffix(".py") for file in files]
    changes = mutants(random.Random(arguments.seed), names, arguments.mutants)
    if arguments.list:
        for change in changes:
            print(f"{change.file}.py:{change.line}  {change.shown}")
        return 0
    done = arguments.done.read_text() if arguments.done and arguments.done.exists() else ""
    print("| place | change | |\n|---|---|---|", flush=True)
    fates = []
    with tempfile.TemporaryDirectory() as place:
        copy = copied(Path(place, "checkout"))
        doubted = set[str]()
        for change in changes:
            shown = change.shown.replace("|", "\\|")
            row = f"| {change.file}.py:{change.line} | {shown} | "
            known = next((line for line in done.splitlines() if line.startswith(row)), None)
            if known is None:
                batches = chosen(change, arguments.core)
                found = fate(copy, change, batches, doubted, arguments.limit)
                known = f"{row}{found} |"
                if arguments.done:
                    with arguments.done.open("a") as file:
                        file.write(f"{known}\n")
            print(known, flush=True)
            fates.append(known.removeprefix(row))
    killed = sum(found.startswith(KILLED) for found in fates)
    print(f"\n{killed} of {len(changes)} mutants were killed.")
    return int(killed < len(changes))


if __name__ == "__main__":
    sys.exit(main())
