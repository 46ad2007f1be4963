"""ARCHITECTURE.md lists the code that is there, and the tests lie as it does."""

import ast
import re
from pathlib import Path

from tests.support.places import ROOT, TESTS

PACKAGES = ("phantomgo", "bots", "gtp")
# A line of the list: how deep, the names, and what they are for after two spaces or more.
LINE = re.compile(r"( *)(\S+(?:, \S+)*)(?: {2,}.*)?")


def production() -> set[str]:
    """Every file of code but those that only make a folder a package or a command."""
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {str(p.relative_to(ROOT)) for p in files if not p.name.startswith("__")}


def listed(text: str) -> list[str]:
    """The files that a tree of names lists."""
    folders: list[tuple[int, str]] = []
    found = []
    for line in text.splitlines():
        step = LINE.fullmatch(line)
        assert step is not None, line
        depth, names = step.groups()
        folders = [folder for folder in folders if folder[0] < len(depth)]
        parent = folders[-1][1] if folders else ""
        found += [parent + name for name in names.split(", ") if name.endswith(".py")]
        if names.endswith("/"):
            folders.append((len(depth), parent + names))
    return found


def the_list() -> list[str]:
    page = (ROOT / "ARCHITECTURE.md").read_text()
    return listed(page.split("```\n")[1])


def line_for(path: str) -> str:
    """The line to add to the list: the name, and the file's own first sentence."""
    what = ast.get_docstring(ast.parse((ROOT / path).read_text())) or ""
    name = Path(path)
    return f"beneath {name.parent}/:    {name.name:<18}{what.splitlines()[0]}"


def test_a_tree_of_names_is_read():
    text = (
        "a/    top\n  b.py    first\n  c/    inner\n    d.py, e.py    both\n  f.py\ng/h/\n  i.py\n"
    )
    assert listed(text) == ["a/b.py", "a/c/d.py", "a/c/e.py", "a/f.py", "g/h/i.py"]


def test_every_file_is_listed():
    missing = sorted(production() - set(the_list()))
    lines = "\n".join(line_for(path) for path in missing)
    assert not missing, f"add to the list of ARCHITECTURE.md, in your words:\n{lines}"


def test_every_file_listed_is_there_and_listed_once():
    gone = sorted(set(the_list()) - production())
    assert not gone, f"take these out of the list of ARCHITECTURE.md: {gone}"
    assert len(the_list()) == len(set(the_list()))


def test_every_folder_of_tests_is_one_of_the_code():
    apart = {"support", "docs", "data", "engines", "sabaki"}
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    strange = [folder for folder in folders if not {*folder.parts} & apart]
    assert [str(folder) for folder in strange if not (ROOT / folder).is_dir()] == []


def test_no_test_module_imports_from_another():
    """What two of them need belongs in tests/support."""
    form = re.compile(r"^\s*(?:from|import) (tests(?:\.\w+)*\.test_\w+|\.+test_\w+)", re.M)
    found = {
        str(path.relative_to(ROOT)): form.findall(path.read_text()) for path in TESTS.rglob("*.py")
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_every_test_named_in_a_document_is_there():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("gtp/*.md")]
    code = [ROOT / path for path in production()]
    named = {
        name for page in pages + code for name in re.findall(r"tests/[\w/]+\.py", page.read_text())
    }
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []
