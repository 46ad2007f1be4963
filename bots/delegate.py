"""Bots that answer through other bots: the one place where questions are passed on."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from bots.spec import Bot
from phantomgo.player import Decision
from phantomgo.points import Point
from phantomgo.view import View


@dataclass(frozen=True)
class Delegate(Bot):
    """A bot whose decisions and beliefs are those of other bots."""

    @property
    @abstractmethod
    def players(self) -> tuple[Bot, ...]:
        """Every bot that may answer."""

    @abstractmethod
    def player(self, view: View) -> Bot:
        """The bot that answers in this view."""

    @property
    def pure(self) -> bool:
        return all(bot.pure for bot in self.players)

    @property
    def foreign(self) -> bool:
        return any(bot.foreign for bot in self.players)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        return self.player(view).decide(view, seconds)

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        return self.player(view).stone_shares(view)

    def opens_from(self, view: View, seconds: float = math.inf) -> str | None:
        return self.player(view).opens_from(view, seconds)

    def warm_up(self, size: int) -> None:
        for bot in self.players:
            bot.warm_up(size)

    def data(self) -> Mapping[str, str]:
        return {what: digest for bot in self.players for what, digest in bot.data().items()}
