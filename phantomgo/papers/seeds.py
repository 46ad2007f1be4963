"""Experiments on seed matrices: portfolios learned on some seeds and tested on others."""

from collections.abc import Callable, Sequence
from itertools import product
from shutil import which
from typing import Final, NamedTuple

import numpy as np

from phantomgo.lab.run.workers import Local
from phantomgo.papers.games.contest import OtherGames
from phantomgo.papers.published import published
from phantomgo.papers.report import Cell, Check, Figure, Findings, Rate, RateTable
from phantomgo.papers.scope import Scope
from phantomgo.portfolio.cross_validation import (
    TEST_SEEDS,
    CrossValidation,
    cross_validate,
    map_here,
    strengths,
)
from phantomgo.portfolio.exploiter import EXPLOITERS, Portfolio, against, exploited
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.methods import parse_method
from phantomgo.portfolio.nash import TOLERANCE, FloatArray, solve
from phantomgo.portfolio.packed import read_matrix

SIZES: Final = (5, 7, 9)
OF_TABLE: Final = (
    "oneseed",
    "bestseed",
    "nash",
    "sparse:alpha=0.5",
    "sparse:alpha=0.75",
    "sparse:alpha=1",
)
"""The rows of CIG 2016, Table I."""
KS: Final = (5, 10, 20, 40, 80, 160, 240, 320, 380)
"""The x values of its figures."""
PARTS: Final = 10
"""The number of groups of seeds in the jackknife, which leaves out one at a time."""
GNU_GO: Final = (
    "gtp:gnugo --mode gtp --chinese-rules --monte-carlo --mc-games-per-level 400 --level 1"
    " --seed {seed}"
)
"""GNU Go's Monte Carlo player, with 400 playouts a move as in Reinforcing, section VI."""


def validated(
    scope: Scope,
    matrix: SeedMatrix,
    methods: Sequence[str],
    learned: int,
    exploiters: Sequence[int] = EXPLOITERS,
) -> CrossValidation:
    """The cross-validation of methods that learn against this many opponents' seeds."""
    mapper = scope.workers.map if isinstance(scope.workers, Local) else map_here
    return cross_validate(
        matrix,
        methods,
        opponents=learned,
        exploiters=exploiters,
        repeats=scope.repeats,
        mapper=mapper,
    )


def rates(found: CrossValidation, method: str) -> list[Rate]:
    """The rates of a method against each exploiter."""
    row = found.methods.index(method)
    # The error of a mean over few splits combines the error due to seeds and that due to splits.
    errors = np.hypot(found.error[row], found.deviation[row] / len(found.rates) ** 0.5)
    return [Rate.of(*pair) for pair in zip(found.mean[row], errors, strict=True)]


def above(rate: Rate, bound: float) -> bool:
    """True if a rate is above a bound by more than twice its error."""
    return rate.value - 2 * rate.error > bound


def recorded(size: int) -> SeedMatrix:
    """The shipped matrix of a board."""
    return read_matrix(f"flat{size}").scores


# CIG 2016 --------------------------------------------------------------------------------------


def table1(scope: Scope) -> Findings:
    """Table I: methods against exploiters on three boards."""
    report = Findings("Recorded games of flatmc:playouts=200, K=380 (9x9: 339) as in the paper")
    found = {}
    for size in SIZES:
        matrix = recorded(size)
        found[size] = validated(scope, matrix, OF_TABLE, matrix.opponents - TEST_SEEDS)
        rows = []
        for method in OF_TABLE:
            paper = published("table1", method, len(EXPLOITERS), f"{size}x{size}")
            rows.append((method, [*map(Cell, rates(found[size], method), paper)]))
        head = ["method", *(f"K'={k}" for k in EXPLOITERS)]
        report.tables.append(RateTable(f"Phantom Go {size}x{size}", head, rows))
    best = {size: rates(found[size], "bestseed") for size in SIZES}
    nash = {size: rates(found[size], "nash") for size in SIZES}
    report.checks += [
        Check(
            "The best seed beats a random seed on every board",
            all(above(row[0], 50) for row in best.values()),
        ),
        Check(
            "It wins less than 5 % against 16 tries on every board",
            all(row[-1].value < 5 for row in best.values()),
        ),
        Check(
            "Nash beats a random seed on every board",
            all(above(row[0], 50) for row in nash.values()),
        ),
        Check(
            "Nash wins at least 38 % against 16 tries on every board",
            all(row[-1].value >= 38 for row in nash.values()),
        ),
        Check(
            "The gain of Nash shrinks as the board grows",
            nash[5][0].value > nash[7][0].value > nash[9][0].value,
        ),
    ]
    return report


