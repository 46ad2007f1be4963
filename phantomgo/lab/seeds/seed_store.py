"""The store of games between seeds, and the matrices that are made of it."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from phantomgo.errors import BadStore, BadText
from phantomgo.fields import Fields
from phantomgo.game.beginning import Beginning
from phantomgo.game.outcome import black_score, black_won, drawn, void
from phantomgo.game.rules import Rules
from phantomgo.lab.run.contest import SEEDS
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import KIND, Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seeds.contest import SeedGames
from phantomgo.lab.seeds.lines import Lines, lines_of
from phantomgo.portfolio.matrix import Cell, Cells, SeedMatrix
from phantomgo.portfolio.packed import MAX_SEEDS, Packed, read_matrix
from phantomgo.portfolio.setup import Setup
from phantomgo.values import checked_int

_RESULT: Final = re.compile(r"[BW]\+([0-9.]+|[A-Z])?|0|Void")


class SeedStore(Store):
    """The results of games between seeds.

    Attributes:
        setup: the players and rules.
        lines: the lines that end after some moves; None if seeds play whole games.
    """

    def __init__(
        self, path: str | Path | None, setup: Setup | None = None, lines: Lines | None = None
    ) -> None:
        """Open a store; create it if it is missing and a setup is given. None writes no file."""
        if setup is None:
            super().__init__(path)
        else:
            contest = SeedGames(setup, lines)
            super().__init__(path, contest.players, contest.terms)
        try:
            terms = dict(self.terms)
            if terms.pop("game") != SEEDS:
                raise BadStore(f"{self.path} is not a store of games between seeds")
            one, other = self.players
            self.lines = lines_of(terms)
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

    def contest(self, number: int) -> SeedGames:
        """The contest of these games, for about `number` of them."""
        return SeedGames.many(self.setup, number, self.lines)

    def scores(
        self, black: Sequence[int], white: Sequence[int], of: Callable[[str], float] = black_score
    ) -> Cells:
        """Black's scores of these Black seeds (rows) against these White seeds (columns).

        `of` may score the results differently. Whole numbers are uint8, others float64.
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
        scores = np.array([of(text or "") for text in found], dtype=np.float64)
        scores = scores.reshape(len(black), len(white))
        return scores if (scores % 1).any() else scores.astype(np.uint8)

    def black_scores(self) -> Callable[[Cell], float]:
        """A function that returns Black's score in a game, which must have been played."""
        known = {game: black_score(text) for game, text in self.results().items()}
        return known.__getitem__

    def matrix(
        self,
        own: int,
        opponents: int,
        of: Callable[[str], float] = black_score,
    ) -> SeedMatrix:
        """The matrix of `own` seeds against `opponents` seeds."""
        black = self.scores(range(own), range(opponents), of)
        if own == opponents:
            return SeedMatrix(black, black)
        return SeedMatrix(black, self.scores(range(opponents), range(own), of))

    def side(self) -> int:
        """The side of the largest square matrix that is complete."""
        known, side = self.games(), 0
        while all((side, j) in known and (j, side) in known for j in range(side + 1)):
            side += 1
        return side

    def sizes(self, own: int | None, opponents: int | None) -> tuple[int, int]:
        """The numbers of own and opponent seeds of a matrix, by default the largest square one."""
        own = own or self.side()
        opponents = opponents or own
        if own == 0:
            raise BadText(f"{self.path} lacks the game of two seeds 0, with which a matrix begins")
        if opponents > own:
            raise BadText(f"{self.path} has no matrix of {own} own and {opponents} opponent seeds")
        return own, opponents


def play_missing(
    store: SeedStore,
    wanted: Iterable[Cell],
    workers: Workers,
    progress: Progress = SILENT,
    deadline: float = math.inf,
) -> int:
    """Play those of these games that the store lacks; return their number.

    With a deadline (`time.monotonic`), play as many as end before, in their order.
    """
    missing = store.missing(wanted)
    contest, study = store.contest(len(missing)), Listed(missing)
    with progress.stage("games", len(missing)) as advance:
        return run(
            study, contest, workers, store, progress=progress, advance=advance, deadline=deadline
        )


def pack(store: SeedStore, name: str, own: int, opponents: int) -> Packed:
    """The results of `own` seeds against `opponents` per colour."""
    setup = store.setup
    profile, rules = setup.profile, setup.rules
    if Rules.profile(profile, size=rules.size, komi=rules.komi) != rules:
        raise BadStore(f"{store.path} was made for other rules than {profile} now is")
    voids, won, drawn_games = (
        store.matrix(own, opponents, test) for test in (void, black_won, drawn)
    )
    if voids.black.any() or voids.white.any():
        raise BadStore(f"{store.path} has void games")
    return Packed(name, setup, won, drawn_games)


def matrix_of(
    matrix: str | Packed | None,
    store: str | Path | None,
    seeds: int | None,
    opponent_seeds: int | None,
) -> tuple[Setup, SeedMatrix]:
    """Recorded games to learn from, of a packed matrix or of a store.

    Args:
        matrix: a name, a file or the matrix.
        store: a store of `learn` instead.
        seeds: own seeds; None for all, or of a store for the largest square.
        opponent_seeds: opponent seeds; None for as many.
    """
    if (matrix is None) == (store is None):
        raise BadText("give either a matrix or a store")
    if seeds is not None:
        checked_int("seeds", seeds, 1, MAX_SEEDS)
    if opponent_seeds is not None:
        checked_int("opponent seeds", opponent_seeds, 1, MAX_SEEDS)
    if matrix is None:
        assert store is not None
        with SeedStore(store) as kept:
            return kept.setup, kept.matrix(*kept.sizes(seeds, opponent_seeds))
    packed = matrix if isinstance(matrix, Packed) else read_matrix(matrix)
    every = packed.scores
    own = every.own if seeds is None else seeds
    opponents = min(own, every.opponents) if opponent_seeds is None else opponent_seeds
    if own > every.own or opponents > min(own, every.opponents):
        raise BadText(
            f"matrix {packed.name} has no {own} own and {opponents} opponent seeds, but"
            f" {every.own} and {every.opponents}"
        )
    return packed.setup, every.first(own, opponents)
