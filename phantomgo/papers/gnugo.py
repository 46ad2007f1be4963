"""Experiments with GNU Go: its variants, and a learned seed against other programs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, product
from shutil import which
from typing import Final, NamedTuple

import numpy as np

from phantomgo.errors import BadText
from phantomgo.estimates import rate_error
from phantomgo.game.board import Board
from phantomgo.game.outcome import black_score
from phantomgo.game.points import BLACK, WHITE, Colour, Move
from phantomgo.game.symmetry import SYMMETRIES, map_points
from phantomgo.identity import Identity
from phantomgo.lab.run.contest import Contest, GameNumber, Result
from phantomgo.papers.games.contest import OtherGames, identify_player, make_game, play, result_of
from phantomgo.papers.games.players import make_player
from phantomgo.papers.games.state import OtherGame
from phantomgo.papers.games.stones import Fight
from phantomgo.papers.published import published
from phantomgo.papers.report import Cell, Check, Findings, Rate, RateTable
from phantomgo.papers.scope import Scope
from phantomgo.papers.seeds import GNU_GO, PAIRS, learned_pairs
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.methods import parse_method
from phantomgo.portfolio.nash import FloatArray, solve

SMALL: Final = "go:size=5,komi=6.5"
SEEDS: Final = 50
"""Seeds of each colour from which the best one is chosen; the papers have 100."""
FRESH: Final = 1000
"""The first seed that took no part in the choice."""


def installed() -> None:
    """Raise BadText unless GNU Go can be started."""
    if which("gnugo") is None:
        raise BadText("gnugo is not installed: this experiment needs GNU Go")


def classical(level: int) -> str:
    """GNU Go's classical player."""
    return f"gtp:gnugo --mode gtp --chinese-rules --level {level} --seed {{seed}}"


def best_black(scope: Scope) -> tuple[int, SeedMatrix]:
    """Black's best seed of GNU Go's Monte Carlo player on 5x5, and the matrix with its results."""
    matrix = scope.matrix("gnugo5", OtherGames.of(SMALL, GNU_GO), scope.seeds or SEEDS)
    return int(parse_method("bestseed").learn(matrix, 0).black.argmax()), matrix


def transfer(scope: Scope) -> Findings:
    """Table II (Fast seeds: Table 2): the best seed against another program."""
    installed()
    best, matrix = best_black(scope)
    games, rows, gains = scope.games or 40, [], []
    for level in range(1, 11):
        contest = OtherGames.of(SMALL, GNU_GO, classical(level))
        tests = range(FRESH, FRESH + games)
        wanted = [game for test in tests for game in ((best, test), (test, test))]
        results = scope.play(f"gnugo5-level{level}", contest, wanted)
        ours = [
            Rate.of_scores([black_score(results[game]) for game in each if game in results])
            for each in (wanted[::2], wanted[1::2])
        ]
        rows.append(
            (f"level {level}", [*map(Cell, ours, published("transfer", f"level {level}", 2))])
        )
        if level > 6 and all(ours):
            gains.append(ours[0].value > ours[1].value)  # type: ignore[union-attr]
    return Findings(
        f"The best of {matrix.own} seeds as Black, {games} games a level; the paper's 100 seeds and"
        " 1000 games",
        [
            RateTable(
                "Black's win rate against GNU Go's classical player",
                ["White", "best seed", "random seeds"],
                rows,
            )
        ],
        checks=[
            Check(
                "The best seed wins more than random seeds against levels 7 to 10",
                all(gains) if len(gains) == 4 else None,
            )
        ],
    )


# Judged differences ----------------------------------------------------------------------------


class Difference(NamedTuple):
    """A position in which Black's best seed and the original player choose different moves."""

    state: Fight
    best: Move
    original: Move


POSITIONS: Final = 8
JUDGES: Final = 5
"""The strong player's games from each position."""
ASKED: Final = 5
"""Fresh seeds of the original player that choose a move in each position."""


