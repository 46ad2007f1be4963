"""A client looks at a table through a browser: a `Viewer` whose state has a version.

The version is a digest of what the client sees, not of the table: it is sent to them, as the
page is. Equal versions are equal pages, even after a restart of the server.
"""

import asyncio
import hashlib
import logging
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from gtp.display import counts
from phantomgo.app.table.facts import attempt_line, attempt_words, ending, heard, news, score, told
from phantomgo.app.table.game import GameMoment, TableGame
from phantomgo.app.table.review import (
    Review,
    best_point,
    decisive,
    mistakes,
    study,
    summary,
)
from phantomgo.app.table.scene import Scene, view_scene
from phantomgo.app.table.table import Table
from phantomgo.app.table.viewer import VIEWS, Phase, Viewer, three_scenes
from phantomgo.app.web.client_state import BUTTONS, LAST_PASS, SIDES, ClientState, PlayerLine
from phantomgo.app.web.table_state import TableState
from phantomgo.game.messages import Accepted, Message, Moved, Passed, Refused
from phantomgo.game.points import BLACK, WHITE, Colour, parse_colour
from phantomgo.game.view import View
from phantomgo.phrase import Phrase, sentences

ROLES: Final = {
    "black": frozenset({BLACK}),
    "white": frozenset({WHITE}),
    "both": frozenset({BLACK, WHITE}),
    "watch": frozenset[Colour](),
    "referee": frozenset[Colour](),
}
"""The colours played by each role. Each has a link of its own; those of `invite-black` and
`invite-white` open a free seat."""

log = logging.getLogger("phantomgo.web")


def make_client(session: TableState, table: Table, role: str) -> "Client":
    """Return the client of a role."""
    kind = {"watch": SpectatorClient, "referee": RefereeClient}.get(role, Client)
    return kind(session, table, role)


