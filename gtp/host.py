"""The host: the server has the referee and lets a bot play either colour.

Each colour is a seat. The first `play` or `genmove` for a colour in a game makes it the
controller's or the bot's. While `hide` is on, no answer depends on more of the game than the
views of the controller's seats.

A game survives `clear_board` as long as the controller repeats it (gtp/story.py).
"""

import json
import logging
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from gtp import display, ruler, syntax
from gtp.analysis import AnalysisRequest, info
from gtp.handlers import table
from gtp.role import GameRole
from gtp.ruler import RulerBoard
from gtp.story import GameSnapshot, Owner, SentMove, Story, StoryStep
from gtp.syntax import Failure
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.game.messages import Message, Refused
from phantomgo.game.outcome import Ending
from phantomgo.game.points import PASS, RESIGN, Colour, Move, PointSet, grid, vertex, vertices
from phantomgo.game.record import PlayerInfo, Record, RecordedAttempt
from phantomgo.game.recording import recorded_attempt
from phantomgo.game.referee import Referee
from phantomgo.game.view import View
from phantomgo.records.sgf import SgfGame, read_sgf

log = logging.getLogger(__name__)


class IllegalMove(Failure):
    """The one failure that changes the game: the attempt was judged."""


class Host(GameRole):
    """One game between the controller and the bot, or either against itself.

    Attributes:
        referee: the game; replaced by a copy before each attempt, and never changed.
        owners: the owners of the seats that are taken.
        latest: the controller's colour that moved last; they see the game from there.
        start: the game before its first attempt.
        story: the game as the controller knows it.
        hinted: the controller was advised on how to run matches.
    """

    way = "phantom-seat none first"
    referee: Referee
    owners: Mapping[Colour, Owner]
    latest: Colour | None
    start: Referee
    story: Story
    hinted: bool = False

    def new_game(self) -> None:
        super().new_game()
        self.begin(Referee(self.thinker.settings.rules))

    def begin(self, referee: Referee, *, handicap: PointSet = 0, from_file: bool = False) -> None:
        """Start the game of this referee, with all seats free."""
        self.referee = self.start = referee
        self.owners, self.latest = {}, None
        self.story = Story(self.current_game, handicap=handicap, from_file=from_file)

    def clear(self) -> None:
        """Start a repetition of the current game if something is hidden in it, else a new one."""
        if self.hide and not self.story.from_file and self.story.steps and self.result is None:
            self.story = self.story.again()
        else:
            self.new_game()

    @property
    def hide(self) -> bool:
        return self.thinker.settings.hide

    @property
    def current_game(self) -> GameSnapshot:
        views = {colour: self.referee.view(colour) for colour in Colour}
        return GameSnapshot(views, self.owners, self.latest, self.referee.to_move)

    @property
    def visible_game(self) -> GameSnapshot:
        """The game as the controller sees it: all of it, or the part that has been repeated."""
        story = self.story
        if story.repeated is None or story.complete:
            return self.current_game
        if story.handicap_placed:
            return story.at(story.repeated)
        return GameSnapshot.blank(self.thinker.settings.rules)

    @property
    def begun(self) -> bool:
        if self.story.repeated == 0:
            return bool(self.story.handicap and self.story.handicap_placed)
        board = self.referee.board
        return bool(self.referee.log or board.black or board.white)

    @property
    def result(self) -> str | None:
        return None if self.referee.outcome is None else self.referee.outcome.result

    @property
    def secret(self) -> bool:
        return self.hide and self.result is None

    def place_handicap(self, points: PointSet) -> None:
        if self.story.repeated == 0 and self.story.handicap == points:
            self.story = replace(self.story, handicap_placed=True)
            return
        self.end_repetition()
        self.begin(Referee(self.thinker.settings.rules, black=points), handicap=points)

    def events(self, colour: Colour) -> Sequence[Message]:
        return self.visible_game.views[colour].events

    def komi_changed(self) -> None:
        self.referee = self.referee.copy()
        self.referee.set_komi(self.thinker.settings.rules.komi)

    # Moves

    def attempt(self, sent: SentMove) -> bool:
        """Judge an attempt of the controller; returns whether it is accepted."""
        accepted = self.judge(sent.colour, sent.move)
        self._add_to_story(sent, accepted=accepted)
        return accepted

    def move(self, side: Colour, choose: Callable[[View], Move], *, known: bool = True) -> Move:
        """Let `choose` make attempts until one is accepted; returns the controller's answer.

        A free seat becomes the bot's. The controller learns of the move if it is `known`.
        """
        if self._owner(side, Owner.BOT) is Owner.CONTROLLER:
            self.latest = side
        move = _until_accepted(self, side, choose)
        if self.hides(side) and move != RESIGN:
            move = PASS
        self._add_to_story(SentMove(side, move), known=known)
        return move

    def judge(self, side: Colour, move: Move) -> bool:
        """Have the referee judge an attempt; returns whether it is accepted."""
        self.referee = self.referee.copy()
        return not isinstance(self.referee.attempt(side, move), Refused)

    def _add_to_story(self, sent: SentMove, *, accepted: bool = True, known: bool = True) -> None:
        """Add a move to the story; if it ended the game, let bots know."""
        step = StoryStep(sent, accepted, self.current_game, known, len(self.referee.log))
        self.story = self.story.then(step)
        if self.referee.outcome is not None:
            for side, owner in self.owners.items():
                if owner is Owner.BOT:
                    self.thinker.report_end(self.referee.view(side))

    # Repetitions

    def repeat(self, sent: SentMove) -> bool | None:
        """True if this move was accepted when first played; None if it repeats none."""
        story = self.story
        if story.repeated is None:
            return None
        following = story.following(story.repeated, sent) if story.handicap_placed else None
        if following is None:
            self.end_repetition()
            return None
        repeated, accepted = following
        self.story = replace(story, repeated=repeated)
        return accepted

    def end_repetition(self) -> None:
        """Continue the game if all of it was repeated, else start a new one.

        The new game begins with the controller's moves since it cleared the board.
        """
        story, owners = self.story, self.owners
        if story.repeated is None:
            return
        if story.complete:
            self.story = replace(story, repeated=None)
            return
        if story.repeated:
            log.warning("the moves differ from those of the game: a new game begins")
        self.new_game()
        if story.handicap_placed and story.handicap:
            self.place_handicap(story.handicap)
        for step in story.steps[: story.repeated]:
            if not (step.known and step.accepted) or self.referee.outcome is not None:
                continue
            if self.hide and owners.get(step.sent.colour) is Owner.BOT:
                self._owner(step.sent.colour, Owner.BOT)  # its moves were answered as passes
            else:
                self.take_seat(step.sent.colour)
            self.attempt(step.sent)

    # Seats

    def take_seat(self, side: Colour) -> None:
        """Make a free seat the controller's."""
        self.forbid_after_end()
        owner = self._owner(side, Owner.CONTROLLER)
        if self.hides(side):
            raise Failure("not your seat")
        if owner is Owner.CONTROLLER:
            self.latest = side

    def _owner(self, side: Colour, taker: Owner) -> Owner:
        """The owner of a seat, which the taker becomes if it is free."""
        owner = self.owners.get(side, taker)
        self.owners = {**self.owners, side: owner}
        return owner

    def hides(self, side: Colour) -> bool:
        """True if the moves of this seat are hidden from the controller.

        This does not depend on `result`: the move that ended the game stays hidden, too.
        """
        return self.hide and self.visible_game.owners.get(side) is Owner.BOT

    # Looking

    def visible_view(self, colour: str | None) -> View:
        side = self._side() if colour is None else syntax.colour(colour)
        if side is None or (self.hides(side) and self.result is None):
            raise Failure("not your seat")
        return self.visible_game.views[side]

    def _side(self) -> Colour | None:
        """The colour whose view is the controller's: their seat, else a free one."""
        game = self.visible_game
        for wanted in (Owner.CONTROLLER, None, Owner.BOT):
            sides = [side for side in Colour if game.owners.get(side) is wanted]
            if sides and not self.hides(sides[0]):
                return game.latest if game.latest in sides else sides[0]
        return None

    def board(self) -> str:
        if self.referee.outcome is not None:
            return f"{self.true_board()}\n{self.referee.outcome.sentence}"
        side = self._side()
        if side is None:
            return display.public_board(self.visible_game.views[Colour.BLACK])
        return display.view_board(self.visible_game.views[side])

    def true_board(self) -> str | None:
        if self.referee.outcome is None:
            return None
        board = self.referee.board
        return display.framed(board.size, display.marks(board.black, board.white))

    def record(self) -> Record | None:
        outcome, handicap = self.referee.outcome, self.story.handicap
        if outcome is None:
            return None
        again, steps = Referee(self.referee.rules, black=handicap), list[RecordedAttempt]()
        for colour, move, _ in self.referee.log:
            if colour is not again.to_move or again.outcome is not None:
                break
            steps.append(recorded_attempt(again, move, 0.0))
        if again.board != self.referee.board or again.outcome != outcome:
            raise Failure("no record can hold this game: it began from a file, or out of turn")
        bot = PlayerInfo(self.thinker.spec, self.thinker.seed)
        controller = PlayerInfo("controller")
        black, white = (bot if self.owners.get(c) is Owner.BOT else controller for c in Colour)
        return Record(again.rules, black, white, tuple(steps), outcome, handicap)

    def would_be_accepted(self, colour: Colour, move: Move) -> bool:
        if self.hide:
            return super().would_be_accepted(colour, move)
        self.forbid_after_end()
        return not isinstance(self.referee.copy().attempt(colour, move), Refused)


