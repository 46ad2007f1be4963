"""Pairings of the next round: round robin, and Swiss by minimum-cost perfect matching.

In a Swiss round nobody meets an opponent again while that can be avoided, players of similar points
meet, and colours stay balanced. All of it is one matching of least total cost, found as an integer
program, so there is no order of players that could lead a greedy rule into a corner.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from phantomgo.rng import Stream

POINTS_COST: Final = 16
"""Of a difference of one point, squared."""
COLOUR_COST: Final = 1
"""Of two players who both lack the same colour once."""
UNFAIR_COST: Final = 1000
"""Of giving somebody a colour they already have had two times too often."""
AGAIN_COST: Final = 10_000
"""Of each earlier meeting of two players, where everybody has met everybody."""
DRAW_COST: Final = 1e-5
"""Of the lot, drawn below 1000: less than anything else, in a round of 64 players."""
LONGEST: Final = 10.0
"""Seconds until the best matching found so far is taken; 64 players take a tenth of one."""


class Pairing(NamedTuple):
    """A game of a round, as numbers of players."""

    black: int
    white: int


class Round(NamedTuple):
    """The games of a round, and who is left over; None if nobody is."""

    games: tuple[Pairing, ...]
    odd: int | None


def round_robin(players: Sequence[int], number: int) -> Round:
    """Return round `number`, from 0, in which everybody meets everybody (Berger's tables).

    With an even number of players a cycle takes `len(players) - 1` rounds, with an odd one
    `len(players)`. The next cycle has the same games with the colours changed.
    """
    places: list[int | None] = [*players, *([None] if len(players) % 2 else [])]
    last = len(places) - 1
    if last < 1:
        return Round((), None)
    cycle, turn = divmod(number, last)
    ends = places[last], places[turn]
    meetings = [ends[::-1] if turn % 2 else ends]
    for n in range(1, last // 2 + 1):
        meetings.append((places[(turn - n) % last], places[(turn + n) % last]))
    games, odd = [], None
    for black, white in meetings:
        if black is None or white is None:
            odd = white if black is None else black
        else:
            games.append(Pairing(white, black) if cycle % 2 else Pairing(black, white))
    return Round(tuple(games), odd)


def swiss(
    players: Sequence[int],
    played: Iterable[Pairing] = (),
    rested: Iterable[int] = (),
    points: Mapping[int, float] | None = None,
    seed: int = 0,
) -> Round:
    """Return the next round of a Swiss tournament.

    Args:
        players: who plays.
        played: all earlier games, also of others.
        rested: who was left over in earlier rounds; nobody is a second time while avoidable.
        points: of the players; without them only meetings and colours count.
        seed: decides between pairings that are equally good.
    """
    if len(players) < 2:
        return Round((), players[0] if players else None)
    history = tuple(played)
    met = Counter(frozenset(game) for game in history)
    had, scores = Counter(rested), points or {}
    balance = Counter(game.black for game in history)
    balance.subtract(game.white for game in history)
    lowest = min(scores.get(player, 0.0) for player in players)
    stream = Stream(seed)
    edges: list[tuple[int, int | None, int, float]] = []  # two players, meetings, cost
    for one, other in combinations(players, 2):
        apart = scores.get(one, 0.0) - scores.get(other, 0.0)
        cost = POINTS_COST * apart**2 + _clash(balance[one], balance[other])
        edges.append((one, other, met[frozenset((one, other))], cost))
    if len(players) % 2:
        for player in players:
            above = scores.get(player, 0.0) - lowest
            edges.append((player, None, had[player], 2 * POINTS_COST * above**2))
    draw = [stream.below(1000) * DRAW_COST for _ in edges]
    for most in sorted({meetings for _, _, meetings, _ in edges}):
        allowed = [n for n, edge in enumerate(edges) if edge[2] <= most]
        costs = [edges[n][3] + AGAIN_COST * edges[n][2] + draw[n] for n in allowed]
        chosen = _matching([edges[n][:2] for n in allowed], costs)
        if chosen is not None:
            break
    else:
        raise AssertionError("a complete graph has a perfect matching")
    games, odd = [], None
    for n in chosen:
        first, second = edges[allowed[n]][:2]
        if second is None:
            odd = first
        else:
            games.append(_coloured(first, second, history, balance))
    return Round(tuple(games), odd)


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


def _matching(edges: Sequence[tuple[int, int | None]], costs: Sequence[float]) -> list[int] | None:
    """The edges of a perfect matching of least cost; None if there is no perfect matching."""
    import numpy as np  # noqa: PLC0415  (both take a third of a second)
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415

    rows = {node: n for n, node in enumerate(dict.fromkeys(n for edge in edges for n in edge))}
    incident = np.zeros((len(rows), len(edges)))
    for column, edge in enumerate(edges):
        for node in edge:
            incident[rows[node], column] = 1
    ones = np.ones(len(rows))
    found = milp(
        np.array(costs),
        integrality=np.ones(len(edges)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(incident, ones, ones),
        options={"mip_rel_gap": 0, "time_limit": LONGEST},
    )
    return None if found.x is None else [int(n) for n in np.flatnonzero(found.x > 0.5)]
