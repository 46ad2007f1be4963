"""Pairings of the next round of a Swiss tournament, by minimum-cost perfect matching.

Nobody meets an opponent again while that can be avoided, and players of similar points meet. The
round is one matching of least total cost, found by an integer program, so no order of players can
lead to a dead end, as with a greedy rule. Each meeting has both colours.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

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


class Pairs(NamedTuple):
    """The pairs of players of a round, and the player who is left over; None if there is none."""

    games: tuple[tuple[int, int], ...]
    odd: int | None


def swiss(
    players: Sequence[int],
    met: Iterable[tuple[int, int]] = (),
    rested: Iterable[int] = (),
    points: Mapping[int, float] | None = None,
    seed: int = 0,
) -> Pairs:
    """Return the next round of a Swiss tournament, the same for the same arguments.

    Args:
        players: who plays.
        met: all earlier meetings, also of others.
        rested: players left over in earlier rounds; they are paired now if possible.
        points: of the players; without them only meetings count.
        seed: decides between pairings that are equally good.
    """
    if len(players) < 2:
        return Pairs((), players[0] if players else None)
    edges = _edges(
        players, Counter(map(frozenset, met)), Counter(rested), points or {}, Stream(seed)
    )
    pairs, odd = list[tuple[int, int]](), None
    for one, other in _cheapest(edges, len(players)):
        if other is None:
            odd = one
        else:
            pairs.append((one, other))
    return Pairs(tuple(pairs), odd)


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
    ranked = sorted(players, key=lambda player: (-scores.get(player, 0.0), stream.below(1 << 32)))
    for (i, one), (j, other) in combinations(enumerate(ranked), 2):
        difference = scores.get(one, 0.0) - scores.get(other, 0.0)
        ends = (one, other) if place[one] < place[other] else (other, one)
        edges.append(_Edge(ends, j - i, met[frozenset((one, other))], POINTS_COST * difference**2))
    if len(players) % 2:
        lowest = scores.get(ranked[-1], 0.0)
        for player in players:
            above = scores.get(player, 0.0) - lowest
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
