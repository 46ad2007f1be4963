"""A table of results with its tie-break: points, then SOS, then SODOS."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from phantomgo.phrase import Phrase

TIE_BREAK: Final = Phrase(
    "Ties are broken by SOS, the sum of the opponents' points, then by SODOS, the sum of the points"
    " of those one has beaten (half of them for a draw)."
)


class Played(NamedTuple):
    """A game that counts: its players and their points."""

    black: int
    white: int
    black_points: float
    white_points: float


class Standing(NamedTuple):
    """A row of the table; players with the same points, SOS and SODOS share a rank."""

    rank: int
    player: int
    points: float
    sos: float
    sodos: float


def standings(
    players: Sequence[int], played: Iterable[Played], rested: Iterable[int] = ()
) -> list[Standing]:
    """Return the table, best first; a player left over in a round has a point for it."""
    points = dict.fromkeys(players, 0.0)
    met: dict[int, list[tuple[int, float]]] = {player: [] for player in players}
    for player in rested:
        points[player] += 1
    for black, white, black_points, white_points in played:
        points[black] += black_points
        points[white] += white_points
        met[black].append((white, black_points))
        met[white].append((black, white_points))
    keys = {
        player: (
            points[player],
            sum(points[opponent] for opponent, _ in met[player]),
            sum(points[opponent] * share for opponent, share in met[player]),
        )
        for player in players
    }
    ordered = sorted(players, key=lambda player: keys[player], reverse=True)
    sums = [keys[player] for player in ordered]
    return [Standing(1 + sums.index(keys[player]), player, *keys[player]) for player in ordered]
