"""Tasks: how long the games of one took."""

import pytest

from phantomgo.lab.run import tasks
from phantomgo.lab.run.tasks import carry_out
from tests.support.grid import Pretended


@pytest.mark.parametrize(
    ("elapsed", "processor", "counted"), [(4.0, 3.5, 3.5), (9.0, 4.0, 4.0), (9.0, 0.1, 3.0)]
)
def test_processor_time_counts_unless_games_wait(elapsed, processor, counted, monkeypatch):
    class Clock:
        perf_counter = iter([10.0, 10.0 + elapsed]).__next__
        thread_time = iter([1.0, 1.0 + processor]).__next__

    monkeypatch.setattr(tasks, "time", Clock)
    contest = Pretended()
    found = carry_out(contest, [(1, 2), (3, 4)])
    assert found.results == contest.play([(1, 2), (3, 4)])
    assert found.seconds == pytest.approx(counted)
