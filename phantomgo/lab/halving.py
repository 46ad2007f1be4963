"""Successive halving: many seeds, and most of the games for those that win.

Every seed of either colour plays a few opponents. The better half goes on and plays twice as many,
until the survivors have played all of them. So the best of thousands of seeds is found in a small
part of their matrix, and the survivors have complete rows of it.

Source: Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits (ICML 2013),
algorithm 1, with opponents in place of pulls: all seeds meet the same ones.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Final

from phantomgo.lab.study import MANY
from phantomgo.points import BLACK, WHITE, Colour
from phantomgo.portfolio.matrix import Cell
from phantomgo.portfolio.packed import Survivors

FIRST: Final = 16
"""Opponents of the first round."""


def rounds(own: int, opponents: int) -> Iterator[tuple[int, int]]:
    """How many seeds of each colour play in a round, and how many opponents they then have met."""
    met = min(FIRST, opponents)
    yield own, met
    while met < opponents:
        own, met = max(1, own // 2), min(2 * met, opponents)
        yield own, met


class Halving:
    """Asks for the games of one round; the next one begins with `next_round`.

    Attributes:
        survivors: the seeds of each colour that are still in it.
        opponents: how many of each colour they will have met after this round.
    """

    ahead = MANY
    settled = False

    def __init__(self, own: int, opponents: int, black_won: Callable[[str], bool]) -> None:
        """Begin with the own seeds 0 to `own` - 1, and opponents 0 to `opponents` - 1.

        Args:
            own: seeds of each colour.
            opponents: seeds of each colour that they play.
            black_won: reads a result.
        """
        self.survivors = Survivors(tuple(range(own)), tuple(range(own)))
        self._black_won = black_won
        self._wins: dict[Colour, Counter[int]] = {colour: Counter() for colour in Colour}
        self._asked: deque[tuple[Colour, int]] = deque()
        self._rounds = rounds(own, opponents)
        self._met, (_, self.opponents) = 0, next(self._rounds)
        self._round = self._wanted()

    def games(self) -> Iterator[Cell]:
        """All that the round asks for."""
        return (game for _, _, game in self._wanted())

    def ask(self) -> Cell | None:
        following = next(self._round, None)
        if following is None:
            return None
        colour, seed, game = following
        self._asked.append((colour, seed))
        return game

    def tell(self, game: Cell, result: str) -> None:
        del game  # the same one is asked for twice where Black's seed and White's are both in it
        colour, seed = self._asked.popleft()
        self._wins[colour][seed] += self._black_won(result) == (colour is BLACK)

    def next_round(self) -> bool:
        """Keep the better half for a round with twice the opponents; False after the last one."""
        following = next(self._rounds, None)
        if following is None:
            return False
        number, meeting = following
        self.survivors = Survivors(*(self._best(colour, number) for colour in Colour))
        self._met, self.opponents = self.opponents, meeting
        self._round = self._wanted()
        return True

    def _wanted(self) -> Iterator[tuple[Colour, int, Cell]]:
        """The games of the round, with whose they are."""
        for opponent in range(self._met, self.opponents):
            for seed in self.survivors.black:
                yield BLACK, seed, (seed, opponent)
            for seed in self.survivors.white:
                yield WHITE, seed, (opponent, seed)

    def _best(self, colour: Colour, number: int) -> tuple[int, ...]:
        """The seeds that won most; of equal ones the smaller."""
        wins, seeds = self._wins[colour], self.survivors[colour - 1]
        order = sorted(seeds, key=lambda seed: (-wins[seed], seed))
        return tuple(sorted(order[:number]))
