"""The report of `phantomgo evaluate exact`: portfolios against best responses."""

from typing import Any

from phantomgo.lab.measure.exact import Exact
from phantomgo.match.text import markdown


def as_text(found: Exact) -> str:
    """A table in Markdown."""
    plan, value, title = found.plan, found.value, f"{found.setup.title}: "
    if plan is not None:
        title += (
            f"learned on {plan.train} seeds, tested on {plan.matrix.own - plan.train} others."
            " Winning rate in % against the worst of K' fresh seeds, and"
        )
    else:
        title += "books as they are played. Winning rate in %"
    title += " against an exact best response; NashConv in games won; processor time."
    if value is not None:
        low, high = 100 * value.low, 100 * value.high
        title += " The value of the game: Black wins " + (
            f"{low:.1f} %." if value.found else f"{low:.1f} to {high:.1f} % (not settled in time)."
        )
    short = [] if value is None else ["Black short", "White short"]
    tried = [] if plan is None else [f"K'={exploiter}" for exploiter in plan.exploiters]
    kept = any(row.kept for row in found.rows)
    responder = ["responder: as Black", "as White"] if kept else []
    names = ["portfolio", "games", *tried, "exact", "as Black", "as White", *responder, *short]
    names += ["NashConv", "s"]
    rows = []
    for row in found.rows:
        rates = [*row.tried, row.rate, row.black, row.white, *(row.kept or ())]
        if value is not None:
            rates += row.short(value.middle)
        cells = [row.learner, row.games, *(f"{100 * rate:.1f}" for rate in rates)]
        cells += [f"{row.nash_conv:.3f}", f"{row.seconds:.1f}"]
        rows.append(cells)
    return "\n".join([title, "", *markdown(names, rows)])


def as_json(found: Exact) -> dict[str, Any]:
    """Rates are fractions of 1."""
    plan, value = found.plan, found.value
    learned = plan and {
        "seeds": plan.train, "seed": plan.seed, "exploiters": list(plan.exploiters)
    }  # fmt: skip
    return {
        "setup": found.setup.as_dict(),
        **(learned or {}),
        "value": value and value._asdict(),
        "portfolios": [{**row._asdict(), "nash_conv": row.nash_conv} for row in found.rows],
    }
