"""`online:SPEC|SPEC|...,state=FILE`: a bot that learns from game to game what beats its opponent.

Each of its arms is a bot, or a line of a book under a symmetry of the board. At the start of a game
it draws one by UCBT from what it knows of its arms in this colour; at the end it is told how the
game ended. So against a fixed opponent it converges to the arm that beats them most often.

With `seeds=on` the seeds of a bot are arms without end: in game t the first sqrt(t) of them,
rounded up.

With `cautious=on` it draws its arms from a distribution, at first that of its books: the weight of
an arm grows with each win and falls with each loss, compared with the mean result, and in every
game a small part of all weight returns to the books' distribution. So it plays like the books until
there is evidence, and returns to them when an opponent changes.

The learner takes no part in a decision. Which arm plays a game is drawn once, before the first move
is made, and kept in the state file, an SQLite file that processes may share, under the seed of the
game; from then on an attempt is a function of file, seed and view. A result counts once, and only
for a game whose arm was drawn. Drawing an arm and counting a result are one transaction each, so a
killed process leaves neither half done.

Sources: St-Pierre et al., Automatically Reinforcing a Game AI, sections III-B and VI; Wang,
Audibert and Munos, Algorithms for infinitely many-armed bandits (NIPS 2008); Herbster and
Warmuth, Tracking the best expert (Machine Learning, 1998), the fixed share of weights.
"""

import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.book import LineBot, line_bot, without_opening
from bots.bot import Bot, Delegate, Make
from bots.fingerprint import fingerprint
from bots.spec import BookSpec, OnlineSpec, parse
from phantomgo.database import Database, FileFormat
from phantomgo.errors import BadStore, BadText
from phantomgo.files import check_writable
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import black_score, void
from phantomgo.game.points import Colour
from phantomgo.game.symmetry import IDENTITY, Symmetry
from phantomgo.game.view import View
from phantomgo.game.wording import counted
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.line import Line, Step, drawn_place, moves_of
from phantomgo.portfolio.movebook import AnyBook, MoveBook, read_any
from phantomgo.rng import Purpose, Stream, checked_seed, purpose_key

_log = logging.getLogger(__name__)

FORM: Final = FileFormat(
    "what a bot has learned online",
    0x50474F31,  # "PGO1"
    1,
    (
        "CREATE TABLE learners (id INTEGER PRIMARY KEY, what TEXT NOT NULL UNIQUE)",
        # `place` numbers games in the order they ended; like `won`, it is null until then.
        "CREATE TABLE games (learner INTEGER NOT NULL, seed INTEGER NOT NULL, arm INTEGER NOT NULL,"
        " won REAL, place INTEGER, PRIMARY KEY (learner, seed)) WITHOUT ROWID",
        "CREATE UNIQUE INDEX places ON games (learner, place)",
    ),
)

LEARNING_RATE: Final = 2.0
"""The logarithm by which a win changes the weight of an arm more than a loss does."""
FIXED_SHARE: Final = 0.02
"""The part of all weights that returns to the books' distribution in every game."""
PRIOR_GAMES: Final = 4
"""The games, half of them won, that the mean result counts in addition to those played."""

Floats: TypeAlias = NDArray[np.float64]
Choose: TypeAlias = Callable[[Sequence["ArmResult"]], int]
"""Chooses the arm to play, given the results so far, in the order in which games ended."""


class ArmResult(NamedTuple):
    """The result of a game: its arm, and what it won; a draw counts half."""

    arm: int
    won: float


class ArmTotals(NamedTuple):
    """The sums of the results of each arm.

    Attributes:
        played: the games of each, float64.
        won: how many of them it won; a draw counts half.
    """

    played: Floats
    won: Floats

    @classmethod
    def of(cls, results: Sequence[ArmResult], count: int) -> "ArmTotals":
        """The sums of these results, for this number of arms."""
        sums = cls(*np.zeros((2, count)))
        for arm, won in results:
            sums.played[arm] += 1
            sums.won[arm] += won
        return sums