def figures(scope: Scope) -> Findings:
    """Figures 1 and 2: the same as Table I, over the number of training seeds."""
    report = Findings(
        f"Recorded games, K to 380 (9x9: 339), {scope.repeats} repeats of the paper's 1000"
    )
    rising, falling = [], []
    for size in SIZES:
        matrix = recorded(size)
        ks = [k for k in KS if k <= matrix.opponents - TEST_SEEDS]
        found = {k: validated(scope, matrix, OF_TABLE[1:], k) for k in ks}
        for number, methods in ((1, OF_TABLE[1:3]), (2, OF_TABLE[3:])):
            lines = {
                f"{method}, K'={tries}": [(k, rates(found[k], method)[place]) for k in ks]
                for method in methods
                for place, tries in enumerate(EXPLOITERS)
            }
            report.figures.append(
                Figure(f"Figure {number}, {size}x{size}: win rate", "seeds K", lines)
            )
        first, last = (rates(found[k], "nash")[-1] for k in (ks[0], ks[-1]))
        rising.append(last.value > first.value + 2 * (first.error + last.error))
        falling.append(all(rates(found[k], "bestseed")[-1].value < 5 for k in ks))
    report.checks += [
        Check("Against 16 tries Nash rises with K on every board", all(rising)),
        Check("Against 16 tries the best seed stays below 5 % for every K", all(falling)),
    ]
    return report


# Reinforcing -----------------------------------------------------------------------------------


class Testbed(NamedTuple):
    """A game whose seed matrix is used.

    Attributes:
        name: its name in published.toml, if the paper has it.
        store: the name of its games.
        game: its spec.
        player: the spec of its player.
        seeds: seeds per colour.
        program: a program that has to be installed.
    """

    name: str
    store: str
    game: str
    player: str
    seeds: int
    program: str | None = None


TESTBEDS: Final = (
    Testbed("Havannah", "havannah", "openspiel:havannah(board_size=5)", "mcts:simulations=50", 100),
    Testbed("Go 9x9, GNU Go", "gnugo9", "go:size=9,komi=6.5", GNU_GO, 32, "gnugo"),
    Testbed("Batoo 9x9, GNU Go", "batoo9", "batoo:size=9,komi=6.5,stones=4", GNU_GO, 32, "gnugo"),
)
SMALLER: Final = (
    "GNU Go has 400 playouts a move, in the paper 80,000. Chess is not done: a game of a tree"
    " search with an evaluation takes 0.1 s at 30 simulations, and its seeds hardly differ"
)


def testbeds(scope: Scope) -> dict[str, SeedMatrix]:
    """Phantom Go's recorded matrices, then those of the games that this machine can play."""
    found = {f"Phantom Go {n}x{n}": recorded(n).first(100, 100) for n in (5, 9)}
    for bed in TESTBEDS:
        if bed.program is not None and which(bed.program) is None:
            scope.run.progress.note(f"{bed.name}: {bed.program} is not installed")
            scope.batches -= 1
            continue
        own = scope.seeds or bed.seeds
        found[bed.name] = scope.matrix(bed.store, OtherGames.of(bed.game, bed.player), own)
    return found


PAIRS: Final = (
    ("nash", "nash"),
    ("nash", "uniform"),
    ("uniform", "nash"),
    ("bestseed", "nash"),
    ("nash", "bestseed"),
)


