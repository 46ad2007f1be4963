"""Win probabilities at each moment of a finished game, estimated by bots that continue it.

Random playouts show who is ahead on the board, but neither the result of good play nor the players'
knowledge. So games are continued from some moments, by bots with the views that the players had.
The first moments are spread over the game; the next one is always between the two neighbours whose
win probabilities differ most.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots import Bot, make
from bots.value import SEEN, calibrated
from phantomgo.app.table.game import GameMoment, TableGame
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.outcome import Ending
from phantomgo.game.points import BLACK, Colour
from phantomgo.game.rules import Rules

PLAYOUTS: Final = 2000
"""Playouts for each position; in 19 of 20 cases the error of the share is below 0.02."""
SPEC: Final = "phantom:playouts=1000,book=none"
"""The bot that continues a game, on both sides."""
GAMES: Final = 8
"""Games per moment; twice as many more are played at the greatest changes."""
CONFIRMED: Final = 3
"""The number of greatest changes, at both ends of which more games are played."""
SPREAD: Final = 12
"""The number of moments from which games are always played."""
PRIOR: Final = 2
"""The number of games that the playouts' estimate counts as."""
CHANGE: Final = 0.15
"""The change of a win probability within which no more moments are looked at."""
WON: Final = 0.97
"""The win probability by playouts at which a continued game is not played to its end."""
ASKED: Final = 6
"""Attempts of a continued game after which the playouts are asked again."""
WORK: Final = 600_000
"""Attempts times points of the board, in all continued games: at most about fifteen seconds. Boards
on which the first games already take longer, from 11x11 on, are evaluated only by playouts.
"""


def chances(game: TableGame) -> list[float]:
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
    line = _refined(game, line)
    outcome = game.outcome
    if outcome is not None and outcome.margin is not None:
        line[-1] = {None: 0.5, BLACK: 1.0}.get(outcome.winner, 0.0)
        if outcome.ending is Ending.SCORE:
            begun = max(number for number in game.turn_ends() if number < len(game.steps))
            better = max if game.steps[-1].colour is BLACK else min
            line[begun:-1] = [better(line[begun], line[-1])] * (len(game.steps) - begun)
    return line


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


def _refined(game: TableGame, line: Sequence[float]) -> list[float]:
    """Black's win probability at each moment, by games that bots continue.

    Between the moments from which games were played it follows `line`, the playouts' estimates,
    whose log odds are corrected in proportion. The result is the same each time.
    """
    if SPREAD * GAMES * game.rules.size**4 // 2 > WORK:  # a game is half a board long, or longer
        return [*line]
    turns = [n for n in (0, *game.turn_ends()) if game.first(n).outcome is None]
    found = _Continued(game, line)
    for number in _spread(line, turns):
        found.play(number, GAMES)
    while found.work < WORK:
        pairs = [pair for pair in found.pairs() if _between(turns, pair)]
        widest = max(pairs, key=found.rank, default=None)
        if widest is None or found.change(widest) < CHANGE:
            break
        found.play(_middle(line, _between(turns, widest), widest), GAMES)
    for pair in sorted(found.pairs(), key=found.rank, reverse=True)[:CONFIRMED]:
        for number in pair:
            if len(found.won[number]) == GAMES and found.work < WORK:
                found.play(number, 2 * GAMES)
    known = sorted(found.won)
    offsets = [_log_odds(found.chance(n)) - _log_odds(line[n]) for n in known]
    corrected, latest = [], 0
    for number in range(len(line)):
        latest = number if number in turns else latest
        odds = _log_odds(line[latest]) + float(np.interp(latest, known, offsets))
        corrected.append(_at_odds(odds))
    return corrected


def _between(turns: Sequence[int], ends: tuple[int, int]) -> list[int]:
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
        won: Black's win probability at the end of each game from a moment: mostly 1 or 0.
        work: done so far.
    """

    def __init__(self, game: TableGame, line: Sequence[float]) -> None:
        self.won: dict[int, list[float]] = {}
        self.work = 0
        self._game, self._line = game, line
        self._start = Game(game.rules, Beginning(game.start.handicap))
        self._bot = cache(self._made)

    def _made(self, seed: int) -> Bot:
        return make(SPEC, self._start, seed)

    def play(self, number: int, count: int) -> None:
        """Continue a number of games from a moment."""
        begun, results = self._game.first(number), self.won.setdefault(number, [])
        for game in range(len(results), len(results) + count):
            results.append(self._continue(begun, game))

    def _continue(self, begun: TableGame, game: int) -> float:
        referee, attempts = begun.twin(), 0
        while referee.outcome is None:
            if attempts % ASKED == 0:
                now = chance(GameMoment.of(referee), begun.rules)
                if not 1 - WON < now < WON:
                    return now
            colour = referee.to_move
            referee.attempt(colour, self._bot(2 * game + colour).decide(referee.view(colour)).move)
            attempts += 1
            self.work += begun.rules.size**2
        return 0.5 if referee.outcome.winner is None else float(referee.outcome.winner is BLACK)

    def chance(self, number: int) -> float:
        """Return Black's win probability at a moment."""
        won = self.won[number]
        return (PRIOR * self._line[number] + sum(won)) / (PRIOR + len(won))

    def pairs(self) -> list[tuple[int, int]]:
        """Return the moments with games, each with the next one."""
        return list(pairwise(sorted(self.won)))

    def change(self, pair: tuple[int, int]) -> float:
        first, last = map(self.chance, pair)
        return abs(last - first)

    def rank(self, pair: tuple[int, int]) -> tuple[bool, float]:
        """Return how informative a game between two moments is: most where the winner changes."""
        first, last = map(self.chance, pair)
        change = abs(last - first)
        return (first < 0.5) is not (last < 0.5) and change >= CHANGE, change
