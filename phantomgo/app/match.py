"""`phantomgo match`: games between players, two or more, and what they show.

Every game is saved before it counts, so the same command goes on where another run, finished or
killed, has left off, and comes to the same table.
"""

import argparse
import json
import logging
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from bots.seeded import check_rules
from phantomgo.app.beginnings import add_beginning, beginning
from phantomgo.app.crew import add_dask, crew
from phantomgo.app.numbers import EVEN, hint_at_komi
from phantomgo.app.options import add_patience, add_rules, patience
from phantomgo.app.progress import Shown
from phantomgo.app.roster import add_players_file, roster
from phantomgo.app.sgf_folder import SgfFolder
from phantomgo.errors import Abandoned, BadText
from phantomgo.files import try_target, write_whole
from phantomgo.lab.match import Kept, MatchStore, Plan, play, report
from phantomgo.lab.players import Conditions
from phantomgo.lab.store import MEMORY
from phantomgo.lab.tasks import Workers
from phantomgo.lab.workers import checked_jobs
from phantomgo.match import pgn
from phantomgo.match.stats import Sprt
from phantomgo.record_json import MAX_SECONDS
from phantomgo.rng import MAX_SEED
from phantomgo.rules import Rules

SECONDS: Final = 30.0
"""Between two lines about how the match stands."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "SPEC is a bot, as flatmc:playouts=1000, any engine: 'gtp:COMMAND LINE', or a name in the"
        " file of players."
    )
    parser.add_argument("--black", metavar="SPEC", help="the player of Black in the first game")
    parser.add_argument("--white", metavar="SPEC", help="the player of White in the first game")
    parser.add_argument(
        "--players", metavar="SPEC", nargs="+", help="two or more, who all meet, instead"
    )
    add_players_file(parser)
    parser.add_argument(
        "--games", type=int, required=True, help="games between every two players; even"
    )
    parser.add_argument("--size", type=int, default=9, help="points per side (default 9)")
    parser.add_argument(
        "--komi",
        type=float,
        help=f"points White is given (default: the rules'; games are even with {EVEN})",
    )
    add_rules(parser)
    add_beginning(parser)
    parser.add_argument("--seed", type=int, default=0, help="gives all seeds (default 0)")
    parser.add_argument(
        "--time", type=int, metavar="SECONDS", help="of each side for a game (default: no clock)"
    )
    add_patience(parser)
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (default 1)")
    add_dask(parser)
    parser.add_argument("--store", metavar="FILE", help="keep the games, and go on from there")
    parser.add_argument("--sgf", metavar="DIR", help="write each game and each side's view of it")
    parser.add_argument("--pgn", metavar="FILE", help="write the results for Ordo and BayesElo")
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        metavar=("ELO0", "ELO1"),
        help="stop as soon as it is clear which difference is the true one",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def run(arguments: argparse.Namespace) -> int:
    plan = _plan(arguments)
    jobs = checked_jobs(arguments.jobs)
    hint_at_komi(plan.conditions.rules, arguments.komi)
    if arguments.pgn:
        try_target(Path(arguments.pgn))
    with MatchStore(arguments.store or MEMORY, plan) as store:
        keep: Kept = _forget
        if arguments.sgf is not None:
            match = {"players": list(plan.names), **plan.terms}
            keep = SgfFolder(arguments.sgf, match, store.numbered().keys()).write
            keep(store.numbered_records())
        with crew(jobs, arguments.dask) as (workers, shown):
            interrupted = play_on(plan, store, workers, keep, shown)
        found = report(plan, store)
    if arguments.pgn:
        text = "".join(pgn.headers(plan.labels, plan.what, found.results))
        write_whole(Path(arguments.pgn), text)
    if arguments.json:
        result = found.as_dict()
        for player, spec, data in zip(result["players"], plan.names, plan.data, strict=True):
            player |= {"spec": spec, "data": dict(data)}
        print(json.dumps(result, indent=2))
    else:
        print(found.text())
        for number, name in enumerate(plan.labels):
            print(f"{name}: {found.seconds(number):.4f} s an attempt", file=sys.stderr)
    return 130 if interrupted else 0


def _forget(_records: Iterable[tuple[int, str]]) -> None:
    """Write no SGF."""


class _Standing:
    """Tells how the match stands, now and then, whenever games have been kept."""

    def __init__(
        self,
        plan: Plan,
        store: MatchStore,
        kept: Kept,
        note: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._plan, self._store, self._kept = plan, store, kept
        self._note, self._clock = note, clock
        self._last = clock()

    def keep(self, records: Sequence[tuple[int, str]]) -> None:
        self._kept(records)
        if self._clock() - self._last >= SECONDS:
            self._last = self._clock()
            found = report(self._plan, self._store)
            if found.results:
                self._note(found.headline())


def play_on(plan: Plan, store: MatchStore, workers: Workers, kept: Kept, shown: Shown) -> bool:
    """Play the games the store lacks; whether Ctrl-C has put an end to it.

    Raises:
        Stopped: games do not come about.
    """
    logging.basicConfig(stream=sys.stderr, format="phantomgo: %(message)s")
    logging.getLogger("bots").setLevel(logging.INFO)  # says when kernels are compiled
    try:
        play(plan, store, workers, shown, _Standing(plan, store, kept, shown.note).keep)
    except Abandoned:
        raise
    except KeyboardInterrupt:
        shown.note("interrupted" + ("" if store.path == MEMORY else "; the same command goes on"))
        return True
    return False


def _plan(arguments: argparse.Namespace) -> Plan:
    pair = (arguments.black, arguments.white)
    if arguments.players is None and None in pair:
        raise BadText("who plays? --black SPEC --white SPEC, or --players SPEC SPEC ...")
    if arguments.players is not None and pair != (None, None):
        raise BadText("--players goes without --black and --white")
    if not 0 <= arguments.seed <= MAX_SEED:
        raise BadText(f"seed {arguments.seed} is not from 0 to {MAX_SEED}")
    if arguments.time is not None and not 1 <= arguments.time <= MAX_SECONDS:
        raise BadText(f"--time {arguments.time} is not from 1 to {MAX_SECONDS} seconds")
    rules = Rules.profile(arguments.rules, size=arguments.size, komi=arguments.komi)
    found = roster(arguments)
    entries = [found.player(word) for word in arguments.players or pair]
    specs, labels = [entry.spec for entry in entries], [entry.label for entry in entries]
    if arguments.sprt and len(specs) != 2:
        raise BadText("--sprt is for two players")
    sprt = Sprt(*arguments.sprt) if arguments.sprt else None
    begun = beginning(arguments, rules)
    for spec in specs:
        check_rules(spec, rules, begun)
    conditions = Conditions(rules, arguments.time, patience(arguments.patience), begun)
    return Plan.of(
        specs, arguments.games, arguments.seed, conditions, arguments.rules, sprt, labels
    )
