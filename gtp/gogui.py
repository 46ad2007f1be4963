"""GoGui's ruler mode: the server decides which stones GoGui shows and whose turn it is.

GoGui starts a program that lists these commands twice. One process, the program, plays; the other,
the ruler, is asked after every move what to show. The ruler stores only the moves it was sent, and
asks the program by `phantom-shown` what there was to see after them. So there is one game, and the
ruler cannot show more than the program has sent its controller.
"""

import json
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from gtp import syntax
from gtp.role import Role, Services, Settings
from gtp.story import Line
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.points import MAX_SIZE, MIN_SIZE, vertex

HIDDEN: Final = "Phantomgo"
"""The name of a game that needs a ruler, one word with a capital."""
OPEN: Final = "Go"
"""The name of a game that does not: GoGui knows the rules of Go."""
ASKED_OF_ALL: Final = frozenset({"gogui-rules_game_id", "gogui-rules_board_size"})
"""Queries that GoGui sends to the program as well as to the ruler."""
PREFIX: Final = "gogui-rules_"


class Shown(NamedTuple):
    """A position as GoGui's ruler shows it.

    Attributes:
        board: rows from the top, of `.`, `X` and `O`.
        to_move: `black` or `white`.
        legal: the vertices that may be tried, and `pass`; empty if no move can be made.
        captured: numbers of white and of black stones taken.
        graphics: GoGui's graphics lines.
        result: the result and how the game ended; empty during the game.
    """

    board: str
    to_move: str
    legal: str = "pass"
    captured: str = "0 0"
    graphics: str = "\n"
    result: str = ""


def _part(name: str, read: Callable[[Shown], str]) -> Callable[["Ruling"], str]:
    """The handler of a query for a part of what is shown."""
    return command(PREFIX + name)(lambda role: read(role.shown()))


class Ruling(Role):
    """The commands of a ruler."""

    @property
    @abstractmethod
    def game(self) -> str:
        """`HIDDEN` or `OPEN`."""

    @abstractmethod
    def shown(self) -> Shown:
        """The current position; raises Failure if it is not known."""

    @command("gogui-rules_game_id")
    def rules_game_id(self) -> str:
        return self.game

    @command("gogui-rules_board_size")
    def rules_board_size(self) -> str:
        return str(self.size)

    rules_board = _part("board", lambda shown: shown.board)
    rules_side_to_move = _part("side_to_move", lambda shown: shown.to_move)
    rules_legal_moves = _part("legal_moves", lambda shown: shown.legal)
    rules_captured_count = _part("captured_count", lambda shown: shown.captured)
    rules_board_gfx = _part("board_gfx", lambda shown: shown.graphics)
    rules_final_result = _part("final_result", lambda shown: shown.result)


class Ruler(Ruling):
    """The role that shows the game of another process.

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
