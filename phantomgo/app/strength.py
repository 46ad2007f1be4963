"""`phantomgo strength`: how strong the bots are at equal processor time, as a table.

On each board all bots get the budget that takes them the same processor time a decision, and each
plays a match against one of them and one against the next best. Budgets and games are kept in a
folder, so that the same command goes on where another run was interrupted.
"""

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bots import BOTS
from phantomgo.app.numbers import komi, natural, whole
from phantomgo.app.players import ENGINE, Conditions, canonical
from phantomgo.app.playing import MatchStopped, Plan, play, report, setup
from phantomgo.app.workers import checked_jobs
from phantomgo.errors import BadStore, BadText
from phantomgo.files import write_whole
from phantomgo.match.stats import Interval, wilson
from phantomgo.match.store import Store
from phantomgo.rules import PROFILES, Rules

if TYPE_CHECKING:
    from phantomgo.app.calibrate import Timing

SIZES: Final = (5, 7, 9)
KOMI: Final[Mapping[int, float]] = {5: 2.5, 7: 3.5, 9: 5.5}
"""Where our bots win about as often with either colour; other boards take the rules' komi."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bots", metavar="SPEC", nargs="+", help="who is measured (default: every bot)"
    )
    parser.add_argument(
        "--against", metavar="SPEC", default="flatmc", help="whom all play (default flatmc)"
    )
    parser.add_argument(
        "--size", type=natural, nargs="+", default=SIZES, metavar="N",
        help=f"points per side (default {' '.join(map(str, SIZES))})",
    )  # fmt: skip
    parser.add_argument(
        "--komi", type=komi,
        help=f"default: {', '.join(f'{k:g} on {s}x{s}' for s, k in KOMI.items())}, else the rules'",
    )  # fmt: skip
    parser.add_argument(
        "--rules", metavar="PROFILE", default="olympiad",
        help=f"who is told what: {', '.join(PROFILES)} (default olympiad)",
    )  # fmt: skip
    parser.add_argument(
        "--milliseconds", type=float, default=2, metavar="T",
        help="processor time of a decision (default 2)",
    )  # fmt: skip
    parser.add_argument(
        "--games", type=natural, default=200, help="games of each match; even (default 200)"
    )
    parser.add_argument("--seed", type=whole, default=0, help="gives all seeds (default 0)")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (default 1)")
    parser.add_argument(
        "--store", metavar="FOLDER", help="keep budgets and games, and go on from there"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


class Row(NamedTuple):
    """A match of the table.

    Attributes:
        rules: of the games.
        bot: who is measured, as it was named.
        against: its opponent, as it was named.
        timings: of both.
        won: the bot's rate of wins, a draw being half a one.
        games: how many were played.
    """

    rules: Rules
    bot: str
    against: str
    timings: "tuple[Timing, Timing]"
    won: Interval
    games: int


class Tour(NamedTuple):
    """What the command line asks for.

    Attributes:
        bots: their names without budgets, the one that all play first.
        boards: the rules of each board.
        profile: the name of the rules.
        milliseconds: processor time of a decision.
        games: of each match.
        seed: gives all seeds.
        jobs: games at a time.
        folder: where budgets and games are kept.
    """

    bots: tuple[str, ...]
    boards: tuple[Rules, ...]
    profile: str
    milliseconds: float
    games: int
    seed: int
    jobs: int
    folder: Path | None


def run(arguments: argparse.Namespace) -> int:
    tour = _tour(arguments)
    rows: list[Row] = []
    interrupted = False
    try:
        for rules in tour.boards:
            found, interrupted = _board(tour, rules)
            rows += found
            if interrupted:
                break
    except OSError as error:
        raise MatchStopped(str(error)) from None
    if arguments.json:
        print(json.dumps([_as_dict(row) for row in rows], indent=2))
    else:
        print("\n".join(_as_markdown(rows)))
    return 130 if interrupted else 0


def _tour(arguments: argparse.Namespace) -> Tour:
    asked = arguments.bots or sorted(BOTS)
    for spec in (arguments.against, *asked):
        if spec.startswith(ENGINE):
            raise BadText(f"{spec[:60]}: only the processor time of our own bots is known")
    against, *bots = (canonical(spec) for spec in (arguments.against, *asked))
    for spec in bots:
        if bots.count(spec) > 1:
            raise BadText(f"--bots has {spec} twice")
    if bots == [against]:
        raise BadText(f"--bots has none but {against}, whom all play")
    if not 0 < arguments.milliseconds <= 1e6:
        raise BadText(f"--milliseconds {arguments.milliseconds:g} is not from 0 to 1000000")
    boards = []
    for size in arguments.size:
        points = KOMI.get(size) if arguments.komi is None else arguments.komi
        boards.append(Rules.profile(arguments.rules, size=size, komi=points))
    tour = Tour(
        (against, *(spec for spec in bots if spec != against)),
        tuple(boards),
        arguments.rules,
        arguments.milliseconds,
        arguments.games,
        arguments.seed,
        checked_jobs(arguments.jobs),
        None if arguments.store is None else Path(arguments.store),
    )
    _plan(tour, boards[0], tour.bots[:2])  # a wrong number of games is told now
    if tour.folder is not None:
        try:
            tour.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadText(f"--store {tour.folder}: {error.strerror}") from None
    return tour


def _board(tour: Tour, rules: Rules) -> tuple[list[Row], bool]:
    """The rows of one board, the strongest bot's first; and whether Ctrl-C has cut them short."""
    timings = _timings(tour, rules)
    first = tour.bots[0]
    rows: list[Row] = []
    interrupted = False

    def meet(pairs: Sequence[tuple[str, str]]) -> None:
        nonlocal interrupted
        for bot, against in pairs:
            if not interrupted:
                row, interrupted = _match(tour, rules, bot, against, timings)
                rows.extend([row] if row.games else [])

    meet([(bot, first) for bot in tour.bots[1:]])
    rates = {row.bot: row.won.value for row in rows} | {first: 0.5}
    ranking = sorted(rates, key=lambda bot: rates[bot])
    meet([(bot, below) for below, bot in pairwise(ranking) if first not in (bot, below)])
    rows.sort(key=lambda row: (-ranking.index(row.bot), row.against != first))
    return rows, interrupted


