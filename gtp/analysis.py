"""Analysis in the format of KataGo, of a seat's view by a bot's decisions on it.

    kata-analyze b 50 ownership true
    =
    info move D4 visits 200 winrate 0.52 ... pv D4 info move F6 ... ownership 0 0.12 -1 ...
    ...

The first line shows a quick decision, each further one twice as many playouts, up to the bot's own
budget. The last line is therefore the bot's decision with seed 0 and without an opening book. The
seed of the game is never used: the analysis reveals nothing hidden.
"""

import logging
import math
from collections.abc import Iterator
from itertools import count, pairwise
from typing import Any, Final, NamedTuple

from bots import Bot
from bots.book import without_opening
from gtp import display, syntax
from gtp.handlers import table
from gtp.role import GameRole, LineStream
from gtp.syntax import Failure
from gtp.thinker import Mover, bot_failures
from phantomgo.game.beginning import Game
from phantomgo.game.player import Candidate, Decision
from phantomgo.game.points import vertex
from phantomgo.game.view import View

log = logging.getLogger(__name__)

INTERVAL: Final = 50
"""Default number of centiseconds between lines."""
LONGEST: Final = 360000
"""The longest interval, an hour."""
IGNORED: Final = frozenset(
    {
        "minmoves", "rootInfo", "pvVisits", "pvEdgeVisits", "movesOwnership", "ownershipStdev",
        "movesOwnershipStdev", "noResultValue",
    }
)  # fmt: skip
"""KataGo's keys that have no effect here."""
COLOURS: Final = ("b", "black", "w", "white")


class AnalysisRequest(NamedTuple):
    """The arguments of an analysis.

    Attributes:
        colour: whose view; None for the controller's own.
        interval: centiseconds between lines.
        most: upper bound on the number of candidates.
        ownership: whether the belief follows them.
    """

    colour: str | None = None
    interval: int = INTERVAL
    most: int = 1000
    ownership: bool = False

    @classmethod
    def read(cls, words: tuple[str, ...]) -> "AnalysisRequest":
        """Read `[COLOUR] [INTERVAL] [KEY VALUE]...`."""
        fields, rest = dict[str, Any](), list(words)
        if rest and rest[0].lower() in COLOURS:
            fields["colour"] = rest.pop(0)
        if rest and rest[0].isdecimal():
            rest.insert(0, "interval")
        while rest:
            key, *values = rest[:2]
            del rest[:2]
            match key, values:
                case "interval", [value]:
                    fields["interval"] = min(syntax.whole(value), LONGEST)
                case "maxmoves", [value]:
                    fields["most"] = syntax.whole(value)
                case "ownership", [value]:
                    fields["ownership"] = value == "true"
                case _, [_] if key in IGNORED:
                    pass
                case _:
                    raise Failure("syntax error")
        return cls(**fields)


def analyze(role: GameRole, *words: str) -> None:
    """Let lines of analysis follow the response."""
    request = AnalysisRequest.read(words)
    view = role.visible_view(request.colour)
    bot, book = _analyst(role, view)
    role.forbid_after_end()
    if book not in (None, role.noted):
        log.info("book %s opens this game; analyzed is %s without it", book, bot.name)
        role.noted = book
    decisions = (decision for decision in deepening(bot, view) if decision.candidates)
    lines = (info(decision, bot, view, request) for decision in decisions)
    role.stream = LineStream(lines, request.interval / 100)


def phantom_candidates(role: GameRole, colour: str | None = None) -> str:
    view = role.visible_view(colour)
    bot, book = _analyst(role, view)
    who = bot.opens_from(view) or bot.name  # a book of whole games has bots of its own
    return "\n" + display.candidates(_decide(bot, view), who, view.rules.size, book)


def _analyst(role: GameRole, view: View) -> tuple[Bot, str | None]:
    """The bot to analyze with, without its book, and the name of its opening book."""
    analyst = role.thinker.services.analyst
    if analyst is None:
        raise Failure("cannot analyze")
    spec, game = role.thinker.settings.bot, Game.of(view)
    with bot_failures():
        bot = analyst(spec, game)
        plain = without_opening(bot)
        return plain, None if plain is bot else bot.opens_from(view)


def _decide(bot: Bot, view: View) -> Decision:
    with bot_failures():
        return bot.decide(view)


def deepening(bot: Bot, view: View) -> Iterator[Decision]:
    """The bot's decisions from a quick one to its own budget, each with twice the playouts."""
    for quick, deeper in pairwise(bot.with_budget(1 << doubled) for doubled in count()):
        yield _decide(quick, view)
        if quick == deeper:
            return


def info(decision: Decision, bot: Mover, view: View, request: AnalysisRequest) -> str:
    """A decision as a line of analysis."""
    size = view.rules.size
    shown = ((vertex(one.point, size), one) for one in decision.candidates[: request.most])
    words = [
        f"info move {where} visits {one.visits} {_fields(one)} order {order} pv {where}"
        for order, (where, one) in enumerate(shown)
    ]
    if request.ownership:
        words.append("ownership " + ownership(bot, view))
    return " ".join(words)


def _fields(one: Candidate) -> str:
    """Win probabilities from 0 to 1 and leads in points, for the side that is analyzed."""
    return (
        f"edgeVisits {one.visits} utility {2 * one.value - 1:.4f} winrate {one.value:.4f}"
        f" scoreMean {one.lead:.2f} scoreLead {one.lead:.2f} prior 0 lcb {_lower_bound(one):.4f}"
    )


def _lower_bound(one: Candidate) -> float:
    """Lower 97.5 % confidence bound of the win probability, from the number of playouts (Wald)."""
    return max(one.value - 1.96 * math.sqrt(one.value * (1 - one.value) / one.visits), 0.0)


def ownership(bot: Mover, view: View) -> str:
    """A number for each point from the top left: 1 for an own stone, -1 for a located enemy.

    Other points have the negative probability of an enemy stone. The side that is analyzed is
    positive, as in KataGo.
    """
    shares = bot.stone_probabilities(view)

    def owned(point: int) -> str:
        if view.own >> point & 1:
            return "1"
        if view.located >> point & 1:
            return "-1"
        return f"{-shares.get(point, 0.0):.3f}"

    return " ".join(display.rows(view.rules.size, owned))


COMMANDS: Final = table(
    {
        "kata-analyze": analyze,
        "phantom-candidates": phantom_candidates,
        # GoGui's `# interrupt` ends an analysis, as any line does.
        "gogui-interrupt": lambda _role: None,
    }
)
