"""An equilibrium of opening lines, which have win rates instead of fixed results.

Double oracle on rates. Fresh lines of each colour play against the other colour's mixed strategy,
by successive halving: most of the games go to the lines that win. The best lines join the matrix.
More games are then played for the cells that its equilibrium depends on, and this equilibrium is
the next mixed strategy. The first one is the bot without a line, which stays in the matrix: it is
played where no line is better.

Sources: McMahan, Gordon and Blum, Planning in the presence of cost functions controlled by an
adversary (ICML 2003); Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits
(ICML 2013).
"""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from phantomgo.errors import BadText
from phantomgo.game.points import Colour
from phantomgo.lab.learners.learner import Learner, Place, Rounds, Scores, SeedTerms
from phantomgo.lab.seeds.seed_game import SeedGame
from phantomgo.portfolio.exploiter import Portfolio, Rates, against
from phantomgo.portfolio.matrix import Cell
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.rates import IntArray, RateMatrix
from phantomgo.rng import learner_number, mix

Meeting: TypeAlias = tuple[Place, Place]

FASTER: Final = 4
"""A round of halving retains one in this many lines and doubles their games."""
PARTS: Final = 4
"""The extra games are played in this many parts; the equilibrium is solved again after each."""
SEARCHING: Final = 1 << 20
"""The first number of the games that select lines. The matrix does not contain these games: the
selected lines were lucky in them.
"""


