"""The web server: which path gives which page. What a table's pages hold is decided in guest.py."""

import asyncio
import contextlib
import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from phantomgo.app.table.viewer import Phase
from phantomgo.app.web import front
from phantomgo.app.web.actions import act, as_sentence
from phantomgo.app.web.callers import Held, Rate
from phantomgo.app.web.guard import Guard
from phantomgo.app.web.guest import Guest
from phantomgo.app.web.hall import Busy, Hall
from phantomgo.app.web.lesson import lesson_page
from phantomgo.app.web.lessons import LESSONS
from phantomgo.app.web.markup import Markup
from phantomgo.app.web.page import part, table_page
from phantomgo.app.web.reader import Readers
from phantomgo.app.web.request import (
    NOT_POSSIBLE,
    SLOW,
    TOO_MANY_REQUESTS,
    TOO_MANY_TABLES,
    fields,
    who_asks,
)
from phantomgo.app.web.room import Room
from phantomgo.app.web.sight import SIDES
from phantomgo.app.web.terms import Form, from_form, name
from phantomgo.errors import BadStore, BadText
from phantomgo.phrase import Phrase
from phantomgo.points import BLACK, WHITE, Colour, parse_colour
from phantomgo.record_json import write_record
from phantomgo.record_sgf import true_sgf, view_sgf

STATIC: Final = Path(__file__).parent / "static"
TICK: Final = 0.5
"""Seconds between two looks at the clocks."""
LISTED: Final = 200
"""Games on the page of earlier ones."""
SGF: Final = "application/x-go-sgf"

PLAYED: Final = 50
"""Games being played that the front page lists."""
NO_TABLE: Final = Phrase(
    "There is no table here. The link may be incomplete, or a newer one was made."
)

STATUS: Final = {
    "Not Found": Phrase("There is nothing here."),
    "Method Not Allowed": NOT_POSSIBLE,
}
"""Phrases for the words of the framework."""

log = logging.getLogger("phantomgo.web")


