"""View: everything one player knows, and nothing else.

A view grows only by messages of the referee: `view.after(message)` is a new view, and
`View.replay(rules, colour, messages)` builds one from its list. Its statements about the board are
certain, never guesses; guessing is up to the bots (bots/belief.py).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from phantomgo.errors import BadMessage
from phantomgo.game.log import Log
from phantomgo.game.messages import (
    Accepted,
    Ended,
    Message,
    Moved,
    Note,
    Passed,
    Placed,
    Reason,
    Refused,
)
from phantomgo.game.points import (
    PASS,
    Colour,
    Point,
    PointSet,
    grid,
    members,
    point_set,
    vertex,
    vertices,
)
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import IDENTITY, SYMMETRIES, Symmetry, images, map_move, map_points

Events: TypeAlias = Log[Message]
"""The messages that a player has received, in order."""


class Refusal(NamedTuple):
    """A point that was refused for an uncertain reason.

    Attributes:
        point: the point.
        turn: when it was last attempted, in accepted moves of the player.
        changed: where the player has seen the board change since: own new stones, stones captured.
    """

    point: Point
    turn: int
    changed: PointSet = 0


class View(NamedTuple):
    """One player's knowledge of a game. Point sets are bit masks (phantomgo/game/points.py).

    Attributes:
        rules: the rules of the game.
        colour: the player whose view it is.
        events: every message, in order.
        own: the player's stones; they see them all.
        located: enemy stones at certain points.
        refused: points refused at their latest attempt, cause uncertain (enemy stone, suicide or
            ko).
        vacant: points that are certainly empty at the moment.
        enemies: enemy stones on the board; where the rules do not tell the capturer a number,
            at most this many.
        turn: own accepted moves so far, passes included.
        refusals: own refused attempts since the last accepted move.
        opponent_turn: the opponent's accepted moves so far, passes included.
        opponent_passed: the opponent's last move was a pass.
        taken: enemy stones the player was told they captured.
        lost: own stones captured.
        result: how the game ended, None while it lasts.
    """

    rules: Rules
    colour: Colour
    events: Events = Log()
    own: PointSet = 0
    located: PointSet = 0
    refused: tuple[Refusal, ...] = ()
    vacant: PointSet = 0
    enemies: int = 0
    turn: int = 0
    refusals: int = 0
    opponent_turn: int = 0
    opponent_passed: bool = False
    taken: int = 0
    lost: int = 0
    result: str | None = None

    @staticmethod
    def replay(rules: Rules, colour: Colour, messages: Iterable[Message]) -> "View":
        """The view after these messages."""
        view = View(rules, colour)
        for message in messages:
            view = view.after(message)
        return view

    @property
    def hidden(self) -> int:
        """The number of enemy stones at unknown points."""
        return self.enemies - self.located.bit_count()

    @property
    def unknown(self) -> PointSet:
        """Points where a hidden enemy stone may be."""
        return grid(self.rules.size).full & ~(self.own | self.located | self.vacant)

    def stones(self, colour: Colour) -> PointSet:
        """The stones of a side that the player knows of."""
        return self.own if colour is self.colour else self.located

    @property
    def refused_points(self) -> PointSet:
        """Points refused at their latest attempt, cause uncertain."""
        return point_set(refusal.point for refusal in self.refused)

    @property
    def refused_now(self) -> PointSet:
        """Points refused since the last accepted move, cause uncertain."""
        return point_set(refusal.point for refusal in self.refused if refusal.turn == self.turn)

    def after(self, message: Message) -> "View":
        """This view and one message more.

        Raises:
            BadMessage: the message contradicts what the player knows; the error names it.
        """
        events = self.events.then(message)
        match message:
            case Accepted():
                view = self._accepted(message, events)
            case Refused():
                view = self._refused(message, events)
            case Moved():
                view = self._moved(message, events)
            case Passed():
                turn = self.opponent_turn + 1
                view = self._replace(opponent_turn=turn, opponent_passed=True, events=events)
            case Placed():
                view = self._placed(message, events)
            case Note():
                view = self._replace(events=events)
            case Ended():
                view = self._replace(result=message.result, events=events)
            case _:
                raise BadMessage(f"{message!r:.60} is not a message")
        room = (view.located | view.unknown).bit_count()
        if view.enemies > room and self.rules.captures_to_capturer == "none":
            view = view._replace(enemies=room)
        if not view.located.bit_count() <= view.enemies <= room:
            raise BadMessage(
                f"{view.enemies} enemy stones do not fit a board with"
                f" {view.located.bit_count()} located and {view.unknown.bit_count()} unknown points"
            )
        return view

    def _accepted(self, answer: Accepted, events: Events) -> "View":
        if answer.move == PASS:
            return self._replace(turn=self.turn + 1, refusals=0, events=events)
        if not 0 <= answer.move < grid(self.rules.size).points:
            raise BadMessage(f"move {answer.move} is not a point of this board")
        stone = 1 << answer.move
        if stone & (self.own | self.located):
            raise BadMessage(f"{vertex(answer.move, self.rules.size)} cannot be empty")
        own = self.own | stone
        taken = answer.taken or 0
        if taken & own:
            raise BadMessage(
                f"captured stones at {vertices(taken & own, self.rules.size)} are not the enemy's"
            )
        if answer.taken is not None and answer.captured != taken.bit_count():
            named = taken.bit_count()
            raise BadMessage(f"captured {answer.captured}, but the points named are {named}")
        located = self.located & ~taken
        if answer.taken is None:
            located &= ~self.within_reach(stone, own, answer.captured)
        refused = self._changed(stone | taken, settled=stone | taken)
        vacant, captured = (self.vacant | taken) & ~stone, answer.captured or 0
        return View._make((  # in a third of `_replace`'s time, here and in `_moved`
            self.rules, self.colour, events, own, located, refused, vacant,
            self.enemies - captured, self.turn + 1, 0, self.opponent_turn, self.opponent_passed,
            self.taken + captured, self.lost, self.result,
        ))  # fmt: skip

    def within_reach(self, stone: PointSet, own: PointSet, captured: int | None) -> PointSet:
        """The points where stones taken by this move, at unknown positions, may have stood.

        A chain of n stones next to the move lies within n steps of it through points not ours.
        """
        geometry = grid(self.rules.size)
        reach = stone
        for _ in range(geometry.points if captured is None else captured):
            wider = reach | (geometry.grow(reach) & ~own)
            if wider == reach:
                break
            reach = wider
        return reach

    def _refused(self, answer: Refused, events: Events) -> "View":
        point, refusals = answer.move, self.refusals + 1
        on_board = 0 <= point < grid(self.rules.size).points
        if not on_board or 1 << point & (self.own | self.located):
            return self._replace(refusals=refusals, events=events)
        others = [refusal for refusal in self.refused if refusal.point != point]
        view = self._replace(
            refused=(*others, Refusal(point, self.turn)), refusals=refusals, events=events
        )
        if answer.reason is Reason.OCCUPIED:
            return view._locate(1 << point)
        if answer.reason is not None or self.rules.reason != "none":
            return view._refused_empty(answer)
        return view._deduce(point)

    def _refused_empty(self, answer: Refused) -> "View":
        """The point is empty: the rules would have announced a stone there."""
        stone = 1 << answer.move
        surround = 0
        if answer.reason is Reason.SUICIDE:
            surround = self._liberties_with(stone)
        view = self._replace(vacant=self.vacant | stone)
        return view._locate(surround & ~self.located)

    def _deduce(self, point: Point) -> "View":
        """Locate an enemy stone on the point just refused if nothing else explains the refusal.

        A refusal without a reason means an enemy stone, ko or suicide. Suicide needs an enemy stone
        on every liberty our chain would have there; if that takes more hidden stones than there
        are, the point itself has a stone. Each located stone leaves fewer hidden ones, so it may
        settle the other points refused this turn.
        """
        stone = 1 << point
        if stone & self.vacant or self._maybe_repeated():
            return self
        needed = self._liberties_with(stone) & ~self.located
        if not needed & self.vacant and needed.bit_count() <= self.hidden:
            return self
        view = self._locate(stone)
        for other in self.refused:
            if other.turn == self.turn and other in view.refused:
                view = view._deduce(other.point)
        return view

    def _maybe_repeated(self) -> bool:
        """True if a refusal may be due to superko, which takes an earlier capture.

        A simple ko needs no such care: its point has just been vacated, so it is in `vacant`.
        """
        counted = self.rules.captures_to_capturer != "none"
        return self.rules.forbids_repetition and not (counted and self.taken == self.lost == 0)

    def _liberties_with(self, stone: PointSet) -> PointSet:
        """The points next to the chain that an own stone here would belong to."""
        geometry = grid(self.rules.size)
        return geometry.border(geometry.flood(stone, self.own | stone))

    def _moved(self, announcement: Moved, events: Events) -> "View":
        lost = announcement.lost
        if lost & ~self.own:
            where = vertices(lost & ~self.own, self.rules.size)
            raise BadMessage(f"lost stones at {where} are not {self.colour}'s")
        own = self.own & ~lost
        refused = self._changed(lost) if lost else self.refused
        view = View._make((
            self.rules, self.colour, events, own, self.located, refused, lost,
            self.enemies + 1, self.turn, self.refusals, self.opponent_turn + 1, False,
            self.taken, self.lost + lost.bit_count(), self.result,
        ))  # fmt: skip
        # Every point next to a captured chain holds one of its captors.
        return view._locate(grid(self.rules.size).border(lost) & ~own) if lost else view

    def _placed(self, placed: Placed, events: Events) -> "View":
        if placed.points & (self.own | self.located) or placed.points & ~grid(self.rules.size).full:
            raise BadMessage("handicap stones are on top of others or off the board")
        if placed.colour is self.colour:
            return self._replace(own=self.own | placed.points, events=events)
        return self._replace(
            located=self.located | placed.points,
            enemies=self.enemies + placed.points.bit_count(),
            events=events,
        )

    def _locate(self, stones: PointSet) -> "View":
        if not stones:
            return self
        return self._replace(
            located=self.located | stones, refused=self._changed(0, settled=stones)
        )

    def _changed(self, points: PointSet, *, settled: PointSet = 0) -> tuple[Refusal, ...]:
        """The refusals after a change at these points, without those on settled ones."""
        return tuple(
            [
                Refusal(point, turn, changed | points)
                for point, turn, changed in self.refused
                if not settled >> point & 1
            ]
        )


# The symmetries of the board, on messages and views


@lru_cache(1 << 14)
def map_message(symmetry: Symmetry, message: Message, size: int) -> Message:
    """The message on the mapped board."""
    match message:
        case Accepted(move, captured, taken):
            mapped = map_points(symmetry, taken, size) if taken else taken
            return Accepted(map_move(symmetry, move, size), captured, mapped)
        case Refused(move, reason):
            return Refused(map_move(symmetry, move, size), reason)
        case Moved(lost) if lost:
            return Moved(map_points(symmetry, lost, size))
        case Placed(colour, points):
            return Placed(colour, map_points(symmetry, points, size))
        case _:
            return message


def map_view(symmetry: Symmetry, view: View) -> View:
    """The view of a player who received the mapped messages.

    Its deductions are mapped instead of being derived again from the messages. The result is the
    same, as no deduction depends on direction, in a quarter of the time.
    """
    if symmetry == IDENTITY:
        return view
    size = view.rules.size
    image = images(symmetry, size)
    return view._replace(
        events=Log(map_message(symmetry, message, size) for message in view.events),
        own=map_points(symmetry, view.own, size),
        located=map_points(symmetry, view.located, size),
        refused=tuple(
            r._replace(point=image[r.point], changed=map_points(symmetry, r.changed, size))
            for r in view.refused
        ),
        vacant=map_points(symmetry, view.vacant, size),
    )


def symmetries_of_view(view: View) -> Sequence[Symmetry]:
    """The symmetries under which all messages to a player stay the same."""
    size, own = view.rules.size, list(members(view.own))
    return [
        g
        for g in SYMMETRIES
        if all(view.own >> images(g, size)[p] & 1 for p in own) and map_view(g, view) == view
    ]
