"""Matches: games between two or more players, played and counted."""

import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import ClassVar, Final, Self, TypeAlias

from bots.naming import is_engine
from gtp.clock import Limit
from phantomgo.adjudication import Adjudication
from phantomgo.beginning import Beginning
from phantomgo.errors import Abandoned, BadText
from phantomgo.game import play_game
from phantomgo.identity import Identity
from phantomgo.lab.identity import identify
from phantomgo.lab.players import (
    Conditions,
    canonical,
    close_engines,
    get_ready,
    learned_data,
    learns,
    player,
    plays_otherwise,
)
from phantomgo.lab.run.contest import Game, Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import MANY
from phantomgo.lab.run.tasks import Workers
from phantomgo.match.attendance import Attendance, sift
from phantomgo.match.pgn import headers
from phantomgo.match.report import Report, Watch
from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Schedule, Ticket
from phantomgo.match.stats import Sprt
from phantomgo.outcome import Ending, Fault
from phantomgo.player import Decision, Player
from phantomgo.points import Colour, vertices
from phantomgo.portfolio.line import Step
from phantomgo.record import Record, Side
from phantomgo.record_json import write_record
from phantomgo.referee import Attempt
from phantomgo.rules import Rules
from phantomgo.view import View

FAILURES: Final = 5
"""Consecutive failures after which one of several players is set aside."""
Kept: TypeAlias = Callable[[Sequence[tuple[int, str]]], None]
"""Called with the numbers and records of games that have just been saved."""


