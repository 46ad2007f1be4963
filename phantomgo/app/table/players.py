"""The bots and engines of one game, asked in threads of this process."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from typing import Final, TypeAlias

from gtp.clock import Limit
from phantomgo.app import background
from phantomgo.app.background import WarmUp
from phantomgo.app.table.facts import shortened
from phantomgo.app.table.game import TableGame
from phantomgo.errors import PhantomGoError
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Fault
from phantomgo.game.player import Player
from phantomgo.game.playing import Listener
from phantomgo.game.points import Colour, Move
from phantomgo.lab.players.seating import Conditions, seat_player

HUMAN: Final = "human"
"""The spec of a person."""
ADVISER: Final = "phantom"
ADVISER_SPEC: Final = f"{ADVISER}:playouts=20000,book=none"
"""The bot that gives hints."""
HEARING: Final = 2.0
"""Seconds an engine has to hear that the game is over, when the person leaves."""

Proposal: TypeAlias = tuple[Move, float]
"""A move to attempt, and the seconds it took to find."""


class Players(ABC):
    """The players of the colours that no person plays."""

    @abstractmethod
    def ask(self, colour: Colour) -> Future[Proposal]:
        """Ask this side for an attempt in its view. A `Fault` in the future loses the game."""

    def begin(self) -> None:  # noqa: B027  (not all have seats to take)
        """Have them take their seats."""

    def hear_end(self) -> None:  # noqa: B027
        """Tell players who want to know that the game is over."""

    @property
    def failure(self) -> PhantomGoError | None:
        """Return the error of one that cannot play at all, if there is one."""
        return None

    def wait(self) -> None:  # noqa: B027
        """Wait until they have their seats, and raise the error of one that cannot play at all."""


def make_player(game: TableGame, colour: Colour) -> Player:
    """Return the player that sits here."""
    left, side = game.left(colour), game.start.side(colour)
    conditions = Conditions(Game(game.rules), None if left is None else Limit(max(int(left), 1)))
    return seat_player(side.name, colour, side.seed or 0, colour, conditions)


class ThreadedPlayers(Players):
    """`Players` that are created and asked in threads, without blocking the caller.

    Attributes:
        warm_up: loads the adviser's kernels, once every seat is taken.
    """

    def __init__(
        self,
        game: TableGame,
        *,
        pace: float = 0.0,
        make: Callable[[TableGame, Colour], Player] = make_player,
    ) -> None:
        """Prepare the seats. An attempt takes `pace` seconds at least; `make` runs in a thread."""
        self.warm_up = WarmUp()
        self._game, self._pace, self._make = game, pace, make
        self._seats: dict[Colour, Future[Player]] = {}
        self._hearing: list[Future[None]] = []

    def begin(self) -> None:
        bots = [colour for colour in Colour if self._game.name(colour) != HUMAN]
        if self._game.outcome is not None or not bots:
            self.warm_up.begin(ADVISER_SPEC, Game(self._game.rules))
            return
        for colour in bots:
            seat = partial(self._sit_down, colour)
            self._seats[colour] = background.begin(f"{colour} sits down", seat)

    def _sit_down(self, colour: Colour) -> Player:
        made = self._make(self._game, colour)
        self.warm_up.begin(ADVISER_SPEC, Game(self._game.rules))  # not before: there may be no game
        return made

    def ask(self, colour: Colour) -> Future[Proposal]:
        view, seat = self._game.view(colour), self._seats[colour]

        def propose() -> Proposal:
            chosen, began = seat.result(), time.perf_counter()
            move = chosen.decide(view).move
            seconds = time.perf_counter() - began
            time.sleep(max(self._pace - seconds, 0))
            return move, seconds

        return background.begin(f"{colour} thinks", propose)

    def hear_end(self) -> None:
        for colour, seat in self._seats.items():
            chosen = seat.result() if seat.done() and seat.exception() is None else None
            if isinstance(chosen, Listener):
                hear = partial(chosen.hear_end, self._game.view(colour))
                self._hearing.append(background.begin(f"{colour} hears the end", hear))

    @property
    def failure(self) -> PhantomGoError | None:
        for colour, future in self._seats.items():
            error = future.exception() if future.done() else None
            if isinstance(error, Fault):
                name = shortened(self._game.name(colour))
                return PhantomGoError(f"{colour} ({name}) {error}")
            if isinstance(error, PhantomGoError):
                return error
        return None

    def wait(self) -> None:
        wait(self._seats.values())
        if self.failure is not None:
            raise self.failure

    @property
    def busy(self) -> bool:
        """Return whether a thread is still working, so that the process has to end by `os._exit`.

        Engines get a moment to hear how the game ended.
        """
        wait(self._hearing, HEARING)
        return background.running()
