"""Books of moves, measured by games against fresh seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

import bots
from bots.book import moves_bot
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, WHITE, Colour
from phantomgo.game.recording import begin
from phantomgo.identity import Identity
from phantomgo.lab.run.contest import GameNumber, Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.portfolio.exploiter import Expected, Rates, expected_exploited
from phantomgo.portfolio.movebook import MoveBook


@dataclass(frozen=True)
class MoveBookGames:
    """The contest of a book of moves against single seeds; a game is (own number, opponent's seed).

    The own number is twice the own seed, plus one for White. The result `1 3 2` is a win with 3
    attempts from the book, 2 of them before any other.
    """

    book: MoveBook
    bot: str
    players: tuple[Identity, ...]
    engines: ClassVar[bool] = False

    @property
    def terms(self) -> Mapping[str, object]:
        return {
            "game": "trials of a book of moves",
            **self.book.setup.terms,
            "book": self.book.digest,
        }

    def play(self, games: Sequence[GameNumber]) -> list[Result]:
        return [self._play(*game) for game in games]

    def _play(self, own: int, other: int) -> Result:
        seed, white = divmod(own, 2)
        game = self.book.setup.game
        opponent = bots.make(self.bot, game, other)
        mine = moves_bot(self.book, bots.make(self.bot, game, seed), bots.make)
        setup = self.book.setup
        on_black, on_white = (opponent, mine) if white else (mine, opponent)
        record = play_game(setup.rules, on_black, on_white, setup.beginning)
        spare_the_collector()
        colour = WHITE if white else BLACK
        (referee, begun), used = begin(setup.rules, setup.beginning), list[bool]()
        for attempt in record.attempts[len(begun) :]:
            if attempt.colour is colour:
                used.append(mine.book_move(referee.view(colour)) is not None)
            referee.attempt(attempt.colour, attempt.move)
        first = next((i for i, known in enumerate(used) if not known), len(used))
        return Result(f"{record.outcome.score(colour):g} {sum(used)} {first}")


class Depth(NamedTuple):
    """The mean number of book attempts in a game, and of those before any other attempt."""

    attempts: float
    first: float


@dataclass(frozen=True)
class Measured:
    """The results of a book of moves against fresh seeds.

    Attributes:
        book: the book.
        bot: the bot that played where the book has no move.
        rates: the win rate against each of them, by colour.
        games: games against each of them, each with another own seed.
        depth: how far the book reaches, by colour.
    """

    book: MoveBook
    bot: str
    rates: Rates
    games: int
    depth: Mapping[Colour, Depth]

    def exploited(self, exploiter: int) -> Expected:
        """The win rate against an opponent who tries this many seeds."""
        return expected_exploited(self.rates, exploiter)


def measured(
    contest: MoveBookGames,
    store: Store,
    own: range,
    tests: range,
    workers: Workers,
    progress: Progress = SILENT,
) -> Measured:
    """Measure a book by all own seeds against all test seeds; missing games are played."""
    wanted = [(2 * seed + white, test) for test in tests for seed in own for white in (0, 1)]
    missing = store.missing(wanted)
    with progress.stage("games", len(missing)) as advance:
        run(Listed(missing), contest, workers, store, progress=progress, advance=advance)
    known = store.results()
    told = np.array([[float(word) for word in known[game].split()] for game in wanted])
    table = told.reshape(len(tests), len(own), 2, 3)
    rates = table[..., 0].mean(axis=1)
    depth = {
        colour: Depth(*table[:, :, white, 1:].mean(axis=(0, 1)).tolist())
        for white, colour in enumerate(Colour)
    }
    return Measured(contest.book, contest.bot, Rates(*rates.T), len(own), depth)
