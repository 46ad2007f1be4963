"""Who looks at a table through a browser: a `Viewer` whose sight has a version.

The version is a digest of what the guest sees, not of the table: it is as much part of what they
are sent as the page is. Equal versions are equal pages, even of a server that was started again.
"""

import asyncio
import hashlib
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Final

from gtp.display import counts
from phantomgo.app.table.facts import attempt_line, ending, heard, news, score, told
from phantomgo.app.table.game import Moment
from phantomgo.app.table.scene import Scene, view_scene
from phantomgo.app.table.viewer import Phase, Viewer, three_scenes
from phantomgo.app.web.page import ACTIONS, LAST_PASS
from phantomgo.app.web.sight import Side, Sight
from phantomgo.app.web.terms import Watching
from phantomgo.messages import Accepted, Message, Moved, Passed, Refused
from phantomgo.outcome import Ending
from phantomgo.points import BLACK, WHITE, Colour, vertex
from phantomgo.view import View

if TYPE_CHECKING:
    from phantomgo.app.web.room import Room

SEATS: Final = {
    "black": frozenset({BLACK}),
    "white": frozenset({WHITE}),
    "both": frozenset({BLACK, WHITE}),
    "watch": frozenset[Colour](),
    "referee": frozenset[Colour](),
}


DECIDED: Final = 5
"""Moments that are named as those that decided a game."""


def make_guest(room: "Room", role: str) -> "Guest":
    """The guest of a role."""
    kind = {"watch": Spectator, "referee": Referee}.get(role, Guest)
    return kind(room, role)


