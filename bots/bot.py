"""The base of all bots, and the parameters of their specs.

A bot is a frozen dataclass, made for a game and with a seed. Each field made with `parameter`,
`decimal`, `choice` or `source` is a key of its spec.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from importlib import import_module
from typing import Any, ClassVar, Self, TypeAlias

from bots.belief import even_probabilities, presume_refused
from bots.deployed import NONE
from phantomgo.game.beginning import Game
from phantomgo.game.player import Decision
from phantomgo.game.points import Point
from phantomgo.game.view import View
from phantomgo.rng import Stream, checked_seed, decision_key
from phantomgo.values import Choice, Form, Number, Source, Value, Whole, options, written


def parameter(default: int, low: int, high: int, meaning: str) -> Any:
    """A dataclass field that is a whole-number key of the bot's spec."""
    return _key(default, Whole(low, high), meaning)


def decimal(default: float, high: int, meaning: str) -> Any:
    """A dataclass field that is a key of the bot's spec: a number from 0 on, up to 3 decimals."""
    return _key(default, Number(0, high, 3), meaning)


def choice(default: str, options: Sequence[str], meaning: str) -> Any:
    """A dataclass field that is a key of the bot's spec; its value is one of these words."""
    return _key(default, Choice(tuple(options)), meaning)


def source(default: str, what: str, meaning: str) -> Any:
    """A dataclass field that is a key of the bot's spec: a name, or a file."""
    return _key(default, Source(what), meaning)


def _key(default: Value, form: Form, meaning: str) -> Any:
    return field(default=default, metadata={"form": form, "meaning": meaning})


@dataclass(frozen=True)
class Bot(ABC):
    """Base of every bot: the game it is made for, its seed and its parameters, nothing else.

    A bot's attempt is a pure function of these and the view it is given, unless it is asked to play
    by the clock.
    """

    kind: ClassVar[str]
    """Its name in specs; that of a foreign bot is set when it is loaded."""
    budget: ClassVar[str] = "playouts"
    """The parameter that says how long it thinks, where it has one."""
    probe: ClassVar[Mapping[str, int]] = {"playouts": 200}
    """The parameters that say how long it thinks, each with a value that keeps a game short."""
    kernels: ClassVar[tuple[Any, ...]] = ()
    """The large kernels that its first attempt calls."""
    game: Game
    seed: int

    @property
    def deterministic(self) -> bool:
        """True if an attempt is a function of spec, game, seed and view; False on a clock."""
        return True

    @property
    def foreign(self) -> bool:
        """True if code from outside this project takes part."""
        return False

    @property
    def default_book(self) -> str:
        """The value of `book` if a spec omits it."""
        return NONE

    def with_budget(self, times: int) -> Self:
        """The same bot with at most `times` the budget of a `probe`, and without a clock."""
        keys = {f.name for f in parameters(type(self))}
        less: dict[str, Any] = {"time": 0.0} if "time" in keys else {}
        less |= {k: min(getattr(self, k), times * m) for k, m in self.probe.items() if k in keys}
        return replace(self, **less)

    def data(self) -> Mapping[str, str]:
        """The learned data that the bot uses on any board, with digests; none by default."""
        return {}

    @abstractmethod
    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        """The move to attempt, with the candidates: the one method that every bot defines.

        Args:
            view: what the player knows.
            seconds: for the decision, if a controller has set a time limit. A bot that heeds it is
                not a pure function of the view then.
        """

    def stone_probabilities(self, view: View) -> Mapping[Point, float]:
        """The probability of an enemy stone on each point that may have one.

        This is the bot's belief, counted in the worlds that its decisions use. Located stones are
        excluded. For a bot that draws no worlds, hidden stones are spread evenly.
        """
        return even_probabilities(view, presume_refused(view))

    def opens_from(self, view: View) -> str | None:  # noqa: ARG002
        """The name of the book that plays in this view; None without one."""
        return None

    def stream(self, view: View) -> Stream:
        """The random stream of a decision, the same for each call with this seed and view."""
        return Stream(decision_key(self.seed, view.colour, view.turn, view.refusals))

    @property
    def possible_players(self) -> Sequence["Bot"]:
        """The bots that may play in its game, whatever the seed."""
        return [self]

    def warm_up(self) -> None:  # noqa: B027
        """Do the work that the first attempt would otherwise wait for.

        By default nothing; a bot with kernels loads or compiles them.
        """

    @property
    def name(self) -> str:
        """The spec of this bot, with the parameters that differ from their defaults."""
        return canonical(self, NONE)


def canonical(bot: Bot, book: str) -> str:
    """The spec of a bot with an opening book and the parameters not at their defaults."""
    options = [
        f"{f.name}={written(getattr(bot, f.name))}"
        for f in parameters(type(bot))
        if getattr(bot, f.name) != f.default
    ]
    if book != bot.default_book:
        options.append(f"book={book}")
    return bot.kind + (":" + ",".join(options) if options else "")


@dataclass(frozen=True)
class Delegate(Bot):
    """A bot that passes decisions and beliefs to other bots."""

    @property
    @abstractmethod
    def players(self) -> tuple[Bot, ...]:
        """Every bot that may answer with this seed."""

    @abstractmethod
    def player(self, view: View) -> Bot:
        """The bot that answers in this view."""

    @property
    def deterministic(self) -> bool:
        return all(bot.deterministic for bot in self.players)

    @property
    def foreign(self) -> bool:
        return any(bot.foreign for bot in self.players)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        return self.player(view).decide(view, seconds)

    def stone_probabilities(self, view: View) -> Mapping[Point, float]:
        return self.player(view).stone_probabilities(view)

    @property
    def possible_players(self) -> Sequence[Bot]:
        return [player for bot in self.players for player in bot.possible_players]

    @property
    def kernels(self) -> tuple[Any, ...]:  # type: ignore[override]
        return tuple(dict.fromkeys(kernel for bot in self.players for kernel in bot.kernels))

    def data(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        items = (item for bot in self.players for item in bot.data().items())
        for what, digest in dict.fromkeys(items):
            found[what] = f"{found[what]} {digest}" if what in found else digest
        return found


Make: TypeAlias = Callable[[str, Game, int], Bot]
"""Makes the bot of a spec, for a game and with a seed."""
BotBySeed: TypeAlias = Callable[[int], Bot]
"""Makes a bot with a seed; its spec and its game are fixed."""


class BotTable(Mapping[str, type[Bot]]):
    """Bots by name, imported on demand, as most load the compiler for their kernels."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        """Args: paths: for each name, `MODULE:CLASS`."""
        self._paths = dict(paths)

    def __getitem__(self, kind: str) -> type[Bot]:
        module, _, name = self._paths[kind].partition(":")
        bot: type[Bot] = getattr(import_module(module), name)
        return bot

    def __contains__(self, kind: object) -> bool:
        return kind in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def parameters(bot: type[Bot]) -> list[Field[Any]]:
    """The fields of a bot that are keys of its spec, in order."""
    return [f for f in fields(bot) if "meaning" in f.metadata]


def build(bot: type[Bot], kind: str, tail: str, game: Game, seed: int) -> Bot:
    """Make a bot of this class; `kind` is its name and `tail` its options."""
    checked_seed(seed)
    forms = {f.name: f.metadata["form"] for f in parameters(bot)}
    return bot(game=game, seed=seed, **options(kind, tail, forms))
