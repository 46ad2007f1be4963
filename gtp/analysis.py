"""Analysis as Leela Zero and KataGo write it, from a seat's view and a bot's decisions on it.

    kata-analyze b 50 ownership true
    =
    info move D4 visits 200 winrate 0.52 ... pv D4 info move F6 ... ownership 0 0.12 -1 ...
    ...

A line comes for a decision at a glance, then for one of twice as many playouts, and so on up to the
bot's own budget: each is a decision the bot would make, so it ends in what the bot would play. The
bot plays seed 0, never the game's: what is hidden of the game stays so.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from bots import Bot
from bots.decision import Candidate, Decision
from gtp import display, syntax
from gtp.role import Stream, Theme
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.errors import BadBook, BadText
from phantomgo.points import PASS, Colour, Move, parse_colour, vertex
from phantomgo.view import View

INTERVAL: Final = 50
"""Centiseconds between lines if nothing else is asked for."""
LONGEST: Final = 360000
"""The longest interval, an hour."""
IGNORED: Final = {
    "minmoves": 1, "rootInfo": 1, "pvVisits": 1, "pvEdgeVisits": 1, "movesOwnership": 1,
    "ownershipStdev": 1, "movesOwnershipStdev": 1, "noResultValue": 1,
}  # fmt: skip
"""Keys of KataGo's that change nothing here, and how many words follow each."""


class Request(NamedTuple):
    """What is asked for.

    Attributes:
        colour: whose view; None for the one the controller goes by.
        interval: centiseconds between lines.
        most: candidates told.
        ownership: whether the belief is told with them.
        allowed: the moves that each colour may be told, as `allow` has it; all if it says nothing.
        avoided: those it may not, as `avoid` has it.
    """

    colour: str | None = None
    interval: int = INTERVAL
    most: int = 1000
    ownership: bool = False
    allowed: Mapping[Colour, frozenset[str]] = {}
    avoided: Mapping[Colour, frozenset[str]] = {}

    @classmethod
    def read(cls, words: tuple[str, ...]) -> "Request":
        """Read `[COLOUR] [INTERVAL] [KEY VALUE]...`, and `allow` or `avoid COLOUR MOVES DEPTH`.

        Raises:
            Failure: `syntax error`.
        """
        found, rest = cls(), list(words)
        if rest and _is_colour(rest[0]):
            found = found._replace(colour=rest.pop(0))
        if rest and rest[0].isdecimal():
            rest.insert(0, "interval")
        while rest:
            key = rest.pop(0)
            count = 3 if key in ("allow", "avoid") else IGNORED.get(key, 1)
            if len(rest) < count:
                raise Failure("syntax error")
            value, *more = rest[:count]
            del rest[:count]
            if key == "interval":
                found = found._replace(interval=min(syntax.whole(value), LONGEST))
            elif key == "maxmoves":
                found = found._replace(most=syntax.whole(value))
            elif key == "ownership":
                found = found._replace(ownership=value == "true")
            elif more:
                syntax.whole(more[1], 1)
                moves = {syntax.colour(value): frozenset(more[0].upper().split(","))}
                if key == "allow":
                    found = found._replace(allowed=_joined(found.allowed, moves))
                else:
                    found = found._replace(avoided=_joined(found.avoided, moves))
            elif key not in IGNORED:
                raise Failure("syntax error")
        return found

    def permits(self, side: Colour, where: str) -> bool:
        """Whether `allow` and `avoid` leave this move."""
        allowed = self.allowed.get(side)
        word = where.upper()
        return (allowed is None or word in allowed) and word not in self.avoided.get(
            side, frozenset()
        )


Words: TypeAlias = Mapping[Colour, frozenset[str]]


def _joined(one: Words, other: Words) -> Words:
    return {**one, **{side: one.get(side, frozenset()) | words for side, words in other.items()}}


def _is_colour(word: str) -> bool:
    try:
        parse_colour(word)
    except BadText:
        return False
    return True


Line: TypeAlias = Callable[[Decision, Request], str]
"""A decision as a line of an analysis."""


