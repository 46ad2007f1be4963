"""How strong bots are at equal processor time.

On each board all bots get the budget that takes them the same processor time a decision, and each
plays a match against one of them and one against the next best. Budgets and games are kept in a
folder, under the identities of the bots they are of.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, Self

from bots.naming import is_engine
from phantomgo.checks import number
from phantomgo.errors import BadStore, BadText
from phantomgo.fields import Fields, Kind
from phantomgo.files import write_whole
from phantomgo.identity import Identity
from phantomgo.lab.identity import identify
from phantomgo.lab.match import MatchStore, Plan, play, report
from phantomgo.lab.measure.calibration import Timing, calibrated
from phantomgo.lab.players import Conditions, canonical
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import MEMORY
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.run.workers import workers as processes
from phantomgo.match.stats import Interval, wilson
from phantomgo.rules import Rules

SIZES: Final = (5, 7, 9)
MOST_MILLISECONDS: Final = 1_000_000
KIND: Final = Kind("budget", BadStore)


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
    timings: tuple[Timing, Timing]
    won: Interval
    games: int


class Tour(NamedTuple):
    """What is measured.

    Attributes:
        bots: their names without budgets, the one that all play first.
        boards: the rules of each board.
        profile: the name of the rules.
        milliseconds: processor time of a decision.
        games: of each match.
        seed: gives all seeds.
        folder: where budgets and games are kept; None for nowhere.
    """

    bots: tuple[str, ...]
    boards: tuple[Rules, ...]
    profile: str
    milliseconds: float
    games: int
    seed: int
    folder: Path | None

    @classmethod
    def of(
        cls,
        bots: Sequence[str],
        boards: Sequence[Rules],
        profile: str,
        milliseconds: float,
        games: int,
        seed: int,
        folder: str | Path | None,
    ) -> Self:
        """What is measured, once all of it is known to be possible; the folder is made.

        Raises:
            BadText: a number is not one, or the folder cannot be made.
        """
        number("milliseconds", milliseconds, 0.001, MOST_MILLISECONDS)
        place = None if folder is None else Path(folder)
        tour = cls(tuple(bots), tuple(boards), profile, milliseconds, games, seed, place)
        for rules in boards:
            tour.plan(rules, tour.bots[:2])  # a wrong number of games is told now
        if place is not None:
            try:
                place.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise BadText(f"store {place}: {error.strerror}") from None
        return tour

    def plan(self, rules: Rules, specs: Sequence[str]) -> Plan:
        """The match of two bots with their budgets."""
        return Plan.of(specs, self.games, self.seed, Conditions(rules), self.profile)


def players(against: str, asked: Sequence[str]) -> tuple[str, ...]:
    """The bots of a tour, the one that all play first.

    Raises:
        BadText: a spec is not one of our bots, or they are not different ones.
    """
    for spec in (against, *asked):
        if is_engine(spec):
            raise BadText(f"{spec[:60]}: only the processor time of our own bots is known")
    against, *named = (canonical(spec) for spec in (against, *asked))
    for spec in named:
        if named.count(spec) > 1:
            raise BadText(f"{spec} is named twice")
    if named == [against]:
        raise BadText(f"none but {against}, whom all play, is named")
    return (against, *(spec for spec in named if spec != against))


def board(
    tour: Tour,
    rules: Rules,
    workers: Workers,
    progress: Progress = SILENT,
    done: Callable[[Row], None] = lambda _: None,
) -> list[Row]:
    """The rows of one board, the strongest bot's first.

    Args:
        tour: what is measured.
        rules: of this board.
        workers: who plays.
        progress: told of what begins.
        done: told each row as soon as it is there.

    Raises:
        BadStore: the folder has budgets or games of other bots.
        KeyboardInterrupt: Ctrl-C; what was being played has been saved.
    """
    timings = _timings(tour, rules, progress)
    first = tour.bots[0]
    rows: list[Row] = []

    def meet(pairs: Sequence[tuple[str, str]]) -> None:
        for bot, against in pairs:
            rows.append(_match(tour, rules, bot, against, timings, workers, progress))
            done(rows[-1])

    meet([(bot, first) for bot in tour.bots[1:]])
    rates = {row.bot: row.won.value for row in rows} | {first: 0.5}
    ranking = sorted(rates, key=lambda bot: rates[bot])
    meet([(bot, below) for below, bot in pairwise(ranking) if first not in (bot, below)])
    return sorted(rows, key=lambda row: (-ranking.index(row.bot), row.against != first))


def _match(
    tour: Tour,
    rules: Rules,
    bot: str,
    against: str,
    timings: Mapping[str, Timing],
    workers: Workers,
    progress: Progress,
) -> Row:
    both = timings[bot], timings[against]
    plan = tour.plan(rules, [timing.spec for timing in both])
    progress.note(f"{rules.size}x{rules.size}: {both[0].spec} against {both[1].spec}")
    path = MEMORY if tour.folder is None else str(tour.folder / _file(rules, plan.specs))
    with MatchStore(path, plan) as store:
        play(plan, store, workers, progress)
        score = report(plan, store).tally(0)
    return Row(rules, bot, against, both, wilson(score.points, score.games), score.games)


def _file(rules: Rules, specs: Sequence[str]) -> str:
    """The name of a match's store: to be read, and for these two specs alone."""
    words = [re.sub("[^a-z0-9]+", "-", spec.lower())[:40] for spec in specs]
    digest = hashlib.sha256("\n".join(specs).encode()).hexdigest()[:8]
    return f"{rules.size}x{rules.size}-{'-v-'.join(words)}-{digest}.db"


