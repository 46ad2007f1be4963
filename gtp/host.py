"""The host: the server holds the referee and lets a bot play either colour.

Each colour is a seat. The first `play` or `genmove` for a colour in a game decides whose seat it
is, the controller's or the bot's. While `hide` is on, nothing the server says depends on more of
the game than the controller's seats were told.

A game that is on outlives `clear_board`, as long as the controller tells it again (gtp/story.py).
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Self

from gtp import display, syntax
from gtp.common import COMMON
from gtp.gogui import HIDDEN, OPEN, Ruling, Shown
from gtp.role import GameRole, Services, Settings
from gtp.story import Line, Moment, Owner, Story
from gtp.story import Step as Told
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
    """The one failure that is an answer: the attempt was judged, and that stands."""

    def __init__(self) -> None:
        super().__init__("illegal move")


class Host(GameRole):
    """One game between the controller and the bot, or either against itself.

    Attributes:
        referee: the game.
        owners: the seats that are decided.
        story: the game as the controller knows it.
        hinted: the controller was told how to run matches.
    """

    themes = (*COMMON, Ruling)
    way = "phantom-seat none first"
    referee: Referee
    owners: dict[Colour, Owner]
    story: Story
    hinted: bool = False
    _latest: Colour | None
    """The controller's colour that moved last; they look at the game from there."""
    _start: Referee
    """The game before its first attempt; never changed."""

    @classmethod
    def asked_for(cls, word: str, settings: Settings, services: Services) -> Self | None:
        return cls(settings, services) if word.lower() == "none" else None

    def copy(self) -> Self:
        twin = super().copy()
        twin.referee = self.referee.copy()
        twin.owners = dict(self.owners)
        return twin

    def new_game(self) -> None:
        super().new_game()
        self._begin(Referee(self.settings.rules))

    def clear(self) -> None:
        """A new game, unless the one that is on is told again from its start."""
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
        """What there is to see: the game as it is, or as far as it has been told again."""
        story = self.story
        if story.told is None or (story.placed and story.whole(story.told)):
            return self._present
        return story.at(story.told) if story.placed else Moment.blank(self.settings.rules)

    @property
    def begun(self) -> bool:
        if self.story.told == 0:
            return bool(self.story.handicap and self.story.placed)
        board = self.referee.board
        return bool(self.referee.log or board.black or board.white)

    @property
    def result(self) -> str | None:
        return None if self.referee.outcome is None else self.referee.outcome.result

    @property
    def secret(self) -> bool:
        return self.settings.hide and self.result is None

    def place(self, colour: Colour, points: PointSet) -> None:
        if self.story.told == 0 and self.story.handicap == points:
            self.story = replace(self.story, placed=True)
            return
        self._put_away()
        stones = {colour: points, colour.other: 0}
        black, white = (stones[side] for side in Colour)
        self._begin(Referee(self.settings.rules, black=black, white=white), handicap=points)

    def komi_changed(self) -> None:
        self.referee.set_komi(self.settings.rules.komi)

    # Moves

    @command("play")
    def play(self, colour: str, where: str) -> None:
        line = Line(syntax.colour(colour), syntax.move(where, self.referee.rules.size))
        stood = self._told_again(line)
        if stood is None:
            self._take_seat(line.colour)
            stood = self._attempt(line)
        if not stood:
            raise IllegalMove
        other = line.colour.other
        if self.settings.ruled and line.move == PASS and self.owners.get(other) is Owner.BOT:
            # After what it takes for two passes in a row GoGui asks for no move any more.
            self._answer_pass(other)

    @command("genmove")
    def genmove(self, colour: str) -> str:
        side = syntax.colour(colour)
        self._forbid_after_end()
        self._put_away()
        move = self._bot_move(side)
        self._hint()
        return vertex(move, self.referee.rules.size)

    def move_openly(self, side: Colour, choose: Callable[[View], Move]) -> Move:
        self._forbid_after_end()
        self._put_away()
        if self.settings.hide and self.owners.get(side) is not Owner.CONTROLLER:
            raise Failure("cannot analyze: the bot's seat is hidden")
        return self._bot_move(side, choose=choose)

    @command("undo")
    def undo(self) -> None:
        """Take back the last move that stands, where nothing is hidden."""
        self._put_away()
        if self.settings.hide and Owner.BOT in self.owners.values():
            raise Failure("cannot undo: the bot's seat is hidden")
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
        """What the bot would do; a seat they may ask this for is the controller's."""
        side = syntax.colour(colour)
        self._forbid_after_end()
        self._put_away()
        self._take_seat(side)
        return self.suggest(self.referee.view(side))

    def _hint(self) -> None:
        """Say once where a runner goes wrong that takes hidden moves for passes."""
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

    def _answer_pass(self, side: Colour) -> None:
        if self.referee.outcome is None and self.story.told is None:
            self._bot_move(side, said=False)

    def _attempt(self, line: Line) -> bool:
        """An attempt of the controller; whether it stands."""
        stands = not isinstance(self.referee.attempt(line.colour, line.move), Refused)
        self._note(line, stands=stands)
        return stands

    def _bot_move(
        self, side: Colour, *, said: bool = True, choose: Callable[[View], Move] | None = None
    ) -> Move:
        """Let the bot move; what the controller is told of it, if it is `said`."""
        if self.owners.setdefault(side, Owner.BOT) is Owner.CONTROLLER:
            self._latest = side
        move = self._let_bot_move(side, choose or self.propose)
        if self._hidden(side) and move != RESIGN:
            move = PASS
        self._note(Line(side, move), said=said)
        return move

    def _note(self, line: Line, *, stands: bool = True, said: bool = True) -> None:
        """Add to the story what the controller was answered; tell bots if that was the end."""
        done = Told(line, stands, self._present, said, len(self.referee.log))
        self.story = self.story.then(done)
        if self.referee.outcome is not None:
            for side, owner in self.owners.items():
                if owner is Owner.BOT:
                    self.tell_end(self.referee.view(side))

    # A game told again

    def _told_again(self, line: Line) -> bool | None:
        """Whether this line stood when it was said before; None if it is not a repetition."""
        if self.story.told is None:
            return None
        found = self.story.following(self.story.told, line) if self.story.placed else None
        if found is None:
            self._put_away()
            return None
        told, stood = found
        self.story = replace(self.story, told=told)
        return stood

    def _put_away(self) -> None:
        """End a repetition: the game goes on if it was told whole, else a new one begins.

        In the new one stands what the controller has said since it cleared the board.
        """
        if self.story.told is None:
            return
        story, told, bots = self.story, self.story.told, self.owners
        if story.placed and story.whole(told):
            self.story = replace(story, told=None, placed=False)
            return
        if told:
            log.warning("what is told again differs from the game: a new one begins")
        self.new_game()
        if story.placed and story.handicap:
            self.place(Colour.BLACK, story.handicap)
        for step in story.steps[:told]:
            if not (step.said and step.stands) or self.referee.outcome is not None:
                continue
            if self.settings.hide and bots.get(step.line.colour) is Owner.BOT:
                self.owners[step.line.colour] = Owner.BOT  # its moves were told as passes
            else:
                self._take_seat(step.line.colour)
            self._attempt(step.line)

    def _let_bot_move(self, side: Colour, choose: Callable[[View], Move]) -> Move:
        """Let the bot propose until a move stands; RESIGN also where the tries cost the game."""
        while True:
            view = self.referee.view(side)
            move = choose(view)
            if not isinstance(self.referee.attempt(side, move), Refused):
                return move
            if self.referee.view(side).turn > view.turn:
                return PASS  # the tries ran out
            if self.referee.outcome is not None:
                return RESIGN

    def _take_seat(self, side: Colour) -> None:
        """Make an undecided seat the controller's."""
        self._forbid_after_end()
        owner = self.owners.setdefault(side, Owner.CONTROLLER)
        if self._hidden(side):
            raise Failure("not your seat")
        if owner is Owner.CONTROLLER:
            self._latest = side

    def _hidden(self, side: Colour) -> bool:
        """Whether the controller may not know what this seat does.

        Not asked of `result`: what the move that ended the game was stays hidden too.
        """
        return self.settings.hide and self.now.owners.get(side) is Owner.BOT

    def _forbid_after_end(self) -> None:
        if self.referee.outcome is not None:
            raise Failure("game over")

    # Looking

    def seen(self, colour: str | None) -> View:
        side = self._side() if colour is None else syntax.colour(colour)
        if side is None or (self._hidden(side) and self.result is None):
            raise Failure("not your seat")
        return self.now.views[side]

    def _side(self) -> Colour | None:
        """The colour whose view is the controller's: their seat, else an undecided one."""
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
        if self.referee.outcome is None:
            return None
        again, steps = Referee(self.referee.rules, black=self.story.handicap), list[Step]()
        for colour, move, _ in self.referee.log:
            if colour is not again.to_move or again.outcome is not None:
                break
            steps.append(take_step(again, move, 0.0))
        if again.board != self.referee.board or again.outcome != self.referee.outcome:
            raise Failure("no record can hold this game: it began from a file, or out of turn")
        black, white = (self._side_of(colour) for colour in Colour)
        return Record(
            again.rules, black, white, tuple(steps), self.referee.outcome, self.story.handicap
        )

    def _side_of(self, colour: Colour) -> Side:
        if self.owners.get(colour) is Owner.BOT:
            return Side(self.settings.bot, self.seed)
        return Side("controller")

    def would_stand(self, colour: Colour, move: Move) -> bool:
        if self.settings.hide:
            return super().would_stand(colour, move)
        self._forbid_after_end()
        return not isinstance(self.referee.copy().attempt(colour, move), Refused)

    @command("final_status_list")
    def final_status_list(self, status: str) -> str:
        """Every stone counts as alive: the area is scored as it stands."""
        if status not in ("alive", "dead", "seki"):
            raise Failure("syntax error")
        if self.referee.outcome is None:
            raise Failure("cannot score")
        if status != "alive":
            return ""
        board = self.referee.board
        chains = [chain for side in Colour for chain in board.chains(side)]
        return "\n".join(vertices(chain, board.size) for chain in chains)

    # What a ruler shows

    @property
    def game(self) -> str:
        return HIDDEN if self.settings.hide else OPEN

    @property
    def size(self) -> int:
        return self.settings.rules.size

    def shown(self) -> Shown:
        return self._shown(len(self.story.steps))

    @command("phantom-shown")
    def shown_after(self, *words: str) -> str:
        """What was to be seen after these moves; for a ruler in another process."""
        if len(words) % 2:
            raise Failure("syntax error")
        pairs = zip(words[::2], words[1::2], strict=True)
        told = self.story.reached(
            Line(syntax.colour(colour), syntax.move(where, self.size)) for colour, where in pairs
        )
        if told is None:
            raise Failure("the program was not told these moves")
        return self._shown(told).written()

    def _shown(self, told: int) -> Shown:
        """What there is to see after so many steps: the past, where nothing can be done, or now."""
        past = told < len(self.story.steps)
        if not past and self.referee.outcome is not None:
            return display.shown_end(self.referee)
        moment = self.story.at(told) if past else self._present
        side = self._looked_from(moment)
        if side is None:
            return display.shown_public(moment.views[Colour.BLACK], moment.to_move)
        return display.shown(moment.views[side], moment.to_move, past=past and bool(told))

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
        """Begin the game of a file as it stands before this move; both seats are undecided."""
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
