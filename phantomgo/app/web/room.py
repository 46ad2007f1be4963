"""A table on the web: its game, its guests, and every event of it kept before anybody sees it."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from phantomgo.app.table.game import Game
from phantomgo.app.table.players import HUMAN
from phantomgo.app.table.table import BotFailed, Table
from phantomgo.app.web import thinkers
from phantomgo.app.web.events import Event, attempted, ended, played
from phantomgo.app.web.guest import Guest, make_guest
from phantomgo.app.web.sight import NO_CHANCES, Chances
from phantomgo.app.web.tempo import Turn
from phantomgo.app.web.terms import ENGINE, Terms, Watching
from phantomgo.app.web.thinkers import PooledPlayers
from phantomgo.errors import BadStore
from phantomgo.points import (
    BLACK,
    WHITE,
    Colour,
    Move,
    PointSet,
    members,
    parse_colour,
    parse_move,
    point_set,
    vertex,
)
from phantomgo.record import Record
from phantomgo.record_json import write_record

ROLES: Final = ("black", "white", "both", "watch", "referee")
"""Who may look at a table. Each has a link of its own; `invite-black` and `invite-white` are those
that open a free seat."""

SWAPPED: Final = {"black": "white", "white": "black"}
"""Whose seat a player has in a rematch; the other roles stay what they are."""

log = logging.getLogger("phantomgo.web")

if TYPE_CHECKING:
    from phantomgo.app.web.hall import Hall


class Room:
    """A table with its guests.

    Attributes:
        number: the table's.
        terms: what it was laid for.
        table: the game, its players and clocks.
        guests: who looks at it, by role.
        generations: how many links each role has had.
        sitting: the seats a person has taken.
        names: what the players are called.
        adjourned: the clocks stand until the game is resumed.
        asks: the player who asks to adjourn or, if adjourned, to go on; None if nobody does.
        started: somebody has started the clocks by hand.
        marks: the players' guesses of enemy stones.
        chances: Black's winning chances, once judged.
        rematch: the number of the table where the next game is played.
        closed: this is no longer the table; its links open it anew.
        touched: when it was last used, for the hall to know who is idle.
        who: the address on whose behalf it is open.
    """

    def __init__(self, number: int, terms: Terms, hall: "Hall", who: str = "") -> None:
        """The table as it stands in the journal; `begin` lets the game go on."""
        self.number, self.terms, self.who = number, terms, who
        self._hall, self._now = hall, hall.now
        self.generations: dict[str, int] = {}
        self.sitting: set[Colour] = set()
        self.names = {colour: terms.name(colour) for colour in Colour}
        self.adjourned = self.started = False
        self.asks: Colour | None = None
        self.rematch: int | None = None
        self.marks: dict[Colour, PointSet] = dict.fromkeys(Colour, 0)
        self.chances = NO_CHANCES
        self.trouble = ""
        self.closed = False
        self._added = 0
        self._showing: asyncio.Task[None] | None = None
        self._judging: asyncio.Task[None] | None = None
        self.touched = self._now()
        self.guests: dict[str, Guest] = {}
        self._driver: asyncio.Task[None] | None = None
        events = hall.journal.events(number)
        self._events = len(events)
        game = Game(terms.record)
        for event in events:
            after = played(game, event)
            if after is None:
                self._happens(event)
            game = after or game
        self._sit_at(game)

    def _sit_at(self, game: Game) -> None:
        self._kept, self._kept_end = len(game.steps), game.outcome is not None
        hall = self._hall
        players = PooledPlayers(self.number, game, hall.thinkers, hall.engines, self.who)
        self.table = Table(game, players, keep=self._keep, now=self._now)
        self.table.watchers.append(self.changed)
        self._set_clock()
        for guest in self.guests.values():
            guest.move_to(self.table)

    @property
    def game(self) -> Game:
        return self.table.game

    # Seats and links

    @property
    def free_seats(self) -> list[Colour]:
        """Seats that wait for a person with an invitation."""
        if self.terms.here or self.terms.refereed:
            return []
        return [colour for colour in sorted(self.table.people) if colour not in self.sitting]

    def link(self, role: str) -> str:
        """The path of a role, by its latest link."""
        token = self._hall.token(self.number, role, self.generations.get(role, 0))
        return f"/table/{self.number}/{role}/{token}"

    def invitations(self) -> Iterator[tuple[str, str]]:
        """The links to the seats that wait for a person: for whom, and the path."""
        invited = self.table.people - self.sitting if self.terms.refereed else self.free_seats
        for colour in sorted(invited):
            yield f"Invitation to play {colour}", self.link(f"invite-{colour}".lower())

    def spectators(self) -> Iterator[tuple[str, str]]:
        """The link for spectators, where they see anything.

        It shows what players may not see, so it is for the referee, or for whoever started the
        server, and never on the page of a seat.
        """
        if self.terms.watching is not Watching.NOTHING or self.terms.refereed:
            yield "For spectators", self.link("watch")

    def sit(self, colour: Colour, name: str) -> str | None:
        """Take a free seat; the path of who sits there, or None if it is taken."""
        if colour not in self.table.people or colour in self.sitting:
            return None
        seat = str(colour).lower()
        self.happen({"sits": seat, "name": name})
        return self.link(seat)

    def renew(self, colour: Colour) -> None:
        """Free a seat: its link is void, and so is the invitation that led to it."""
        seat = str(colour).lower()
        self.happen({"link": seat})
        self.happen({"link": f"invite-{seat}"})

    def rematch_link(self, role: str) -> str:
        """The path of this guest in the next game; empty if there is none."""
        room = None if self.rematch is None else self._hall.room(self.rematch, self.who)
        return "" if room is None else room.link(SWAPPED.get(role, role))

    def play_again(self) -> None:
        """Lay the table of the next game, with the colours changed."""
        if self.rematch is None:
            number = self._hall.lay_again(self.terms_of_rematch(), self.sitting, self.who)
            self.happen({"rematch": number})

    def terms_of_rematch(self) -> Terms:
        black, white = (self.names[colour] for colour in Colour)
        return replace(self.terms.swapped(), black_name=white, white_name=black)

    def record(self) -> Record:
        """The game, with the names its players go by."""
        record = self.game.record()
        black, white = (
            side if self._is_bot(colour) else side._replace(name=self.names[colour])
            for colour, side in ((BLACK, record.black), (WHITE, record.white))
        )
        return replace(record, black=black, white=white)

    def _is_bot(self, colour: Colour) -> bool:
        spec = self.terms.spec(colour)
        return spec != HUMAN and not spec.startswith(ENGINE)

    # Events

    def _happens(self, event: Event) -> None:
        """What is no part of the game."""
        if "sits" in event:
            colour = parse_colour(event["sits"])
            self.sitting.add(colour)
            self.names[colour] = event["name"] or self.names[colour]
        if "link" in event:
            role = event["link"]
            self.generations[role] = self.generations.get(role, 0) + 1
            self.sitting -= {BLACK if role == "black" else WHITE} if role in SWAPPED else set()
        if "adjourned" in event:
            self.adjourned = event["adjourned"]
            self.started = not self.adjourned
            self.asks = None
        if "asks" in event:
            self.asks = None if event["asks"] is None else parse_colour(event["asks"])
        if "guesses" in event:
            size = self.terms.size
            points = (parse_move(where, size) for where in event["points"])
            self.marks[parse_colour(event["guesses"])] = point_set(points)
        if "chances" in event:
            found = event["chances"]
            self.chances = Chances(*(tuple(found[name]) for name in Chances._fields))
        if "rematch" in event:
            self.rematch = event["rematch"]

    def happen(self, event: Event) -> None:
        """Keep an event that is no part of the game, and let it happen."""
        self._add([event])
        self._happens(event)
        self._set_clock()
        self.changed()

    def _add(self, events: list[Event]) -> None:
        if events:
            self._hall.journal.add(self.number, self._events, events)
            self._events += len(events)

    def _keep(self, game: Game) -> None:
        """Keep what has happened in the game since the last time."""
        size, outcome = game.rules.size, game.outcome
        events = [attempted(step, size) for step in game.steps[self._kept :]]
        if outcome is not None and not self._kept_end:
            events += ended(outcome)
        self._add(events)
        self._kept = len(game.steps)
        if outcome is not None and not self._kept_end:
            self._kept_end = True
            self._hall.journal.finish(self.number, self._title() if self.terms.listed else "")

    def _title(self) -> str:
        outcome, size = self.game.outcome, self.terms.size
        assert outcome is not None
        black, white = (self.names[colour] for colour in Colour)
        return f"{black} (Black) against {white} (White), {size}x{size}: {outcome.result}"

    # The game

    def begin(self) -> None:
        """Let the game go on."""
        self.table.begin()
        self._go_on()

    def guess(self, colour: Colour, points: PointSet) -> None:
        """Note where a player believes enemy stones to be."""
        words = [vertex(point, self.terms.size) for point in members(points)]
        self.happen({"guesses": str(colour).lower(), "points": words})

    def attempt(self, move: Move) -> None:
        """The attempt of the person to move."""
        self.table.attempt(move)

    def undo(self) -> None:
        """Take the last attempt back, as a referee's correction."""
        self._go_back({"undo": 1})

    def may_take_back(self, colour: Colour) -> bool:
        """Whether a player may take their last move back: against a bot, once a game."""
        alone = self.table.people == {colour} and not self.terms.refereed
        first = not self.game.start.takebacks and self.game.last_turn(colour) is not None
        return alone and first and self.game.to_move is colour and not self.adjourned

    def take_back(self, colour: Colour) -> None:
        """Take a player's last move back, and all that came after it."""
        self._go_back({"takeback": str(colour).lower()})

    def _go_back(self, event: Event) -> None:
        self._stop_driver()
        game = played(self.game, event)
        assert game is not None
        self._add([event])
        self._sit_at(game)
        self.changed()
        self.begin()

    def adjourn(self, *, adjourned: bool) -> None:
        """Stop the clocks and all attempts, or go on."""
        if adjourned is not self.adjourned or adjourned is not self.stands:
            self.happen({"adjourned": adjourned})

    def ask_to_adjourn(self, colour: Colour) -> None:
        """Ask the other player to adjourn or, if adjourned, to go on; or agree if they asked."""
        if self.asks is colour.other:
            self.adjourn(adjourned=not self.adjourned)
        elif self.asks is None:
            self.happen({"asks": str(colour).lower()})

    def drop_offer(self, colour: Colour) -> None:
        """Decline what the other player asks, who is told so, or take one's own offer back."""
        if self.asks is colour.other:
            asker = self.guests.get(str(self.asks).lower())
            if asker is not None:
                asker.answer = f"{self.names[colour]} has declined."
        if self.asks is not None:
            self.happen({"asks": None})

    @property
    def stands(self) -> bool:
        """Whether the clocks stand until somebody starts them.

        A referee's clocks stand until both seats are taken: nobody may know yet that it has begun.
        """
        timed = self.terms.refereed and bool(self.terms.minutes)
        waits = timed and not self.started and not self.table.people <= self.sitting
        return self.adjourned or waits

    def _set_clock(self) -> None:
        """Stop the clock while nobody has started it, a seat is free, or something is wrong."""
        if self.stands or self.free_seats or self.trouble:
            self.table.turn.stop()
        else:
            self.table.turn.start()

    def tick(self) -> None:
        """End the game if a clock has run down."""
        if self.terms.minutes and not self.trouble:
            self.table.tick()

    def fail(self, error: Exception) -> None:
        """Stop the clocks of a table where something of ours went wrong, and say so there."""
        log.error("table %d: %s", self.number, type(error).__name__, exc_info=error)
        self.trouble = "Something went wrong at this table, and its clocks stand."
        self.table.turn.stop()
        for guest in self.guests.values():
            with contextlib.suppress(Exception):  # it may be what went wrong
                guest.look()

    @property
    def in_progress(self) -> bool:
        """Whether the game has begun and is not over."""
        return bool(self.game.steps) and self.game.outcome is None

    def changed(self) -> None:
        """Something has happened: once that is on the disk, every guest looks again."""
        self._added = self._hall.journal.added
        if self._showing is None:
            self._showing = asyncio.create_task(self._show())

    async def _show(self) -> None:
        try:
            kept = -1
            while kept < self._added:
                kept = self._added
                await self._hall.journal.written(kept)
        except BadStore as error:
            log.error("%s", error)
            self._hall.forget(self)  # it is opened again as it stands on the disk
            raise
        finally:
            self._showing = None
        for guest in self.guests.values():
            guest.look()
        self._go_on()

    async def settled(self) -> None:
        """Until all that has happened is on the disk, and seen.

        Raises:
            BadStore: it cannot be written; the table stands as it did before.
        """
        while self._showing is not None:
            await asyncio.shield(self._showing)

    @property
    def unsettled(self) -> bool:
        """Whether something is being written or worked out."""
        return self._showing is not None or self._judging is not None

    def guest(self, role: str) -> Guest:
        """Who looks by this role; a person may do so through several screens."""
        self.touched = self._now()
        if role not in self.guests:
            self.guests[role] = make_guest(self, role)
        return self.guests[role]

    @property
    def looked_at(self) -> bool:
        """Whether a screen is open."""
        return any(guest.screens for guest in self.guests.values())

    # Bots

    @property
    def waits_for_bot(self) -> bool:
        to_move = self.game.to_move
        return (
            self.game.outcome is None
            and to_move not in self.table.people
            and not (self.adjourned or self.table.paused)
        )

    def _go_on(self) -> None:
        if self.waits_for_bot and self._driver is None:
            self._driver = asyncio.create_task(self._drive(), name=f"table {self.number}")

    async def _drive(self) -> None:
        """Ask bots and make their attempts until a person is to move.

        A refused attempt is made at once and charged nothing. The one that ends the turn waits for
        the end of the plan, and takes the whole charge of the turn from the clock.
        """
        thought_for = 0.0
        try:
            while self.waits_for_bot:
                thought, charge = self.table.think(), 0.0
                with contextlib.suppress(Exception):  # `take` tells what it was
                    move, seconds = await asyncio.wrap_future(thought)
                    thought_for += seconds
                    if self.game.ends_turn(move):
                        turn = self._planned()
                        await self._hall.sleep(turn.rest(self.table.turn.seconds))
                        charge, thought_for = turn.charge(thought_for), 0.0
                if self.waits_for_bot and thought is self.table.thought:
                    self._take(charge)
        finally:
            self._driver = None

    def _planned(self) -> Turn:
        """The plan of the turn of the bot to move."""
        colour, beat = self.game.to_move, self._hall.beat
        view, left = self.game.view(colour), self.game.left_at_turn(colour)
        engine = self.game.name(colour).startswith(ENGINE)
        return (Turn.of_engine if engine else Turn.of_bot)(view, left, beat)

    def _take(self, charge: float) -> None:
        try:
            self.table.take(charge)
        except BotFailed as error:
            log.warning("table %d: %s", self.number, error)
            self.trouble = "The bot failed. It can be asked again; the game is as it was."
            self.changed()

    def ask_again(self) -> None:
        """Ask a bot that failed once more."""
        self.trouble, self.table.paused = "", False
        self._set_clock()
        self.changed()

    def judge(self) -> None:
        """Have Black's winning chance at each moment of the finished game worked out."""
        if self._judging is None and not self.chances.truth:
            self._judging = asyncio.create_task(self._judge())

    async def _judge(self) -> None:
        try:
            judged = self._hall.judges.ask(
                thinkers.chances, write_record(self.game.record()), who=self.who
            )
            chances = await asyncio.wrap_future(judged)
            for guest in self.guests.values():
                guest.answer = ""
            self.happen({"chances": chances})
        except Exception as error:  # it may be asked for again
            log.warning("table %d cannot be judged: %s", self.number, type(error).__name__)
        finally:
            self._judging = None

    def _stop_driver(self) -> None:
        if self._driver is not None:
            self._driver.cancel()
            self._driver = None

    def close(self) -> None:
        """Nobody is here any more; the journal knows the rest."""
        self.closed = True
        self._stop_driver()
        self.table.watchers.clear()
        for guest in self.guests.values():
            guest.leave()

    def advise(self, task: Callable[..., Any], *arguments: Any) -> "asyncio.Future[Any]":
        """Have something worked out in a worker process."""
        return asyncio.wrap_future(self._hall.thinkers.ask(task, *arguments, who=self.who))
