"""Games between seeds: the contest, and the results as matrices.

Like books, seeds are also played under the symmetries of the board. A symmetry applied to both
players only mirrors the game, so it is enough to turn Black: a game is identified by both seeds
and by the symmetry between Black's board and White's. The symmetry is encoded in Black's number
(`turned`), so that such games are kept in the same store; a seed that is not turned is its own
number. `left` encodes a seed that decides only the first moves, with the seed that plays on.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product, starmap
from pathlib import Path
from typing import ClassVar, Final, Self, TypeAlias

import numpy as np

import bots
from bots import Bot
from bots.naming import Head, head_of, is_engine, variant, variants
from bots.seeded import in_turn, on_turned_board
from bots.spec import Make
from phantomgo.beginning import START, Beginning
from phantomgo.checks import whole
from phantomgo.errors import BadStore, BadText
from phantomgo.fields import Fields
from phantomgo.game import play_game
from phantomgo.identity import Identity
from phantomgo.lab.games.contest import OtherGames, make_other_setup
from phantomgo.lab.identity import identify
from phantomgo.lab.players import learns
from phantomgo.lab.run.contest import SEEDS, Game, Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import KIND, Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.portfolio.matrix import Cell, SeedMatrix, Wins, black_won
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.packed import MAX_SEEDS, Counts, Packed, Survivors, read_matrix
from phantomgo.portfolio.setup import AnySetup, OtherSetup, Setup
from phantomgo.portfolio.side import NEVER, Line, Start, read_start
from phantomgo.rng import Stream, mix
from phantomgo.rules import Rules
from phantomgo.symmetry import SYMMETRIES, Symmetry

LEAVE: Final = "leave"
STARTS: Final = "starts"
Starts: TypeAlias = tuple[Start, ...]
"""Black's and White's start, or none."""
TURN: Final = 1 << 60
"""Seeds are below this; symmetry g adds g times this."""
LEFT: Final = 1 << 59
"""Seeds that decide whole games are below this."""
_TAIL, _LEAVE, MAX_OPENING = 1 << 24, 1 << 52, (1 << 24) - 1
MAX_TAIL: Final = _LEAVE // _TAIL - 1

_RESULT: Final = re.compile(r"[BW]\+([0-9.]+|[A-Z])?|0|Void")


def drawn(result: str) -> bool:
    return result == "0"


def void(result: str) -> bool:
    return result == "Void"


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
            raise BadText(f"{bot.name} plays by the clock: the same seed is not the same player")
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
class SeedGames:
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
    engines: ClassVar[bool] = False

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
            left[STARTS] = [start.as_dict() for start in self.starts]
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

    def certain(self, text: str) -> str:
        return text


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


class SeedStore(Store):
    """The results of games between seeds.

    Attributes:
        setup: the players and rules.
        leave: own moves after which seeds are left; 0 for never.
        starts: the lines before Black's and White's seeds that are left.
    """

    def __init__(
        self,
        path: str | Path,
        setup: AnySetup | None = None,
        leave: int = 0,
        starts: Starts = (),
    ) -> None:
        """Open a store; create it if it is missing and a setup is given.

        Raises:
            BadStore: the file is missing, no store, or was made for another setup.
        """
        if setup is None:
            super().__init__(path)
        else:
            contest = contest_of(setup, leave=leave, starts=starts)
            super().__init__(path, contest.players, contest.terms)
        try:
            terms = dict(self.terms)
            if terms.pop("game") != SEEDS:
                raise BadStore(f"{self.path} is not a store of games between seeds")
            one, other = self.players
            self.leave: int = terms.pop(LEAVE, 0)
            given = (Fields(start, KIND) for start in terms.pop(STARTS, ()))
            self.starts: Starts = tuple(map(read_start, given))
            self.setup: AnySetup
            if "of" in terms:
                self.setup = OtherSetup(one, other, terms["of"])
            else:
                begun = {key: terms.pop(key) for key in Beginning._fields if key in terms}
                profile, rules = terms.pop("profile"), Rules(**terms)
                beginning = Beginning.read(Fields(begun, KIND), rules.size)
                self.setup = Setup(one, other, profile, rules, beginning)
        except (KeyError, TypeError, ValueError) as error:
            self.close()
            if isinstance(error, BadStore):
                raise
            message = f"{self.path} does not say what its games are of: {error}"
            raise BadStore(message) from error

    def contest(self, number: int = 0) -> SeedGames | OtherGames:
        """The contest of these games, for about `number` of them."""
        return contest_of(self.setup, number, self.leave, self.starts)

    def wins(
        self, black: Sequence[int], white: Sequence[int], counts: Callable[[str], bool] = black_won
    ) -> Wins:
        """1 where Black won, for these Black seeds (rows) against these White seeds (columns).

        `counts` may select other results than Black's wins.

        Raises:
            BadStore: some of the games have not been played.
        """
        bounds = (min(black), max(black), min(white), max(white))
        results = self.results((bounds[0], bounds[2]), (bounds[1], bounds[3]))
        found = [results.get((i, j)) for i in black for j in white]
        lacking = found.count(None)
        if lacking:
            raise BadStore(
                f"{self.path} lacks {lacking} of the {len(found)} games of Black seeds {bounds[0]}"
                f" to {bounds[1]} against White seeds {bounds[2]} to {bounds[3]}"
            )
        for text in {text for text in found if text is not None}:
            if not _RESULT.fullmatch(text):
                raise BadStore(
                    f"{self.path} has {text[:40]!r} as a result, which is not one of GTP"
                )
        won = np.array([text is not None and counts(text) for text in found], dtype=np.uint8)
        return won.reshape(len(black), len(white))

    def black_wins(self) -> Callable[[Cell], bool]:
        """A function that returns whether Black won a game, which must have been played."""
        known = {game: black_won(text) for game, text in self.results().items()}
        return known.__getitem__

    def turned_wins(self, black: Sequence[int], white: Sequence[int], number: int) -> FloatArray:
        """Black's share of wins of each pair under a number of symmetries, or plainly for 0.

        Raises:
            BadStore: some of the games have not been played.
        """
        known: dict[Cell, str] = {}
        for symmetry in SYMMETRIES:
            low = turned(min(black), symmetry), min(white)
            known |= self.results(low, (turned(max(black), symmetry), max(white)))
        shares = np.empty((len(black), len(white)))
        for (i, j), (seed, other) in zip(
            np.ndindex(shares.shape), product(black, white), strict=True
        ):
            found = [known.get(game) for game in turned_games(self.setup, seed, other, number)]
            if None in found:
                raise BadStore(f"{self.path} lacks games of seeds {seed} and {other}")
            won = sum(text is not None and black_won(text) for text in found)
            shares[i, j] = won / len(found)
        return shares

    def matrix(
        self, own: int, opponents: int, counts: Callable[[str], bool] = black_won
    ) -> SeedMatrix:
        """The matrix of `own` seeds against `opponents` seeds per colour.

        Raises:
            BadStore: some of its games have not been played.
        """
        black = self.wins(range(own), range(opponents), counts)
        if own == opponents:
            return SeedMatrix(black, black)
        return SeedMatrix(black, self.wins(range(opponents), range(own), counts))

    def survivors_matrix(
        self, survivors: Survivors, opponents: int, counts: Callable[[str], bool] = black_won
    ) -> SeedMatrix:
        """The matrix of these own seeds against `opponents` seeds per colour.

        Raises:
            BadStore: some of its games have not been played.
        """
        return SeedMatrix(
            self.wins(survivors.black, range(opponents), counts),
            self.wins(range(opponents), survivors.white, counts),
        )

    def counts(self, own: int, opponents: int) -> Counts:
        """The numbers of wins, draws and void games of this matrix."""
        results = [
            text
            for (black, white), text in self.results((0, 0), (own - 1, own - 1)).items()
            if min(black, white) < opponents
        ]
        return Counts(len(results), sum(map(black_won, results)), sum(map(drawn, results)))

    def side(self) -> int:
        """The side of the largest square matrix that is complete."""
        known, side = self.games(), 0
        while all((side, j) in known and (j, side) in known for j in range(side + 1)):
            side += 1
        return side

    def sizes(self, own: int | None, opponents: int | None) -> tuple[int, int]:
        """The numbers of own and opponent seeds of a matrix, by default the largest square one.

        Raises:
            BadText: there is no such matrix.
        """
        own = own or self.side()
        opponents = opponents or own
        if own == 0 or opponents > own:
            raise BadText(f"{self.path} has no matrix of {own} own and {opponents} opponent seeds")
        return own, opponents


def play_missing(
    store: SeedStore, wanted: Iterable[Cell], workers: Workers, progress: Progress = SILENT
) -> int:
    """Play those of these games that the store lacks; return their number."""
    missing = store.missing(wanted)
    contest = store.contest(len(missing))
    with progress.stage("games", len(missing)) as advance:
        return run(Listed(missing), contest, workers, store, progress=progress, advance=advance)


def pack(
    store: SeedStore, name: str, own: int, opponents: int, survivors: Survivors | None = None
) -> Packed:
    """The results of `own` seeds, or of the survivors among them, against `opponents` per colour.

    Raises:
        BadStore: some of the games have not been played or are void, or the rules are not those
            of a profile.
    """
    setup = store.setup
    if isinstance(setup, Setup):
        profile, rules = setup.profile, setup.rules
        if Rules.profile(profile, size=rules.size, komi=rules.komi) != rules:
            raise BadStore(f"{store.path} was made for other rules than {profile} now is")
    voids, won, drawn_games = (
        store.matrix(own, opponents, test)
        if survivors is None
        else store.survivors_matrix(survivors, opponents, test)
        for test in (void, black_won, drawn)
    )
    if voids.black.any() or voids.white.any():
        raise BadStore(f"{store.path} has void games")
    return Packed(name, setup, won, drawn_games, own, survivors)


def unpack(packed: Packed, store: SeedStore) -> None:
    """Add the games of a matrix to a store of their setup; known games are kept.

    Raises:
        BadStore: the store has other results; nothing has been added.
    """
    known = store.results()
    new = []
    for cell, result in packed.results():
        there = known.get(cell)
        if there is None:
            new.append((cell, Result(result)))
        elif (black_won(there), drawn(there)) != (black_won(result), drawn(result)):
            raise BadStore(
                f"{store.path} has {there} as the result of seeds {cell[0]} and {cell[1]},"
                f" matrix {packed.name} has {result}"
            )
    store.add(new)


def matrix_of(
    matrix: str | Packed | None,
    store: str | Path | None,
    seeds: int | None = None,
    opponent_seeds: int | None = None,
) -> tuple[AnySetup, SeedMatrix]:
    """Recorded games to learn from, of a packed matrix or of a store.

    Args:
        matrix: a name, a file or the matrix.
        store: a store of `learn` instead.
        seeds: own seeds (default: all; of a store the largest square).
        opponent_seeds: opponent seeds (default: as many).

    Raises:
        BadText: both or neither are given, or there are fewer seeds.
        BadStore: the matrix or store cannot be read.
    """
    if (matrix is None) == (store is None):
        raise BadText("one of a matrix and a store is needed")
    if seeds is not None:
        whole("seeds", seeds, 1, MAX_SEEDS)
    if opponent_seeds is not None:
        whole("opponent seeds", opponent_seeds, 1, MAX_SEEDS)
    if matrix is None:
        assert store is not None
        with SeedStore(store) as kept:
            return kept.setup, kept.matrix(*kept.sizes(seeds, opponent_seeds))
    packed = matrix if isinstance(matrix, Packed) else read_matrix(matrix)
    every = packed.whole
    own = every.own if seeds is None else seeds
    opponents = min(own, every.opponents) if opponent_seeds is None else opponent_seeds
    if own > every.own or opponents > min(own, every.opponents):
        raise BadText(
            f"matrix {packed.name} has no {own} own and {opponents} opponent seeds, but"
            f" {every.own} and {every.opponents}"
        )
    return packed.setup, every.first(own, opponents)
