"""The web server: which path gives which page. client.py decides what a table's pages show."""

import asyncio
import contextlib
import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, cast
from urllib.parse import parse_qsl, quote

import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from phantomgo.app.table.review import try_line
from phantomgo.app.table.viewer import Phase
from phantomgo.app.web import front
from phantomgo.app.web.actions import act, as_sentence
from phantomgo.app.web.client import Client
from phantomgo.app.web.client_state import SIDES, ClientState
from phantomgo.app.web.front import EMPTY, Filled
from phantomgo.app.web.guard import WRONG, Guard
from phantomgo.app.web.lesson import LESSONS, first_board, lesson_page
from phantomgo.app.web.markup import Markup, tag
from phantomgo.app.web.page import document, game_in_words, part, preview
from phantomgo.app.web.png import board_png
from phantomgo.app.web.rate_limits import ConcurrencyLimit, RateLimit, WorkLimit, address_key
from phantomgo.app.web.reader import READER, Readers
from phantomgo.app.web.registry import Busy, TableRegistry
from phantomgo.app.web.session import TableSession
from phantomgo.app.web.terms import BadField, Form, from_form, player_name
from phantomgo.errors import BadStore, BadText
from phantomgo.game.points import BLACK, WHITE, Colour, parse_colour, parse_move
from phantomgo.phrase import Phrase
from phantomgo.records.record_json import write_record
from phantomgo.records.record_sgf import true_sgf, view_sgf
from phantomgo.values import read_whole

STATIC: Final = Path(__file__).parent / "static"
TICK: Final = 0.5
"""Seconds between two looks at the clocks, and between two heartbeats of a page."""
SGF: Final = "application/x-go-sgf"
NO_TABLE: Final = Phrase(
    "There is no table here. The link may be incomplete, or a newer one was made."
)

LINE: Final = 30
"""The most attempts of a line that is tried in a finished game."""
SLOW: Final = 10.0
"""Seconds a client has to send a form, or to take a frame."""
NOT_POSSIBLE: Final = Phrase("That is not possible.")
TOO_MANY_TABLES: Final = Phrase("Too many new tables. Wait a minute.")
TOO_MANY_REQUESTS: Final = Phrase("Too many requests. Wait a few seconds.")

STATUS: Final = {"Not Found": Phrase("There is nothing here."), "Method Not Allowed": NOT_POSSIBLE}
"""Phrases for the words of the framework."""

log = logging.getLogger("phantomgo.web")


class WebPath(NamedTuple):
    """A path of the server.

    Attributes:
        pattern: of the path, with its fields.
        answer: the name of the method of `Server` that answers.
        work: the milliseconds of processor time that an answer takes, roughly and at most; they
            count against the address that asks. A test holds it to the lines of Python that run.
        methods: of HTTP; none for a socket.
    """

    pattern: str
    answer: str
    work: int
    methods: tuple[str, ...] = ("GET",)


TABLE: Final = "/table/{number:int}/{role}/{token}"
INVITED: Final = "/table/{number:int}/invite-{colour}/{token}"
PICTURE: Final = "final.png"
PATHS: Final = (  # tried in turn, so the most frequent ones come first
    WebPath(f"{TABLE}/part", "part", 3),
    WebPath(f"{TABLE}/do", "do", 4, ("POST",)),
    WebPath(f"{TABLE}/live", "live", 1, ()),
    WebPath("/static/{file:path}", "static", 1),
    WebPath("/", "front", 1),
    WebPath("/tables", "set_up", 2, ("POST",)),
    WebPath("/lesson", "lesson", 1),
    WebPath("/lesson/{number:int}", "lesson", 1),
    WebPath(f"/qr{TABLE}", "qr", 10),
    WebPath(INVITED, "invitation", 1),
    WebPath(INVITED, "sit", 2, ("POST",)),
    WebPath(TABLE, "table", 3),
    WebPath(f"{TABLE}/{PICTURE}", "picture", 60),
    WebPath(f"{TABLE}/{{file}}", "download", 10),
)
"""All paths, and what their answers cost. Work that would take longer on the event loop, where
everybody waits for it, is cached or done in a thread.
"""
ANY: Final = 1
"""Milliseconds of work to say that there is nothing at a path, or that a method is not allowed."""


