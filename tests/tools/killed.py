"""Mutate lines of the product at random and see whether the fast tests notice.

    python -m tests.tools.killed [--mutants 40] [--seed 1] [--rooms ROOM ...]

Mutates one line at a time in a copy of the checkout and runs tests there: the mirrored file, then
the files that import the module, then the folder that mirrors the module's. Prints a row for each
mutant: `killed by` a test that fails, or `SURVIVED`; add a test then, or say why none is needed.
Tests that hang for 300 s kill a mutant, too. Run it on a machine that does nothing else.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.support.places import ROOT

ROOMS: Final = ("phantomgo/*.py", "phantomgo/portfolio/*.py", "bots/**/*.py", "gtp/*.py")
PYTEST: Final = (sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider")
SECONDS: Final = 300
PASSED: Final = (0, 5)
"""Exit codes of pytest: all tests pass, or none was chosen."""
SWAPPED: Final = (
    (ast.Add, ast.Sub), (ast.Mult, ast.Add), (ast.FloorDiv, ast.Mult), (ast.Div, ast.Mult),
    (ast.Mod, ast.Add), (ast.LShift, ast.RShift), (ast.BitAnd, ast.BitOr), (ast.BitXor, ast.BitOr),
    (ast.And, ast.Or), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn), (ast.Is, ast.IsNot),
)  # fmt: skip
OPERATORS: Final[dict[type, Any]] = {b: a for a, b in SWAPPED} | dict(SWAPPED)
"""The replacements of each operator."""
_ADDRESSING: Final = ("load", "load_wide", "store", "store_wide")
"""Functions of kernels whose first arguments are an array and an index."""


class Mutant(NamedTuple):
    """A file of the checkout with one line changed: from 1 its number, and the whole new text."""

    file: str
    line: int
    text: str
    shown: str


def decisive(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions below a node that decide something: no types, decorators or messages."""
    below: list[ast.AST]
    match node:
        case ast.JoinedStr() | ast.Raise() | ast.Import() | ast.ImportFrom() | ast.Assert():
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


def chosen(file: Path) -> Iterator[list[str]]:
    """The tests to run for a module, in batches, the closest first."""
    mirrored = Path("tests") / file.parent
    twin = mirrored / f"test_{file.name}"
    module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    if (ROOT / twin).exists():
        yield [str(twin)]
    every = sorted((ROOT / "tests").rglob("test_*.py"))
    yield [str(path.relative_to(ROOT)) for path in every if module in path.read_text()]
    yield [str(path.relative_to(ROOT)) for path in every if path.parent == ROOT / mirrored]


def fate(copy: Path, mutant: Mutant) -> str:
    """Which test notices a mutant, if any."""
    (copy / mutant.file).write_text(mutant.text, encoding="utf-8")
    try:
        for batch in filter(None, chosen(Path(mutant.file))):
            done = subprocess.run(
                [*PYTEST, *batch], cwd=copy, capture_output=True, text=True, timeout=SECONDS,
                check=False, env=os.environ | {"PYTHONPATH": str(copy)},
            )  # fmt: skip
            if done.returncode not in PASSED:
                lines = done.stdout.splitlines()
                failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
                return f"killed by {failed}"
    except subprocess.TimeoutExpired:
        return f"killed: tests hang for {SECONDS} s"
    finally:
        shutil.copy2(ROOT / mutant.file, copy / mutant.file)
    return "SURVIVED"


def main(argv: Sequence[str] | None = None) -> int:
    """Try every mutant and print its row."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", default=ROOMS, metavar="ROOM", help="globs of files")
    arguments = parser.parse_args(argv)
    files = {str(path.relative_to(ROOT)) for room in arguments.rooms for path in ROOT.glob(room)}
    chance, fates = random.Random(arguments.seed), list[str]()
    with tempfile.TemporaryDirectory() as place:
        copy = copied(Path(place, "checkout"))
        for mutant in mutants(chance, sorted(files), arguments.mutants):
            fates.append(fate(copy, mutant))
            print(f"{mutant.file}:{mutant.line} | {mutant.shown} | {fates[-1]}", flush=True)
    survived = fates.count("SURVIVED")
    print(f"{len(fates) - survived} of {len(fates)} mutants were killed")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
