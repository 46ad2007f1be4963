"""The Swiss system, whose later rounds follow from earlier results.

A meeting is some pairs of games with colours swapped. A game that one player forfeits is a point
for the other one.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from phantomgo.match import pairing
from phantomgo.match.schedule import Fixtures, Stage, Stages


@dataclass(frozen=True)
class Swiss(Fixtures):
    """In each round players with similar points meet, if possible for the first time.

    Each meeting has both colours (pairing.py). With an odd number of players one has a bye, and the
    points of a won meeting.

    Attributes:
        rounds: the number of rounds.
    """

    rounds: int = 1

    @property
    def total(self) -> int:
        return self.rounds * (self.players // 2) * self.games

    def stages(self) -> Stages:
        points: Counter[int] = Counter()
        met: list[tuple[int, int]] = []
        byes: list[int] = []
        absent: frozenset[int] = frozenset()
        for number in range(self.rounds):
            there = [player for player in range(self.players) if player not in absent]
            if len(there) < 2:
                continue
            scores = tuple(points[player] / self.games for player in there)
            seed = self._seed(number)
            found = _swiss(tuple(there), tuple(met), tuple(byes), scores, seed)
            met += found.games
            numbers = self._meetings(found.games, number)
            seen = yield Stage(f"round {number + 1}", numbers, found.odd)
            absent = seen.aside
            for scored in seen.points.values():
                points.update(scored)
            if found.odd is not None:
                byes.append(found.odd)
                points[found.odd] += self.games

    def _meetings(self, pairs: Iterable[tuple[int, int]], number: int) -> list[int]:
        first = number * self.games // 2
        return [n for pair in pairs for n in self.meeting(pair, first, self.games // 2)]


@lru_cache(1000)  # reports go through all rounds again
def _swiss(
    players: tuple[int, ...],
    met: tuple[tuple[int, int], ...],
    rested: tuple[int, ...],
    points: tuple[float, ...],
    seed: int,
) -> pairing.Pairs:
    return pairing.swiss(players, met, rested, dict(zip(players, points, strict=True)), seed)
