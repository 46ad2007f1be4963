"""Portfolios of seeds against an exact best response, at equal games.

A portfolio is learned from some of the seeds of a matrix, as in compare.py. Its winning rate is
measured against exploiters who try fresh seeds, and against a best response, which is the limit of
all exploiters: no rate against a fresh seed is lower.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from time import process_time
from typing import Final, NamedTuple, TypeAlias

import bots
from bots import Bot
from bots.naming import is_engine
from bots.seeded import Turned
from phantomgo.errors import BadText
from phantomgo.lab.exact.phantom import Situation
from phantomgo.lab.exact.response import Decide, Member, best_response, pure
from phantomgo.lab.exact.value import Bounds
from phantomgo.lab.games.players import decided, make_player
from phantomgo.lab.games.state import Position
from phantomgo.lab.games.table import make_game
from phantomgo.lab.learners.learner import Terms, recorded
from phantomgo.lab.learners.table import parse_learner
from phantomgo.lab.measure.responder import Responder
from phantomgo.lab.run.progress import Advance
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seeds import made_again
from phantomgo.points import BLACK, WHITE, Colour, Move
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.exploiter import Portfolio, against, expected_exploited
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.setup import AnySetup, OtherSetup
from phantomgo.symmetry import SYMMETRIES

LEARNERS: Final = (
    *("uniform", "bestseed", "besthalf", "topk", "nash", "exp3", "oracle"),
    *("psro", "apsro"),
)
EXPLOITERS: Final = (1, 16)
SHARES: Final = 10**12
"""A chance as a whole number of these, as a responder takes it; books have twelve decimals."""

Players: TypeAlias = tuple[Position, Callable[[Colour, int], Decide]]
"""The start of a game, and the player of each colour and seed."""


class Row(NamedTuple):
    """A portfolio and the rates at which it wins.

    Attributes:
        learner: that learned it.
        games: how many different games it was learned from.
        tried: against the worst of K' fresh seeds, for each K'.
        black: as Black against a best response.
        white: as White.
        seconds: of processor time for the two best responses.
        kept: as Black and as White against a responder (responder.py) who owns the book; None if
            there was none; at least what is kept against a best response.
    """

    learner: str
    games: int
    tried: tuple[float, ...]
    black: float
    white: float
    seconds: float
    kept: tuple[float, float] | None = None

    @property
    def rate(self) -> float:
        """The mean of both colours against a best response."""
        return (self.black + self.white) / 2

    def short(self, value: float) -> tuple[float, float]:
        """The part of the value of the game that each colour does not secure."""
        return value - self.black, 1 - value - self.white

    @property
    def nash_conv(self) -> float:
        """The gain of both sides together by best responses; 0 at an equilibrium."""
        return 1 - self.black - self.white


class Exact(NamedTuple):
    """Portfolios measured against exact best responses.

    Attributes:
        setup: the game and its players.
        plan: of the portfolios that were learned; None if books were measured.
        rows: the results.
        value: of the game; None if it wasn't asked for.
    """

    setup: AnySetup
    plan: "Plan | None"
    rows: list[Row]
    value: Bounds | None


@dataclass(frozen=True, eq=False)
class Plan:
    """The portfolios that are measured.

    Attributes:
        setup: the game and its players.
        matrix: the results of training seeds, then fresh ones; square.
        train: how many seeds are for training.
        seed: makes the learners' draws.
        learners: texts for `parse_learner`; their `games` are the budgets.
        budgets: how many games each may ask for.
        exploiters: the K' to test.
    """

    setup: AnySetup
    matrix: SeedMatrix
    train: int
    seed: int
    learners: tuple[str, ...]
    budgets: tuple[int, ...]
    exploiters: tuple[int, ...]


def measure(plan: Plan, workers: Workers, advance: Advance) -> list[Row]:
    """Learn the portfolios and measure each, by learner and budget.

    Raises:
        BadText: a learner cannot be read or limits its own games, the game cannot be searched, or
            a player plays otherwise than in the recorded games.
    """
    for text in plan.learners:
        if parse_learner(text).games:
            raise BadText(f"{text}: how many games each may play is given for all alike")
    again = made_again(plan.setup)
    for was, now in ((plan.setup.black, again.black), (plan.setup.white, again.white)):
        if difference := was.difference(now):
            raise BadText(f"{was.name} has changed since these games were played: {difference}")
    found = []
    for row in workers.map(_measured, plan, list(product(plan.learners, plan.budgets))):
        found.append(row)
        advance(1)
    return found


def _measured(plan: Plan, item: tuple[str, int]) -> Row:
    text, budget = item
    train, results = plan.train, plan.matrix.black
    learner = parse_learner(text).make(Terms(train, train, plan.seed))
    (ended,) = recorded(learner, plan.matrix.first(train, train), [budget])
    rates = against(ended.portfolio, results[:train, train:], results[train:, :train])
    tried = tuple(expected_exploited(rates, exploiter).rate for exploiter in plan.exploiters)
    began = process_time()
    exact = exact_rates(players_of(plan.setup), ended.portfolio)
    return Row(text, ended.games, tried, *exact, process_time() - began)


def exact_rates(players: Players, portfolio: Portfolio) -> tuple[float, float]:
    """The rates at which a portfolio wins as Black and as White against a best response."""
    start, player = players
    black, white = (
        secured(start, colour, [
            Member(weight, pure(player(colour, seed)))
            for seed, weight in enumerate(shares.tolist())
        ])
        for colour, shares in zip((BLACK, WHITE), portfolio, strict=True)
    )  # fmt: skip
    return black, white


def secured(start: Position, colour: Colour, members: Sequence[Member]) -> float:
    """The rate at which a portfolio of this colour wins against a best response."""
    return max(0.0, 1 - best_response(start, colour.other, members).rate)


def measure_book(book: Book) -> Row:
    """A book of whole games, as it is played: bots see the board under any of its symmetries.

    Raises:
        BadText: its seeds decide only openings, or the game cannot be searched.
    """
    if book.black.leave or book.white.leave:
        raise BadText(f"{book.name} is left after some moves: its players are countless")
    began = process_time()
    start, player = players_of(book.setup)
    black, white = (
        secured(start, colour, list(_drawn(book, colour, player))) for colour in (BLACK, WHITE)
    )
    return Row(book.name, book.training.games, (), black, white, process_time() - began)


def _drawn(book: Book, colour: Colour, player: Callable[[Colour, int], Decide]) -> Iterator[Member]:
    """The players that a book draws from."""
    if isinstance(book.setup, OtherSetup):
        side = book.side(colour)
        for seed, weight in zip(side.seeds, side.probabilities, strict=True):
            yield Member(weight, pure(player(colour, seed)))
    else:
        for bot, weight in _bots(book, colour):
            yield Member(weight, pure(_decides(bot)))


def _bots(book: Book, colour: Colour) -> Iterator[tuple[Bot, float]]:
    """The bots that a book draws from, under every symmetry, and their chances."""
    side = book.side(colour)
    for seed, weight in zip(side.seeds, side.probabilities, strict=True):
        bot = bots.make(book.player(colour), seed)
        for symmetry in SYMMETRIES:
            yield Turned(seed, bot, symmetry), weight / len(SYMMETRIES)


def respond(book: Book, stop: Callable[[Responder], bool]) -> tuple[float, float]:
    """The rates that a book keeps as Black and as White against a responder who owns it.

    The responder faces every player of the book by their true chances, so that what they win is a
    lower bound of what a best response wins.

    Args:
        book: of Phantom Go, and of whole games.
        stop: True once the responder of a colour has learned for long enough.

    Raises:
        BadText: the book is not of Phantom Go.
    """
    if isinstance(book.setup, OtherSetup):
        raise BadText(f"book {book.name} is of {book.setup.game}; a responder plays Phantom Go")
    black, white = (_kept(book, colour, stop) for colour in (BLACK, WHITE))
    return black, white


def _kept(book: Book, colour: Colour, stop: Callable[[Responder], bool]) -> float:
    setup = book.phantom_go
    faced = {bot: round(chance * SHARES) for bot, chance in _bots(book, colour)}
    responder = Responder(
        setup.rules, colour.other, book.player(colour.other), faced, beginning=setup.beginning
    )
    responder.learn(lambda: stop(responder))
    return 1 - responder.rate


def players_of(setup: AnySetup) -> Players:
    """The start of a setup's games, and its players by colour and seed.

    Raises:
        BadText: the game has chance events, a player is an engine or isn't installed, or by the
            rules no game begins so.
    """
    names = dict(zip((BLACK, WHITE), (setup.black.name, setup.white.name), strict=True))
    for name in names.values():
        if is_engine(name):
            raise BadText(f"{name[:60]} is an engine: a best response asks it too often")
    if not isinstance(setup, OtherSetup):
        for name in names.values():
            bots.make_installed(name, 0)
        start = Situation.start(setup.rules, setup.beginning)
        return start, lambda colour, seed: _bot(names[colour], seed)
    game = make_game(setup.game)
    if game.chance:
        raise BadText(f"{game.name} has chance events, which a best response does not search")
    known = {colour: make_player(name, game) for colour, name in names.items()}
    return game.start(0), lambda colour, seed: partial(decided, game, known[colour], seed)


@lru_cache(4096)
def _bot(name: str, seed: int) -> Decide:
    return _decides(bots.make(name, seed))


def _decides(bot: Bot) -> Decide:
    """A bot that remembers its decisions."""
    moves = dict[Hashable, Move]()

    def decide(position: Position) -> Move:
        assert isinstance(position, Situation)
        move = moves.get(position.known)
        if move is None:
            move = moves[position.known] = bot.propose(position.view)
        return move

    return decide