class Guest(Viewer):
    """A player, or two at one device.

    Attributes:
        room: where they are.
        role: their part.
        version: a digest of their sight.
        sight: what they see now.
        answer: the reply to what they did last.
        asked: what they want to do, if they are asked whether they are sure.
        screens: set for each open page when there is something new.
        pressed: times of their latest requests, for the limit.
    """

    def __init__(self, room: "Room", role: str) -> None:
        super().__init__(room.table, SEATS[role])
        self.room, self.role = room, role
        self.marks = room.marks
        self.answer = self.asked = ""
        self.screens: set[asyncio.Event] = set()
        self.pressed: list[float] = []
        self.sight = self.see()
        self.version = _version(self.sight)

    def look(self) -> None:
        """Look again; whoever has a page open is told if it has changed."""
        self.notice()
        sight = self.see()
        if sight != self.sight:
            self.sight = sight
            self.version = _version(sight)
            self._wake()

    def leave(self) -> None:
        """The room is closed: open pages have to ask anew."""
        self._wake()

    def _wake(self) -> None:
        for screen in self.screens:
            screen.set()

    def say(self, answer: str) -> None:
        """Reply to this guest alone."""
        self.answer = answer
        self.look()

    @property
    def opponent(self) -> Colour | None:
        """The other seat, if another person plays from it."""
        if len(self.seats) != 1 or self.table.people == self.seats:
            return None
        return next(iter(self.seats)).other

    # What they see

    def see(self, at: int | None = None) -> Sight:
        """Their sight; after the game at a moment, the last one if None."""
        if self.phase is Phase.OVER:
            return self._afterwards(at)
        sight = self._meanwhile()
        if self.asked not in sight.actions:
            return sight
        return sight._replace(answer=self.question(self.asked), actions=("no", "yes"))

    def question(self, action: str) -> str:
        """What they are asked before they do this; empty if it is done at once."""
        if action == "pass":
            return LAST_PASS if self.pass_ends_game else ""
        return ACTIONS[action][1] if action in ACTIONS else ""

    def _meanwhile(self) -> Sight:
        view = self._view()
        return Sight(
            role=self.role,
            rules=self._rules(),
            boards=tuple(self.scenes()),
            sides=self._sides(view),
            heading=self._heading(),
            news="" if view is None or self.phase is Phase.CURTAIN else news(view),
            log=() if view is None or self.phase is Phase.CURTAIN else tuple(heard(view)),
            answer=self.answer or self.room.trouble,
            known=0 if view is None else len(view.events),
            press=self.their_turn and not self.room.adjourned,
            actions=tuple(self._actions()),
            links=tuple(self._links()),
            offer=self._offer(),
            sound="" if view is None or self.phase is not Phase.PLAY else _sound(view.events[-1:]),
        )

    def _links(self) -> Iterator[tuple[str, str]]:
        """The invitations they may hand out: whoever laid the table waits for the other seat."""
        one_seat = len(self.seats) == 1 and not self.room.terms.refereed
        return self.room.invitations() if one_seat else iter(())

    def _view(self) -> View | None:
        return None if self.facing is None else self.game.view(self.facing)

    def _rules(self) -> str:
        rules = self.game.rules
        words = [f"{rules.size}x{rules.size}", f"komi {rules.komi:g}", str(rules.profile_name)]
        if self.room.terms.handicap:
            words.append(f"{self.room.terms.handicap} handicap stones")
        if self.game.start.takebacks:
            words.append("played with a takeback")
        return ", ".join(words)

    def _sides(self, view: View | None) -> tuple[Side, ...]:
        return tuple(self._side(colour, self._counts(view, colour)) for colour in Colour)

    def _counts(self, view: View | None, colour: Colour) -> str:
        return "" if view is None or self.phase is Phase.CURTAIN else counts(view, colour)

    def _side(self, colour: Colour, stones: str) -> Side:
        to_move = self.game.outcome is None and self.game.to_move is colour
        running = to_move and self.table.turn.running
        return Side(colour, self._name(colour), stones, self._left(colour), to_move, running)

    def _left(self, colour: Colour) -> float | None:
        """Seconds left when the turn began, or at the end of the game; None without a clock."""
        outcome = self.game.outcome
        if outcome is None or self.game.start.time is None:
            return self.game.left_at_turn(colour)
        lost_on_time = outcome.ending is Ending.TIME and outcome.winner is not colour
        return 0.0 if lost_on_time else self.game.left(colour)

    def _name(self, colour: Colour) -> str:
        if colour in self.room.free_seats:
            return "nobody yet"
        name = self.room.names[colour]
        return f"{name} (you)" if self.seats == {colour} else name

    def _heading(self) -> str:
        to_move = self.game.to_move
        if self.room.adjourned:
            return "The clocks stand." if self.room.terms.refereed else "The game is adjourned."
        if free := self.room.free_seats:
            return f"Waiting for {' and '.join(map(str, free))} to sit down"
        if self.phase is Phase.CURTAIN:
            return f"{to_move}, take your seat"
        if self.phase is Phase.HANDOVER:
            return "Your turn is over"
        if self.their_turn:
            return f"{to_move}: your turn" if len(self.seats) == 2 else "Your turn"
        return f"{self.room.names[to_move]} is to move"

    def _offer(self) -> str:
        """What one player asks of the other, to both of them."""
        asks, names = self.room.asks, self.room.names
        if asks is None or self.opponent is None:
            return ""
        what = "go on" if self.room.adjourned else "adjourn the game"
        if asks is self.opponent:
            return f"{names[asks]} asks you to {what}."
        return f"You have asked {names[asks.other]} to {what}."

    def _agreements(self) -> list[str]:
        """What they may do about adjourning."""
        asks = self.room.asks
        if self.room.terms.refereed or self.room.free_seats:
            return []
        if asks is None:
            return ["resume" if self.room.adjourned else "adjourn"]
        return ["accept", "decline"] if asks is self.opponent else ["withdraw"]

    def _actions(self) -> list[str]:
        room = self.room
        if self.phase in (Phase.CURTAIN, Phase.HANDOVER):
            return ["seats"]
        actions = ["pass", "resign"] if self.their_turn and not room.adjourned else []
        if self.facing is not None:
            actions += ["takeback"] if room.may_take_back(self.facing) else []
            actions += ["mark", "clear"] if self.marks[self.facing] else ["mark"]
            actions += ["belief", "hint"] if room.terms.helped and self.their_turn else []
        if room.trouble:
            actions.append("ask")
        return [*actions, *self._agreements()]

    # After the game

    def _afterwards(self, at: int | None) -> Sight:
        game, outcome = self.game, self.game.outcome
        assert outcome is not None
        last = len(game.moments) - 1
        number = last if at is None else max(0, min(at, last))
        moment = game.moments[number]
        scenes = three_scenes(moment, areas=number == last)
        seat = next(iter(self.seats)) if len(self.seats) == 1 else None
        return Sight(
            role=self.role,
            rules=self._rules(),
            boards=tuple(scenes),
            sides=tuple(self._side(c, counts(moment.view(c), c)) for c in Colour),
            heading=ending(outcome, seat),
            news=score(game) if number == last else _step_words(self, number),
            log=_attempts(self, last),
            answer=self.answer,
            known=number,
            press=False,
            actions=tuple(self._last_actions()),
            moments=len(game.moments),
            chances=self.room.chances,
            decided=_decided(self),
            sound="end" if number == last else "",
            next=self._next(),
        )

    def _last_actions(self) -> list[str]:
        actions = [] if self.room.chances.truth else ["review"]
        return [*actions, "rematch"] if self.seats and self.room.rematch is None else actions

    def _next(self) -> str:
        return self.room.rematch_link(self.role) if self.seats else ""


