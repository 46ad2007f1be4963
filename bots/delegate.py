"""Bots that answer through other bots: the one place where questions are passed on.

A delegate is asked like any bot, but `player` chooses who answers, given the view and the time.
"""

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bots.decision import Decision
from bots.spec import Bot
from phantomgo.points import Move, Point
from phantomgo.view import View


@dataclass(frozen=True)
class Delegate(Bot):
    """A bot whose attempts, decisions and beliefs are those of other bots."""

    @property
    @abstractmethod
    def players(self) -> tuple[Bot, ...]:
        """Every bot that may answer."""

    @abstractmethod
    def player(self, view: View, seconds: float = math.inf) -> Bot:
        """The bot that answers in this view within this time."""

    @property
    def pure(self) -> bool:
        return all(bot.pure for bot in self.players)

    @property
    def foreign(self) -> bool:
        return any(bot.foreign for bot in self.players)

    def propose(self, view: View) -> Move:
        return self.player(view).propose(view)

    def propose_within(self, view: View, seconds: float) -> Move:
        return self.player(view, seconds).propose_within(view, seconds)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        return replace(self.player(view, seconds).decide(view, seconds), bot=self)

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        return self.player(view).stone_shares(view)

    def opens_from(self, view: View, seconds: float = math.inf) -> str | None:
        return self.player(view, seconds).opens_from(view, seconds)

    def warm_up(self, size: int) -> None:
        for bot in self.players:
            bot.warm_up(size)

    def data(self) -> Mapping[str, str]:
        return {what: digest for bot in self.players for what, digest in bot.data().items()}
