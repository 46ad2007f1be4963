"""A learned best response: how often a player wins after learning to beat one frozen bot.

Portfolios measure how exploitable a bot is by an opponent who may try K' seeds; this measures how
exploitable it is by one who learns. In each round the learner plays the bot, learns where *its*
hidden stones stand and how good candidates are against it (phantomgo/lab/teaching/lessons.py), and
plays the next round with nets trained on that. The final winning rate, on fresh seeds, is a lower
bound on that of a best response (Timbers et al., Approximate exploitability: learning a best
response, 2022).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from bots.nets import CANDIDATES, Net, read_net, write_net
from bots.phantom import Phantom
from phantomgo.lab.match import MatchStore, Plan, play, report
from phantomgo.lab.players import Conditions
from phantomgo.lab.run.progress import Advance, Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.teaching.lessons import OLYMPIAD, LessonPlan, gather, lessons_in, positions_of
from phantomgo.lab.teaching.positions import GamePositions, origins, positions_in
from phantomgo.lab.teaching.replays import of_each
from phantomgo.match.report import Report
from phantomgo.rules import Rules

ROUND: Final = 1_000_000
"""The distance between the seeds of two rounds."""

Trainer: TypeAlias = Callable[[str, str, Sequence[GamePositions], Net, int, Advance], Net]
"""`phantomgo.lab.teaching.training.train`, which needs PyTorch."""


class Round(NamedTuple):
    """The games of a round with their lessons, and the learner's name in the records."""

    lessons: Sequence[str]
    learner: str


@dataclass(frozen=True)
class Response:
    """The plan of learning a best response, and what carries it out.

    Attributes:
        bot: the frozen bot's spec.
        learner: the learner, with both nets named.
        rules: those of the olympiad on some board.
        games: games per round.
        steps: training steps per net and round.
        seed: the seed from which all others are derived.
        folder: where games and nets are kept; those that are there are not made again.
        train: trains nets.
        workers: play the games.
        progress: receives reports of progress.
    """

    bot: str
    learner: Phantom
    rules: Rules
    games: int
    steps: int
    seed: int
    folder: Path
    train: Trainer
    workers: Workers
    progress: Progress

    def measure(self, rounds: int, games: int) -> Report:
        """Learn for `rounds` rounds, then play `games` games; return their report.

        Raises:
            BadText: a spec is not one, there are too few games, or the folder has others.
            BadNet: a net cannot be read or written.
            Stopped: the games cannot be finished.
            KeyboardInterrupt: Ctrl-C; what was being played has been saved.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        learner, played = self.learner, []
        for number in range(1, rounds + 1):
            played.append(self._play(learner, number))
            learner = self._taught(learner, number, played)
        conditions, labels = Conditions(self.rules), ("the learner", None)
        plan = Plan.of(
            (learner.name, self.bot), games, self.seed, conditions, OLYMPIAD, labels=labels
        )
        with MatchStore(str(self.folder / f"match{rounds}.db"), plan) as store:
            play(plan, store, self.workers, self.progress)
            return report(plan, store)

    def _play(self, learner: Phantom, number: int) -> Round:
        plan = LessonPlan.between(
            (learner.name, self.bot), self.games, self.seed + number * ROUND, self.rules,
            learner.net, first_only=True,
        )  # fmt: skip
        path = str(self.folder / f"lessons{number}.db")
        with (
            Store(path, plan.players, plan.terms) as store,
            self.progress.stage(f"games of round {number}", self.games) as advance,
        ):
            gather(plan, store, self.workers, self.progress, advance)
        return Round(list(lessons_in(path)), plan.match.names[0])

    def _taught(self, learner: Phantom, number: int, played: Sequence[Round]) -> Phantom:
        """The learner with nets fine-tuned on all rounds so far."""
        games: list[GamePositions] = []
        for lessons, name in played:
            games += self._replayed(partial(_hidden, of=name), lessons)
        stones = self._net("stones", number, read_net(learner.net), games)
        games = []
        for lessons, _ in played:
            games += self._replayed(partial(positions_of, net=stones), lessons)
        judge = self._net("judge", number, read_net(learner.judge, CANDIDATES), games)
        return replace(learner, net=stones, judge=judge)

    def _replayed(
        self, work: Callable[[str], GamePositions], lessons: Sequence[str]
    ) -> list[GamePositions]:
        with self.progress.stage("games replayed", len(lessons)) as advance:
            return of_each(work, lessons, self.workers, advance)

    def _net(self, subject: str, number: int, begin: Net, games: Sequence[GamePositions]) -> str:
        """The file of a net fine-tuned on games."""
        path = self.folder / f"{subject}{number}.json"
        made_from = {
            "games": origins(game for game, _ in games),
            "steps": self.steps,
            "began_as": begin.digest,
        }
        if path.exists() and made_from.items() <= read_net(str(path), None).learned_from.items():
            return str(path)
        with self.progress.stage(f"steps, {subject}", self.steps) as advance:
            write_net(self.train(path.stem, subject, games, begin, self.steps, advance), path)
        read_net.cache_clear()
        return str(path)


def _hidden(text: str, of: str) -> GamePositions:
    """The belief net's training positions from one of `lessons_in`."""
    record, _, _ = text.partition("\n")
    return positions_in(record, of)