class Server:
    """The handlers of all paths."""

    def __init__(self, registry: TableRegistry, address: str | None = None) -> None:
        """Serve the tables of a registry; `address` is the public URL, without a path."""
        self._registry, self._address = registry, address
        limits = registry.limits
        self._laid, self._pressed = RateLimit(limits.new_tables, 60), RateLimit(limits.requests, 10)
        self._sockets = ConcurrencyLimit(limits.sockets)
        self._work = WorkLimit(limits.share)
        self._files = StaticFiles(directory=STATIC)

    def routes(self) -> list[Route | WebSocketRoute]:
        return [self._route(path) for path in PATHS]

    def _route(self, path: WebPath) -> Route | WebSocketRoute:
        answer = getattr(self, path.answer)

        async def page(request: Request) -> Response:
            if not self._allows(request, path.work):
                raise HTTPException(429, TOO_MANY_REQUESTS)
            return cast(Response, await answer(request))

        async def live(socket: WebSocket) -> None:
            if self._allows(socket, path.work):
                await answer(socket)
            else:
                await socket.close(1013)

        if not path.methods:
            return WebSocketRoute(path.pattern, live)
        return Route(path.pattern, page, methods=[*path.methods])

    def _allows(self, request: HTTPConnection, work: int) -> bool:
        """Return whether the address that asks may have this much work done; if so, it counts."""
        return self._work.allows(who_asks(request), self._registry.services.now(), work)

    # Pages that belong to no table

    async def front(self, _request: Request) -> Response:
        return HTMLResponse(front.front_page(self._registry.levels, first_board()))

    async def set_up(self, request: Request) -> Response:
        who = who_asks(request)
        if not self._laid.allows(who, self._registry.services.now()):
            raise HTTPException(429, TOO_MANY_TABLES)
        form, levels = await self._form(request), self._registry.levels
        try:
            terms, role = from_form(form, levels)
        except BadField as error:  # they correct the same form
            filled = Filled(form, error.field, as_sentence(error))
            return HTMLResponse(front.front_page(levels, first_board(), filled), 400)
        return RedirectResponse(await self._registry.set_up(terms, role, who), 303)

    async def lesson(self, request: Request) -> Response:
        number = request.path_params.get("number", 1)
        if not 1 <= number <= len(LESSONS):
            raise HTTPException(404, Phrase("There are lessons 1 to {last}.", last=len(LESSONS)))
        steps = [str(n) for n in range(len(LESSONS[number - 1].steps) + 1)]
        step, point = (request.query_params.get(key, "") for key in ("step", "point"))
        page = lesson_page(number, steps.index(step) if step in steps else 0, point)
        return HTMLResponse(page)

    async def qr(self, request: Request) -> Response:
        """The QR code of a link, which has to be valid."""
        if not self._registry.is_valid(*_link(request)):
            raise HTTPException(404)
        url = f"{self._named(request)}{request.url.path.removeprefix('/qr')}"
        return Response(await asyncio.to_thread(qr_code, url), media_type="image/svg+xml")

    async def static(self, request: Request) -> Response:
        """Return a file of the pages: a style, a script or a picture."""
        return await self._files.get_response(request.path_params["file"], request.scope)

    # Invitations

    async def invitation(self, request: Request) -> Response:
        return self._invitation(request, EMPTY)

    def _invitation(self, request: Request, filled: Filled) -> Response:
        session, colour = self._invited(request)
        path, address = request.url.path, self._named(request)
        page = front.invitation(
            colour, session.inviter(colour), session.rules, path, address, filled
        )
        return HTMLResponse(page, 400 if filled.error else 200)

    async def sit(self, request: Request) -> Response:
        self._invited(request)
        form = await self._form(request)
        try:
            name = player_name(form)
        except BadField as error:
            return self._invitation(request, Filled(form, error.field, as_sentence(error)))
        session, colour = self._invited(request)  # somebody may have taken the seat meanwhile
        seat = session.sit(colour, name)
        await session.settled()
        return RedirectResponse(seat, 303)

    def _invited(self, request: Request) -> tuple[TableSession, Colour]:
        """The table and the free seat that this link invites to."""
        values = request.path_params
        if values["colour"] in ("black", "white"):
            colour = parse_colour(values["colour"])
            session = self._registry.invited(
                values["number"], colour, values["token"], who_asks(request)
            )
            if session is not None:
                if session.game.outcome is not None:
                    raise HTTPException(410, Phrase("This invitation is void."))
                if colour not in session.people - session.sitting:
                    raise HTTPException(410, Phrase("This seat is taken."))
                return session, colour
        raise HTTPException(404, NO_TABLE)

    # A table

    async def table(self, request: Request) -> Response:
        session, client = await self._client(request)
        content = await self._part(session, client, request)
        waits = not (client.state.press or client.state.chances.truth)
        main, size = tag("main", content, id="part"), session.terms.size
        if client.role != "watch" or client.phase is not Phase.OVER:
            return HTMLResponse(document(main, Phrase("Table"), table=size, waits=waits))
        who, how = game_in_words(client.state)
        meta = preview(who, how, f"{self._named(request)}{request.url.path}/{PICTURE}")
        return HTMLResponse(document(main, who, table=size, waits=waits, meta=meta))

    async def part(self, request: Request) -> Response:
        return HTMLResponse(await self._part(*await self._client(request), request))

    async def _part(self, session: TableSession, client: Client, request: Request) -> Markup:
        session.tick()
        state = client.state
        if client.phase is Phase.OVER:
            session.begin_review()
            side = request.query_params.get("side", "")
            state = client.state_at(_number(request, "at"), side if side in SIDES else "truth")
            state = await self._with_line(session, client, state, request)
        base, address = request.url.path.removesuffix("/part"), self._named(request)
        heard = _number(request, "heard") or 0
        return part(state, base, client.version, session.table.turn.seconds, address, heard)

    async def _with_line(
        self, session: TableSession, client: Client, state: ClientState, request: Request
    ) -> ClientState:
        """The finished game where the line that is asked for has led; often there is none."""
        who, query, size = who_asks(request), request.query_params, session.terms.size
        points = [*query.get("line", "").split("."), query.get("point", "")]
        line = [point for point in points if point][:LINE]
        if not (line and state.known and session.review.best):
            return state
        moves = [parse_move(point, size) for point in line]
        if not self._pressed.allows(who, self._registry.services.now()):
            raise HTTPException(429, TOO_MANY_REQUESTS)
        truth = state.chances.truth[state.known - 1]
        asked = try_line, write_record(session.game.record()), state.known, moves, truth
        found = session.services.bots.ask(*asked, who=who)
        words, moment = await asyncio.wrap_future(found)
        return client.state_after_line(state, ".".join(line), words, moment)

    async def do(self, request: Request) -> Response:
        await self._client(request)
        form, base = await self._form(request), request.url.path.removesuffix("/do")
        session, client = await self._client(request)  # the link may have become void meanwhile
        if not self._pressed.allows(base, self._registry.services.now()):
            raise HTTPException(429, TOO_MANY_REQUESTS)
        await act(self._registry, session, client, form)
        onward = client.state.next if form.get("do") == "rematch" else ""
        if READER.get().script:
            return Response(status_code=204, headers={"location": onward} if onward else None)
        return RedirectResponse(onward or base, 303)

    async def picture(self, request: Request) -> Response:
        """The final position, as a picture for the previews of chats."""
        session = await self._finished(request)
        areas = session.game.outcome is not None and session.game.outcome.margin is not None
        content = await asyncio.to_thread(board_png, session.game.moments[-1].board, areas)
        return Response(content, media_type="image/png")

    async def download(self, request: Request) -> Response:
        """The record or an SGF of a finished game."""
        values, session = request.path_params, await self._finished(request)
        record = session.record()
        called = {record.side(colour).name: session.names[colour] for colour in Colour}
        files: dict[str, tuple[str, Callable[[], str]]] = {
            "game.json": ("application/json", lambda: write_record(record) + "\n"),
            "game.sgf": (SGF, lambda: true_sgf(record, called)),
            "black.sgf": (SGF, lambda: view_sgf(record, BLACK, called)),
            "white.sgf": (SGF, lambda: view_sgf(record, WHITE, called)),
        }
        if values["file"] not in files:
            raise HTTPException(404)
        media, text = files[values["file"]]
        named = "-".join(
            [*session.names.values(), session.journal.date(session.number), values["file"]]
        )
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(named, safe='')}"}
        content = await asyncio.to_thread(text)  # which replays the game
        return Response(content, media_type=media, headers=headers)

    async def live(self, socket: WebSocket) -> None:
        """Send a page the version of its state, now, whenever it changes, and when it asks."""
        try:
            session, client = await self._client(socket)
        except (HTTPException, Busy):
            await socket.close(1008)
            return
        with self._sockets.one(who_asks(socket)) as allowed:
            if not allowed or len(client.pages) >= self._registry.limits.pages:
                await socket.close(1013)
            else:
                await self._tell(session, client, socket)

    async def _tell(self, session: TableSession, client: Client, socket: WebSocket) -> None:
        """Send versions until the page is gone."""
        await socket.accept()
        news = asyncio.Event()
        news.set()
        client.pages.add(news)
        gone = asyncio.create_task(_until_gone(socket, news, self._registry.services.sleep))
        try:
            while not gone.done() and session.has(client):
                waiting = asyncio.create_task(news.wait())
                await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                if news.is_set() and not gone.done() and session.has(client):
                    news.clear()
                    await asyncio.wait_for(socket.send_text(client.version), SLOW)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            pass  # the page is gone, or as good as gone
        finally:
            client.pages.discard(news)
            gone.cancel()
            with contextlib.suppress(Exception):
                await socket.close()

    # Helpers

    async def error_page(self, request: Request, error: Exception) -> Response:
        """Return the page of an error: of a request that is refused, or of a fault of ours."""
        status, words = 400, as_sentence(error)
        match error:
            case HTTPException() if error.detail in STATUS and not self._allows(request, ANY):
                status, words = 429, TOO_MANY_REQUESTS
            case HTTPException():
                status, words = error.status_code, STATUS.get(error.detail, error.detail)
            case Busy():
                status = 503
            case BadStore():
                status = 503
                words = Phrase("The server cannot store anything now, so nothing was done.")
            case TimeoutError():
                status, words = 408, Phrase("The form did not arrive in time.")
            case _ if not isinstance(error, BadText):  # the guard logs it
                status, words = 500, WRONG
        return HTMLResponse(front.message(words), status)

    def _named(self, request: Request) -> str:
        """The URL of this server, without a path."""
        return self._address or str(request.base_url).rstrip("/")

    async def _client(self, request: HTTPConnection) -> tuple[TableSession, Client]:
        """The table and the client of a link.

        Their state changes only when what has happened is on the disk, so nobody waits for the
        attempts of others to be written. After the game everything is shown, once it is settled.
        """
        entered = self._registry.enter(*_link(request), who_asks(request))
        if entered is None:
            raise HTTPException(404, NO_TABLE)
        session, client = entered
        if client.phase is Phase.OVER:
            await session.settled()
        return session, client

    async def _finished(self, request: HTTPConnection) -> TableSession:
        """The table of a link, if its game is over."""
        session, _ = await self._client(request)
        if session.game.outcome is None:
            raise HTTPException(404, Phrase("The game is not over yet."))
        return session

    async def _form(self, request: Request) -> Form:
        """The fields of a form, of which no more bytes are read than allowed.

        Raises:
            HTTPException: it is longer, or not a form.
            TimeoutError: it does not arrive in time.
        """
        body = b""
        async with asyncio.timeout(SLOW):
            async for chunk in request.stream():
                body += chunk
                if len(body) > self._registry.limits.body:
                    raise HTTPException(413, Phrase("The request is too large."))
        try:
            return dict(parse_qsl(body.decode("utf-8"), max_num_fields=40))
        except ValueError:
            raise HTTPException(400, Phrase("The form could not be read.")) from None


