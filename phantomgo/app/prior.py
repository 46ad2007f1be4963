"""`phantomgo prior`: learn from games where hidden stones stand, and write bots/prior.json.

Positions are kept in a folder, a file for every few games; the same command again plays on where
it stopped, then trains. Training needs the extra `train` (PyTorch); playing does not.
"""

import argparse
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phantomgo.app.numbers import komi, natural, whole
from phantomgo.app.progress import progress
from phantomgo.app.workers import cores, workers
from phantomgo.errors import BadText
from phantomgo.rules import Rules

GAMES_IN_A_FILE: Final = 20

Bytes = NDArray[np.uint8]


class Board(NamedTuple):
    """Games to play on one board."""

    size: int
    komi: float
    games: int


def board(text: str) -> Board:
    """SIZE:KOMI:GAMES."""
    parts = text.split(":")
    if len(parts) != 3:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not SIZE:KOMI:GAMES")
    return Board(natural(parts[0]), komi(parts[1]), natural(parts[2]))


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bots", nargs="+", required=True, metavar="SPEC", help="who plays")
    parser.add_argument(
        "--boards", nargs="+", type=board, required=True, metavar="SIZE:KOMI:GAMES",
        help="where: 9:5.5:1000",
    )  # fmt: skip
    parser.add_argument("--positions", required=True, metavar="DIR", help="where they are kept")
    parser.add_argument("--first-seed", type=whole, default=700_000, help="default 700000")
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")
    parser.add_argument("--channels", type=natural, default=24, help="of a layer (default 24)")
    parser.add_argument("--layers", type=natural, default=4, help="default 4")
    parser.add_argument("--steps", type=natural, default=20_000, help="default 20000")
    parser.add_argument("--out", metavar="FILE", help="the net to write; without it, only play")


def run(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.positions)
    folder.mkdir(parents=True, exist_ok=True)
    specs = _canonical(arguments.bots)
    files = [
        _File(folder, Rules(size=place.size, komi=place.komi), specs, first, count)
        for place in arguments.boards
        for first, count in _parts(arguments.first_seed, place.games)
    ]
    missing = [file for file in files if not file.path.exists()]
    with progress("files of games", len(missing)) as advance, workers(arguments.jobs) as executor:
        for _ in executor.map(_play_file, missing):
            advance(1)
    if arguments.out is None:
        return 0
    from phantomgo.app.training import train  # noqa: PLC0415  (torch, two seconds)

    provenance = {
        "bots": list(specs),
        "boards": [place._asdict() for place in arguments.boards],
        "first_seed": arguments.first_seed,
    }
    shape = [arguments.channels] * arguments.layers
    train([file.path for file in files], shape, arguments.steps, provenance, Path(arguments.out))
    return 0


class _File(NamedTuple):
    """The positions of some games, and where they are kept."""

    folder: Path
    rules: Rules
    specs: tuple[str, ...]
    first: int
    games: int

    @property
    def path(self) -> Path:
        """Named after all that its games depend on."""
        from bots.prior import PLANES  # noqa: PLC0415  (compiled code)

        made_for = repr((self.rules.as_dict(), self.specs, self.games, PLANES))
        digest = hashlib.sha256(made_for.encode()).hexdigest()[:12]
        return self.folder / f"{self.rules.size}x{self.rules.size}-{self.first}-{digest}.npz"


def _parts(first_seed: int, games: int) -> Iterator[tuple[int, int]]:
    """The first seed and the number of games of each file."""
    for done in range(0, games, GAMES_IN_A_FILE):
        yield first_seed + 2 * done, min(GAMES_IN_A_FILE, games - done)


def _canonical(specs: list[str]) -> tuple[str, ...]:
    import bots  # noqa: PLC0415

    for spec in specs:
        if spec.startswith(("gtp:", "book:")):
            raise BadText(f"{spec[:60]!r}: only our own bots play for this")
    return tuple(bots.make(spec, 0).name for spec in specs)


def _play_file(file: _File) -> None:
    games = [
        positions(file.rules, file.specs, file.first + 2 * number) for number in range(file.games)
    ]
    seen, stones = (np.concatenate(parts) for parts in zip(*games, strict=True))
    unfinished = file.path.with_suffix(".part")
    with unfinished.open("wb") as out:
        np.savez_compressed(out, planes=seen, stones=stones)
        out.flush()
        os.fsync(out.fileno())
    os.replace(unfinished, file.path)


def positions(rules: Rules, specs: tuple[str, ...], seed: int) -> tuple[Bytes, Bytes]:
    """The views of one game that have hidden stones, before each attempt; the seed draws who plays.

    Returns:
        What the net sees, shape (positions, planes, size, size) in units of
        1 / bots.kernels.net.VALUE; and the enemy's stones, shape (positions, size, size).
    """
    import bots  # noqa: PLC0415
    from bots.belief import believe  # noqa: PLC0415
    from bots.kernels.net import inside  # noqa: PLC0415
    from bots.prior import PLANES, planes  # noqa: PLC0415
    from bots.worlds import as_flags  # noqa: PLC0415
    from phantomgo.points import Colour  # noqa: PLC0415
    from phantomgo.referee import Referee  # noqa: PLC0415
    from phantomgo.rng import Stream  # noqa: PLC0415

    size, referee = rules.size, Referee(rules)
    players = {
        colour: bots.make(specs[Stream(seed + colour).below(len(specs))], seed + colour)
        for colour in Colour
    }
    seen, stones = [], []
    while referee.outcome is None:
        colour = referee.to_move
        view = referee.view(colour)
        belief = believe(view)
        if belief.hidden:
            seen.append(inside(planes(view, belief), size).astype(np.uint8))
            stones.append(as_flags(referee.board.stones(colour.other), size).reshape(size, size))
        referee.attempt(colour, players[colour].propose(view))
    return (
        np.array(seen, np.uint8).reshape(-1, len(PLANES), size, size),
        np.array(stones, np.uint8).reshape(-1, size, size),
    )