def _until_accepted(host: Host, side: Colour, choose: Callable[[View], Move]) -> Move:
    """Attempt moves until one is accepted; PASS or RESIGN if the attempts run out, by the rules."""
    while True:
        view = host.referee.view(side)
        move = choose(view)
        if host.judge(side, move):
            return move
        if host.referee.view(side).turn > view.turn:
            return PASS
        if host.referee.outcome is not None:
            return RESIGN


def play(host: Host, colour: str, where: str) -> None:
    sent = SentMove(syntax.colour(colour), syntax.move(where, host.size))
    accepted = host.repeat(sent)
    if accepted is None:
        host.take_seat(sent.colour)
        accepted = host.attempt(sent)
    if not accepted:
        raise IllegalMove("illegal move")
    other = sent.colour.other
    answers = host.ruled and sent.move == PASS and host.owners.get(other) is Owner.BOT
    if answers and host.result is None and host.story.repeated is None:
        # GoGui takes the pass and the hidden move for two passes and would not ask for it.
        host.move(other, host.thinker.propose, known=False)


def genmove(host: Host, colour: str) -> str:
    return vertex(_moved(host, syntax.colour(colour), host.thinker.propose), host.size)


def genmove_analyze(host: Host, colour: str, *words: str) -> str:
    """Move, and report the analysis of every attempt of the turn, unless that is hidden."""
    request, lines = AnalysisRequest.read((colour, *words)), list[str]()
    side = syntax.colour(colour)

    def choose(view: View) -> Move:
        decision = host.thinker.decide(view)
        if not host.hides(side) and decision.candidates:
            lines.append(info(decision, host.thinker.bot(view), view, request))
        return decision.move

    move = _moved(host, side, choose)
    return "\n".join(["", *lines, f"play {vertex(move, host.size)}"])


