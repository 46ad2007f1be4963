"""`phantomgo strength`: how strong the bots are at equal processor time, as a table."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bots import BOTS
from phantomgo.app.crew import add_dask, crew
from phantomgo.app.numbers import EVEN, komi, natural, whole
from phantomgo.app.options import add_rules
from phantomgo.app.roster import add_players_file, roster
from phantomgo.errors import Abandoned, BadText
from phantomgo.lab.strength import SIZES, Row, Tour, board, players
from phantomgo.lab.workers import checked_jobs
from phantomgo.rules import EVEN_KOMI, Rules


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bots", metavar="SPEC", nargs="+", help="who is measured (default: every bot)"
    )
    parser.add_argument(
        "--against", metavar="SPEC", default="flatmc", help="whom all play (default flatmc)"
    )
    add_players_file(parser)
    parser.add_argument(
        "--size", type=natural, nargs="+", default=SIZES, metavar="N",
        help=f"points per side (default {' '.join(map(str, SIZES))})",
    )  # fmt: skip
    parser.add_argument(
        "--komi", type=komi,
        help=f"default: {EVEN}, else the rules'",
    )  # fmt: skip
    add_rules(parser)
    parser.add_argument(
        "--milliseconds", type=float, default=2, metavar="T",
        help="processor time of a decision (default 2)",
    )  # fmt: skip
    parser.add_argument(
        "--games", type=natural, default=200, help="games of each match; even (default 200)"
    )
    parser.add_argument("--seed", type=whole, default=0, help="gives all seeds (default 0)")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (default 1)")
    add_dask(parser)
    parser.add_argument(
        "--store", metavar="FOLDER", help="keep budgets and games, and go on from there"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    labels = roster(arguments).settle(arguments, "bots", "against")
    tour = _tour(arguments)
    rows: list[Row] = []
    interrupted = False
    with crew(checked_jobs(arguments.jobs), arguments.dask) as (workers, shown):
        for rules in tour.boards:
            found: list[Row] = []
            try:
                found = board(tour, rules, workers, shown, found.append)
            except Abandoned:
                raise
            except KeyboardInterrupt:
                again = "; the same command goes on" if tour.folder is not None else ""
                shown.note(f"interrupted{again}")
                interrupted = True
            rows += found
            if interrupted:
                break
    if arguments.json:
        print(json.dumps([_as_dict(row, labels) for row in rows], indent=2))
    else:
        print("\n".join(_as_markdown(rows, labels)))
    return 130 if interrupted else 0


def _tour(arguments: argparse.Namespace) -> Tour:
    bots = players(arguments.against, arguments.bots or sorted(BOTS))
    if not 0 < arguments.milliseconds <= 1e6:
        raise BadText(f"--milliseconds {arguments.milliseconds:g} is not from 0 to 1000000")
    boards = []
    for size in arguments.size:
        points = EVEN_KOMI.get(size) if arguments.komi is None else arguments.komi
        boards.append(Rules.profile(arguments.rules, size=size, komi=points))
    tour = Tour(
        bots,
        tuple(boards),
        arguments.rules,
        arguments.milliseconds,
        arguments.games,
        arguments.seed,
        None if arguments.store is None else Path(arguments.store),
    )
    tour.plan(boards[0], tour.bots[:2])  # a wrong number of games is told now
    if tour.folder is not None:
        try:
            tour.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadText(f"--store {tour.folder}: {error.strerror}") from None
    return tour


def _as_markdown(rows: Sequence[Row], labels: Mapping[str, str]) -> list[str]:
    lines = [
        "| bot | board | komi | against | won | 95 % | games | playouts | ms a decision |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        rate, low, high = (100 * value for value in row.won)
        budgets = " : ".join("-" if t.budget is None else str(t.budget) for t in row.timings)
        times = " : ".join(f"{t.milliseconds:.2f}" for t in row.timings)
        bot, against = _called(row.bot, labels), _called(row.against, labels)
        cells = [
            bot, f"{row.rules.size}x{row.rules.size}", f"{row.rules.komi:g}",
            against, f"{rate:.1f} %", f"{low:.1f} to {high:.1f}", str(row.games),
            budgets, times,
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _called(bot: str, labels: Mapping[str, str]) -> str:
    return labels[bot].replace("|", "\\|") if bot in labels else f"`{bot}`"


def _as_dict(row: Row, labels: Mapping[str, str]) -> dict[str, Any]:
    return {
        "size": row.rules.size,
        "komi": row.rules.komi,
        "bot": row.bot,
        "against": row.against,
        "labels": {bot: labels[bot] for bot in (row.bot, row.against) if bot in labels},
        "won": row.won._asdict(),
        "games": row.games,
        "players": [timing._asdict() for timing in row.timings],
    }
