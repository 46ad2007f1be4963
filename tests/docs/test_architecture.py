"""ARCHITECTURE.md is a map of the code, and the tests mirror it."""

import ast
import pkgutil
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from traceback import extract_stack

from bots.bot import build
from phantomgo.app.cli import main
from tests.support.places import ROOT, TEXTS

PACKAGES = ("phantomgo", "bots", "gtp")
# A line of the list: how deep, the names, and what they are for after two spaces or more.
LINE = re.compile(r"( *)(\S+(?:, \S+)*)(?: {2,}.*)?")


@cache
def parsed() -> dict[Path, ast.Module]:
    """Every file of code."""
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {path: ast.parse(path.read_text()) for path in files}


def production() -> set[str]:
    """Every file of code but those that only make a folder a package or a command."""
    return {str(p.relative_to(ROOT)) for p in parsed() if not p.name.startswith("__")}


def listed(text: str) -> tuple[list[str], list[str]]:
    """The files and the folders that a tree of names lists."""
    folders: list[tuple[int, str]] = []
    files, seen = [], []
    for line in text.splitlines():
        step = LINE.fullmatch(line)
        assert step is not None, line
        depth, names = step.groups()
        folders = [folder for folder in folders if folder[0] < len(depth)]
        parent = folders[-1][1] if folders else ""
        paths = [parent + name for name in names.split(", ")]
        files += [path for path in paths if path.endswith(".py")]
        seen += [path for path in paths if path.endswith("/")]
        if names.endswith("/"):
            folders.append((len(depth), paths[-1]))
    return files, seen


def test_the_map_lists_every_folder_and_files_that_are_there():
    page = (ROOT / "ARCHITECTURE.md").read_text()
    files, folders = listed(page.split("```\n")[1])
    code = {str(Path(path).parent) for path in production()}
    assert code - {folder.rstrip("/") for folder in folders} == set()
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
    assert [path for path in files if not (ROOT / path).is_file()] == []
    assert len(set(files)) == len(files)


def imports(path: Path, modules: Collection[str]) -> set[str]:
    """Our modules that a module imports, also inside functions and for type checkers."""
    found = set()
    for node in ast.walk(parsed()[path]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found |= {name if name in modules else node.module for name in names}
    return found & set(modules)


@cache
def import_graph() -> dict[str, set[str]]:
    """For each of our modules, those that it imports."""
    paths = {".".join(p.relative_to(ROOT).with_suffix("").parts): p for p in parsed()}
    modules = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    return {name: imports(path, modules) - {name} for name, path in modules.items()}


def floors(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The nodes that import none, those that import only these, and so on; none in a circle."""
    left, found = dict(graph), []
    while free := [name for name, needed in left.items() if not needed & left.keys()]:
        found.append(free)
        for name in free:
            del left[name]
    return found


def test_no_circle_of_imports():
    """Not even of imports inside functions, or of types."""
    graph = import_graph()
    assert sorted(graph.keys() - set(chain(*floors(graph)))) == []


def test_no_two_classes_have_one_name():
    """Not even if one of them is private."""
    named = defaultdict(list)
    for path in sorted(production()):
        for node in ast.walk(parsed()[ROOT / path]):
            if isinstance(node, ast.ClassDef):
                named[node.name.lstrip("_")].append(path)
    assert {name: paths for name, paths in named.items() if len(paths) > 1} == {}


def test_every_folder_says_what_belongs_there():
    folders = {(ROOT / path).parent for path in production()}
    silent = [
        str(folder.relative_to(ROOT))
        for folder in sorted(folders)
        if not ast.get_docstring(parsed()[folder / "__init__.py"])
    ]
    assert silent == []


def test_every_test_named_in_a_document_is_there():
    code = [ROOT / path for path in production()]
    named = {
        name
        for page in [*TEXTS, *code]
        for name in re.findall(r"tests/[\w/]+\.py", re.sub(r"\(v0.4.0\).*", "", page.read_text()))
    }
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []


def test_the_walk_of_a_spec_names_the_modules_that_it_passes_through(monkeypatch):
    """They are on the stack when a match first makes its bot, after the command line's own two."""
    page = (ROOT / "ARCHITECTURE.md").read_text()
    walk = re.findall(r"`(\S+\.py)`", page.split("*A spec, from", 1)[1].split("\n- ")[0])
    stacks = noted(monkeypatch, "bots.build")
    assert main(["match", "--black", "random", "--white", "random", "--games", "2"]) == 0
    assert [path.removeprefix("phantomgo/") for path in stacks[0]] == walk[:-1]
    assert walk[-1] == build.__module__.replace(".", "/") + ".py"


def noted(monkeypatch, place):
    """The stacks with which a function is called: our modules, but the command line's own two."""
    stacks, called = [], pkgutil.resolve_name(place)

    def calling(*given, **named):
        files = (Path(frame.filename) for frame in extract_stack())
        ours = dict.fromkeys(str(f.relative_to(ROOT)) for f in files if f.is_relative_to(ROOT))
        own = ("phantomgo/app/cli.py", "phantomgo/app/command.py")
        stacks.append([path for path in ours if path.startswith(PACKAGES) and path not in own])
        return called(*given, **named)

    monkeypatch.setattr(place, calling)
    return stacks