class Server:
    """The handlers of all paths."""

    def __init__(self, hall: Hall, address: str | None = None) -> None:
        """Serve the tables of a hall.

        Args:
            hall: the tables.
            address: its public URL, without a path.
        """
        self._hall, self._address = hall, address
        limits = hall.limits
        self._laid, self._pressed = Rate(limits.laid, 60), Rate(limits.presses, 10)
        self._sockets = Held(limits.sockets)

    def routes(self) -> list[Route | Mount | WebSocketRoute]:
        table = "/table/{number:int}/{role}/{token}"
        invited = "/table/{number:int}/invite-{colour}/{token}"
        return [  # tried in turn, so the most frequent ones come first
            Route(table + "/part", self.part),
            Route(table + "/do", self.do, methods=["POST"]),
            WebSocketRoute(table + "/live", self.live),
            Route("/", self.front),
            Route("/tables", self.lay, methods=["POST"]),
            Route("/lesson", self.lesson),
            Route("/lesson/{number:int}", self.lesson),
            Route("/games", self.games),
            Route("/games/{number:int}", self.game),
            Route("/qr/{path:path}", self.qr),
            Route(invited, self.invitation),
            Route(invited, self.sit, methods=["POST"]),
            Route(table, self.table),
            Route(table + "/{file}", self.download),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    # Pages that belong to no table

    async def front(self, _request: Request) -> Response:
        played = self._hall.being_played(PLAYED)
        return HTMLResponse(front.front_page(self._hall.levels, played))

    async def lay(self, request: Request) -> Response:
        who = who_asks(request)
        if not self._laid.allows(who, self._hall.house.now()):
            raise HTTPException(429, TOO_MANY_TABLES)
        form = await self._form(request)
        terms, role = from_form(form, self._hall.levels)
        return RedirectResponse(await self._hall.lay(terms, role, who), 303)

    async def lesson(self, request: Request) -> Response:
        number = request.path_params.get("number", 1)
        if not 1 <= number <= len(LESSONS):
            raise HTTPException(404, Phrase("There are lessons 1 to {last}.", last=len(LESSONS)))
        steps = [str(n) for n in range(len(LESSONS[number - 1].steps) + 1)]
        step, point = (request.query_params.get(key, "") for key in ("step", "point"))
        page = lesson_page(number, steps.index(step) if step in steps else 0, point)
        return HTMLResponse(page)

    async def games(self, _request: Request) -> Response:
        return HTMLResponse(front.earlier_games(self._hall.journal.finished(LISTED)))

    async def game(self, request: Request) -> Response:
        """A listed game, by the link that is for everybody."""
        room = self._hall.listed(request.path_params["number"], who_asks(request))
        if room is None:
            raise HTTPException(404, Phrase("There is no such game."))
        return RedirectResponse(room.link("watch"), 303)

    async def qr(self, request: Request) -> Response:
        """The QR code of a path of this server."""
        path = request.path_params["path"]
        if not path.startswith("table/") or len(path) > 200:
            raise HTTPException(404)
        code, picture = segno.make(f"{self._named(request)}/{path}", error="m"), io.BytesIO()
        code.save(picture, kind="svg", scale=4, border=3, light="#fff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    # Invitations

    async def invitation(self, request: Request) -> Response:
        room, colour = self._invited(request)
        return HTMLResponse(front.invitation(colour, room.rules, request.url.path))

    async def sit(self, request: Request) -> Response:
        room, colour = self._invited(request)
        called = name(await self._form(request))
        self._invited(request)  # somebody may have taken the seat meanwhile
        seat = room.sit(colour, called)
        await room.settled()
        return RedirectResponse(seat, 303)

    def _invited(self, request: Request) -> tuple[Room, Colour]:
        """The table and the free seat that this link invites to."""
        values = request.path_params
        if values["colour"] in ("black", "white"):
            colour = parse_colour(values["colour"])
            room = self._hall.invited(values["number"], colour, values["token"], who_asks(request))
            if room is not None:
                if colour not in room.people - room.sitting:
                    raise HTTPException(410, Phrase("This seat is taken."))
                return room, colour
        raise HTTPException(404, NO_TABLE)

    # A table

    async def table(self, request: Request) -> Response:
        room, guest = await self._guest(request)
        content = self._part(room, guest, request)
        waits = not (guest.sight.press or guest.sight.chances.truth)
        return HTMLResponse(table_page(content, waits=waits))

    async def part(self, request: Request) -> Response:
        return HTMLResponse(self._part(*await self._guest(request), request))

    def _part(self, room: Room, guest: Guest, request: Request) -> Markup:
        room.tick()
        sight = guest.sight
        if guest.phase is Phase.OVER:
            room.judge()
            sight = guest.see(_at(request), _side(request))
        base, address = request.url.path.removesuffix("/part"), self._named(request)
        return part(sight, base, guest.version, room.table.turn.seconds, address)

    async def do(self, request: Request) -> Response:
        await self._guest(request)
        form, base = await self._form(request), request.url.path.removesuffix("/do")
        room, guest = await self._guest(request)  # the link may have become void meanwhile
        if not self._pressed.allows(base, self._hall.house.now()):
            raise HTTPException(429, TOO_MANY_REQUESTS)
        await act(self._hall, room, guest, form)
        if request.headers.get("x-part"):
            return Response(status_code=204)
        return RedirectResponse(base, 303)

    async def download(self, request: Request) -> Response:
        """The record or an SGF of a finished game."""
        values, (room, _) = request.path_params, await self._guest(request)
        if room.game.outcome is None:
            raise HTTPException(404, Phrase("The game is not over yet."))
        record = room.record()
        files: dict[str, tuple[str, Callable[[], str]]] = {
            "game.json": ("application/json", lambda: write_record(record) + "\n"),
            "game.sgf": (SGF, lambda: true_sgf(record)),
            "black.sgf": (SGF, lambda: view_sgf(record, BLACK)),
            "white.sgf": (SGF, lambda: view_sgf(record, WHITE)),
        }
        if values["file"] not in files:
            raise HTTPException(404)
        media, text = files[values["file"]]
        return Response(text(), media_type=media)

    async def live(self, socket: WebSocket) -> None:
        """Send a page the version of its sight, now and whenever it changes."""
        try:
            room, guest = await self._guest(socket)
        except (HTTPException, Busy):
            await socket.close(1008)
            return
        with self._sockets.one(who_asks(socket)) as allowed:
            if not allowed or len(guest.screens) >= self._hall.limits.screens:
                await socket.close(1013)
            else:
                await self._tell(room, guest, socket)

    async def _tell(self, room: Room, guest: Guest, socket: WebSocket) -> None:
        """Send versions until the page is gone, or has been sent nothing for long."""
        await socket.accept()
        news = asyncio.Event()
        news.set()
        room.open_screen(guest, news)
        gone = asyncio.create_task(_until_gone(socket))
        try:
            while not gone.done() and room.has(guest):
                waiting = asyncio.create_task(news.wait())
                done, _ = await asyncio.wait(
                    {waiting, gone},
                    timeout=self._hall.limits.quiet,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                waiting.cancel()
                if not done:
                    break
                if news.is_set() and not gone.done() and room.has(guest):
                    news.clear()
                    await asyncio.wait_for(socket.send_text(guest.version), SLOW)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            pass  # the page is gone, or as good as gone
        finally:
            room.close_screen(guest, news)
            gone.cancel()
            with contextlib.suppress(Exception):
                await socket.close()

    # Helpers

    def _named(self, request: Request) -> str:
        """The URL of this server, without a path."""
        return self._address or str(request.base_url).rstrip("/")

    async def _guest(self, request: HTTPConnection) -> tuple[Room, Guest]:
        """The table and the guest of a link.

        Their sight changes only when what has happened is on the disk, so nobody waits for the
        attempts of others to be written. After the game everything is shown, once it is settled.
        """
        values = request.path_params
        words = int(values["number"]), str(values["role"]), str(values["token"])
        found = self._hall.enter(*words, who_asks(request))
        if found is None:
            raise HTTPException(404, NO_TABLE)
        room, guest = found
        if guest.phase is Phase.OVER:
            await room.settled()
        return room, guest

    async def _form(self, request: Request) -> Form:
        return await fields(request, self._hall.limits.body)


def _at(request: Request) -> int | None:
    """The moment of the game that is asked for."""
    text = request.query_params.get("at", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else None


def _side(request: Request) -> str:
    """The board of the finished game that is asked for."""
    side = request.query_params.get("side", "")
    return side if side in SIDES else "truth"


async def _until_gone(socket: WebSocket) -> None:
    """Wait until a page is gone, or breaks the rule that pages send nothing."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.receive_text()


async def _error_page(_request: Request, error: Exception) -> Response:
    status, words = 400, as_sentence(error)
    match error:
        case HTTPException():
            status, words = error.status_code, error.detail
            words = STATUS.get(words, words)
        case Busy():
            status = 503
        case BadStore():
            status = 503
            words = Phrase("The server cannot store anything now, so nothing was done.")
        case TimeoutError():
            status, words = 408, Phrase("The form did not arrive in time.")
    return HTMLResponse(front.message(words), status)


def application(
    hall: Hall,
    hosts: frozenset[str],
    address: str | None = None,
    opening: Callable[[], Awaitable[None]] | None = None,
) -> ASGIApp:
    """Return the whole server as an ASGI application.

    Args:
        hall: the tables.
        hosts: the host names it answers to.
        address: its public URL; None takes what each request calls it.
        opening: called at the start.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(_tick(hall))
        if opening is not None:
            await opening()
        try:
            yield
        finally:
            task.cancel()
            hall.close()
            with contextlib.suppress(BadStore):
                await hall.journal.written()

    kinds = (HTTPException, BadText, BadStore, Busy, TimeoutError)
    app = Starlette(
        routes=Server(hall, address).routes(),
        lifespan=lifespan,
        middleware=[Middleware(Readers)],
        exception_handlers=dict.fromkeys(kinds, _error_page),
    )
    return Guard(app, hosts)


async def _tick(hall: Hall) -> None:
    while True:
        await asyncio.sleep(TICK)
        try:
            hall.tick()
            hall.close_idle()
            hall.forget_old()
        except Exception:  # the clocks of all tables continue
            log.exception("looking after the tables")