@dataclass(frozen=True)
class Plan:
    """A match.

    Attributes:
        specs: the players.
        names: the players' distinct names in records: their specs.
        labels: the players' distinct names in tables.
        seats: the conditions of each player; rules and beginning are the same for all.
        schedule: the games.
        sprt: the test that may end the match early.
        what: the board, rules and seed, in words.
        milliseconds: processor time of a decision, if budgets were calibrated to it.
        openings: beginnings that pairs of games use in turn; none if all begin alike.
        failures: consecutive failures after which a player is set aside; a game that a player
            can't begin is then forfeited. If None, it is void and played again.
        adjudication: when games end by the players' estimates of their chances; None for never.
    """

    specs: tuple[str, ...]
    names: tuple[str, ...]
    labels: tuple[str, ...]
    seats: tuple[Conditions, ...]
    schedule: Schedule
    sprt: Sprt | None
    what: str
    milliseconds: float | None = None
    failures: int | None = None
    openings: tuple[Beginning, ...] = ()
    adjudication: Adjudication | None = None

    joining: ClassVar[bool] = False
    """True if players may be added to those in the store."""

    @classmethod
    def of(
        cls,
        specs: Sequence[str],
        games: int,
        seed: int,
        conditions: Conditions,
        profile: str,
        sprt: Sprt | None = None,
        labels: Sequence[str | None] = (),
        milliseconds: float | None = None,
    ) -> Self:
        """Plan a match of these players, in which every two of them meet in `games` games.

        `profile` is the name of the rules; a player whose label is None is called by the spec.

        Raises:
            BadText: a spec is not one, games are not pairs, or a test is not for two players.
        """
        rules = conditions.rules
        clock = "" if conditions.limit is None else f", {conditions.limit}"
        clock += "" if milliseconds is None else f", {milliseconds:g} ms a decision"
        beginning = conditions.beginning.text(rules.size)
        what = f"{rules.size}x{rules.size}, komi {rules.komi:g}, {profile}{clock}, seed {seed}"
        what += f", {beginning}" if beginning else ""
        schedule = Schedule(len(specs), games, seed)
        if sprt is not None and len(specs) != 2:
            raise BadText(f"a sequential test is for two players, not {len(specs)}")
        names = _distinct([canonical(spec) for spec in specs])
        shown = [label or name for label, name in zip_longest(labels, names)]
        labels = _distinct(shown)
        failures = FAILURES if len(specs) > 2 else None  # a match of two ends without one of them
        seats = (conditions,) * len(specs)
        return cls(tuple(specs), names, labels, seats, schedule, sprt, what, milliseconds, failures)

    @property
    def rules(self) -> Rules:
        """The rules of all games."""
        return self.seats[0].rules

    # As a contest

    @cached_property
    def players(self) -> tuple[Identity, ...]:
        """The players' identities, computed now."""
        return tuple(identify(spec, self.rules, self.seats[0].beginning) for spec in self.specs)

    @cached_property
    def data(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """The learned data that each player uses."""
        return tuple(tuple(learned_data(spec).items()) for spec in self.specs)

    @property
    def terms(self) -> Mapping[str, object]:
        rules, beginning = self.rules, self.seats[0].beginning
        return {
            "game": "match",
            **rules.as_dict(),
            **beginning.as_dict(rules.size),
            "handicap": vertices(beginning.handicap, rules.size),
            "seed": self.schedule.seed,
            "time": seconds_of(self.seats[0]),
            **({} if self.adjudication is None else {"adjudicate": str(self.adjudication)}),
            **({} if self.milliseconds is None else {"milliseconds": self.milliseconds}),
        }

    @property
    def engines(self) -> bool:
        return any(is_engine(spec) for spec in self.specs)

    def play(self, games: Sequence[Game]) -> list[Result]:
        tickets = [self.schedule.ticket(2 * pair + turn) for pair, turn in games]
        known = self._play_together(tickets) if len(tickets) > 1 else {}
        return [self._play(ticket, known.get(ticket)) for ticket in tickets]

    def certain(self, text: str) -> str | None:
        return MatchGame.read(text).untimed if self._repeats else None

    @cached_property
    def _repeats(self) -> bool:
        """True if a game always ends the same: no engine, and no clock."""
        clocks = any(seat.limit for seat in self.seats)
        return not clocks and not any(plays_otherwise(spec) for spec in self.specs)

    def _beginning(self, ticket: Ticket) -> Beginning:
        if not self.openings:
            return self.seats[0].beginning
        return self.openings[ticket.round % len(self.openings)]

    def _play_together(self, tickets: Sequence[Ticket]) -> dict[Ticket, Sequence[Attempt]]:
        """The attempts of those games that are played in lock step, which can't time them."""
        from phantomgo.lab.lockstep.batch import (  # noqa: PLC0415  (the compiler)
            pays,
            play_batch,
            takes,
        )

        timed = self.milliseconds is not None or any(seat.limit for seat in self.seats)
        if timed or self.adjudication or not pays(self.schedule.total):
            return {}
        rules, found = self.rules, dict[Ticket, Sequence[Attempt]]()
        alike = defaultdict[tuple[str, str, Beginning], list[Ticket]](list)
        for ticket in tickets:
            pair = self.specs[ticket.black], self.specs[ticket.white]
            alike[(*pair, self._beginning(ticket))].append(ticket)
        for (black, white, (handicap, attempts)), these in alike.items():
            if attempts or is_engine(black) or is_engine(white):
                continue
            if takes(rules, black, white, handicap):
                lines = [
                    ((Step(black, game.black_seed),), (Step(white, game.white_seed),))
                    for game in these
                ]
                played = play_batch(rules, black, white, handicap, lines, attempts=True)
                found |= zip(these, (game.attempts for game in played), strict=True)
        return found

    def _play(self, ticket: Ticket, known: Sequence[Attempt] | None) -> Result:
        record, absent = self._record(ticket, known)
        game, why = MatchGame.of(ticket, record), None
        if record.outcome.ending is Ending.VOID:
            black, white = record.black.name, record.white.name
            why = f"{record.outcome.sentence} (Black is {black}, White is {white})"
        if self.failures is not None and absent is not None:
            game, why = game._replace(winner=absent.other.letter), None
        return Result(game.text, write_record(record), why)

    def _record(
        self, ticket: Ticket, known: Sequence[Attempt] | None
    ) -> tuple[Record, Colour | None]:
        """The record of a game, and the side that could not begin it, if any.

        The attempts are known if the game was played in lock step.
        """
        rules, beginning = self.rules, self._beginning(ticket)
        seated = list[Player]()
        places, seeds = (ticket.black, ticket.white), (ticket.black_seed, ticket.white_seed)
        times = {seconds_of(self.seats[place]) for place in places}
        seconds = times.pop() if len(times) == 1 else None
        black, white = (
            Side(self.names[place], seed, self.data[place])
            for place, seed in zip(places, seeds, strict=True)
        )
        for colour, place, seed in zip(Colour, places, seeds, strict=True):
            if known is not None:
                seated.append(_Repeating(self.names[place], colour, known))
                continue
            try:
                seated.append(player(self.specs[place], place, seed, colour, self.seats[place]))
            except Fault as fault:  # an engine that does not even begin
                outcome, stones = fault.outcome(colour), beginning.handicap
                return Record(rules, black, white, (), outcome, stones, seconds), colour
        adjudication = self.adjudication
        played = play_game(rules, seated[0], seated[1], beginning, adjudication=adjudication)
        if known is not None:
            played = replace(played, steps=tuple(s._replace(seconds=0.0) for s in played.steps))
        return replace(played, black=black, white=white, time=seconds), None


class _Repeating:
    """A player who repeats the attempts of a played game."""

    def __init__(self, name: str, colour: Colour, attempts: Sequence[Attempt]) -> None:
        self.name = name
        self._moves = iter([attempt.move for attempt in attempts if attempt.colour is colour])

    def decide(self, view: View, seconds: float = math.inf) -> Decision:  # noqa: ARG002
        return Decision(next(self._moves))


def seconds_of(conditions: Conditions) -> int | None:
    """A player's seconds for a game, as records keep it; None for other clocks or none."""
    limit = conditions.limit
    simple = limit is not None and limit == Limit(limit.main) and limit.main == int(limit.main)
    return int(limit.main) if limit is not None and simple else None


AHEAD: Final = 256
"""The most games in flight in a sequential test."""
AHEAD_OF_ENGINES: Final = 16
"""Games in flight, at least, if engines may be set aside: each may take minutes to fail."""
STANDING_SECONDS: Final = 30.0
"""Seconds between two reports of the standing."""


def _distinct(names: list[str]) -> tuple[str, ...]:
    """The names made distinct: the second of the same name becomes `NAME #2`."""
    found: list[str] = []
    for name in names:
        count = names[: len(found)].count(name)
        found.append(f"{name} #{count + 1}" if count else name)
    return tuple(found)


def _in_order(plan: Plan) -> int:
    """The most games in flight for which players who learn know all earlier results.

    If one player learns it is two: it learns each colour apart, and colours alternate. Two players
    may share what they learn.
    """
    return {0: MANY, 1: 2}.get(sum(map(learns, plan.specs)), 1)


class MatchStudy:
    """Asks for the games of a match in order, until all are played or the test has decided.

    Only complete pairs count, in the order of their numbers, so the test's decision does not
    depend on which games ended first.
    """

    def __init__(self, plan: Plan, workers: int = 1) -> None:
        """`workers` is the number of games that are played at a time."""
        # Games after a test's decision, or after a player was set aside, are wasted.
        self.ahead = min(MANY if plan.sprt is None else AHEAD, _in_order(plan))
        if plan.failures is not None and plan.engines:
            self.ahead = min(self.ahead, max(AHEAD_OF_ENGINES, 2 * workers))
        self._schedule, self._failures = plan.schedule, plan.failures
        self._numbers: Iterator[int] = iter(())
        self._asked = 0
        self._watch = None if plan.sprt is None else Watch(plan.sprt, [*plan.schedule.numbers()])
        self._attendance = Attendance(plan.failures)
        self._told: dict[int, MatchGame] = {}

    def ask(self) -> Game | None:
        number = self._next()
        if number is None and self._asked == len(self._told):  # a stage is over
            self._numbers = iter(sift(self._schedule, self._told, self._failures).open)
            number = self._next()
        if number is None:
            return None
        self._asked += 1
        return divmod(number, 2)

    def _next(self) -> int | None:
        for number in self._numbers:
            if not self._attendance.absent(self._schedule.ticket(number)):
                return number
        return None

    def tell(self, game: Game, result: str) -> None:
        pair, turn = game
        found = self._told[2 * pair + turn] = MatchGame.read(result)
        if not self._attendance.absent(self._schedule.ticket(found.number)):
            self._attendance.see(found)

    @property
    def settled(self) -> bool:
        return self._watch is not None and self._watch.decided_after(self._told) is not None


class MatchStore(Store):
    """The finished games of one match, open in one run at a time."""

    def __init__(self, path: str | Path | None, plan: Plan | None = None) -> None:
        """Open a store; with a plan, create it if it is missing. None writes no file.

        Raises:
            BadStore: it is missing, not a store, in use, or of another match.
        """
        if plan is None:
            super().__init__(path)
        elif path is None:  # games of other runs can't get into it, so names are enough
            super().__init__(path, [Identity(spec) for spec in plan.specs], plan.terms)
        else:
            super().__init__(path, plan.players, plan.terms, alone=True, joining=plan.joining)

    def numbered(self) -> dict[int, MatchGame]:
        """The known games, by number."""
        games = (MatchGame.read(text) for text in self.results().values())
        return {game.number: game for game in games}

    def numbered_records(self) -> list[tuple[int, str]]:
        """The numbers and records of the games, in order."""
        return [(2 * pair + turn, record) for (pair, turn), record in self.records()]

    def pgn(self, report: Report) -> str:
        """The games of a report as PGN headers, dated when they were kept."""
        times = {2 * pair + turn: at for (pair, turn), at in self.times().items()}
        return "".join(headers(report.names, report.what, report.results, times))


def report(plan: Plan, store: MatchStore) -> Report:
    """The report of a store's games."""
    results = store.numbered()
    if plan.sprt is not None:
        numbers = [*plan.schedule.numbers()]
        last = Watch(plan.sprt, numbers).decided_after(results)
        results = {n: results[n] for n in numbers[:last] if n in results}
    sifted = sift(plan.schedule, results, plan.failures)
    return Report(
        plan.labels,
        plan.what,
        plan.schedule,
        sorted(sifted.counted),
        store.voids(),
        plan.sprt,
        plan.names,
        [dict(data) for data in plan.data],
        sifted.forfeits,
        sifted.aside,
        sifted.rounds,
    )


class Standing:
    """Reports the standing of a match at intervals, as games are kept."""

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
        if self._clock() - self._last >= STANDING_SECONDS:
            self._last = self._clock()
            found = report(self._plan, self._store)
            if found.results:
                self._note(found.headline())


def play(
    plan: Plan,
    store: MatchStore,
    workers: Workers,
    progress: Progress = SILENT,
    kept: Kept = lambda _: None,
    over: Callable[[], bool] = lambda: False,
) -> None:
    """Play the missing games of a match until it is complete, decided by its test, or over.

    Raises:
        Stopped: games can't be played.
        KeyboardInterrupt: Ctrl-C; games in progress have been saved.
    """

    def saved(found: Sequence[tuple[Game, Result]]) -> None:
        kept([(2 * pair + turn, result.record or "") for (pair, turn), result in found])

    sifted = sift(plan.schedule, store.numbered(), plan.failures)
    total, there = plan.schedule.total if sifted.open else 0, len(sifted.counted)
    for spec in plan.specs if sifted.open else ():
        if not is_engine(spec):
            with suppress(Fault):  # the bot will lose its games
                get_ready(spec, plan.rules.size)  # once here, not in every worker
    with progress.stage("games", total) as advance:
        advance(there)
        try:
            study = MatchStudy(plan, workers.number())
            run(
                study,
                plan,
                workers,
                store,
                progress=progress,
                advance=advance,
                kept=saved,
                over=over,
            )
        finally:
            if not isinstance(sys.exception(), Abandoned):  # then a game is still being played
                close_engines()
