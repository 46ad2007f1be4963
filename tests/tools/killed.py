"""Mutate lines of the product at random and see whether the fast tests notice.

    python -m tests.tools.killed [--mutants 40] [--seed 1] [--rooms ROOM ...]

Mutates one line at a time in a copy of the checkout and runs tests there until one fails: the
mirrored file, then all fast tests, the closest first. Prints a row for each mutant: `killed by` a
test that fails, or `SURVIVED`. A test that takes ten minutes fails.
"""

import argparse
import ast
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.support.places import ROOT

ROOMS: Final = ("phantomgo/**/*.py", "bots/**/*.py", "gtp/*.py")
PYTEST: Final = (
    sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--dist", "loadfile",
    "--no-loadscope-reorder", "-o", "faulthandler_timeout=600", "-o", "faulthandler_exit_on_timeout=1",
)  # fmt: skip
PACKAGES: Final = ("phantomgo", "bots", "gtp", "tests")
SECONDS: Final = 3600
PASSED: Final = (0, 5)  # all, or none was chosen
SWAPPED: Final = (
    (ast.Add, ast.Sub), (ast.Mult, ast.Add), (ast.FloorDiv, ast.Mult), (ast.Div, ast.Mult),
    (ast.Mod, ast.Add), (ast.LShift, ast.RShift), (ast.BitXor, ast.BitAnd), (ast.BitAnd, ast.BitOr),
    (ast.And, ast.Or), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn), (ast.Is, ast.IsNot),
)  # fmt: skip
OPERATORS: Final[dict[type, Any]] = {b: a for a, b in SWAPPED} | dict(SWAPPED)
"""The replacements of each operator. `|` becomes `&`: `^` would do the same for disjoint sets."""
_ADDRESSING: Final = ("load", "load_wide", "store", "store_wide")  # an array and an index first


class Mutant(NamedTuple):
    """A file of the checkout with one line changed: from 1 its number, and the whole new text."""

    file: str
    line: int
    text: str
    shown: str


