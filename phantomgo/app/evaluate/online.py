"""The report of `phantomgo evaluate online` and `arms`: how fast bots that learn online adapt."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from phantomgo.app import plots
from phantomgo.lab.measure.adaptation import SETTLED
from phantomgo.lab.verbs.adapting import SINGLE, SWITCH, Adaptation, Row
from phantomgo.match.text import markdown


def draw(path: Path, found: Adaptation) -> None:
    """Draw the curves."""
    plots.draw_learners(path, found.title, found.curves)


def as_json(found: Adaptation) -> list[dict[str, Any]]:
    """Losing rates at the powers of four, with their standard errors, and the milestones."""
    return [_row(row) for row in found.rows]


def _row(row: Row) -> dict[str, Any]:
    found = row.curve
    games = _powers(len(found.lost))
    return {
        "opponent": row.opponent,
        "colour": str(row.colour),
        "discount": row.discount,
        "switch": row.switch,
        "games": games,
        "lost": [float(found.lost[n - 1]) for n in games],
        "errors": [float(found.errors[n - 1]) for n in games],
        "best_arm_loses": found.best,
        "until_beaten": found.until_beaten,
        "until_lost_no_more": [int(n) for n in found.last] if found.best < 1e-9 else None,
        "until_recovered": row.switch and found.until_recovered(row.switch),
    }


def as_text(found: Adaptation) -> str:
    """A table of opponents who don't change, and one of those who do."""
    text = f"{found.title}; {found.repeats} learners\n\n"
    text += _table([row for row in found.rows if not row.switch])
    if changes := [row for row in found.rows if row.switch]:
        text += f"\n\n{_table_of_changes(changes)}"
    return text


def _powers(games: int) -> list[int]:
    """1, 4, 16 and so on."""
    return [4**n for n in range(16) if 4**n <= games]


def _table(rows: Sequence[Row]) -> str:
    powers = _powers(len(rows[0].curve.lost))
    lines = [
        "Losing rate in % in game number ... (± standard error), with the best arm, and the games"
        " until 55 % are won:",
        "",
    ]
    table = []
    for row in rows:
        found = row.curve
        cells = [f"{100 * found.lost[n - 1]:.1f} ± {100 * found.errors[n - 1]:.1f}" for n in powers]
        beaten = found.until_beaten
        cells += [f"{100 * found.best:.1f}", "never" if beaten is None else str(beaten)]
        table.append([row.opponent, row.colour, *cells])
    lines += markdown(["against", "as", *powers, "best arm", "until 55 %"], table)
    for row in rows:
        if row.opponent == SINGLE:
            last = sorted(row.curve.last.tolist())
            half, most = last[len(last) // 2], last[-1]
            lines.append(
                f"\nAs {row.colour} half of the learners had lost for the last time against a"
                f" single seed after {half} games, 99 of 100 after {last[len(last) * 99 // 100]},"
                f" all after {most}."
            )
    return "\n".join(lines)


def _table_of_changes(rows: Sequence[Row]) -> str:
    head = ("opponent", "as", "discount", "before", "in the next game", "games to recover")
    table = []
    for row in rows:
        lost = row.curve.lost
        recovered = row.curve.until_recovered(SWITCH)
        before, after = lost[SWITCH - SETTLED : SWITCH].mean(), lost[-SETTLED:].mean()
        rates = [f"{100 * rate:.1f}" for rate in (before, lost[SWITCH], after)]
        until = "never" if recovered is None else recovered
        table.append([row.opponent, row.colour, f"{row.discount:g}", *rates[:2], until, rates[2]])
    title = f"Losing rate in % when the opponent changes after {SWITCH} games:"
    return "\n".join([title, "", *markdown([*head, "at the end"], table)])
