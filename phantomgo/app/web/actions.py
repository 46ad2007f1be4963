"""What a guest may do: a table of names, who may, and what happens."""

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from phantomgo.app.table.players import ADVISER
from phantomgo.app.table.viewer import Phase
from phantomgo.app.web import thinkers
from phantomgo.app.web.guest import Guest
from phantomgo.app.web.room import Room
from phantomgo.app.web.terms import Form
from phantomgo.errors import BadStore, PhantomGoError
from phantomgo.points import BLACK, PASS, RESIGN, WHITE, Move, parse_move
from phantomgo.view import View

STALE: Final = "The position has changed meanwhile; nothing was attempted."


class Action(NamedTuple):
    """Something a guest may do.

    Attributes:
        run: does it, with the fields of the form.
        roles: whose it is.
        over: it is for after the game, instead of during it.
    """

    run: Callable[[Room, Guest, Form], Awaitable[None]]
    roles: frozenset[str]
    over: bool = False


PLAYERS: Final = frozenset({"black", "white", "both"})
REFEREE: Final = frozenset({"referee"})


async def act(guest: Guest, form: Form) -> None:
    """Do what a guest asks; what may not be done is answered, and changes nothing.

    What cannot be made undone is asked about first: the next request is then `yes`, or anything
    else, which drops the question.
    """
    room, name = guest.room, form.get("do", "")
    await room.settled()  # what they see is how it stands, from here to the attempt
    asked, guest.asked, guest.answer = guest.asked, "", ""
    offered = guest.see().actions
    sure = name == "yes" and asked in offered
    name = asked if sure else name
    action = ACTIONS.get(name)
    if name == "no":
        pass
    elif not sure and name in offered and guest.question(name):
        guest.asked = name
    elif action is None or guest.role not in action.roles:
        guest.say("That is not for you to do.")
    elif action.over is not (guest.phase is Phase.OVER):
        guest.say("The game is over." if not action.over else "The game is not over yet.")
    else:
        try:
            await action.run(room, guest, form)
            await room.settled()
        except BadStore:
            raise
        except PhantomGoError as error:
            guest.say(f"{error}.")
    guest.look()


# Attempts


async def _attempt(room: Room, guest: Guest, form: Form) -> None:
    _try(room, guest, form, parse_move(form.get("point", ""), room.game.rules.size))


async def _pass(room: Room, guest: Guest, form: Form) -> None:
    _try(room, guest, form, PASS)


async def _resign(room: Room, guest: Guest, form: Form) -> None:
    _try(room, guest, form, RESIGN)


def _try(room: Room, guest: Guest, form: Form, move: Move) -> None:
    """Make an attempt, if it is this guest's turn and they saw the present position."""
    if not guest.sight.press:
        guest.say("It is not your turn.")
    elif form.get("known") != str(guest.sight.known):
        guest.say(STALE)
    elif objection := guest.objection(move):
        guest.say(objection)
    else:
        room.attempt(move)


async def _takeback(room: Room, guest: Guest, form: Form) -> None:
    if form.get("known") != str(guest.sight.known):
        guest.say(STALE)
    elif guest.facing is None or not room.may_take_back(guest.facing):
        guest.say("That is not for now.")
    else:
        room.take_back(guest.facing)


# Beside playing


async def _mark(room: Room, guest: Guest, form: Form) -> None:
    move = parse_move(form.get("point", ""), guest.game.rules.size)
    if guest.facing is not None and guest.phase is Phase.PLAY and move >= 0:
        room.guess(guest.facing, guest.marks[guest.facing] ^ 1 << move)


async def _clear(room: Room, guest: Guest, _form: Form) -> None:
    if guest.facing is not None:
        room.guess(guest.facing, 0)


async def _belief(room: Room, guest: Guest, _form: Form) -> None:
    view = _asked(room, guest)
    if view is not None:
        heat = await room.advise(thinkers.belief, view)
        await room.settled()
        if guest.facing is view.colour and room.game.view(view.colour) == view:
            guest.heat = heat


