"""Portfolios of seeds against an exact best response, at equal games.

A portfolio is learned from some of the seeds of a matrix, as in compare.py. Its winning rate is
measured against exploiters who try fresh seeds, and against a best response, the limit of all
exploiters: no fresh seed does better.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
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
from phantomgo.lab.exact.phantom import Situation, player_of
from phantomgo.lab.exact.response import Decide, Member, best_response, pure
from phantomgo.lab.exact.value import Bounds
from phantomgo.lab.games.players import decided, make_player
from phantomgo.lab.games.state import Position
from phantomgo.lab.games.table import make_game
from phantomgo.lab.learners.learner import Terms, recorded
from phantomgo.lab.learners.table import parse_learner
from phantomgo.lab.measure.responder import Mirrored, Plain, Read, Responder
from phantomgo.lab.run.progress import Advance, clock
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seeds import made_again
from phantomgo.points import BLACK, WHITE, Colour, Move
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.exploiter import against, expected_exploited
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.setup import AnySetup, OtherSetup
from phantomgo.symmetry import SYMMETRIES

LEARNERS: Final = (
    *("uniform", "bestseed", "besthalf", "topk", "nash", "exp3", "oracle"),
    *("psro", "apsro"),
)
EXPLOITERS: Final = (1, 16)
SHARES: Final = 10**12
"""Probabilities as whole numbers for a responder, in units of 1/this; books have 12 decimals."""

Player: TypeAlias = Callable[[Colour, int], Decide]
"""The player of a colour and seed."""
Stop: TypeAlias = Callable[[Responder], bool]
"""True once a responder has learned for long enough."""


class Row(NamedTuple):
    """A portfolio and the rates at which it wins.

    Attributes:
        learner: the learner.
        games: the number of different games it was learned from.
        tried: the rate against the worst of K' fresh seeds, for each K'.
        black: the rate as Black against a best response.
        white: the same as White.
        seconds: processor time for the two best responses.
        kept: the rates as Black and White against a responder (responder.py) who knows the
            portfolio, which are at least those against a best response; None if not measured.
    """

    learner: str
    games: int
    tried: tuple[float, ...]
    black: float = 0.0
    white: float = 0.0
    seconds: float = 0.0
    kept: tuple[float, float] | None = None

    @property
    def rate(self) -> float:
        """The mean of both colours against a best response."""
        return (self.black + self.white) / 2

    def short(self, value: float) -> tuple[float, float]:
        """The difference between the value of the game and what each colour secures."""
        return value - self.black, 1 - value - self.white

    @property
    def nash_conv(self) -> float:
        """The sum of both sides' gains by best responses; 0 at an equilibrium."""
        return 1 - self.black - self.white


class Exact(NamedTuple):
    """Portfolios measured against exact best responses.

    Attributes:
        setup: the game and its players.
        plan: the plan of learned portfolios; None if books were measured.
        rows: the results.
        value: the value of the game; None if it wasn't computed.
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
        matrix: the square matrix of training seeds, followed by fresh ones.
        train: the number of training seeds.
        seed: the seed of the learners' draws.
        learners: specs for `parse_learner`; their `games` are the budgets.
        budgets: games that each may ask for.
        exploiters: the K' to test.
        responder: seconds of processor time for a responder to learn as each colour; 0 for none.
    """

    setup: AnySetup
    matrix: SeedMatrix
    train: int
    seed: int
    learners: tuple[str, ...]
    budgets: tuple[int, ...]
    exploiters: tuple[int, ...]
    responder: float = 0.0


def measure(plan: Plan, workers: Workers, advance: Advance) -> list[Row]:
    """Learn the portfolios and measure each, by learner and budget.

    Raises:
        BadText: a learner cannot be read or limits its own games, the game cannot be searched, or
            a player plays otherwise than in the recorded games.
    """
    for text in plan.learners:
        if parse_learner(text).games:
            raise BadText(f"{text}: how many games each may play is given for all alike")
    players_of(plan.setup)  # before a player that a file names is made, or started
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
    start, player = players_of(plan.setup)
    sides = {
        colour: [
            Drawn(weight, player(colour, seed))
            for seed, weight in enumerate(shares.tolist())
            if weight
        ]
        for colour, shares in zip((BLACK, WHITE), ended.portfolio, strict=True)
    }
    row = Row(text, ended.games, tried)
    return _against_best(row, start, player, sides, Plain, plan.responder)


