"""Compare two checkouts: the same commands with fixed seeds must write the same bytes.

    python -m tests.tools.unchanged OLD NEW [--recent] [--only WORD]

OLD and NEW are checkouts that `make setup` has installed. Each command runs in a folder of its own
version, one after another, so that later commands find what earlier ones wrote. After each command
its output and every file that it changed are compared: SQLite files by their rows, JSON by its
values, all others by their bytes. Commands that were renamed after 0ef0b28 have new words, which OLD is
given as well with `--recent`.
Exits with 1 if anything differs.
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

TIMED = frozenset(
    {
        "seconds",
        "seconds_of_learning",
        "elapsed",
        "rate",
        "date",
        "made",
        "created",
        "version",
        "measured",
    }
)
"""Keys whose values are measured times, dates or the version itself."""
STAMPS = re.compile(r"AP\[phantomgo:[^]]*\]|DT\[[^]]*\]|\[Date \"[^\"]*\"\]\n")
"""The version and the date in SGF and PGN."""
REKEYED: dict[str, str] = {}
"""Keys of JSON that were renamed: old name to new."""
ADDED = frozenset({"identity", "checksum", "kept", "versions", "ratings"})
"""Columns and keys that were added, or name, protect or date what was played."""


@dataclass(frozen=True)
class Case:
    """A command.

    Attributes:
        old: its words, or a Python script if they begin with "import".
        new: its words in the new checkout, if they differ.
        stdin: what it reads.
        code: its exit code.
    """

    old: str
    new: str = ""
    stdin: str = ""
    code: int = 0


PHANTOM = re.compile(r"\bphantom(?=[:\s]|$)(?!\S*net=):?")
"""`phantom` without a net, which is `phantom:net=stones1` now."""

STONES1 = re.compile(r":net=stones1(?!\w|,\w)|,net=stones1|net=stones1,(?=\w)")

LEARN = "learn --bot flatmc:playouts=20 --size 4 --komi 1.5 --jobs 1"
GTP = "boardsize 5\nkomi 2.5\nclear_board\ngenmove b\ngenmove w\ngenmove b\ngenmove w\nquit\n"
FREE = "boardsize 5\nclear_board\nplay b c3\nplay w c3\nplay w d4\nshowboard\nfinal_score\nquit\n"
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
    "phantom-param\nquit\n"
)
SAU = "name?\nnew black\naccept\nmove go\nrefuse\naccept\ntaked 1 AA\nmove go\nend\nquit\n"
ENGINE = Path(__file__).parents[1] / "engines" / "bad.py"

CASES = (
    # games and matches
    Case("match --black flatmc:playouts=30 --white random --games 8 --size 5 --seed 3 --json"),
    Case("match --black phantom:playouts=40 --white flatmc:playouts=40 --games 4 --size 7 --json"),
    Case("match --black twolevel:playouts=20 --white random --games 2 --size 5 --json"),
    Case("match --black mcts:playouts=30 --white random --games 2 --size 5 --json"),
    Case("match --black imperfect --white random --games 2 --size 5 --json"),
    Case("match --black hybrid --white random --games 2 --size 5 --json"),
    Case("match --black book:nash5 --white random --games 4 --size 5 --komi 2.5 --json"),
    Case("match --black book:ucb5 --white book:top5 --games 4 --size 5 --komi 2.5 --json"),
    Case("match --black book:hand5 --white random --games 4 --size 5 --komi 2.5 --json"),
    Case(
        "match --black variants:flatmc:playouts=10|random --white random --games 4 --size 5 --json"
    ),
    Case(
        "match --black opening:flatmc:playouts=20,book=open7 --white random --games 4 --size 7 --komi 3.5 --json"
    ),
    Case(
        "match --black online:flatmc:playouts=10|random,state=s --white random --games 6 --size 5 --json"
    ),
    Case(
        "match --black phantom:fold=on,judge=judge1,playouts=100 --white random --games 2 --size 5 --json"
    ),
    Case("match --black phantom:net=stones4,playouts=60 --white random --games 2 --size 9 --json"),
    Case(
        "match --black flatmc:playouts=20 --white random --games 6 --size 5 --store m.db"
        " --sgf games --pgn m.pgn --jobs 2 --json"
    ),
    Case("match --black flatmc:playouts=20 --white random --games 10 --size 5 --store m.db --json"),
    Case(
        "match --players flatmc:playouts=20 random flatmc:playouts=5 --games 4 --size 4 --store t.db --json"
    ),
    Case("match --black flatmc:playouts=20 --white random --games 4 --size 5 --rules ccgc --json"),
    Case(
        "match --black flatmc:playouts=20 --white random --games 4 --size 5 --rules hamburg --json"
    ),
    Case(
        "match --black flatmc:playouts=20 --white random --games 4 --size 6 --handicap B2 E5 --json"
    ),
    Case("match --black flatmc:playouts=20 --white random --games 40 --size 5 --sprt 0 100 --json"),
    Case("replay m.db --check"),
    Case("replay m.db --json"),
    Case(
        "match --black flatmc:playouts=20 --white random --games 2 --size 5 --after m.db 4 --json",
    ),
    Case("store show m.db"),
    # learning
    Case(f"{LEARN} --seeds 6 --store l.db --out nash4.json --matrix l.json --test-seeds 4"),
    Case(f"{LEARN} --seeds 6 --store l.db --out best4.json --method bestseed --test-seeds 0"),
    Case(
        f"{LEARN} --seeds 6 --store l.db --out sparse4.json --method sparse:alpha=0.5 --test-seeds 0"
    ),
    Case(f"{LEARN} --seeds 8 --store u.db --out ucb4.json --method ucb:games=200 --test-seeds 0"),
    Case(f"{LEARN} --seeds 8 --store e.db --out exp4.json --method exp3:games=200 --test-seeds 0"),
    Case(f"{LEARN} --seeds 8 --store h.db --out half4.json --method halving --test-seeds 0"),
    Case(f"{LEARN} --seeds 8 --store s.db --out sub4.json --method sublinear --test-seeds 0"),
    Case(f"{LEARN} --seeds 8 --store o.db --out ora4.json --method oracle --test-seeds 0"),
    Case(
        "learn --bot phantom:playouts=30 --size 4 --komi 1.5 --seeds 4 --symmetries 2 --store p.db"
        " --out phantom4.json --test-seeds 0 --jobs 2"
    ),
    Case(
        "learn --bot random --game domineering:size=4 --seeds 6 --store d.db --out dom4.json --test-seeds 0"
    ),
    Case(
        "learn --bot random --game atarigo:size=4 --seeds 4 --store a.db --out atari4.json --test-seeds 0"
    ),
    Case("store show l.db"),
    Case("book show nash4.json"),
    Case("book check nash4.json"),
    Case("book list"),
    Case("book show ucb5"),
    Case(
        "matrix list",
        new="store matrices",
    ),
    Case(
        "matrix show l.json",
        new="store show l.json",
    ),
    Case(
        "matrix pack --store l.db packed.json",
        new="store pack --store l.db packed.json",
    ),
    Case(
        "matrix unpack --store again.db packed.json",
        new="store unpack --store again.db packed.json",
    ),
    # measuring
    Case(
        "evaluate --matrix l.json --train 3 --repeats 20 --exploiters 1,2 --json",
        new="evaluate methods --matrix l.json --train 3 --repeats 20 --exploiters 1 2 --json",
    ),
    Case(
        "evaluate --matrix flat5 --train 40 --repeats 5 --methods nash,topk,uniform --json",
        new="evaluate methods --matrix flat5 --train 40 --repeats 5 --methods nash topk uniform --json",
    ),
    Case(
        "evaluate --book nash4.json --test-seeds 3 --exploiters 1,2 --json",
        new="evaluate book nash4.json --test-seeds 3 --exploiters 1 2 --json",
    ),
    Case(
        "evaluate --book nash4.json --against sparse4.json --json",
        new="evaluate book nash4.json --against sparse4.json --json",
    ),
    Case(
        "transfer --book nash4.json --opponent random --games 20 --json",
        new="evaluate transfer nash4.json --opponent random --games 20 --json",
    ),
    Case(
        "moves learn --bot flatmc:playouts=10 --size 4 --games 40 --depth 4 --least 2 --out mv4.json --store mv.db",
        new="book grow --bot flatmc:playouts=10 --size 4 --games 40 --depth 4 --least 2 --out mv4.json --store mv.db",
    ),
    Case(
        "lessons --games 2 --size 5 --net stones1 --store les.db --jobs 1",
        new="train lessons --games 2 --size 5 --net stones1 --store les.db --jobs 1"
        " --black phantom:net=stones1 --white phantom:net=stones1",
    ),
    Case("bots --json"),
    Case("bots --check phantom"),
    # the wire
    Case("gtp --bot flatmc:playouts=50 --seed 5", stdin=GTP),
    Case("gtp --bot phantom:playouts=50 --seed 5", stdin=GTP),
    Case("gtp --book nash5 --seed 5", stdin=GTP),
    Case("gtp --seed 5", stdin=FREE),
    Case("gtp --bot flatmc:playouts=50 --seed 5", stdin=SEAT),
    Case("gtp --bot flatmc:playouts=50 --seed 5 --reveal", stdin=OPEN),
    Case("gtp --bot flatmc:playouts=50 --seed 5 --safe", stdin=OPEN),
    Case(f"adapter -- {sys.executable} -S {ENGINE} phantom good", stdin=GTP),
    Case("bridge sau --bot flatmc:playouts=50 --seed 5", stdin=SAU),
    # the library
    Case(
        "import phantomgo as pg\n"
        "r = pg.play_match('flatmc:playouts=20', 'random', games=4, size=5, seed=3)\nprint(r)"
    ),
    Case(
        "import phantomgo as pg\n"
        "r = pg.play_game('flatmc:playouts=20', 'random', size=5, seeds=(1, 2))\nprint(r.outcome, [s.move for s in r.steps])"
    ),
    Case(
        "import phantomgo as pg\n"
        "b = pg.learn('flatmc:playouts=10', size=4, komi=1.5, seeds=4, test_seeds=0, name='x')\nprint(b)",
        new="import phantomgo as pg\n"
        "b = pg.learn('flatmc:playouts=10', size=4, komi=1.5, seeds=4, test_seeds=0, out='x.json')\n"
        "print(b)",
    ),
)


def stones1(spec: re.Match[str]) -> str:
    """The name that `phantom` has now, as it began."""
    return "phantom:net=stones1" + ("," if spec[0].endswith(":") else "")


def run(root: Path, folder: Path, case: Case, words: str) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of a command in a checkout."""
    bin_ = root / ".venv" / "bin"
    script = [str(bin_ / "python"), "-c", words]
    command = [str(bin_ / "phantomgo"), *words.split(" ")]
    done = subprocess.run(
        script if words.startswith("import") else command,
        cwd=folder,
        input=case.stdin,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env=os.environ | {"XDG_STATE_HOME": str(folder / ".state")},
    )
    return done.returncode, done.stdout, done.stderr


