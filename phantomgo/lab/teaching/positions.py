"""Training positions: what the players of recorded games knew, and the truth."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.features import SEEN, planes
from bots.worlds import as_flags
from phantomgo.lab.run.progress import Advance
from phantomgo.lab.run.tasks import Workers
from phantomgo.record import Record
from phantomgo.record_json import read_record

Bytes = NDArray[np.uint8]
CHUNK: Final = 20
"""Games in a worker's task."""


class Positions(NamedTuple):
    """The views before attempts as planes, and a net's target for every point.

    Attributes:
        planes: what the net sees, shape (positions, planes, size, size) in units of
            1 / bots.kernels.net.VALUE.
        truth: the target, shape (positions, size, size): 1 where enemy stones are, else 0; or each
            candidate's advantage over the others (phantomgo/lab/teaching/lessons.py).
    """

    planes: Bytes
    truth: NDArray[np.int16]


class Origin(NamedTuple):
    """The description of a game that was learned from."""

    size: int
    komi: float
    players: tuple[str, ...]


GamePositions: TypeAlias = tuple[Origin, Positions]


def positions_in(text: str) -> GamePositions:
    """The positions of a record's text in the views of both players, and its description.

    Raises:
        BadText: the text is not a record.
    """
    record = read_record(text)
    return origin(record), positions(record)


def origin(record: Record) -> Origin:
    """The description of a game."""
    players = tuple(sorted((record.black.name, record.white.name)))
    return Origin(record.rules.size, record.rules.komi, players)


def origins(games: Iterable[Origin]) -> list[dict[str, object]]:
    """The number of games of each kind, as a net's file lists them."""
    counted = sorted(Counter(games).items())
    return [
        {**game._asdict(), "players": [*game.players], "games": count} for game, count in counted
    ]


def positions(record: Record) -> Positions:
    """The views of a game that have hidden stones, before each attempt."""
    size, referee = record.rules.size, record.begin()
    seen, stones = [], []
    for step in record.steps:
        view = referee.view(step.colour)
        if view.hidden:
            seen.append(planes(view, len(SEEN)).reshape(-1, size, size).astype(np.uint8))
            enemies = referee.board.stones(step.colour.other)
            stones.append(as_flags(enemies, size).reshape(size, size))
        referee.attempt(step.colour, step.move)
    return Positions(
        np.array(seen, np.uint8).reshape(-1, len(SEEN), size, size),
        np.array(stones, np.int16).reshape(-1, size, size),
    )


def of_each(
    work: Callable[[str], GamePositions], texts: Sequence[str], workers: Workers, advance: Advance
) -> list[GamePositions]:
    """The positions of each record, in order; `work` is pickled."""
    chunks = [texts[i : i + CHUNK] for i in range(0, len(texts), CHUNK)]
    made = list[GamePositions]()
    for done in workers.map(_all, work, chunks):
        made += done
        advance(len(done))
    return made


def _all(work: Callable[[str], GamePositions], texts: Sequence[str]) -> list[GamePositions]:
    return [work(text) for text in texts]
