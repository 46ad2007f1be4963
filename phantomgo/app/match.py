"""`phantomgo match`: games between players, two or more, and what they show.

Every game is saved before it counts, so the same command goes on where another run, finished or
killed, has left off, and comes to the same table.
"""

import argparse
import json
import os
import sys
from collections import deque
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from pathlib import Path
from typing import NamedTuple

import phantomgo
from phantomgo.app.players import Conditions, canonical, close_engines, player
from phantomgo.app.progress import progress
from phantomgo.app.workers import cores, workers
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.game import GameRecord, play_game
from phantomgo.match import pgn
from phantomgo.match.report import Report, Watch
from phantomgo.match.schedule import Schedule, Ticket
from phantomgo.match.stats import Sprt
from phantomgo.match.store import Result, Store, row
from phantomgo.outcome import Ending, Fault
from phantomgo.points import Colour
from phantomgo.portfolio.book import check_rules
from phantomgo.record import Record, read
from phantomgo.record_sgf import true_sgf, view_sgf
from phantomgo.rng import MAX_SEED
from phantomgo.rules import PROFILES, Rules

MAX_VOIDS = 3
"""Void games in a row, after which a match stops."""


class MatchStopped(PhantomGoError):
    """A match cannot go on; the message says why, and whose fault it was."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "SPEC is a bot, as flatmc:playouts=1000, or any engine: 'gtp:COMMAND LINE'."
    parser.add_argument("--black", metavar="SPEC", help="the player of Black in the first game")
    parser.add_argument("--white", metavar="SPEC", help="the player of White in the first game")
    parser.add_argument(
        "--players", metavar="SPEC", nargs="+", help="two or more, who all meet, instead"
    )
    parser.add_argument(
        "--games", type=int, required=True, help="games between every two players; even"
    )
    parser.add_argument("--size", type=int, default=9, help="points per side (default 9)")
    parser.add_argument("--komi", type=float, help="points White is given (default: the rules')")
    parser.add_argument(
        "--rules",
        metavar="PROFILE",
        default="olympiad",
        help=f"who is told what: {', '.join(PROFILES)} (default olympiad)",
    )
    parser.add_argument("--seed", type=int, default=0, help="gives all seeds (default 0)")
    parser.add_argument(
        "--time", type=int, metavar="SECONDS", help="of each side for a game (default: no clock)"
    )
    parser.add_argument(
        "--patience",
        type=float,
        metavar="SECONDS",
        default=600,
        help="for a move of an engine without a clock (default 600)",
    )
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (default 1)")
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


class Plan(NamedTuple):
    """A match as the command line has it."""

    specs: tuple[str, ...]
    names: tuple[str, ...]
    conditions: Conditions
    schedule: Schedule
    sprt: Sprt | None
    what: str


def run(arguments: argparse.Namespace) -> int:
    try:
        return _run(arguments)
    except OSError as error:  # files that cannot be written; the store has errors of its own
        raise MatchStopped(str(error)) from None


def _run(arguments: argparse.Namespace) -> int:
    plan = _plan(arguments)
    jobs = _jobs(arguments.jobs)
    folder = _folder(arguments.sgf)
    interrupted = False
    with Store(arguments.store or ":memory:", _setup(plan, arguments)) as store:
        _write_sgfs(folder, store.records(), again=False)
        try:
            _play(plan, store, jobs, folder)
        except KeyboardInterrupt:
            interrupted = True
            again = "; the same command goes on" if arguments.store else ""
            print(f"phantomgo match: interrupted{again}", file=sys.stderr)
        finally:
            close_engines()
        report = _report(plan, store)
    if arguments.pgn:
        text = "".join(pgn.headers(plan.names, plan.what, report.results))
        Path(arguments.pgn).write_text(text, encoding="utf-8")
    if arguments.json:
        print(json.dumps(report.as_dict(), indent=2))
    else:
        print(report.text())
        for number, name in enumerate(plan.names):
            print(f"{name}: {report.seconds(number):.4f} s an attempt", file=sys.stderr)
    return 130 if interrupted else 0


def _plan(arguments: argparse.Namespace) -> Plan:
    pair = (arguments.black, arguments.white)
    if arguments.players is None and None in pair:
        raise BadText("who plays? --black SPEC --white SPEC, or --players SPEC SPEC ...")
    if arguments.players is not None and pair != (None, None):
        raise BadText("--players goes without --black and --white")
    if not 0 <= arguments.seed <= MAX_SEED:
        raise BadText(f"seed {arguments.seed} is not from 0 to {MAX_SEED}")
    if arguments.time is not None and arguments.time < 1:
        raise BadText(f"--time {arguments.time} is not at least 1 second")
    if not arguments.patience > 0:
        raise BadText(f"--patience {arguments.patience:g} is not above 0")
    rules = Rules.profile(arguments.rules, size=arguments.size, komi=arguments.komi)
    specs = tuple(arguments.players or pair)
    schedule = Schedule(len(specs), arguments.games, arguments.seed)
    if arguments.sprt and len(specs) != 2:
        raise BadText("--sprt is for two players")
    sprt = Sprt(*arguments.sprt) if arguments.sprt else None
    for spec in specs:
        check_rules(spec, rules)
    names = _distinct([canonical(spec) for spec in specs])
    conditions = Conditions(rules, arguments.time)
    patience = conditions.patience._replace(move=arguments.patience)
    clock = f", {arguments.time} s a side" if arguments.time else ""
    what = (
        f"{rules.size}x{rules.size}, komi {rules.komi:g}, {arguments.rules}{clock},"
        f" seed {arguments.seed}"
    )
    return Plan(specs, names, conditions._replace(patience=patience), schedule, sprt, what)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Names that tell the players apart: the second of the same becomes `NAME #2`."""
    found: list[str] = []
    for name in names:
        count = names[: len(found)].count(name)
        found.append(f"{name} #{count + 1}" if count else name)
    return tuple(found)


