"""Records as arrays, for learning from recorded games."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phantomgo.errors import BadText
from phantomgo.game.planes import PLANES, attempts, planes, reward
from phantomgo.game.points import PASS, WHITE, members
from phantomgo.game.record import Record
from phantomgo.game.recording import replay
from phantomgo.game.referee import Referee


class Dataset(NamedTuple):
    """The attempts of all games, n in all, in their order.

    Attributes:
        game: shape (n,), int64: the number of the record, from 0.
        player: shape (n,), int8: 0 where Black attempted, 1 where White did.
        planes: shape (n, 8, size, size), float32: what the player knew, as `pg.Games` observes it.
        legal: shape (n, size * size + 1), bool: the legal actions, likewise.
        action: shape (n,), int64: what was attempted, as in `pg.Games`; size * size passes, and -1
            is not an action of `pg.Games`: the player resigned, or named a point off the board.
        refused: shape (n,), bool: the attempt was illegal.
        hidden: shape (n, size, size), bool: the enemy stones that the player had not located, known
            only to the referee.
        result: shape (n,), float32: what the player got in the end: 1, -1, or 0 without a winner.
    """

    game: NDArray[np.int64]
    player: NDArray[np.int8]
    planes: NDArray[np.float32]
    legal: NDArray[np.bool_]
    action: NDArray[np.int64]
    refused: NDArray[np.bool_]
    hidden: NDArray[np.bool_]
    result: NDArray[np.float32]


def dataset(records: Iterable[Record]) -> Dataset:
    """The attempts of games on boards of one size, as arrays.

    Args:
        records: the games, as `pg.play_game` returns them and `pg.read_record` reads them.

    Raises:
        BadText: there is none, or their boards differ in size.
        BadRecord: a record contradicts its rules.
    """
    records = list(records)
    for record in records:
        if not isinstance(record, Record):
            raise BadText(f"record {record!r:.40} is not a Record")
    sizes = sorted({record.rules.size for record in records})
    if len(sizes) != 1:
        raise BadText(f"a dataset is of games on boards of one size, not of sizes {sizes}")
    points = sizes[0] ** 2
    number = sum(len(record.steps) for record in records)
    arrays = Dataset(
        np.zeros(number, np.int64),
        np.zeros(number, np.int8),
        np.zeros((number, len(PLANES), *2 * sizes), np.float32),
        np.zeros((number, points + 1), np.bool_),
        np.zeros(number, np.int64),
        np.zeros(number, np.bool_),
        np.zeros((number, points), np.bool_),
        np.zeros(number, np.float32),
    )
    row = 0
    for game, record in enumerate(records):
        referee = Referee(record.rules, black=record.handicap)
        for step, after in replay(record):
            view = referee.view(step.colour)
            arrays.game[row], arrays.player[row] = game, step.colour is WHITE
            arrays.planes[row] = planes(view).transpose(2, 0, 1)
            arrays.legal[row] = attempts(view)
            on_board = 0 <= step.move < points
            arrays.action[row] = points if step.move == PASS else step.move if on_board else -1
            arrays.refused[row] = step.reason is not None
            stones = referee.board.stones(step.colour.other) & ~view.located
            arrays.hidden[row, list(members(stones))] = True
            arrays.result[row] = reward(record.outcome, step.colour)
            referee, row = after.copy(), row + 1
    return arrays._replace(hidden=arrays.hidden.reshape(number, *2 * sizes))
