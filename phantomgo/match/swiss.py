"""The Swiss system, whose later rounds follow from earlier results.

A meeting is some pairs of games with colours swapped. A game that one player forfeits is a point
for the other one. Nobody meets an opponent again while that can be avoided, and players of similar
points meet. A round is the matching of least total cost, found by an integer program, so no order
of players can lead to a dead end, as with a greedy rule.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from phantomgo.match.schedule import Fixtures, Stage, Stages
from phantomgo.rng import Stream

POINTS_COST: Final = 16
"""Cost of a difference of one point; it grows with the square of the difference."""
AGAIN_COST: Final = 20_000
"""Cost of each earlier meeting of two players, once everybody has met everybody."""
DRAW_COST: Final = 1e-5
"""Unit of the random tie-break, drawn below 1000: together less than any other cost in a round of
64 players.
"""
NEAR: Final = 12
"""Ranks between two players who meet, unless some have to look farther for an opponent."""
NODES: Final = 1000
"""Branches of the search after which the best matching found so far is taken."""


@dataclass(frozen=True)
class Swiss(Fixtures):
    """In each round players with similar points meet, if possible for the first time.

    Each meeting has both colours. With an odd number of players one has a bye, and the
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
            found = next_round(tuple(there), tuple(met), tuple(byes), scores, seed)
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


class Pairs(NamedTuple):
    """The pairs of players of a round, and the player who is left over; None if there is none."""

    games: tuple[tuple[int, int], ...]
    odd: int | None


@lru_cache(1000)  # reports go through all rounds again
def next_round(
    players: tuple[int, ...],
    met: tuple[tuple[int, int], ...],
    rested: tuple[int, ...],
    points: tuple[float, ...],
    seed: int,
) -> Pairs:
    """Return the next round, the same for the same arguments.

    Args:
        players: who plays.
        met: all earlier meetings, also of others.
        rested: players left over in earlier rounds; they are paired now if possible.
        points: of each of the players.
        seed: decides between pairings that are equally good.
    """
    if len(players) < 2:
        return Pairs((), players[0] if players else None)
    scores = dict(zip(players, points, strict=True))
    edges = _edges(players, Counter(map(frozenset, met)), Counter(rested), scores, Stream(seed))
    matched = _cheapest(edges, len(players))
    pairs = tuple((one, other) for one, other in matched if other is not None)
    return Pairs(pairs, next((one for one, other in matched if other is None), None))


class _Edge(NamedTuple):
    """Two players who may meet; the second is None if the first may be left over.

    Attributes:
        ends: the players.
        apart: how far apart their places are when players are ranked by points.
        again: how often they have met.
        cost: of having them meet.
    """

    ends: tuple[int, int | None]
    apart: int
    again: int
    cost: float


def _edges(
    players: Sequence[int],
    met: Mapping[frozenset[int], int],
    had: Mapping[int, int],
    scores: Mapping[int, float],
    stream: Stream,
) -> list[_Edge]:
    edges = []
    place = {player: n for n, player in enumerate(players)}
    ranked = sorted(players, key=lambda player: (-scores[player], stream.below(1 << 32)))
    for (i, one), (j, other) in combinations(enumerate(ranked), 2):
        difference = scores[one] - scores[other]
        ends = (one, other) if place[one] < place[other] else (other, one)
        edges.append(_Edge(ends, j - i, met[frozenset((one, other))], POINTS_COST * difference**2))
    if len(players) % 2:
        lowest = scores[ranked[-1]]
        for player in players:
            above = scores[player] - lowest
            edges.append(_Edge((player, None), 0, had[player], 2 * POINTS_COST * above**2))
    lots = (stream.below(1000) * DRAW_COST for _ in edges)
    return [
        edge._replace(cost=edge.cost + AGAIN_COST * edge.again + lot)
        for edge, lot in zip(edges, lots, strict=True)
    ]


def _cheapest(edges: Sequence[_Edge], players: int) -> list[tuple[int, int | None]]:
    """The cheapest pairing among those whose most frequent meeting is as rare as possible.

    Players whose ranks are far apart are tried only if there is no pairing without them.
    """
    everybody = {player for edge in edges for player in edge.ends}
    for most in sorted({edge.again for edge in edges}):
        for reach in dict.fromkeys((min(NEAR, players), players)):
            allowed = [edge for edge in edges if edge.again <= most and edge.apart <= reach]
            somebody = {player for edge in allowed for player in edge.ends}
            if somebody == everybody and (chosen := _matching(allowed)) is not None:
                return chosen
    raise AssertionError("a complete graph has a perfect matching")


def _matching(edges: Sequence[_Edge]) -> list[tuple[int, int | None]] | None:
    """The perfect matching of least cost; None if there is none, or none is found."""
    import numpy as np  # noqa: PLC0415  (both take a third of a second)
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415
    from scipy.sparse import csc_array  # noqa: PLC0415

    nodes = {node: n for n, node in enumerate(dict.fromkeys(n for e in edges for n in e.ends))}
    rows = [nodes[node] for edge in edges for node in edge.ends]
    incident = csc_array((np.ones(len(rows)), rows, range(0, len(rows) + 1, 2)))
    ones = np.ones(len(nodes))
    found = milp(
        np.array([edge.cost for edge in edges]),
        integrality=np.ones(len(edges)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(incident, ones, ones),
        options={"mip_rel_gap": 0, "node_limit": NODES},  # no time limit: rounds are repeatable
    )
    if found.x is None:
        return None
    return [edges[n].ends for n in np.flatnonzero(found.x > 0.5).tolist()]