class Client(Viewer):
    """A player, or two at one device.

    Attributes:
        session: of the table.
        version: a digest of the state.
        state: what they see now.
        answer: the reply to their last action.
        pending: the action that they were asked to confirm.
        pages: an event for each open page, set when there is something new.
    """

    def __init__(self, session: TableState, table: Table, role: str) -> None:
        super().__init__(table, ROLES[role])
        self.session, self.role = session, role
        self.marks = session.marks
        self.answer = self.pending = ""
        self.pages: set[asyncio.Event] = set()
        self._summary: Summary | None = None
        self.state = self.state_at()
        self.version = _version(self.state)

    def update(self) -> None:
        """Update the state, and notify the open pages of a change."""
        self.show_state(self.latest_state())

    def latest_state(self) -> ClientState:
        """Return the state that their pages are to show; an answer ends with its turn."""
        self.notice()
        state, before = self.state_at(), self.state
        if self.answer and (state.heading, state.known) != (before.heading, before.known):
            self.answer = ""
            state = self.state_at()
        return state

    def show_state(self, state: ClientState) -> None:
        """Notify the open pages of a state if it is new."""
        if state != self.state:
            self.state, self.version = state, _version(state)
            self.wake()

    def wake(self) -> None:
        """Have the open pages ask for what is new."""
        for page in self.pages:
            page.set()

    @property
    def opponent(self) -> Colour | None:
        """The other seat, if another person plays from it."""
        if len(self.seats) != 1 or self.session.people == self.seats:
            return None
        return next(iter(self.seats)).other

    def state_at(self, at: int | None = None, side: str = "truth") -> ClientState:
        """Return their state; after the game one of `SIDES` at a moment, the last one if None."""
        if self.phase is Phase.OVER:
            return self._afterwards(at, side)
        state = self._meanwhile()
        if self.pending not in state.actions:
            return state
        return state._replace(answer=self.question(self.pending), actions=("no", "yes"))

    @property
    def waits(self) -> bool:
        """Return whether they wait for somebody to sit down."""
        return bool(self.seats and self.session.free_seats)

    def question(self, action: str) -> str:
        """Return the question before an action; empty if it is done at once."""
        if action == "pass":
            return LAST_PASS if self.pass_ends_game else ""
        return BUTTONS[action].question

    # During the game

    def _meanwhile(self) -> ClientState:
        view, waits = self._view(), self.waits
        joined = "" if view is None else self._joined(view)
        press = self.their_turn and not (self.session.adjourned or waits)
        sound = "" if view is None or self.phase is not Phase.PLAY else _sound(view.events[-1:])
        said = joined or ("" if view is None else news(view))
        if press and sound == "refused":
            said = sentences((said, Phrase("Try again.")))
        turn = Phrase("Your turn") if press else ""
        return ClientState(
            role=self.role,
            rules=self.session.rules,
            boards=() if waits else tuple(self.scenes()),
            sides=tuple(self._side(c, self._counts(c), self._hidden(c)) for c in Colour),
            heading=self._heading(),
            news=said,
            log=() if view is None else tuple(heard(view)),
            answer=self.answer or self.session.trouble,
            known=0 if view is None else len(view.events),
            press=press,
            actions=tuple(self._actions()),
            links=tuple(self._links()),
            offer=self._offer(),
            sound="joined" if joined else sound,
            notice=sentences((joined, turn)) if joined else turn,
        )

    def _joined(self, view: View) -> str:
        """Return that their opponent has sat down, until they know of a move or attempt."""
        opponent = self.opponent
        begun = view.turn or view.refusals or view.opponent_turn
        if begun or opponent is None or opponent not in self.session.came:
            return ""
        return Phrase("{player} has sat down.", player=self.session.names[opponent])

    def _view(self) -> View | None:
        """The view that is shown, if any."""
        if self.facing is None or self.phase is Phase.CURTAIN or self.waits:
            return None
        return self.game.view(self.facing)

    def _links(self) -> Iterator[tuple[str, str]]:
        """The links they may hand out: to a free seat, and for spectators who see what they see."""
        terms = self.session.terms
        if len(self.seats) != 1 or terms.refereed:
            return iter(())
        alike = terms.watching == self.role
        return chain(self.session.invitations(), self.session.spectators() if alike else ())

    def _counts(self, colour: Colour) -> str:
        view = self._view()
        if view is None or view.colour is colour:
            return "" if view is None else counts(view, colour)
        known = {"count": view.enemies, "taken": view.taken}
        exact = Phrase("{count} on the board, {taken} captured", **known)
        most = Phrase("at most {count} on the board, {taken} captured", **known)
        return most if view.rules.captures_to_capturer == "none" else exact

    def _hidden(self, colour: Colour) -> str:
        view = self._view()
        if view is None or view.colour is colour:
            return ""
        most = view.rules.captures_to_capturer == "none"
        return f"≤ {view.hidden}" if most else str(view.hidden)

    def _side(self, colour: Colour, stones: str, hidden: str = "") -> PlayerLine:
        name, free = self.session.names[colour], self.session.free_seats
        to_move = self.game.to_move is colour and self.game.outcome is None and not free
        if colour in free:
            name = Phrase("nobody yet")
        elif self.seats == {colour}:
            name = Phrase("{name} (you)", name=name)
        running = to_move and self.table.turn.running
        return PlayerLine(colour, name, stones, hidden, self._left(colour), to_move, running)

    def _left(self, colour: Colour) -> float | None:
        """Seconds left when the turn began, or at the end of the game; None without a clock.

        Rounded, as the last bits of a sum would reveal how many attempts there were.
        """
        game = self.game
        left = game.left_at_turn(colour) if game.outcome is None else game.left(colour)
        return None if left is None else round(left, 3)

    def _heading(self) -> str:
        to_move = self.game.to_move
        if self.session.adjourned:
            stopped = Phrase("The clocks are stopped.")
            return stopped if self.session.terms.refereed else Phrase("The game is adjourned.")
        if free := self.session.free_seats:
            one = Phrase("Waiting for {player} to sit down", player=free[0])
            return one if len(free) == 1 else Phrase("Waiting for Black and White to sit down")
        if self.phase is Phase.CURTAIN:
            return Phrase("{player}, take your seat", player=to_move)
        if self.phase is Phase.HANDOVER:
            return Phrase("Your turn is over")
        if self.their_turn:
            both = Phrase("{player}: your turn", player=to_move)
            return both if len(self.seats) == 2 else Phrase("Your turn")
        return Phrase("{player} is to move", player=self.session.names[to_move])

    def _offer(self) -> str:
        """Return the offer of one player to the other."""
        asks, opponent = self.session.asks, self.opponent
        if opponent is None or asks is None:
            return ""
        name = self.session.names[opponent]
        if self.session.adjourned:
            theirs = Phrase("{player} asks you to resume the game.", player=name)
            own = Phrase("You have asked {player} to resume the game.", player=name)
        else:
            theirs = Phrase("{player} asks you to adjourn the game.", player=name)
            own = Phrase("You have asked {player} to adjourn the game.", player=name)
        return theirs if asks is opponent else own

    def _actions(self) -> list[str]:
        if self.phase in (Phase.CURTAIN, Phase.HANDOVER):
            return ["seats"]
        session = self.session
        if self.waits:
            return ["cancel"]
        actions = ["pass", "resign"] if self.their_turn and not session.adjourned else []
        if self.facing is not None:
            actions += ["takeback"] if session.may_take_back(self.facing) else []
            actions += ["mark", "clear"] if self.marks[self.facing] else ["mark"]
            actions += ["belief", "hint"] if session.terms.helped and self.their_turn else []
        actions += ["ask"] if session.trouble else []
        timed = session.terms.limit is not None or session.adjourned
        if session.terms.refereed or not timed:
            return actions
        if session.asks is None:
            return [*actions, "resume" if session.adjourned else "adjourn"]
        return actions + (["accept", "decline"] if session.asks is self.opponent else ["withdraw"])

    # After the game

    def _afterwards(self, at: int | None, side: str) -> ClientState:
        session = self.session
        try:
            return self._reviewed(at, side, session.review)
        except Exception:  # whatever its review says, a game can be looked at
            log.exception("table %d: its review cannot be shown", session.number)
            plain = self._reviewed(at, side, Review())
            failed = Phrase("The review of this game cannot be shown.")
            return plain._replace(chances=session.review.chances, answer=self.answer or failed)

    def _reviewed(self, at: int | None, side: str, review: Review) -> ClientState:
        """Return what is seen of the finished game, with what this review says."""
        game, session, outcome = self.game, self.session, self.game.outcome
        assert outcome is not None
        last = len(game.moments) - 1
        number = last if at is None else max(0, min(at, last))
        may_play = self.seats and session.rematch is None and not self.waits
        summed = self._summed(review)
        return ClientState(
            role=self.role,
            rules=self.session.rules,
            boards=(self._board(number, side, review),),
            sides=tuple(self._side(c, counts(game.moments[number].view(c), c)) for c in Colour),
            heading=ending(outcome, next(iter(self.seats)) if len(self.seats) == 1 else None),
            news=score(game) if number == last else self._spoken(number),
            log=summed.log,
            answer=self.answer,
            known=number,
            press=False,
            actions=("rematch",) if may_play else (),
            links=((Phrase("A link to this game, for everybody"), session.link("watch")),),
            moments=len(game.moments),
            side=side,
            study=tuple(study(game, review, number)),
            chances=review.chances,
            decided=summed.decided,
            mistakes=summed.mistakes,
            summary=summed.summary,
            sound="end" if number == last else "",
            next=session.rematch_link(self.role) if self.seats else "",
        )

    def state_after_line(
        self, state: ClientState, line: str, words: list[str], moment: GameMoment
    ) -> ClientState:
        """Return what is seen of the finished game where a line has led that was tried."""
        board = three_scenes(moment)[[*SIDES].index(state.side)]
        return state._replace(boards=(board,), line=line, study=(*state.study[:1], *words))

    def _summed(self, review: Review) -> "Summary":
        """Return what is said of the whole game; of each review it is worked out once."""
        summed = self._summary
        if summed is None or summed.game is not self.game or summed.review is not review:
            summed = self._summary = Summary(
                self.game,
                review,
                self._log(len(self.game.steps)),
                tuple(decisive(self.game, review)),
                tuple(mistakes(self.game, review)),
                summary(self.game, review),
            )
        return summed

    def _board(self, number: int, side: str, review: Review) -> tuple[str, Scene]:
        """Return one of the `SIDES` at a moment of the finished game, and its title."""
        areas, moment = number == len(self.game.moments) - 1, self.game.moments[number]
        title, scene = three_scenes(moment, areas=areas)[[*SIDES].index(side)]
        colour = None if side == "truth" else parse_colour(side)
        if colour is not None:
            scene = scene._replace(heat=review.belief(colour, number))
        if moment.step is not None and colour in (None, moment.step.colour):
            size = self.game.rules.size
            scene = scene._replace(hint=best_point(review, number, moment.step.move, size))
        return title, scene

    def _spoken(self, number: int) -> str:
        """Return what a referee reads aloud after an attempt, counted from 1."""
        if number == 0:
            return Phrase("The game begins.")
        said = [(colour, told(self.game, number, colour)) for colour in Colour]
        return sentences(Phrase("To {player}: {words}", player=c, words=w) for c, w in said if w)

    def _log(self, number: int) -> tuple[str, ...]:
        words = attempt_words if self.session.terms.limit is None else attempt_line
        return tuple(words(step, self.game.rules.size) for step in self.game.steps[:number])