# Budgets


class Budget(NamedTuple):
    """A kept timing, and whose it is."""

    player: Identity
    timing: Timing


def _timings(tour: Tour, rules: Rules, progress: Progress) -> dict[str, Timing]:
    """The bots' budgets: the kept ones, and those of the others, measured now."""
    file = None if tour.folder is None else tour.folder / "budgets.json"
    header = {"milliseconds": tour.milliseconds, "against": tour.bots[0]}
    kept = {} if file is None else _read_budgets(file, header)
    key = json.dumps(rules.as_dict())
    known = {bot: budget.timing for bot, budget in kept.get(key, {}).items()}
    if file is not None:
        _compare(file, kept.get(key, {}), rules)
    missing = [bot for bot in tour.bots[1:] if bot not in known]
    if missing or not known:
        progress.note(f"{rules.size}x{rules.size}: budgets of {', '.join(missing)}")
        named = [tour.bots[0], *missing]
        with processes(1) as here:  # times of several machines cannot be compared
            found = calibrated(named, rules, tour.milliseconds, here, known.get(tour.bots[0]))
        known = dict(zip(named, found, strict=True)) | known
        if file is not None:
            budgets = {
                bot: kept.get(key, {}).get(bot) or Budget(identify(bot, rules), timing)
                for bot, timing in known.items()
            }
            boards = kept | {key: budgets}
            text = {
                board: {
                    bot: {"player": budget.player.as_dict(), **budget.timing._asdict()}
                    for bot, budget in budgets.items()
                }
                for board, budgets in boards.items()
            }
            write_whole(file, json.dumps({**header, "boards": text}, indent=2) + "\n")
    return known


def _compare(file: Path, kept: Mapping[str, Budget], rules: Rules) -> None:
    """See that kept budgets are of the bots of now.

    Raises:
        BadStore: one of them has changed.
    """
    for bot, budget in kept.items():
        difference = budget.player.difference(identify(bot, rules))
        if difference is not None:
            raise BadStore(f"{file} has the budget of another {bot}: {difference}")


def _read_budgets(file: Path, header: Mapping[str, object]) -> dict[str, dict[str, Budget]]:
    """The budgets in a file by board and bot; none if there is no file.

    Raises:
        BadStore: it is not such a file, or of another table.
    """
    if not file.exists():
        return {}
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        for key, value in header.items():
            if content[key] != value:
                raise BadStore(f"{file} is of a table with {key} {content[key]}, not {value}")
        return {
            board: {
                bot: Budget(
                    Identity.read(Fields(t["player"], KIND, f"{file}: player.")),
                    Timing(str(t["spec"]), t["budget"], float(t["milliseconds"])),
                )
                for bot, t in timings.items()
            }
            for board, timings in content["boards"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, BadStore):
            raise
        raise BadStore(f"{file} is not a file of budgets") from None
