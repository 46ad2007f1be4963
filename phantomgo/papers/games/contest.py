"""The table of games, and their contest: games between pairs of seeds, as in Phantom Go."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Final, NamedTuple, Self

from gtp.channel import ChannelError
from phantomgo.game.points import BLACK, MAX_SIZE, MIN_SIZE, RESIGN, WHITE, Colour, Move
from phantomgo.identity import Identity
from phantomgo.lab.players.identity import digest_of
from phantomgo.lab.run.contest import SEEDS, Contest, GameNumber, Result
from phantomgo.papers.games.openspiel import HiddenStones, OpenSpiel
from phantomgo.papers.games.player import GamePlayer, drawn_move
from phantomgo.papers.games.players import make_player
from phantomgo.papers.games.state import WON, GameState, OtherGame
from phantomgo.portfolio.matrix import shell
from phantomgo.rng import luck_number
from phantomgo.values import Form, Number, Whole, kind_of, options

_SIZE: Final = Whole(MIN_SIZE, MAX_SIZE)
_KOMI: Final = Number(0, 1000, 3)
GAMES: Final[Mapping[str, tuple[str, Mapping[str, Form]]]] = {
    "domineering": ("domineering:Domineering", {"size": _SIZE}),
    "atarigo": ("stones:AtariGo", {"size": _SIZE}),
    "go": ("stones:Go", {"size": _SIZE, "komi": _KOMI}),
    "batoo": ("stones:Batoo", {"size": _SIZE, "komi": _KOMI, "stones": Whole(1, 20)}),
    "morra": ("morra:Morra", {"rounds": Whole(1, 1000)}),
}
"""Games by name: their module and class, and the keys of their specs. Modules are imported when
needed, as most load the compiler."""
OF_OPENSPIEL: Final[Mapping[str, type[OpenSpiel | HiddenStones]]] = {
    "openspiel": OpenSpiel,
    "phantom": HiddenStones,
}
"""Games that OpenSpiel creates from the rest of the spec."""
SHELLS: Final = 4
"""Shells of the seed matrix whose games identify a player."""


def make_game(spec: str) -> OtherGame:
    """The game of a spec."""
    kind, tail = kind_of(spec, [*GAMES, *OF_OPENSPIEL], "game")
    if kind in OF_OPENSPIEL:
        return OF_OPENSPIEL[kind].made(tail)
    place, forms = GAMES[kind]
    module, _, name = place.partition(":")
    game: type[OtherGame] = getattr(import_module(f"phantomgo.papers.games.{module}"), name)
    return game(**options(kind, tail, forms))


class Finished(NamedTuple):
    """A finished game: its winner and all moves."""

    result: str
    moves: tuple[Move, ...]


def play(
    game: OtherGame,
    players: Mapping[Colour, GamePlayer],
    seeds: tuple[int, int],
    begun: GameState | None = None,
) -> Finished:
    """Play a game of two players with their seeds, Black's first; it always ends the same way.

    It begins with the position `begun`, if one is given.

    A player who proposes an illegal move or resigns loses.

    Raises:
        ChannelError: a player is an engine that does not answer as it should.
    """
    state, moves = begun or game.start(luck_number(*seeds)), list[Move]()
    with ExitStack() as seats:
        choose = {
            colour: seats.enter_context(player.seated(game, seeds[colour - BLACK]))
            for colour, player in players.items()
        }
        while state.result is None:
            mover = state.mover
            blind = state.blind
            move = drawn_move(state, seeds[mover - BLACK]) if blind else choose[mover](state)
            moves.append(move)
            if move == RESIGN or not state.allows(move):
                return Finished(WON[mover.other], tuple(moves))
            state = state.after(move)
    return Finished(state.result, tuple(moves))


def result_of(
    game: OtherGame,
    players: Mapping[Colour, GamePlayer],
    seeds: tuple[int, int],
    begun: GameState | None = None,
) -> Result:
    """The result of a game, as `play` has it; void if an engine does not answer as it should."""
    try:
        return Result(play(game, players, seeds, begun).result)
    except ChannelError as error:
        return Result("", void=f"an engine {error}")


def identify_player(game: OtherGame, spec: str) -> Identity:
    """The identity of a player: digests of their games against themselves with small budgets."""
    player = make_player(spec, game)
    shells = () if player.engine else range(SHELLS)
    games = tuple(_digest(game, player.within(), number) for number in shells)
    return Identity(player.name, games=games, data={**game.data, **player.data})


def _digest(game: OtherGame, player: GamePlayer, number: int) -> str:
    """The digest of a shell's games."""
    both = dict.fromkeys(Colour, player)
    return digest_of(str(play(game, both, seeds)) for seeds in shell(number, number + 1))


@dataclass(frozen=True)
class OtherGames(Contest):
    """The games of two players: Black's seed and White's to `B+`, `W+` or `0`.

    Attributes:
        game: the game's spec.
        black: the player of Black, who begins.
        white: the player of White.
    """

    game: str
    black: Identity
    white: Identity

    @classmethod
    def of(cls, game: str, black: str, white: str | None = None) -> Self:
        """The contest of these players, who are identified now; White's defaults to Black's."""
        made = make_game(game)
        players = {spec: identify_player(made, spec) for spec in {black, white or black}}
        return cls(made.name, players[black], players[white or black])

    @property
    def players(self) -> tuple[Identity, Identity]:
        return self.black, self.white

    @property
    def terms(self) -> Mapping[str, object]:
        return {"game": SEEDS, "of": self.game}

    @cached_property
    def _made(self) -> tuple[OtherGame, Mapping[Colour, GamePlayer]]:
        game = make_game(self.game)
        names = zip((BLACK, WHITE), self.players, strict=True)
        return game, {colour: make_player(player.name, game) for colour, player in names}

    @property
    def engines(self) -> bool:
        return any(player.engine for player in self._made[1].values())

    def play(self, games: Sequence[GameNumber]) -> list[Result]:
        return [result_of(*self._made, seeds) for seeds in games]
