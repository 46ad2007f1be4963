"""Learning from outcomes: moves a player's weights in many small steps, by the results of games.

At each step a teacher has games played and moves the weights by their results. Every few steps the
player with the new weights meets the initial one on fresh seeds, until a sequential test decides or
its games are used up. Learning ends early if many steps have gained nothing.
"""

import math
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import ClassVar, Final, Protocol

import bots
from bots.nets import Net, write_net
from bots.phantom import Phantom
from phantomgo.identity import Identity
from phantomgo.lab.lockstep.batch import play_batch, whole
from phantomgo.lab.run.contest import Game, Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.teaching.taught import Check, Step, Taught, Weights, in_vain
from phantomgo.match.schedule import Schedule, Ticket
from phantomgo.match.stats import Sprt, Verdict, wilson
from phantomgo.outcome import Outcome
from phantomgo.points import BLACK, WHITE
from phantomgo.rng import MAX_SEED, derived, mix
from phantomgo.rules import Rules

BETTER: Final = Sprt(0, 14)
"""The sequential test; 14 Elo are 52 %."""
PART: Final = 50
"""Games between two evaluations of the sequential test."""
DIGITS: Final = 6
"""Decimals of a weight."""


@dataclass(frozen=True)
class Player:
    """A player, and their judge as a value, which workers on other machines can be sent.

    Attributes:
        spec: the player's spec.
        judge: the judge, instead of the one that the spec names; None for that one.
    """

    spec: str
    judge: Net | None = None

    def seated(self) -> str:
        """The spec that names the judge by a file of this process."""
        if self.judge is None:
            return self.spec
        file = Path(_folder().name, f"{self.judge.digest}.json")
        if not file.exists():
            write_net(replace(self.judge, name=file.stem), file)
        return self.with_judge(file)

    def with_judge(self, file: Path) -> str:
        """The spec of the player with the judge in this file."""
        bot = bots.make(self.spec, 0)
        assert isinstance(bot, Phantom)
        return replace(bot, judge=str(file)).name


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """The folder of the judges that play in this process; removed at its end."""
    return tempfile.TemporaryDirectory(prefix="phantomgo-")


@dataclass(frozen=True)
class Meeting:
    """The contest of a player against others in turn: `1` if the player won, `0` if they lost,
    `0.5` for a draw.

    Attributes:
        player: the player.
        others: the opponents, each met in pairs of games.
        rules: the rules.
        schedule: the games, by the second number of each.
        players: the players of the study; see `Course`.
        terms: the terms of the study.
    """

    player: Player
    others: tuple[Player, ...]
    rules: Rules
    schedule: Schedule
    players: tuple[Identity, ...]
    terms: Mapping[str, object]
    engines: ClassVar[bool] = False

    def play(self, games: Sequence[Game]) -> list[Result]:
        tickets = [self.schedule.ticket(number) for _, number in games]
        alike = defaultdict[tuple[Player, int], list[Ticket]](list)
        for ticket in tickets:
            alike[self.other(ticket), ticket.black].append(ticket)
        found = dict[int, Result]()
        for (other, black), these in alike.items():
            sides = (self.player, other) if black == 0 else (other, self.player)
            specs = [player.seated() for player in sides]
            lines = [(whole(ticket.black_seed), whole(ticket.white_seed)) for ticket in these]
            played = play_batch(self.rules, specs[0], specs[1], 0, lines)
            for ticket, game in zip(these, played, strict=True):
                found[ticket.number] = Result(f"{score(game.outcome, ticket):g}")
        return [found[ticket.number] for ticket in tickets]

    def other(self, ticket: Ticket) -> Player:
        """The opponent of a game."""
        return self.others[ticket.round % len(self.others)]

    def certain(self, text: str) -> str:
        return text.split(maxsplit=1)[0]


def score(outcome: Outcome, ticket: Ticket) -> float:
    """The score of the schedule's first player."""
    return outcome.score(BLACK if ticket.black == 0 else WHITE)


class Teacher(Protocol):
    """Moves weights by the outcomes of games."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the weights."""

    @property
    def start(self) -> Weights:
        """The initial weights."""

    @property
    def terms(self) -> Mapping[str, object]:
        """Everything that decides how it teaches, for JSON."""

    def player(self, weights: Weights) -> Player:
        """The player with these weights."""

    @property
    def contest(self) -> type[Meeting]:
        """The contest of the games of a step. Their results begin with the player's score."""

    def meeting(self, weights: Weights, number: int) -> tuple[Player, tuple[Player, ...]]:
        """The player of step `number`, from 1, and their opponents."""

    def moved(self, weights: Weights, number: int, results: Sequence[str]) -> Weights:
        """The weights after step `number`, given those before it and the results of its games."""


