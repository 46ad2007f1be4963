"""Formats whose later rounds follow from earlier results: Swiss system and knockout.

In both a meeting is some pairs of games with colours swapped. A game that one player forfeits is a
point for the other one.
"""

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from phantomgo.match import pairing
from phantomgo.match.pairing import Pairing
from phantomgo.match.schedule import Fixtures, Seen, Stage, Stages

MOST_EXTRA: Final = 10
"""The most further pairs of games after a tied meeting; then the player listed first wins."""


@dataclass(frozen=True)
class InRounds(Fixtures):
    """A format whose later rounds follow from earlier results.

    Attributes:
        joins: by player, the round from which they take part, from 1; empty for all from the first.
    """

    joins: tuple[int, ...] = ()

    def joining(self, rounds: Collection[int]) -> list[int]:
        """The players who join in one of these rounds."""
        return [p for p in range(self.players) if (self.joins[p] if self.joins else 1) in rounds]


@dataclass(frozen=True)
class Swiss(InRounds):
    """In each round players with similar points meet, if possible for the first time.

    The pairing is that of pairing.py; each meeting has both colours. With an odd number
    of players one has a bye, and the points of a won meeting.
    """

    rounds: int = 1

    @property
    def total(self) -> int:
        there = (len(self.joining(range(1, number + 2))) for number in range(self.rounds))
        return sum(count // 2 for count in there) * self.games

    def stages(self) -> Stages:
        points: Counter[int] = Counter()
        met: list[Pairing] = []
        byes: list[int] = []
        absent: frozenset[int] = frozenset()
        for number in range(self.rounds):
            there = [p for p in self.joining(range(1, number + 2)) if p not in absent]
            if len(there) < 2:
                continue
            scores = tuple(points[player] / self.games for player in there)
            seed = self._seed(number)
            found = _swiss(tuple(there), tuple(met), tuple(byes), scores, seed)
            for one, other in found.games:
                met += [Pairing(one, other), Pairing(other, one)]
            numbers = self._meetings(found.games, number)
            seen = yield Stage(f"round {number + 1}", numbers, found.odd, number + 1)
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
    played: tuple[Pairing, ...],
    rested: tuple[int, ...],
    points: tuple[float, ...],
    seed: int,
) -> pairing.Round:
    return pairing.swiss(players, played, rested, dict(zip(players, points, strict=True)), seed)


@dataclass(frozen=True)
class Knockout(InRounds):
    """A player who loses a meeting is out.

    The bracket is that of tennis: the first players of the file are kept apart as long as possible,
    and have byes where the number of players is not a power of two. A tied meeting is continued by
    one pair of games after the other. When players join later, a new bracket is made of them and of
    those who are not out; at the latest they meet the winner of all others.
    """

    @property
    def total(self) -> int:
        return (self.players - 1) * self.games

    def stages(self) -> Stages:
        bracket, number = _bracket(self.joining({1})), 1
        later = sorted({*self.joins} - {1})
        while len(bracket) > 1:
            bracket = yield from self._round(bracket, number)
            number += 1
            if later and (later[0] <= number or len(bracket) == 1):
                left = [player for player in bracket if player is not None]
                bracket = _bracket(sorted([*left, *self.joining({later.pop(0)})]))

    def _round(
        self, bracket: Sequence[int | None], number: int
    ) -> Generator[Stage, Seen, list[int | None]]:
        places = [(a, b) for a, b in zip(bracket[::2], bracket[1::2], strict=True)]
        pairs = [(a, b) for a, b in places if a is not None and b is not None]
        points: Counter[tuple[int, int]] = Counter()
        open_pairs, index, name = pairs, 0, round_name(len(bracket))
        while open_pairs and index < self.games // 2 + MOST_EXTRA:
            count = 1 if index else self.games // 2
            numbers = [n for pair in open_pairs for n in self.meeting(pair, index, count)]
            seen: Seen = yield Stage(name, numbers, round=number)
            for game, scored in seen.points.items():
                ticket = self.ticket(game)
                for player, score in scored.items():
                    other = ticket.white if player == ticket.black else ticket.black
                    points[player, other] += score  # type: ignore[assignment]
            open_pairs = [(a, b) for a, b in open_pairs if points[a, b] == points[b, a]]
            index += count
            name = f"{round_name(len(bracket))}, more games"
        return [self._winner(a, b, points) for a, b in places]

    def _winner(
        self, one: int | None, other: int | None, points: Counter[tuple[int, int]]
    ) -> int | None:
        if one is None or other is None:
            return other if one is None else one
        if points[one, other] == points[other, one]:
            return min(one, other)
        return one if points[one, other] > points[other, one] else other


def _bracket(players: Sequence[int]) -> list[int | None]:
    """The places of these players, the best first; None beside those who have a bye."""
    places = seeded(1 << (len(players) - 1).bit_length())
    return [players[place] if place < len(players) else None for place in places]


def seeded(size: int) -> list[int]:
    """The places of a bracket: 0 meets `size` - 1, and 1 could meet 0 in the last round only."""
    places = [0]
    while len(places) < size:
        places = [p for place in places for p in (place, 2 * len(places) - 1 - place)]
    return places


def round_name(players: int) -> str:
    return {2: "final", 4: "semifinals", 8: "quarterfinals"}.get(players, f"last {players}")
