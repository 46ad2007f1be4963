"""Experiments of Grid coevolution: books of moves grown from a bot's games against itself."""

import time
from dataclasses import replace
from typing import Final

import numpy as np

from bots.deployed import even_komi
from phantomgo.game.outcome import black_score, black_won
from phantomgo.lab.api.learning import learn_moves
from phantomgo.lab.api.measuring import evaluate_moves
from phantomgo.lab.measure.moves import Measured
from phantomgo.lab.run.store import Store
from phantomgo.papers.published import published
from phantomgo.papers.report import Cell, Check, Figure, Findings, Rate, RateTable
from phantomgo.papers.scope import Scope

SIZE: Final = 5
BOT: Final = "flatmc:playouts=200"
GAMES: Final = 3000
TESTS: Final = 24
"""Fresh seeds per colour that a book is tested against, each in TESTS games."""
FEWEST_TESTS: Final = TESTS // 4
"""The fresh seeds per colour to begin with where the time is limited."""
LONGER: Final = (1000, 5000)
WINDOW: Final = 100
METHODS: Final = ("mbm", "mvbm")


def _grown(scope: Scope, method: str) -> tuple[str, int]:
    """The file of a book grown within the time available, and the number of its games."""
    deadline = scope.deadline()
    file = str(scope.folder / f"{method}{SIZE}.json")
    wanted = scope.games or GAMES
    games = 0
    run = replace(scope.run, store=scope.folder / f"{method}{SIZE}.db")
    while games < wanted and (not games or time.monotonic() < deadline):
        games = min(wanted, 2 * games or 250)
        learn_moves(
            BOT, size=SIZE, komi=even_komi(SIZE), method=method, games=games, out=file, run=run
        )
    scope.missing += wanted - games
    return file, games


def _measured(
    scope: Scope, file: str, name: str, bot: str = BOT, *, without: bool = False
) -> Measured:
    """A book's rates on fresh seeds: `FEWEST_TESTS`, doubled up to `TESTS` while there is time."""
    deadline = scope.deadline()
    run = replace(scope.run, store=scope.folder / f"{name}.db")
    tests = FEWEST_TESTS
    while True:
        begun = time.monotonic()
        found = evaluate_moves(
            file, without=without, bot=bot, test_seeds=tests, own_seeds=tests, run=run
        )
        ended = time.monotonic()
        # Twice as many seeds on both sides: a quarter of those games has been played.
        if tests == TESTS or ended + 3 * (ended - begun) > deadline:
            scope.missing += 2 * (TESTS**2 - tests**2)
            return found
        tests *= 2


def _rates(found: Measured) -> list[Rate]:
    """The rates as Black and as White, with the spread between test seeds."""
    return [Rate.mean(side) for side in (found.rates.black, found.rates.white)]


def moves(scope: Scope) -> Findings:
    """Section 2.1 and the table of section 3: MBM and MVBM against the bot without a book."""
    rows, grown = [], []
    for method in METHODS:
        file, games = _grown(scope, method)
        grown.append(games)
        found = _measured(scope, file, f"{method}{SIZE}-{games}")
        rows.append((method, [*map(Cell, _rates(found), published("coevolution", method, 2))]))
    none = _rates(_measured(scope, file, f"none{SIZE}-{games}", without=True))
    rows.append(
        ("without a book", [*map(Cell, none, published("coevolution", "without a book", 2))])
    )
    mbm = [cell.ours for cell in rows[0][1]]
    return Findings(
        f"5x5, {BOT}, {' and '.join(map(str, grown))} games; the paper's 9x9, MoGo, 3496 and 3000",
        [
            RateTable(
                "Win rate against the bot without a book", ["book", "as Black", "as White"], rows
            )
        ],
        checks=[
            Check(
                "MBM gains at least 10 points over both colours together",
                sum(rate.value for rate in mbm if rate) - sum(rate.value for rate in none) >= 20,
            ),
            Check(
                "MBM gains with at least one colour by more than the errors explain",
                any(
                    rate.value - none[side].value > 2 * (rate.error + none[side].error)
                    for side, rate in enumerate(mbm)
                    if rate
                ),
            ),
        ],
    )


def longer(scope: Scope) -> Findings:
    """Section 2.2: a book grown at one time per move, used by a bot with more time."""
    file, games = _grown(scope, "mbm")
    rows, gains = [], []
    for playouts in (200, *LONGER):
        bot = f"flatmc:playouts={playouts}"
        name = f"longer-{playouts}"
        with_book = _rates(_measured(scope, file, f"{name}-with-{games}", bot))
        none = _rates(_measured(scope, file, f"{name}-without-{games}", bot, without=True))
        rows.append((f"{playouts // 200} times as long", [*map(Cell, [*with_book, *none])]))
        gains.append(sum(rate.value for rate in with_book) - sum(rate.value for rate in none))
    head = [
        "time",
        *(f"{book}, {colour}" for book in ("book", "no book") for colour in ("Black", "White")),
    ]
    return Findings(
        f"5x5, a book of {BOT} from {games} games; the paper's, of 10 s a move, wins 30.6 and"
        " 40.7 % at 60 s against a handmade book",
        [RateTable("Win rate against the same bot without a book", head, rows)],
        checks=[
            Check(
                "The book's gain shrinks as the bot thinks for longer",
                gains[0] > gains[1] > gains[2],
            )
        ],
    )


def growth(scope: Scope) -> Findings:
    """Figures 1 and 2: self-play while the books grow, as a mean over 100 games."""
    lines, ends = {}, []
    for method in METHODS:
        _, games = _grown(scope, method)
        with Store(scope.folder / f"{method}{SIZE}.db") as store:
            results = [result.split()[0] for _, result in sorted(store.results().items())]
        white = np.array([1 - black_score(result) for result in results])
        points = range(WINDOW, len(white) + 1, max(WINDOW, len(white) // 30))
        lines[method] = [
            (end, Rate.of_games(float(white[end - WINDOW : end].mean()), WINDOW)) for end in points
        ]
        ends.append(
            max(
                np.mean([black_won(result) for result in results[-WINDOW:]]), white[-WINDOW:].mean()
            )
        )
    return Findings(
        f"5x5, {games} games; the paper's 9x9. Figure 1, growing books against the bot without one,"
        " has the rows of `moves` with other --games",
        figures=[Figure("White's win rate in self-play", "games", lines)],
        checks=[
            Check("One side wins more than two thirds of the last games with MBM", ends[0] > 2 / 3)
        ],
    )
