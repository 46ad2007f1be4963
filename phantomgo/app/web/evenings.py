"""The paths of evenings: who may ask for what, and what is done."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from phantomgo.app.table.viewer import Phase
from phantomgo.app.web import evening_page as pages
from phantomgo.app.web.callers import Rate
from phantomgo.app.web.club import Club
from phantomgo.app.web.evening import ROLES, Evening, Seating, programme
from phantomgo.app.web.guard import STYLED
from phantomgo.app.web.hall import Busy
from phantomgo.app.web.ratings import report
from phantomgo.app.web.request import (
    NOT_POSSIBLE,
    TOO_MANY_REQUESTS,
    TOO_MANY_TABLES,
    fields,
    who_asks,
)
from phantomgo.app.web.sight import Sight
from phantomgo.app.web.terms import Form
from phantomgo.errors import BadText
from phantomgo.match import pgn
from phantomgo.match.page import page
from phantomgo.match.report import Report
from phantomgo.phrase import Phrase

JOINS: Final = 120
"""Players who may join from one address in a minute; a whole club may share an address."""
NO_EVENING: Final = Phrase(
    "There is no evening here. The link may be incomplete, or a newer one was made."
)


class Asked(NamedTuple):
    """A request of somebody who has a link.

    Attributes:
        evening: the evening.
        role: of the link.
        player: the number of the player that it is for, if it is for one.
        base: the path of the link.
        who: the address that asks.
        form: the fields of a request that does something.
    """

    evening: Evening
    role: str
    player: int | None
    base: str
    who: str
    form: Form

    @property
    def kind(self) -> str:
        """The role without the player's number."""
        return self.role.partition("-")[0]

    def number(self, key: str) -> int:
        """A number in the form; a `BadText` if it is none."""
        text = self.form.get(key, "")
        if not (text.isascii() and text.isdecimal() and len(text) < 20):
            raise BadText(f"{key} {text[:20]!r} is not a whole number")
        return int(text)

    @property
    def subject(self) -> int:
        """The player whom this is about: who asks, or the one whom the organiser names."""
        if self.player is not None:
            return self.player
        number = self.number("player")
        if number not in self.evening.people:
            raise BadText(f"player {number} does not take part")
        return number


