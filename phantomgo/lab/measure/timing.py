"""Samples: work done and the processor time it took, repeated and summarised.

Processor time of the working thread is measured, not wall time, as machines are shared. Each repeat
measures all cases once, in another order each time, so that a change of the machine's speed affects
all of them alike.
"""

import statistics
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from time import thread_time
from typing import NamedTuple


class Sample(NamedTuple):
    """Work done once.

    Attributes:
        done: the number of things (playouts, decisions, games).
        moves: the number of their moves; 0 if not counted.
        seconds: processor time.
    """

    done: int
    moves: int
    seconds: float


Work = Callable[[], Sample]
Spread = dict[str, float]
"""Minimum, median and maximum, by the names `min`, `median` and `max`."""


def spread(values: list[float]) -> Spread:
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def rate(sample: Sample) -> float:
    """Things done in a second."""
    return sample.done / sample.seconds


def interleaved(
    cases: Mapping[str, Work], repeats: int, advance: Callable[[int], None] = lambda _: None
) -> dict[str, list[Sample]]:
    """Measure each case `repeats` times, in a new order in every round; `advance` is called with
    each sample.
    """
    samples: dict[str, list[Sample]] = {name: [] for name in cases}
    order, shuffled = list(cases), Random(0)
    for _ in range(repeats):
        shuffled.shuffle(order)
        for name in order:
            samples[name].append(cases[name]())
            advance(1)
    return samples


def timed(work: Callable[[], tuple[int, int]]) -> Sample:
    """Time work that returns the number of things done, and of their moves."""
    begin = thread_time()
    done, moves = work()
    return Sample(done, moves, thread_time() - begin)


def enough(work: Callable[[int], tuple[int, int]], seconds: float) -> Work:
    """A fixed amount of work that takes about this long; `work` takes the amount.

    It is tried here, so the kernels it needs are compiled now.
    """
    work(1)
    sample = timed(partial(work, 1))
    while sample.seconds < seconds / 4:
        sample = timed(partial(work, 4 * sample.done))
    return partial(timed, partial(work, max(1, round(sample.done * seconds / sample.seconds))))
