"""Compare two checkouts: the same commands with fixed seeds must write the same.

    python -m tests.tools.unchanged OLD NEW [--only WORD]

OLD is a checkout of v0.4.0 and NEW one of today, both installed by `make setup`. Each command runs
in a folder of its own version, one after another, so that later commands find what earlier ones
wrote. After each, its output and every file that it changed are compared: SQLite files by their
rows, JSON by its values and books by their meaning, all others by their bytes. Exits with 1 if
anything differs.
"""

import argparse
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from phantomgo.portfolio.book import upgraded

TIMED = frozenset(
    {"seconds", "elapsed", "measured", "date", "created", "version", "versions", "checksum"}
)
"""Keys whose values are measured times, dates, the version, or follow from these."""
STAMPS = re.compile(r"AP\[phantomgo:[^]]*\]|DT\[[^]]*\]|\[Date \"[^\"]*\"\]\n")
"""The version and the date in SGF and PGN."""
COUNTED = re.compile(r"(\d+) (?:seed|line)s?, at least")
"""The number of lines that `learn` prints; they were called seeds."""
RENAMED = {"--jobs": "--workers", "--leave": "--moves"}
"""Options with another name today."""


@dataclass(frozen=True)
class Case:
    """A command.

    Attributes:
        old: its words.
        new: its words today, if they differ by more than RENAMED.
        stdin: what it reads.
    """

    old: str
    new: str = ""
    stdin: str = ""


GTP = "boardsize 5\nkomi 2.5\nclear_board\ngenmove b\ngenmove w\ngenmove b\ngenmove w\nquit\n"
SEAT = (
    "boardsize 5\nphantom-seat b\ngenmove b\nphantom-accept b C3 captured 0\n"
    "phantom-opponent w move captured 0\nshowboard\nphantom-gfx\nphantom-illegal b C4\n"
    "phantom-belief\nphantom-log\ngenmove b\nphantom-game_over W+5\nfinal_score\nquit\n"
)
OPEN = (
    "boardsize 5\nfixed_handicap 2\nset_free_handicap B2 D4\ngenmove w\nplay b c3\nshowboard\n"
    "phantom-rules hamburg\nclear_board\nphantom-rules hamburg\nphantom-rule ko positional\n"
    "phantom-get_rules\ntime_settings 0 5 1\nplay b c3\nplay w c3\n"
    "phantom-view w\nplay b pass\nplay w pass\nfinal_status_list alive\nphantom-reveal_board\n"
    "loadsgf no.sgf\nquit\n"
)
SAU = "name?\nnew black\naccept\nmove go\nrefuse\naccept\ntaked 1 AA\nmove go\nend\nquit\n"
ENGINE = Path(__file__).parents[1] / "engines" / "bad.py"
MATCH = "match --black {} --white random --games {} --size 5 --json"
LEARN = "learn --bot flatmc:playouts=20 --size 4 --komi 1.5 --jobs 1"

