"""The division of given minutes between learning a book, identifying it, and measuring it."""

import math
import time
from typing import Final, NamedTuple, Self

import bots
from bots import Bot
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.lab.players.identity import attempts_of, games_to_know
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seeds.seed_store import SeedStore
from phantomgo.portfolio.setup import Setup

TESTING: Final = 0.2
"""The largest share of the minutes for games of the learned book against its bot."""
TRIALS: Final = 600
"""The largest number of those games."""
CLOSING: Final = 0.05
"""The share of the minutes for the games that identify the book."""
LEAST: Final = 8
"""The smallest number of seeds per colour from which a book is learned."""


class Timetable(NamedTuple):
    """The division of given minutes, as times of `time.monotonic`.

    Attributes:
        learned: the time by which the last game of learning ends.
        over: the time by which the last game against the bot ends.
    """

    learned: float
    over: float

    @classmethod
    def of(
        cls, minutes: float, began: float, store: SeedStore, workers: Workers, progress: Progress
    ) -> Self:
        """Time a game of the bot, and report how many games fit into the minutes.

        Raises:
            BadText: the minutes are too few for any book.
        """
        total, setup = 60 * minutes, store.setup
        most = total * workers.number() / LEAST**2
        pace = workers.number() / _seconds_of_game(setup, most)
        over, testing = began + total, min(TESTING * total, TRIALS / pace)
        knowing = _seconds_to_know(setup.black.name, setup.white.name, setup.game)
        closing = max(CLOSING * total, knowing)
        learned = over - closing - testing
        games = pace * (learned - time.monotonic())
        if games + store.side() ** 2 < LEAST**2:
            spent = time.monotonic() - began + closing
            raise _too_short(minutes, games, spent + LEAST**2 / pace / (1 - TESTING))
        trials = 2 * max(1, int(pace * testing / 2))
        seeds = math.isqrt(int(games) + store.side() ** 2)
        progress.note(
            f"{minutes:g} minute{'s' * (minutes != 1)}: at the speed of one game about {int(games)}"
            f" games to learn from, {seeds} seeds per colour, then {trials} games against the bot"
        )
        return cls(learned, over)


def _too_short(minutes: float, games: float, seconds: float) -> BadText:
    """The error for minutes that are too few for a book, which takes these seconds."""
    return BadText(
        f"minutes: {minutes:g} are enough for about {max(0, int(games))} games, and a book needs"
        f" {LEAST**2}: give at least {math.ceil(seconds / 6) / 10 + 0.1:.1f}"
    )


def _seconds_of_game(setup: Setup, most: float) -> float:
    """The seconds that a game of the players takes; `most` if it takes longer."""
    black = bots.make(setup.black.name, setup.game, 0)
    return _timed(black, bots.make(setup.white.name, setup.game, 1), most)


def _timed(black: Bot, white: Bot, most: float) -> float:
    """The seconds that a game of two bots takes; `most` if it takes longer."""
    began = time.monotonic()
    for _ in attempts_of(black, white):
        if time.monotonic() - began >= most:
            break
    return min(most, max(time.monotonic() - began, 1e-4))


def _seconds_to_know(black: str, white: str, game: Game) -> float:
    """The seconds for the games that identify a bot or the book of two."""
    one, other = bots.make(black, game, 0), bots.make(white, game, 1)
    return games_to_know(game.rules) * _timed(one.with_budget(1), other.with_budget(1), 60.0)


def check_minutes(minutes: float, spec: str, game: Game) -> None:
    """Check that there is time for the games that identify a foreign bot.

    Our own bots play them in moments.

    Raises:
        BadText: the bot is too slow.
    """
    if bots.make(spec, game, 0).foreign:
        seconds = 2 * _seconds_to_know(spec, spec, game)  # the bot's and its book's
        if seconds > 60 * minutes / 2:
            raise _too_short(minutes, 0, 2 * seconds)
