"""Win probabilities at each moment of a finished game, estimated by bots that continue it.

Random playouts show who is ahead on the board, but neither the result of good play nor the players'
knowledge. So games are continued from some moments, by bots with the views that the players had.
The first moments are spread over the game. The next games are played where they decide: around the
attempt that brought the winner ahead for good, and from before and after the other great changes.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, chain, pairwise
from operator import sub
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots import Bot, make
from bots.value import SEEN, calibrated
from phantomgo.app.table.game import GameMoment, TableGame
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.outcome import Ending
from phantomgo.game.points import BLACK, PASS, Colour
from phantomgo.game.rules import Rules

PLAYOUTS: Final = 2000
"""Playouts for each position; in 19 of 20 cases the error of the share is below 0.02."""
SPEC: Final = "phantom:playouts=1000,book=none,resign=5"
"""The bot that continues a game, on both sides; it resigns where hardly any playout is won."""
GAMES: Final = 8
"""Games per moment, in lock step; with 0, playouts evaluate all moments."""
CONFIRMING: Final = 32
"""Games before and after each of the greatest changes."""
SPREAD: Final = 12
"""The number of moments from which games are always played."""
PRIOR: Final = 2
"""The number of games that the playouts' estimate counts as."""
CHANGE: Final = 0.15
"""The change of a win probability that is worth more games."""
OPEN: Final = 0.9
"""The win probability from which games have to tell less: the game is nearly decided."""
ATTEMPTS: Final = 12_000
"""Attempts in all continued games, which take up to ten seconds on 5x5 and twenty on 9x9."""
LARGEST: Final = 10
"""The largest board on which games are continued; others are evaluated only by playouts."""


class FullBoardChances(NamedTuple):
    """Black's win probability at each moment, if strong bots continue the game.

    Attributes:
        line: the probabilities.
        sure: whether each is confirmed, by enough games or by the result.
    """

    line: list[float]
    sure: list[bool]


def chances(game: TableGame) -> FullBoardChances:
    """Return Black's win probability at each moment, if strong bots continue the game.

    A refused attempt changes nothing, and a scored game ends with its result. The player to move
    after the first of two passes could choose that result, or continue.
    """
    line: list[float] = []
    for number, moment in enumerate(game.moments):
        if line and moment.step is not None and moment.board == game.moments[number - 1].board:
            line.append(line[-1])
        else:
            line.append(chance(moment, game.rules))
    line, sure = _refined(game, line)
    outcome = game.outcome
    if outcome is not None and outcome.margin is not None:
        line[-1] = {None: 0.5, BLACK: 1.0}.get(outcome.winner, 0.0)
        sure[-1] = True
        if outcome.ending is Ending.SCORE:
            begun = max(number for number in game.turn_ends() if number < len(game.steps))
            better = max if game.steps[-1].colour is BLACK else min
            line[begun:-1] = [better(line[begun], line[-1])] * (len(game.steps) - begun)
    return FullBoardChances(line, sure)


def chance(moment: GameMoment, rules: Rules) -> float:
    """Return Black's win probability, from random playouts of the full board."""
    from bots.worlds import seen_share  # noqa: PLC0415  (compiled code, half a second)

    colour = moment.to_move
    own, enemy = (moment.board.stones(side) for side in (colour, colour.other))
    view = moment.view(colour)
    share = seen_share(own, enemy, rules, colour, view.turn, PLAYOUTS)
    return chance_of(colour, calibrated(SEEN, share, PLAYOUTS, view))


def chance_of(colour: Colour, blacks: float) -> float:
    """Return a player's win probability, given Black's, or Black's, given the player's."""
    return blacks if colour is BLACK else 1 - blacks


def moved(share: float, before: float, after: float) -> float:
    """Return a probability changed by the same log odds as another one."""
    return _at_odds(_log_odds(share) + _log_odds(after) - _log_odds(before))


def lasting(won: Sequence[float]) -> list[float]:
    """Return, for each moment, the least win probability of a side from then on."""
    return [*accumulate(reversed(won), min)][::-1]


def _refined(game: TableGame, line: Sequence[float]) -> FullBoardChances:
    """The win probabilities by games that bots continue, given those by playouts.

    The result is the same each time.
    """
    from phantomgo.lab.lockstep.batch import can_play  # noqa: PLC0415  (compiled code, a second)

    rules, handicap = game.rules, game.start.handicap
    if not GAMES or rules.size > LARGEST or not can_play(rules, SPEC, SPEC, handicap):
        return FullBoardChances([*line], [True] * len(line))
    found = _Continued(game, line)
    found.play(_spread(line, found.turns))
    while found.attempts < ATTEMPTS and (wanted := found.wanted()):
        found.play(wanted)
    return found.truth()


def _between(turns: Sequence[int], ends: tuple[int, int]) -> list[int]:
    """The turns that begin between two moments."""
    first, last = ends
    return [number for number in turns if first < number < last]


def _passed(line: Sequence[float], moments: Sequence[int]) -> NDArray[np.float64]:
    """The amount before each moment: changes of the playouts' estimates, and turns."""
    steps = [abs(line[b] - line[a]) + 1 / len(moments) for a, b in pairwise(moments)]
    return np.cumsum([0.0, *steps])


def _spread(line: Sequence[float], turns: Sequence[int]) -> list[int]:
    """The moments to begin with: both ends, and others, closest where the estimates change."""
    passed = _passed(line, turns)
    nearest = {int(np.abs(passed - share).argmin()) for share in np.linspace(0, passed[-1], SPREAD)}
    return [turns[n] for n in sorted(nearest)]