CASES = (
    # games and matches
    Case(MATCH.format("flatmc:playouts=30", "8 --seed 3")),
    Case("match --black phantom:playouts=60 --white flatmc:playouts=60 --games 2 --size 9 --json"),
    Case(MATCH.format("twolevel:playouts=20", 2)),
    Case(MATCH.format("mcts:playouts=30", 2)),
    Case(MATCH.format("flatmc:allocation=ucb,playouts=60", 2)),
    Case(MATCH.format("imperfect", 2)),
    Case(MATCH.format("hybrid", 2)),
    Case(MATCH.format("online:flatmc:playouts=10|random,state=s", 6)),
    Case(MATCH.format("phantom:net=none,judge=judge2,fold=on,playouts=100", 2)),
    *(
        Case(
            f"match --black book:{book} --white random --games 4 --size {size} --komi {komi} --json"
        )
        for book, size, komi in (
            ("nash5", 5, 2.5),
            ("open5-komi7.5", 5, 7.5),
            ("steps7", 7, 3.5),
        )
    ),
    Case("match --black phantom:playouts=5000 --white random --games 4 --size 5 --komi 7.5 --json"),
    Case(
        "match --black flatmc:playouts=20 --white random --games 6 --size 5 --store m.db"
        " --sgf games --pgn m.pgn --jobs 2 --json"
    ),
    Case("match --black flatmc:playouts=20 --white random --games 10 --size 5 --store m.db --json"),
    Case("match --players flatmc:playouts=20 random flatmc:playouts=5 --games 4 --size 4 --json"),
    *(Case(f"{MATCH.format('flatmc:playouts=20', 4)} --rules {p}") for p in ("ccgc", "hamburg")),
    Case(
        "match --black flatmc:playouts=20 --white random --games 4 --size 6 --handicap B2 E5 --json"
    ),
    Case(f"{MATCH.format('flatmc:playouts=20', 40)} --sprt 0 100"),
    Case("replay m.db --check"),
    Case("replay m.db --json"),
    # learning
    Case(f"{LEARN} --seeds 6 --store l.db --out nash4.json --matrix l.json --test-seeds 4"),
    *(
        Case(f"{LEARN} --seeds {n} --store {db}.db --out {out}4.json --method {how} --test-seeds 0")
        for n, db, out, how in (
            (6, "l", "best", "bestseed"),
            (6, "l", "sparse", "sparse:alpha=0.5"),
            (8, "u", "ucb", "ucb:games=200"),
            (8, "e", "exp", "exp3:games=200"),
            (8, "h", "half", "halving"),
            (8, "s", "sub", "sublinear"),
            (8, "o", "ora", "oracle"),
            (8, "l", "top", "besttop:turned=on"),
        )
    ),
    Case(f"{LEARN} --seeds 8 --halving --store hh.db --out hh4.json --test-seeds 2"),
    Case(f"{LEARN} --seeds 6 --leave 2 --store two.db --out two4.json --test-seeds 3"),
    Case(
        "learn --bot phantom:playouts=30 --size 4 --komi 1.5 --seeds 4 --symmetries 2 --store p.db"
        " --out phantom4.json --test-seeds 0 --jobs 2"
    ),
    *(
        Case(
            f"learn --bot random --game {game}:size=4 --seeds 5 --store {game}.db"
            f" --out {game}.json --test-seeds 0"
        )
        for game in ("domineering", "atarigo")
    ),
    Case("book check nash4.json"),
    Case("book exploit nash4.json --minutes 0.02 --base random --games 20 --draws 8 --json"),
    Case(
        "book grow --bot flatmc:playouts=10 --size 4 --games 40 --depth 4 --least 2"
        " --out mv4.json --store mv.db"
    ),
    # measuring
    Case(
        "evaluate methods --store l.db --train 3 --repeats 20 --methods nash topk uniform"
        " --exploiters 1 --json"
    ),
    Case("evaluate book nash4.json --test-seeds 3 --exploiters 1 2 --own-seeds 4 --json"),
    Case("evaluate book two4.json --test-seeds 3 --exploiters 1 2 --json"),
    Case("evaluate transfer nash4.json --opponent random --games 20 --json"),
    # the wire
    Case("gtp --bot flatmc:playouts=50 --seed 5", stdin=GTP),
    Case("gtp --bot phantom:playouts=50 --seed 5", stdin=GTP),
    Case("gtp --book nash5 --seed 5", stdin=GTP),
    Case("gtp --bot flatmc:playouts=50 --seed 5", stdin=SEAT),
    Case("gtp --bot flatmc:playouts=50 --seed 5 --reveal", stdin=OPEN),
    Case("gtp --bot flatmc:playouts=50 --seed 5", stdin=OPEN),
    Case("bridge sau --bot flatmc:playouts=50 --seed 5", stdin=SAU),
)