class Summary(NamedTuple):
    """The words that the pages of all moments of a finished game share.

    Attributes:
        game: the game.
        review: its review.
        log: every attempt, in words.
        decided: the moments that decided it.
        mistakes: the costliest moves.
        summary: what both players did and found out.
    """

    game: TableGame
    review: Review
    log: tuple[str, ...]
    decided: tuple[tuple[int, str], ...]
    mistakes: tuple[tuple[int, str], ...]
    summary: tuple[tuple[str, int, int], ...]


class SpectatorClient(Client):
    """A client who watches, as far as the table's policy permits."""

    def _view(self) -> View | None:
        colour = {"black": BLACK, "white": WHITE}.get(self.session.terms.watching)
        return None if colour is None else self.game.view(colour)

    def _meanwhile(self) -> ClientState:
        state, policy = super()._meanwhile()._replace(known=0), self.session.terms.watching
        if policy == "all":
            number = len(self.game.steps)
            return state._replace(news=self._spoken(number), log=self._log(number))
        return state._replace(log=self._public()) if policy == "nothing" else state

    def scenes(self) -> list[tuple[str, Scene]]:
        if self.phase is Phase.OVER or self.session.terms.watching == "all":
            return three_scenes(self.game.moments[-1])
        view = self._view()
        return [] if view is None else [(VIEWS[view.colour], view_scene(view))]

    def _counts(self, colour: Colour) -> str:
        if self.session.terms.watching == "all":
            return counts(self.game.view(colour), colour)
        return super()._counts(colour)

    def _public(self) -> tuple[str, ...]:
        steps = (self.game.steps[number - 1] for number in self.game.turn_ends())
        return tuple(
            Phrase("{player} has passed.", player=step.colour)
            if step.move < 0
            else Phrase("{player} has moved.", player=step.colour)
            for step in steps
        )

    def _actions(self) -> list[str]:
        return []