def _jobs(jobs: int) -> int:
    if not 1 <= jobs <= 8 * cores():
        raise BadText(f"--jobs {jobs} is not from 1 to {8 * cores()} on this machine")
    return jobs


def _folder(path: str | None) -> Path | None:
    if path is None:
        return None
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadText(f"--sgf {path}: {error.strerror}") from None
    return folder


def _setup(plan: Plan, arguments: argparse.Namespace) -> dict[str, object]:
    """What a store is of: all that decides how its games go, and nothing else."""
    return {
        "players": list(plan.names),
        **plan.conditions.rules.as_dict(),
        "seed": arguments.seed,
        "time": arguments.time,
        "version": phantomgo.__version__,
    }


def _report(plan: Plan, store: Store) -> Report:
    results = store.results()
    last = plan.schedule.total
    if plan.sprt is not None:
        last = Watch(plan.sprt, last).decided_after(results) or last
    counted = [game for number, game in results.items() if number < last]
    return Report(plan.names, plan.what, plan.schedule, counted, store.voids(), plan.sprt)


def play_ticket(ticket: Ticket, plan: Plan) -> tuple[Result, str]:
    """Play a game; the row for the store. Runs in a worker."""
    players = []
    for colour, seed in ((Colour.BLACK, ticket.black_seed), (Colour.WHITE, ticket.white_seed)):
        place = ticket.player(colour)
        try:
            players.append(player(plan.specs[place], place, seed, colour, plan.conditions))
        except Fault as fault:
            return row(ticket, _record(ticket, plan, _unbegun(plan, ticket, fault, colour)))
    game = play_game(plan.conditions.rules, *players)
    return row(ticket, _record(ticket, plan, game))


def _unbegun(plan: Plan, ticket: Ticket, fault: Fault, colour: Colour) -> GameRecord:
    names = plan.names[ticket.black], plan.names[ticket.white]
    return GameRecord(plan.conditions.rules, *names, (), fault.outcome(colour))


