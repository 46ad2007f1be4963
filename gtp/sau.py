"""One of our players as an engine of the SAU platform (Shenyang Aerospace University).

The Phantom Go of the China Computer Games Championship is played there. The protocol:

    platform              engine
    name?                 name NAME
    new black|white       move AB, as Black
    move go|pass          move AB | move pass      the opponent has moved, has passed
    accept
    refuse                move AB | move pass      the next attempt
    take N ABCD..                                  the engine took N stones, two letters each
    taked N ABCD..                                 the engine lost N stones
    undo                                           the last of these lines since `new` is taken back
    end, error            (nothing)
    quit                  (the engine ends)

There is no published specification. This follows the engines in public repositories
(DaDaMrX/PhantomGo, Winter, blazar): `access take` means `take`, captures may come before or after
the `accept` or `move go` they belong to, and letters are a column and a row, A to I.
"""

import itertools
import logging
from collections.abc import Callable
from dataclasses import replace

from phantomgo.errors import BadMessage, BadText
from phantomgo.game.messages import Accepted, Message, Moved, Passed, Refused
from phantomgo.game.player import Player
from phantomgo.game.points import BLACK, PASS, RESIGN, WHITE, Colour, Move, Point, PointSet
from phantomgo.game.rules import Rules
from phantomgo.game.view import View

log = logging.getLogger(__name__)


class Bridge:
    """A player on the platform.

    Attributes:
        closed: whether the platform sent `quit`.
    """

    def __init__(self, make: Callable[[], Player], rules: Rules, name: str) -> None:
        """`make` creates the player of each game; `name` is its name on the platform."""
        self._make, self._rules, self._name = make, rules, name
        self._player: Player | None = None
        self._colour: Colour = BLACK
        self._messages: list[Message] = []
        self._pending: Move | None = None
        self._lost: PointSet = 0
        self._earlier: list[tuple[list[Message], Move | None, PointSet]] = []
        self.closed = False

    def run(self, line: str) -> str | None:
        """The answer to a line of the platform, if any. Invalid lines are logged."""
        words = line.split()
        try:
            return self._run(words)
        except BadText as error:
            log.warning("%s: %s", line.strip()[:80], error)
            return None

    def _run(self, words: list[str]) -> str | None:
        match words:
            case ["name?"]:
                return f"name {self._name}"
            case ["new", "black" | "white" as side]:
                return self._new(BLACK if side == "black" else WHITE)
            case ["quit"]:
                self.closed = True
            case ["end"]:
                self._player = None
            case _ if self._player is not None:
                return self._play(words)
            case _:
                log.warning("not in a game: %s", " ".join(words)[:80])
        return None

    def _play(self, words: list[str]) -> str | None:
        if words == ["undo"]:
            self._undo()
            return None
        now = [*self._messages], self._pending, self._lost
        answer = self._heard(words)
        self._earlier.append(now)
        return answer

    def _undo(self) -> None:
        """Take back the last line that was understood, after an operator's mistake."""
        if not self._earlier:
            raise BadText("there is nothing to take back")
        self._messages, self._pending, self._lost = self._earlier.pop()

    def _heard(self, words: list[str]) -> str | None:
        match words:
            case ["accept"]:
                self._accept()
            case ["refuse"]:
                if self._pending is not None:
                    self._messages.append(Refused(self._pending))
                return self._move()
            case ["move", "go" | "pass" as what]:
                self._accept()  # if `accept` was left out
                self._messages.append(Moved(self._lost) if what == "go" else Passed())
                self._lost = 0
                return self._move()
            case ["take", count, letters] | ["access", "take", count, letters]:
                self._take(self._points(count, letters))
            case ["access"]:
                self._accept()
            case ["taked", count, letters]:
                self._lose(self._points(count, letters))
            case ["error"]:
                log.warning("the platform reports an error")
            case _:
                raise BadText("not understood")
        return None

    def _new(self, colour: Colour) -> str | None:
        self._player, self._colour = self._make(), colour
        self._messages, self._pending, self._lost, self._earlier = [], None, 0, []
        return self._move() if colour is BLACK else None

    def _accept(self) -> None:
        if self._pending is not None:
            self._messages.append(Accepted(self._pending))
            self._pending = None

    def _take(self, points: PointSet) -> None:
        """Add captures to our pending move, which is accepted by this, or to the last one."""
        self._accept()
        for i in reversed(range(len(self._messages))):
            message = self._messages[i]
            if isinstance(message, Accepted):
                self._messages[i] = replace(message, captured=points.bit_count(), taken=points)
                return

    def _lose(self, points: PointSet) -> None:
        """Add losses to the opponent's last move if it is our turn, else to the next one."""
        last = self._messages[-1] if self._messages else None
        if isinstance(last, Moved):
            self._messages[-1] = Moved(points)
        else:
            self._lost = points

    def _move(self) -> str:
        assert self._player is not None
        self._pending = self._player.decide(self._view()).move
        # The platform has no resignation. A refusal that the view rejected would be repeated.
        if self._pending == RESIGN or self._pending in self._refused_now():
            self._pending = PASS
        if self._pending == PASS:
            return "move pass"
        row, column = divmod(self._pending, self._rules.size)
        return f"move {chr(65 + column)}{chr(65 + row)}"

    def _refused_now(self) -> list[Move]:
        """The moves refused since our last accepted move."""
        ours = [message for message in self._messages if isinstance(message, Accepted | Refused)]
        now = itertools.takewhile(lambda message: isinstance(message, Refused), reversed(ours))
        return [message.move for message in now]

    def _view(self) -> View:
        """The view of these messages; those that contradict earlier ones are dropped."""
        view = View(self._rules, self._colour)
        for message in self._messages:
            try:
                view = view.after(message)
            except BadMessage as error:
                log.warning("%s: %s", message, error)
        return view

    def _points(self, count: str, letters: str) -> PointSet:
        points = [self._point(letters[i : i + 2]) for i in range(0, len(letters), 2)]
        if count != str(len(points)):
            raise BadText(f"stones are {count}, but the points named are {len(points)}")
        return sum(1 << point for point in set(points))

    def _point(self, letters: str) -> Point:
        column, row = (ord(letter) - 65 for letter in letters.ljust(2, "?").upper()[:2])
        if not (0 <= column < self._rules.size and 0 <= row < self._rules.size):
            raise BadText(f"{letters!r} is not a point")
        return row * self._rules.size + column
