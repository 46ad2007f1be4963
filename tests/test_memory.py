"""What flatmc's memory of refused points is worth: a match against its twin without any.

Slow: a thousand games on all cores.
"""

import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import pytest

from bots.flatmc import FlatMC
from phantomgo.game import play_game
from phantomgo.points import BLACK, WHITE, Move
from phantomgo.rules import Rules
from phantomgo.view import View

RULES = Rules(size=7)
PLAYOUTS = 200
SEED = 30_000


@dataclass(frozen=True)
class Forgetful(FlatMC):
    """flatmc that knows of refusals in this turn only.

    So nothing refused before is presumed a stone or left out of the candidates. What a refusal
    made certain when it happened stays known, as it is to anybody who has a view.
    """

    def propose_within(self, view: View, seconds: float) -> Move:
        recent = tuple(r for r in view.refused if r.turn == view.turn)
        return super().propose_within(view._replace(refused=recent), seconds)


def game(number: int) -> tuple[bool, int, int]:
    """Whether flatmc beats the forgetful one, and the refusals of each; Black in even games."""
    flatmc = FlatMC(SEED + 2 * number, PLAYOUTS)
    forgetful = Forgetful(SEED + 2 * number + 1, PLAYOUTS)
    colour = WHITE if number % 2 else BLACK
    players = (flatmc, forgetful) if colour is BLACK else (forgetful, flatmc)
    record = play_game(RULES, *players)
    refused = [attempt.colour for attempt in record.attempts if attempt.reason is not None]
    return record.outcome.winner is colour, refused.count(colour), refused.count(colour.other)


@pytest.mark.slow
def test_memory_saves_refusals_at_no_loss_of_strength(games: int = 1000):
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(game, range(games), chunksize=10))
    share = sum(won for won, _, _ in results) / games
    error = 1.96 * math.sqrt(share * (1 - share) / games)
    with_memory, without = (sum(counts) / games for counts in list(zip(*results, strict=True))[1:])
    print(
        f"refusals per game {with_memory:.1f} with memory, {without:.1f} without;"
        f" wins with memory {share:.1%} +- {error:.1%}"
    )
    assert with_memory <= 0.7 * without
    assert share + error >= 0.5
