"""Hypothesis strategies and small builders shared by the tests."""

from hypothesis import strategies as st

from phantomgo.points import PASS, grid, members
from phantomgo.referee import Referee
from phantomgo.rng import Stream
from phantomgo.rules import PROFILES, Rules

profiles = st.sampled_from(sorted(PROFILES))
seeds = st.integers(0, 2**63 - 1)


def random_attempts(referee: Referee, seed: int, count: int | None = None):
    """Random attempts by both sides, unknown points and passes alike; yields after each one."""
    stream = Stream(seed)
    done = 0
    while referee.outcome is None and (count is None or done < count):
        view = referee.view(referee.to_move)
        choices = list(members(grid(referee.rules.size).full & ~view.own))
        move = choices[stream.below(len(choices))] if choices and stream.below(12) else PASS
        colour = referee.to_move
        yield colour, move, referee.attempt(colour, move)
        done += 1


def played(size: int, seed: int, count: int | None = None, profile: str = "olympiad") -> Referee:
    """A game of random attempts, to its end or for `count` attempts."""
    referee = Referee(Rules.profile(profile, size=size))
    for _ in random_attempts(referee, seed, count):
        pass
    return referee
