"""The web server: which path gives which page. What a table's pages hold is decided in guest.py."""

import asyncio
import contextlib
import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl

import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from phantomgo.app.table.viewer import Phase
from phantomgo.app.web import front
from phantomgo.app.web.actions import act
from phantomgo.app.web.callers import Held, Rate, caller, within
from phantomgo.app.web.guard import Guard
from phantomgo.app.web.guest import Guest
from phantomgo.app.web.hall import Busy, Hall
from phantomgo.app.web.markup import Markup
from phantomgo.app.web.page import part, table_page
from phantomgo.app.web.room import Room
from phantomgo.app.web.terms import Form, from_form, name
from phantomgo.errors import BadStore, BadText
from phantomgo.points import BLACK, WHITE, Colour, parse_colour
from phantomgo.record_json import write_record
from phantomgo.record_sgf import true_sgf, view_sgf

STATIC: Final = Path(__file__).parent / "static"
TICK: Final = 0.5
"""Seconds between two looks at the clocks."""
SLOW: Final = 10.0
"""Seconds a client has to send a form, or to take a frame."""
LISTED: Final = 200
"""Earlier games on their page."""

NO_TABLE: Final = "There is no table here. The link may be incomplete, or a newer one was made."


log = logging.getLogger("phantomgo.web")


