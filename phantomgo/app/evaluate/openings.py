"""The report of `phantomgo evaluate openings`: the value of the first decisions of seeds."""

from typing import Any

from phantomgo.lab.measure.compare import EXPLOITERS
from phantomgo.lab.measure.decisions import Step
from phantomgo.lab.verbs.recorded import Decided
from phantomgo.match.text import markdown
from phantomgo.points import vertex


def as_json(found: Decided) -> dict[str, Any]:
    """Rates are fractions of 1."""
    size = found.setup.rules.size
    table = [
        {
            **step._asdict(),
            "chosen": [[vertex(move, size) for move in moves] for moves in step.chosen],
            "rates": step.rates.mean(axis=0).tolist(),
            "errors": (step.rates.std(axis=0, ddof=1) / len(step.rates) ** 0.5).tolist(),
        }
        for step in found.steps
    ]
    return {"matrix": found.name, "exploiters": EXPLOITERS, "steps": table}


def as_text(found: Decided) -> str:
    """A table in Markdown."""
    title = (
        f"{found.name}: {found.setup.title}; as Black, as White. Winning rates in % ± standard"
        " error of the seeds that begin best, on seeds that took no part.\n"
    )
    head = ["decisions", "beginnings", "explain", "best", "seeds"]
    head += [f"K'={exploiter}" for exploiter in EXPLOITERS]
    rows = [_row(step, found.setup.rules.size) for step in found.steps]
    return "\n".join([title, *markdown(head, rows)])


def _row(step: Step, size: int) -> list[str]:
    """A row of the table of openings."""
    best = (" ".join(vertex(move, size) for move in moves) or "-" for moves in step.chosen)
    rates = zip(step.rates.mean(axis=0), step.rates.std(axis=0, ddof=1), strict=True)
    return [
        str(step.length),
        ", ".join(map(str, step.number)),
        ", ".join("-" if part is None else f"{100 * part:.0f} %" for part in step.explained),
        ", ".join(best),
        ", ".join(map(str, step.kept)),
        *(f"{100 * m:.1f} ± {100 * d / len(step.rates) ** 0.5:.1f}" for m, d in rates),
    ]
