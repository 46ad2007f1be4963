"""The player: the server has one seat, and the controller is its referee.

It knows a view and nothing else. `genmove` proposes a move, which is pending until the referee
accepts or refuses it.
"""

from collections.abc import Callable

from gtp import display, messages, syntax
from gtp.common import Common
from gtp.role import Services, Settings
from gtp.syntax import Failure
from gtp.table import command
from phantomgo import wording
from phantomgo.errors import BadMessage
from phantomgo.messages import Accepted, Ended, Placed, Refused
from phantomgo.points import Colour, Move, PointSet, vertex
from phantomgo.view import View


def _message(name: str) -> Callable[..., None]:
    """The handler of a command that is a message of the referee."""

    def hear(role: "Seat", *words: str) -> None:
        role.hear(name, words)

    return command(name)(hear)


class Seat(Common):
    """One player's side of a game.

    Attributes:
        colour: the colour it plays.
        view: its view.
        pending: the move it proposed, until it is answered.
        revealed: the true stones of Black and White, if the referee sent them after the end.
    """

    way = "phantom-seat COLOUR first"
    view: View
    pending: Move | None
    revealed: tuple[PointSet, PointSet] | None

    def __init__(self, settings: Settings, services: Services, colour: Colour) -> None:
        self.colour = colour
        super().__init__(settings, services)

    def new_game(self) -> None:
        super().new_game()
        self.view = View(self.settings.rules, self.colour)
        self.pending = self.revealed = None

    @property
    def begun(self) -> bool:
        return bool(self.view.events)

    @property
    def result(self) -> str | None:
        return self.view.result

    @property
    def secret(self) -> bool:
        return False

    def place(self, colour: Colour, points: PointSet) -> None:
        self.view = self.view.after(Placed(colour, points))

    def komi_changed(self) -> None:
        self.view = self.view._replace(rules=self.settings.rules)

    @command("genmove")
    def genmove(self, colour: str) -> str:
        self._check(colour)
        self.pending = self.propose(self.view)
        return vertex(self.pending, self.view.rules.size)

    @command("reg_genmove")
    def reg_genmove(self, colour: str) -> str:
        self._check(colour)
        return self.suggest(self.view)

    def _check(self, colour: str) -> None:
        if syntax.colour(colour) is not self.colour:
            raise Failure("not your seat")
        self.forbid_after_end()

    # The referee's messages

    accept = _message(wording.ACCEPT)
    illegal = _message(wording.ILLEGAL)
    opponent = _message(wording.OPPONENT)
    placed = _message(wording.PLACED)
    note = _message(wording.NOTE)
    game_over = _message(wording.GAME_OVER)

    def hear(self, name: str, words: tuple[str, ...]) -> None:
        """Take in a message of the referee.

        Raises:
            Failure: it cannot be read, is for the other seat or contradicts the view.
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
            self.report_end(self.view)

    @command("phantom-reveal")
    def reveal(self, *words: str) -> None:
        """The true board after the end: `b A1 w B2 ...`, a colour before each vertex."""
        if self.view.result is None:
            raise Failure("game not over")
        if len(words) % 2:
            raise Failure("syntax error")
        stones_of = dict.fromkeys(Colour, 0)
        for colour, where in zip(words[::2], words[1::2], strict=True):
            stone = 1 << syntax.point(where, self.view.rules.size)
            if any(stones & stone for stones in stones_of.values()):
                raise Failure("syntax error")
            stones_of[syntax.colour(colour)] |= stone
        black, white = (stones_of[side] for side in Colour)
        self.revealed = (black, white)

    # Looking

    def seen(self, colour: str | None) -> View:
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

    def true_board(self) -> str | None:
        if self.revealed is None:
            return None
        return display.truth_board(self.view.rules.size, *self.revealed)
