"""The games of a match, played: one after the other or side by side, kept as they end.

Every game is saved before it counts, so the same command goes on where another run, finished or
killed, has left off, and comes to the same results.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import replace
from typing import NamedTuple, Self, TypeAlias

import phantomgo
from phantomgo.app.players import Conditions, canonical, close_engines, player
from phantomgo.app.progress import progress
from phantomgo.app.workers import workers
from phantomgo.errors import PhantomGoError
from phantomgo.game import GameRecord, play_game
from phantomgo.match.report import Report, Watch
from phantomgo.match.schedule import Schedule, Ticket
from phantomgo.match.stats import Sprt
from phantomgo.match.store import Result, Store, row
from phantomgo.outcome import Ending, Fault
from phantomgo.points import Colour, vertices
from phantomgo.record import Record
from phantomgo.record_json import read_record
from phantomgo.wording import counted

Write: TypeAlias = Callable[[Iterable[tuple[int, str]]], None]
"""Told the numbers and records of games that have just been saved."""

MAX_VOIDS = 3
"""Void games in a row, after which a match stops."""


class MatchStopped(PhantomGoError):
    """A match cannot go on; the message says why, and whose fault it was."""


class Plan(NamedTuple):
    """A match.

    Attributes:
        specs: the players.
        names: what they are called, each differently.
        conditions: what holds for every game.
        schedule: the games.
        sprt: the test that may end it early.
        what: the board, rules and seed, in words.
    """

    specs: tuple[str, ...]
    names: tuple[str, ...]
    conditions: Conditions
    schedule: Schedule
    sprt: Sprt | None
    what: str

    @classmethod
    def of(
        cls,
        specs: Sequence[str],
        games: int,
        seed: int,
        conditions: Conditions,
        profile: str,
        sprt: Sprt | None = None,
    ) -> Self:
        """The match of these players; `profile` is the name of the rules.

        Raises:
            BadText: a spec is not one, or the games are no pairs.
        """
        rules, seconds = conditions.rules, conditions.seconds
        clock = f", {seconds} s a side" if seconds else ""
        stones = vertices(conditions.handicap, rules.size)
        what = f"{rules.size}x{rules.size}, komi {rules.komi:g}, {profile}{clock}, seed {seed}"
        what += f", handicap {stones}" if stones else ""
        schedule = Schedule(len(specs), games, seed)
        names = _distinct([canonical(spec) for spec in specs])
        return cls(tuple(specs), names, conditions, schedule, sprt, what)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Names that tell the players apart: the second of the same becomes `NAME #2`."""
    found: list[str] = []
    for name in names:
        count = names[: len(found)].count(name)
        found.append(f"{name} #{count + 1}" if count else name)
    return tuple(found)


def setup(plan: Plan) -> dict[str, object]:
    """What a store is of: all that decides how its games go, and nothing else.

    Without handicap it says nothing of it, so that stores from before there was any still serve.
    """
    rules, handicap = plan.conditions.rules, plan.conditions.handicap
    return {
        "players": list(plan.names),
        **rules.as_dict(),
        **({"handicap": vertices(handicap, rules.size)} if handicap else {}),
        "seed": plan.schedule.seed,
        "time": plan.conditions.seconds,
        "version": phantomgo.__version__,
    }


def report(plan: Plan, store: Store) -> Report:
    """What the games of a store show."""
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
    black, white = players
    game = play_game(plan.conditions.rules, black, white, plan.conditions.handicap)
    return row(ticket, _record(ticket, plan, game))


def _unbegun(plan: Plan, ticket: Ticket, fault: Fault, colour: Colour) -> GameRecord:
    names = plan.names[ticket.black], plan.names[ticket.white]
    conditions = plan.conditions
    return GameRecord(conditions.rules, *names, (), fault.outcome(colour), conditions.handicap)


def _record(ticket: Ticket, plan: Plan, game: GameRecord) -> Record:
    record = Record.of(game, ticket.black_seed, ticket.white_seed)
    black, white = (plan.names[ticket.player(colour)] for colour in Colour)
    return replace(
        record, black=record.black._replace(name=black), white=record.white._replace(name=white)
    )


def play(plan: Plan, store: Store, jobs: int, write: Write) -> bool:
    """Play the games the store lacks, until all are there or the test has decided.

    Returns:
        Whether Ctrl-C has put an end to it.

    Raises:
        MatchStopped: games do not come about.
    """
    try:
        _play(plan, store, jobs, write)
    except KeyboardInterrupt:
        again = "" if store.path == ":memory:" else "; the same command goes on"
        print(f"phantomgo: interrupted{again}", file=sys.stderr)
        return True
    finally:
        close_engines()
    return False


def _play(plan: Plan, store: Store, jobs: int, write: Write) -> None:
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
                kept = _keep([(game, text) for _, game, text in games], store, write)
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
            _finish(running, store, write)
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


def _keep(games: Iterable[tuple[Result, str]], store: Store, write: Write) -> list[Result]:
    """Save the games that are not void, then write them; the games that now count."""
    kept = [(game, text) for game, text in games if game.ending != Ending.VOID]
    store.add(kept)
    write((game.number, text) for game, text in kept)
    return [game for game, _ in kept]


def _stop_after(voids: int, text: str) -> None:
    record = read_record(text)
    print(f"phantomgo: void: {record.outcome.sentence}", file=sys.stderr)
    if voids >= MAX_VOIDS:
        raise MatchStopped(
            f"stopped: {voids} void games in a row; in the last one {record.outcome.sentence}"
            f" (Black is {record.black.name}, White is {record.white.name})"
        )


def _finish(running: dict[Future[tuple[Result, str]], int], store: Store, write: Write) -> None:
    """Keep what is being played; a second Ctrl-C drops it."""
    for future in list(running):
        if future.cancel():
            del running[future]
    print(
        f"phantomgo: finishing {counted(len(running), 'game')}; Ctrl-C again drops what is running",
        file=sys.stderr,
    )
    try:
        for future in running:
            _keep([future.result()], store, write)
    except KeyboardInterrupt:
        # Nothing to save is left; engines and workers notice that this process is gone.
        sys.stderr.flush()
        os._exit(130)
