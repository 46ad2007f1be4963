"""Formats whose later rounds follow from earlier results: Swiss system and knockout.

In both a meeting is some pairs of games with colours swapped. A game that one player forfeits is a
point for the other one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from phantomgo.match.schedule import Fixtures, Seen, Stage, Stages

MOST_EXTRA: Final = 10
"""Pairs of games after a tied meeting of a knockout; then the first of them in the file wins."""


@dataclass(frozen=True)
class Swiss(Fixtures):
    """In each round players with about the same points meet, who have not met before if possible.

    Players are ranked by their points, then in the order of the file, and paired from the top, each
    with the next one whom they have not met (the Monrad system). With an odd number the last one
    who has had no bye gets one, and the points of a won meeting.
    """

    rounds: int = 1

    @property
    def total(self) -> int:
        return self.rounds * (self.players // 2) * self.games

    def stages(self) -> Stages:
        points: Counter[int] = Counter()
        met: set[tuple[int, int]] = set()
        byes: set[int] = set()
        absent: frozenset[int] = frozenset()
        for number in range(self.rounds):
            ranked = sorted(range(self.players), key=lambda i: (-points[i], i))
            ranked = [player for player in ranked if player not in absent]
            if len(ranked) < 2:
                return
            bye = None
            if len(ranked) % 2:
                bye = next((p for p in reversed(ranked) if p not in byes), ranked[-1])
                ranked.remove(bye)
                byes.add(bye)
            pairs = paired(ranked, met) or list(zip(ranked[::2], ranked[1::2], strict=True))
            met.update((min(pair), max(pair)) for pair in pairs)
            seen = yield Stage(f"round {number + 1}", self._meetings(pairs, number), bye)
            absent = seen.aside
            for scored in seen.points.values():
                points.update(scored)
            if bye is not None:
                points[bye] += self.games

    def _meetings(self, pairs: Iterable[tuple[int, int]], number: int) -> list[int]:
        first = number * self.games // 2
        return [n for pair in pairs for n in self.meeting(pair, first, self.games // 2)]


def paired(ranked: Sequence[int], met: set[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Pairs of players who have not met, from the top; None if there is no way."""
    tries = 0

    def pair(left: Sequence[int]) -> list[tuple[int, int]] | None:
        nonlocal tries
        tries += 1
        if not left or tries > 10_000:  # a bound: the search may take for ever with many rounds
            return [] if not left else None
        first, *others = left
        for other in others:
            if (min(first, other), max(first, other)) not in met:
                rest = pair([player for player in others if player != other])
                if rest is not None:
                    return [(first, other), *rest]
        return None

    return pair(ranked)


@dataclass(frozen=True)
class Knockout(Fixtures):
    """Whoever loses a meeting is out.

    The bracket is that of tennis: the first players of the file are kept apart as long as possible,
    and have byes where the number of players is not a power of two. A tied meeting is continued by
    one pair of games after the other.
    """

    @property
    def total(self) -> int:
        return (self.players - 1) * self.games

    def stages(self) -> Stages:
        size = 1 << (self.players - 1).bit_length()
        bracket: list[int | None] = [p if p < self.players else None for p in seeded(size)]
        while len(bracket) > 1:
            places = [(a, b) for a, b in zip(bracket[::2], bracket[1::2], strict=True)]
            pairs = [(a, b) for a, b in places if a is not None and b is not None]
            points: Counter[tuple[int, int]] = Counter()
            open_pairs, index, name = pairs, 0, round_name(len(bracket))
            while open_pairs and index < self.games // 2 + MOST_EXTRA:
                count = 1 if index else self.games // 2
                numbers = [n for pair in open_pairs for n in self.meeting(pair, index, count)]
                seen: Seen = yield Stage(name, numbers)
                for number, scored in seen.points.items():
                    ticket = self.ticket(number)
                    for player, score in scored.items():
                        other = ticket.white if player == ticket.black else ticket.black
                        points[player, other] += score  # type: ignore[assignment]
                open_pairs = [(a, b) for a, b in open_pairs if points[a, b] == points[b, a]]
                index += count
                name = f"{round_name(len(bracket))}, more games"
            bracket = [self._winner(a, b, points) for a, b in places]

    def _winner(
        self, one: int | None, other: int | None, points: Counter[tuple[int, int]]
    ) -> int | None:
        if one is None or other is None:
            return other if one is None else one
        if points[one, other] == points[other, one]:
            return min(one, other)
        return one if points[one, other] > points[other, one] else other


def seeded(size: int) -> list[int]:
    """The places of a bracket: 0 meets `size` - 1, and 1 could meet 0 in the last round only."""
    places = [0]
    while len(places) < size:
        places = [p for place in places for p in (place, 2 * len(places) - 1 - place)]
    return places


def round_name(players: int) -> str:
    return {2: "final", 4: "semifinals", 8: "quarterfinals"}.get(players, f"last {players}")
