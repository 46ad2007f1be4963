"""The host: the server has the referee and lets a bot play either colour.

Each colour is a seat. The first `play` or `genmove` for a colour in a game makes it the
controller's or the bot's. While `hide` is on, no answer depends on more of the game than the
views of the controller's seats.

A game survives `clear_board` as long as the controller repeats it (gtp/story.py).
"""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Self

from gtp import display, syntax
from gtp.common import Common
from gtp.gogui import HIDDEN, OPEN, Ruling, Shown
from gtp.story import Line, Moment, Owner, Story
from gtp.story import Step as Said
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.errors import PhantomGoError
from phantomgo.messages import Refused
from phantomgo.points import PASS, RESIGN, Colour, Move, PointSet, grid, vertex, vertices
from phantomgo.record import Record, Side, Step, take_step
from phantomgo.referee import Referee
from phantomgo.sgf import SgfGame, read_sgf
from phantomgo.view import View

log = logging.getLogger(__name__)


class IllegalMove(Failure):
    """The one failure that changes the game: the attempt was judged."""


class Host(Common, Ruling):
    """One game between the controller and the bot, or either against itself.

    Attributes:
        referee: the game.
        owners: the owners of the seats that are taken.
        story: the game as the controller knows it.
        hinted: the controller was advised on how to run matches.
    """

    way = "phantom-seat none first"
    referee: Referee
    owners: dict[Colour, Owner]
    story: Story
    hinted: bool = False
    _latest: Colour | None
    """The controller's colour that moved last; they see the game from there."""
    _start: Referee
    """The game before its first attempt; never changed."""

    def copy(self) -> Self:
        twin = super().copy()
        twin.referee = self.referee.copy()
        twin.owners = dict(self.owners)
        return twin

    def new_game(self) -> None:
        super().new_game()
        self._begin(Referee(self.settings.rules))

    def clear(self) -> None:
        """Start a repetition of the current game if something is hidden in it, else a new one."""
        hidden = self.settings.hide and not self.story.filed
        if hidden and self.story.steps and self.referee.outcome is None:
            self.story = self.story.again()
        else:
            self.new_game()

    def _begin(self, referee: Referee, *, handicap: PointSet = 0, filed: bool = False) -> None:
        self.referee, self.owners, self._latest = referee, {}, None
        self._start = referee.copy()
        self.story = Story(self._present, handicap=handicap, filed=filed)

    @property
    def _present(self) -> Moment:
        views = {colour: self.referee.view(colour) for colour in Colour}
        return Moment(views, dict(self.owners), self._latest, self.referee.to_move)

    @property
    def now(self) -> Moment:
        """The visible game: all of it, or the part that has been repeated."""
        story = self.story
        if story.repeated is None or (story.placed and story.whole(story.repeated)):
            return self._present
        return story.at(story.repeated) if story.placed else Moment.blank(self.settings.rules)

    @property
    def begun(self) -> bool:
        if self.story.repeated == 0:
            return bool(self.story.handicap and self.story.placed)
        board = self.referee.board
        return bool(self.referee.log or board.black or board.white)

    @property
    def result(self) -> str | None:
        return None if self.referee.outcome is None else self.referee.outcome.result

    def place(self, colour: Colour, points: PointSet) -> None:
        if self.story.repeated == 0 and self.story.handicap == points:
            self.story = replace(self.story, placed=True)
            return
        self._end_repetition()
        stones = {colour: points, colour.other: 0}
        black, white = (stones[side] for side in Colour)
        self._begin(Referee(self.settings.rules, black=black, white=white), handicap=points)

    def komi_changed(self) -> None:
        self.referee.set_komi(self.settings.rules.komi)

    # Moves

    @command("play")
    def play(self, colour: str, where: str) -> None:
        line = Line(syntax.colour(colour), syntax.move(where, self.size))
        stood = self._repeated(line)
        if stood is None:
            self._take_seat(line.colour)
            stood = self._attempt(line)
        if not stood:
            raise IllegalMove("illegal move")
        other = line.colour.other
        if (
            self.settings.ruled
            and line.move == PASS
            and self.owners.get(other) is Owner.BOT
            and self.referee.outcome is None
            and self.story.repeated is None
        ):
            # GoGui takes the pass and the hidden move for two passes and would not ask for it.
            self._bot_move(other, self.propose, said=False)

    @command("genmove")
    def genmove(self, colour: str) -> str:
        side = syntax.colour(colour)
        self.forbid_after_end()
        self._end_repetition()
        move = self._bot_move(side, self.propose)
        self._hint()
        return vertex(move, self.size)

    def move_openly(self, side: Colour, choose: Callable[[View], Move]) -> Move:
        self.forbid_after_end()
        self._end_repetition()
        if self.settings.hide and self.owners.get(side) is not Owner.CONTROLLER:
            raise Failure("cannot analyze: the bot's seat is hidden")
        return self._bot_move(side, choose)

    @command("undo")
    def undo(self) -> None:
        """Take back the last move that stands, where nothing is hidden."""
        if self.settings.hide and Owner.BOT in self.owners.values():
            raise Failure("cannot undo: the bot's seat is hidden")
        self._end_repetition()
        if self.referee.outcome is not None and Owner.BOT in self.owners.values():
            raise Failure("cannot undo: game over")
        before = self.story.before_the_last_move()
        if before is None:
            raise Failure("cannot undo: no moves")
        again = self._start.copy()
        for colour, move, _ in self.referee.log[: before.attempts]:
            again.attempt(colour, move)
        again.set_komi(self.settings.rules.komi)
        self.referee, self.story = again, before
        self._latest = before.at(len(before.steps)).latest

    @command("reg_genmove")
    def reg_genmove(self, colour: str) -> str:
        side = syntax.colour(colour)
        self.forbid_after_end()
        self._end_repetition()
        self._take_seat(side)
        return self.suggest(self.referee.view(side))

    def _hint(self) -> None:
        """Warn once if a match runner seems to take hidden moves for passes."""
        if self.hinted or not self.settings.hide:
            return
        steps = self.story.steps
        bots = set(self.owners.values()) == {Owner.BOT} and len(self.owners) == len(Colour)
        passes = len(steps) >= 4 and all(step.line.move == PASS for step in steps[:4])
        if bots or passes:
            self.hinted = True
            log.warning(
                "hidden moves are answered `pass`; a match runner needs `phantomgo adapter`"
                " (real moves, each engine sees its view) or `phantomgo gtp --reveal`"
            )

    def _attempt(self, line: Line) -> bool:
        """Judge an attempt of the controller; returns whether it stands."""
        stands = not isinstance(self.referee.attempt(line.colour, line.move), Refused)
        self._note(line, stands=stands)
        return stands

    def _bot_move(self, side: Colour, choose: Callable[[View], Move], *, said: bool = True) -> Move:
        """Let the bot move by these attempts; returns the controller's answer, if it is `said`."""
        if self.owners.setdefault(side, Owner.BOT) is Owner.CONTROLLER:
            self._latest = side
        move = self._attempt_until_accepted(side, choose)
        if self._hidden(side) and move != RESIGN:
            move = PASS
        self._note(Line(side, move), said=said)
        return move

    def _attempt_until_accepted(self, side: Colour, choose: Callable[[View], Move]) -> Move:
        """The move that stands; PASS or RESIGN if the tries ran out, as the rules have it."""
        while True:
            view = self.referee.view(side)
            move = choose(view)
            if not isinstance(self.referee.attempt(side, move), Refused):
                return move
            if self.referee.view(side).turn > view.turn:
                return PASS
            if self.referee.outcome is not None:
                return RESIGN

    def _note(self, line: Line, *, stands: bool = True, said: bool = True) -> None:
        """Add a line to the story; if it ended the game, let bots know."""
        done = Said(line, stands, self._present, said, len(self.referee.log))
        self.story = self.story.then(done)
        if self.referee.outcome is not None:
            for side, owner in self.owners.items():
                if owner is Owner.BOT:
                    self.report_end(self.referee.view(side))

    # Repetitions

    def _repeated(self, line: Line) -> bool | None:
        """True if this line stood when it was first played; None if it repeats no line."""
        if self.story.repeated is None:
            return None
        found = self.story.following(self.story.repeated, line) if self.story.placed else None
        if found is None:
            self._end_repetition()
            return None
        repeated, stood = found
        self.story = replace(self.story, repeated=repeated)
        return stood

    def _end_repetition(self) -> None:
        """Continue the game if all of it was repeated, else start a new one.

        The new game begins with what the controller has said since it cleared the board.
        """
        if self.story.repeated is None:
            return
        story, repeated, owners = self.story, self.story.repeated, self.owners
        if story.placed and story.whole(repeated):
            self.story = replace(story, repeated=None, placed=False)
            return
        if repeated:
            log.warning("the moves differ from those of the game: a new game begins")
        self.new_game()
        if story.placed and story.handicap:
            self.place(Colour.BLACK, story.handicap)
        for step in story.steps[:repeated]:
            if not (step.said and step.stands) or self.referee.outcome is not None:
                continue
            if self.settings.hide and owners.get(step.line.colour) is Owner.BOT:
                self.owners[step.line.colour] = Owner.BOT  # its moves were answered as passes
            else:
                self._take_seat(step.line.colour)
            self._attempt(step.line)

    # Seats

    def _take_seat(self, side: Colour) -> None:
        """Make a free seat the controller's."""
        self.forbid_after_end()
        owner = self.owners.setdefault(side, Owner.CONTROLLER)
        if self._hidden(side):
            raise Failure("not your seat")
        if owner is Owner.CONTROLLER:
            self._latest = side

    def _hidden(self, side: Colour) -> bool:
        """True if the moves of this seat are hidden from the controller.

        This does not depend on `result`: the move that ended the game stays hidden, too.
        """
        return self.settings.hide and self.now.owners.get(side) is Owner.BOT

    # Looking

    def seen(self, colour: str | None) -> View:
        side = self._side() if colour is None else syntax.colour(colour)
        if side is None or (self._hidden(side) and self.result is None):
            raise Failure("not your seat")
        return self.now.views[side]

    def _side(self) -> Colour | None:
        """The colour whose view is the controller's: their seat, else a free one."""
        now = self.now
        for wanted in (Owner.CONTROLLER, None, Owner.BOT):
            sides = [side for side in Colour if now.owners.get(side) is wanted]
            if sides and not self._hidden(sides[0]):
                return now.latest if now.latest in sides else sides[0]
        return None

    def board(self) -> str:
        if self.referee.outcome is not None:
            return f"{self.true_board()}\n{self.referee.outcome.sentence}"
        side = self._side()
        if side is None:
            return display.public_board(self.now.views[Colour.BLACK])
        return display.view_board(self.now.views[side])

    def true_board(self) -> str | None:
        if self.referee.outcome is None:
            return None
        board = self.referee.board
        return display.truth_board(board.size, board.black, board.white)

    def record(self) -> Record | None:
        outcome, handicap = self.referee.outcome, self.story.handicap
        if outcome is None:
            return None
        again, steps = Referee(self.referee.rules, black=handicap), list[Step]()
        for colour, move, _ in self.referee.log:
            if colour is not again.to_move or again.outcome is not None:
                break
            steps.append(take_step(again, move, 0.0))
        if again.board != self.referee.board or again.outcome != outcome:
            raise Failure("no record can hold this game: it began from a file, or out of turn")
        bot, controller = Side(self.settings.bot, self.seed), Side("controller")
        black, white = (bot if self.owners.get(c) is Owner.BOT else controller for c in Colour)
        return Record(again.rules, black, white, tuple(steps), outcome, handicap)

    def would_stand(self, colour: Colour, move: Move) -> bool:
        if self.settings.hide:
            return super().would_stand(colour, move)
        self.forbid_after_end()
        return not isinstance(self.referee.copy().attempt(colour, move), Refused)

    @command("final_status_list")
    def final_status_list(self, status: str) -> str:
        """Every stone is alive: the area is scored as it stands."""
        if status not in ("alive", "dead", "seki"):
            raise Failure("syntax error")
        if self.referee.outcome is None:
            raise Failure("cannot score")
        if status != "alive":
            return ""
        board = self.referee.board
        chains = [chain for side in Colour for chain in board.chains(side)]
        return "\n".join(vertices(chain, board.size) for chain in chains)

    # For a ruler

    @property
    def game(self) -> str:
        return HIDDEN if self.settings.hide else OPEN

    def shown(self) -> Shown:
        return self._shown(len(self.story.steps))

    @command("phantom-shown")
    def phantom_shown(self, *words: str) -> str:
        """The position after these moves as JSON, for a ruler in another process."""
        if len(words) % 2:
            raise Failure("syntax error")
        pairs = zip(words[::2], words[1::2], strict=True)
        steps = self.story.reached(
            Line(syntax.colour(colour), syntax.move(where, self.size)) for colour, where in pairs
        )
        if steps is None:
            raise Failure("the program does not know these moves")
        return json.dumps(self._shown(steps)._asdict())

    def _shown(self, steps: int) -> Shown:
        """The position after this number of steps, as a ruler shows it."""
        past = steps < len(self.story.steps)
        if not past and self.referee.outcome is not None:
            return display.shown_end(self.referee)
        moment = self.story.at(steps) if past else self._present
        side = self._looked_from(moment)
        if side is None:
            return display.shown_public(moment.views[Colour.BLACK], moment.to_move)
        return display.shown(moment.views[side], moment.to_move, past=past and bool(steps))

    def _looked_from(self, moment: Moment) -> Colour | None:
        """Whose view a ruler shows: the controller's seat, of two the one to move."""
        sides = (moment.to_move, moment.to_move.other)
        for wanted in (Owner.CONTROLLER, None):
            for side in sides:
                if moment.owners.get(side) is wanted:
                    return side
        return None if self.settings.hide else moment.to_move

    # Files

    @command("loadsgf")
    def loadsgf(self, path: str, move_number: str = "999999999") -> None:
        """Start the game of a file at the position before this move; both seats are free."""
        before = syntax.whole(move_number, 1)
        try:
            game = read_sgf(self.services.read_file(path))
            referee = self._replay(game, before - 1)
        except (OSError, PhantomGoError):
            raise Failure("cannot load file") from None
        rules, given = referee.rules, self.settings.komi_given or game.komi is not None
        self.settings = replace(self.settings, rules=rules, komi_given=given)
        super().new_game()
        self._begin(referee, filed=True)

    def _replay(self, game: SgfGame, count: int) -> Referee:
        komi = self.settings.rules.komi if game.komi is None else game.komi
        rules = replace(self.settings.rules, size=game.size, komi=komi)
        referee = Referee(rules, black=game.black, white=game.white)
        board, geometry = referee.board, grid(game.size)
        empty = geometry.full & ~(game.black | game.white)
        for side in Colour:
            if any(not geometry.grow(chain) & empty for chain in board.chains(side)):
                raise Failure("cannot load file")
        if game.to_move is not None:
            referee.to_move = game.to_move
        for side, move in game.moves[:count]:
            if isinstance(referee.attempt(side, move), Refused):
                raise Failure("cannot load file")
        return referee
