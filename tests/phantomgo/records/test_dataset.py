"""Games that were played, as arrays."""

import numpy as np
import pytest

import phantomgo as pg
from phantomgo.game.planes import attempts, planes
from phantomgo.game.record import PlayerInfo
from phantomgo.game.recording import recorded_attempt
from phantomgo.records.dataset import dataset


def test_every_attempt_is_a_row_with_what_its_player_knew_and_did_not():
    records = [pg.play_game("flatmc:playouts=20", "random", size=4, seeds=(s, 1)) for s in (1, 2)]
    found, row = dataset(records), 0
    for number, record in enumerate(records):
        referee = pg.Referee(record.rules)
        for step in record.steps:
            colour, view = referee.to_move, referee.view(referee.to_move)
            assert (found.game[row], found.player[row]) == (number, colour is pg.WHITE)
            assert (found.planes[row].transpose(1, 2, 0) == planes(view)).all()
            assert (found.legal[row] == attempts(view)).all()
            assert found.action[row] == (16 if step.move == pg.PASS else step.move)
            assert found.refused[row] == (step.reason is not None)
            stones = pg.members(referee.board.stones(colour.other) & ~view.located)
            assert np.flatnonzero(found.hidden[row]).tolist() == list(stones)
            assert found.hidden[row].sum() == view.hidden
            assert found.result[row] == 2 * record.outcome.score(colour) - 1
            referee.attempt(colour, step.move)
            row += 1
    assert len(found.action) == row
    assert found.refused.any()


def test_boards_of_one_size():
    records = [pg.play_game("random", "random", size=size) for size in (2, 3)]
    with pytest.raises(pg.PhantomGoError, match=r"boards of one size, not of sizes \[2, 3\]"):
        dataset(records)
    with pytest.raises(pg.PhantomGoError, match=r"not of sizes \[\]"):
        dataset([])


def test_a_point_off_the_board_is_not_a_pass():
    referee = pg.Referee(pg.Rules(size=3))
    steps = [recorded_attempt(referee, move, 0) for move in (9, 4, pg.PASS, pg.RESIGN)]
    players = PlayerInfo("one"), PlayerInfo("two")
    found = dataset([pg.Record(referee.rules, *players, tuple(steps), referee.outcome, 0)])
    assert found.action.tolist() == [-1, 4, 9, -1]
    assert found.refused.tolist() == [True, False, False, False]
