"""Samples: work done and the processor time it took, repeated and summarised.

Processor time of the working thread is measured, not wall time, as machines are shared. Each repeat
measures all cases once, in another order each time, so that a change of the machine's speed affects
all of them alike.
"""

from collections.abc import Callable, Mapping
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
