"""A phantom engine as an ordinary GTP engine.

To its controller this is a Go engine: it receives every move and answers genmove with a legal one.
Internally, a referee shows the engine only what a phantom player may know, and asks again until an
attempt is legal. So match runners, servers and GUIs without support for Phantom Go can run and
record whole games. It is the host of gtp/host.py, with the engine in place of the bot.

The process knows the full board, the engine does not: for rated play use your own referee.
"""

import logging
import math
from collections.abc import Callable, Mapping
from typing import Final

from bots.belief import even_probabilities, presume_nothing
from gtp import syntax
from gtp.clock import UNLIMITED, Clock
from gtp.engine import EnginePlayer
from gtp.session import Session
from gtp.syntax import Failure
from gtp.thinker import Services, Settings, no_files
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Refused
from phantomgo.game.outcome import Fault
from phantomgo.game.player import Decision
from phantomgo.game.points import Point, vertex
from phantomgo.game.rules import Rules
from phantomgo.game.view import View

SPEC: Final = "engine"
"""The answer to `phantom-param bot`."""

log = logging.getLogger(__name__)


class Adapted:
    """The engine as the host's bot. A fault fails the command; the next command restarts it."""

    def __init__(self, engine: EnginePlayer) -> None:
        self._engine = engine
        self.name = engine.name

    def decide(self, view: View, seconds: float = math.inf) -> Decision:  # noqa: ARG002
        return self.decide_on(view, UNLIMITED)

    def decide_on(self, view: View, clock: Clock) -> Decision:
        last = view.events[-1] if view.events else None
        if isinstance(last, Refused):  # runners keep an engine's stderr with the move
            log.info("%s tried %s", view.colour, vertex(last.move, view.rules.size))
        try:
            return self._engine.decide_on(view, clock)
        except Fault as fault:
            raise Failure(f"the engine {fault}") from None

    def stone_probabilities(self, view: View) -> Mapping[Point, float]:
        """Uniform probabilities, as an engine cannot be asked for its belief."""
        return even_probabilities(view, presume_nothing(view))


def adapter(
    engine: EnginePlayer,
    rules: Rules,
    cpu_time: Callable[[], float],
    wall_time: Callable[[], float],
) -> Session:
    """A session with the engine as its bot; the clocks are those of `Services`.

    The engine's processor time is added to this process's if it answers.
    """

    def make(spec: str, game: Game, seed: int) -> Adapted:  # noqa: ARG001
        if spec != SPEC:
            raise BadText(f"no bot {spec[:40]!r}; there is {SPEC}")
        engine.new_game(seed)
        return Adapted(engine)

    def all_cpu_time() -> float:
        answer = engine.answer("cputime") or engine.answer("gomill-cpu_time") or "0"
        try:
            return cpu_time() + syntax.decimal(answer)
        except Failure:
            return cpu_time()

    def describe(spec: str) -> str:
        words = [spec, engine.answer("name") or engine.name, engine.answer("version")]
        return " ".join(word for word in words if word)

    name = f"phantomgo adapter of {engine.name}"
    services = Services(make, no_files, all_cpu_time, wall_time, name, describe=describe)
    return Session(Settings(rules, bot=SPEC, hide=False), services)
