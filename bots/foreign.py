"""Foreign bots: by `MODULE:CLASS`, or by the name that an installed package gives them.

A foreign bot is a subclass of `Bot`. It is imported only when a spec asks for it. While it plays it
is held to the contract: an exception, or an answer that is not a move, is a `Fault` and loses the
game, as with an engine.
"""

import math
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import Field, replace
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from operator import index
from typing import TYPE_CHECKING, Any, Final, Self

from bots.bot import Bot, build
from bots.spec import RESERVED, SHORT_NAMES, BotSpec, parse
from phantomgo.checks import unknown
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.player import Candidate, Decision
from phantomgo.game.points import PASS, RESIGN, Point, grid
from phantomgo.game.view import View

GROUP: Final = "phantomgo.bots"
"""The entry points by which a package offers its bots: `NAME = "MODULE:CLASS"`."""
NOT_THEIRS: Final = ("foreign", "game", "kernels", "name", "possible_players", "default_book")
"""Members that a foreign bot may not define."""
HOOKS: Final = ("warm_up", "opens_from", "hear_end")
"""Methods whose results need no check."""
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def installed(own: Mapping[str, object]) -> dict[str, str]:
    """The bots that installed packages offer: each name with its `MODULE:CLASS`.

    The names of our `own` bots are taken.

    Raises:
        BadText: a name is taken, or two packages offer it; the message names both.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415  (0.02 s, seldom needed)

    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, _package(p), p.value)):
        other = found.setdefault(point.name, point)
        taken = point.name in own or point.name in RESERVED
        if taken or (other.value, _package(other)) != (point.value, _package(point)):
            rival = "phantomgo" if taken else _package(other)
            raise BadText(
                f"both {rival} and {_package(point)} have a bot named {point.name!r}; uninstall"
                f" one of them, or name the class itself, {point.value}"
            )
    return {name: point.value for name, point in found.items()}


def _package(point: "EntryPoint") -> str:
    return point.dist.name if point.dist is not None else "an unnamed package"


def class_path(kind: str, own: Mapping[str, object]) -> str:
    """The MODULE:CLASS of a foreign bot, by its name in specs, `kind`; `own` are our bots."""
    if ":" in kind:
        return kind
    offered = installed(own)
    if kind not in offered:
        program = shutil.which(kind) and (f"{kind} --mode gtp" if kind == "gnugo" else kind)
        more = (
            f", {', '.join(SHORT_NAMES)}, or your own class as MODULE:CLASS; where engines are"
            f" allowed, 'gtp:{program or 'COMMAND LINE'}'"
        )
        raise BadText(unknown("bot", kind, [*sorted(own), *offered], more))
    return offered[kind]


def make_foreign(kind: str, path: str, tail: str, game: Game, seed: int) -> Bot:
    """The foreign bot of a spec: its name in specs, its MODULE:CLASS, and its options."""
    bot = foreign_class(kind, path)
    with _loading(kind, "making it"):
        made: Any = build(bot, kind, tail, game, seed)
        try:
            signature(super(Watched, made).decide).bind(None, 1.0)
        except TypeError as error:
            raise BadText(f"{kind} has no method decide(view, seconds): {error}") from None
    return made  # type: ignore[no-any-return]


@cache
def foreign_class(kind: str, path: str) -> type[Bot]:
    """The class at `path`, MODULE:CLASS, watched; `kind` is its name in specs."""
    if not path.isascii():
        raise BadText(f"no bot {kind!r}: its module and class need names in ASCII, as records do")
    module_name, _, name = path.partition(":")
    module = _module(kind, module_name)
    with _loading(kind, f"looking for {name}"):
        theirs = getattr(module, name, None)
    if not isinstance(theirs, type):
        where = getattr(sys.modules[module_name], "__file__", None) or module_name
        raise BadText(f"no bot {kind!r}: {where} has no class {name}")
    if not issubclass(theirs, Bot) or issubclass(theirs, Watched):
        raise BadText(f"{kind} is not a subclass of phantomgo.Bot")
    if reserved := [member for member in NOT_THEIRS if member in vars(theirs)]:
        raise BadText(f"{kind}: a bot may not define the member {reserved[0]}")
    if any(isinstance(value, Field) for value in vars(theirs).values()):
        raise BadText(f"{kind} has parameters, so it has to be a @dataclass(frozen=True)")
    if "decide" in getattr(theirs, "__abstractmethods__", ()):
        raise BadText(f"{kind} has no method decide(view, seconds)")
    hooks = {hook: _watched(hook) for hook in HOOKS if hasattr(theirs, hook)}
    return type(name, (Watched, theirs), {"kind": kind, "__module__": __name__, **hooks})


def _module(kind: str, name: str) -> Any:
    """A module; one that is not on Python's path is looked for in the working folder too."""
    with _loading(kind, f"importing {name}"):
        try:
            if name not in sys.modules and find_spec(name.partition(".")[0]) is None:
                sys.path.append(os.getcwd())
            return import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not name.startswith(error.name):
                raise
            raise BadText(
                f"no bot {kind!r}: there is no module {error.name} in {os.getcwd()} or on Python's"
                " path"
            ) from None