def _moved(host: Host, side: Colour, choose: Callable[[View], Move]) -> Move:
    """Let the bot move by `choose`; return the answer for the controller."""
    host.forbid_after_end()
    host.end_repetition()
    move = host.move(side, choose)
    _hint(host)
    return move


def _hint(host: Host) -> None:
    """Warn once if a match runner seems to take hidden moves for passes."""
    if host.hinted or not host.hide:
        return
    steps, owners = host.story.steps, list(host.owners.values())
    passes = len(steps) >= 4 and all(step.sent.move == PASS for step in steps[:4])
    if passes or owners == [Owner.BOT, Owner.BOT]:
        host.hinted = True
        log.warning(
            "hidden moves are answered `pass`; a match runner needs `phantomgo bridge gtp`"
            " (real moves, each engine sees its view) or `phantomgo gtp --reveal`"
        )


def undo(host: Host) -> None:
    """Take back the last accepted move, where nothing is hidden."""
    bots = Owner.BOT in host.owners.values()
    if host.hide and bots:
        raise Failure("cannot undo: the bot's seat is hidden")
    host.end_repetition()
    if host.result is not None and bots:
        raise Failure("cannot undo: game over")
    before = host.story.before_the_last_move()
    if before is None:
        raise Failure("cannot undo: no moves")
    again = host.start.copy()
    for colour, move, _ in host.referee.log[: before.attempts]:
        again.attempt(colour, move)
    again.set_komi(host.thinker.settings.rules.komi)
    host.referee, host.story = again, before
    host.latest = before.at(len(before.steps)).latest


def reg_genmove(host: Host, colour: str) -> str:
    side = syntax.colour(colour)
    host.forbid_after_end()
    host.end_repetition()
    host.take_seat(side)
    return host.thinker.suggest(host.referee.view(side))


def final_status_list(host: Host, status: str) -> str:
    """Every stone is alive: the area of the current board is scored."""
    if status not in ("alive", "dead", "seki"):
        raise Failure("syntax error")
    if host.result is None:
        raise Failure("cannot score")
    if status != "alive":
        return ""
    board = host.referee.board
    chains = [chain for side in Colour for chain in board.chains(side)]
    return "\n".join(vertices(chain, board.size) for chain in chains)