class Analysis(Theme):
    """What the bot thinks of a seat's view."""

    @command("lz-analyze")
    def leela(self, *words: str) -> None:
        self._stream(Request.read(words), leela_line)

    @command("kata-analyze")
    def katago(self, *words: str) -> None:
        self._stream(Request.read(words), katago_line)

    @command("lz-genmove_analyze")
    def leela_genmove(self, *words: str) -> str:
        return self._genmove(words, leela_line)

    @command("kata-genmove_analyze")
    def katago_genmove(self, *words: str) -> str:
        return self._genmove(words, katago_line)

    def _genmove(self, words: tuple[str, ...], line: Line) -> str:
        """Move, and tell what the move came from: a line for each attempt, then the move."""
        request = Request.read(words)
        if request.colour is None:
            raise Failure("syntax error")
        side, told = syntax.colour(request.colour), list[str]()

        def choose(view: View) -> Move:
            decision = self.role.decide(view)
            size = view.rules.size
            if decision.candidates:
                told.append(line(decision, request))
            if decision.move < 0 or request.permits(side, vertex(decision.move, size)):
                return decision.move
            left = (
                c.point for c in decision.candidates if request.permits(side, vertex(c.point, size))
            )
            return next(left, PASS)

        move = self.role.move_openly(side, choose)
        return "\n" + "\n".join([*told, f"play {vertex(move, self.role.settings.rules.size)}"])

    @command("phantom-candidates")
    def candidates(self, colour: str | None = None) -> str:
        """The bot's candidates for GoGui: the more likely to win, the darker; visits as labels."""
        view = self.role.seen(colour)
        return "\n" + display.candidates(_decide(self._bot(), view))

    @command("gogui-interrupt")
    def interrupt(self) -> None:
        """GoGui's `# interrupt` ends an analysis, as any line does."""

    def _stream(self, request: Request, line: Line) -> None:
        view, bot = self.role.seen(request.colour), self._bot()
        if view.result is not None:
            raise Failure("game over")
        self.role.stream = Stream(
            (line(decision, request) for decision in deepening(bot, view) if decision.candidates),
            request.interval / 100,
        )

    def _bot(self) -> Bot:
        analyst = self.role.services.analyst
        if analyst is None:
            raise Failure("cannot analyze")
        return analyst(self.role.settings.bot)


def _decide(bot: Bot, view: View) -> Decision:
    try:
        return bot.decide(view)
    except BadBook as error:
        raise Failure(str(error)) from None


def deepening(bot: Bot, view: View) -> Iterator[Decision]:
    """The bot's decisions, from a glance to its own budget, each of twice the playouts."""
    times = 1
    while True:
        thinker = bot.within(times)
        yield _decide(thinker, view)
        if thinker == bot.within(2 * times):
            return
        times *= 2


def leela_line(decision: Decision, request: Request) -> str:
    """Winning chances in ten-thousandths."""

    def told(order: int, one: Candidate) -> str:
        where = vertex(one.point, decision.view.rules.size)
        return (
            f"info move {where} visits {one.visits} winrate {round(one.value * 10000)}"
            f" prior 0 lcb {round(_lower_bound(one) * 10000)} order {order} pv {where}"
        )

    return " ".join(told(order, one) for order, one in _told(decision, request))


def katago_line(decision: Decision, request: Request) -> str:
    """Winning chances from 0 to 1 and leads in points, of the side that is analyzed for."""

    def told(order: int, one: Candidate) -> str:
        where = vertex(one.point, decision.view.rules.size)
        return (
            f"info move {where} visits {one.visits} edgeVisits {one.visits}"
            f" utility {2 * one.value - 1:.4f} winrate {one.value:.4f}"
            f" scoreMean {one.lead:.2f} scoreLead {one.lead:.2f} prior 0"
            f" lcb {_lower_bound(one):.4f} order {order} pv {where}"
        )

    infos = [told(order, one) for order, one in _told(decision, request)]
    if request.ownership:
        infos.append("ownership " + " ".join(ownership(decision)))
    return " ".join(infos)


def _told(decision: Decision, request: Request) -> Iterator[tuple[int, Candidate]]:
    side, size = decision.view.colour, decision.view.rules.size
    found = (c for c in decision.candidates if request.permits(side, vertex(c.point, size)))
    return islice(enumerate(found), request.most)


def _lower_bound(one: Candidate) -> float:
    """What the chance exceeds with 97.5 % confidence, as far as playouts go (Wald's interval)."""
    return max(one.value - 1.96 * math.sqrt(one.value * (1 - one.value) / one.visits), 0.0)


def ownership(decision: Decision) -> list[str]:
    """For each point from the top left: 1 for an own stone, down to -1 for a located enemy.

    What is between is the belief that an enemy stone stands there; KataGo's sign, where the side
    that is analyzed for is positive.
    """
    view, shares = decision.view, decision.stone_shares
    size = view.rules.size

    def owned(point: int) -> str:
        if view.own >> point & 1:
            return "1"
        if view.located >> point & 1:
            return "-1"
        return f"{-shares.get(point, 0.0):.3f}"

    return " ".join(display.rows(size, owned)).split()
