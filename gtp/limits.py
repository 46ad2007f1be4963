"""Bounds on what a controller may ask of a server."""

import math
from dataclasses import dataclass
from typing import Final

from bots import Bot, parameters
from bots.book import without_opening
from bots.deployed import DEFAULT_BOT
from bots.spec import DEFAULT, SHORT_NAMES, is_book
from phantomgo.errors import BadRules, BadText
from phantomgo.game.rules import Rules

WORK: Final = ("playouts", "inner", "worlds", "flat")
"""Parameters to which a bot's thinking time is proportional."""
EXTRA: Final = {"per_candidate": 22, "threads": 1, "levels": 2}
"""Upper bounds of other parameters that cost time; 22 a candidate are 8,000 playouts on 19x19."""


@dataclass(frozen=True)
class ControllerLimits:
    """Bounds on what a controller may set.

    Attributes:
        files: whether it may name files.
        times: upper bound on a bot's thinking time, as a multiple of the default.
        seconds: upper bound on the time per decision on the clock.
        rules: whether it may raise the limits on attempts and moves above the defaults.
    """

    files: bool = True
    times: float = math.inf
    seconds: float = math.inf
    rules: bool = True

    @property
    def bot(self) -> str:
        """The spec of the default bot, which uses all cores unless bots' time is bounded."""
        return SHORT_NAMES[DEFAULT] if math.isinf(self.times) else DEFAULT_BOT

    def check_spec(self, spec: str) -> None:
        """Raise BadText for a spec that names a file, before the bot is made."""
        if not self.files and any(mark in spec for mark in ("/", "\\", ".json", "state=")):
            raise BadText("this server reads no files for its controller")

    def check_bot(self, spec: str, bot: object) -> None:
        """Raise BadText for a bot of this spec that thinks too long."""
        if is_book(spec) or not isinstance(bot, Bot) or math.isinf(self.times):
            return
        bot = without_opening(bot)
        times = 1.0
        for field in parameters(type(bot)):
            value = getattr(bot, field.name)
            if field.name in WORK:
                times *= max(value / field.default, 1)
            allowed = self.seconds if field.name == "time" else EXTRA.get(field.name, math.inf)
            if field.name == "threads" and value == 0:
                raise BadText(f"threads=0 takes all cores, above {allowed:g}, this server's limit")
            if not isinstance(value, str) and value > allowed:
                raise BadText(f"{field.name}={value:g} is above {allowed:g}, this server's limit")
        if times > self.times:
            raise BadText(f"{spec} thinks more than {self.times:g} times as long as by default")

    def check_rules(self, rules: Rules) -> None:
        """Raise BadRules for rules with longer turns or games than by default."""
        plain = Rules(size=rules.size)
        longer = rules.tries_limit > plain.tries_limit or rules.moves_limit > plain.moves_limit
        if longer and not self.rules:
            raise BadRules("more attempts or moves than by default")


NO_LIMITS: Final = ControllerLimits()
# A decision costs up to 1.2 times as much as its playouts: none thinks ten times as long.
SAFE: Final = ControllerLimits(files=False, times=8, seconds=10, rules=False)