class Experience:
    """The games of one learner: one colour of one bot in one game.

    Its methods raise BadStore if the file cannot be used, or was made for other arms.
    """

    def __init__(self, path: str | Path, made_for: Mapping[str, object], what: str) -> None:
        """Nothing is opened yet; the file is made when it is first needed.

        A file made for other arms than `made_for` is refused. It may hold several learners;
        `what` names this one.
        """
        self.path, self._made_for, self._what = path, made_for, what

    def draw(self, seed: int, choose: Choose) -> int:
        """The arm of a game, chosen now from the results unless it has been."""
        with self._opened() as database, database.transaction():
            learner = self._learner(database)
            drawn = database.select(
                "SELECT arm, won FROM games WHERE learner = ? AND seed = ?", learner, seed
            )
            if drawn:
                if drawn[0][1] is not None:
                    _warn_of_repetition(self.path)
                return int(drawn[0][0])
            arm = choose(_results(database, learner))
            row = (learner, seed, arm, None, None)
            database.add(("INSERT INTO games VALUES (?, ?, ?, ?, ?)", [row]))
            return arm

    def tell(self, seed: int, won: float) -> None:
        """Count a game's result, unless its arm was never drawn or the game has been counted."""
        with self._opened() as database, database.transaction():
            learner = self._learner(database)
            place = "(SELECT count(place) FROM games WHERE learner = ?)"
            database.add(
                (
                    f"UPDATE games SET won = ?, place = {place}"
                    " WHERE learner = ? AND seed = ? AND won IS NULL",
                    [(won, learner, learner, seed)],
                )
            )

    def results(self) -> list[ArmResult]:
        """The results so far, in the order in which games ended."""
        with self._opened() as database, database.transaction():
            return _results(database, self._learner(database))

    def _opened(self) -> Database:
        return Database(self.path, FORM, self._made_for, wal=True)

    def _learner(self, database: Database) -> int:
        database.add(("INSERT OR IGNORE INTO learners (what) VALUES (?)", [(self._what,)]))
        (found,) = database.select("SELECT id FROM learners WHERE what = ?", self._what)
        return int(found[0])


@cache
def _warn_of_repetition(path: str | Path) -> None:
    again = "a game with the same seed has been played before; it is played with the same arm again"
    _log.warning("%s: %s, and counts once", path, again)


def check_state(path: str) -> None:
    """Check that a file stores what bots have learned, or can be made.

    Raises:
        BadStore: it is another file.
        OSError: it can be neither written nor made.
    """
    check_writable(Path(path))
    if Path(path).exists():
        Database(path, FORM).close()


def learner_summaries(path: str | Path) -> list[dict[str, Any]]:
    """The learners of a file and their arms, for people to read."""
    with Database(path, FORM) as database:
        query = "SELECT learner, arm, count(place), sum(won) FROM games WHERE place IS NOT NULL"
        rows = database.select(query + " GROUP BY learner, arm ORDER BY learner, count(place) DESC")
        summaries = []
        for learner, what in database.select("SELECT id, what FROM learners ORDER BY id"):
            described = json.loads(what)
            names, bots = described["arms"], described.pop("seeds of", [])
            arms = [
                {"arm": _arm_name(arm, names, bots), "games": games, "won": won}
                for row_learner, arm, games, won in rows
                if row_learner == learner
            ]
            total = {key: sum(arm[key] for arm in arms) for key in ("games", "won")}
            summaries.append({**described, **total, "arms": arms})
        return summaries


def _arm_name(arm: int, names: Sequence[str], bots: Sequence[str]) -> str:
    """The name of an arm: one of these, or of a seed of these bots (`_seeded_step`)."""
    return names[arm] if arm < len(names) else _step_name(_seeded_step(arm - len(names), bots))


def _seeded_step(number: int, bots: Sequence[str]) -> Step:
    """A bot with a seed: seed 0 of each bot, then seed 1 of each, and so on."""
    seed, index = divmod(number, len(bots))
    return Step(bots[index], seed)


def _results(database: Database, learner: int) -> list[ArmResult]:
    query = "SELECT arm, won FROM games WHERE learner = ? AND place IS NOT NULL ORDER BY place"
    return [ArmResult(*row) for row in database.select(query, learner)]


def weights(results: Sequence[ArmResult], shares: Sequence[float]) -> Floats:
    """The distribution over arms after these results, which began as these shares; (arms,)."""
    prior, won = np.array(shares) / sum(shares), PRIOR_GAMES / 2
    share = prior
    for games, result in enumerate(results):
        better = result.won - won / (games + PRIOR_GAMES)
        share = share * np.where(
            np.arange(len(prior)) == result.arm, math.exp(LEARNING_RATE * better), 1
        )
        share = (1 - FIXED_SHARE) * share / share.sum() + FIXED_SHARE * prior
        won += result.won
    return share


