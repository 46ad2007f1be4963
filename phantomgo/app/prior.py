"""`phantomgo prior`: learn from games where hidden stones stand, and write a net.

The games are those of matches (`phantomgo match --store`). Training needs the extra `train`
(PyTorch); playing does not.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import phantomgo
from phantomgo.app.numbers import natural
from phantomgo.app.progress import progress
from phantomgo.errors import BadText
from phantomgo.lab.records import records
from phantomgo.lab.workers import Workers, checked_jobs, cores, workers
from phantomgo.portfolio.shelf import NAME
from phantomgo.record import Record
from phantomgo.record_json import read_record

CHUNK: Final = 20
"""Games that a worker replays at a time."""

Bytes = NDArray[np.uint8]


class Positions(NamedTuple):
    """What players knew before their attempts, and where the enemy's stones were.

    Attributes:
        planes: what the net sees, shape (positions, planes, size, size) in units of
            1 / bots.kernels.net.VALUE.
        stones: the enemy's, shape (positions, size, size).
    """

    planes: Bytes
    stones: Bytes


class Game(NamedTuple):
    """What is said of a game that a net has learned from."""

    size: int
    komi: float
    players: tuple[str, ...]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "games", nargs="+", metavar="FILE", help="matches: stores, or records, one on a line"
    )
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")
    parser.add_argument("--channels", type=natural, default=24, help="of a layer (default 24)")
    parser.add_argument("--layers", type=natural, default=4, help="default 4")
    parser.add_argument("--steps", type=natural, default=12_000, help="default 12000")
    parser.add_argument("--out", required=True, metavar="FILE", help="the net to write: NAME.json")


def run(arguments: argparse.Namespace) -> int:
    jobs = checked_jobs(arguments.jobs)
    out = _net_path(arguments.out)
    texts = [text for path in arguments.games for _, text in records(path)]
    played: Counter[Game] = Counter()
    games: list[Positions] = []
    with progress("games replayed", len(texts)) as advance, workers(jobs) as crew:
        for game, seen in _replayed(texts, crew):
            played[game] += 1
            games.append(seen)
            advance(1)
    from phantomgo.app.training import train  # noqa: PLC0415  (torch, two seconds)

    provenance = [{**game._asdict(), "games": count} for game, count in sorted(played.items())]
    shape = [arguments.channels] * arguments.layers
    train(games, shape, arguments.steps, provenance, out)
    return 0


def _net_path(text: str) -> Path:
    """The file to write.

    Raises:
        BadText: it is not called NAME.json, or would be among the nets that are bundled.
    """
    path = Path(text)
    if path.suffix != ".json" or not NAME.fullmatch(path.stem):
        raise BadText(f"--out {text[:60]} is not NAME.json with NAME as in {NAME.pattern}")
    if path.resolve().is_relative_to(Path(phantomgo.__file__).parents[1] / "bots"):
        raise BadText(f"--out {text[:60]} is inside the package, which no command writes into")
    return path


def _replayed(texts: list[str], crew: Workers) -> Iterator[tuple[Game, Positions]]:
    chunks = [texts[i : i + CHUNK] for i in range(0, len(texts), CHUNK)]
    for done in crew.map(_positions_of, None, chunks):
        yield from done


def _positions_of(_: None, texts: list[str]) -> list[tuple[Game, Positions]]:
    found = []
    for text in texts:
        record = read_record(text)
        players = tuple(sorted((record.black.name, record.white.name)))
        game = Game(record.rules.size, record.rules.komi, players)
        found.append((game, positions(record)))
    return found


def positions(record: Record) -> Positions:
    """The views of a game that have hidden stones, before each attempt."""
    from bots.features import PLANES, planes  # noqa: PLC0415
    from bots.kernels.net import inside  # noqa: PLC0415  (compiled code)
    from bots.worlds import as_flags  # noqa: PLC0415

    size, referee = record.rules.size, record.begin()
    seen, stones = [], []
    for step in record.steps:
        view = referee.view(step.colour)
        if view.hidden:
            seen.append(inside(planes(view), size).astype(np.uint8))
            enemies = referee.board.stones(step.colour.other)
            stones.append(as_flags(enemies, size).reshape(size, size))
        referee.attempt(step.colour, step.move)
    return Positions(
        np.array(seen, np.uint8).reshape(-1, len(PLANES), size, size),
        np.array(stones, np.uint8).reshape(-1, size, size),
    )
