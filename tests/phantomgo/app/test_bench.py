"""The bench says what it should; how fast things are is no business of a test."""

import json

import pytest

from phantomgo.app import bench
from phantomgo.lab.measure.timing import Sample, interleaved


@pytest.fixture(scope="module")
def result():
    return bench.measure((3, 5), repeats=2, seconds=0.002)


def test_every_figure_is_there_and_json(result):
    assert json.loads(json.dumps(result)) == result
    measured = [figure for size in result["sizes"].values() for figure in size.values()]
    assert len(measured) == 2 * 4
    assert all(0 < each["min"] <= each["median"] <= each["max"] for each in measured)


def test_the_table_has_a_row_for_each_size(result):
    lines = bench.as_text(result).splitlines()
    assert [line.split(" | ")[0] for line in lines[-2:]] == ["| 3x3", "| 5x5"]


def test_cases_take_turns():
    seen = []

    def case(name):
        def work():
            seen.append(name)
            return Sample(1, 1.0)

        return work

    samples = interleaved({name: case(name) for name in "abc"}, 5)
    assert [len(taken) for taken in samples.values()] == [5, 5, 5]
    assert all(set(seen[i : i + 3]) == set("abc") for i in range(0, 15, 3))
