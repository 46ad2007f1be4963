"""Mutate lines of bots at random and see which command still accepts what was kept before.

    python -m tests.tools.mutants [--mutants 20] [--seed 1] [--rows 5-8] [--list]

A copy of the checkout plays, learns and keeps games. Then one line of a bot is mutated in the copy,
and every door (a command, or the library) is asked to add to those games or to play from the book
that was learned. A mutant that plays other games has to be refused at every door; comments and
renamed variables have to be accepted. Each mutant is tried on a cold cache, which is empty at the
first door, and on a warm one, which holds what the unmutated copy compiled and remembered. Prints a
table in Markdown and exits with 1 if a cell is not as it should be. Takes about half an hour.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tests.support.places import ROOT
from tests.tools.mutations import Change, mutants, neutral, planted

LIMIT: Final = 900
"""Seconds a command may take; on a cold cache most of them compile, for long on a busy machine."""
GAMES: Final = 24
"""Games that tell whether a mutant moves one; their seeds are those of no identity."""

FLAT, RANDOM = "flatmc:playouts=60", "random"
UCB, MOGO = "flatmc:allocation=ucb,playouts=200", "flatmc:policy=mogo,playouts=40"
PHANTOM = "phantom:net=stones4,judge=judge2,trust=300,fold=on,playouts=150"
MCTS = "mcts:playouts=40"
TWOLEVEL = "twolevel:playouts=6,inner=1,horizon=2"
IMPERFECT = "imperfect:worlds=1,inner=1,horizon=1"
HYBRID = "hybrid:playouts=6,inner=1,horizon=2,hidden=3,flat=50"
FILES: Final[Mapping[str, str]] = {
    RANDOM: "random_bot",
    FLAT: "belief deciding delegate flatmc montecarlo pace passing seeded worlds kernels/breath"
    " kernels/deal kernels/lanes kernels/lists kernels/playouts kernels/positions kernels/rows"
    " kernels/sample kernels/score kernels/stream kernels/tasks",
    UCB: "kernels/ucb",
    MOGO: "mogo kernels/board kernels/policy",
    PHANTOM: "features fold halving judge phantom stone_odds kernels/best kernels/chances kernels/judge"
    " kernels/net kernels/odds",
    MCTS: "mcts value kernels/ucbt kernels/uct",
    TWOLEVEL: "infosets twolevel",
    IMPERFECT: "imperfect",
    HYBRID: "hybrid",
}
"""Files of `bots` that decide moves, under a player who runs them.

Left out: how kernels are compiled, how specs are read, and bots that no book can be learned for.
"""

BOARD: Final = ("--size", "5", "--komi", "2.5")
BOOK: Final = "book:tiny.json"

LIBRARY = """
import sys, phantomgo as pg
if __name__ == "__main__":
    board, who, games, seeds = dict(size=5, komi=2.5), sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    doors = {
        "match": lambda: pg.play_match(who, "random", games=games, run=pg.Run(store="library.db"), **board),
        "learn": lambda: pg.learn(who, seeds=seeds, run=pg.Run(store="library-learn.db"), **board),
        "book": lambda: pg.play_match("book:tiny.json", "random", games=2, **board),
    }
    for name, door in doors.items():
        try:
            door()
        except pg.PhantomGoError as error:
            print(f"{name}: {error}", file=sys.stderr)
        else:
            print(name)
"""
SAMPLE = """
import hashlib, json, sys, phantomgo as pg
who, games = sys.argv[1], int(sys.argv[2])
found = []
for spec in (who, "book:tiny.json,force=on"):
    digest = hashlib.sha256()
    for seed in range(games):
        seeds = 10**6 + 2 * seed, 10**6 + 2 * seed + 1
        record = pg.play_game(spec, spec, size=5, komi=2.5, seeds=seeds)
        digest.update(repr([record.outcome.result, *((step.colour, step.move) for step in record.steps)]).encode())
    found.append(digest.hexdigest())
