"""Games between seeds: the contest, and the results as matrices.

Like books, seeds are also played under the symmetries of the board. A symmetry applied to both
players only mirrors the game, so it is enough to turn Black: a game is identified by both seeds
and by the symmetry between Black's board and White's. The symmetry is encoded in Black's number
(`turned`), so that such games are kept in the same store; a seed that is not turned is its own
number. `left` encodes a seed that decides only the first moves, with the seed that plays on.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product, starmap
from typing import Final, Self, TypeAlias

import bots
from bots import Bot
from bots.naming import Head, head_of, is_engine, variant, variants
from bots.seeded import in_turn, on_turned_board
from bots.spec import Make
from phantomgo.beginning import START, Beginning
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.game import play_game
from phantomgo.identity import Identity
from phantomgo.lab.games.contest import OtherGames, make_other_setup
from phantomgo.lab.identity import identify
from phantomgo.lab.players import learns
from phantomgo.lab.run.contest import SEEDS, Contest, Game, Result
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.portfolio.matrix import Cell
from phantomgo.portfolio.setup import AnySetup, OtherSetup, Setup
from phantomgo.portfolio.side import NEVER, Line, Start
from phantomgo.rng import Stream, mix
from phantomgo.rules import Rules
from phantomgo.symmetry import Symmetry

LEAVE: Final = "leave"
STARTS: Final = "starts"
Starts: TypeAlias = tuple[Start | None, ...]
"""Black's and White's start, None for a colour without; empty if there are none at all."""
TURN: Final = 1 << 60
"""Seeds are below this; symmetry g adds g times this."""
LEFT: Final = 1 << 59
"""Seeds that decide whole games are below this."""
_TAIL, _LEAVE, MAX_OPENING = 1 << 24, 1 << 52, (1 << 24) - 1
MAX_TAIL: Final = _LEAVE // _TAIL - 1


def turned(seed: int, symmetry: Symmetry) -> int:
    """The number of Black's seed with Black's board turned by a symmetry."""
    return symmetry * TURN + seed


def left(seed: int, moves: int, tail: int) -> int:
    """The number of a seed that decides this many own moves before the seed `tail` plays on.

    Raises:
        BadText: the seed is too large to be left.
    """
    whole("a seed that is left", seed, 0, MAX_OPENING)
    return LEFT + moves * _LEAVE + tail * _TAIL + seed


def tail_of(seed: int, test: int, number: int) -> int:
    """The seed that plays on in game `number` of a seed against a test seed.

    It is above MAX_OPENING, so it took no part in learning.
    """
    drawn = mix(mix(mix(seed) + test) + number)
    return MAX_OPENING + 1 + drawn % (MAX_TAIL - MAX_OPENING)


def line_of(number: int, start: Start | None = None) -> Line:
    """The seeds that a number encodes; lines of the start come before those that are left."""
    if number < LEFT:
        return ((number, NEVER),)
    moves, rest = divmod(number - LEFT, _LEAVE)
    tail, seed = divmod(rest, _TAIL)
    before = () if start is None else start.line(seed)
    return (*before, (seed, moves), (tail, NEVER))


def bot_of(spec: str, line: Line, make: Make = bots.make) -> Bot:
    """The bot whose moves these seeds decide in turn; the last one plays on to the end."""
    players = [(make(spec, seed), moves) for seed, moves in line]
    return in_turn(players[:-1], players[-1][0])


def symmetries(black: int, white: int, among: Sequence[Symmetry], number: int) -> list[Symmetry]:
    """A number of symmetries under which these seeds play, drawn for each pair."""
    if number >= len(among):
        return list(among)
    stream, left = Stream(mix(mix(black) + white)), list(among)
    return sorted(left.pop(stream.below(len(left))) for _ in range(number))


def turned_games(setup: AnySetup, black: int, white: int, number: int) -> list[Cell]:
    """The games of two seeds under a number of symmetries; 0 for games without any."""
    if number == 0:
        return [(black, white)]
    drawn = symmetries(black, white, setup.symmetries, number)
    return [(turned(black, symmetry), white) for symmetry in drawn]


def make_setup(
    black: str, white: str, profile: str, rules: Rules, beginning: Beginning = START
) -> Setup:
    """The setup of games between two bot specs, identifying both players now.

    Raises:
        BadText: a spec is not a bot whose seeds can be learned, or no game by these rules begins
            like this.
    """
    for spec in (black, white):
        if head_of(spec) is Head.BOOK:
            raise BadText(f"{spec} is a book already; learn the bot it is for")
        if is_engine(spec):
            raise BadText(f"{spec[:60]} is an engine; seeds are learned of our own bots")
        bot = bots.make(spec, 0)
        if learns(spec):
            raise BadText(f"{bot.name} learns from game to game: it has no seeds to learn")
        if not bot.pure:
            why = "does not repeat itself" if bot.foreign else "plays by the clock"
            raise BadText(f"{bot.name} {why}: the same seed is not the same player")
    look = cache(lambda spec: identify(spec, rules, beginning))
    return Setup(look(black), look(white), profile, rules, beginning)


def made_again(setup: AnySetup) -> AnySetup:
    """The same players under the same rules, identified again.

    Raises:
        BadText: a player no longer exists.
    """
    black, white = setup.black.name, setup.white.name
    if isinstance(setup, OtherSetup):
        return make_other_setup(setup.game, black, white)
    return make_setup(black, white, setup.profile, setup.rules, setup.beginning)


@dataclass(frozen=True)
class SeedGames(Contest[Game]):
    """The contest of Phantom Go between seeds, with results as GTP writes them.

    Attributes:
        setup: the players and rules.
        leave: own moves after which both seeds are left, each continued by a seed of the game; 0
            for never. Numbers made by `left` keep their own.
        starts: the lines before Black's and White's seeds that are left; may be empty.
        together: whether games are played in lock step (phantomgo/lab/lockstep/batch.py), which
            has the same results and is several times as fast once compiled.
    """

    setup: Setup
    leave: int = 0
    starts: Starts = ()
    together: bool = False

    @classmethod
    def many(cls, setup: Setup, number: int, leave: int = 0, starts: Starts = ()) -> Self:
        """The contest for about `number` games, in lock step if that is possible and pays."""
        from phantomgo.lab.lockstep.batch import pays, takes  # noqa: PLC0415  (the compiler)

        pairs = product(variants(setup.black.name), variants(setup.white.name))
        handicap, attempts = setup.beginning
        taken = (takes(setup.rules, *pair, handicap) for pair in pairs)
        return cls(setup, leave, starts, pays(number) and not attempts and all(taken))

    @property
    def players(self) -> tuple[Identity, Identity]:
        return self.setup.black, self.setup.white

    @property
    def terms(self) -> Mapping[str, object]:
        setup = self.setup
        beginning = setup.beginning.as_dict(setup.rules.size)
        left: dict[str, object] = {LEAVE: self.leave} if self.leave else {}
        if self.starts:
            left[STARTS] = [start and start.as_dict() for start in self.starts]
        return {
            "game": SEEDS,
            "profile": setup.profile,
            **setup.rules.as_dict(),
            **beginning,
            **left,
        }

    def play(self, games: Sequence[Game]) -> list[Result]:
        return self._play_together(games) if self.together else list(starmap(self._play_one, games))

    def _play_together(self, games: Sequence[Game]) -> list[Result]:
        from phantomgo.lab.lockstep.batch import play_batch  # noqa: PLC0415  (the same)

        pairs = defaultdict[tuple[str, str], dict[Game, tuple[tuple[Line, Line], Symmetry]]](dict)
        for game in games:
            symmetry, mine, yours = self._lines(*game)
            black, own = _variant(self.setup.black.name, mine)
            white, other = _variant(self.setup.white.name, yours)
            pairs[black, white][game] = (own, other), symmetry
        rules, handicap = self.setup.rules, self.setup.beginning.handicap
        found = dict[Game, Result]()
        for names, these in pairs.items():
            lines, turns = zip(*these.values(), strict=True)
            played = play_batch(rules, *names, handicap, lines, turns=turns)
            found |= zip(these, (Result(game.outcome.result) for game in played), strict=True)
        return [found[game] for game in games]

    def _play_one(self, number: int, white_number: int) -> Result:
        symmetry, own, other = self._lines(number, white_number)
        black = on_turned_board(bot_of(self.setup.black.name, own), symmetry)
        white = bot_of(self.setup.white.name, other)
        game = play_game(self.setup.rules, black, white, self.setup.beginning)
        spare_the_collector()
        return Result(game.outcome.result)

    def _lines(self, black: int, white: int) -> tuple[Symmetry, Line, Line]:
        """The symmetry of Black's board, and the seeds that the numbers of a game encode."""
        if self.leave and max(black, white) < LEFT:
            tails = tail_of(black, white, 0), tail_of(white, black, 1)
            black, white = (
                left(seed, self.leave, tail)
                for seed, tail in zip((black, white), tails, strict=True)
            )
        symmetry, black = divmod(black, TURN)
        starts = self.starts or (None, None)
        return symmetry, line_of(black, starts[0]), line_of(white, starts[1])


def _variant(spec: str, line: Line) -> tuple[str, Line]:
    """The bot that a seed chooses, and that bot's seeds."""
    name, seed = variant(spec, line[0][0])
    if name == spec or len(line) == 1:
        return name, ((seed, line[0][1]), *line[1:])
    raise BadText(f"{spec}: seeds of one of several bots are not left in lock step")


def contest_of(
    setup: AnySetup, number: int = 0, leave: int = 0, starts: Starts = ()
) -> SeedGames | OtherGames:
    """The contest of a setup for about `number` games, with seeds left after `leave` own moves."""
    if isinstance(setup, OtherSetup):
        return OtherGames(setup)
    return SeedGames.many(setup, number, leave, starts)
