"""The ruler: shows in GoGui the game that another process plays (gtp/gogui.py)."""

from dataclasses import replace
from typing import Self

from gtp import syntax
from gtp.gogui import HIDDEN, Ruling, Shown
from gtp.role import Role, Services, Settings
from gtp.story import Line
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.points import MAX_SIZE, MIN_SIZE, vertex


class Ruler(Role):
    """Keeps the moves it was told, and asks the program what is to be seen after them.

    Every `play` succeeds: whether an attempt stands is the program's to say, and its refusal is
    part of what is shown.
    """

    themes = (Ruling,)
    way = "phantom-seat ruler first"

    def __init__(self, settings: Settings, services: Services) -> None:
        super().__init__(settings, services)
        self._lines: tuple[Line, ...] = ()

    @classmethod
    def asked_for(cls, word: str, settings: Settings, services: Services) -> Self | None:
        return cls(settings, services) if word.lower() == "ruler" else None

    @property
    def game(self) -> str:
        return HIDDEN

    @property
    def size(self) -> int:
        return self.settings.rules.size

    def shown(self) -> Shown:
        moves = [f" {line.colour.letter} {vertex(line.move, self.size)}" for line in self._lines]
        answer = self.services.program("phantom-shown" + "".join(moves))
        if answer is None:
            raise Failure("there is no program whose game could be shown")
        if not answer.startswith("="):
            raise Failure(answer[1:].strip())
        return Shown.read(answer[1:])

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
        """The program has been told as well, and counts."""
        syntax.decimal(komi)

    @command("play")
    def play(self, colour: str, where: str) -> None:
        line = Line(syntax.colour(colour), syntax.move(where, self.size))
        self._lines = (*self._lines, line)
