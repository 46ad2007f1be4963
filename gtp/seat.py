"""The player: the server holds one seat and is told by a referee elsewhere how the game goes.

It knows a view and nothing else. `genmove` proposes; the proposal is held as pending until the
referee says whether it stands.
"""

from typing import Self

from gtp import display, messages, syntax
from gtp.common import COMMON
from gtp.role import GameRole, Services, Settings
from gtp.syntax import Failure
from gtp.table import command
from phantomgo import wording
from phantomgo.errors import BadMessage, BadText
from phantomgo.messages import Accepted, Ended, Placed, Refused
from phantomgo.points import BLACK, Colour, Move, PointSet, parse_colour, vertex
from phantomgo.view import View


class Seat(GameRole):
    """One player's side of a game.

    Attributes:
        colour: the colour it plays.
        view: what it was told.
        pending: what it proposed and was not answered yet.
        revealed: the true stones of Black and White, where the referee told them after the end.
    """

    themes = COMMON
    way = "phantom-seat COLOUR first"
    view: View
    pending: Move | None
    revealed: tuple[PointSet, PointSet] | None

    def __init__(self, settings: Settings, services: Services, colour: Colour) -> None:
        self.colour = colour
        super().__init__(settings, services)

    @classmethod
    def asked_for(cls, word: str, settings: Settings, services: Services) -> Self | None:
        try:
            return cls(settings, services, parse_colour(word))
        except BadText:
            return None

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
        """What genmove would propose, without waiting for an answer to it."""
        self._check(colour)
        return self.suggest(self.view)

    def _check(self, colour: str) -> None:
        if syntax.colour(colour) is not self.colour:
            raise Failure("not your seat")
        self._forbid_after_end()

    def _forbid_after_end(self) -> None:
        if self.view.result is not None:
            raise Failure("game over")

    # What the referee says

    @command(wording.ACCEPT)
    def accept(self, *words: str) -> None:
        self._hear(wording.ACCEPT, words)

    @command(wording.ILLEGAL)
    def illegal(self, *words: str) -> None:
        self._hear(wording.ILLEGAL, words)

    @command(wording.OPPONENT)
    def opponent(self, *words: str) -> None:
        self._hear(wording.OPPONENT, words)

    @command(wording.PLACED)
    def placed(self, *words: str) -> None:
        self._hear(wording.PLACED, words)

    @command(wording.NOTE)
    def note(self, *words: str) -> None:
        self._hear(wording.NOTE, words)

    @command(wording.GAME_OVER)
    def game_over(self, *words: str) -> None:
        self._hear(wording.GAME_OVER, words)

    def _hear(self, name: str, words: tuple[str, ...]) -> None:
        message = messages.read(name, words, self.colour, self.view.rules.size)
        self._forbid_after_end()
        if message is None:
            return
        try:
            self.view = self.view.after(message)
        except BadMessage as error:
            raise Failure(str(error)) from None
        if isinstance(message, Accepted | Refused):
            self.pending = None
        if isinstance(message, Ended):
            self.tell_end(self.view)

    @command("phantom-reveal")
    def reveal(self, *stones: str) -> None:
        """The true board after the end: `b A1 w B2 ...`, a colour before each vertex."""
        if self.view.result is None:
            raise Failure("game not over")
        if len(stones) % 2:
            raise Failure("syntax error")
        black = white = 0
        for colour, where in zip(stones[::2], stones[1::2], strict=True):
            stone = 1 << syntax.point(where, self.view.rules.size)
            if (black | white) & stone:
                raise Failure("syntax error")
            if syntax.colour(colour) is BLACK:
                black |= stone
            else:
                white |= stone
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
        """The referee elsewhere has it."""

    def true_board(self) -> str | None:
        if self.revealed is None:
            return None
        return display.truth_board(self.view.rules.size, *self.revealed)
