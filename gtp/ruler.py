"""The ruler: shows in GoGui the game that another process plays (gtp/gogui.py)."""

import json
from dataclasses import replace

from gtp import syntax
from gtp.gogui import HIDDEN, Ruling, Shown
from gtp.role import Services, Settings
from gtp.story import Line
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.points import MAX_SIZE, MIN_SIZE, vertex


class Ruler(Ruling):
    """Stores the moves it is sent, and asks the program what there is to see after them.

    Every `play` succeeds: the program judges attempts, and a refusal is part of what is shown.
    """

    way = "phantom-seat ruler first"
    game = HIDDEN

    def __init__(self, settings: Settings, services: Services) -> None:
        super().__init__(settings, services)
        self._lines: tuple[Line, ...] = ()

    def shown(self) -> Shown:
        moves = [f" {line.colour.letter} {vertex(line.move, self.size)}" for line in self._lines]
        answer = self.services.program("phantom-shown" + "".join(moves))
        if answer is None:
            raise Failure("there is no program whose game could be shown")
        if not answer.startswith("="):
            raise Failure(answer[1:].strip())
        return Shown(**json.loads(answer[1:]))

    @command("boardsize")
    def boardsize(self, size: str) -> None:
        points = syntax.whole(size)
        if not MIN_SIZE <= points <= MAX_SIZE:
            raise Failure("unacceptable size")
        self.settings = replace(self.settings, rules=replace(self.settings.rules, size=points))
        self._lines = ()

    @command("clear_board")
    def clear_board(self) -> None:
        self._lines = ()

    @command("komi")
    def komi(self, komi: str) -> None:
        """The program has the komi, too, and uses it."""
        syntax.decimal(komi)

    @command("play")
    def play(self, colour: str, where: str) -> None:
        self._lines += (Line(syntax.colour(colour), syntax.move(where, self.size)),)
