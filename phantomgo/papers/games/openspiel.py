"""Games of OpenSpiel (Lanctot et al. 2019), an optional package, and phantom versions of them.

openspiel:breakthrough(rows=5,columns=5)      a game of two players in turn
phantom:mnk(m=4,n=4,k=4)                      a game in which players see only their own stones
"""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import version
from typing import Any, Final, Protocol, Self

from phantomgo.errors import BadText, MissingExtra
from phantomgo.game.points import BLACK, WHITE, Colour, Move
from phantomgo.papers.games.state import DRAWN, WON, GameState, OtherGame
from phantomgo.rng import Stream, mix

PLACING: Final = ("tic_tac_toe", "mnk", "hex")
"""Games without hidden information in which a move puts a stone on an empty cell."""
EXPLORATION: Final = 1.4
"""UCT's constant."""
MEGABYTES: Final = 1000
_HUGE: Final = re.compile(r"[0-9]{4}")


@cache
def package() -> Any:
    """OpenSpiel.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import pyspiel  # noqa: PLC0415  (optional)
    except ModuleNotFoundError as error:
        raise MissingExtra("games of OpenSpiel", "open_spiel", "games") from error
    return pyspiel


@cache
def _loaded(text: str) -> Any:
    """The OpenSpiel game of a text.

    Raises:
        BadText: there is none, or it is not for two players in turn.
    """
    spiel = package()
    kind = text.partition("(")[0]
    if kind not in spiel.registered_names():
        raise BadText(f"OpenSpiel {version('open_spiel')} has no game {kind[:40]!r}")
    if _HUGE.search(text):
        raise BadText(f"openspiel:{text[:60]} has a number above 999")
    try:
        game = spiel.load_game(text)
    except spiel.SpielError as error:
        why = " ".join(str(error).split())[:160]
        raise BadText(f"OpenSpiel does not make a game of {text[:60]!r}: {why}") from error
    about = game.get_type()
    if game.num_players() != 2 or about.dynamics != spiel.GameType.Dynamics.SEQUENTIAL:
        raise BadText(f"openspiel:{text[:60]} is not a game of two players in turn")
    if not about.provides_information_state_string and not _perfect(game):
        raise BadText(f"openspiel:{text[:60]} does not say what a player knows")
    return game


def _perfect(game: Any) -> bool:
    information = game.get_type().information
    return bool(information == package().GameType.Information.PERFECT_INFORMATION)


def _colour(state: Any) -> Colour:
    return BLACK if state.current_player() == 0 else WHITE


def _result(state: Any) -> str | None:
    if not state.is_terminal():
        return None
    black, white = state.returns()
    return DRAWN if black == white else WON[BLACK if black > white else WHITE]


class _OfOpenSpiel(OtherGame, Protocol):
    @property
    def data(self) -> Mapping[str, str]:
        return {"open_spiel": version("open_spiel")}

    @property
    def playouts(self) -> bool:
        return False


@dataclass(frozen=True)
class OpenSpiel(_OfOpenSpiel):
    """A game of OpenSpiel; `text` is how OpenSpiel writes it."""

    text: str

    @classmethod
    def made(cls, text: str) -> Self:
        """The game of a text, which is replaced by OpenSpiel's canonical form.

        Raises:
            BadText: see `_loaded`.
        """
        return cls(str(_loaded(text)))

    @property
    def name(self) -> str:
        return f"openspiel:{self.text}"

    @property
    def perfect(self) -> bool:
        """True if nothing is hidden."""
        return _perfect(_loaded(self.text))

    def start(self, luck: int) -> "SpielState":
        return SpielState(_loaded(self.text).new_initial_state(), luck, self.perfect).settled()


@dataclass(frozen=True)
class SpielState(GameState):
    """An OpenSpiel state, never changed, at a player's decision or at the end of the game.

    Attributes:
        state: the state.
        luck: the random stream of dice and cards.
        perfect: whether nothing is hidden.
    """

    state: Any = field(compare=False)
    luck: int
    perfect: bool

    def settled(self) -> Self:
        """The position after all pending chance events."""
        state = self.state
        while state.is_chance_node():
            drawn = Stream(mix(self.luck + state.move_number())).below(1 << 32) / (1 << 32)
            outcomes: list[tuple[Move, float]] = state.chance_outcomes()
            reached = 0.0
            for outcome, probability in outcomes:  # noqa: B007  (the one at which it stops)
                reached += probability
                if drawn < reached:
                    break
            state = state.child(outcome)
        return type(self)(state, self.luck, self.perfect)

    @property
    def mover(self) -> Colour:
        return _colour(self.state)

    @cached_property
    def turn(self) -> int:
        """The number of the mover's decisions; the number of all moves would reveal how many were
        refused.
        """
        player = self.state.current_player()
        return sum(step.player == player for step in self.state.full_history())

    @cached_property
    def known(self) -> Hashable:
        if self.perfect:
            return tuple(self.state.history())
        return self.state.information_state_string(self.state.current_player())  # type: ignore[no-any-return]

    @cached_property
    def moves(self) -> Sequence[Move]:
        moves: list[Move] = self.state.legal_actions()
        return moves

    @cached_property
    def result(self) -> str | None:
        return _result(self.state)

    def allows(self, move: Move) -> bool:
        return move in self.moves

    def after(self, move: Move) -> Self:
        return type(self)(self.state.child(move), self.luck, self.perfect).settled()

    def searched(self, simulations: int, seed: int) -> Move:
        """The move of a new tree search, in a game without hidden information."""
        assert self.perfect
        spiel = package()
        evaluator, solve, verbose = spiel.RandomRolloutEvaluator(1, seed), True, False
        bot = spiel.MCTSBot(
            self.state.get_game(), evaluator, EXPLORATION, simulations, MEGABYTES, solve, seed,
            verbose,
        )  # fmt: skip
        move: Move = bot.step(self.state)
        return move


@dataclass(frozen=True)
class HiddenStones(_OfOpenSpiel):
    """A game whose players see only their own stones, and learn which attempts were refused.

    Attributes:
        text: the game without hidden information, as OpenSpiel writes it; one of PLACING.
    """

    text: str

    @classmethod
    def made(cls, text: str) -> Self:
        """The phantom game of a text.

        Raises:
            BadText: OpenSpiel has no such game, or its moves are not stones on cells.
        """
        game = _loaded(text)
        kind = game.get_type().short_name
        if kind not in PLACING:
            raise BadText(f"phantom:{kind}: not one of {', '.join(PLACING)}")
        return cls(str(game))

    @property
    def name(self) -> str:
        return f"phantom:{self.text}"

    def start(self, _luck: int) -> "HiddenBoard":
        return HiddenBoard(_loaded(self.text).new_initial_state(), {BLACK: (), WHITE: ()})


@dataclass(frozen=True)
class HiddenBoard(GameState):
    """A position of a phantom game.

    Attributes:
        state: the true position, which is never changed.
        tried: the cells that each player has attempted, in order, and whether each was accepted.
    """

    state: Any = field(compare=False)
    tried: Mapping[Colour, tuple[tuple[Move, bool], ...]]

    @property
    def mover(self) -> Colour:
        return _colour(self.state)

    @property
    def turn(self) -> int:
        return len(self.tried[self.mover])

    @property
    def known(self) -> Hashable:
        return self.tried[self.mover]

    @cached_property
    def moves(self) -> Sequence[Move]:
        """The cells that may be empty, as far as the player to move knows."""
        cells = range(self.state.get_game().num_distinct_actions())
        attempted = {cell for cell, _ in self.tried[self.mover]}
        return [cell for cell in cells if cell not in attempted]

    @cached_property
    def result(self) -> str | None:
        return _result(self.state)

    def allows(self, move: Move) -> bool:
        return move in self.moves

    def after(self, move: Move) -> Self:
        """The position after an attempt; after a refusal the same player is to move."""
        put = move in self.state.legal_actions()
        mine = (*self.tried[self.mover], (move, put))
        state = self.state.child(move) if put else self.state
        return type(self)(state, {**self.tried, self.mover: mine})