def run(root: Path, folder: Path, stdin: str, words: str) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of a command in a checkout."""
    done = subprocess.run(
        [str(root / ".venv" / "bin" / "phantomgo"), *words.split(" ")],
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env=os.environ | {"XDG_STATE_HOME": str(folder / ".state")},
    )
    return done.returncode, done.stdout, done.stderr


def plain(value: Any) -> Any:
    """JSON without times; a book of the former format in today's, a matrix without its layout."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if not isinstance(value, dict):
        return value
    if value.get("format") == 3 and "training" in value:
        value = upgraded(value)
    if "won" in value and "drawn" in value:
        value = {key: one for key, one in value.items() if key not in ("format", "won", "drawn")}
    kept = {key: one for key, one in value.items() if key not in TIMED}
    # Which lines a book holds is compared; its digest is of the format.
    return {key: plain(one) for key, one in kept.items() if not key.startswith("book ")}


def text(words: str) -> Any:
    """The output of a command: JSON as values, other text without version and date."""
    for form in (
        lambda: [json.loads(line) for line in words.splitlines()],
        lambda: [json.loads(words)],
    ):
        try:
            return plain(form())
        except ValueError:
            continue
    return COUNTED.sub(r"\1, at least", STAMPS.sub("", words))


def rows(path: Path) -> list[str]:
    """Every row of every table of an SQLite file, in an order that workers don't change."""
    found = []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        file.row_factory = sqlite3.Row
        tables = file.execute("select name from sqlite_master where type='table'").fetchall()
        for (name,) in tables:
            for row in map(dict, file.execute(f'select * from "{name}"')):
                if row.get("key") not in TIMED:
                    kept = {key: _floatless(text(str(row[key]))) for key in row.keys() - TIMED}
                    found.append(f"{name} {sorted(kept.items())}")
    return sorted(found)


def _floatless(value: Any) -> Any:
    """A value of a row without floats, which are seconds."""
    if isinstance(value, list):
        return [_floatless(one) for one in value]
    return None if isinstance(value, float) else value


def contents(folder: Path) -> dict[str, Any]:
    """The files that a command may have written, as they are compared."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not path.is_file() or name.endswith(("-wal", "-shm")) or name.startswith(".state"):
            continue
        store = path.read_bytes()[:16].startswith(b"SQLite")
        found[name] = rows(path) if store else text(path.read_text())
    return found


def differences(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names under which two sets of files differ, with the first place where they do."""
    for name in sorted(old.keys() | new.keys()):
        before, after = (str(side.get(name)) for side in (old, new))
        if before != after:
            places = enumerate(zip(before, after, strict=False))
            at = max(next((n for n, (a, b) in places if a != b), 0) - 60, 0)
            yield name, f"{before[at : at + 120]!r} became {after[at : at + 120]!r}"


def main() -> int:
    """Run every case in both checkouts and report what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--only", default="", help="run cases that contain this text")
    arguments = parser.parse_args()
    wrong = count = 0
    known: set[tuple[str, str]] = set()
    with TemporaryDirectory() as place:
        folders = [Path(place, side) for side in ("old", "new")]
        for folder in folders:
            folder.mkdir()
        for case in (case for case in CASES if arguments.only in case.old):
            count += 1
            new = case.new or " ".join(RENAMED.get(word, word) for word in case.old.split(" "))
            sides = zip((arguments.old, arguments.new), folders, (case.old, new), strict=True)
            done = [run(root.resolve(), folder, case.stdin, words) for root, folder, words in sides]
            found = [
                {"exit code": code, "stdout": text(out), **contents(folder)}
                for (code, out, _), folder in zip(done, folders, strict=True)
            ]
            told = [one for one in differences(*found) if one not in known]
            known.update(told)
            wrong += bool(told)
            print("differs" if told else "same   ", case.old[:110], flush=True)
            failed = [f"exit code {code}: {said[-200:]}" for code, _, said in done if code]
            for line in [f"{name}: {where}" for name, where in told] + failed:
                print("   ", line, flush=True)
    print(f"{count} commands, {wrong} of them differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