class Drawn(NamedTuple):
    """A player that a portfolio draws, and how likely."""

    weight: float
    decide: Decide


Sides: TypeAlias = Mapping[Colour, Sequence[Drawn]]


def _against_best(
    row: Row, start: Position, player: Player, sides: Sides, read: Read, seconds: float
) -> Row:
    """The row completed by the rates against a best response and a responder."""
    began = process_time()
    row = row._replace(black=secured(start, BLACK, sides[BLACK]))
    row = row._replace(white=secured(start, WHITE, sides[WHITE]), seconds=process_time() - began)
    if not seconds:
        return row
    black, white = (
        kept(start, colour, sides[colour], player, read, _after(seconds))
        for colour in (BLACK, WHITE)
    )
    return row._replace(kept=(black, white))


def _after(seconds: float) -> Stop:
    """A function that returns True after these seconds of processor time."""
    over = clock(seconds, lambda _: None)
    return lambda _: over()


def secured(start: Position, colour: Colour, drawn: Sequence[Drawn]) -> float:
    """The rate at which a portfolio of this colour wins against a best response."""
    members = [Member(weight, pure(decide)) for weight, decide in drawn]
    return max(0.0, 1 - best_response(start, colour.other, members).rate)


def kept(
    start: Position, colour: Colour, drawn: Sequence[Drawn], player: Player, read: Read, stop: Stop
) -> float:
    """The rate at which a portfolio of this colour wins against a responder (responder.py).

    The responder meets every player with their true probability, so its winning rate is a lower
    bound on a best response's.

    Args:
        start: the start of the game.
        colour: the portfolio's colour.
        drawn: its players.
        player: the player of a colour and seed, who decides where the responder found no
            improvement.
        read: which positions the responder treats alike; `Mirrored` loses nothing against players
            who are drawn under symmetries.
        stop: ends its learning.
    """
    responder = Responder(
        start,
        colour.other,
        partial(player, colour.other),
        {decide: round(weight * SHARES) for weight, decide in drawn},
        read=read,
        drawn=float(colour.other is WHITE),
    )
    responder.learn(lambda: stop(responder))
    return 1 - responder.rate


def measure_book(book: Book, responder: float = 0.0) -> Row:
    """Measure a book of whole games as it is played, under all symmetries of the board.

    A responder learns for `responder` seconds of processor time as each colour, unless that is 0.

    Raises:
        BadText: its seeds decide only openings, or the game cannot be searched.
    """
    if book.black.leave or book.white.leave:
        raise BadText(f"{book.name} is left after some moves: its players are countless")
    start, player = players_of(book.setup)
    sides = {colour: list(_drawn(book, colour, player)) for colour in (BLACK, WHITE)}
    read = Plain if isinstance(book.setup, OtherSetup) else Mirrored
    row = Row(book.name, book.training.games, ())
    return _against_best(row, start, player, sides, read, responder)


def _drawn(book: Book, colour: Colour, player: Player) -> Iterator[Drawn]:
    """The players that a book draws from, under every symmetry of the board."""
    side = book.side(colour)
    for seed, weight in zip(side.seeds, side.probabilities, strict=True):
        if isinstance(book.setup, OtherSetup):
            yield Drawn(weight, player(colour, seed))
            continue
        bot = bots.make(book.player(colour), seed)
        for symmetry in SYMMETRIES:
            yield Drawn(weight / len(SYMMETRIES), _remembering(Turned(seed, bot, symmetry)))


def players_of(setup: AnySetup) -> tuple[Position, Player]:
    """The start of a setup's games, and its players by colour and seed.

    Raises:
        BadText: the game has chance events, a player is an engine or isn't installed, or no game by
            the rules begins like this.
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
    return _remembering(bots.make(name, seed))


def _remembering(bot: Bot) -> Decide:
    """A bot that remembers its decisions."""
    moves, choose = dict[Hashable, Move](), player_of(bot)

    def decide(position: Position) -> Move:
        move = moves.get(position.known)
        if move is None:
            move = moves[position.known] = choose(position)
        return move

    return decide