def decisive(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions below a node that decide something: no types, decorators, messages or
    assertions, which `strict` is.
    """
    below: list[ast.AST]
    match node:
        case ast.JoinedStr() | ast.Raise() | ast.Import() | ast.ImportFrom() | ast.Assert():
            return
        case ast.keyword("strict"):
            return
        case ast.Subscript(value):
            below = [value]  # another index may lie outside of the array
        case ast.Call(ast.Name(name)) if name in _ADDRESSING:
            below = list(node.args[2:])
        case ast.FunctionDef() | ast.ClassDef():
            below = list(node.body)
        case ast.AnnAssign(annotation=ast.Name("TypeAlias")):
            return
        case ast.AnnAssign(value=value):
            below = [] if value is None else [value]
        case _:
            below = list(ast.iter_child_nodes(node))
    for child in below:
        yield child
        yield from decisive(child)


def mutated(node: ast.AST) -> tuple[Any, Any] | None:
    """An expression and what becomes of it; None for one that stays as it is."""
    match node:
        case ast.BinOp(left, op, right) if type(op) in OPERATORS:
            return node, ast.BinOp(left, OPERATORS[type(op)](), right)
        case ast.BoolOp(op, values):
            return node, ast.BoolOp(OPERATORS[type(op)](), values)
        case ast.Compare(left, [op, *more], comparators):
            return node, ast.Compare(left, [OPERATORS[type(op)](), *more], comparators)
        case ast.Constant(bool(value)):
            return node, ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            return node, ast.Constant(value + 1 if value else 1)
        case ast.UnaryOp(ast.Not(), operand):
            return node, operand
        case ast.If(test) | ast.IfExp(test):
            return test, ast.UnaryOp(ast.Not(), test)
    return None


def mutants(chance: random.Random, files: Sequence[str], number: int) -> Iterator[Mutant]:
    """This many mutants of different lines, each line as likely."""
    found = defaultdict[tuple[str, int], list[tuple[Any, Any]]](list)
    sources = {file: (ROOT / file).read_text(encoding="utf-8") for file in files}
    for file, source in sources.items():
        for pair in filter(None, map(mutated, decisive(ast.parse(source)))):
            if pair[0].lineno == pair[0].end_lineno:
                found[file, pair[0].lineno].append(pair)
    for file, line in chance.sample(sorted(found), min(number, len(found))):
        old, new = chance.choice(found[file, line])
        lines = sources[file].split("\n")
        before = lines[line - 1].encode()  # ast counts bytes
        start, end = before[: old.col_offset].decode(), before[old.end_col_offset :].decode()
        lines[line - 1] = f"{start}({ast.unparse(new)}){end}"
        shown = f"`{before.decode().strip()}` → `{lines[line - 1].strip()}`"
        yield Mutant(file, line, "\n".join(lines), shown)


def copied(folder: Path) -> Path:
    """A copy of what git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def imports() -> dict[Path, set[str]]:
    """The imports of each file of the checkout: modules, and names in modules."""
    found = {}
    for path in (path for room in PACKAGES for path in (ROOT / room).rglob("*.py")):
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        names = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
        found[path.relative_to(ROOT)] = names
    return found


def chosen(file: Path, imported: dict[Path, set[str]]) -> Iterator[list[str]]:
    """The tests to run for a module, in batches: the mirrored file, then all, the closest first."""
    twin = Path("tests") / file.parent / f"test_{file.name}"
    if twin in imported:
        yield ["-n0", str(twin)]
    steps, queue = {file: 0}, [file]
    for path in queue:
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        found = sorted(one for one in imported.keys() - steps if module in imported[one])
        steps |= dict.fromkeys(found, steps[path] + 1)
        queue += found
    tests = sorted(path for path in imported if path.name.startswith("test_"))
    yield ["-n2", *map(str, sorted(tests, key=lambda test: steps.get(test, len(steps))))]


def failure(copy: Path, tests: Sequence[str]) -> str:
    """The failures of some tests; empty if they pass. Their processes are ended."""
    shown = copy.with_name("shown")
    with shown.open("w") as stdout:
        running = subprocess.Popen(
            [*PYTEST, *tests], cwd=copy, stdout=stdout, stderr=stdout, process_group=0,
            env=os.environ | {"PYTHONPATH": str(copy)},
        )  # fmt: skip
    try:
        running.wait(SECONDS)
    except subprocess.TimeoutExpired:
        return f"tests that hang for {SECONDS} s"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    if running.returncode in PASSED:
        return ""
    lines = shown.read_text(errors="replace").splitlines()
    return next(
        (line for line in lines if line.startswith(("FAILED tests", "ERROR tests"))), lines[-1]
    )


def fate(copy: Path, mutant: Mutant, imported: dict[Path, set[str]]) -> str:
    """Which test notices a mutant, if any."""
    file = copy / mutant.file
    sound = file.read_text(encoding="utf-8")
    file.write_text(mutant.text, encoding="utf-8")
    try:
        for batch in chosen(Path(mutant.file), imported):
            if failed := failure(copy, batch):
                return f"killed by {failed}"
    finally:
        file.write_text(sound, encoding="utf-8")
    return "SURVIVED"


def main(argv: Sequence[str] | None = None) -> int:
    """Try every mutant and print its row."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", default=ROOMS, metavar="ROOM", help="globs of files")
    arguments = parser.parse_args(argv)
    resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, 8 << 30))  # some faults want all memory
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    files = {str(path.relative_to(ROOT)) for room in arguments.rooms for path in ROOT.glob(room)}
    chance, imported, fates = random.Random(arguments.seed), imports(), list[str]()
    with tempfile.TemporaryDirectory() as place:
        copy = copied(Path(place, "checkout"))
        for mutant in mutants(chance, sorted(files), arguments.mutants):
            fates.append(fate(copy, mutant, imported))
            print(f"{mutant.file}:{mutant.line} | {mutant.shown} | {fates[-1]}", flush=True)
    survived = fates.count("SURVIVED")
    print(f"{len(fates) - survived} of {len(fates)} mutants were killed")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