def differences(best: int) -> Iterator[Difference]:
    """The positions of the best seed's games in which a fresh seed chooses another move.

    Positions whose moves are images of each other count once (Reinforcing, section VI-B, where the
    second is such a pair).
    """
    game = make_game(SMALL)
    player = make_player(GNU_GO, game)
    seen = set[tuple[tuple[int, ...], tuple[int, ...]]]()
    for number in count():
        moves = play(game, dict.fromkeys(Colour, player), (best, FRESH + number)).moves
        state = game.start(0)
        for move in moves:
            assert isinstance(state, Fight)
            if state.mover is BLACK and state.allows(move):
                for asked in range(ASKED):
                    other = player.choose(state, FRESH + ASKED * number + asked)
                    if not state.allows(other):
                        continue
                    images = _images(state.after(move).board), _images(state.after(other).board)
                    if images[0] != images[1] and images not in seen:
                        seen.add(images)
                        yield Difference(state, move, other)
                        break
            if not state.allows(move):
                break
            state = state.after(move)


def _images(board: Board) -> tuple[int, ...]:
    """The smallest of a board's images under the symmetries, the same for all of them."""
    return min(
        (map_points(turn, board.black, board.size), map_points(turn, board.white, board.size))
        for turn in SYMMETRIES
    )


@dataclass(frozen=True)
class Judged(Contest):
    """Games of a strong player from positions; game (2 p + which, seed) begins with one of two
    moves.

    Attributes:
        found: the positions.
        strong: the player, identified.
    """

    found: tuple[Difference, ...]
    strong: Identity

    @property
    def players(self) -> tuple[Identity, Identity]:
        return self.strong, self.strong

    @property
    def terms(self) -> Mapping[str, object]:
        positions = [[*each.state.history, each.best, each.original] for each in self.found]
        return {"game": "judged positions", "of": SMALL, "positions": positions}

    @property
    def engines(self) -> bool:
        return True

    def play(self, games: Sequence[GameNumber]) -> list[Result]:
        return [self._play_one(*game) for game in games]

    def _play_one(self, number: int, seed: int) -> Result:
        game = make_game(SMALL)
        place, original = divmod(number, 2)
        found = self.found[place]
        begun = found.state.after(found.original if original else found.best)
        both = dict.fromkeys(Colour, make_player(self.strong.name, game))
        return result_of(game, both, (seed, seed), begun)


def judged(scope: Scope) -> Findings:
    """Section VI-B (Fast seeds: figure 5): a strong player judges the first eight differences."""
    installed()
    best, matrix = best_black(scope)
    games = scope.games or 20_000
    strong = GNU_GO.replace("400", str(games))
    found = tuple(each for each, _ in zip(differences(best), range(POSITIONS), strict=False))
    contest = Judged(found, identify_player(make_game(SMALL), strong))
    wanted = [(number, seed) for seed in range(JUDGES) for number in range(2 * len(found))]
    results = scope.play(f"judged{games}-seed{best}", contest, wanted)
    rows, better, worse = [], 0, 0
    for place in range(len(found)):
        won = [
            [
                results[2 * place + which, seed] == "B+"
                for seed in range(JUDGES)
                if (2 * place + which, seed) in results
            ]
            for which in (0, 1)
        ]
        cells = [Cell(Rate.of(float(np.mean(each)))) if each else Cell(None) for each in won]
        rows.append((f"position {place + 1}, move {found[place].state.turn + 1}", cells))
        verdicts = [all(each) if each and len({*each}) == 1 else None for each in won]
        better += verdicts == [True, False]
        worse += verdicts == [False, True]
    done = len(results) == len(wanted)
    return Findings(
        f"The best of {matrix.own} seeds; the judge has {games} playouts a move, the paper's"
        f" 100,000. Better in {better} positions, worse in {worse}; in the papers better in 4 and"
        " in 5, worse in none",
        [
            RateTable(
                f"Black's wins in {JUDGES} games of the judge, %",
                ["first differences", "best seed", "original"],
                rows,
            )
        ],
        checks=[
            Check(
                "The judge prefers the best seed's moves in more positions than the original's",
                better > worse if done else None,
            )
        ],
    )


# Variants --------------------------------------------------------------------------------------

