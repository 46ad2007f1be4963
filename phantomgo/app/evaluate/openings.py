"""`phantomgo evaluate openings`: the value of the first decisions of a matrix's seeds."""

from phantomgo.app.command import print_json
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.lab.measure.compare import EXPLOITERS
from phantomgo.lab.measure.decisions import Step, steps
from phantomgo.match.text import markdown
from phantomgo.points import vertex
from phantomgo.portfolio.packed import read_matrix
from phantomgo.portfolio.setup import Setup


def openings(matrix: str, *, length: int = 3, json: bool = False) -> None:
    """Print the value of each decision, in Markdown or as JSON with rates as fractions of 1.

    Args:
        matrix: the matrix's name or .json file.
        length: number of decisions.
        json: print JSON.

    Raises:
        BadText: the length is out of range, or the matrix is of another game.
        BadBook: there is no such matrix.
    """
    whole("length", length, 1, 100)
    packed = read_matrix(matrix)
    if not isinstance(packed.setup, Setup):
        raise BadText(f"matrix {packed.name} is of {packed.setup.title}, not of Phantom Go")
    size, found = packed.setup.rules.size, steps(packed.setup, packed.whole, length)
    if json:
        table = [
            {
                **step._asdict(),
                "chosen": [[vertex(move, size) for move in moves] for moves in step.chosen],
                "rates": step.rates.mean(axis=0).tolist(),
                "errors": (step.rates.std(axis=0, ddof=1) / len(step.rates) ** 0.5).tolist(),
            }
            for step in found
        ]
        print_json({"matrix": packed.name, "exploiters": EXPLOITERS, "steps": table}, None)
        return
    print(
        f"{packed.name}: {packed.setup.title}; as Black, as White. Winning rates in % ± standard"
        " error of the seeds that begin best, on seeds that took no part.\n"
    )
    head = ["decisions", "beginnings", "explain", "best", "seeds"]
    head += [f"K'={exploiter}" for exploiter in EXPLOITERS]
    print("\n".join(markdown(head, (_row(step, size) for step in found))))


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
