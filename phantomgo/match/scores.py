"""The results of a match in numbers: scores, ratings and pentanomial counts.

Everything but thinking times depends only on the schedule and the games in the order of their
numbers, not on interruptions or on how many games ran at once.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from phantomgo.game.outcome import Ending
from phantomgo.match.rating import Ratings, rate
from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Schedule
from phantomgo.match.stats import Sprt, Verdict
from phantomgo.values import checked_int


@dataclass(frozen=True)
class WDL:
    """Wins, draws and losses of a player."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    def __add__(self, other: "WDL") -> "WDL":
        return WDL(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    def __str__(self) -> str:
        return f"{self.won}-{self.drawn}-{self.lost}"


@dataclass(frozen=True)
class Scores:
    """The results of a match, in numbers.

    Attributes:
        names: the players, in the order of the command line.
        what: the board, rules and seed, in words.
        schedule: all games of the match.
        results: the games that count, in the order of their numbers.
        voids: the number of void games, which are played again.
        sprt: the sequential probability ratio test, for two players.
        specs: of the players, as records name them.
        data: the learned data that each player uses, with digests.
        forfeits: by player, the games that they forfeited, which are neither scored nor rated.
        aside: the players set aside after repeated failures.
        reasons: by the number of a game, how a player failed in it, in words: for the first game
            that a player lost by a crash, and so on.
    """

    names: Sequence[str]
    what: str
    schedule: Schedule
    results: Sequence[MatchGame]
    voids: int = 0
    sprt: Sprt | None = None
    specs: Sequence[str] = ()
    data: Sequence[Mapping[str, str]] = ()
    forfeits: Mapping[int, int] = field(default_factory=dict)
    aside: Collection[int] = ()
    reasons: Mapping[int, str] = field(default_factory=dict)

    def tally(self, player: int, *, opponent: int | None = None, black: bool | None = None) -> WDL:
        """A player's wins, draws and losses, optionally against one opponent or with one colour."""
        chosen = (
            tally
            for (other, is_black), tally in self._tallies[self._known(player)].items()
            if opponent in (None, other) and black in (None, is_black)
        )
        return sum(chosen, WDL())

    def _known(self, player: int) -> int:
        return checked_int("player", player, 0, len(self.names) - 1)

    @cached_property
    def _tallies(self) -> list[dict[tuple[int, bool], WDL]]:
        """The tallies of each player, by the opponent and whether the player was Black."""
        counts: list[dict[tuple[int, bool], list[int]]] = [{} for _ in self.names]
        for game in self.results:
            lost = round(2 - 2 * game.black_score)  # in half points, by Black
            counts[game.black].setdefault((game.white, True), [0, 0, 0])[lost] += 1
            counts[game.white].setdefault((game.black, False), [0, 0, 0])[2 - lost] += 1
        return [{key: WDL(*found) for key, found in one.items()} for one in counts]

    @cached_property
    def _games(self) -> list[list[MatchGame]]:
        """The games of each player."""
        games: list[list[MatchGame]] = [[] for _ in self.names]
        for game in self.results:
            games[game.black].append(game)
            games[game.white].append(game)
        return games

    @cached_property
    def pair_counts(self) -> dict[tuple[int, int], list[int]]:
        """The pentanomial counts of each pairing: pairs in which its first player scored 0, 1/2, 1,
        3/2 and 2 points.
        """
        counts = {pairing: [0] * 5 for pairing in self.schedule.pairings}
        by_number = {game.number: game for game in self.results}
        for number, game in by_number.items():
            other = by_number.get(number + 1)
            if number % 2 == 0 and other is not None:
                # The first player of a pairing has Black in the first game of each pair.
                points = game.black_score + 1 - other.black_score
                counts.setdefault((game.black, game.white), [0] * 5)[round(2 * points)] += 1
        return counts

    @property
    def between(self) -> list[int]:
        """The pentanomial counts of the first two players, from the first one's side."""
        one, other = (self.pair_counts.get(pair, [0] * 5) for pair in ((0, 1), (1, 0)))
        return [a + b for a, b in zip(one, reversed(other), strict=True)]

    def tries(self, player: int) -> float:
        """The mean number of a player's refused attempts per game; NaN if they have not played."""
        return mean(
            game.black_tries if player == game.black else game.white_tries
            for game in self._games[self._known(player)]
        )

    def seconds(self, player: int) -> float:
        """The mean time of a player's attempts in seconds; NaN if none was timed."""
        asked = spent = 0.0
        for game in self._games[self._known(player)]:
            if not game.timed:
                continue
            if player == game.black:
                asked, spent = asked + game.black_asked, spent + game.black_seconds
            else:
                asked, spent = asked + game.white_asked, spent + game.white_seconds
        return spent / asked if asked else math.nan

    def pace(self, player: int) -> str:
        """The mean time of a player's attempts in words, `0.0123 s per attempt`."""
        seconds = self.seconds(player)
        return f"{seconds:.4f} s per attempt" if math.isfinite(seconds) else "no timed attempts"

    @cached_property
    def scheduled(self) -> int:
        """The number of games, played or still to be played."""
        return len({*self.schedule.numbers(), *(game.number for game in self.results)})

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings from all games that count."""
        return rate(self.results, len(self.names))

    @cached_property
    def faults(self) -> list[Counter[str]]:
        """For each player, how many games they lost by each ending."""
        found: list[Counter[str]] = [Counter() for _ in self.names]
        for game in self.results:
            if game.loser is not None:
                found[game.loser][game.ending] += 1
        return found

    @property
    def duplicates(self) -> list[int]:
        """The numbers of games with the same moves as an earlier game."""
        seen: set[str] = set()
        found = []
        for game in self.results:
            if game.digest in seen:
                found.append(game.number)
            seen.add(game.digest)
        return found


class RunningSprt:
    """Runs an SPRT while games come in.

    It counts complete pairs in the order of their numbers, so its verdict does not depend on which
    games ended first.
    """

    def __init__(self, sprt: Sprt, numbers: Sequence[int]) -> None:
        """`numbers` are those of the games, in their order."""
        self._sprt, self._numbers = sprt, numbers
        self._counts, self._next = [0] * 5, 0
        self._verdict = Verdict.OPEN

    def decided_after(self, results: Mapping[int, MatchGame]) -> int | None:
        """The number of games after which the test accepted a hypothesis; None if it has not."""
        while self._verdict is Verdict.OPEN and self._next < len(self._numbers):
            first, second = (results.get(self._numbers[self._next + i]) for i in (0, 1))
            if first is None or second is None:
                return None
            self._next += 2
            if Ending.VOID in (first.ending, second.ending):
                continue  # a player could not begin, which says nothing of how they play
            self._counts[round(2 * (first.black_score + 1 - second.black_score))] += 1
            self._verdict = self._sprt.verdict(self._counts)
        return None if self._verdict is Verdict.OPEN else self._next


def mean(values: Iterable[float]) -> float:
    """The mean; NaN of nothing."""
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else math.nan
