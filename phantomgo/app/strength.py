"""`phantomgo strength`: how strong the bots are at equal processor time, as a table."""

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from phantomgo.app.command import add_options, call, interruptible, settle
from phantomgo.lab.measure.strength import Row
from phantomgo.lab.verbs.games import measure_strength


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, measure_strength)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    labels = settle(measure_strength, arguments)
    with interruptible() as ended:
        ended.found = call(measure_strength, arguments, progress=ended.shown)
    rows: list[Row] = ended.found
    if arguments.json:
        print(json.dumps([_as_dict(row, labels) for row in rows], indent=2))
    else:
        print("\n".join(_as_markdown(rows, labels)))
    return ended.code


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