class Arm(NamedTuple):
    """One of the bots to choose from.

    Attributes:
        spec: who plays, after the line if there is one, with the seed of the game.
        line: a line of a book.
        share: how often the line is drawn in its book, among the arms of the book.
        symmetry: the symmetry of the board for the line: the same in each game, so that a line of a
            whole game is one player, whose results can be learned.
    """

    spec: str
    line: Line = ()
    symmetry: Symmetry = IDENTITY
    share: float = 1.0

    @property
    def name(self) -> str:
        symmetry = [f"symmetry {self.symmetry}"] if self.symmetry else []
        return ", ".join([*map(_step_name, self.line), *symmetry]) or self.spec


def _arms_of(book: Book, colour: Colour, player: str, *, symmetric: bool = True) -> list[Arm]:
    """The arms of a book: its lines, each under every symmetry; `player` continues after them."""
    side, symmetries = book.side(colour), book.setup.symmetries if symmetric else (IDENTITY,)
    shares = dict(zip(side.lines, side.probabilities, strict=True)) or {(): 1.0}
    without_line = shares.pop((), None)
    arms = [
        Arm(player, line, symmetry, share / len(symmetries))
        for line, share in shares.items()
        for symmetry in symmetries
    ]
    return arms if without_line is None else [*arms, Arm(player, share=without_line)]


def _step_name(step: Step) -> str:
    span = "" if step.moves is None else f" for {counted(step.moves, 'move')}"
    return f"{step.bot}{'' if step.seed is None else f' seed {step.seed}'}{span}"


