"""Play matches: the study that asks for the games, their store, and the report."""

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from bots.spec import learns
from phantomgo.errors import Abandoned
from phantomgo.game.outcome import Ending, Fault
from phantomgo.identity import Identity
from phantomgo.lab.matches.match import MatchPlan, to_number, to_pair
from phantomgo.lab.players.ready import get_ready
from phantomgo.lab.players.seating import close_engines
from phantomgo.lab.run.contest import GameNumber, Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import MANY
from phantomgo.lab.run.tasks import Workers
from phantomgo.match.attendance import Attendance, classify, first_failures
from phantomgo.match.report import Report
from phantomgo.match.result import MatchGame
from phantomgo.match.scores import RunningSprt
from phantomgo.match.text import headline
from phantomgo.records.record_json import read_record

AHEAD: Final = 256
"""The most games in flight in a sequential test."""
AHEAD_OF_ENGINES: Final = 16
"""The most games in flight if engines may be set aside, or twice the workers if that is more: each
game may take minutes to fail."""
STANDING_SECONDS: Final = 30.0
"""Seconds between two reports of the standing."""


class MatchStudy:
    """Asks for the games of a match in order, until all are played or the test has decided.

    Only complete pairs count, in the order of their numbers, so the test's decision does not
    depend on which games ended first.
    """

    def __init__(self, plan: MatchPlan, workers: int = 1) -> None:
        """`workers` is the number of games that are played at a time."""
        # Players who learn know all earlier results. One of them learns each colour apart, and
        # colours alternate; two may share what they learn.
        learners = sum(learns(one.spec) for one in plan.contestants)
        # Games after a test's decision, or after a player was set aside, are wasted.
        self.ahead = min(MANY if plan.sprt is None else AHEAD, {0: MANY, 1: 2}.get(learners, 1))
        if plan.failures is not None and plan.engines:
            self.ahead = min(self.ahead, max(AHEAD_OF_ENGINES, 2 * workers))
        self._schedule = plan.schedule
        self._numbers, sprt = iter(plan.schedule.numbers()), plan.sprt
        self._sprt = None if sprt is None else RunningSprt(sprt, [*plan.schedule.numbers()])
        self._attendance = Attendance(plan.failures)
        self._told: dict[int, MatchGame] = {}

    def ask(self) -> GameNumber | None:
        for number in self._numbers:
            if not self._attendance.absent(self._schedule.game(number)):
                return to_pair(number)
        return None

    def tell(self, game: GameNumber, result: str) -> None:
        played = self._told[to_number(game)] = MatchGame.read(result)
        if not self._attendance.absent(self._schedule.game(played.number)):
            self._attendance.see(played)

    @property
    def settled(self) -> bool:
        return self._sprt is not None and self._sprt.decided_after(self._told) is not None


class MatchStore(Store):
    """The finished games of one match."""

    def __init__(self, path: str | Path | None, plan: MatchPlan | None = None) -> None:
        """Open a store; with a plan, create it if it is missing. None writes no file."""
        if plan is None:
            super().__init__(path)
        elif path is None:  # games of other runs can't get into it, so names are enough
            super().__init__(path, [Identity(one.spec) for one in plan.contestants], plan.terms)
        else:
            super().__init__(path, plan.players, plan.terms, joining=plan.joining)

    def unbegun_games(self, place: int) -> list[GameNumber] | None:
        games = {game: MatchGame.read(text) for game, text in self.results().items()}
        theirs = {n: game for n, game in games.items() if place in (game.black, game.white)}
        begun = any(game.ending != Ending.VOID for game in theirs.values())
        return None if begun else list(theirs)

    def numbered(self) -> dict[int, MatchGame]:
        """The known games, by number."""
        games = (MatchGame.read(text) for text in self.results().values())
        return {game.number: game for game in games}

    def numbered_records(self) -> list[tuple[int, str]]:
        """The numbers and records of the games, in order."""
        return [(to_number(game), record) for game, record in self.records()]


def report(plan: MatchPlan, store: MatchStore) -> Report:
    """The report of a store's games."""
    results = store.numbered()
    if plan.sprt is not None:
        numbers = [*plan.schedule.numbers()]
        last = RunningSprt(plan.sprt, numbers).decided_after(results)
        results = {n: results[n] for n in numbers[:last] if n in results}
    classified = classify(plan.schedule, results, plan.failures)
    failed = [game.number for game in first_failures(sorted(classified.counted))]
    records = {number: store.record(to_pair(number)) for number in failed}
    return Report(
        [one.label for one in plan.contestants],
        plan.what,
        plan.schedule,
        sorted(classified.counted),
        store.voids(),
        plan.sprt,
        [one.name for one in plan.contestants],
        [dict(one.data) for one in plan.contestants],
        classified.forfeits,
        classified.aside,
        {n: read_record(text).outcome.sentence for n, text in records.items() if text is not None},
    )


class MatchObserver:
    """Observes the games of a match as they are saved. This one ignores them."""

    def begin(self, store: MatchStore) -> None:
        """Begin with the games of a store, before others are played."""

    def see(self, records: Sequence[tuple[int, str]]) -> None:
        """Receive the numbers and records of games that have just been saved."""

    def end(self) -> None:
        """End after the last game, or after Ctrl-C."""


class Standing(MatchObserver):
    """Notes the standing of a match at intervals."""

    def __init__(
        self,
        plan: MatchPlan,
        note: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._plan, self._note, self._clock = plan, note, clock

    def begin(self, store: MatchStore) -> None:
        self._store, self._last = store, self._clock()

    def see(self, records: Sequence[tuple[int, str]]) -> None:  # noqa: ARG002
        if self._clock() - self._last >= STANDING_SECONDS:
            self._last = self._clock()
            standing = report(self._plan, self._store)
            if standing.results:
                self._note(headline(standing))


def complete_match(
    plan: MatchPlan,
    store: MatchStore,
    workers: Workers,
    progress: Progress,
    observers: Sequence[MatchObserver],
) -> None:
    """Play the missing games of a match, until it is complete or decided by its test.

    Raises:
        Stopped: games can't be played.
        KeyboardInterrupt: Ctrl-C; games in progress have been saved, unless it is `Abandoned`.
    """

    def observe(games: Sequence[tuple[GameNumber, Result]]) -> None:
        records = [(to_number(game), result.record or "") for game, result in games]
        for observer in observers:
            observer.see(records)

    for observer in observers:
        observer.begin(store)
    classified = classify(plan.schedule, store.numbered(), plan.failures)
    if classified.open:
        for contestant in plan.contestants:
            if not contestant.engine:
                with suppress(Fault):  # the bot will lose its games
                    get_ready(contestant.spec, plan.game)  # once here, not in every worker
    with progress.stage("games", plan.schedule.total if classified.open else 0) as advance:
        advance(len(classified.counted))
        try:
            study = MatchStudy(plan, workers.number())
            run(study, plan, workers, store, progress=progress, advance=advance, saved=observe)
        finally:
            if not isinstance(sys.exception(), Abandoned):  # then a game is still being played
                close_engines()
                for observer in observers:
                    observer.end()
