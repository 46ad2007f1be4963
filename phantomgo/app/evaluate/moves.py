"""`phantomgo evaluate moves`: a book of moves on fresh seeds."""

import argparse
from typing import Any

from phantomgo.app.command import add_verb
from phantomgo.lab.verbs.measuring import Trial, evaluate_moves
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.wording import counted


def configure(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, evaluate_moves, _as_text, _as_json, positional=("book",))


def _as_json(trial: Trial) -> dict[str, Any]:
    book, bot, found = trial
    tries = [k for k in EXPLOITERS if k < len(found.rates.black)]
    return {
        "book": book.name,
        "bot": bot,
        "games": found.games,
        "exploiters": {str(k): found.exploited(k)._asdict() for k in tries},
        "depth": {str(colour): depth._asdict() for colour, depth in found.depth.items()},
    }


def _as_text(trial: Trial) -> str:
    book, bot, found = trial
    tests = len(found.rates.black)
    title = f"{book.name} with {bot} against {bot}: {tests} fresh seeds of either colour"
    lines = [f"{title}, {counted(found.games, 'game')} each; winning rate in % ± standard error"]
    for k in (k for k in EXPLOITERS if k < tests):
        rate = found.exploited(k)
        lines.append(
            f"  K'={k:<3d}{100 * rate.rate:5.1f} ± {100 * rate.error:4.1f}"
            f"  (Black {100 * rate.black:.1f}, White {100 * rate.white:.1f})"
        )
    for colour, depth in found.depth.items():
        lines.append(
            f"  {colour}: {depth.attempts:.2f} attempts of a game from the book,"
            f" {depth.first:.2f} before the first other one"
        )
    return "\n".join(lines)