def _match(
    tour: Tour, rules: Rules, bot: str, against: str, timings: "Mapping[str, Timing]"
) -> tuple[Row, bool]:
    both = timings[bot], timings[against]
    plan = _plan(tour, rules, [timing.spec for timing in both])
    title = f"{rules.size}x{rules.size}: {both[0].spec} against {both[1].spec}"
    print(title, file=sys.stderr)
    path = ":memory:" if tour.folder is None else str(tour.folder / _file(rules, plan.specs))
    with Store(path, setup(plan)) as store:
        interrupted = play(plan, store, tour.jobs, lambda _: None)
        tally = report(plan, store).tally(0)
    won = wilson(tally.points, tally.games)
    return Row(rules, bot, against, both, won, tally.games), interrupted


def _plan(tour: Tour, rules: Rules, specs: Sequence[str]) -> Plan:
    return Plan.of(specs, tour.games, tour.seed, Conditions(rules), tour.profile)


def _file(rules: Rules, specs: Sequence[str]) -> str:
    """The name of a match's store: to be read, and for these two specs alone."""
    words = [re.sub("[^a-z0-9]+", "-", spec.lower())[:40] for spec in specs]
    digest = hashlib.sha256("\n".join(specs).encode()).hexdigest()[:8]
    return f"{rules.size}x{rules.size}-{'-v-'.join(words)}-{digest}.db"


# Budgets


def _timings(tour: Tour, rules: Rules) -> "dict[str, Timing]":
    """The bots' budgets: the kept ones, and those of the others, measured now."""
    from phantomgo.app.calibrate import calibrated  # noqa: PLC0415  (compiled code)

    file = None if tour.folder is None else tour.folder / "budgets.json"
    header = {"milliseconds": tour.milliseconds, "against": tour.bots[0]}
    kept = {} if file is None else _read_budgets(file, header)
    board = json.dumps(rules.as_dict())
    known = kept.get(board, {})
    missing = [bot for bot in tour.bots[1:] if bot not in known]
    if missing or not known:
        print(f"{rules.size}x{rules.size}: budgets of {', '.join(missing)}", file=sys.stderr)
        first = known.get(tour.bots[0])
        bots = [tour.bots[0], *missing]
        found = calibrated(bots, rules, tour.milliseconds, first)
        known = dict(zip(bots, found, strict=True)) | known
        if file is not None:
            boards = kept | {board: known}
            text = {b: {bot: t._asdict() for bot, t in ts.items()} for b, ts in boards.items()}
            write_whole(file, json.dumps({**header, "boards": text}, indent=2) + "\n")
    return known


def _read_budgets(file: Path, header: Mapping[str, object]) -> "dict[str, dict[str, Timing]]":
    """The budgets in a file by board and bot; none if there is no file.

    Raises:
        BadStore: it is no such file, or of another table.
    """
    from phantomgo.app.calibrate import Timing  # noqa: PLC0415

    if not file.exists():
        return {}
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        for key, value in header.items():
            if content[key] != value:
                raise BadStore(f"{file} is of a table with {key} {content[key]}, not {value}")
        return {
            board: {
                bot: Timing(str(t["spec"]), t["budget"], float(t["milliseconds"]))
                for bot, t in timings.items()
            }
            for board, timings in content["boards"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, BadStore):
            raise
        raise BadStore(f"{file} is no file of budgets") from None


# The table


def _as_markdown(rows: Sequence[Row]) -> list[str]:
    lines = [
        "| bot | board | komi | against | won | 95 % | games | playouts | ms a decision |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        rate, low, high = (100 * value for value in row.won)
        budgets = " : ".join("-" if t.budget is None else str(t.budget) for t in row.timings)
        times = " : ".join(f"{t.milliseconds:.2f}" for t in row.timings)
        cells = [
            f"`{row.bot}`", f"{row.rules.size}x{row.rules.size}", f"{row.rules.komi:g}",
            f"`{row.against}`", f"{rate:.1f} %", f"{low:.1f} to {high:.1f}", str(row.games),
            budgets, times,
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _as_dict(row: Row) -> dict[str, Any]:
    return {
        "size": row.rules.size,
        "komi": row.rules.komi,
        "bot": row.bot,
        "against": row.against,
        "won": row.won._asdict(),
        "games": row.games,
        "players": [timing._asdict() for timing in row.timings],
    }
