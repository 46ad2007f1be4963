"""GoGui's ruler mode: the server decides which stones GoGui shows, and whose turn it is.

GoGui starts a program that lists these commands twice. One process, the program, plays; the other,
the ruler, is asked after every move what to show. The ruler (gtp/ruler.py) stores only the moves it
was sent, and asks the program by `phantom-shown` what there was to see after them. So there is one
game, and the ruler cannot show more than the program has told its controller.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import Final, NamedTuple

from gtp.role import Role
from gtp.table import command

HIDDEN: Final = "Phantomgo"
"""The name of a game that needs a ruler, one word with a capital."""
OPEN: Final = "Go"
"""The name of a game that does not: GoGui knows the rules of Go."""
ASKED_OF_ALL: Final = frozenset({"gogui-rules_game_id", "gogui-rules_board_size"})
"""What GoGui asks the program as well as the ruler."""
PREFIX: Final = "gogui-rules_"


class Shown(NamedTuple):
    """What GoGui's ruler shows of a position.

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

    @property
    def size(self) -> int:
        """Points per side."""
        return self.settings.rules.size

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
