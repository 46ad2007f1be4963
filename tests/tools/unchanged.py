"""Compare two checkouts: the same commands with fixed seeds must write the same.

    python -m tests.tools.unchanged OLD NEW [--only WORD]

Both are set up by `make setup`. The cases of unchanged.toml run one after another, in a folder for
each checkout. After each, its stdout and every file in the folder are compared: SQLite files by
their rows, JSON by its values, books by their meaning, all others by their lines. Prints `same` or
`differs` for each case, with what differs; a difference that stays is told once. Exits with 1 if
anything differs or fails.
"""

import argparse
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
TIMED = {"seconds", "elapsed", "measured", "date", "created", "version", "versions", "checksum"}
"""Keys whose values are measured times, dates, the version, or follow from these."""
STAMPS = re.compile(r"AP\[phantomgo:[^]]*\]|DT\[[^]]*\]")
"""The version and the date in SGF."""
FLOATS = re.compile(r"\b\d+\.\d+(e-?\d+)?")
REFUSED = 2


def run(root: Path, folder: Path, case: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a case in a checkout; one that is refused, with the words of older checkouts."""
    today = shlex.split(case["run"])
    tried = []
    for words in (today, [CASES["older"].get(word, word) for word in today]):
        done = subprocess.run(
            [root / ".venv" / "bin" / words[0], *words[1:]], cwd=folder, text=True, timeout=1800,
            input=case.get("stdin", "").replace("; ", "\n") + "\n", capture_output=True, check=False,
            env=os.environ | {"XDG_STATE_HOME": str(folder / ".state")},
        )  # fmt: skip
        if done.returncode != REFUSED:
            return done
        tried.append(done)
    return tried[0]


def plain(value: Any) -> Any:
    """JSON without times, and a matrix without its layout."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if not isinstance(value, dict):
        return value
    left_out = TIMED | ({"format", "won", "drawn"} if {"won", "drawn"} <= value.keys() else set())
    kept = {key: one for key, one in value.items() if key not in left_out}
    # Which lines a book holds is compared; its digest is of the format.
    return {key: plain(one) for key, one in kept.items() if not key.startswith("book ")}


def lines(text: str) -> list[str]:
    """The lines of a text that are compared: JSON, also of a value a line, with a line for each."""
    for values in (text.splitlines(), [text]):
        try:
            return json.dumps(plain([json.loads(value) for value in values]), indent=0).splitlines()
        except ValueError:
            continue
    return STAMPS.sub("", text).splitlines()


def rows(path: Path) -> list[str]:
    """The rows of an SQLite file without times, which are floats, in an order that workers don't
    change.
    """
    found = []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        file.row_factory = sqlite3.Row
        tables = file.execute("select name from sqlite_master where type='table'").fetchall()
        for (name,) in tables:
            for row in map(dict, file.execute(f'select * from "{name}"')):
                if row.get("key") not in TIMED:
                    kept = {key: " ".join(lines(str(row[key]))) for key in row.keys() - TIMED}
                    found.append(FLOATS.sub("float", f"{name} {sorted(kept.items())}"))
    return sorted(found)


def contents(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The files that cases wrote, by name, as they are compared."""
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and not name.endswith(("-wal", "-shm")) and name[0] != ".":
            store = path.read_bytes().startswith(b"SQLite")
            yield name, rows(path) if store else lines(path.read_text(encoding="utf-8"))


def differences(old: dict[str, list[str]], new: dict[str, list[str]]) -> Iterator[str]:
    """The differences: how many lines are gone and how many are new, with the first of each."""
    for name in sorted(old.keys() | new.keys()):
        before, after = (side.get(name, []) for side in (old, new))
        if before != after:
            gone, come = (Counter(before) - Counter(after), Counter(after) - Counter(before))
            told = (
                f"{len(one)} {how} {[*one][:1]}" for one, how in ((gone, "gone"), (come, "new"))
            )
            yield f"{name}: {' and '.join(told)}"[:400]


def main() -> int:
    """Run the cases in both checkouts and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--only", default="", help="run cases that contain this text")
    arguments = parser.parse_args()
    wrong, known = 0, set[str]()
    cases = [case if isinstance(case, dict) else {"run": case} for case in CASES["cases"]]
    cases = [case for case in cases if arguments.only in case["run"]]
    with TemporaryDirectory() as old, TemporaryDirectory() as new:
        for case in cases:
            sides, found = [], []
            for root, folder in ((arguments.old, Path(old)), (arguments.new, Path(new))):
                done = run(root.absolute(), folder, case)
                sides.append({"stdout": lines(done.stdout)} | dict(contents(folder)))
                if done.returncode:
                    found.append(f"exit code {done.returncode} in {root}: {done.stderr[-200:]}")
            found += [one for one in differences(*sides) if one not in known]
            known.update(found)
            wrong += bool(found)
            verdict = "differs" if found else "same"
            print(f"{verdict:8}{case['run']}", *found, sep="\n    ", flush=True)
    print(f"{len(cases)} cases, {wrong} of them differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