def learned_pairs(matrix: SeedMatrix) -> list[Portfolio]:
    """Black's portfolio by the first method of each of the PAIRS, and White's by the other one."""
    learned = {name: parse_method(name).learn(matrix, 0) for pair in PAIRS for name in pair}
    return [Portfolio(learned[one].black, learned[other].white) for one, other in PAIRS]


def pairs(matrix: SeedMatrix) -> FloatArray:
    """Black's rates of the PAIRS on the games that they were learned from."""
    return np.array([black @ matrix.black @ white for black, white in learned_pairs(matrix)])


def _beyond(matrix: SeedMatrix) -> FloatArray:
    """The rate of Nash against uniform less the value of the game."""
    value, uniform = pairs(matrix)[:2]
    return np.array([uniform - value])


def jackknife(matrix: SeedMatrix, measure: Callable[[SeedMatrix], FloatArray]) -> FloatArray:
    """The standard errors of measures of a square matrix, due to the choice of its seeds."""
    deal = np.array_split(np.random.default_rng(0).permutation(matrix.own), min(PARTS, matrix.own))
    without = []
    for part in deal:
        left = np.setdiff1d(np.arange(matrix.own), part)
        without.append(measure(matrix.select(left, left)))
    return np.asarray(np.std(without, axis=0) * (len(deal) - 1) ** 0.5)


def portfolios(scope: Scope) -> Findings:
    """Table I: Black's rates between portfolios, on the games that they were learned from."""
    rows, reached, nash_first, bounds = [], [], [], []
    for name, matrix in testbeds(scope).items():
        values, errors = pairs(matrix), jackknife(matrix, pairs)
        beyond = Rate.of(values[1] - values[0], jackknife(matrix, _beyond)[0])
        paper = published("portfolios", name, len(PAIRS) + 2)
        ours = [Rate.of(*pair) for pair in zip(values, errors, strict=True)]
        found = solve(matrix.black)
        used = [Rate(float(np.count_nonzero(side))) for side in (found.rows, found.columns)]
        rows.append(
            (
                name,
                [Cell(rate, other) for rate, other in zip(ours, paper, strict=False)]
                + [Cell(rate) for rate in used],
            )
        )
        reached.append(f"{name} {matrix.own} seeds")
        nash_first.append(above(beyond, 0))
        least, most = min(values[1], values[4]), max(values[2], values[3])
        bounds.append(least + TOLERANCE > values[0] > most - TOLERANCE)
    head = [
        "game",
        "value",
        *(f"{one} : {other}" for one, other in PAIRS[1:]),
        "Black uses",
        "White uses",
    ]
    return Findings(
        f"{', '.join(reached)}. {SMALLER}",
        [RateTable("Black's win rate, Black's portfolio first", head, rows)],
        checks=[
            Check(
                "Nash wins at least the value of the game and concedes at most that",
                all(bounds),
            ),
            Check(
                "Nash beats uniform by more than the value of the game in every game",
                all(nash_first),
            ),
        ],
    )


def offline(scope: Scope) -> Findings:
    """Figures 2 to 5: portfolios of K seeds against all other seeds, and the best of them."""
    methods = ("nash", "bestseed", "besthalf", "uniform")
    report = Findings("")
    gains, resists, reached = [], [], []
    for name, matrix in testbeds(scope).items():
        number = matrix.own
        ks = sorted({max(2, round(number * share)) for share in (0.1, 0.2, 0.3, 0.5, 0.6, 0.75)})
        found = {k: validated(scope, matrix, methods, k, (1, number - k)) for k in ks}
        for place, opponent in enumerate(("uniform", "the best of all other seeds")):
            lines = {
                method: [(k, rates(found[k], method)[place]) for k in ks] for method in methods
            }
            report.figures.append(Figure(f"{name}, against {opponent}: win rate", "seeds K", lines))
        last = found[ks[-1]]
        gains.append(above(rates(last, "nash")[0], 50) and above(rates(last, "bestseed")[0], 50))
        resists.append(rates(last, "nash")[1].value > rates(last, "bestseed")[1].value)
        reached.append(f"{name} {number} seeds")
    report.reached = f"{', '.join(reached)}. {SMALLER}"
    report.checks += [
        Check("Nash and the best seed both beat uniform in every game", all(gains)),
        Check(
            "Nash resists the best of all other seeds better than the best seed in every game",
            all(resists),
        ),
    ]
    return report


