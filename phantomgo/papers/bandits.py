"""Experiments with learners that see only part of the matrix: UCBT, Exp3, UCB, and equilibria."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from phantomgo.estimates import mean_error
from phantomgo.game.outcome import black_score
from phantomgo.lab.learners.learner import SeedTerms
from phantomgo.lab.learners.widening import Ucb
from phantomgo.papers.games.contest import OtherGames
from phantomgo.papers.learners import Widening, double_oracle, exp3, sublinear
from phantomgo.papers.published import published
from phantomgo.papers.report import Cell, Check, Figure, Findings, Rate, RateTable
from phantomgo.papers.scope import Scope
from phantomgo.papers.seeds import above, against_fresh, by_method, recorded
from phantomgo.portfolio.exploiter import Portfolio, against, exploited
from phantomgo.portfolio.nash import FloatArray, solve
from phantomgo.rng import derived

ARMS: Final = 100
"""Options of an online portfolio and of its opponent."""
GAMES: Final = 1 << 12
"""Games of a learner; the paper shows up to 2^14."""
LEARNERS: Final = 300


def _lost(
    scores: FloatArray,
    before: FloatArray,
    learners: int,
    after: FloatArray | None = None,
    switch: int = GAMES,
    discount: float = 1.0,
) -> FloatArray:
    """The true losing rate of each learner's arm in each game, shape (learners, GAMES)."""
    from phantomgo.papers.kernels.adapting import cumulative, learn  # noqa: PLC0415  (the compiler)

    later = before if after is None else after
    chances = map(cumulative, (before, later))
    keys = np.array([derived(0, number) for number in range(learners)], np.uint64).view(np.int64)
    arms = learn(np.ascontiguousarray(scores), *chances, switch, discount, keys, GAMES)
    rates = [1 - scores @ side for side in (before, later)]
    lost = rates[0][arms]
    lost[:, switch:] = rates[1][arms[:, switch:]]
    return np.asarray(lost)


def _points(lost: FloatArray) -> list[tuple[float, Rate]]:
    """The mean losing rate in game 2^t, with its error."""
    marks = [1 << t for t in range(GAMES.bit_length()) if 1 << t <= lost.shape[1]]
    error = mean_error(lost)
    return [(t, Rate.of(float(lost[:, t - 1].mean()), float(error[t - 1]))) for t in marks]


def online(scope: Scope) -> Findings:
    """Figures 6 to 8: the losing rate of UCBT against Nash, uniform and single options."""
    learners = scope.games or LEARNERS
    report = Findings(f"Phantom Go 5x5 and 9x9, {ARMS} options, {learners} learners, {GAMES} games")
    reaches, crushed, harder = [], [], []
    for size in (5, 9):
        matrix = recorded(size).first(ARMS, ARMS).black.astype(np.float64)
        found = solve(matrix)
        sides = (
            ("Black", matrix, found.columns, 1 - found.value),
            ("White", 1 - matrix.T, found.rows, found.value),
        )
        for colour, scores, nash, value in sides:
            even = np.full(ARMS, 1 / ARMS)
            single = np.concatenate([_lost(scores, option, 3) for option in np.eye(ARMS)])
            lost = {
                "nash": _lost(scores, nash, learners),
                "uniform": _lost(scores, even, learners),
                "each option alone": single,
            }
            lines = {name: _points(rates) for name, rates in lost.items()}
            lines["value of the game"] = [(1, Rate.of(value)), (GAMES, Rate.of(value))]
            title = f"{size}x{size}, {colour}: losing rate in game number"
            report.figures.append(Figure(title, "game", lines, logarithmic=True))
            last = lines["nash"][-1][1]
            reaches.append(last.value - 100 * value < 5)
            crushed.append(bool((single[:, 127:].max(axis=1) == 0).mean() > 0.99))
            harder.append(last.value > lines["uniform"][-1][1].value)
    report.checks += [
        Check(
            "Against Nash the learner comes within 5 points of the value of the game", all(reaches)
        ),
        Check("Every single option is beaten for good within 2^7 games", all(crushed)),
        Check("Nash is harder to learn against than uniform", all(harder)),
    ]
    return report


