"""GoGui's ruler mode: the server decides what stones GoGui shows, and whose turn it is.

GoGui starts the command of a program that lists these commands a second time. One process is the
program, and plays; the other is the ruler, which is asked after every move what to show. The ruler
(gtp/ruler.py) keeps nothing but the moves it was told. What was to be seen after them it asks the
program, by `phantom-shown`. So there is one game, and the ruler can only show what the program
has told its controller by then.
"""

import json
from dataclasses import dataclass
from typing import Final, Protocol, Self

from gtp.table import command

HIDDEN: Final = "Phantomgo"
"""The game's name where a ruler is needed, one word with a capital."""
OPEN: Final = "Go"
"""The one where none is: GoGui knows the rules of Go."""
ASKED_OF_ALL: Final = frozenset({"gogui-rules_game_id", "gogui-rules_board_size"})
"""What GoGui asks a program, too, and not the ruler alone."""
PREFIX: Final = "gogui-rules_"


@dataclass(frozen=True)
class Shown:
    """What there is to see at a point of a game, as GoGui's ruler says it.

    Attributes:
        board: rows from the top, of `.`, `X` and `O`.
        to_move: `black` or `white`.
        legal: the vertices that may be tried, and `pass`; nothing where no move can be made.
        captured: how many stones were taken, White's and Black's.
        graphics: GoGui's graphics lines.
        result: how the game ended; empty while it goes on.
    """

    board: str
    to_move: str
    legal: str
    captured: str
    graphics: str
    result: str

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(**json.loads(text))

    def written(self) -> str:
        return json.dumps(vars(self))


class Shows(Protocol):
    """A role that can say what is to be seen."""

    @property
    def game(self) -> str:
        """`HIDDEN` or `OPEN`."""

    @property
    def size(self) -> int:
        """Points per side."""

    def shown(self) -> Shown:
        """What is to be seen now; raises Failure if that is not known."""


class Ruling:
    """The commands of a ruler."""

    def __init__(self, role: Shows) -> None:
        self._role = role

    @command("gogui-rules_game_id")
    def game_id(self) -> str:
        return self._role.game

    @command("gogui-rules_board_size")
    def board_size(self) -> str:
        return str(self._role.size)

    @command("gogui-rules_board")
    def board(self) -> str:
        return self._role.shown().board

    @command("gogui-rules_side_to_move")
    def side_to_move(self) -> str:
        return self._role.shown().to_move

    @command("gogui-rules_legal_moves")
    def legal_moves(self) -> str:
        return self._role.shown().legal

    @command("gogui-rules_captured_count")
    def captured_count(self) -> str:
        return self._role.shown().captured

    @command("gogui-rules_board_gfx")
    def board_graphics(self) -> str:
        return self._role.shown().graphics

    @command("gogui-rules_final_result")
    def final_result(self) -> str:
        return self._role.shown().result