def plain(value: Any) -> Any:
    """JSON without times, by the new names."""
    if isinstance(value, dict):
        kept = {REKEYED.get(key, key): plain(one) for key, one in value.items()}
        return {key: one for key, one in kept.items() if key not in TIMED | ADDED}
    return [plain(one) for one in value] if isinstance(value, list) else value


def text(words: str) -> Any:
    """The output of a command: JSON as values, other text without version and date."""
    try:
        values = [plain(json.loads(line)) for line in words.splitlines()]
    except ValueError:
        try:
            return plain(json.loads(words))
        except ValueError:
            return STAMPS.sub("", words)
    return values[0] if len(values) == 1 else values


def untimed(value: Any) -> Any:
    """A row of results without its floats, which are seconds."""
    return (
        [None if isinstance(one, float) else one for one in value]
        if isinstance(value, list)
        else value
    )


def rows(path: Path) -> list[str]:
    """Every row of every table of an SQLite file, in an order that workers don't change."""
    found = []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        file.row_factory = sqlite3.Row
        names = [
            row[0] for row in file.execute("select name from sqlite_master where type='table'")
        ]
        for name in names:
            for row in map(dict, file.execute(f'select * from "{name}"')):
                if row.get("key") in TIMED | ADDED:
                    continue
                kept = {key: untimed(text(str(row[key]))) for key in row.keys() - ADDED}
                found.append(f"{name} {sorted(kept.items())}")
    return sorted(found)


