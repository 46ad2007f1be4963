"""Games of OpenSpiel (Lanctot et al. 2019), an optional package: `openspiel:nim`.

Two players, in turn. With hidden information a player's playouts begin in worlds drawn from what
they know: their own decisions are replayed, and the opponent's moves, which they have not seen,
are drawn until all that they have observed is as it was.
"""

import random
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import version
from typing import Any, Final, Self

from phantomgo.errors import BadText, MissingExtra
from phantomgo.lab.games.state import DRAWN, WON
from phantomgo.points import BLACK, WHITE, Colour, Move
from phantomgo.rng import Stream, mix

STEPS: Final = 100_000
"""Positions that are looked at to draw a world."""
BOARDS: Final = ("phantom_ttt", "dark_hex")
"""Games with hidden information whose text is the whole position."""
_HUGE: Final = re.compile(r"[0-9]{4}")


@cache
def _package() -> Any:
    """OpenSpiel.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import pyspiel  # noqa: PLC0415  (optional)
    except ModuleNotFoundError as error:
        raise MissingExtra("--game openspiel:NAME", "open_spiel", "games") from error
    return pyspiel


@cache
def _loaded(text: str) -> Any:
    """The game that OpenSpiel makes of a text.

    Raises:
        BadText: it makes none, or one that is not for two players in turn.
    """
    spiel = _package()
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
    return bool(information == _package().GameType.Information.PERFECT_INFORMATION)


@dataclass(frozen=True)
class OpenSpiel:
    """A game of OpenSpiel; `text` is how OpenSpiel writes it."""

    text: str

    @classmethod
    def made(cls, text: str) -> Self:
        """The game of a text, which OpenSpiel writes in its own way.

        Raises:
            BadText: see `_loaded`.
        """
        return cls(str(_loaded(text)))

    @property
    def name(self) -> str:
        return f"openspiel:{self.text}"

    @property
    def data(self) -> Mapping[str, str]:
        return {"open_spiel": version("open_spiel")}

    @property
    def perfect(self) -> bool:
        """True if nothing is hidden."""
        return _perfect(_loaded(self.text))

    @property
    def chance(self) -> bool:
        """True if dice or cards take part."""
        modes = _package().GameType.ChanceMode
        return bool(_loaded(self.text).get_type().chance_mode != modes.DETERMINISTIC)

    def start(self, luck: int) -> "Position":
        first = _loaded(self.text).new_initial_state()
        return Position(first, luck, self.perfect)._settled()


@dataclass(frozen=True)
class Position:
    """A state of OpenSpiel, which is never changed, at a player's decision or at the end.

    Attributes:
        state: the state.
        luck: the random stream of dice and cards.
        perfect: whether nothing is hidden.
    """

    state: Any = field(compare=False)
    luck: int
    perfect: bool

    def _settled(self) -> Self:
        """The position once chance has had its way."""
        state = self.state
        while state.is_chance_node():
            drawn = Stream(mix(self.luck + state.move_number())).below(1 << 32)
            state = state.child(_outcome(state, drawn / (1 << 32)))
        return type(self)(state, self.luck, self.perfect)

    @property
    def mover(self) -> Colour:
        return BLACK if self.state.current_player() == 0 else WHITE

    @cached_property
    def turn(self) -> int:
        return sum(step.player == self._player for step in self.state.full_history())

    @property
    def _player(self) -> int:
        player: int = self.state.current_player()
        return player

    @cached_property
    def known(self) -> Hashable:
        if self.perfect:
            return tuple(self.state.history())
        return self.state.information_state_string(self._player)  # type: ignore[no-any-return]

    @cached_property
    def future(self) -> Hashable:
        state = self.state
        if self.perfect or state.get_game().get_type().short_name not in BOARDS:
            return tuple(state.history())
        return str(state), state.information_state_string(1 - self._player), tuple(self.moves)

    @cached_property
    def moves(self) -> Sequence[Move]:
        moves: list[int] = self.state.legal_actions()
        return moves

    @cached_property
    def result(self) -> str | None:
        if not self.state.is_terminal():
            return None
        black, white = self.state.returns()
        return DRAWN if black == white else WON[BLACK if black > white else WHITE]

    def allows(self, move: Move) -> bool:
        return move in self.moves

    def after(self, move: Move) -> Self:
        return type(self)(self.state.child(move), self.luck, self.perfect)._settled()

    def points(self, each: int, key: int) -> Sequence[int]:
        """As for every state; each of the playouts begins in the same world for every move."""
        stream = random.Random(key)
        worlds = [self.state] * each if self.perfect else [self._world(stream) for _ in range(each)]
        return [sum(self._playout(world, move, stream) for world in worlds) for move in self.moves]

    def _playout(self, world: Any, move: Move, stream: random.Random) -> int:
        """Two points for a random game that the mover wins after a move, one for a draw."""
        state = world.child(move)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(_outcome(state, stream.random()))
            else:
                moves = state.legal_actions()
                state.apply_action(moves[int(stream.random() * len(moves))])
        margin: float = state.player_return(self._player) - state.player_return(1 - self._player)
        return 1 + (margin > 0) - (margin < 0)

    def _world(self, stream: random.Random) -> Any:
        """A state in which the mover knows what they know now.

        Raises:
            BadText: none is found.
        """
        path = _Path(self.state, self._player)
        world = path.drawn(path.game.new_initial_state(), 0, stream)
        if world is None:
            raise BadText(f"openspiel:{path.game}: too much is hidden to draw what it may be")
        return world

    def search(self, playouts: int, exploration: float, seed: int) -> Move:
        """The move of OpenSpiel's Monte Carlo tree search."""
        spiel = _package()
        game, rollouts = self.state.get_game(), spiel.RandomRolloutEvaluator(1, seed)
        megabytes, solve, verbose = 1000, True, False
        bot = spiel.MCTSBot(
            game, rollouts, exploration, playouts, megabytes, solve, seed, verbose
        )  # fmt: skip
        move: int = bot.step(self.state)
        return move


class _Path:
    """The information states and moves of a player's decisions so far."""

    def __init__(self, state: Any, player: int) -> None:
        self.game = state.get_game()
        self._player, self._steps = player, 0
        self._decisions: list[tuple[str, Move]] = []
        past = self.game.new_initial_state()
        for step in state.full_history():
            if step.player == player:
                self._decisions.append((past.information_state_string(player), step.action))
            past.apply_action(step.action)
        self._now: str = state.information_state_string(player)

    def drawn(self, state: Any, met: int, stream: random.Random) -> Any:
        """A world from here on, `met` decisions being as they were; None if there is none."""
        self._steps += 1
        if state.is_terminal() or self._steps > STEPS:
            return None
        if state.current_player() == self._player:
            last = met == len(self._decisions)
            knew, move = (self._now, None) if last else self._decisions[met]
            if state.information_state_string(self._player) != knew:
                return None
            return state if last else self.drawn(state.child(move), met + 1, stream)
        moves = state.legal_actions()
        stream.shuffle(moves)
        worlds = (self.drawn(state.child(move), met, stream) for move in moves)
        return next((world for world in worlds if world is not None), None)


def _outcome(state: Any, drawn: float) -> Move:
    """The outcome of a chance node, drawn by a number from 0 up to 1."""
    outcomes: list[tuple[Move, float]] = state.chance_outcomes()
    for move, probability in outcomes:
        drawn -= probability
        if drawn < 0:
            return move
    return outcomes[-1][0]