def discounted(scope: Scope) -> Findings:
    """Further work: a learner that discounts old games, against an opponent who changes."""
    learners = scope.games or LEARNERS
    matrix = recorded(5).first(ARMS, ARMS).black.astype(np.float64)
    switch = 1024
    lines, ends = {}, {}
    for discount in (1.0, 0.999, 0.99):
        rates = []
        for number in range(10):
            order = np.random.default_rng(number).permutation(ARMS)
            before, after = np.zeros((2, ARMS))
            before[order[:8]] = after[order[8:16]] = 1 / 8
            rates.append(_lost(matrix, before, max(2, learners // 10), after, switch, discount))
        lost = np.concatenate(rates)
        marks = [1, 64, 512, 1024, 1025, 1088, 1280, 1536, 2048, 4096]
        error = mean_error(lost)
        lines[f"weight {discount:g}"] = [
            (t, Rate.of(float(lost[:, t - 1].mean()), float(error[t - 1]))) for t in marks
        ]
        ends[discount] = float(lost[:, switch : 2 * switch].mean())
    return Findings(
        f"Phantom Go 5x5 as Black, {learners} learners; eight seeds, after {switch} games others",
        figures=[Figure("Losing rate in game number", "game", lines, logarithmic=True)],
        checks=[
            Check(
                "In the thousand games after the change a learner that forgets loses less",
                min(ends[0.999], ends[0.99]) < ends[1.0],
            )
        ],
    )


EXP3_GAMES: Final = (
    ("Phantom 4 in a row", "fourinarow", "phantom:mnk(m=4,n=4,k=4)"),
    ("Nim", "nim", "openspiel:nim"),
    ("Phantom tic-tac-toe", "phantomttt", "openspiel:phantom_ttt"),
    ("Morra", "morra", "morra:rounds=10"),
    ("PigStupid", "pig", "openspiel:pig(players=2,winscore=40,horizon=200)"),
)
EXP3_SEEDS: Final = 400
"""Seeds per colour, half for learning and half for testing; the paper has 800."""


def _exp3(games: int, scores: FloatArray, seed: int, **keys: object) -> Portfolio:
    return exp3(scores, games, seed, **keys).portfolio  # type: ignore[arg-type]


def exp3_table(scope: Scope) -> Findings:
    """Table 1: Exp3 in five small games."""
    rows, reached = [], []
    few, many = {}, {}
    matrices = {
        name: scope.matrix(store, OtherGames.of(game, "random"), scope.seeds or EXP3_SEEDS)
        for name, store, game in EXP3_GAMES
    }
    for name, matrix in matrices.items():
        paper = published("exp3", name, 4)
        cells: list[Cell] = []
        learners: list[Callable[[FloatArray, int], Portfolio]] = [
            by_method("oneseed"),
            partial(_exp3, 800),
            partial(_exp3, 12_800),
            by_method("bestseed"),
            by_method("nash"),
        ]
        for place, learn in enumerate(learners):
            found = against_fresh(matrix, learn, scope.repeats)
            theirs = paper[2 * place : 2 * place + 2] if place < 2 else [None, None]
            cells += map(Cell, found, theirs)
        rows.append((name, cells))
        few[name], many[name] = cells[2].ours, cells[4].ours
        reached.append(f"{name} {matrix.own // 2}")
    columns = [
        f"{what}, K'={k}"
        for what in ("one seed", "Exp3, 800 games", "12,800 games", "BestSeed", "Nash")
        for k in (1, 16)
    ]
    learned = [many[name] for name in ("Phantom 4 in a row", "Nim", "Phantom tic-tac-toe")]
    luck = [many[name] for name in ("Morra", "PigStupid")]
    return Findings(
        f"Seeds to learn on and as many to test on: {', '.join(reached)}; the paper's 400",
        [RateTable("Win rate of the random player's seeds", ["game", *columns], rows)],
        checks=[
            Check(
                "After 12,800 games Exp3 beats the random player in the three games of skill",
                all(rate is not None and above(rate, 50) for rate in learned),
            ),
            Check(
                "In the two games that luck decides it wins at most 55 %",
                all(rate is not None and rate.value <= 55 for rate in luck),
            ),
            Check(
                "800 games suffice for 65 % in Phantom tic-tac-toe, as in the paper",
                few["Phantom tic-tac-toe"].value >= 65 if few["Phantom tic-tac-toe"] else None,
            ),
        ],
    )


def widening(scope: Scope) -> Findings:
    """Section 5: UCB over a growing number of seeds. Section 6: Exp3 with widening and removal."""
    matrix = scope.matrix(
        "phantomttt", OtherGames.of("openspiel:phantom_ttt", "random"), scope.seeds or EXP3_SEEDS
    )
    games = scope.games or 4000
    contest = OtherGames.of("go:size=9,komi=6.5", "flatmc:playouts=400")
    own, tests = 5400, range(1 << 20, (1 << 20) + 50)
    terms = SeedTerms(own, opponents=400)
    learner = Ucb(terms, exploration=0.2, together=40, widening=100.0, root=3, k=1)
    learned = scope.learn("ucb9", contest, learner, games)
    portfolio = learner.portfolio()
    black, white = (int(side.argmax()) for side in portfolio)
    wanted = [*((black, test) for test in tests), *((test, white) for test in tests)]
    results = scope.play("ucb9", contest, wanted)
    won = [
        black_score(results[g]) if g[0] == black and g[1] in tests else 1 - black_score(results[g])
        for g in wanted
        if g in results
    ]
    ours = Rate.of_scores(won)
    settings = {
        "Exp3, all seeds open": {},
        "Exp3, 2 N^(1/2) seeds open": {"widening": Widening(2, 0.5)},
        "Exp3, the worst seed removed every 100 games": {"removal": 100},
        "Exp3, both": {"widening": Widening(2, 0.5), "removal": 100},
    }
    rows = [
        (name, [*map(Cell, against_fresh(matrix, partial(_exp3, 12_800, **keys), scope.repeats))])  # type: ignore[arg-type]
        for name, keys in settings.items()
    ]
    rows.append(
        (
            f"UCB, Go 9x9, {learned} games",
            [Cell(ours, published("widening", "UCB, Go 9x9", 1)[0]), Cell(None)],
        )
    )
    free, wide = rows[0][1][0].ours, rows[1][1][0].ours
    assert free is not None
    assert wide is not None
    return Findings(
        f"Phantom tic-tac-toe, {matrix.own // 2} seeds, 12,800 games; Go 9x9 by"
        f" flatmc:playouts=400, {learned} games of the paper's 60,000. 19x19 by GNU Go is not done:"
        " 20 s a game",
        [RateTable("Win rate on fresh seeds", ["learner", "K'=1", "K'=16"], rows)],
        checks=[
            Check(
                "Widening does not beat Exp3 with all of a few hundred seeds open",
                not above(Rate(wide.value - free.value, free.error + wide.error), 0),
            ),
            Check(
                "UCB finds seeds of Go 9x9 that beat random seeds",
                None if ours is None else above(ours, 50),
            ),
        ],
    )


def approximate(_: Scope) -> Findings:
    """Equilibria from part of the games: Grigoriadis and Khachiyan, and double oracle."""
    rows, close, fewer = [], [], []
    for size in (5, 7):
        matrix = recorded(size)
        number = matrix.own
        deal = np.array_split(np.random.default_rng(0).permutation(number), 10)
        methods: dict[str, Callable[[FloatArray, int], tuple[Portfolio, int]]] = {
            "nash": lambda scores, ties: (by_method("nash")(scores, ties), scores.size),
            "sublinear, eps 0.2": lambda scores, ties: sublinear(scores, 0.2, ties),
            "double oracle": lambda scores, _: double_oracle(scores),
        }
        found = {}
        for name, learn in methods.items():
            tested, asked = [], []
            for fold, tests in enumerate(deal):
                own = np.setdiff1d(np.arange(number), tests)
                portfolio, games = learn(matrix.black[np.ix_(own, own)].astype(np.float64), fold)
                pair = against(
                    portfolio, matrix.black[np.ix_(own, tests)], matrix.black[np.ix_(tests, own)]
                )
                tested.append([np.mean(pair), exploited(pair, [16])[0]])
                asked.append(games)
            found[name] = Rate.means(tested)
            share = Rate(100 * float(np.mean(asked)) / (number - len(deal[0])) ** 2)
            rows.append((f"{size}x{size}, {name}", [*map(Cell, found[name]), Cell(share)]))
            fewer.append(share.value < 60 or name != "sublinear, eps 0.2")
        close.append(abs(found["nash"][0].value - found["sublinear, eps 0.2"][0].value) < 2)
    return Findings(
        "Recorded games of 5x5 and 7x7, ten folds",
        [
            RateTable(
                "Win rate on fresh seeds, and the games that were asked for",
                ["board, learner", "K'=1", "K'=16", "games, % of all"],
                rows,
            )
        ],
        checks=[
            Check(
                "The sublinear algorithm is within 2 points of the equilibrium against one try",
                all(close),
            ),
            Check("It asks for less than 60 % of the games", all(fewer)),
        ],
    )
