"""The actions of guests, by name. A guest may attempt, and do what their sight offers."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple, TypeVar

from phantomgo.app.table import advice
from phantomgo.app.table.players import ADVISER
from phantomgo.app.web import thinkers
from phantomgo.app.web.guest import Guest
from phantomgo.app.web.hall import Hall
from phantomgo.app.web.room import Room
from phantomgo.app.web.terms import Form
from phantomgo.errors import BadStore, PhantomGoError
from phantomgo.phrase import Phrase
from phantomgo.points import PASS, RESIGN, Colour, Move, PointSet, parse_move, vertices
from phantomgo.view import View

STALE: Final = Phrase("The position has changed meanwhile; nothing was attempted.")
NOT_NOW: Final = Phrase("That is not possible now.")

T = TypeVar("T")


async def act(hall: Hall, room: Room, guest: Guest, form: Form) -> None:
    """Do what a guest asks; what may not be done is answered, and changes nothing.

    An action that cannot be undone is confirmed first: the next request is then `yes`, or anything
    else, which drops the question.
    """
    await room.settled()  # until the attempt, they see the latest state
    asked, guest.asked, guest.answer = guest.asked, "", ""
    offered, name = guest.see().actions, form.get("do", "")
    sure = name == "yes" and asked in offered
    if sure:
        name = asked
    elif "accept" in offered and name == ("resume" if room.adjourned else "adjourn"):
        name = "accept"  # both ask for the same
    if not sure and name in offered and guest.question(name):
        guest.asked = name
    elif name == "attempt" and not guest.sight.press:
        guest.answer = Phrase("It is not your turn.")
    elif name not in (*offered, "attempt"):
        guest.answer = "" if name == "no" else NOT_NOW
    elif name in CHANGING and form.get("known") != str(guest.sight.known):
        guest.answer = STALE
    else:
        try:
            waiting = ACTIONS[name](Request(hall, room, guest, form))
            if waiting is not None:
                await waiting
            await room.settled()
        except BadStore:
            raise
        except PhantomGoError as error:
            guest.answer = as_sentence(error)
    guest.look()


def as_sentence(error: Exception) -> str:
    """Return the words of an error as a sentence."""
    words = error.args[0] if error.args else ""
    if isinstance(words, Phrase) and words.endswith("."):
        return words
    return Phrase("{words}.", words=words if isinstance(words, Phrase) else str(error))


class Request(NamedTuple):
    """An action that may be done: where, by whom, and with the fields of which form."""

    hall: Hall
    room: Room
    guest: Guest
    form: Form

    @property
    def point(self) -> Move:
        """The vertex in the form; a `BadText` if it is not on this board."""
        return parse_move(self.form.get("point", ""), self.room.terms.size)

    @property
    def colour(self) -> Colour:
        """The colour of the player who asks."""
        assert self.guest.facing is not None
        return self.guest.facing

    def attempt(self, move: Move) -> None:
        self.guest.answer = self.guest.objection(move)
        if not self.guest.answer:
            self.room.table.attempt(move)

    def guess(self, points: PointSet) -> None:
        """Note where the player believes enemy stones to be."""
        words = vertices(points, self.room.terms.size).split()
        self.room.happen({"guesses": str(self.colour).lower(), "points": words})

    def mark(self) -> None:
        """Add the point to the guesses, or remove it."""
        if self.point != PASS:
            self.guess(self.guest.marks[self.colour] ^ 1 << self.point)

    async def advice(self, task: Callable[[View], T]) -> T | None:
        """Return what the adviser says of the player's view; None if that has changed meanwhile."""
        view = self.room.game.view(self.colour)
        found: T = await self.room.advise(task, view)
        await self.room.settled()
        same = self.guest.facing is view.colour and self.room.game.view(view.colour) == view
        return found if same else None

    async def belief(self) -> None:
        self.guest.heat = await self.advice(advice.belief) or self.guest.heat

    async def hint(self) -> None:
        move = await self.advice(thinkers.hint)
        if move is not None:
            self.guest.hint = move if move >= 0 else None
            passes = Phrase("{bot} would pass.", bot=ADVISER)
            tries = Phrase(
                "{bot} would try {point}.", bot=ADVISER, point=self.guest.point_name(move)
            )
            self.guest.answer = passes if move == PASS else tries

    def adjourn(self) -> None:
        """Adjourn or resume; where another person plays, offer it, or agree to their offer."""
        room, opponent = self.room, self.guest.opponent
        if opponent is None or room.asks is opponent:
            room.happen({"adjourned": not room.stands})
        else:
            room.happen({"asks": str(opponent.other).lower()})

    def drop_offer(self) -> None:
        """Decline the other player's offer, of which they are notified, or withdraw one's own."""
        asker = self.room.guests.get(str(self.room.asks).lower())
        if asker is not None and asker is not self.guest:
            name = self.room.names[self.colour]
            asker.answer = Phrase("{player} has declined.", player=name)
        self.room.happen({"asks": None})


ACTIONS: Final[Mapping[str, Callable[[Request], Awaitable[None] | None]]] = {
    "attempt": lambda it: it.attempt(it.point),
    "pass": lambda it: it.attempt(PASS),
    "resign": lambda it: it.attempt(RESIGN),
    "takeback": lambda it: it.room.happen({"takeback": str(it.colour).lower()}),
    "undo": lambda it: it.room.happen({"undo": 1}),
    "mark": Request.mark,
    "clear": lambda it: it.guess(0),
    "belief": Request.belief,
    "hint": Request.hint,
    "seats": lambda it: it.guest.change_seats(),
    **dict.fromkeys(("adjourn", "resume", "accept", "stop", "start"), Request.adjourn),
    **dict.fromkeys(("decline", "withdraw"), Request.drop_offer),
    "ask": lambda it: it.room.ask_again(),
    "abandon": lambda it: it.room.table.abandon(),
    "free-black": lambda it: it.room.free("black"),
    "free-white": lambda it: it.room.free("white"),
    "rematch": lambda it: it.hall.lay_again(it.room),
}
CHANGING: Final = ("attempt", "pass", "resign", "takeback", "undo")
"""Actions that change the game; those from an outdated page are rejected."""
