"""Samples: work done and the processor time it took, repeated and summarised.

Processor time of the working thread is measured, not wall time, as machines are shared. Each repeat
measures all cases once, in another order each time, so that a change of the machine's speed affects
all of them alike.
"""

from collections.abc import Callable, Mapping
from random import Random
from time import thread_time
from typing import NamedTuple, TypeVar


class Sample(NamedTuple):
    """Work done once.

    Attributes:
        done: the number of things (playouts, decisions, games).
        seconds: processor time.
    """

    done: int
    seconds: float


Work = Callable[[], Sample]
Case = TypeVar("Case")


def interleaved(
    cases: Mapping[Case, Work], repeats: int, advance: Callable[[int], None] = lambda _: None
) -> dict[Case, list[Sample]]:
    """Measure each case `repeats` times, in a new order in every round; `advance` is called with
    each sample.
    """
    samples: dict[Case, list[Sample]] = {name: [] for name in cases}
    order, shuffled = list(cases), Random(0)
    for _ in range(repeats):
        shuffled.shuffle(order)
        for name in order:
            samples[name].append(cases[name]())
            advance(1)
    return samples


def timed(work: Callable[[int], None], number: int) -> Sample:
    """Time work on this number of things."""
    begin = thread_time()
    work(number)
    return Sample(number, thread_time() - begin)
