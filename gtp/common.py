"""The base class of host and player, with the commands that look at the game."""

from collections.abc import Mapping
from typing import Final

from gtp import display, syntax
from gtp.analysis import Analysis
from gtp.params import Params
from gtp.setup import Setup
from gtp.syntax import Failure
from gtp.table import command
from phantomgo import wording
from phantomgo.points import Point
from phantomgo.record_json import write_record
from phantomgo.record_sgf import seen_sgf, true_sgf
from phantomgo.view import View

# Without GoGui's %m: the colour to move may be the bot's, and every second query would fail.
ANALYZE: Final = """\
dboard/Belief/phantom-belief
gfx/Candidates/phantom-candidates
gfx/Referee view/phantom-gfx
string/Last announcement/phantom-last
hstring/Log/phantom-log
hstring/True board/phantom-reveal_board
param/Settings/phantom-param"""


class Common(Setup, Params, Analysis):
    """The commands that host and player share: those of the bases, and those that only look."""

    @command("showboard")
    def showboard(self) -> str:
        return "\n" + self.board()

    @command("phantom-view")
    def phantom_view(self, colour: str | None = None) -> str:
        return "\n" + display.view_rows(self.seen(colour))

    @command("phantom-belief")
    def phantom_belief(self, colour: str | None = None) -> str:
        return "\n" + display.belief_rows(*self._believed(colour))

    @command("phantom-gfx")
    def phantom_gfx(self, colour: str | None = None) -> str:
        return "\n" + display.graphics(*self._believed(colour))

    def _believed(self, colour: str | None) -> tuple[View, Mapping[Point, float]]:
        """A view, and our bot's belief about enemy stones in it."""
        view = self.seen(colour)
        return view, self.stone_shares(view)

    @command("phantom-last")
    def phantom_last(self, colour: str | None = None) -> str:
        return display.last(self.seen(colour))

    @command("phantom-log")
    def phantom_log(self, colour: str | None = None) -> str:
        view = self.seen(colour)
        lines = [wording.line(m, view.colour, view.rules.size) for m in view.events]
        return "\n".join(["", *lines]) if lines else ""

    @command("is_legal")
    def is_legal(self, colour: str, where: str) -> str:
        side, move = syntax.colour(colour), syntax.move(where, self.size)
        return "1" if self.would_stand(side, move) else "0"

    @command("printsgf")
    def printsgf(self) -> str:
        """The whole game after its end, before that the controller's view of it."""
        record = self.record()
        text = seen_sgf(self.seen(None)) if record is None else true_sgf(record)
        return "\n".join(line for line in text.splitlines() if line.strip())

    @command("phantom-record")
    def phantom_record(self) -> str:
        record = self.record()
        if record is None:
            raise Failure("game not over")
        return write_record(record)

    @command("gogui-analyze_commands")
    def gogui_analyze_commands(self) -> str:
        return ANALYZE

    @command("final_score")
    def final_score(self) -> str:
        if self.result is None:
            raise Failure("cannot score")
        return self.result

    @command("phantom-reveal_board")
    def phantom_reveal_board(self) -> str:
        board = self.true_board()
        if board is None:
            raise Failure("game not over")
        return "\n" + board
