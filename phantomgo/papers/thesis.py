"""Experiments of Buron's thesis: two-level Monte Carlo against flat Monte Carlo on 7x7."""

from typing import Final

from phantomgo.game.beginning import START, Beginning, Game
from phantomgo.game.outcome import black_score
from phantomgo.game.points import BLACK, PASS, WHITE, parse_points
from phantomgo.game.rules import Rules
from phantomgo.lab.seeds.contest import SeedGames, make_setup
from phantomgo.papers.published import published
from phantomgo.papers.report import Cell, Check, Findings, Rate, RateTable
from phantomgo.papers.scope import Scope

BUDGETS: Final = {"60 s, 1x": (3, 31_000), "120 s, 2x": (6, 62_000), "240 s, 4x": (12, 124_000)}
"""The thesis's seconds per move, with level-2 games and flatmc playouts that take equally long."""
RULES: Final = Rules.profile("olympiad", size=7, komi=3.5)
CENTRE: Final = "D4"
BLACK_STONE: Final = Beginning(parse_points([CENTRE], 7))
"""Black begins with a stone in the centre."""
WHITE_STONE: Final = Beginning(0, ((BLACK, PASS), (WHITE, 24)))
"""White begins with a stone in the centre: Black passes first."""
GAMES: Final = 4
"""The default number of games per pairing; the thesis has 20."""


def _won(scope: Scope, black: str, white: str, beginning: Beginning, name: str) -> Rate | None:
    """Black's share of the games of a pairing."""
    setup = make_setup(black, white, "olympiad", Game(RULES, beginning))
    wanted = [(number, number) for number in range(scope.games or GAMES)]
    results = scope.play(name, SeedGames(setup), wanted)
    return Rate.of_scores([black_score(result) for result in results.values()])


def _of_twenty(rate: Rate | None) -> Rate | None:
    """The thesis's share with the error of 20 games."""
    return None if rate is None else Rate.of_games(rate.value / 100, 20)


def two_levels(scope: Scope) -> Findings:
    """Tables 1 and 2: LvlMC and FlatMC at equal time, without and with a centre stone for LvlMC."""
    pairings = (
        ("LvlMC Black", START, True),
        ("FlatMC Black", START, False),
        ("LvlMC Black with a centre stone", BLACK_STONE, True),
        ("FlatMC Black against a centre stone", WHITE_STONE, False),
    )
    found: dict[str, list[Cell]] = {name: [] for name, _, _ in pairings}
    for place, (playouts, flat) in enumerate(BUDGETS.values()):
        for name, beginning, first in pairings:
            level, other = f"twolevel:playouts={playouts}", f"flatmc:playouts={flat}"
            black, white = (level, other) if first else (other, level)
            store = f"thesis-{name.lower().replace(' ', '-')}-{place}"
            paper = published("thesis", f"{name}, won", len(BUDGETS))[place]
            found[name].append(Cell(_won(scope, black, white, beginning, store), _of_twenty(paper)))
    won = [
        cell.ours.value if name.startswith("LvlMC") else 100 - cell.ours.value
        for name, cells in found.items()
        for cell in cells
        if cell.ours is not None
    ]
    fifth = sum(won) / len(won) < 20 if len(won) == len(pairings) * len(BUDGETS) else None
    return Findings(
        f"7x7, komi 3.5, {scope.games or GAMES} games a cell; the thesis's 20",
        [RateTable("Black's win rate by time a move", ["pairing", *BUDGETS], list(found.items()))],
        checks=[Check("LvlMC wins less than a fifth of its games at equal time", fifth)],
    )


def levels(scope: Scope) -> Findings:
    """Table 3: LvlMC against itself with more time."""
    names = [name.rpartition(" ")[2] for name in BUDGETS]
    rows = []
    for name, (black, _) in zip(names, BUDGETS.values(), strict=True):
        paper = published("levels", name, len(names))
        cells = []
        for place, (white, _) in enumerate(BUDGETS.values()):
            pair = f"twolevel:playouts={black}", f"twolevel:playouts={white}"
            ours = _won(scope, *pair, START, f"levels-{black}-{white}")
            cells.append(Cell(ours, _of_twenty(paper[place])))
        rows.append((f"Black {name}", cells))
    most = rows[-1][1][0].ours
    return Findings(
        f"7x7, komi 3.5, {scope.games or GAMES} games a cell; the thesis's 20",
        [RateTable("Black's win rate", ["time", *(f"White {name}" for name in names)], rows)],
        checks=[
            Check(
                "Four times the time wins less than 80 % as Black",
                None if most is None else most.value < 80,
            )
        ],
    )