@dataclass(frozen=True)
class Online(Delegate):
    """A bot that learns online. Its seed is that of one game, in which it plays one arm per colour.

    `make` makes its arms.
    """

    kind: ClassVar[str] = "online"
    spec: OnlineSpec
    make: Make = field(repr=False, compare=False)
    _playing: dict[Colour, Bot] = field(default_factory=dict, repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.spec.text

    @property
    def deterministic(self) -> bool:
        """False: before its first game with a seed it depends on the results of earlier games."""
        return False

    @property
    def players(self) -> tuple[Bot, ...]:
        return self._bots

    def player(self, view: View) -> Bot:
        colour = view.colour
        if colour not in self._playing:
            self._playing[colour] = self._draw(colour)
        return self._playing[colour]

    def opens_from(self, view: View) -> str | None:
        return self.player(view).opens_from(view)

    def hear_end(self, view: View) -> None:
        """Learn from the result of a game; void and unfinished games don't count.

        A state that cannot be written is logged: the game is over, so raising would help nobody.
        """
        won = score(view)
        if won is None:
            return
        try:
            self.experience(view.colour).tell(self.seed, won)
        except BadStore as error:
            _log.warning("nothing was learned of a game: %s", error)

    def arms(self, colour: Colour) -> list[Arm]:
        """The arms to choose from; after them come `seeded` bots."""
        arms = []
        for text, bot in zip(self.spec.arms, self._bots, strict=True):
            book, spec = self._book(text, bot, colour), parse(text)
            if book is None:
                arms += [] if bot.name in self.seeded else [Arm(bot.name)]
            elif isinstance(spec, BookSpec):
                arms += _arms_of(book, colour, book.player(colour), symmetric=spec.symmetry)
            else:
                arms += _arms_of(book, colour, without_opening(bot).name)
        return arms

    def _book(self, text: str, bot: Bot, colour: Colour) -> Book | None:
        """The book whose lines are an arm's; with `cautious` also the one that opens its games."""
        book = _named_book(text)
        if self.spec.cautious and isinstance(bot, LineBot):
            book = bot.drawn(colour).book
        return None if isinstance(book, MoveBook) else book

    @property
    def seeded(self) -> tuple[str, ...]:
        """The bots whose seeds are arms without end."""
        return tuple(bot.name for bot in self._bookless if self.spec.seeds)

    @property
    def _bookless(self) -> list[Bot]:
        """The bots of the arms that name no book; those of a book are checked when it is read."""
        arms = zip(self.spec.arms, self._bots, strict=True)
        return [bot for text, bot in arms if _named_book(text) is None]

    def arm(self, colour: Colour, number: int) -> Arm:
        """The arm of this number."""
        fixed = self.arms(colour)
        if number < len(fixed):
            return fixed[number]
        step = _seeded_step(number - len(fixed), self.seeded)
        return Arm(step.bot, (step,))

    def experience(self, colour: Colour) -> Experience:
        """The results of the present arms with a colour in this game."""
        fingerprints = {}
        for bot in self._bookless:
            # With `cautious` the lines of its opening book are arms, and so is the bot without it.
            plain = without_opening(bot) if self.spec.cautious else bot
            fingerprints[bot.name] = _fingerprint(self.make, plain.name, self.game)
        what = {
            "colour": str(colour),
            "rules": self.game.rules.as_dict(),
            **self.game.beginning.as_dict(self.game.rules.size),
            "bots": fingerprints,
            "arms": [arm.name for arm in self.arms(colour)],
        }
        if self.spec.seeds:
            what["seeds of"] = self.seeded
        made_for = {"arms": list(self.spec.arms), "books": dict(self.data())}
        return Experience(self.spec.state, made_for, json.dumps(what))

    @cached_property
    def _bots(self) -> tuple[Bot, ...]:
        """The bots of the arms, with the seed of this game; one for all seeds of a book."""
        return tuple(self.make(arm, self.game, self.seed) for arm in self.spec.arms)

    def _draw(self, colour: Colour) -> Bot:
        drawn = Stream(purpose_key(Purpose.ARM, self.seed, colour)).below(1 << 32)
        choose = self._cautious(colour, drawn) if self.spec.cautious else self._ucb(colour, drawn)
        arm = self.arm(colour, self.experience(colour).draw(self.seed, choose))
        bot = self.make(arm.spec, self.game, self.seed)
        if not arm.line:
            return bot
        after = None if math.isinf(moves_of(arm.line)) else bot
        return line_bot(arm.line, self.make, self.game, self.seed, arm.symmetry, after)

    def _cautious(self, colour: Colour, drawn: int) -> Choose:
        """Draw an arm from the weights after all results; `drawn` is a number below 2**32."""
        shares = [arm.share for arm in self.arms(colour)]

        def choose(results: Sequence[ArmResult]) -> int:
            return drawn_place(weights(results, shares).tolist(), drawn)

        return choose

    def _ucb(self, colour: Colour, ties: int) -> Choose:
        """Choose the arm with the highest confidence bound; `ties` decides among equal ones."""
        from bots.kernels.ucbt import best_arm  # noqa: PLC0415  (the compiler, half a second)

        fixed, seeded = len(self.arms(colour)), len(self.seeded)
        best_arm(np.zeros(1), np.zeros(1), ties)  # compiled now, not while others wait for the file

        def choose(results: Sequence[ArmResult]) -> int:
            totals = ArmTotals.of(results, fixed + seeded * (math.isqrt(len(results)) + 1))
            return int(best_arm(*totals, ties))

        return choose


@cache
def _fingerprint(make: Make, spec: str, game: Game) -> str:
    return fingerprint(partial(make, spec, game))


def _named_book(arm: str) -> AnyBook | None:
    """The book that an arm plays; None for any other bot."""
    spec = parse(arm)
    return read_any(spec.source) if isinstance(spec, BookSpec) else None


def score(view: View) -> float | None:
    """The score of a game for the player of its last view: 1, 0, or 1/2 for a draw.

    None if the view does not say how it ended, or that it is void.
    """
    if view.result is None or void(view.result):
        return None
    black = black_score(view.result)
    return black if view.colour is Colour.BLACK else 1 - black


def make_online(spec: OnlineSpec, game: Game, seed: int, make: Make) -> Online:
    """The bot of a spec `online:...`, in a game of this seed."""
    checked_seed(seed)
    bot = Online(game, seed, spec, make)
    bot.data()  # a wrong arm is reported now, not at the first move
    for text, arm in zip(spec.arms, bot.players, strict=True):
        if spec.seeds and not (arm.deterministic or _named_book(text)):
            raise BadText(f"online: seeds=on is for bots that a seed determines, not {arm.name}")
    return bot