class Evenings:
    """The handlers of the paths of evenings."""

    def __init__(
        self, club: Club, laid: Rate, pressed: Rate, address: Callable[[Request], str]
    ) -> None:
        """Serve the evenings of a club.

        Args:
            club: the evenings.
            laid: limits new tables and evenings, by address.
            pressed: limits requests that do something, by link.
            address: the URL of this server, as a request calls it.
        """
        self._club, self._hall, self._address = club, club.hall, address
        self._laid, self._pressed, self._joined = laid, pressed, Rate(JOINS, 60)

    def routes(self) -> list[Route]:
        evening = "/evening/{number:int}/{role}/{token}"
        return [
            Route("/evenings", self.form),
            Route("/evenings", self.begin, methods=["POST"]),
            Route(evening, self.page),
            Route(evening + "/do", self.do, methods=["POST"]),
            Route(evening + "/ratings", self.ratings),
            Route(evening + "/games.pgn", self.pgn),
        ]

    async def form(self, _request: Request) -> Response:
        return HTMLResponse(pages.begin_page(self._hall.levels))

    async def begin(self, request: Request) -> Response:
        self._limit(self._laid, who_asks(request), TOO_MANY_TABLES)
        found = programme(await fields(request, self._hall.limits.body), self._hall.levels)
        return RedirectResponse(await self._club.begin(found), 303)

    async def page(self, request: Request) -> Response:
        asked = await self._asked(request)
        await self._club.settled(asked.evening)
        evening, base, player = asked.evening, asked.base, asked.player
        if evening.free:  # a game that has ended may let others begin
            with suppress(Busy):
                await self._club.pair_ready(evening, asked.who)
        if player is not None:
            draw = pages.player_page if asked.kind == "player" else pages.again_page
            return HTMLResponse(draw(evening, player, base))
        if asked.role == "organiser":
            return HTMLResponse(pages.organiser_page(evening, base, self._address(request)))
        if asked.role == "join":
            return HTMLResponse(pages.join_page(evening, base))
        return HTMLResponse(pages.projector_page(evening, await self._sights(asked)))

    async def ratings(self, request: Request) -> Response:
        """The list of ratings, as a tournament has it."""
        found = await self._report(request)
        headers = {"content-security-policy": STYLED}
        return HTMLResponse(page(found, running=False), headers=headers)

    async def pgn(self, request: Request) -> Response:
        """The results for programs that rate players."""
        found = await self._report(request)
        text = "".join(pgn.headers(found.names, found.what, found.results, {}))
        return Response(text, media_type="application/x-chess-pgn")

    async def _report(self, request: Request) -> Report:
        asked = await self._asked(request)
        await self._club.settled(asked.evening)
        if asked.role not in ("organiser", "projector"):
            raise HTTPException(404, NO_EVENING)
        title = f"An evening: {pages.rules_of(asked.evening)}"
        found = await report(asked.evening, self._hall.journal, title)
        if not found.results:
            raise HTTPException(404, Phrase("No game is over yet."))
        return found

    async def _sights(self, asked: Asked) -> list[tuple[Seating, Sight]]:
        """The spectators' sights of this round, as far as its tables can be opened."""
        found = []
        for game in pages.shown_on_projector(asked.evening):
            try:
                room = self._hall.room(game.table, asked.who)
            except Busy:
                break
            if room is not None:
                guest = room.guest("watch")
                if guest.phase is Phase.OVER:
                    await room.settled()
                found.append((game, guest.sight))
        return found

    async def do(self, request: Request) -> Response:
        asked = await self._asked(request)
        form = await fields(request, self._hall.limits.body)
        self._limit(self._pressed, asked.base, TOO_MANY_REQUESTS)
        action = ACTIONS.get(asked.kind, {}).get(form.get("do", ""))
        if action is None:
            raise HTTPException(400, NOT_POSSIBLE)
        # The link may have become void, and the evening may have changed, while the form arrived.
        asked = (await self._asked(request))._replace(form=form)
        onward = await action(self, asked)
        await self._club.settled(asked.evening)
        return RedirectResponse(onward or asked.base, 303)

    async def _asked(self, request: Request) -> Asked:
        values = request.path_params
        number, role, token = int(values["number"]), str(values["role"]), str(values["token"])
        evening = await self._club.enter(number, role, token)
        player = None if evening is None else evening.player_of(role)
        if evening is None or (player is None and role not in ROLES):
            raise HTTPException(404, NO_EVENING)
        base = request.url.path.removesuffix("/do")
        return Asked(evening, role, player, base, who_asks(request), {})

    def _limit(self, rate: Rate, who: str, words: str) -> None:
        if not rate.allows(who, self._hall.house.now()):
            raise HTTPException(429, words)

    # What is done; each returns where the browser goes next, if not back

    async def join(self, asked: Asked) -> str:
        self._limit(self._joined, asked.who, Phrase("Too many players at once. Wait a minute."))
        name = asked.evening.new_name(asked.form)
        return await self._club.join(asked.evening, name)

    async def again(self, asked: Asked) -> str:
        """Take a new link: its invitation is void from now on."""
        assert asked.player is not None
        asked.evening.happen({"link": asked.role})
        return asked.evening.link(f"player-{asked.player}")

    async def sit(self, asked: Asked) -> str | None:
        return await self._club.sit(asked.evening, asked.subject, asked.who)

    async def leave(self, asked: Asked) -> None:
        if asked.evening.players[asked.subject].here:
            asked.evening.happen({"leaves": asked.subject})

    async def come_back(self, asked: Asked) -> None:
        if not asked.evening.players[asked.subject].here:
            asked.evening.happen({"returns": asked.subject})

    async def ready(self, asked: Asked) -> None:
        evening, player = asked.evening, asked.subject
        them = evening.players[player]
        if evening.free and them.here and not them.ready and evening.seat(player) is None:
            self._limit(self._laid, asked.who, TOO_MANY_TABLES)
            evening.happen({"ready": player})
            await self._club.pair_ready(evening, asked.who)

    async def start(self, asked: Asked) -> None:
        if asked.evening.free:
            raise BadText(Phrase("whoever is free plays: there are no rounds"))
        await self._club.start(asked.evening, asked.number("known"), asked.who)

    async def correct(self, asked: Asked) -> None:
        result = asked.form.get("result", "")
        if result not in pages.RESULTS:
            raise BadText(f"result {result[:20]!r} is not one of {', '.join(pages.RESULTS)}")
        _, points = pages.RESULTS[result]
        self._club.correct(asked.evening, asked.number("table"), points, asked.who)

    async def renew(self, asked: Asked) -> None:
        self._club.renew(asked.evening, asked.subject, asked.who)


Action = Callable[[Evenings, Asked], Awaitable[str | None]]
ACTIONS: Final[Mapping[str, Mapping[str, Action]]] = {
    "join": {"join": Evenings.join},
    "again": {"again": Evenings.again},
    "player": {
        "sit": Evenings.sit,
        "leave": Evenings.leave,
        "return": Evenings.come_back,
        "ready": Evenings.ready,
    },
    "organiser": {
        "start": Evenings.start,
        "correct": Evenings.correct,
        "leave": Evenings.leave,
        "return": Evenings.come_back,
        "renew": Evenings.renew,
    },
}
"""The actions of each role, by name."""