EXPLOITER: Final = "exploiter"
PLAYERS: Final = ("nash", "bestseed", "besthalf", "uniform")


def crossed(scope: Scope) -> Findings:
    """Figures 10 and 11: portfolios against each other, learned on disjoint games.

    Black learns on rows A and columns A', White on rows B and columns B'; they meet on A and B'.
    Exploiter plays the best response to an opponent whose portfolio it knows.
    """
    report = Findings("")
    alike, best, reached = [], [], []
    for name, matrix in testbeds(scope).items():
        most = matrix.own // 2
        ks = sorted({max(2, most // share) for share in (16, 8, 4, 2, 1)})
        scores = np.asarray(matrix.black, dtype=np.float64)
        found = {k: _meetings(scores, k, scope.repeats) for k in ks}
        lines = {
            f"{one} : {EXPLOITER}": [(k, found[k][one, EXPLOITER]) for k in ks] for one in PLAYERS
        }
        report.figures.append(
            Figure(f"{name}: Black's win rate against Exploiter", "options", lines)
        )
        table = found[ks[-1]]
        rows = [
            (one, [Cell(table.get((one, other))) for other in (*PLAYERS, EXPLOITER)])
            for one in (*PLAYERS, EXPLOITER)
        ]
        head = [f"Black, {ks[-1]} options", *PLAYERS, EXPLOITER]
        report.tables.append(RateTable(f"{name}: Black's win rate against White's", head, rows))
        nash, half = table["nash", EXPLOITER], table["besthalf", EXPLOITER]
        alike.append(abs(nash.value - half.value) < 10)
        best.append(table["bestseed", EXPLOITER].value < min(nash.value, half.value))
        reached.append(f"{name} {most} options")
    report.reached = f"{', '.join(reached)}. {SMALLER}"
    report.checks += [
        Check("BestHalf is within 10 points of Nash against Exploiter in every game", all(alike)),
        Check("The best seed is worse than both against Exploiter in every game", all(best)),
    ]
    return report


def _meetings(scores: FloatArray, k: int, repeats: int) -> dict[tuple[str, str], Rate]:
    """Black's rates of all players against each other with k options, over random deals."""
    black_rates: dict[tuple[str, str], list[float]] = {}
    number = len(scores)
    for repeat in range(max(2, repeats)):
        random = np.random.default_rng([k, repeat])
        rows, columns = random.permutation(number), random.permutation(number)
        a, b = rows[:k], rows[k : 2 * k]
        a_columns, b_columns = columns[:k], columns[k : 2 * k]
        own = scores[np.ix_(a, a_columns)]
        other = scores[np.ix_(b, b_columns)]
        judged = scores[np.ix_(a, b_columns)]
        black = {p: parse_method(p).learn(SeedMatrix(own, own), repeat).black for p in PLAYERS}
        white = {p: parse_method(p).learn(SeedMatrix(other, other), repeat).white for p in PLAYERS}
        for one, two in product(PLAYERS, PLAYERS):
            black_rates.setdefault((one, two), []).append(float(black[one] @ judged @ white[two]))
        for player in PLAYERS:
            worst = (black[player] @ judged).min()
            most = (judged @ white[player]).max()
            black_rates.setdefault((player, EXPLOITER), []).append(float(worst))
            black_rates.setdefault((EXPLOITER, player), []).append(float(most))
    return {pair: Rate.mean(found) for pair, found in black_rates.items()}


# Fast seeds ------------------------------------------------------------------------------------

BOARDS: Final = (
    *((f"Domineering {n}x{n}", f"domineering:size={n}", "flatmc:playouts=100") for n in SIZES),
    *((f"Atari-Go {n}x{n}", f"atarigo:size={n}", "flatmc:playouts=100") for n in SIZES),
    *(
        (
            f"Breakthrough {n}x{n}",
            f"openspiel:breakthrough(rows={n},columns={n})",
            "mcts:simulations=15",
        )
        for n in (5, 6, 7, 8)
    ),
)
OWN: Final = 400
"""The default number of own seeds in a rectangular matrix."""


def rectangles(scope: Scope) -> Findings:
    """Table 3 and figures 1 to 4: K seeds learned against Kt."""
    methods = ("uniform", "bestseed", "nash")
    report = Findings("")
    reached, gains, spread = [], [], {}
    matrices = {}
    for name, game, player in BOARDS:
        store = name.split("x", maxsplit=1)[0].lower().replace(" ", "").replace("-", "")
        matrices[name] = scope.rectangle(store, OtherGames.of(game, player), scope.seeds or OWN)
    for name, matrix in matrices.items():
        tests = min(TEST_SEEDS, matrix.opponents // 2)
        exploiters = [k for k in EXPLOITERS if k <= tests]
        found = validated(scope, matrix, methods, matrix.opponents - tests, exploiters)
        rows = []
        for method in methods:
            paper = published("rectangles", method, len(exploiters), name)
            rows.append((method, [*map(Cell, rates(found, method), paper)]))
        head = [f"K={found.own}, Kt={found.opponents}", *(f"K'={k}" for k in exploiters)]
        report.tables.append(RateTable(name, head, rows))
        ks = [
            k
            for k in (25, 50, 100, 200, 400, 1000, 2000, 4000, 9000)
            if matrix.opponents <= k < matrix.own
        ]
        curves = {
            k: validated(
                scope,
                matrix.first(k, matrix.opponents),
                methods,
                matrix.opponents - tests,
                exploiters,
            )
            for k in ks
        }
        curves[matrix.own] = found
        lines = {
            f"{method}, K'={exploiters[place]}": [
                (k, rates(table, method)[place]) for k, table in curves.items()
            ]
            for method in methods
            for place in (0, -1)
        }
        report.figures.append(Figure(f"{name}: win rate", "seeds K", lines))
        spread[name] = [
            (100 * n / matrix.own, Rate.of(rate)) for n, rate in enumerate(strengths(matrix).rates)
        ]
        reached.append(f"{name} {found.own}x{found.opponents}")
        gains.append((above(rates(found, "bestseed")[0], 50), above(rates(found, "nash")[0], 50)))
    report.figures.append(
        Figure("Figure 1: win rate of the n-th worst seed", "n in % of the seeds", spread)
    )
    report.reached = f"K x Kt: {', '.join(reached)}; the paper's 9000x900"
    best, nash = (sum(won) for won in zip(*gains, strict=True))
    report.checks += [
        Check(
            "The best seed beats a random seed in Domineering and Atari-Go on every board",
            all(won for won, _ in gains[:6]),
        ),
        Check("Nash beats a random seed in at least eight of the ten games", nash >= 8),
        Check("The best seed beats a random seed in at least eight of the ten games", best >= 8),
    ]
    return report


def against_fresh(
    matrix: SeedMatrix, learn: Callable[[FloatArray, int], Portfolio], repeats: int
) -> list[Rate]:
    """The rates against K' = 1 and 16 of a learner on half of the seeds, tested on the rest."""
    half, found = matrix.own // 2, []
    tries = min(16, half)
    for repeat in range(max(2, repeats)):
        order = np.random.default_rng(repeat).permutation(matrix.own)
        own, fresh = order[:half], order[half:]
        portfolio = learn(np.asarray(matrix.black[np.ix_(own, own)], dtype=np.float64), repeat)
        pair = against(
            portfolio, matrix.black[np.ix_(own, fresh)], matrix.black[np.ix_(fresh, own)]
        )
        found.append([np.mean(pair), exploited(pair, [tries])[0]])
    return Rate.means(found)


def by_method(name: str) -> Callable[[FloatArray, int], Portfolio]:
    """A method of the whole matrix, in the form of a learner."""
    method = parse_method(name)

    def learn(scores: FloatArray, ties: int) -> Portfolio:
        return method.learn(SeedMatrix(scores, scores), ties)

    return learn