def who_asks(request: HTTPConnection) -> str:
    """Return the address that the limits apply to."""
    return address_key(request.client.host if request.client else "")


def _link(request: HTTPConnection) -> tuple[int, str, str]:
    """The number of a table, a role and a token, as the path names them."""
    values = request.path_params
    return int(values["number"]), str(values["role"]), str(values["token"])


@lru_cache(1000)
def qr_code(url: str) -> bytes:
    """Return the QR code of a URL as SVG."""
    picture = io.BytesIO()
    segno.make(url, error="m").save(picture, kind="svg", scale=4, border=3, light="#fff")
    return picture.getvalue()


def _number(request: Request, key: str) -> int | None:
    """The number in a field of the query, if there is one."""
    return read_whole(request.query_params.get(key, ""))


async def _until_gone(
    socket: WebSocket, news: asyncio.Event, sleep: Callable[[float], Awaitable[None]]
) -> None:
    """Answer the heartbeats of a page, which are empty, until it is gone or sends anything else."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, KeyError):  # which has no text
        while not await socket.receive_text():
            news.set()
            await sleep(TICK / 2)  # so that a flood of them waits in the network


def application(
    registry: TableRegistry,
    hosts: frozenset[str],
    address: str | None = None,
    opening: Callable[[], Awaitable[None]] | None = None,
) -> ASGIApp:
    """Return the whole server as an ASGI application.

    Args:
        registry: the tables.
        hosts: the host names it answers to.
        address: its public URL; None takes what each request calls it.
        opening: called at the start.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(_tick(registry))
        if opening is not None:
            await opening()
        try:
            yield
        finally:
            task.cancel()
            registry.close()
            with contextlib.suppress(BadStore):
                await registry.journal.written()

    kinds = (HTTPException, BadText, BadStore, Busy, TimeoutError, Exception)
    server = Server(registry, address)
    app = Starlette(
        routes=server.routes(),
        lifespan=lifespan,
        middleware=[Middleware(GZipMiddleware), Middleware(Readers)],
        exception_handlers=dict.fromkeys(kinds, server.error_page),
    )
    return Guard(app, hosts)


async def _tick(registry: TableRegistry) -> None:
    while True:
        await asyncio.sleep(TICK)
        try:
            registry.tick()
            registry.close_idle()
        except Exception:  # the clocks of all tables continue
            log.exception("looking after the tables")
