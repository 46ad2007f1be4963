"""Print how large each folder of Python is: modules, lines, classes, and its longest function.

    python -m tests.tools.house

A report for whoever reads a change. No test asserts any of these numbers.
"""

import ast
from pathlib import Path

from tests.support.places import ROOT

PACKAGES = ("phantomgo", "bots", "gtp", "tests")


def row(folder: Path) -> str | None:
    """One line about the modules directly in a folder; None if it has none."""
    modules = sorted(folder.glob("*.py"))
    texts = [module.read_text() for module in modules]
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    functions = [
        ((node.end_lineno or node.lineno) - node.lineno + 1, node.name)
        for node in nodes
        if isinstance(node, ast.FunctionDef)
    ]
    if not functions:
        return None
    lines = sum(text.count("\n") for text in texts)
    classes = sum(isinstance(node, ast.ClassDef) for node in nodes)
    length, name = max(functions)
    where = str(folder.relative_to(ROOT))
    return f"{where:40}{len(modules):8}{lines:8}{classes:8}  {name} ({length})"


def main() -> None:
    """Print a line for each folder."""
    print(f"{'folder':40}{'modules':>8}{'lines':>8}{'classes':>8}  longest function")
    for package in PACKAGES:
        top = ROOT / package
        for folder in [top, *sorted(path for path in top.rglob("*") if path.is_dir())]:
            line = row(folder)
            if line:
                print(line)


if __name__ == "__main__":
    main()
