"""Players of all games, created from specs, as bots are."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self, cast

from bots.spec import ENGINE, is_engine
from phantomgo.errors import BadText
from phantomgo.game.points import Move
from phantomgo.papers.games.openspiel import OpenSpiel, SpielState
from phantomgo.papers.games.player import GamePlayer, drawn_move, stream
from phantomgo.papers.games.state import GameState, OtherGame, Searchable
from phantomgo.values import Form, Whole, kind_of, options

PLAYOUTS: Final = Whole(1, 10_000_000)
PROBE: Final = 20
"""Playouts per decision in the games that identify a player."""


@dataclass(frozen=True)
class Random(GamePlayer):
    """Chooses uniformly among the moves worth considering."""

    name = "random"

    def choose(self, state: GameState, seed: int) -> Move:
        return drawn_move(state, seed)


@dataclass(frozen=True)
class FlatSearch(GamePlayer):
    """Flat Monte Carlo: equally many random playouts of each move; the one that wins most is
    played.

    Ties are broken at random.

    Attributes:
        playouts: playouts per decision, divided among the moves; at least one each.
    """

    playouts: int = 100

    @property
    def name(self) -> str:
        return f"flatmc:playouts={self.playouts}"

    def unfit(self, game: OtherGame) -> str | None:
        return None if game.playouts else "it has no playouts"

    def within(self) -> Self:
        return replace(self, playouts=min(self.playouts, PROBE))

    def choose(self, state: GameState, seed: int) -> Move:
        moves = state.moves
        if len(moves) == 1:
            return moves[0]
        random, searched = stream(state, seed), cast(Searchable, state)
        points = searched.points(max(1, self.playouts // len(moves)), random.below(1 << 32))
        best = [move for move, won in zip(moves, points, strict=True) if won == max(points)]
        return best[random.below(len(best))]


@dataclass(frozen=True)
class TreeSearch(GamePlayer):
    """OpenSpiel's tree search (UCT; Kocsis and Szepesvari 2006), with a new tree for each decision.

    Attributes:
        simulations: simulations per decision.
    """

    simulations: int = 100

    @property
    def name(self) -> str:
        return f"mcts:simulations={self.simulations}"

    def unfit(self, game: OtherGame) -> str | None:
        if isinstance(game, OpenSpiel):
            return None if game.perfect else "it would search what is hidden from it"
        return "it plays games of OpenSpiel"

    def within(self) -> Self:
        return replace(self, simulations=min(self.simulations, PROBE))

    def choose(self, state: GameState, seed: int) -> Move:
        assert isinstance(state, SpielState)
        return state.searched(self.simulations, stream(state, seed).below(1 << 31))


PLAYERS: Final[Mapping[str, tuple[type[GamePlayer], Mapping[str, Form]]]] = {
    "random": (Random, {}),
    "flatmc": (FlatSearch, {"playouts": PLAYOUTS}),
    "mcts": (TreeSearch, {"simulations": PLAYOUTS}),
}
"""The players by name, with the keys of their specs."""


def make_player(spec: str, game: OtherGame) -> GamePlayer:
    """The player that a spec names, for a game that it can play."""
    made: GamePlayer
    if is_engine(spec):
        from phantomgo.papers.games.engines import SeededEngine  # noqa: PLC0415  (the compiler, half a second)

        made = SeededEngine(spec)
    else:
        kind, tail = kind_of(spec, [*PLAYERS, ENGINE], f"player of {game.name}")
        player, forms = PLAYERS[kind]
        made = player(**options(kind, tail, forms))
    reason = made.unfit(game)
    if reason is not None:
        raise BadText(f"{made.name} cannot play {game.name}: {reason}")
    return made
