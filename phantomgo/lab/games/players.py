"""Players for all games, made from specs, as bots are.

A decision is a function of the player, the seed, and what the player knows, so a process remembers
it: the seeds of a matrix come to the same positions again and again.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol, Self

from bots.spec import ENGINE, is_engine
from phantomgo.errors import BadText
from phantomgo.game.points import Move
from phantomgo.lab.games.state import GameState, OtherGame
from phantomgo.rng import Stream, decision_key
from phantomgo.values import Form, Whole, kind_of, options

MOST: Final = 200_000
"""The most decisions that are remembered: 64 MB in each worker, at about 325 bytes each.

Remembering a third of a matrix's decisions takes 1.03 times the processor time of remembering all,
a twelfth 1.1 times (70 seeds, Domineering on 6x6, `flatmc:playouts=30`).
"""
PLAYOUTS: Final = Whole(1, 10_000_000)
PROBE: Final = 20
"""Playouts of a decision in the games that identify a player."""


class GamePlayer(Protocol):
    """A player without a seed. Hashable and picklable."""

    @property
    def name(self) -> str:
        """The spec that makes them."""

    @property
    def engine(self) -> bool:
        """True if another program decides their moves."""
        return False

    @property
    def data(self) -> Mapping[str, str]:
        """The libraries that decide their moves, with versions; none by default."""
        return {}

    def unfit(self, game: OtherGame) -> str | None:  # noqa: ARG002
        """The reason, in a clause, why they cannot play a game; None, the default, if they can."""
        return None

    def within(self) -> Self:
        """The same player with a budget just large enough to identify them; by default theirs."""
        return self

    def choose(self, state: GameState, seed: int) -> Move:
        """Their move, or RESIGN; ChannelError if an engine does not answer as it should."""


@dataclass(frozen=True)
class Random(GamePlayer):
    """Chooses evenly among the moves worth considering."""

    name = "random"

    def choose(self, state: GameState, seed: int) -> Move:
        return state.moves[stream(state, seed).below(len(state.moves))]


@dataclass(frozen=True)
class FlatSearch(GamePlayer):
    """Flat Monte Carlo: the move that wins most of equally many random playouts.

    Ties are broken at random.

    Attributes:
        playouts: playouts per decision, divided among the moves; at least one each.
    """

    playouts: int = 100

    @property
    def name(self) -> str:
        return f"flatmc:playouts={self.playouts}"

    def within(self) -> Self:
        return replace(self, playouts=min(self.playouts, PROBE))

    def choose(self, state: GameState, seed: int) -> Move:
        moves = state.moves
        if len(moves) == 1:
            return moves[0]
        random = stream(state, seed)
        points = state.points(max(1, self.playouts // len(moves)), random.below(1 << 32))
        best = [move for move, won in zip(moves, points, strict=True) if won == max(points)]
        return best[random.below(len(best))]


PLAYERS: Final[Mapping[str, tuple[type[GamePlayer], Mapping[str, Form]]]] = {
    "random": (Random, {}),
    "flatmc": (FlatSearch, {"playouts": PLAYOUTS}),
}
"""Players by name, with the keys of their specs."""


def make_player(spec: str, game: OtherGame) -> GamePlayer:
    """The player that a spec names, for a game that it can play."""
    made: GamePlayer
    if is_engine(spec):
        from phantomgo.lab.games.engines import SeededEngine  # noqa: PLC0415  (the compiler, half a second)

        made = SeededEngine(spec)
    else:
        kind, tail = kind_of(spec, [*PLAYERS, ENGINE], f"player of {game.name}")
        player, forms = PLAYERS[kind]
        made = player(**options(kind, tail, forms))
    reason = made.unfit(game)
    if reason is not None:
        raise BadText(f"{made.name} cannot play {game.name}: {reason}")
    return made


def stream(state: GameState, seed: int) -> Stream:
    """The random numbers of a decision."""
    return Stream(decision_key(seed, state.mover, state.turn, 0))


_decisions: dict[tuple[str, GamePlayer, int, int, Hashable], Move] = {}


def decided(game: OtherGame, player: GamePlayer, seed: int, state: GameState) -> Move:
    """A player's move: remembered, or chosen now."""
    key = (game.name, player, seed, state.mover, state.known)
    move = _decisions.get(key)
    if move is None:
        if len(_decisions) >= MOST:
            _decisions.clear()
        move = _decisions[key] = player.choose(state, seed)
    return move