def ruler_board(host: Host, steps: int) -> RulerBoard:
    """The position after this number of steps, as a ruler shows it."""
    past = steps < len(host.story.steps)
    if not past and host.referee.outcome is not None:
        return display.final_ruler_board(host.referee)
    game = host.story.at(steps) if past else host.current_game
    side = ruler_side(game, hide=host.hide)
    if side is None:
        return display.public_ruler_board(game.views[Colour.BLACK], game.to_move)
    return display.ruler_board(game.views[side], game.to_move, past=past and bool(steps))


def ruler_side(game: GameSnapshot, *, hide: bool) -> Colour | None:
    """Whose view a ruler shows: the controller's seat, of two the one to move."""
    sides = (game.to_move, game.to_move.other)
    for wanted in (Owner.CONTROLLER, None):
        for side in sides:
            if game.owners.get(side) is wanted:
                return side
    return None if hide else game.to_move


def phantom_shown(host: Host, *words: str) -> str:
    """The position after these moves as JSON, for a ruler in another process."""
    if len(words) % 2:
        raise Failure("syntax error")
    pairs = zip(words[::2], words[1::2], strict=True)
    steps = host.story.reached(
        SentMove(syntax.colour(colour), syntax.move(where, host.size)) for colour, where in pairs
    )
    if steps is None:
        raise Failure("the program does not know these moves")
    return json.dumps(ruler_board(host, steps)._asdict())


def loadsgf(host: Host, first: str, *words: str) -> None:
    """Start the game of a file at the position before a move; both seats are free."""
    try:
        data, before = _file(host.thinker.services.read_file, " ".join((first, *words)))
        _load(host, read_sgf(data, before - 1))
    except OSError as error:
        what = f"{str(error.filename)[:80]}: " if error.filename else ""
        raise Failure(f"cannot load file: {what}{error.strerror or 'it cannot be read'}") from None
    except PhantomGoError as error:
        raise Failure(f"cannot load file: {error}") from None


def _file(read: Callable[[str], bytes], text: str) -> tuple[bytes, float]:
    """The content of the file that `FILE [MOVE_NUMBER]` names, and the number.

    The name of a file may itself end in a number, and be quoted.
    """
    quoted = re.fullmatch(r"""(["'])(?P<name>.+)\1(?: (?P<number>\S+))?""", text)
    numbered = re.fullmatch(r"(?P<name>.+) (?P<number>[0-9]+)", text)
    if quoted is None:
        try:
            return read(text), math.inf
        except FileNotFoundError:
            if numbered is None:
                raise
    named = quoted or numbered
    assert named is not None, "without a number the file would be missing"
    before = math.inf if named["number"] is None else syntax.whole(named["number"], 1)
    return read(named["name"]), before


def _load(host: Host, game: SgfGame) -> None:
    """Start a game from the stones of a file, and play its moves."""
    settings = host.thinker.settings
    usual = settings.rules.komi if settings.komi_before is None else settings.komi_before
    komi, before = (usual, None) if game.komi is None else (game.komi, usual)
    rules = replace(settings.rules, size=game.size, komi=komi)
    referee, geometry = Referee(rules, black=game.black, white=game.white), grid(game.size)
    empty = geometry.full & ~(game.black | game.white)
    for side in Colour:
        if any(not geometry.grow(chain) & empty for chain in referee.board.chains(side)):
            raise BadText("it sets up stones without a liberty")
    referee.to_move = game.to_move or referee.to_move
    host.thinker.change(rules=rules, komi_before=before)
    host.thinker.new_game()
    host.begin(referee, handicap=0 if game.white else game.black, from_file=True)
    for number, (side, move, _) in enumerate(game.moves, 1):
        over = host.referee.outcome
        if over is not None and over.ending is Ending.SCORE:  # people play on after two passes
            board = host.referee.board
            host.begin(Referee(rules, black=board.black, white=board.white), from_file=True)
            host.referee.to_move = side
        if not host.attempt(SentMove(side, move)):
            raise BadText(f"move {number}, {vertex(move, game.size)}, is illegal")


COMMANDS: Final = ruler.queries(lambda host: ruler_board(host, len(host.story.steps))) | table(
    {
        "play": play,
        "genmove": genmove,
        "kata-genmove_analyze": genmove_analyze,
        "reg_genmove": reg_genmove,
        "undo": undo,
        "loadsgf": loadsgf,
        "final_status_list": final_status_list,
        "phantom-shown": phantom_shown,
        "gogui-rules_game_id": lambda host: ruler.HIDDEN if host.hide else ruler.OPEN,
    }
)
