"""Learn a portfolio over seeds from the games of a store."""

import hashlib
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import count, takewhile
from typing import Final

from phantomgo.errors import BadText
from phantomgo.game.outcome import black_score, black_won, drawn
from phantomgo.game.points import Colour
from phantomgo.identity import Identity
from phantomgo.lab.learners.catalog import LearningMethod
from phantomgo.lab.learners.halving import FIRST
from phantomgo.lab.learners.learner import Learner, Learning, SeedTerms
from phantomgo.lab.learning.timetable import LEAST
from phantomgo.lab.players.identity import book_games
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seeds.lines import LinesToLearn
from phantomgo.lab.seeds.seed_store import SeedStore, pack, play_missing
from phantomgo.portfolio.book import Book, Training
from phantomgo.portfolio.exploiter import Portfolio, Rates, against
from phantomgo.portfolio.line import DIGITS, MAX_MOVES, Line, Side, Step
from phantomgo.portfolio.matrix import cells
from phantomgo.portfolio.methods import Method, parse_method
from phantomgo.portfolio.packed import MAX_SEEDS, Packed
from phantomgo.portfolio.setup import Setup
from phantomgo.values import checked_int
from phantomgo.version import __version__

FEW: Final = 256
"""The number of games after which a learner's first book is written."""


@dataclass(frozen=True)
class LearningPlan:
    """The settings by which a book is learned from the games of a store.

    Attributes:
        name: the book's name.
        method: how the portfolio is learned.
        terms: the seeds.
        timed: True if a time limit sets the number of seeds, in place of the terms.
    """

    name: str
    method: LearningMethod
    terms: SeedTerms
    timed: bool = False

    def __post_init__(self) -> None:
        if self.method.whole_matrix:
            return
        if self.timed:
            raise BadText(f"minutes is for a method of a whole matrix, not {self.method.name}")
        self.method.begin(self.terms)

    def books(
        self, store: SeedStore, workers: Workers, progress: Progress, deadline: float
    ) -> Iterator[Book]:
        """Play games, and yield books, each from more games than the one before.

        The books are not evaluated and lack the digests of `with_games`. If the plan is timed,
        they end at the deadline (`time.monotonic`).
        """
        if not self.method.whole_matrix:
            yield from self._of_learner(store, workers, progress)
            return
        method = parse_method(self.method.text)
        results = (
            self._until(deadline, store, workers, progress)
            if self.timed
            else self._growing(store, workers, progress)
        )
        for packed in results:
            yield untested_book(packed, method, self.terms.seed)

    def _until(
        self, deadline: float, store: SeedStore, workers: Workers, progress: Progress
    ) -> Iterator[Packed]:
        """Play square matrices, each twice as large, until a deadline; yield the results.

        They are played shell by shell, so that at the end all seeds have met each other. Stored
        games take no time, so the same command continues.
        """
        largest = store.side()
        size = max(LEAST, largest)
        with progress.timed("learning", deadline - time.monotonic()) as advance:
            while time.monotonic() < deadline and size <= MAX_SEEDS:
                missing = store.missing(cells(size, size))
                run(
                    Listed(missing),
                    store.contest(len(missing)),
                    workers,
                    store,
                    progress=progress,
                    advance=advance,
                    deadline=deadline,
                )
                largest = store.side()
                if largest:
                    yield pack(store, self.name, largest, largest)
                size *= 2
        if not largest:
            raise BadText("minutes: not one game ended in time; give more")

    def _growing(self, store: SeedStore, workers: Workers, progress: Progress) -> Iterator[Packed]:
        """Play the matrix of all seeds in growing squares; yield the results at each doubling."""
        own, opponents = self.terms.own, self.terms.opponents
        sizes = takewhile(lambda size: size < own, (FIRST << doubling for doubling in count()))
        for size in (*sizes, own):
            play_missing(store, cells(size, min(size, opponents)), workers, progress)
            yield pack(store, self.name, size, min(size, opponents))

    def _of_learner(self, store: SeedStore, workers: Workers, progress: Progress) -> Iterator[Book]:
        """Play the games that a learner asks for; yield its book as games double."""
        method, terms = self.method, self.terms
        if store.lines is not None:
            terms = terms._replace(turns=tuple(store.setup.symmetries))
        learner = method.begin(terms)
        ends = [*learner.ends()]
        most = method.games or max(ends, default=2 * terms.own * terms.opponents)
        learning, contest = Learning(learner, 0), store.contest(most)
        with progress.stage("games at most", most) as advance:
            while learning.limit < most and not learning.over:
                doubled = max(FEW, 2 * learning.limit)
                wanted = min((end for end in ends if end > learning.limit), default=doubled)
                learning.limit = min(most, wanted)
                asked_before = learning.asked
                played = run(learning, contest, workers, store, progress=progress, advance=advance)
                advance(learning.asked - asked_before - played)  # those that were in the store
                if learning.results:
                    yield self._learned(store, learner, learning)
        if not learning.results:
            raise BadText(f"{method.text}: its first round takes more than {most} games")

    def _learned(self, store: SeedStore, learner: Learner, learning: Learning) -> Book:
        """The book of a learner's portfolio; games that it did not ask for count as lost."""
        results, known = learning.results, learner.equilibrium
        # The games and their winners, in the order of their seeds.
        played = "".join(f"{i} {j} {black_score(results[i, j]):g}\n" for i, j in sorted(results))
        training = Training(
            method=self.method.text,
            method_seed=self.terms.seed,
            seeds=self.terms.own,
            opponent_seeds=self.terms.opponents,
            survivors=None,
            games=len(results),
            black_wins=sum(map(black_won, results.values())),
            draws=sum(map(drawn, results.values())),
            matrix=hashlib.sha256(played.encode()).hexdigest(),
            versions=_versions(),
        )
        rates = learner.secured(results)
        black, white = _sides(store.setup, learner.lines, learner.portfolio(), rates)
        return Book(self.name, store.setup, black, white, (), training, None, equilibrium=known)


