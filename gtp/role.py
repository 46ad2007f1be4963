"""The base classes of the server's roles.

A role is the state that commands work on: a `Thinker` and a game. Commands are functions in tables
(gtp/handlers.py), which are given the role. The session copies it before each command and uses the
copy only if the command succeeds, so a failed command changes nothing: the parts of a role are
immutable values, replaced and never changed.
"""

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from gtp.syntax import Failure
from gtp.thinker import Thinker
from phantomgo.game.messages import Message
from phantomgo.game.points import Colour, Move, PointSet
from phantomgo.game.record import Record
from phantomgo.game.view import View


@dataclass(frozen=True)
class LineStream:
    """Lines that follow a response until the next line of input.

    Attributes:
        lines: in order; each is computed when it is requested.
        interval: least number of seconds between two lines.
    """

    lines: Iterator[str]
    interval: float


class Role:
    """One of the roles that the server can take towards the controller.

    Attributes:
        way: how the controller asks for this role.
        thinker: the settings, and the bot that answers genmove.
        ruled: a ruler shows the game (gtp/ruler.py), refusals included.
        stream: the lines that follow the response to the current command.
    """

    way: ClassVar[str]
    ruled: bool = False
    stream: LineStream | None = None

    def __init__(self, thinker: Thinker) -> None:
        self.thinker = thinker

    @property
    def size(self) -> int:
        """Points per side."""
        return self.thinker.settings.rules.size

    def copy(self) -> Self:
        """A copy that can be changed without changing this role."""
        twin = copy.copy(self)
        twin.thinker = copy.copy(self.thinker)
        return twin


class GameRole(Role, ABC):
    """A role that plays a game.

    Attributes:
        noted: the book that the controller was last told of when it asked for an analysis.
    """

    noted: str | None = None

    def __init__(self, thinker: Thinker) -> None:
        super().__init__(thinker)
        self.new_game()

    @abstractmethod
    def new_game(self) -> None:
        """Start a game under the settings; the current one is lost."""
        self.thinker.new_game()

    def clear(self) -> None:
        """Clear the board, which starts a new game unless a role overrides this."""
        self.new_game()

    @property
    @abstractmethod
    def begun(self) -> bool:
        """True if there is a stone on the board or an attempt was made."""

    @property
    @abstractmethod
    def result(self) -> str | None:
        """The result in GTP's notation; None during the game."""

    @property
    @abstractmethod
    def secret(self) -> bool:
        """True if something is hidden from the controller now."""

    @abstractmethod
    def place_handicap(self, points: PointSet) -> None:
        """Put Black's handicap stones on the empty board."""

    @abstractmethod
    def events(self, colour: Colour) -> Sequence[Message]:
        """The messages to a colour about the game on the board, whoever may see them."""

    @abstractmethod
    def komi_changed(self) -> None:
        """Apply the komi of the settings to the current game."""

    @abstractmethod
    def visible_view(self, colour: str | None) -> View:
        """The view of a colour, None for the controller's own; raises Failure if it is hidden."""

    @abstractmethod
    def board(self) -> str:
        """The text of `showboard`."""

    @abstractmethod
    def true_board(self) -> str | None:
        """The stones of both sides; None if they are unknown or still hidden."""

    @abstractmethod
    def record(self) -> Record | None:
        """The finished game, None without one; raises Failure if no record can represent it."""

    def would_be_accepted(self, colour: Colour, move: Move) -> bool:
        """True if an attempt would be accepted; raises Failure if the view does not say."""
        view = self.visible_view(colour.letter)
        self.forbid_after_end()
        if move < 0:
            return True
        if (view.own | view.located | view.refused_now) >> move & 1:
            return False
        raise Failure("not known before an attempt")

    def forbid_in_game(self) -> None:
        """Raise Failure during a game."""
        if self.begun and self.result is None:
            raise Failure("game in progress")

    def forbid_after_end(self) -> None:
        """Raise Failure after the end of the game."""
        if self.result is not None:
            raise Failure("game over")