@contextmanager
def _errors_as(ours: Callable[[str], PhantomGoError]) -> Iterator[None]:
    """Raise an error of ours, made of its text, for one that a foreign bot raises in this block."""
    try:
        yield
    except PhantomGoError:
        raise
    except (Exception, SystemExit) as error:
        raise ours(" ".join(f"{type(error).__name__}: {error}".split())[:200]) from error


def _loading(kind: str, what: str) -> AbstractContextManager[None]:
    return _errors_as(lambda text: BadText(f"no bot {kind!r}: {what} failed: {text}"))


class Watched(Bot):
    """A mixin for a foreign bot's class that turns its errors into faults."""

    @property
    def foreign(self) -> bool:
        return True

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        """The bot's decision, checked.

        Raises:
            Fault: it is not one, its move is none, or none came.
        """
        with self._watch("decide"):
            decision = super().decide(view, seconds)  # type: ignore[safe-super]
        if not isinstance(decision, Decision):
            raise Fault(
                Ending.PROTOCOL, f"({self.name}) decided {_shown(decision)}, not a Decision"
            )
        move, points = decision.move, grid(view.rules.size).points
        try:
            number = index(move)
        except TypeError:
            number = points
        if isinstance(move, bool) or not (number in (PASS, RESIGN) or 0 <= number < points):
            raise Fault(
                Ending.PROTOCOL,
                f"({self.name}) proposed {_shown(move)}, which is not a point from 0 to"
                f" {points - 1}, PASS or RESIGN",
            )
        if number is move and decision.search is tuple:
            return decision
        return replace(decision, move=number, search=partial(self._considered, decision, points))

    def _considered(self, decision: Decision, points: int) -> tuple[Candidate, ...]:
        """The candidates of a decision, checked."""
        with self._watch("search"):
            for one in (found := decision.candidates):
                if not (isinstance(one, Candidate) and 0 <= index(one.point) < points):
                    raise ValueError(f"{_shown(one)} is not a Candidate on the board")
        return found

    def stone_probabilities(self, view: View) -> Mapping[Point, float]:
        with self._watch("stone_probabilities"):
            shares = {
                index(point): float(p) for point, p in super().stone_probabilities(view).items()
            }
        for point, share in shares.items():
            if not (0 <= point < grid(view.rules.size).points and 0 <= share <= 1):
                raise Fault(Ending.PROTOCOL, f"({self.name}) believes {share:g} of point {point}")
        return shares

    @property
    def deterministic(self) -> bool:
        with self._watch("deterministic"):
            return bool(super().deterministic)

    def with_budget(self, times: int) -> Self:
        with self._watch("with_budget"):
            bot = super().with_budget(times)
        if not isinstance(bot, Watched):
            raise Fault(Ending.PROTOCOL, f"({self.name}) with_budget gave {_shown(bot)}")
        return bot

    def data(self) -> Mapping[str, str]:
        with self._watch("data"):
            return {str(what): str(digest) for what, digest in super().data().items()}

    def _watch(self, what: str) -> AbstractContextManager[None]:
        return _errors_as(
            lambda text: Fault(Ending.CRASH, f"({self.name}) crashed in {what}: {text}")
        )

    def __reduce__(self) -> tuple[Callable[..., Bot], tuple[str, str, Game, int]]:
        ours = type(self).__mro__[2]  # after the watched class and Watched
        return _remade, (f"{ours.__module__}:{ours.__qualname__}", self.name, self.game, self.seed)


def _watched(hook: str) -> Callable[..., Any]:
    """The method of this name, watched."""

    def call(self: Watched, *given: Any) -> Any:
        with self._watch(hook):
            return getattr(super(Watched, self), hook)(*given)

    return call


def _remade(path: str, spec: str, game: Game, seed: int) -> Bot:
    """The bot of a class at `MODULE:CLASS`, whose spec this is."""
    named = parse(spec)
    assert isinstance(named, BotSpec)
    return make_foreign(named.name, path, named.options, game, seed)


def _shown(value: object) -> str:
    return repr(value)[:60]
