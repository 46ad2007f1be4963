"""The player: the server has one seat, and the controller is its referee.

It knows a view and nothing else. `genmove` proposes a move, which is pending until the referee
accepts or refuses it.
"""

from collections.abc import Callable, Sequence
from typing import Final

from gtp import display, messages, syntax
from gtp.handlers import table
from gtp.role import GameRole
from gtp.syntax import Failure
from gtp.thinker import Thinker
from phantomgo.errors import BadMessage
from phantomgo.game.messages import Accepted, Ended, Message, Placed, Refused
from phantomgo.game.points import BLACK, Colour, Move, PointSet, vertex
from phantomgo.game.view import View


class Seat(GameRole):
    """One player's side of a game.

    Attributes:
        colour: the colour it plays.
        view: its view.
        pending: the move it proposed, until it is answered.
    """

    way = "phantom-seat COLOUR first"
    secret = False
    view: View
    pending: Move | None

    def __init__(self, thinker: Thinker, colour: Colour) -> None:
        self.colour = colour
        super().__init__(thinker)

    def new_game(self) -> None:
        super().new_game()
        self.view = View(self.thinker.settings.rules, self.colour)
        self.pending = None

    @property
    def begun(self) -> bool:
        return bool(self.view.events)

    @property
    def result(self) -> str | None:
        return self.view.result

    def place_handicap(self, points: PointSet) -> None:
        self.view = self.view.after(Placed(BLACK, points))

    def events(self, colour: Colour) -> Sequence[Message]:  # noqa: ARG002  (handicap is public)
        return self.view.events

    def komi_changed(self) -> None:
        self.view = self.view._replace(rules=self.thinker.settings.rules)

    def check_turn(self, colour: str) -> None:
        """Raise Failure unless this side may move."""
        if syntax.colour(colour) is not self.colour:
            raise Failure("not your seat")
        self.forbid_after_end()

    def hear(self, name: str, words: tuple[str, ...]) -> None:
        """Receive a message of the referee; Failure if it is not for this seat or contradicts the
        view.
        """
        message = messages.read(name, words, self.colour, self.view.rules.size)
        self.forbid_after_end()
        if message is None:
            return
        try:
            self.view = self.view.after(message)
        except BadMessage as error:
            raise Failure(str(error)) from None
        if isinstance(message, Accepted | Refused):
            self.pending = None
        if isinstance(message, Ended):
            self.thinker.report_end(self.view)

    def visible_view(self, colour: str | None) -> View:
        if colour is not None and syntax.colour(colour) is not self.colour:
            raise Failure("not your seat")
        return self.view

    def board(self) -> str:
        text = display.view_board(self.view)
        if self.pending is not None:
            text += f"\nProposed: {vertex(self.pending, self.view.rules.size)}"
        return text

    def record(self) -> None:
        """The referee has the record."""

    def true_board(self) -> None:
        """The referee has the full board."""


def genmove(seat: Seat, colour: str) -> str:
    seat.check_turn(colour)
    seat.pending = seat.thinker.propose(seat.view)
    return vertex(seat.pending, seat.view.rules.size)


def reg_genmove(seat: Seat, colour: str) -> str:
    seat.check_turn(colour)
    return seat.thinker.suggest(seat.view)


def hearing(name: str) -> Callable[..., None]:
    """The handler of a command that is a message of the referee."""
    return lambda seat, *words: seat.hear(name, words)


COMMANDS: Final = table(
    {
        "genmove": genmove,
        "reg_genmove": reg_genmove,
        **{name: hearing(name) for name in messages.NAMES},
    }
)