class Spectator(Guest):
    """Somebody who watches, as far as the table's policy lets them."""

    @property
    def _colour(self) -> Colour | None:
        """The seat they look from, if it is one."""
        policy = self.room.terms.watching
        return {Watching.BLACK: BLACK, Watching.WHITE: WHITE}.get(policy)

    def _view(self) -> View | None:
        return None if self._colour is None else self._moment().view(self._colour)

    def _meanwhile(self) -> Sight:
        sight = super()._meanwhile()
        policy = self.room.terms.watching
        if policy is Watching.ALL:
            number = self._delayed()
            return sight._replace(
                news=_step_words(self, number), log=_attempts(self, number), known=0, sound=""
            )
        if policy is Watching.NOTHING:
            return sight._replace(log=self._public(), news="")
        return sight._replace(known=0)

    def scenes(self) -> list[tuple[str, Scene]]:
        if self.phase is Phase.OVER or self.room.terms.watching is Watching.ALL:
            return three_scenes(self._moment())
        view = self._view()
        return [] if view is None else [(f"{view.colour}'s view", view_scene(view))]

    def _moment(self) -> Moment:
        return self.game.moments[self._delayed()]

    def _delayed(self) -> int:
        """The latest moment that may be shown: the end of the turn `delay` moves ago."""
        if not self.room.terms.delay:
            return len(self.game.moments) - 1
        ends = [0, *self.game.turn_ends()]
        return ends[max(len(ends) - 1 - self.room.terms.delay, 0)]

    def _counts(self, view: View | None, colour: Colour) -> str:
        if self.room.terms.watching is Watching.ALL:
            return counts(self._moment().view(colour), colour)
        return super()._counts(view, colour)

    def _public(self) -> tuple[str, ...]:
        moments, shown = self.game.moments, self._delayed()
        ends = (moments[number].step for number in self.game.turn_ends() if number <= shown)
        return tuple(
            f"{step.colour} has {'passed' if step.move < 0 else 'moved'}."
            for step in ends
            if step is not None
        )

    def _actions(self) -> list[str]:
        return []


class Referee(Guest):
    """Who holds the truth, and may enter what the players attempt at boards of their own."""

    def _meanwhile(self) -> Sight:
        number = len(self.game.steps)
        return (
            super()
            ._meanwhile()
            ._replace(
                news=_step_words(self, number),
                log=_attempts(self, number),
                known=number,
                press=not self.room.adjourned and self.game.to_move in self.table.people,
            )
        )

    @property
    def pass_ends_game(self) -> bool:
        return self.game.view(self.game.to_move).opponent_passed

    def _counts(self, _view: View | None, colour: Colour) -> str:
        return counts(self.game.view(colour), colour)

    def _links(self) -> Iterator[tuple[str, str]]:
        return chain(self.room.invitations(), self.room.spectators())

    def _actions(self) -> list[str]:
        actions = ["pass", "resign"] if self.game.to_move in self.table.people else []
        actions += ["undo"] if self.game.steps else []
        actions += ["ask"] if self.room.trouble else []
        actions += [f"free-{colour}".lower() for colour in sorted(self.room.sitting)]
        return [*actions, "start" if self.room.stands else "stop", "abandon"]


def _version(sight: Sight) -> str:
    return hashlib.sha256(repr(sight).encode()).hexdigest()[:12]


def _step_words(guest: Guest, number: int) -> str:
    """What was said after so many attempts, to be read aloud."""
    if number == 0:
        return "The game begins."
    said = [(colour, told(guest.game, number, colour)) for colour in Colour]
    return " ".join(f"To {colour}: {words}" for colour, words in said if words)


def _attempts(guest: Guest, number: int) -> tuple[str, ...]:
    size = guest.game.rules.size
    return tuple(attempt_line(step, size) for step in guest.game.steps[:number])


def _decided(guest: Guest) -> tuple[tuple[int, str], ...]:
    """The attempts that changed Black's chance most, in the order of the game."""
    shares, steps = guest.room.chances.truth, guest.game.steps
    changes = [(abs(shares[n] - shares[n - 1]), n) for n in range(1, len(shares))]
    size = guest.game.rules.size
    return tuple(
        (
            number,
            f"{number}. {steps[number - 1].colour} {vertex(steps[number - 1].move, size)}: Black"
            f" {100 * shares[number - 1]:.0f} % to {100 * shares[number]:.0f} %",
        )
        for change, number in sorted(sorted(changes)[-DECIDED:], key=lambda pair: pair[1])
        if change >= 0.02 and number <= len(steps)
    )


def _sound(latest: tuple[Message, ...]) -> str:
    """What the last message said, for the ear."""
    match latest:
        case (Refused(),):
            return "refused"
        case (Moved(lost),) if lost:
            return "capture"
        case (Accepted(captured=count),) if count:
            return "capture"
        case (Moved() | Passed(),):
            return "turn"
    return ""
