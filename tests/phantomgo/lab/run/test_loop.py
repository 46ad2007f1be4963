"""The one loop: the same end for any number of workers, and after any interruption.

Learners, which ask by what they are told, are interrupted in tests/phantomgo/lab/learners.
"""

import hashlib
import signal
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait

import pytest

from phantomgo.errors import Abandoned
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.lab.matches.match import MatchPlan
from phantomgo.lab.matches.match_run import MatchStore, MatchStudy, report
from phantomgo.lab.players.seating import Conditions
from phantomgo.lab.run.contest import Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.tasks import Deadly, Lost, Stopped, Task
from phantomgo.lab.run.workers import Local, Run
from phantomgo.match.stats import Sprt
from phantomgo.portfolio.matrix import cells
from tests.support.grid import Games

GAME = Game(Rules())


class Pretended(Games):
    """Games that end as they always do, some of them late."""

    def __init__(self, slow=True):
        self.slow = slow
        self.played = []

    def one(self, a, b):
        digest = hashlib.sha256(f"{a} {b}".encode()).digest()
        if self.slow:
            time.sleep(digest[1] / 256 / 100)
        self.played.append((a, b))
        return Result("B+" if digest[0] < 128 + a else "W+")


def crew(number):
    return Local(ThreadPoolExecutor(number), number)


def ended(study, number, store, contest=None):
    """The study after a run with so many workers."""
    team = crew(number)
    run(study, contest or Pretended(), team, store)
    team.executor.shutdown()
    return study


def test_a_matrix_is_played_once_by_any_number_of_workers(tmp_path):
    found = []
    for number in (1, 2, 5):
        contest = Pretended()
        with Store(tmp_path / f"{number}.db", [], contest.terms) as store:
            assert ended(Listed(cells(12, 12)), number, store, contest)
            found.append(store.results())
            assert len(contest.played) == len(set(contest.played)) == 144
            ended(Listed(cells(12, 12)), number, store, contest)
            assert len(contest.played) == 144
    assert found[0] == found[1] == found[2]


def test_a_sequential_test_ends_with_the_same_games_whatever_the_workers():
    rules = Rules(size=3, komi=0.5)
    plan = MatchPlan.of(
        ("random", "flatmc:playouts=20"),
        400,
        3,
        Conditions(Game(rules)),
        "olympiad",
        Sprt(-100, 300),
    )
    ends = []
    for number in (1, 2, 5):
        with MatchStore(None, plan) as store:
            ended(MatchStudy(plan), number, store, plan)
            found = report(plan, store)
            ends.append((len(found.results), [game.digest for game in found.results]))
    assert ends[0] == ends[1] == ends[2]
    assert 4 <= ends[0][0] < 400


def test_void_games_are_played_again_and_three_in_a_row_stop_the_run(tmp_path):
    class Void(Pretended):
        def __init__(self, times):
            super().__init__(slow=False)
            self.times = times

        def one(self, a, b):
            if (a, b) == (1, 1) and self.times:
                self.times -= 1
                return Result("", "record", "it crashed")
            return super().one(a, b)

    said = []

    class Heard(Progress):
        def note(self, sentence):
            said.append(sentence)

    with Store(tmp_path / "v.db", [], Pretended.terms) as store:
        with Run(1).begin() as team:
            run(Listed([(0, 0), (1, 1)]), Void(2), team, store, progress=Heard())
        assert store.games() == {(0, 0), (1, 1)}
        assert store.voids() == 2
    assert said == ["void: it crashed"] * 2
    with (
        Run(1).begin() as team,
        pytest.raises(Stopped, match="3 void games in a row; in the last one"),
    ):
        run(Listed([(0, 0), (1, 1)]), Void(3), team, Store(None, [], {}))


def test_a_second_interruption_does_not_wait():
    class Never(Pretended):
        def one(self, a, b):
            released.wait(60)
            return super().one(a, b)

    released = threading.Event()
    team = crew(1)

    def interrupted(tasks, **more):
        signal.raise_signal(signal.SIGINT)
        return wait(tasks, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("phantomgo.lab.run.loop.wait", interrupted)
        with pytest.raises(Abandoned):
            run(Listed([(0, 0)]), Never(), team, Store(None, [], {}))
    released.set()
    team.executor.shutdown()


class Mortal(Local):
    """Workers who die with certain games; the others come back."""

    def __init__(self, executor, number, killers, times):
        super().__init__(executor, number)
        self.killers, self.times, self.groups = killers, times, []

    def submit(self, contest, games):
        self.groups.append(list(games))
        dead = Future()
        if self.times and set(games) & self.killers:
            self.times -= 1
            dead.set_exception(Deadly(4))
        elif len(self.groups) % 7 == 0:
            dead.set_exception(Lost())
        else:
            return super().submit(contest, games)
        return dead


def test_a_game_that_ends_its_workers_is_found_and_bad_luck_is_not_blamed():
    with ThreadPoolExecutor(2) as pool:
        lucky = Mortal(pool, 2, {(1, 1)}, 2)
        assert run(Listed(cells(9, 9)), Pretended(slow=False), lucky, Store(None, [], {})) == 81
        deadly = Mortal(pool, 2, {(1, 1)}, 100)
        store = Store(None, [], {})
        with pytest.raises(Stopped, match=r"game \(1, 1\) kills its workers: 12 of them have died"):
            run(Listed(cells(9, 9)), Pretended(slow=False), deadly, store)
        assert deadly.groups.count([(1, 1)]) == 3


class Clocked(Local):
    """Workers whose games take as long as is said, by a clock of their own."""

    task_seconds = 2.0

    def __init__(self, executor, seconds):
        super().__init__(executor, 1)
        self.seconds, self.sizes = seconds, []

    def submit(self, contest, games):
        self.sizes.append(len(games))
        taken = sum(map(self.seconds, games))
        return self.executor.submit(lambda: Task(contest.play(games), taken))


def test_tasks_take_as_long_as_they_should_and_grow_step_by_step():
    with ThreadPoolExecutor(1) as pool:
        steady = Clocked(pool, lambda _: 0.09)
        run(Listed(cells(15, 15)), Pretended(slow=False), steady, Store(None, [], {}))
        lucky = Clocked(pool, lambda game: 1e-9 if sum(game) < 3 else 4.0)
        run(Listed(cells(5, 5)), Pretended(slow=False), lucky, Store(None, [], {}))
    assert max(steady.sizes) == 22
    for sizes in steady.sizes, lucky.sizes:
        assert all(size <= max(1, sum(sizes[:i])) for i, size in enumerate(sizes))
    assert max(lucky.sizes) <= 8  # six games that took no time say nothing of the others
