"""Commands that look at the game and change nothing."""

from collections.abc import Mapping
from typing import Final

from gtp import display, syntax
from gtp.role import Theme
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


def _lines(text: str) -> str:
    """A text as a response may have it: an empty line would end it."""
    return "\n".join(line for line in text.splitlines() if line.strip())


class Looking(Theme):
    """The view, and after the end the truth."""

    @command("showboard")
    def showboard(self) -> str:
        return "\n" + self.role.board()

    @command("phantom-view")
    def view_rows(self, colour: str | None = None) -> str:
        return "\n" + display.view_rows(self.role.seen(colour))

    @command("phantom-belief")
    def belief(self, colour: str | None = None) -> str:
        return "\n" + display.belief_rows(*self._believed(colour))

    @command("phantom-gfx")
    def graphics(self, colour: str | None = None) -> str:
        return "\n" + display.graphics(*self._believed(colour))

    def _believed(self, colour: str | None) -> tuple[View, Mapping[Point, float]]:
        """A view, and where its owner would believe enemy stones to be if they were our bot."""
        view = self.role.seen(colour)
        return view, self.role.stone_shares(view)

    @command("phantom-last")
    def last(self, colour: str | None = None) -> str:
        return display.last(self.role.seen(colour))

    @command("phantom-log")
    def log(self, colour: str | None = None) -> str:
        """The messages of a view as the commands that tell them."""
        view = self.role.seen(colour)
        lines = [wording.line(m, view.colour, view.rules.size) for m in view.events]
        return "\n".join(["", *lines]) if lines else ""

    @command("is_legal")
    def is_legal(self, colour: str, where: str) -> str:
        """Whether an attempt would stand, where whoever asks can know that."""
        side, move = syntax.colour(colour), syntax.move(where, self.role.settings.rules.size)
        return "1" if self.role.would_stand(side, move) else "0"

    @command("printsgf")
    def printsgf(self) -> str:
        """The whole game after its end, before that what the asker was told."""
        record = self.role.record()
        text = seen_sgf(self.role.seen(None)) if record is None else true_sgf(record)
        return _lines(text)

    @command("phantom-record")
    def record(self) -> str:
        record = self.role.record()
        if record is None:
            raise Failure("game not over")
        return write_record(record)

    @command("gogui-analyze_commands")
    def analyze_commands(self) -> str:
        return ANALYZE

    @command("final_score")
    def final_score(self) -> str:
        if self.role.result is None:
            raise Failure("cannot score")
        return self.role.result

    @command("phantom-reveal_board")
    def reveal_board(self) -> str:
        board = self.role.true_board()
        if board is None:
            raise Failure("game not over")
        return "\n" + board
