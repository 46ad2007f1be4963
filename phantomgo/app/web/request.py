"""Reading a request: its form, and who asks."""

import asyncio
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request

from phantomgo.app.web.callers import caller
from phantomgo.phrase import Phrase

SLOW: Final = 10.0
"""Seconds a client has to send a form, or to take a frame."""
NOT_POSSIBLE: Final = Phrase("That is not possible.")
TOO_MANY_TABLES: Final = Phrase("Too many new tables. Wait a minute.")
TOO_MANY_REQUESTS: Final = Phrase("Too many requests. Wait a few seconds.")


async def fields(request: Request, longest: int) -> dict[str, str]:
    """Return the fields of a form, reading at most this many bytes.

    Raises:
        HTTPException: it is longer, or not a form.
        TimeoutError: it does not arrive in time.
    """
    body = b""
    async with asyncio.timeout(SLOW):
        async for chunk in request.stream():
            body += chunk
            if len(body) > longest:
                raise HTTPException(413, Phrase("That is too much."))
    try:
        return dict(parse_qsl(body.decode("utf-8"), max_num_fields=40))
    except ValueError:
        raise HTTPException(400, Phrase("That is not a form.")) from None


def who_asks(request: HTTPConnection) -> str:
    """Return the address that the limits apply to."""
    return caller(request.client.host if request.client else "")
