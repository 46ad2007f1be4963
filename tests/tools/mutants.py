"""One-line faults of the product, drawn at random; killed.py tries them."""

import ast
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.places import ROOT

_OPERATORS: Final[Mapping[type[ast.AST], tuple[str, str]]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
    ast.Mod: ("%", "+"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
"""What each operator is written as, and what it is mutated to."""
_ADDRESSING: Final = ("load", "load_wide", "store", "store_wide")
"""Functions of kernels whose first arguments are an array and an index."""


@dataclass(frozen=True)
class Change:
    """A changed file.

    Attributes:
        file: its name without the folder and `.py`.
        line: the first line that differs, from 1.
        text: the whole new file.
        shown: what was changed into what.
    """

    file: str
    line: int
    text: str
    shown: str


@contextmanager
def planted(folder: Path, change: Change) -> Iterator[None]:
    """A changed file in a copy of a folder, for as long as the context lasts."""
    file = folder / f"{change.file}.py"
    before = file.read_text(encoding="utf-8")
    file.write_text(change.text, encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(before, encoding="utf-8")


def _decisive(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions below a node that decide something: no types, decorators or messages."""
    if isinstance(node, (ast.JoinedStr, ast.Raise, ast.Import, ast.ImportFrom, ast.Assert)):
        return
    below: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Subscript):
        below = [node.value]  # another index may lie outside of the array
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in _ADDRESSING:
        below = list(node.args[2:])
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        below = list(node.body)
    elif isinstance(node, ast.AnnAssign):
        typed = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
        below = [node.value] if node.value is not None and not typed else []
    for child in below:
        yield child
        yield from _decisive(child)


def mutations(source: str) -> Iterator[tuple[int, str]]:
    """Every line that can be mutated, with what becomes of it, in the order of the file."""
    lines = source.split("\n")

    def replaced(line: int, start: int, end: int, text: str) -> tuple[int, str]:
        old = lines[line - 1]
        return line, old[:start] + text + old[end:]

    def between(left: ast.expr, right: ast.expr, kind: ast.AST) -> Iterator[tuple[int, str]]:
        old, new = _OPERATORS.get(type(kind), ("", ""))
        if not old or left.end_lineno != right.lineno:
            return
        start, end = left.end_col_offset or 0, right.col_offset
        words = lines[right.lineno - 1][start:end]
        if words.count(old) == 1:
            yield replaced(right.lineno, start, end, words.replace(old, new))

    for node in _decisive(ast.parse(source)):
        if isinstance(node, ast.BinOp):
            yield from between(node.left, node.right, node.op)
        elif isinstance(node, ast.BoolOp):
            yield from between(node.values[0], node.values[1], node.op)
        elif isinstance(node, ast.Compare):
            yield from between(node.left, node.comparators[0], node.ops[0])
        elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            value = node.value
            new = not value if isinstance(value, bool) else value + 1 if value else 1
            yield replaced(node.lineno, node.col_offset, node.end_col_offset or 0, str(new))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield replaced(node.lineno, node.col_offset, node.operand.col_offset, "")
        elif isinstance(node, (ast.If, ast.IfExp)) and node.test.lineno == node.test.end_lineno:
            test, end = node.test, node.test.end_col_offset or 0
            words = lines[test.lineno - 1][test.col_offset : end]
            yield replaced(test.lineno, test.col_offset, end, f"(not ({words}))")


def mutants(random_: random.Random, files: list[str], number: int) -> list[Change]:
    """Mutants of different lines, each line as likely; only those that Python can read.

    Args:
        random_: draws them.
        files: paths in the checkout, without `.py`.
        number: how many.
    """
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for file in sorted(files):
        for line, new in mutations(_source(file)):
            found[file, line].append(new)
    changes: list[Change] = []
    for file, line in random_.sample(sorted(found), len(found)):
        if len(changes) == number:
            break
        lines, new = _source(file).split("\n"), random_.choice(found[file, line])
        old, lines[line - 1] = lines[line - 1], new
        try:
            ast.parse("\n".join(lines))
        except SyntaxError:
            continue
        shown = f"`{old.strip()}` → `{new.strip()}`"
        changes.append(Change(file, line, "\n".join(lines), shown))
    return changes


def _source(file: str) -> str:
    return (ROOT / f"{file}.py").read_text(encoding="utf-8")
