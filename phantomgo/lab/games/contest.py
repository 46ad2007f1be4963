"""Another game as a contest: its games are pairs of seeds, as those of Phantom Go are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gtp.channel import ChannelError
from phantomgo.identity import Identity
from phantomgo.lab.games.players import GamePlayer, make_player
from phantomgo.lab.games.table import identify_player, make_game, play
from phantomgo.lab.run.contest import SEEDS, Contest, Game, Result
from phantomgo.points import BLACK, WHITE, Colour
from phantomgo.portfolio.setup import OtherSetup


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

    def play(self, games: Sequence[Game]) -> list[Result]:
        return [self._play_one(seeds) for seeds in games]

    def _play_one(self, seeds: Game) -> Result:
        try:
            return Result(play(make_game(self.setup.game), self._made, seeds).result)
        except ChannelError as error:
            return Result("", void=f"an engine {error}")