def _middle(line: Sequence[float], inside: Sequence[int], ends: tuple[int, int]) -> int:
    """The moment inside before which half of the amount between two ends has passed."""
    *passed, total = _passed(line, [ends[0], *inside, ends[1]])[1:].tolist()
    return min(zip(inside, passed, strict=True), key=lambda it: abs(it[1] - total / 2))[0]


def _log_odds(share: float) -> float:
    share = min(max(share, 0.01), 0.99)
    return math.log(share / (1 - share))


def _at_odds(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


class _Continued:
    """Games continued from moments of a game.

    Attributes:
        turns: the moments at which a turn begins and the game isn't over.
        won: Black's result in each game from a moment: 1, 0, or 0.5 for a draw.
        attempts: made in these games so far.
    """

    def __init__(self, game: TableGame, line: Sequence[float]) -> None:
        from phantomgo.lab.vector import Games  # noqa: PLC0415  (compiled code, a second)

        self.won: dict[int, list[float]] = {}
        self.attempts = 0
        self._line, self._winner = line, game.outcome and game.outcome.winner
        self._size, handicap = game.rules.size, game.start.handicap
        self._start = Game(game.rules, Beginning(handicap))
        self._bot = cache(self._made)
        one = Games(game.rules, 1, handicap=handicap)
        self._begun = {0: one.copy()}
        for number, (step, moment) in enumerate(zip(game.steps, game.moments[1:], strict=True), 1):
            if step.move >= PASS:
                one.step(np.array([self._size**2 if step.move == PASS else step.move]))
            if moment.to_move is not step.colour:
                self._begun[number] = one.copy()
        self.turns = [number for number, begun in self._begun.items() if not begun.over.all()]

    def _made(self, seed: int) -> Bot:
        return make(SPEC, self._start, seed)

    def play(self, numbers: Iterable[int]) -> None:
        """Continue more games from some moments, all at once."""
        asked = [
            (number, game)
            for number in numbers
            for game in range(self.games(number), self.games(number) + GAMES)
        ]
        games = self._begun[0].take(np.zeros(len(asked), np.int64))
        for place, (number, _) in enumerate(asked):
            games.put(np.array([place]), self._begun[number])
        while not games.over.all():
            sides, going = games.to_move.tolist(), ~games.over
            games.step(
                games.ask(
                    {
                        place: self._bot(2 * asked[place][1] + sides[place])
                        for place in np.flatnonzero(going).tolist()
                    }
                )
            )
            self.attempts += int(going.sum())
        for (number, _), (black, _) in zip(asked, games.returns.tolist(), strict=True):
            self.won.setdefault(number, []).append((1 + black) / 2)

    def games(self, number: int) -> int:
        """Return the number of games from a moment."""
        return len(self.won.get(number, ()))

    def chance(self, number: int) -> float:
        """Return Black's win probability at a moment."""
        won = self.won[number]
        return (PRIOR * self._line[number] + sum(won)) / (PRIOR + len(won))

    def wanted(self) -> list[int]:
        """Return the moments from which games would tell most; none if all is known.

        First the attempt is found and confirmed that brought the winner above one half for good:
        the lead may still have been lost, unseen, as long as the game was open. Then come the other
        great changes, those that lasted first, and the rest of the open game.
        """
        known = sorted(self.won)
        won = [chance_of(self._winner or BLACK, self.chance(number)) for number in known]
        kept, pairs = lasting(won), [*pairwise(known)]
        gains, changes = [*map(sub, kept[1:], kept)], [abs(b - a) for a, b in pairwise(won)]
        turned = [n for n, _ in enumerate(pairs) if kept[n] < 0.5 <= kept[n + 1]]
        great = [n for n, change in enumerate(changes) if change >= CHANGE]
        great.sort(key=lambda n: (gains[n], changes[n]), reverse=True)
        still_open = [
            n
            for n, ends in enumerate(pairwise(won))
            if any(1 - OPEN < share < OPEN for share in ends)
        ]
        steps = chain(
            (self._nearer(pairs[n]) for n in turned),
            [self._widest([pairs[n] for n in still_open if kept[n] >= 0.5])],
            (self._nearer(pairs[n]) for n in great),
            [self._widest([pairs[n] for n in still_open])],
        )
        return next(filter(None, steps), [])

    def _nearer(self, ends: tuple[int, int]) -> list[int]:
        """The moment between two others, or those of them that are not confirmed."""
        if inside := _between(self.turns, ends):
            return [_middle(self._line, inside, ends)]
        return [number for number in ends if self.games(number) < CONFIRMING]

    def _widest(self, pairs: list[tuple[int, int]]) -> list[int]:
        """The moment in the middle of the widest gap, if there is one."""
        inside = max((_between(self.turns, ends) for ends in pairs), key=len, default=[])
        return inside[len(inside) // 2 :][:1]

    def truth(self) -> FullBoardChances:
        """Return Black's win probability at each moment.

        Between two moments from which games were played it follows the playouts' estimates, whose
        log odds are corrected in proportion, but never leaves the range of these two.
        """
        known = sorted(self.won)
        offsets = [_log_odds(self.chance(n)) - _log_odds(self._line[n]) for n in known]
        line, sure, latest = [], [], 0
        for number in range(len(self._line)):
            latest = number if number in self._begun else latest
            odds = _log_odds(self._line[latest]) + float(np.interp(latest, known, offsets))
            after = bisect_right(known, latest)
            low, high = sorted(self.chance(n) for n in (known[after - 1 :] + known[-1:])[:2])
            line.append(min(max(_at_odds(odds), low), high))
            sure.append(self.games(latest) >= CONFIRMING)
        return FullBoardChances(line, sure)
