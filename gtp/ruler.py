"""GoGui's ruler mode: the server decides which stones GoGui shows and whose turn it is.

GoGui starts a program that lists these commands twice. One process, the program, plays; the other,
the ruler, is asked after every move what to show. The ruler stores only the moves it was sent, and
asks the program by `phantom-shown` what there was to see after them. So there is one game, and the
ruler cannot show more than the program has sent its controller.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from gtp import syntax
from gtp.handlers import Handler, table
from gtp.role import Role
from gtp.story import SentMove
from gtp.syntax import Failure
from phantomgo.game.points import MAX_SIZE, MIN_SIZE, vertex

HIDDEN: Final = "Phantomgo"
"""The name of a game that needs a ruler, one word with a capital."""
OPEN: Final = "Go"
"""The name of a game that does not: GoGui knows the rules of Go."""
ASKED_OF_ALL: Final = frozenset({"gogui-rules_game_id", "gogui-rules_board_size"})
"""Queries that GoGui sends to the program as well as to the ruler."""
PREFIX: Final = "gogui-rules_"


class RulerBoard(NamedTuple):
    """A position as GoGui's ruler shows it.

    Attributes:
        board: rows from the top, of `.`, `X` and `O`.
        to_move: `black` or `white`.
        legal: the vertices that may be attempted, and `pass`; empty if no move can be made.
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


def queries(board_of: Callable[[Any], RulerBoard]) -> dict[str, Handler]:
    """The queries for the parts of a role's board, which raises Failure if it is unknown."""
    return table(
        {
            "gogui-rules_board_size": lambda role: str(role.size),
            "gogui-rules_board": lambda role: board_of(role).board,
            "gogui-rules_side_to_move": lambda role: board_of(role).to_move,
            "gogui-rules_legal_moves": lambda role: board_of(role).legal,
            "gogui-rules_captured_count": lambda role: board_of(role).captured,
            "gogui-rules_board_gfx": lambda role: board_of(role).graphics,
            "gogui-rules_final_result": lambda role: board_of(role).result,
        }
    )


class Ruler(Role):
    """The role that shows the game of another process.

    Every `play` succeeds: the program judges attempts, and a refusal is part of what is shown.
    """

    way = "phantom-seat ruler first"
    moves: tuple[SentMove, ...] = ()

    def board(self) -> RulerBoard:
        moves = [f" {sent.colour.letter} {vertex(sent.move, self.size)}" for sent in self.moves]
        answer = self.thinker.services.program("phantom-shown" + "".join(moves))
        if answer is None:
            raise Failure("there is no program whose game could be shown")
        if not answer.startswith("="):
            raise Failure(answer[1:].strip())
        return RulerBoard(**json.loads(answer[1:]))


def boardsize(ruler: Ruler, size: str) -> None:
    points = syntax.whole(size)
    if not MIN_SIZE <= points <= MAX_SIZE:
        raise Failure("unacceptable size")
    ruler.thinker.change(rules=replace(ruler.thinker.settings.rules, size=points))
    ruler.moves = ()


def clear_board(ruler: Ruler) -> None:
    ruler.moves = ()


def komi(_ruler: Ruler, komi: str) -> None:
    """The program has and uses the komi."""
    syntax.decimal(komi)


def play(ruler: Ruler, colour: str, where: str) -> None:
    ruler.moves += (SentMove(syntax.colour(colour), syntax.move(where, ruler.size)),)


COMMANDS: Final = queries(Ruler.board) | table(
    {
        "boardsize": boardsize,
        "clear_board": clear_board,
        "komi": komi,
        "play": play,
        "gogui-rules_game_id": lambda _ruler: HIDDEN,
    }
)
