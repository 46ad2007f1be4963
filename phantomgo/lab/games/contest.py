"""The games by name, games played, and a contest of them: pairs of seeds, as in Phantom Go."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Final, NamedTuple

from gtp.channel import ChannelError
from phantomgo.game.points import BLACK, MAX_SIZE, MIN_SIZE, RESIGN, WHITE, Colour, Move
from phantomgo.identity import Identity
from phantomgo.lab.games.players import GamePlayer, decided, make_player
from phantomgo.lab.games.state import WON, OtherGame
from phantomgo.lab.players.identity import digest_of
from phantomgo.lab.run.contest import SEEDS, Contest, GameNumber, Result
from phantomgo.portfolio.matrix import shell
from phantomgo.portfolio.setup import OtherSetup
from phantomgo.values import Form, Number, Whole, kind_of, options

_SIZE: Final = Whole(MIN_SIZE, MAX_SIZE)
GAMES: Final[Mapping[str, tuple[str, Mapping[str, Form]]]] = {
    "domineering": ("domineering:Domineering", {"size": _SIZE}),
    "atarigo": ("stones:AtariGo", {"size": _SIZE}),
    "go": ("stones:Go", {"size": _SIZE, "komi": Number(0, 1000, 3)}),
}
"""Games by name: their module and class, and the keys of their specs. Modules are imported when
needed, as most load the compiler."""
SHELLS: Final = 4
"""Shells of its seeds' matrix that make a player's identity."""


def make_game(spec: str) -> OtherGame:
    """The game of a spec."""
    kind, tail = kind_of(spec, GAMES, "game")
    place, forms = GAMES[kind]
    module, _, name = place.partition(":")
    game: type[OtherGame] = getattr(import_module(f"phantomgo.lab.games.{module}"), name)
    return game(**options(kind, tail, forms))


class Finished(NamedTuple):
    """A game that is over: who won, and all moves."""

    result: str
    moves: tuple[Move, ...]


def play(game: OtherGame, players: Mapping[Colour, GamePlayer], seeds: tuple[int, int]) -> Finished:
    """A game of two players with their seeds, Black's first; always the same one.

    A player who proposes an illegal move or resigns loses.

    Raises:
        ChannelError: a player is an engine that does not answer as it should.
    """
    state, moves = game.start(), []
    while state.result is None:
        mover = state.mover
        move = decided(game, players[mover], seeds[mover - BLACK], state)
        moves.append(move)
        if move == RESIGN or not state.allows(move):
            return Finished(WON[mover.other], tuple(moves))
        state = state.after(move)
    return Finished(state.result, tuple(moves))


def identify_player(game: OtherGame, spec: str) -> Identity:
    """The identity of a player: digests of their games against themselves with small budgets."""
    player = make_player(spec, game)
    shells = () if player.engine else range(SHELLS)
    games = tuple(_digest(game, player.within(), number) for number in shells)
    return Identity(player.name, games=games, data=player.data)


def _digest(game: OtherGame, player: GamePlayer, number: int) -> str:
    """A digest of the games of a shell."""
    both = dict.fromkeys(Colour, player)
    return digest_of(str(play(game, both, seeds)) for seeds in shell(number, number + 1))


def make_other_setup(game: str, black: str, white: str) -> OtherSetup:
    """The setup of games between two players, identifying both now."""
    made = make_game(game)
    players = [identify_player(made, spec) for spec in (black, white)]
    return OtherSetup(players[0], players[1], made.name)


@dataclass(frozen=True)
class OtherGames(Contest):
    """The games of a setup: Black's seed and White's to `B+`, `W+` or `0`.

    Attributes:
        setup: who plays whom, and what.
    """

    setup: OtherSetup

    @property
    def players(self) -> tuple[Identity, Identity]:
        return self.setup.black, self.setup.white

    @property
    def terms(self) -> Mapping[str, object]:
        return {"game": SEEDS, "of": self.setup.game}

    @cached_property
    def _made(self) -> Mapping[Colour, GamePlayer]:
        game = make_game(self.setup.game)
        names = zip((BLACK, WHITE), self.players, strict=True)
        return {colour: make_player(player.name, game) for colour, player in names}

    @property
    def engines(self) -> bool:
        return any(player.engine for player in self._made.values())

    def play(self, games: Sequence[GameNumber]) -> list[Result]:
        return [self._play_one(seeds) for seeds in games]

    def _play_one(self, seeds: GameNumber) -> Result:
        try:
            return Result(play(make_game(self.setup.game), self._made, seeds).result)
        except ChannelError as error:
            return Result("", void=f"an engine {error}")
