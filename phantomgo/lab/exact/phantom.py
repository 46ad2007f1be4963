"""Phantom Go as positions, for which best responses can be computed."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from bots import Bot
from phantomgo.beginning import START, Beginning
from phantomgo.lab.exact.response import Decide
from phantomgo.lab.games.state import Position
from phantomgo.points import PASS, Colour, Move, grid, members
from phantomgo.record import begin
from phantomgo.referee import Referee
from phantomgo.rules import Rules
from phantomgo.view import View


@dataclass(frozen=True)
class Situation:
    """A game of Phantom Go so far; `referee` is never changed."""

    referee: Referee

    @classmethod
    def start(cls, rules: Rules, beginning: Beginning = START) -> Self:
        """The position before the first attempt.

        Raises:
            BadText: no game begins like this under these rules.
        """
        return cls(begin(rules, beginning)[0])

    @cached_property
    def mover(self) -> Colour:
        return self.referee.to_move

    @cached_property
    def view(self) -> View:
        """The mover's view."""
        return self.referee.view(self.mover)

    @property
    def known(self) -> Hashable:
        return self.view.events

    @property
    def moves(self) -> Sequence[Move]:
        """All points that the referee may accept, and a pass."""
        view = self.view
        free = grid(view.rules.size).full & ~(view.own | view.located | view.refused_now)
        return [*members(free), PASS]

    @property
    def result(self) -> str | None:
        outcome = self.referee.outcome
        return None if outcome is None else outcome.result[:2]

    @cached_property
    def future(self) -> Hashable:
        view, referee = self.view, self.referee
        other = referee.view(self.mover.other)
        history = None if view.rules.ko == "simple" else referee.log
        return referee.board, other.events, view.refused_now, view.refusals, history

    def allows(self, move: Move) -> bool:  # noqa: ARG002
        """Every attempt may be made."""
        return True

    def after(self, move: Move) -> Self:
        twin = self.referee.copy()
        twin.attempt(self.mover, move)
        return type(self)(twin)


def player_of(bot: Bot) -> Decide:
    """A bot as a player of positions."""

    def decide(position: Position) -> Move:
        assert isinstance(position, Situation)
        return bot.propose(position.view)

    return decide
