"""The actions of clients, by name. A client may attempt, and do what their state offers."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple, TypeVar

from phantomgo.app.table import advice
from phantomgo.app.table.facts import CANCELLED
from phantomgo.app.web import bot_workers
from phantomgo.app.web.board import LIKELY
from phantomgo.app.web.client import Client
from phantomgo.app.web.registry import TableRegistry
from phantomgo.app.web.session import TableSession
from phantomgo.app.web.terms import Form
from phantomgo.errors import BadStore, PhantomGoError
from phantomgo.game.points import PASS, RESIGN, Colour, Move, PointSet, parse_move, vertices
from phantomgo.game.view import View
from phantomgo.phrase import Phrase, sentences

STALE: Final = Phrase("The position has changed meanwhile; nothing was attempted.")
NOT_NOW: Final = Phrase("That is not possible now.")

T = TypeVar("T")


async def act(registry: TableRegistry, session: TableSession, client: Client, form: Form) -> None:
    """Do what a client asks; what may not be done is answered, and changes nothing.

    An action that cannot be undone is confirmed first: the next request is then `yes`, or anything
    else, which drops the question.
    """
    await session.settled()  # until the attempt, they see the latest state
    pending, client.pending, client.answer = client.pending, "", ""
    offered, name = client.state_at().actions, form.get("do", "")
    sure = name == "yes" and pending in offered
    if sure:
        name = pending
    elif "accept" in offered and name == ("resume" if session.adjourned else "adjourn"):
        name = "accept"  # both ask for the same
    if not sure and name in offered and client.question(name):
        client.pending = name
    elif name == "attempt" and not client.state.press:
        client.answer = Phrase("It is not your turn.")
    elif name not in (*offered, "attempt"):
        client.answer = "" if name == "no" else NOT_NOW
    elif name in CHANGING and form.get("known") != str(client.state.known):
        client.answer = STALE
    else:
        try:
            waiting = ACTIONS[name](ActionRequest(registry, session, client, form))
            if waiting is not None:
                await waiting
            await session.settled()
        except BadStore:
            raise
        except PhantomGoError as error:
            client.answer = as_sentence(error)
    client.update()


def as_sentence(error: Exception) -> str:
    """Return the words of an error as a sentence."""
    words = error.args[0] if error.args else ""
    if isinstance(words, Phrase) and words.endswith("."):
        return words
    return Phrase("{words}.", words=words if isinstance(words, Phrase) else str(error))


class ActionRequest(NamedTuple):
    """An action that may be done: where, by whom, and with the fields of which form."""

    registry: TableRegistry
    session: TableSession
    client: Client
    form: Form

    @property
    def point(self) -> Move:
        """The vertex in the form; a `BadText` if it is not on this board."""
        return parse_move(self.form.get("point", ""), self.session.terms.size)

    @property
    def colour(self) -> Colour:
        """The colour of the player who asks."""
        assert self.client.facing is not None
        return self.client.facing

    def attempt(self, move: Move) -> None:
        self.client.answer = self.client.objection(move)
        if not self.client.answer:
            self.session.table.attempt(move)

    def guess(self, points: PointSet) -> None:
        """Note where the player believes enemy stones to be."""
        words = vertices(points, self.session.terms.size).split()
        self.session.record_event({"guesses": self.colour.word, "points": words})

    def mark(self) -> None:
        """Add the point to the guesses, or remove it."""
        if self.point != PASS:
            self.guess(self.client.marks[self.colour] ^ 1 << self.point)

    async def advice(self, task: Callable[[View], T]) -> T | None:
        """Return what the adviser says of the player's view; None if that has changed meanwhile."""
        view = self.session.game.view(self.colour)
        answer: T = await self.session.advise(task, view)
        await self.session.settled()
        same = self.client.facing is view.colour and self.session.game.view(view.colour) == view
        return answer if same else None

    async def belief(self) -> None:
        self.client.heat = await self.advice(advice.belief) or self.client.heat

    async def hint(self) -> None:
        found = await self.advice(bot_workers.hint)
        if found is not None:
            move, taken = found
            self.client.hint = move if move >= 0 else None
            passes = Phrase("A strong bot would pass.")
            tries = Phrase(
                "A strong bot would attempt {point}.", point=self.client.point_name(move)
            )
            probe = Phrase("It costs nothing: a stone is probably there.")
            words = sentences((tries, probe if taken >= LIKELY else ""))
            self.client.answer = passes if move == PASS else words

    def adjourn(self) -> None:
        """Adjourn or resume; where another person plays, offer it, or agree to their offer."""
        session, opponent = self.session, self.client.opponent
        if opponent is None or session.asks is opponent:
            session.record_event({"adjourned": not session.stopped})
        else:
            session.record_event({"asks": opponent.other.word})

    def drop_offer(self) -> None:
        """Decline the other player's offer, of which they are notified, or withdraw one's own."""
        asks = self.session.asks
        asker = None if asks is None else self.session.clients.get(asks.word)
        if asker is not None and asker is not self.client:
            name = self.session.names[self.colour]
            asker.answer = Phrase("{player} has declined.", player=name)
        self.session.record_event({"asks": None})


ACTIONS: Final[Mapping[str, Callable[[ActionRequest], Awaitable[None] | None]]] = {
    "attempt": lambda it: it.attempt(it.point),
    "pass": lambda it: it.attempt(PASS),
    "resign": lambda it: it.attempt(RESIGN),
    "takeback": lambda it: it.session.record_event({"takeback": it.colour.word}),
    "undo": lambda it: it.session.record_event({"undo": 1}),
    "mark": ActionRequest.mark,
    "clear": lambda it: it.guess(0),
    "belief": ActionRequest.belief,
    "hint": ActionRequest.hint,
    "seats": lambda it: it.client.change_seats(),
    **dict.fromkeys(("adjourn", "resume", "accept", "stop", "start"), ActionRequest.adjourn),
    **dict.fromkeys(("decline", "withdraw"), ActionRequest.drop_offer),
    "ask": lambda it: it.session.ask_again(),
    "cancel": lambda it: it.session.table.abandon(CANCELLED),
    "abandon": lambda it: it.session.table.abandon(),
    "free-black": lambda it: it.session.free("black"),
    "free-white": lambda it: it.session.free("white"),
    "rematch": lambda it: it.registry.set_up_rematch(it.session),
}
CHANGING: Final = ("attempt", "pass", "resign", "takeback", "undo", "seats")
"""Actions that change the game or lift a curtain; those from an outdated page are rejected."""
