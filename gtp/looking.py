"""The commands that look at the game, which host and player share."""

from collections.abc import Mapping
from typing import Final

from gtp import display, syntax
from gtp.handlers import table
from gtp.role import GameRole
from gtp.syntax import Failure
from phantomgo.game import wording
from phantomgo.game.points import Point
from phantomgo.game.view import View
from phantomgo.records.record_json import write_record
from phantomgo.records.record_sgf import seen_sgf, true_sgf

# Without GoGui's %m: the colour to move may be the bot's, and every second query would fail.
ANALYZE: Final = """\
dboard/Belief/phantom-belief
gfx/Candidates/phantom-candidates
gfx/Referee view/phantom-gfx
string/Last announcement/phantom-last
hstring/Log/phantom-log
hstring/True board/phantom-reveal_board
param/Settings/phantom-param"""


def _believed(role: GameRole, colour: str | None) -> tuple[View, Mapping[Point, float]]:
    """A view, and our bot's belief about enemy stones in it."""
    view = role.visible_view(colour)
    return view, role.thinker.stone_probabilities(view)


def phantom_log(role: GameRole, colour: str | None = None) -> str:
    view = role.visible_view(colour)
    lines = [wording.line(m, view.colour, view.rules.size) for m in view.events]
    return "\n".join(["", *lines]) if lines else ""


def is_legal(role: GameRole, colour: str, where: str) -> str:
    side, move = syntax.colour(colour), syntax.move(where, role.size)
    return "1" if role.would_be_accepted(side, move) else "0"


def printsgf(role: GameRole) -> str:
    """The whole game after its end, before that the controller's view of it."""
    record = role.record()
    text = seen_sgf(role.visible_view(None)) if record is None else true_sgf(record)
    return "\n".join(line for line in text.splitlines() if line.strip())


def phantom_record(role: GameRole) -> str:
    record = role.record()
    if record is None:
        raise Failure("game not over")
    return write_record(record)


def final_score(role: GameRole) -> str:
    if role.result is None:
        raise Failure("cannot score")
    return role.result


def phantom_reveal_board(role: GameRole) -> str:
    board = role.true_board()
    if board is None:
        raise Failure("game not over")
    return "\n" + board


COMMANDS: Final = table(
    {
        "showboard": lambda role: "\n" + role.board(),
        "phantom-view": lambda role, colour=None: (
            "\n" + display.view_rows(role.visible_view(colour))
        ),
        "phantom-belief": lambda role, colour=None: (
            "\n" + display.belief_rows(*_believed(role, colour))
        ),
        "phantom-gfx": lambda role, colour=None: "\n" + display.graphics(*_believed(role, colour)),
        "phantom-last": lambda role, colour=None: display.last(role.visible_view(colour)),
        "phantom-log": phantom_log,
        "is_legal": is_legal,
        "printsgf": printsgf,
        "phantom-record": phantom_record,
        "final_score": final_score,
        "phantom-reveal_board": phantom_reveal_board,
        "gogui-analyze_commands": lambda _role: ANALYZE,
    }
)
