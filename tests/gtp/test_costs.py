"""The cost of a command does not grow with the length of the game.

Work is counted, not timed: lines of Python that are run, and bytes that are taken meanwhile, which
is where a copy of the whole game would show.
"""

import sys
import tracemalloc
from collections.abc import Callable

import pytest

from gtp.handlers import Handler
from gtp.limits import NO_LIMITS
from gtp.session import COMMANDS, Session
from gtp.thinker import Services, Settings, no_files
from phantomgo.game.beginning import Game
from phantomgo.game.points import vertex
from phantomgo.game.rules import Rules
from phantomgo.rng import Stream
from tests.support.gtp_tools import LOOKS, Scripted, analyst, hosting, said

GAME = Game(Rules())

SIZE = 8
EARLY, LATE = 500, 5000
"""Attempts after which the costs are compared."""
POSITIONS = 3
ROOM = 2000
"""Allowance for other stones on the board, far below the cost of the attempts between."""
WHOLE = ("phantom-log", "phantom-shown", "printsgf", "undo")
"""Commands that send, receive or replay the whole game, at a cost that grows with it."""
LONGER = [look for look in LOOKS if not look.startswith(WHOLE)]


def begun() -> Session:
    """A game without limits, in which the controller plays both seats."""
    services = Services(
        lambda _spec, game, seed: Scripted(game, seed, {}), no_files, lambda: 0.0, lambda: 0.0,
        analyst=analyst, limits=NO_LIMITS,
    )  # fmt: skip
    rules = Rules(size=SIZE, ko="positional", max_tries=10**6, max_moves=10**6)
    return Session(Settings(rules), services)


def attempt(server: Session, stream: Stream) -> str:
    """The moves that may be tried, without a second pass in a row, which would end the game."""
    to_move = hosting(server).referee.to_move
    view = hosting(server).referee.view(to_move)
    passes = view.refusals > 40 and not view.opponent_passed
    return f"play {to_move.letter} {'pass' if passes else vertex(stream.below(SIZE * SIZE), SIZE)}"


def work(server: Session, line: str) -> tuple[int, int]:
    """The number of lines of Python that a command runs, and its peak memory in bytes."""
    lines = 0

    def trace(_frame, event, _argument):
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()  # a coverage run traces too
    tracemalloc.start()
    sys.settrace(trace)
    try:
        server.run(line)
        if server.stream is not None:
            list(server.stream.lines)
    finally:
        sys.settrace(before)
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return lines, taken


def costs(looks: list[str], tries: int, of: Callable[..., int]) -> dict[str, tuple[int, ...]]:
    """The highest or lowest cost of each query in a few positions after this many attempts."""
    said(begun(), "kata-analyze")  # what is loaded once is no cost of a game
    server, stream = begun(), Stream(0)
    seen: dict[str, list[tuple[int, int]]] = {}
    for _ in range(tries):
        server.run(attempt(server, stream))
    for _ in range(POSITIONS):
        server.run(attempt(server, stream))
        lines = {look: look for look in looks} | {"play": attempt(server, stream)}
        for look, line in lines.items():
            seen.setdefault(look, []).append(work(server, line))
    assert hosting(server).referee.outcome is None
    for _ in range(POSITIONS):
        server.run("clear_board")  # and is told again, from here
        for look in looks:
            seen.setdefault(f"{look} again", []).append(work(server, look))
    return {look: tuple(map(of, zip(*each, strict=True))) for look, each in seen.items()}


def compare(looks: list[str]) -> None:
    """A cost that grows is seen in every position, a byte of another thread in one of them."""
    early, late = costs(looks, EARLY, max), costs(looks, LATE, min)
    for look, (lines, taken) in late.items():
        assert lines <= early[look][0] + ROOM, look
        assert taken <= early[look][1] + 4 * ROOM, look


def test_a_long_game_costs_what_a_short_one_does():
    compare(LONGER)


@pytest.mark.parametrize(
    "planted",
    [
        lambda host: str(len([step for step in host.story.steps if step.accepted])),
        lambda host: str(len(host.referee.log[:])),
    ],
    ids=["a loop", "a copy"],
)
def test_a_cost_that_grows_is_found(planted, monkeypatch):
    monkeypatch.setitem(COMMANDS, "planted", Handler.of(lambda server: planted(server.role)))
    with pytest.raises(AssertionError, match="planted"):
        compare(["planted"])
