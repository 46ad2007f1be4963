"""Checks around every request: host, origin, headers, and errors that nobody caught."""

import asyncio
import logging
import re
from traceback import extract_tb
from typing import Final
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from phantomgo.phrase import Phrase

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; manifest-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of every answer. A path is a secret: no other site learns it, no cache keeps a page."""

STATIC: Final = "/static/"
PAGES: Final = {name.encode(): value.encode() for name, value in HEADERS.items()}
FILES: Final = {**PAGES, b"cache-control": b"no-cache"}
PARTS: Final = {name: PAGES[name] for name in (b"cache-control", b"x-content-type-options")}
"""The headers of pages, of static files, and of answers to a script of ours, as they are sent. No
other site can ask with the header that our script sends."""
FOREIGN: Final = "A form of another site is not accepted."
UNKNOWN: Final = "This server does not answer to this host name; add it with --names."
"""Why a request is refused."""
WRONG: Final = Phrase("Something went wrong here.")
LONGEST: Final = 120.0
"""Seconds after which a request is given up: its client may not be reading."""

log = logging.getLogger("phantomgo.web")


class Guard:
    """An ASGI application around another, for requests to these host names."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                headers = message["headers"]
                own = {name for name, _ in headers}
                script = "x-part" in Headers(scope=scope)
                static = scope["path"].startswith(STATIC)
                common = FILES if static else PARTS if script else PAGES
                message["headers"] = [*headers, *(it for it in common.items() if it[0] not in own)]
            await send(message)

        try:
            async with asyncio.timeout(LONGEST if scope["type"] == "http" else None):
                await self._answer(scope, receive, send_with_headers)
        except ClientDisconnect:
            pass
        except Exception as error:  # strangers learn nothing of our faults
            place = extract_tb(error.__traceback__)[-1]
            # A client that does not read is given up, and sockets end in many ways.
            usual = isinstance(error, TimeoutError) or scope["type"] != "http"
            log.log(
                logging.WARNING if usual else logging.ERROR,
                "%s: %s in %s, line %s",
                *(path_for_log(scope["path"]), type(error).__name__, place.filename, place.lineno),
            )
            if not begun and scope["type"] == "http":
                await PlainTextResponse(WRONG, 500, HEADERS)(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, socket = Headers(scope=scope), scope["type"] == "websocket"
        changes = socket or scope["method"] not in ("GET", "HEAD")
        known = self._known(headers)
        if known and (not changes or _same_origin(headers)):
            await self._app(scope, receive, send)
        elif socket:
            await WebSocketClose(1008)(scope, receive, send)
        else:
            await PlainTextResponse(FOREIGN if known else UNKNOWN, 403)(scope, receive, send)

    def _known(self, headers: Headers) -> bool:
        """Return whether the host is one of ours: a site of another name may point here."""
        host = _only(headers, "host")
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        return name.strip("[]").lower() in self._hosts


def path_for_log(path: str) -> str:
    """Return a path as the log names it: without the secret of a link, and of printed characters.

    >>> path_for_log("/table/7/black/nj9WxwC4HJBA72Vd_rCXXA/part")
    '/table/7/black/.../part'
    """
    return quote(re.sub(r"^(/table/[^/]*/[^/]*/)[^/]*", r"\1...", path[:200]))


def _same_origin(headers: Headers) -> bool:
    """Return whether a page of ours asks. Every browser sends the origin of a form or a socket."""
    return _only(headers, "origin").partition("://")[2] == _only(headers, "host")


def _only(headers: Headers, name: str) -> str:
    """Return a header that is sent once; of several nobody knows which one others go by."""
    values = headers.getlist(name)
    return values[0] if len(values) == 1 else ""