def untested_book(packed: Packed, method: Method, ties: int) -> Book:
    """The book that a method learns from a matrix, not evaluated, under the matrix's name.

    The seed `ties` breaks the method's ties. Its bots don't play: `with_games` adds the digests of
    its games.
    """
    matrix = packed.scores
    portfolio = method.learn(matrix, ties)
    secured = against(portfolio, matrix.black, matrix.white)
    training = Training(
        method=method.text,
        method_seed=ties,
        seeds=matrix.own,
        opponent_seeds=matrix.opponents,
        survivors=None,
        **packed.counts._asdict(),
        matrix=matrix.digest(),
        versions=_versions(),
    )
    black, white = _sides(packed.setup, (range(matrix.own),) * 2, portfolio, secured)
    return Book(packed.name, packed.setup, black, white, (), training, None)


def with_games(book: Book) -> Book:
    """The book with the digests of its games against itself, as a deployed bot plays it."""
    return replace(book, games=book_games(book))


def with_opening_lines(book: Book, openings: LinesToLearn, movers: tuple[Identity, ...]) -> Book:
    """The book, not evaluated, with opening lines in place of seeds of whole games.

    Raises:
        BadText: no line was better than none.
    """
    sides = []
    for colour in Colour:
        side, bot = book.side(colour), book.player(colour)
        if any(side.lines):
            lines = (line and openings.line(colour, bot, line[-1].seed or 0) for line in side.lines)
            sides.append(replace(side, lines=tuple(lines)))
        else:
            sides.append(Side((), (), side.value))
    if not any(side.lines for side in sides):
        raise BadText(f"none of {book.training.seeds} lines wins more than the bot without a line")
    black, white = sides
    openers = tuple(bot for bot in movers if bot.name in black.bots | white.bots)
    return replace(book, black=black, white=white, openers=openers)


def shortened(book: Book, moves: Sequence[int]) -> Book:
    """The book, not evaluated, with its lines ended after this many own moves.

    Args:
        book: the book.
        moves: one number, or Black's and White's. With 0 the bot plays that colour without the
            book.
    """
    each = of_colours(moves, 0)
    if not any(each):
        raise BadText("moves: 0 for both colours leaves nothing of the book")
    sides = []
    for colour, number in zip(Colour, each, strict=True):
        side = book.side(colour)
        if number == 0:
            sides.append(Side((), (), side.value))
        elif not side.lines:
            raise BadText(f"moves: book {book.name} has no lines for {colour}, so 0, not {number}")
        else:
            lines = tuple(_cut(line, number) for line in side.lines)
            sides.append(replace(side, lines=lines))
    cut = replace(book, black=sides[0], white=sides[1], equilibrium=None)
    return with_games(replace(cut, evaluation=None, best_response=None))


def of_colours(moves: Sequence[int], least: int) -> tuple[int, int]:
    """Black's own moves and White's, of one number for both or one of each."""
    if len(moves) not in (1, 2):
        raise BadText(f"moves: {len(moves)} numbers; one, or Black's and White's")
    black, white = (
        checked_int("moves", number, least, MAX_MOVES) for number in (*moves, *moves)[:2]
    )
    return black, white


def _cut(line: Line, moves: int) -> Line:
    """The line, ended after this many own moves."""
    before = sum(step.moves or 0 for step in line[:-1])
    last = line[-1]
    if moves <= before or (last.moves is not None and moves > before + last.moves):
        raise BadText(f"moves: {moves} is not within the last step of each line of the book")
    return (*line[:-1], last._replace(moves=moves - before))


def _versions() -> dict[str, str]:
    """The versions of the packages used for learning."""
    versions = {"phantomgo": __version__, "python": platform.python_version()}
    for package in ("numpy", "numba", "scipy"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:  # run from a place without the packages' metadata
            versions[package] = "unknown"
    return versions


def _sides(
    setup: Setup,
    seeds: Sequence[Sequence[int | None]],
    portfolio: Portfolio,
    rates: Rates,
) -> Iterator[Side]:
    """Black's side and White's, of seeds that play whole games; None means no line."""
    bots = setup.black.name, setup.white.name
    for bot, own, distribution, secured in zip(bots, seeds, portfolio, rates, strict=True):
        value = round(min(1.0, max(0.0, float(secured.min()))), DIGITS)
        lines = [() if seed is None else (Step(bot, seed),) for seed in own]
        yield Side.of(lines, distribution, value)