def contents(folder: Path) -> dict[str, Any]:
    """What a command may have written, by file."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not path.is_file() or name.endswith(("-wal", "-shm")) or name.startswith(".state"):
            continue
        begin = path.read_bytes()[:16]
        found[name] = rows(path) if begin.startswith(b"SQLite") else text(path.read_text())
    return found


def differences(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names under which two sets of files differ, with the first place where they do."""
    for name in sorted(old.keys() | new.keys()):
        before, after = (STONES1.sub("", str(side.get(name))) for side in (old, new))
        if before != after:
            places = enumerate(zip(before, after, strict=False))
            at = max(next((n for n, (a, b) in places if a != b), 0) - 60, 0)
            yield name, f"{before[at : at + 120]!r} became {after[at : at + 120]!r}"


def main() -> int:
    """Run every case in both checkouts and report what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--recent", action="store_true", help="OLD is newer than 0ef0b28")
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
            new = case.new or (case.old if arguments.recent else PHANTOM.sub(stones1, case.old))
            new = new.replace("--jobs ", "--workers ")
            words = (new if arguments.recent else case.old, new)
            sides = zip((arguments.old, arguments.new), folders, words, strict=True)
            done = [run(root.resolve(), folder, case, words) for root, folder, words in sides]
            found = [
                {"exit code": code, "stdout": text(out), **contents(folder)}
                for (code, out, _), folder in zip(done, folders, strict=True)
            ]
            told = [
                (name, where) for name, where in differences(*found) if (name, where) not in known
            ]
            known.update(told)
            unexpected = (
                [f"exit code {done[0][0]}: {done[0][2][-200:]}"] if done[0][0] != case.code else []
            )
            wrong += bool(told)
            print("differs" if told else "same   ", case.old[:110].replace("\n", "; "), flush=True)
            for line in [f"{name}: {where}" for name, where in told] + unexpected:
                print("   ", line, flush=True)
    print(f"{count} commands, {wrong} of them differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