class Server:
    """The handlers of all paths."""

    def __init__(self, hall: Hall, address: str | None = None) -> None:
        """Args: hall: the tables; address: what others call this server, `http://HOST:PORT`."""
        self._hall, self._address = hall, address
        self._laid = Rate(hall.limits.laid, 60)
        self._sockets = Held(hall.limits.sockets)

    def routes(self) -> list[Route | Mount | WebSocketRoute]:
        table = "/table/{number:int}/{role}/{token}"
        invited = "/table/{number:int}/invite-{colour}/{token}"
        return [
            Route("/", self.front),
            Route("/tables", self.lay, methods=["POST"]),
            Route("/games", self.games),
            Route("/games/{number:int}", self.game),
            Route("/games/{number:int}/{file}", self.download),
            Route("/qr/{path:path}", self.qr),
            Route(invited, self.invitation),
            Route(invited, self.sit, methods=["POST"]),
            Route(table, self.table),
            Route(table + "/part", self.part),
            Route(table + "/do", self.do, methods=["POST"]),
            WebSocketRoute(table + "/live", self.live),
            Route(table + "/{file}", self.download),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    # Pages of no table

    async def front(self, _request: Request) -> Response:
        return HTMLResponse(front.front_page(self._hall.levels))

    async def lay(self, request: Request) -> Response:
        who = _who(request)
        if not self._laid.allows(who, self._hall.now()):
            raise HTTPException(429, "So many tables at once? Wait a minute.")
        terms, role = from_form(await self._form(request), self._hall.levels)
        return RedirectResponse(await self._hall.lay(terms, role, who), 303)

    async def games(self, _request: Request) -> Response:
        return HTMLResponse(front.earlier_games(self._hall.journal.finished(LISTED)))

    async def game(self, request: Request) -> Response:
        room = self._listed(request)
        sight = room.guest("watch").see(_at(request))._replace(actions=(), answer="")
        return HTMLResponse(table_page(part(sight, f"/games/{room.number}", "", 0, "")))

    async def qr(self, request: Request) -> Response:
        """A link as a QR code: the path that follows, under the address of this server."""
        path = request.path_params["path"]
        if not path.startswith("table/") or len(path) > 200:
            raise HTTPException(404)
        code = segno.make(f"{self._named(request)}/{path}", error="m")
        picture = io.BytesIO()
        code.save(picture, kind="svg", scale=4, border=3, light="#fff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    # Invitations

    async def invitation(self, request: Request) -> Response:
        room, colour = self._invited(request)
        if colour in room.sitting:
            return HTMLResponse(front.message("This seat is taken."), 410)
        rules = room.guest("watch").sight.rules
        return HTMLResponse(front.invitation(str(colour), rules, request.url.path))

    async def sit(self, request: Request) -> Response:
        room, colour = self._invited(request)
        seat = room.sit(colour, name(await self._form(request)))
        await room.settled()
        if seat is None:
            return HTMLResponse(front.message("This seat is taken."), 410)
        return RedirectResponse(seat, 303)

    def _invited(self, request: Request) -> tuple[Room, Colour]:
        values = request.path_params
        if values["colour"] in ("black", "white"):
            colour = parse_colour(values["colour"])
            room = self._hall.invited(values["number"], colour, values["token"], _who(request))
            if room is not None:
                return room, colour
        raise HTTPException(404, NO_TABLE)

    # A table

    async def table(self, request: Request) -> Response:
        guest = await self._guest(request)
        content = _part(guest, request.url.path, _at(request), self._named(request))
        waits = guest.phase is not Phase.OVER and not guest.sight.press
        return HTMLResponse(table_page(content, waits=waits))

    async def part(self, request: Request) -> Response:
        guest = await self._guest(request)
        base = request.url.path.removesuffix("/part")
        return HTMLResponse(_part(guest, base, _at(request), self._named(request)))

    async def do(self, request: Request) -> Response:
        guest = await self._guest(request)
        form, limits = await self._form(request), self._hall.limits
        if not within(guest.pressed, limits.presses, 10, self._hall.now()):
            raise HTTPException(429, "Not so fast.")
        await act(guest, form)
        if request.headers.get("x-part"):
            return Response(status_code=204)
        return RedirectResponse(request.url.path.removesuffix("/do"), 303)

    async def live(self, socket: WebSocket) -> None:
        """Tells a page the version of its sight, now and whenever it changes."""
        try:
            guest = await self._guest(socket)
        except (HTTPException, Busy):
            await socket.close(1008)
            return
        with self._sockets.one(_who(socket)) as allowed:
            if not allowed or len(guest.screens) >= self._hall.limits.screens:
                await socket.close(1013)
            else:
                await self._tell(guest, socket)

    async def _tell(self, guest: Guest, socket: WebSocket) -> None:
        """Send versions until the page is gone, or has been sent nothing for long."""
        await socket.accept()
        news = asyncio.Event()
        news.set()
        guest.screens.add(news)
        gone = asyncio.create_task(_until_gone(socket))
        try:
            while not gone.done() and not guest.room.closed:
                waiting = asyncio.create_task(news.wait())
                quiet = self._hall.limits.quiet
                done, _ = await asyncio.wait(
                    {waiting, gone}, timeout=quiet, return_when=asyncio.FIRST_COMPLETED
                )
                waiting.cancel()
                if not done:
                    break
                if news.is_set() and not gone.done() and not guest.room.closed:
                    news.clear()
                    await asyncio.wait_for(socket.send_text(guest.version), SLOW)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            pass  # the page is gone, or as good as gone
        finally:
            guest.screens.discard(news)
            gone.cancel()
            with contextlib.suppress(Exception):
                await socket.close()

    async def download(self, request: Request) -> Response:
        """The record or an SGF of a finished game."""
        values = request.path_params
        room = (await self._guest(request)).room if "token" in values else self._listed(request)
        if room.game.outcome is None:
            raise HTTPException(404, "The game is not over yet.")
        record = room.record()
        files: dict[str, tuple[str, Callable[[], str]]] = {
            "game.json": ("application/json", lambda: write_record(record) + "\n"),
            "game.sgf": ("application/x-go-sgf", lambda: true_sgf(record)),
            "black.sgf": ("application/x-go-sgf", lambda: view_sgf(record, BLACK)),
            "white.sgf": ("application/x-go-sgf", lambda: view_sgf(record, WHITE)),
        }
        if values["file"] not in files:
            raise HTTPException(404)
        media, text = files[values["file"]]
        return Response(text(), media_type=media)

    # Helpers

    def _named(self, request: Request) -> str:
        """What others call this server, without a path."""
        return self._address or str(request.base_url).rstrip("/")

    async def _guest(self, request: HTTPConnection) -> Guest:
        """Who has the link of a path.

        Their sight changes only when what has happened is on the disk, so nobody waits for the
        attempts of others to be written. After the game everything is shown, once it is settled.
        """
        values = request.path_params
        number, role, token = values["number"], values["role"], values["token"]
        guest = self._hall.enter(int(number), str(role), str(token), _who(request))
        if guest is None:
            raise HTTPException(404, NO_TABLE)
        if guest.phase is Phase.OVER:
            await guest.room.settled()
        return guest

    def _listed(self, request: Request) -> Room:
        number = request.path_params["number"]
        room = self._hall.listed(number, _who(request)) if 0 < number < 1 << 62 else None
        if room is None:
            raise HTTPException(404, "There is no such game.")
        return room

    async def _form(self, request: Request) -> Form:
        """The fields of a form, of which no more is read than is allowed."""
        body = b""
        async with asyncio.timeout(SLOW):
            async for chunk in request.stream():
                body += chunk
                if len(body) > self._hall.limits.body:
                    raise HTTPException(413, "That is too much.")
        try:
            return dict(parse_qsl(body.decode("utf-8"), max_num_fields=40))
        except ValueError:
            raise HTTPException(400, "That is not a form.") from None


def _part(guest: Guest, base: str, at: int | None, address: str) -> Markup:
    guest.room.tick()
    over = guest.phase is Phase.OVER
    sight = guest.see(at) if over and at is not None else guest.sight
    return part(sight, base, guest.version, guest.table.turn.seconds, address)


def _at(request: Request) -> int | None:
    text = request.query_params.get("at", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else None


def _who(request: HTTPConnection) -> str:
    """Whom the limits of an address hold for."""
    return caller(request.client.host if request.client else "")


async def _until_gone(socket: WebSocket) -> None:
    """A page says nothing; whoever does is shown out."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.receive_text()


async def _told(_request: Request, error: Exception) -> Response:
    """An error as a page."""
    status = error.status_code if isinstance(error, HTTPException) else 400
    words = error.detail if isinstance(error, HTTPException) else f"{error}."
    if isinstance(error, Busy):
        status = 503
    if isinstance(error, BadStore):
        status, words = 503, "Nothing can be kept at the moment, so nothing was done."
    if isinstance(error, TimeoutError):
        status, words = 408, "What was sent did not arrive in time."
    return HTMLResponse(front.message(words or "That cannot be done."), status)


def application(
    hall: Hall,
    hosts: frozenset[str],
    address: str | None = None,
    opening: Callable[[], Awaitable[None]] | None = None,
) -> ASGIApp:
    """The whole server as an ASGI application.

    Args:
        hall: the tables.
        hosts: the names under which it may be asked for.
        address: what others call it; None takes what each request calls it.
        opening: done at the start.
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

    errors: dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
        HTTPException: _told,
        BadText: _told,
        BadStore: _told,
        Busy: _told,
        TimeoutError: _told,
    }
    app = Starlette(
        routes=Server(hall, address).routes(),
        lifespan=lifespan,
        exception_handlers=errors,
    )
    return Guard(app, hosts)


async def _tick(hall: Hall) -> None:
    while True:
        await asyncio.sleep(TICK)
        try:
            hall.tick()
            hall.close_idle()
            hall.forget_old()
        except Exception:  # the clocks of all tables go on
            log.exception("looking after the tables")