class RateOracle(Learner):
    """The learner.

    Attributes:
        equilibrium: how well the equilibrium is known; None before the first.
    """

    def __init__(
        self,
        terms: SeedTerms,
        *,
        rounds: int,
        join: int,
        first: int,
        cell: int,
        extra: int,
        opponents: int = 0,
        model: float = 0.0,
    ) -> None:
        """Begin.

        Args:
            terms: the lines; each round takes its share of them.
            rounds: rounds of fresh lines; with 0 all lines are in the matrix from the start.
            join: the lines of each colour that join the matrix in a round.
            first: games of each fresh line before the first of them are dropped.
            cell: games of each cell of the matrix.
            extra: games of each round for the cells that the equilibrium depends on.
            opponents: how many of the last lines are only opponents and never played.
            model: the probability with which the opponent is assumed to play the last of them.
        """
        if opponents and (rounds or opponents >= terms.own):
            raise BadText("rates: opponents needs rounds=0, and fewer opponents than bots")
        if model and not opponents:
            raise BadText("rates: model needs opponents=1 or more, of which it is the last")
        if terms.own < rounds * join:
            raise BadText(
                f"rates: {terms.own} lines are too few for {rounds} rounds in which {join} join"
            )
        self.terms, self._rounds, self._join = terms, rounds, join
        self._first, self._cell, self._extra = first, cell, extra - extra % PARTS
        self._opponents, self._model = opponents, model
        known: list[Place] = [None] if rounds else [*range(terms.own)]
        self._lines: tuple[list[Place], list[Place]] = (known, [*known])
        self._matrix = RateMatrix.empty()
        self._played = Counter[Meeting]()
        self._mixture = Portfolio(np.ones(1), np.ones(1))

    @property
    def lines(self) -> tuple[Sequence[Place], Sequence[Place]]:
        """The lines in the matrix, in the order in which they joined."""
        return self._lines

    def rounds(self) -> Rounds:
        """Generate the games."""
        yield from self._fill()
        value, gains = float(self._matrix.rates()[0, 0]), (0.0, 0.0)
        for number in range(max(1, self._rounds)):
            before = [len(lines) for lines in self.lines]
            if self._rounds:
                yield from self._join_best(number)
                yield from self._fill()
            yield from self._play_uncertain(number)
            if self._rounds:
                gains = self._gains(before, value)
            seed = self._seed(number)
            self._mixture = Portfolio(
                *self._matrix.mixed_strategies(seed, self._opponents, self._model)
            )
            self.equilibrium = self._matrix.equilibrium(*self._mixture, gains, seed)
            value = self.equilibrium.value

    def ends(self) -> Iterator[int]:
        known = 1 if self._rounds else self.terms.own
        asked = self._cell * known**2
        if not self._rounds:
            yield asked + self._extra
        for _ in range(self._rounds):
            searched = sum(lines * games for lines, games in self._rungs())
            lines = known + self._join
            asked += 2 * searched + self._cell * (lines**2 - known**2) + self._extra
            known = lines
            yield asked

    def _join_best(self, number: int) -> Rounds:
        """Let the best of this round's fresh lines join the matrix."""
        fresh = self.terms.own // self._rounds
        pool = range(number * fresh, (number + 1) * fresh)
        for colour in Colour:
            self._lines[colour - 1].extend((yield from self._search(colour, pool, number)))

    def _rungs(self) -> Iterator[tuple[int, int]]:
        """The number of lines in each round of a search, and of their games."""
        left, games = self.terms.own // self._rounds, self._first
        while left > self._join:
            yield left, games
            left, games = max(self._join, -(-left // FASTER)), 2 * games

    def portfolio(self) -> Portfolio:
        """The distributions over `lines`."""
        return self._mixture

    def secured(self, _: Mapping[Cell, str]) -> Rates:
        """Each colour's win rates against the other's lines in the matrix."""
        rates = self._matrix.rates()
        return against(self._mixture, rates, rates)

    def _seed(self, number: int, colour: int = 0) -> int:
        return learner_number(self.terms.seed, number, colour)

    def _play(
        self, meetings: Sequence[Meeting], numbers: Sequence[int]
    ) -> Generator[Sequence[tuple[int, int]], Scores, Scores]:
        """Play games between lines, each with its number."""
        turns = self.terms.turns
        pairs = zip(meetings, numbers, strict=True)
        return (
            yield [SeedGame.of_lines(*meeting, number, turns).numbers for meeting, number in pairs]
        )

    def _search(
        self, colour: Colour, pool: range, number: int
    ) -> Generator[Sequence[tuple[int, int]], Scores, list[int]]:
        """The best of these lines against the other colour's mixed strategy, the best first."""
        weights = self._mixture[colour.other - 1]
        others = self.lines[colour.other - 1][: len(weights)]
        generator = np.random.default_rng(self._seed(number, colour))
        left, wins = list(pool), dict.fromkeys(pool, 0)
        met = SEARCHING
        for lines, games in self._rungs():
            left = sorted(left, key=lambda line: (-wins[line], line))[:lines]
            drawn = generator.choice(len(others), size=games, p=weights)
            opponents = [others[place] for place in drawn]
            meetings = [
                (line, other) if colour is Colour.BLACK else (other, line)
                for other in opponents
                for line in left
            ]
            numbers = [met + game for game in range(games) for _ in left]
            won = (yield from self._play(meetings, numbers)).reshape(games, len(left))
            for line, share in zip(left, won.sum(0).tolist(), strict=True):
                wins[line] += share if colour is Colour.BLACK else games - share
            met += games
        return sorted(left, key=lambda line: (-wins[line], line))[: self._join]

    def _fill(self) -> Rounds:
        """Play the matrix cells that have fewer games than `cell`."""
        self._matrix = self._matrix.grown(*map(len, self.lines))
        yield from self._count(np.maximum(self._cell - self._matrix.games, 0))

    def _play_uncertain(self, number: int) -> Rounds:
        """Play the cells that the equilibrium depends on, in parts."""
        for part in range(PARTS):
            games, seed = self._extra // PARTS, mix(self._seed(number) + part)
            more = self._matrix.allocate(games, seed, self._opponents, self._model)
            yield from self._count(more)

    def _count(self, more: IntArray) -> Rounds:
        """Play this many further games of each cell, and count them."""
        cells = [(i, j) for i, j in np.argwhere(more).tolist() for _ in range(more[i, j])]
        if not cells:
            return
        meetings, numbers = [], []
        for i, j in cells:
            meeting = self.lines[0][i], self.lines[1][j]
            meetings.append(meeting)
            numbers.append(self._played[meeting])
            self._played[meeting] += 1
        won = yield from self._play(meetings, numbers)
        for (i, j), score in zip(cells, won.tolist(), strict=True):
            self._matrix.add(i, j, score)

    def _gains(self, before: list[int], value: float) -> tuple[float, float]:
        """Each colour's gain by its best fresh line: its win rate against the mixed strategy less
        the value.
        """
        rates = self._matrix.won / np.maximum(self._matrix.games, 1)
        black, white = self._mixture
        one: FloatArray = rates[before[0], : before[1]]
        other: FloatArray = rates[: before[0], before[1]]
        return float(one @ white) - value, value - float(black @ other)