def _record(ticket: Ticket, plan: Plan, game: GameRecord) -> Record:
    record = Record.of(game, ticket.black_seed, ticket.white_seed)
    black, white = (plan.names[ticket.player(colour)] for colour in Colour)
    return Record(
        record.rules,
        record.black._replace(name=black),
        record.white._replace(name=white),
        record.steps,
        record.outcome,
    )


def _play(plan: Plan, store: Store, jobs: int, folder: Path | None) -> None:
    """Play the games the store lacks, until all are there or the test has decided."""
    results = store.results()
    todo = deque(n for n in range(plan.schedule.total) if n not in results)
    watch = None if plan.sprt is None else Watch(plan.sprt, plan.schedule.total)

    def decided() -> bool:
        return watch is not None and watch.decided_after(results) is not None

    if not todo or decided():
        return
    with workers(jobs) as executor, progress("games", plan.schedule.total) as advance:
        advance(plan.schedule.total - len(todo))
        running: dict[Future[tuple[Result, str]], int] = {}
        voids = 0
        try:
            while (todo or running) and not decided():
                _issue(plan, executor, todo, running, 1 if jobs == 1 else jobs + 1)
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                games = [(running.pop(future), *future.result()) for future in done]
                kept = _keep([(game, text) for _, game, text in games], store, folder)
                results.update((game.number, game) for game in kept)
                advance(len(kept))
                voids = 0 if kept else voids
                for number, game, text in games:
                    if game.ending == Ending.VOID:
                        store.add_void(number, text)
                        todo.appendleft(number)
                        voids += 1
                        _stop_after(voids, text)
        except KeyboardInterrupt:
            _finish(running, store, folder)
            raise
        except BrokenExecutor:
            raise MatchStopped(
                "a process that played was killed; the finished games are kept"
            ) from None


def _issue(
    plan: Plan,
    executor: Executor,
    todo: deque[int],
    running: dict[Future[tuple[Result, str]], int],
    most: int,
) -> None:
    while todo and len(running) < most:
        number = todo.popleft()
        running[executor.submit(play_ticket, plan.schedule.ticket(number), plan)] = number


def _keep(games: Iterable[tuple[Result, str]], store: Store, folder: Path | None) -> list[Result]:
    """Save the games that are not void, then write them; the games that now count."""
    kept = [(game, text) for game, text in games if game.ending != Ending.VOID]
    store.add(kept)
    _write_sgfs(folder, [(game.number, text) for game, text in kept])
    return [game for game, _ in kept]


def _stop_after(voids: int, text: str) -> None:
    record = read(text)
    print(f"phantomgo match: void: {record.outcome.sentence}", file=sys.stderr)
    if voids >= MAX_VOIDS:
        raise MatchStopped(
            f"stopped: {voids} void games in a row; in the last one {record.outcome.sentence}"
            f" (Black is {record.black.name}, White is {record.white.name})"
        )


def _finish(
    running: dict[Future[tuple[Result, str]], int], store: Store, folder: Path | None
) -> None:
    """Keep what is being played; a second Ctrl-C drops it."""
    for future in list(running):
        if future.cancel():
            del running[future]
    print(
        f"phantomgo match: {len(running)} games are being finished; Ctrl-C again drops them",
        file=sys.stderr,
    )
    try:
        for future in running:
            _keep([future.result()], store, folder)
    except KeyboardInterrupt:
        # Nothing to save is left; engines and workers notice that this process is gone.
        sys.stderr.flush()
        os._exit(130)


def _write_sgfs(
    folder: Path | None, records: Iterable[tuple[int, str]], *, again: bool = True
) -> None:
    """Write games, each file whole or not at all; `again` also where there is a file already."""
    if folder is None:
        return
    for number, text in records:
        record = None
        for what in ("", "-black", "-white"):
            file = folder / f"{number:06}{what}.sgf"
            if file.exists() and not again:
                continue
            record = record or read(text)
            sgf = view_sgf(record, _COLOURS[what]) if what else true_sgf(record)
            scratch = file.with_suffix(".part")
            scratch.write_text(sgf, encoding="utf-8")
            scratch.replace(file)


_COLOURS = {"-black": Colour.BLACK, "-white": Colour.WHITE}