print(json.dumps(found))
"""
LIBRARY_DOORS: Final = ("match", "learn", "book")
IDENTITY: Final = re.compile(r"its (opening|games|own budget)|fingerprint is")
"""How a refusal for another identity reads."""
READY: Final = "Tables are at"
"""What the web server prints when it serves."""


@dataclass(frozen=True)
class Door:
    """A way to add to what was kept, or to play from the book.

    Attributes:
        words: of the command; `{who}` is the player, `{more}` a number that is larger later on.
        stdin: what it reads.
        kept: whether it adds to games of the player; else it plays from the book.
    """

    words: tuple[str, ...]
    stdin: str = ""
    kept: bool = False

    def command(self, who: str, more: int, port: int) -> list[str]:
        """Its words, for a player."""
        given = {
            "out": "tiny" if more == FIRST else "later",
            "who": who,
            "more": more,
            "port": port,
            "against": FLAT if who == RANDOM else RANDOM,
        }
        script = [word.format(**given) for word in self.words[1:]]
        if self.words[0] == "library":
            return [sys.executable, "-c", LIBRARY, *script]
        return [sys.executable, "-m", "phantomgo", self.words[0], *script]


def door(words: str, stdin: str = "", *, kept: bool = False) -> Door:
    """A door whose words are separated by spaces."""
    return Door(tuple(words.split()), stdin, kept)


_BOARD = " ".join(BOARD)
DOORS: Final[Mapping[str, Door]] = {
    "learn": door(
        f"learn --bot {{who}} {_BOARD} --seeds {{more}} --test-seeds 0 --workers 1"
        " --store learn.db --out {out}.json",
        kept=True,
    ),
    "match": door(
        f"match --black {{who}} --white random {_BOARD} --games {{more}} --store match.db",
        kept=True,
    ),
    "match (book)": door(
        f"match --black {BOOK} --white random {_BOARD} --games {{more}} --store book.db"
    ),
    "match (equal)": door(
        f"match --players {{who}} {{against}} {_BOARD} --games {{more}}"
        " --milliseconds 0.2 --store equal.db",
        kept=True,
    ),
    "book check": door("book check tiny.json"),
    "gtp": door("gtp --book tiny.json", "genmove b\nquit\n"),
    "play": door("play --book tiny.json --colour w", "pass\nquit\ny\n"),
    "web": door(
        f"web --port {{port}} --data web.db --opponents tiny={BOOK}"
        " --lay opponent=tiny,size=5,komi=2.5,colour=white"
    ),
    "library": door("library {who} {more} {more}", kept=True),
}
FIRST, LATER = 2, 4
"""Games of a match, and seeds learned: before the mutation and after it."""


def player_of(file: str) -> str:
    """Who runs a file."""
    return next(who for who, files in FILES.items() if file in files.split())


# Doors


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


class Copy:
    """A copy of the checkout, with what its unmutated bots left behind for each player.

    Attributes:
        root: the copy of the sources.
        cache: where it keeps machine code and identities.
    """

    def __init__(self, folder: Path) -> None:
        self.root, self.cache = folder / "checkout", folder / "cache"
        self._before = folder / "before"
        for name in ("bots", "gtp", "phantomgo", "books"):
            skipped = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, self.root / name, ignore=skipped)
        self._made: dict[str, list[str]] = {}

    def before(self, who: str) -> tuple[Path, list[str]]:
        """What a player left behind, and the digests of the games that tell mutants.

        Raises:
            RuntimeError: a door does not let the unmutated copy through.
        """
        folder = self._before / str(sorted(FILES).index(who))
        if who not in self._made:
            folder.mkdir(parents=True)
            for name in DOORS:
                state, said = self.ask(name, who, FIRST, folder)
                if state != ACCEPTED:
                    raise RuntimeError(f"{name} with {who}: {state}: {said}")
            self._made[who] = self.sample(who, folder)
        return folder, self._made[who]

    def sample(self, who: str, folder: Path) -> list[str]:
        """The digests of some games of a player, and of the book's; none if they break down."""
        code, out, _ = self._run([sys.executable, "-c", SAMPLE, who, str(GAMES)], folder)
        return list(json.loads(out)) if code == 0 else []

    def ask(self, name: str, who: str, more: int, folder: Path) -> tuple[str, str]:
        """What becomes of a door, and what it said."""
        door = DOORS[name]
        command = door.command(who, more, free_port())
        code, out, said = self._run(command, folder, door.stdin)
        refused = code == 1 and IDENTITY.search(said) is not None
        if name == "library":  # three doors in one: each prints its name if it lets them through
            through, kept_out = out.split(), len(IDENTITY.findall(said))
            if code == 0 and 0 < len(through) < len(LIBRARY_DOORS):
                return f"{ACCEPTED}: {', '.join(through)}", said
            refused = code == 0 and kept_out >= len(LIBRARY_DOORS)
            code = 0 if through else 1
        if refused:
            return REFUSED, said
        if code == KILLED:
            return HANGS, said
        return ACCEPTED if READY in out or code == 0 else BROKE, said

    def _run(self, command: list[str], where: Path, stdin: str = "") -> tuple[int, str, str]:
        """The exit code of a command, and what it wrote. A server is ended once it serves."""
        environment = os.environ | {
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(self.cache),
            "XDG_STATE_HOME": str(where / "state"),
        }
        files = [where / f".{name}" for name in ("in", "out", "err")]
        files[0].write_text(stdin)
        with files[0].open() as given, files[1].open("w") as out, files[2].open("w") as err:
            process = subprocess.Popen(
                ["timeout", "--signal=KILL", str(LIMIT), *command],
                cwd=where,
                env=environment,
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
            until = time.monotonic() + LIMIT
            while process.poll() is None and time.monotonic() < until:
                if READY in files[1].read_text():
                    break
                time.sleep(0.05)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        return process.wait(), files[1].read_text(), files[2].read_text()


ACCEPTED, REFUSED, BROKE, HANGS = "accepted", "REFUSED", "broke", "hangs"
KILLED: Final = -signal.SIGKILL
"""The exit code of a command that took longer than LIMIT."""


@dataclass(frozen=True)
class Row:
    """What became of a change.

    Attributes:
        change: the change.
        who: whose games were kept.
        moved: whether the games of the player, and of the book, moved; None if they broke down.
        cells: what became of each door.
        said: what the doors that broke said at last.
    """

    change: Change
    who: str
    moved: tuple[bool, bool] | None
    cells: Mapping[str, str]
    said: Mapping[str, str]

    @property
    def wrong(self) -> list[str]:
        """The doors that did what they should not.

        A neutral change has to be accepted. A mutant whose games moved must be accepted nowhere:
        it is refused, or breaks down and keeps nothing. Whether it moved a game is told by the
        sample, or by any door that refuses it, since an identity consists of games too. A mutant
        whose sample broke down (out of bounds, say) behaves at random, and nothing is expected.
        """
        if self.change.kind != "mutant":
            return [name for name, state in self.cells.items() if state != ACCEPTED]
        if self.moved is None:
            return []
        player, book = self.moved
        refused = any(self.cells[name] == REFUSED for name in DOORS if name != "library")
        return [
            name
            for name, state in self.cells.items()
            if (player or refused or (book and not DOORS[name].kept))
            and state not in (REFUSED, BROKE, HANGS)
        ]


def tried(copy: Copy, change: Change, folder: Path, games: list[str], *, warm: bool) -> Row:
    """What becomes of a change at every door of a copy, after what a player left in a folder."""
    who = player_of(change.file)
    warm_cache = copy.cache
    with tempfile.TemporaryDirectory() as place, planted(copy.root / "bots", change):
        work = Path(place, "work")
        shutil.copytree(folder, work)
        if not warm:
            copy.cache = Path(place, "cache")
        try:
            asked = dict[str, tuple[str, str]]()
            for name in DOORS:  # a mutant that hangs at one of them plays no game to its end
                hung = HANGS in (state for state, _ in asked.values())
                asked[name] = (HANGS, "") if hung else copy.ask(name, who, LATER, work)
            # Games do not depend on caches, so those of one copy will do.
            hung = HANGS in (state for state, _ in asked.values())
            now = [] if hung else copy.sample(who, work) if warm else games
        finally:
            copy.cache = warm_cache
    said = {name: words[-300:] for name, (state, words) in asked.items() if state == BROKE}
    moved = (now[0] != games[0], now[1] != games[1]) if now else None
    return Row(change, who, moved, {name: state for name, (state, _) in asked.items()}, said)


HEADER: Final = ("place", "change", "games", *DOORS)


def line(cold: Row, warm: Row) -> str:
    """A row of the table in Markdown, from those on a cold and on a warm cache."""
    change = cold.change
    player, book = cold.moved or (False, False)
    games = "moved" if player else "the book's moved" if book else "same" if cold.moved else "broke"
    cells = [
        state if state == warm.cells[name] else f"cold {state}, warm {warm.cells[name]}"
        for name, state in cold.cells.items()
    ]
    shown = change.shown.replace("|", "\\|")
    return f"| {change.file}.py:{change.line} | {shown} | {games} | {' | '.join(cells)} |"


def main() -> int:
    """Try every change on both caches and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", default="1-", metavar="FIRST-LAST", help="only these rows")
    parser.add_argument("--files", nargs="+", metavar="FILE", help="mutants of these files alone")
    parser.add_argument("--list", action="store_true", help="print the changes and try none")
    arguments = parser.parse_args()
    random_ = random.Random(arguments.seed)
    files = " ".join(FILES.values()).split()
    kernels = [file for file in files if "/" in file]
    others = [file for file in files if "/" not in file]
    if arguments.files:
        changes = mutants(random_, arguments.files, arguments.mutants)
    else:
        half = arguments.mutants // 2
        changes = mutants(random_, others, arguments.mutants - half)
        changes += mutants(random_, kernels, half)
        random_.shuffle(changes)
        changes[:0] = [*neutral(random_, others), *neutral(random_, kernels)]
    first, _, last = arguments.rows.partition("-")
    changes = changes[int(first) - 1 : int(last) if last else None]
    if arguments.list:
        for change in changes:
            print(f"{change.file}.py:{change.line}  {change.shown}")
        return 0
    print(f"| {' | '.join(HEADER)} |\n{'|---' * len(HEADER)}|", flush=True)
    failed = False
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(2) as threads:
        cold, warm = (Copy(Path(place, name)) for name in ("cold", "warm"))
        for change in changes:
            left = warm.before(player_of(change.file))
            both = [
                threads.submit(tried, copy, change, *left, warm=copy is warm)
                for copy in (cold, warm)
            ]
            rows = [one.result() for one in both]
            rows[0] = replace(rows[0], moved=rows[1].moved)
            print(line(*rows), flush=True)
            for row in rows:
                failed = failed or bool(row.wrong)
                for name in {*row.wrong, *row.said}:
                    what = "broke" if name in row.said else "UNEXPECTED"
                    print(
                        f"{change.file}.py:{change.line}: {name} {what}: {row.said.get(name, '')}",
                        file=sys.stderr,
                        flush=True,
                    )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