@dataclass(frozen=True)
class Course:
    """A course of learning.

    Attributes:
        teacher: the teacher.
        players: the identity of the initial player.
        rules: the rules of all games.
        steps: the number of steps.
        games: games per step; an even number.
        every: steps from one test to the next.
        test: the most games of a test; an even number.
        seed: the seed from which all others are derived.
    """

    teacher: Teacher
    players: tuple[Identity, ...]
    rules: Rules
    steps: int
    games: int
    every: int
    test: int
    seed: int

    @property
    def terms(self) -> Mapping[str, object]:
        return {
            "game": "outcomes",
            **self.rules.as_dict(),
            **self.teacher.terms,
            "games": self.games,
            "seed": self.seed,
        }

    def learn(self, folder: Path, store: Store, workers: Workers, progress: Progress) -> Taught:
        """Take all steps, and write the learned judge into the folder.

        Games that the store has are not played again.

        Raises:
            Stopped: the games cannot be finished.
            KeyboardInterrupt: Ctrl-C; what was being played has been saved.
        """
        weights, steps, tests = self.teacher.start, list[Step](), list[Check]()
        played = partial(_played, store, workers, progress)
        with progress.stage("steps", self.steps) as advance:
            for number in range(1, self.steps + 1):
                met = self.teacher.meeting(weights, number)
                contest = self._contest(self.teacher.contest, *met, 2 * number)
                results = played(contest, 2 * number, range(self.games))
                before, moved = weights, self.teacher.moved(weights, number, results)
                weights = tuple(round(weight, DIGITS) for weight in moved)
                rate, length = sum(map(won, results)) / self.games, math.dist(before, weights)
                steps.append(Step(number, self.games, rate, length, weights))
                advance(1)
                if number % self.every == 0 or number == self.steps:
                    tests.append(self._tested(weights, number, played))
                    progress.note(tests[-1].sentence)
                    if in_vain(tests):
                        break
        player = self.teacher.player(weights)
        assert player.judge is not None
        file = folder / "judge.json"
        write_net(replace(player.judge, name=file.stem), file)
        names = self.teacher.names
        return Taught(names, steps, tests, player.with_judge(file))

    def _tested(
        self, weights: Weights, number: int, played: Callable[[Meeting, int, range], list[str]]
    ) -> Check:
        teacher = self.teacher
        now, start = teacher.player(weights), teacher.player(teacher.start)
        contest = self._contest(Meeting, now, (start,), 2 * number + 1)
        scores, counts, verdict = list[float](), [0] * 5, Verdict.OPEN
        while len(scores) < self.test and verdict is Verdict.OPEN:
            numbers = range(len(scores), min(len(scores) + PART, self.test))
            part = list(map(won, played(contest, 2 * number + 1, numbers)))
            for first, second in zip(part[::2], part[1::2], strict=True):
                counts[round(2 * (first + second))] += 1
            scores += part
            verdict = BETTER.verdict(counts)
        return Check(number, len(scores), wilson(sum(scores), len(scores)), verdict)

    def _contest(
        self, kind: type[Meeting], player: Player, others: tuple[Player, ...], key: int
    ) -> Meeting:
        seed = derived(mix(self.seed), key) & MAX_SEED
        schedule = Schedule(2, max(self.games, self.test), seed)
        return kind(player, others, self.rules, schedule, self.players, self.terms)


def _played(
    store: Store,
    workers: Workers,
    progress: Progress,
    contest: Meeting,
    key: int,
    numbers: range,
) -> list[str]:
    """The results of games of a contest; those that the store lacks are played.

    A game is kept under `key` and its number.
    """
    last = key, contest.schedule.games
    known = store.results((key, 0), last)
    missing = [(key, number) for number in numbers if (key, number) not in known]
    run(Listed(missing), contest, workers, store, progress=progress)
    known = store.results((key, 0), last)
    return [known[key, number] for number in numbers]


def won(result: str) -> float:
    """The player's score in a result."""
    return float(result.split(maxsplit=1)[0])