async def _hint(room: Room, guest: Guest, _form: Form) -> None:
    view = _asked(room, guest)
    if view is not None:
        move = await room.advise(thinkers.hint, view)
        await room.settled()
        if guest.facing is view.colour and room.game.view(view.colour) == view:
            guest.hint = move if move >= 0 else None
            what = "pass" if move == PASS else f"try {guest.point_name(move)}"
            guest.say(f"{ADVISER} would {what}.")


def _asked(room: Room, guest: Guest) -> View | None:
    """The view that advice is asked for, if it may be."""
    if not room.terms.helped or not guest.their_turn or guest.facing is None:
        guest.say("That is not for now.")
        return None
    return room.game.view(guest.facing)


async def _seats(_room: Room, guest: Guest, _form: Form) -> None:
    guest.change_seats()


async def _adjourn(room: Room, guest: Guest, _form: Form) -> None:
    _set_adjourned(room, guest, adjourned=True)


async def _resume(room: Room, guest: Guest, _form: Form) -> None:
    _set_adjourned(room, guest, adjourned=False)


def _set_adjourned(room: Room, guest: Guest, *, adjourned: bool) -> None:
    """Two players have to agree; where there is a referee, the clocks are theirs."""
    if room.terms.refereed and guest.role != "referee":
        guest.say("That is up to the referee.")
    elif room.free_seats:
        guest.say("The other seat is still free.")
    elif adjourned is not room.adjourned and guest.opponent is not None:
        room.ask_to_adjourn(guest.opponent.other)
    else:
        room.adjourn(adjourned=adjourned)


async def _accept(room: Room, guest: Guest, _form: Form) -> None:
    if guest.opponent is not None and room.asks is guest.opponent:
        room.ask_to_adjourn(guest.opponent.other)
    else:
        guest.say("Nothing is asked of you.")


async def _decline(room: Room, guest: Guest, _form: Form) -> None:
    if guest.opponent is not None:
        room.drop_offer(guest.opponent.other)


async def _ask(room: Room, _guest: Guest, _form: Form) -> None:
    room.ask_again()


# The referee's


async def _undo(room: Room, guest: Guest, form: Form) -> None:
    if form.get("known") != str(guest.sight.known):
        guest.say(STALE)
    elif room.game.steps:
        room.undo()


async def _free_black(room: Room, _guest: Guest, _form: Form) -> None:
    room.renew(BLACK)


async def _free_white(room: Room, _guest: Guest, _form: Form) -> None:
    room.renew(WHITE)


async def _abandon(room: Room, _guest: Guest, _form: Form) -> None:
    room.table.abandon()


# After the game


async def _rematch(room: Room, guest: Guest, _form: Form) -> None:
    if guest.seats:
        room.play_again()


async def _review(room: Room, guest: Guest, _form: Form) -> None:
    room.judge()
    guest.say("Every position is being judged. The graph comes by itself.")


EVERYBODY: Final = PLAYERS | REFEREE
ACTIONS: Final = {
    "attempt": Action(_attempt, EVERYBODY),
    "pass": Action(_pass, EVERYBODY),
    "resign": Action(_resign, EVERYBODY),
    "takeback": Action(_takeback, PLAYERS),
    "mark": Action(_mark, PLAYERS),
    "clear": Action(_clear, PLAYERS),
    "belief": Action(_belief, PLAYERS),
    "hint": Action(_hint, PLAYERS),
    "seats": Action(_seats, frozenset({"both"})),
    "adjourn": Action(_adjourn, EVERYBODY),
    "resume": Action(_resume, EVERYBODY),
    "accept": Action(_accept, PLAYERS),
    "decline": Action(_decline, PLAYERS),
    "withdraw": Action(_decline, PLAYERS),
    "ask": Action(_ask, EVERYBODY),
    "stop": Action(_adjourn, REFEREE),
    "start": Action(_resume, REFEREE),
    "undo": Action(_undo, REFEREE),
    "abandon": Action(_abandon, REFEREE),
    "free-black": Action(_free_black, REFEREE),
    "free-white": Action(_free_white, REFEREE),
    "rematch": Action(_rematch, PLAYERS, over=True),
    "review": Action(_review, EVERYBODY | {"watch"}, over=True),
}
