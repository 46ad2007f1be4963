"""The interface of players, and the cache of their decisions.

A decision is a function of the player, the seed, and the player's knowledge, so a process caches
it: the seeds of a matrix reach the same positions again and again.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Final, Protocol, Self, TypeAlias

from phantomgo.game.points import Move
from phantomgo.papers.games.state import GameState, OtherGame
from phantomgo.rng import Stream, decision_key

MOST: Final = 200_000
"""The size of the cache of decisions: 64 MB in each worker, at about 325 bytes each.

Caching a third of a matrix's decisions takes 1.03 times the processor time of caching all of them,
a twelfth 1.1 times (70 seeds, Domineering on 6x6, `flatmc:playouts=30`).
"""

Choose: TypeAlias = Callable[[GameState], Move]
"""A player with a seed in one game: returns a move, or RESIGN."""


class GamePlayer(Protocol):
    """A player without a seed. Hashable and picklable."""

    @property
    def name(self) -> str:
        """The player's spec."""

    @property
    def engine(self) -> bool:
        """True if another program chooses the moves."""
        return False

    @property
    def data(self) -> Mapping[str, str]:
        """The libraries that the moves depend on, with versions; none by default."""
        return {}

    def unfit(self, game: OtherGame) -> str | None:  # noqa: ARG002
        """The reason, as a clause, why the player cannot play a game; None, the default, if they
        can.
        """
        return None

    def within(self) -> Self:
        """The same player with the smallest budget that identifies it; by default unchanged."""
        return self

    def choose(self, state: GameState, seed: int) -> Move:
        """The player's move, or RESIGN."""

    @contextmanager
    def seated(self, game: OtherGame, seed: int) -> Iterator[Choose]:
        """The player with a seed, for one game."""
        yield partial(decided, game, self, seed)


def stream(state: GameState, seed: int) -> Stream:
    """The random stream of a decision."""
    return Stream(decision_key(seed, state.mover, state.turn, 0))


def drawn_move(state: GameState, seed: int) -> Move:
    """A move drawn uniformly from those worth considering."""
    return state.moves[stream(state, seed).below(len(state.moves))]


_decisions: dict[tuple[str, GamePlayer, int, int, Hashable], Move] = {}


def decided(game: OtherGame, player: GamePlayer, seed: int, state: GameState) -> Move:
    """A player's move, from the cache or chosen now."""
    key = (game.name, player, seed, state.mover, state.known)
    move = _decisions.get(key)
    if move is None:
        if len(_decisions) >= MOST:
            _decisions.clear()
        move = _decisions[key] = player.choose(state, seed)
    return move
