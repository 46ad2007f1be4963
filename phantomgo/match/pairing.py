"""Pairings of the next Swiss round, by minimum-cost perfect matching.

Nobody meets an opponent again while that can be avoided, players of similar points
meet, and colours stay balanced. The round is one matching of least total cost, found by an integer
program, so no order of players can lead to a dead end, as with a greedy rule.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from phantomgo.rng import Stream

POINTS_COST: Final = 16
"""Cost of a difference of one point; it grows with the square of the difference."""
COLOUR_COST: Final = 1
"""Cost of two players who both lack the same colour once."""
UNFAIR_COST: Final = 1000
"""Cost of giving a player a colour they have already had two times too often."""
AGAIN_COST: Final = 10_000
"""Cost of each earlier meeting of two players, once everybody has met everybody."""
DRAW_COST: Final = 1e-5
"""Unit of the random tie-break, drawn below 1000: together less than any other cost in a round of
64 players.
"""
NEAR: Final = 12
"""Ranks between two players who meet, unless some have to look farther for an opponent."""
NODES: Final = 1000
"""Branches of the search after which the best matching found so far is taken."""


class Pairing(NamedTuple):
    """A game of a round, as numbers of players."""

    black: int
    white: int


class Round(NamedTuple):
    """The games of a round, and the player who is left over; None if there is none."""

    games: tuple[Pairing, ...]
    odd: int | None


def swiss(
    players: Sequence[int],
    played: Iterable[Pairing] = (),
    rested: Iterable[int] = (),
    points: Mapping[int, float] | None = None,
    seed: int = 0,
) -> Round:
    """Return the next round of a Swiss tournament, the same for the same arguments.

    Args:
        players: who plays.
        played: all earlier games, also of others.
        rested: players left over in earlier rounds; they are paired now if possible.
        points: of the players; without them only meetings and colours count.
        seed: decides between pairings that are equally good.
    """
    if len(players) < 2:
        return Round((), players[0] if players else None)
    history, had, scores = tuple(played), Counter(rested), points or {}
    met = Counter(frozenset(game) for game in history)
    balance = Counter(game.black for game in history)
    balance.subtract(game.white for game in history)
    edges = _edges(players, met, had, balance, scores, Stream(seed))
    games, odd = [], None
    for one, other in _cheapest(edges, len(players)):
        if other is None:
            odd = one
        else:
            games.append(_coloured(one, other, history, balance))
    return Round(tuple(games), odd)


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
    balance: Mapping[int, int],
    scores: Mapping[int, float],
    stream: Stream,
) -> list[_Edge]:
    edges = []
    place = {player: n for n, player in enumerate(players)}
    ranked = sorted(players, key=lambda player: (-scores.get(player, 0.0), stream.below(1 << 32)))
    for (i, one), (j, other) in combinations(enumerate(ranked), 2):
        difference = scores.get(one, 0.0) - scores.get(other, 0.0)
        cost = POINTS_COST * difference**2 + _clash(balance[one], balance[other])
        ends = (one, other) if place[one] < place[other] else (other, one)
        edges.append(_Edge(ends, j - i, met[frozenset((one, other))], cost))
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


def _clash(one: int, other: int) -> float:
    """The cost of the colours of two players, by Black's games less White's of each."""
    if one * other <= 0:
        return 0
    less = min(abs(one), abs(other))
    return COLOUR_COST * less**2 + (UNFAIR_COST if less >= 2 else 0)


def _coloured(
    one: int, other: int, history: Sequence[Pairing], balance: Mapping[int, int]
) -> Pairing:
    """Give Black to whoever has played it less; if equal, to whoever has not had it for longer."""
    if balance[one] == balance[other]:
        for game in reversed(history):
            for player, opponent in ((one, other), (other, one)):
                if game.black == player:
                    return Pairing(opponent, player)
                if game.white == player:
                    return Pairing(player, opponent)
    black = min((one, other), key=lambda player: balance[player])
    return Pairing(black, other if black == one else one)


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
