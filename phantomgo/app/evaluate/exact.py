"""`phantomgo evaluate exact`: portfolios against exact best responses, in small games."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from phantomgo.app.command import add_options, call
from phantomgo.app.progress import Shown
from phantomgo.lab.measure.exact import Plan, Row
from phantomgo.lab.verbs.exact import exact


def configure_exact(parser: argparse.ArgumentParser) -> None:
    add_options(parser, exact)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_exact(arguments: argparse.Namespace) -> int:
    """Portfolios against fresh seeds and against exact best responses."""
    plan, rows = call(exact, arguments, progress=Shown())
    if arguments.json:
        print(json.dumps(_as_json(plan, rows), indent=2))
    else:
        print(_as_text(plan, rows))
    return 0


def _as_text(plan: Plan, rows: Sequence[Row]) -> str:
    """A table in Markdown."""
    tried = [f"K'={exploiter}" for exploiter in plan.exploiters]
    names = ["portfolio", "games", *tried, "exact", "as Black", "as White", "NashConv", "s"]
    lines = [
        f"{plan.setup.title}: learned on {plan.train} seeds, tested on"
        f" {plan.matrix.own - plan.train} others. Winning rate in % against the worst of K' fresh"
        " seeds, and against an exact best response; NashConv in games won; processor time.",
        "",
        f"| {' | '.join(names)} |",
        "|---" * len(names) + "|",
    ]
    for row in rows:
        rates = (f"{100 * rate:.1f}" for rate in (*row.tried, row.rate, row.black, row.white))
        cells = [row.learner, row.games, *rates, f"{row.nash_conv:.3f}", f"{row.seconds:.1f}"]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _as_json(plan: Plan, rows: Sequence[Row]) -> dict[str, Any]:
    """Rates are fractions of 1."""
    return {
        "setup": plan.setup.as_dict(),
        "seeds": plan.train,
        "seed": plan.seed,
        "exploiters": list(plan.exploiters),
        "portfolios": [{**row._asdict(), "nash_conv": row.nash_conv} for row in rows],
    }
