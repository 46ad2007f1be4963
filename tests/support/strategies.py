"""Hypothesis strategies and small builders shared by the tests."""

from hypothesis import strategies as st

from phantomgo.game.points import PASS, grid, members, parse_move, point_set
from phantomgo.game.referee import Referee
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.rng import Stream

profiles = st.sampled_from(sorted(PROFILES))
seeds = st.integers(0, 2**63 - 1)


def at(text: str, size: int = 5) -> int:
    """A set of points, by their names."""
    return point_set(parse_move(name, size) for name in text.split())


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


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def script(stream: Stream, size: int, length: int) -> list[int]:
    """Moves of a hidden bot: any points, sometimes its own, now and then a pass."""
    moves = [stream.below(size * size) for _ in range(length)]
    return [PASS if stream.below(15) == 0 else move for move in moves]


def variant(moves: list[int], stream: Stream, size: int) -> list[int]:
    """The same moves but for a few."""
    changed = list(moves)
    for _ in range(1 + stream.below(2)):
        changed[stream.below(12)] = stream.below(size * size)
    if stream.below(2) == 0:
        a, b = stream.below(12), stream.below(12)
        changed[a], changed[b] = changed[b], changed[a]
    return changed