BOARD: Final = "go:size=7,komi=6.5"
OPTIONS: Final = (
    ("--cosmic-gnugo", ""),
    ("--nofusekidb", ""),
    ("--mirror", ""),
    ("--large-scale", ""),
    ("--with-break-in", "--without-break-in"),
)


@dataclass(frozen=True)
class Variants(Contest):
    """Games between the 32 variants of GNU Go; (32 i + j, n) is game n of variants i and j.

    Attributes:
        variants: the variants.
    """

    variants: tuple[Identity, ...]

    @classmethod
    def made(cls) -> "Variants":
        """The variants: five options, each on or off, with 300 playouts per move; identified."""
        game = make_game(BOARD)
        base = GNU_GO.replace("400", "300").removesuffix(" --seed {seed}")
        specs = [
            " ".join(filter(None, (base, *chosen, "--seed {seed}"))) for chosen in product(*OPTIONS)
        ]
        return cls(tuple(identify_player(game, spec) for spec in specs))

    @property
    def players(self) -> tuple[Identity, ...]:
        return self.variants

    @property
    def terms(self) -> Mapping[str, object]:
        return {"game": "variants", "of": BOARD}

    @property
    def engines(self) -> bool:
        return True

    @cached_property
    def _game(self) -> OtherGame:
        return make_game(BOARD)

    def play(self, games: Sequence[GameNumber]) -> list[Result]:
        return [self._play_one(*game) for game in games]

    def _play_one(self, cell: int, number: int) -> Result:
        black, white = (
            make_player(self.players[place].name, self._game)
            for place in divmod(cell, len(self.players))
        )
        seed = 2 * (cell + len(self.players) ** 2 * number)
        return result_of(self._game, {BLACK: black, WHITE: white}, (seed, seed + 1))


def variants(scope: Scope) -> Findings:
    """Table I, row Variants: portfolios over 32 variants of GNU Go."""
    installed()
    contest = Variants.made()
    number = len(contest.players)
    games = scope.games or 4
    wanted = [(cell, game) for game in range(games) for cell in range(number**2)]
    results = scope.play("variants7", contest, wanted)
    cells = [
        [black_score(results[cell, game]) for game in range(games) if (cell, game) in results]
        for cell in range(number**2)
    ]
    least = min(map(len, cells))
    if least < 2:
        raise BadText("minutes are too few: some pairs of variants have not met twice; give more")
    scores = np.array([each[:least] for each in cells]).reshape(number, number, least)
    rows = []
    halves = np.arange(least) % 2 == 0
    for name, chosen, judge in (
        ("Variants 7x7, GNU Go", scores, scores),
        (
            "learned on half of the games, measured on the other half",
            scores[..., halves],
            scores[..., ~halves],
        ),
    ):
        found = solve(chosen.mean(2))
        used = [Rate(float(np.count_nonzero(side))) for side in (found.rows, found.columns)]
        paper = published("portfolios", name, 7) if name.startswith("Variants") else [None] * 7
        rows.append((name, [*map(Cell, [*_pairs(chosen.mean(2), judge), *used], paper)]))
    first = [cell.ours.value for cell in rows[0][1] if cell.ours is not None]
    return Findings(
        f"{least} games of each two variants; the paper's 289",
        [
            RateTable(
                "Black's win rate, Black's portfolio first",
                [
                    "",
                    "value",
                    *(f"{one} : {other}" for one, other in PAIRS[1:]),
                    "Black uses",
                    "White uses",
                ],
                rows,
            )
        ],
        checks=[
            Check("Nash beats uniform by more than the value of the game", first[1] > first[0]),
            Check(
                "The equilibrium plays at most ten of the 32 variants of each colour",
                max(first[5:]) <= 10,
            ),
        ],
    )


def _pairs(chosen: FloatArray, judge: FloatArray) -> list[Rate]:
    """The rates of PAIRS by the scores `judge`; the portfolios are learned from `chosen`."""
    mean, rates = judge.mean(2), []
    errors = rate_error(mean, judge.shape[2])
    for black, white in learned_pairs(SeedMatrix(chosen, chosen)):
        weights = np.outer(black, white)
        rates.append(
            Rate.of(float((weights * mean).sum()), float(np.linalg.norm(weights * errors)))
        )
    return rates
