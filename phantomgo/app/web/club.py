"""The evenings of a server, found by their links, and the tables of their rounds.

As with tables, the token of a link is checked before anything is opened, and an event is on the
disk before anybody sees its effect.
"""

import asyncio
from collections import deque
from typing import Final
from weakref import WeakValueDictionary

from phantomgo.app.web.evening import GAMES, Evening, Programme
from phantomgo.app.web.hall import Hall
from phantomgo.app.web.state import is_latest
from phantomgo.app.web.terms import Terms
from phantomgo.errors import BadStore, BadText
from phantomgo.match.pairing import Pairing
from phantomgo.phrase import Phrase
from phantomgo.points import BLACK, WHITE

RECENT: Final = 64
"""Evenings kept in memory when no request needs them; others are read again when somebody asks."""


class Club:
    """The evenings of a server, and the hall where their tables stand."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self._journal = hall, hall.journal
        self._open: WeakValueDictionary[int, Evening] = WeakValueDictionary()
        self._recent: deque[Evening] = deque(maxlen=RECENT)
        self._pairing = asyncio.Lock()

    async def begin(self, programme: Programme) -> str:
        """Begin an evening; return the path of its organiser.

        Raises:
            BadStore: it cannot be kept.
        """
        number = self.hall.new_number()
        self._journal.begin_evening(number, programme.as_dict())
        evening = Evening(number, self._journal, programme)
        if programme.bot:
            evening.happen({"joins": programme.bot, "bot": programme.spec})
        await self._journal.written()
        self._remember(evening)
        return evening.link("organiser")

    async def enter(self, number: int, role: str, token: str) -> Evening | None:
        """Return the evening that this link is for; None if it is not valid.

        Raises:
            BadStore: what was added last cannot be written.
        """
        evening = self._open.get(number)
        generations = None if evening is None else evening.generations
        if not is_latest(token, self._journal, number, role, generations):
            return None
        if evening is None:
            await self._journal.written()  # so the file has every event
        return self._evening(number)

    def _evening(self, number: int) -> Evening | None:
        """Return an evening as it stands; None if it was deleted for its age."""
        terms = self._journal.evening(number)
        if terms is None:
            return None
        evening = self._open.get(number)
        if evening is None:
            evening = Evening(number, self._journal, Programme.from_dict(terms))
            for event in self._journal.events(number):
                evening.apply(event)
        self._remember(evening)
        evening.look()
        return evening

    def _remember(self, evening: Evening) -> None:
        self._open[evening.number] = evening
        if evening not in self._recent:
            self._recent.append(evening)

    async def settled(self, evening: Evening) -> None:
        """Wait until what has happened is on the disk.

        Raises:
            BadStore: it cannot be written; the evening is read again as it stands on the disk.
        """
        try:
            await self._journal.written(evening.added)
        except BadStore:
            if self._open.get(evening.number) is evening:
                del self._open[evening.number]
            raise

    # What happens

    async def join(self, evening: Evening, name: str) -> str:
        """Add a player; return the path of their page."""
        evening.happen({"joins": name})
        await self.settled(evening)
        return evening.link(f"player-{len(evening.players) - 1}")

    async def sit(self, evening: Evening, player: int, who: str) -> str | None:
        """Sit a player down at their table; return the path of their seat; None if they wait.

        Raises:
            Busy: the table would have to be opened, and too many are open.
        """
        game = evening.seat(player)
        room = None if game is None else self.hall.room(game.table, who)
        if game is None or room is None:
            return None
        colour = BLACK if game.black == player else WHITE
        if colour not in room.sitting:
            room.sit(colour, "")
            await room.settled()
        return room.link(str(colour).lower())

    async def start(self, evening: Evening, known: int, who: str) -> None:
        """Begin the next round, unless more than the `known` rounds have begun.

        Raises:
            BadText: games are not over, or there is nobody to play.
            Busy: its tables would be too many.
            BadStore: it cannot be kept.
        """
        async with self._pairing:
            if len(evening.rounds) != known:
                return
            if evening.waits_for:
                raise BadText(Phrase("the next round begins when all games are over"))
            await self._begin_round(evening, who)

    async def pair_ready(self, evening: Evening, who: str) -> None:
        """Let those who are ready play, in an evening without rounds."""
        async with self._pairing:
            if sum(player.ready for player in evening.players) > 1:
                await self._begin_round(evening, who)

    async def _begin_round(self, evening: Evening, who: str) -> None:
        # In a thread: the solver takes some time, and a second when it is first imported.
        found = await asyncio.to_thread(evening.next_round)
        games, rest = evening.seated(found)
        if evening.free:
            rest = []
        if evening.free and not games:
            return
        if not games and not (rest and evening.has_plan):
            raise BadText(Phrase("a round takes two players"))
        if sum(map(len, evening.rounds)) + len(games) > GAMES:
            raise BadText(Phrase("an evening has up to {count} games", count=GAMES))
        laid = [self._terms(evening, game) for game in games]
        rooms = self.hall.lay_all([terms for terms, _ in laid], who)
        seated = [[room.number, *game] for room, (_, game) in zip(rooms, laid, strict=True)]
        evening.happen({"games": seated, "rest": rest})
        try:
            await self.settled(evening)
        except BadStore:
            for room in rooms:
                room.close()
            raise

    def _terms(self, evening: Evening, game: Pairing) -> tuple[Terms, Pairing]:
        """The terms of a game, with a handicap if that is wanted, and who has which colour."""
        terms = evening.terms_of(game)
        if not evening.programme.even:
            return terms, game
        terms, role = self.hall.ladder.even(terms, "black")
        return terms, game if role == "black" else Pairing(game.white, game.black)

    def correct(self, evening: Evening, table: int, points: tuple[float, float], who: str) -> None:
        """Give the points of a game; one that is not over ends without a result.

        Raises:
            BadText: the evening has no such game.
            Busy: its table would have to be opened, and too many are open.
        """
        if table not in {game.table for game in evening.games}:
            raise BadText(Phrase("there is no such game in this evening"))
        room = self.hall.room(table, who)
        if room is not None and room.game.outcome is None:
            room.table.abandon()
        black, white = points
        evening.happen({"corrects": table, "black": black, "white": white})

    def renew(self, evening: Evening, player: int, who: str) -> None:
        """Make a player's link void, and that of their seat; the organiser invites them anew.

        Raises:
            Busy: their table would have to be opened, and too many are open.
        """
        game = evening.seat(player)
        room = None if game is None else self.hall.room(game.table, who)
        if game is not None and room is not None:
            room.free("black" if game.black == player else "white")
        for kind in ("again", "player"):
            evening.happen({"link": f"{kind}-{player}"})