class RefereeClient(Client):
    """The client who sees the full board, and may enter the attempts of players at real boards."""

    def _meanwhile(self) -> ClientState:
        number = len(self.game.steps)
        state = super()._meanwhile()._replace(news=self._spoken(number), log=self._log(number))
        return state._replace(known=number, press=self._enters)

    @property
    def _enters(self) -> bool:
        """Return whether they may enter an attempt now."""
        return self.game.to_move in self.session.people and not self.session.adjourned

    @property
    def pass_ends_game(self) -> bool:
        return self.game.view(self.game.to_move).opponent_passed

    def _counts(self, colour: Colour) -> str:
        return counts(self.game.view(colour), colour)

    def _links(self) -> Iterator[tuple[str, str]]:
        return chain(self.session.invitations(), self.session.spectators())

    def _actions(self) -> list[str]:
        session = self.session
        actions = ["pass", "resign"] if self._enters else []
        actions += ["undo"] if self.game.steps else []
        actions += ["ask"] if session.trouble else []
        actions += [f"free-{colour.word}" for colour in sorted(session.sitting)]
        if session.terms.limit is not None or session.adjourned:
            actions.append("start" if session.stopped else "stop")
        return [*actions, "abandon"]


def _version(state: ClientState) -> str:
    return hashlib.sha256(repr(state).encode()).hexdigest()[:12]


def _sound(latest: tuple[Message, ...]) -> str:
    """The sound of the last message."""
    match latest:
        case (Refused(),):
            return "refused"
        case (Moved(lost),) if lost:
            return "capture"
        case (Accepted(captured=count),) if count:
            return "capture"
        case (Accepted() | Moved() | Passed(),):
            return "turn"
    return ""
