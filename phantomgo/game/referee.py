"""The referee: the only owner of the full board.

It has the full board and both views, answers each attempt, and tells the other player what the
rules announce. Everything that differs between rules profiles is read from `Rules`.
"""

import copy
from dataclasses import replace

from phantomgo.errors import BadText, GameOver
from phantomgo.game.board import Board, Played
from phantomgo.game.log import Log
from phantomgo.game.messages import (
    Accepted,
    Answer,
    Ended,
    Message,
    Moved,
    Note,
    Passed,
    Placed,
    Reason,
    Refused,
)
from phantomgo.game.outcome import Ending, Outcome
from phantomgo.game.points import (
    BLACK,
    PASS,
    RESIGN,
    WHITE,
    Colour,
    Move,
    PointSet,
    grid,
)
from phantomgo.game.record import Attempt
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.values import checked_int


class Referee:
    """One game from its start to its end.

    Attempts of either colour are judged at any time, as GTP allows two moves of one colour in a
    row; `to_move` says whose turn it is by the rules of Go.

    Attributes:
        rules: the rules of this game.
        board: the full board.
        log: every attempt, in order.
        outcome: how the game ended; None while it lasts.
    """

    def __init__(self, rules: Rules, *, black: PointSet = 0, white: PointSet = 0) -> None:
        """Begin a game; both players know the handicap stones `black` and `white`.

        Raises:
            BadText: the rules or a set of points are invalid.
        """
        if not isinstance(rules, Rules):
            raise BadText(f"rules {rules!r:.40} are not Rules")
        full = grid(rules.size).full
        black, white = checked_int("black", black, 0, full), checked_int("white", white, 0, full)
        self.rules = rules
        self.board = Board(rules.size, black, white)
        self.log: Log[Attempt] = Log()
        self.outcome: Outcome | None = None
        self.to_move = WHITE if black.bit_count() > white.bit_count() else BLACK
        self._views = {colour: View(rules, colour) for colour in Colour}
        self._moves = 0
        self._passed: Colour | None = None
        self._positions = frozenset([self._position(self.board, BLACK)])
        for colour, stones in ((BLACK, black), (WHITE, white)):
            if stones:
                self._tell_both(Placed(colour, stones))

    def copy(self) -> "Referee":
        """A copy that continues independently; immutable parts are shared."""
        return copy.copy(self)

    def set_komi(self, komi: float) -> None:
        """Change komi during a game; both players know it."""
        self.rules = replace(self.rules, komi=komi)
        self._views = {c: view._replace(rules=self.rules) for c, view in self._views.items()}

    def view(self, colour: Colour) -> View:
        """The knowledge of this player."""
        if colour.__class__ is not Colour:
            raise BadText(f"colour {colour!r:.60} is neither BLACK nor WHITE")
        return self._views[colour]

    def attempt(self, colour: Colour, move: Move) -> Answer:
        """Judge an attempt and send both players the messages they may have.

        Raises:
            GameOver: the game has ended.
        """
        if colour.__class__ is not Colour or move.__class__ is not int:
            colour, move = self.view(colour).colour, checked_int("move", move, RESIGN)
        if self.outcome is not None:
            raise GameOver(f"the game is over: {self.outcome.sentence}")
        if move == RESIGN:
            self.log = self.log.then(Attempt(colour, move, None))
            self.end(Outcome(colour.other, None, Ending.RESIGN, f"{colour} resigns"))
            return Accepted(RESIGN)
        if move == PASS:
            self.log = self.log.then(Attempt(colour, move, None))
            return self._pass(colour)
        played = self._judge(colour, move)
        if isinstance(played, Reason):
            self.log = self.log.then(Attempt(colour, move, played))
            return self._refuse(colour, move, played)
        self.log = self.log.then(Attempt(colour, move, None))
        return self._accept(colour, move, played)

    def end(self, outcome: Outcome) -> None:
        """End the game for a reason the board does not show (time, crash, adjudication)."""
        self.outcome = outcome
        self._tell_both(Ended(outcome.result))

    def _judge(self, colour: Colour, move: Move) -> Played | Reason:
        if not 0 <= move < grid(self.rules.size).points:
            return Reason.OFF_BOARD
        played = self.board.play(colour, move)
        if isinstance(played, Reason) or not self.rules.forbids_repetition:
            return played
        repeats = self._position(played.board, colour.other) in self._positions
        return Reason.KO if repeats else played

    def _position(self, board: Board, to_move: Colour) -> tuple[PointSet, PointSet, Colour | None]:
        """A position as superko rules compare it: the stones, and perhaps the player to move."""
        situational = self.rules.ko == "situational"
        return board.black, board.white, to_move if situational else None

    def _accept(self, colour: Colour, move: Move, played: Played) -> Answer:
        before, self.board = self.board, played.board
        repeated = False
        if self.rules.ko != "simple":
            position = self._position(self.board, colour.other)
            repeated = position in self._positions
            self._positions |= {position}
        told, count = self.rules.captures_to_capturer, played.captured.bit_count()
        answer = Accepted(
            move,
            None if told == "none" else count,
            played.captured if told == "positions" or (count == 0 and told == "count") else None,
        )
        self._hand_over(colour, answer, Moved(played.captured))
        if self.rules.atari == "kind":
            for side in (colour.other, colour):
                if _newly_in_atari(before, self.board, side):
                    self._tell_both(Note("atari", side))
        self._passed = None
        if repeated and self.rules.ko == "draw":
            why = "the position is repeated; the game is drawn"
            self.end(Outcome(None, None, Ending.REPETITION, why))
        self._end_at_limit()
        return answer

    def _pass(self, colour: Colour) -> Answer:
        self.board = self.board.passed()
        answer = Accepted(PASS)
        self._hand_over(colour, answer, Passed())
        if self._passed is colour.other:
            self._end_with_score(Ending.SCORE, "both players passed")
        self._passed = colour
        self._end_at_limit()
        return answer

    def _hand_over(self, colour: Colour, answer: Answer, announcement: Message) -> None:
        tries = self._views[colour].refusals
        self._tell(colour, answer)
        if tries and self.rules.tries == "count":
            self._tell(colour.other, Note("tries", colour, tries))
        self._tell(colour.other, announcement)
        self._moves += 1
        self.to_move = colour.other

    def _refuse(self, colour: Colour, move: Move, reason: Reason) -> Answer:
        occupied = self.rules.reason == "occupied" and reason is Reason.OCCUPIED
        answer = Refused(move, reason if occupied or self.rules.reason == "kind" else None)
        self._tell(colour, answer)
        if self.rules.tries == "public":
            self._tell(colour.other, Note("tries", colour))
        if self.rules.on_max_tries == "count":
            self._moves += 1
            self._passed = None
            self._end_at_limit()
        elif self._views[colour].refusals >= self.rules.tries_limit:
            if self.rules.on_max_tries == "lose":
                sentence = f"{colour} had {self.rules.tries_limit} attempts refused in one turn"
                self.end(Outcome(colour.other, None, Ending.ATTEMPTS, sentence))
            else:
                self._pass(colour)
        return answer

    def _end_at_limit(self) -> None:
        if self.outcome is None and self._moves >= self.rules.moves_limit:
            self._end_with_score(Ending.MOVE_LIMIT, f"{self._moves} moves were played")

    def _end_with_score(self, ending: Ending, why: str) -> None:
        self.end(Outcome.scored(self.board.area_score() - self.rules.komi, ending, why))

    def _tell(self, colour: Colour, message: Message) -> None:
        self._views = {**self._views, colour: self._views[colour].after(message)}

    def _tell_both(self, message: Message) -> None:
        for colour in Colour:
            self._tell(colour, message)


def _newly_in_atari(before: Board, after: Board, colour: Colour) -> bool:
    """True if a chain is in atari of which no stone was in atari before."""
    old = 0
    for chain in before.in_atari(colour):
        old |= chain
    return any(not chain & old for chain in after.in_atari(colour))
