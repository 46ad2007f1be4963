"""The reader of a page: the language and the look they have chosen, which cookies remember.

Whatever a page shows is a `ClientState` or another value in English; `Phrase`s in it are translated
where they become HTML. So a choice changes only the pages of the reader who made it, and nothing
that is stored or sent to others.
"""

import tomllib
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from phantomgo.phrase import Phrase

LANGUAGES: Final = {"en": "English", "zh": "中文", "ja": "日本語", "de": "Deutsch"}
"""Languages by their codes, and what they call themselves."""
LOOKS: Final = {
    "plain": Phrase("Light or dark, like your device"),
    "contrast": Phrase("High contrast"),
    "pattern": Phrase("Stones with patterns"),
}
"""The looks of pages, and their labels."""
CHOICES: Final = {"language": tuple(LANGUAGES), "look": tuple(LOOKS)}
"""The choices: each is a field of the query, and a cookie of the same name."""
YEAR: Final = 365 * 86_400
"""Seconds for which a cookie is kept."""
FOLDER: Final = Path(__file__).parent / "languages"


class Reader(NamedTuple):
    """Somebody who reads a page.

    Attributes:
        language: a code of `LANGUAGES`.
        look: a key of `LOOKS`.
        query: the fields with which they asked for the page.
        here: the page may be asked for again by its address.
        script: the script of a table asks, which knows the buttons of empty points itself.
    """

    language: str = "en"
    look: str = "plain"
    query: tuple[tuple[str, str], ...] = ()
    here: bool = True
    script: bool = False

    def choosing(self, key: str, value: str) -> str:
        """Return the address of the same page, or of the front page, with another choice."""
        return f"{'?' if self.here else '/?'}{urlencode([*self.query, (key, value)])}"


ANYBODY: Final = Reader()
READER: Final[ContextVar[Reader]] = ContextVar("reader", default=ANYBODY)
"""The reader of what is being written; each request has its own."""


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return the patterns of a language by the English ones; English itself has none."""
    file = FOLDER / f"{language}.toml"
    return {} if language == "en" else tomllib.loads(file.read_text(encoding="utf-8"))


def translated(text: str) -> str:
    """Return a text in the reader's language."""
    language = READER.get().language
    if language == "en" or not isinstance(text, Phrase):
        return text
    return text.translated(catalogue(language))


def preferred(accepted: str) -> str:
    """Return the language that an Accept-Language header asks for first, or English."""
    wishes = []
    for wish in accepted[:500].split(","):
        code, _, weight = wish.partition(";q=")
        try:
            wishes.append((-float(weight or 1), code.strip().lower().partition("-")[0]))
        except ValueError:
            continue
    known = [code for weight, code in sorted(wishes, key=lambda wish: wish[0]) if weight < 0]
    return next((code for code in known if code in LANGUAGES), "en")


class Readers:
    """An ASGI application around another, which notes who reads the answer of each request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        reader = _reader(scope)
        chosen = {key: value for key, value in reader.query if value in CHOICES.get(key, ())}
        if chosen and reader.here:
            rest = urlencode([pair for pair in reader.query if pair[0] not in CHOICES])
            path = f"/{scope['path'].lstrip('/')}"  # `//` would begin the name of another host
            answer = RedirectResponse(f"{path}{'?' if rest else ''}{rest}", 303)
            for key, value in chosen.items():
                answer.set_cookie(key, value, YEAR, samesite="lax")
            await answer(scope, receive, send)
            return
        token = READER.set(reader)
        try:
            await self._app(scope, receive, send)
        finally:
            READER.reset(token)


def _reader(scope: Scope) -> Reader:
    headers = Headers(scope=scope)
    cookies = cookie_parser(headers.get("cookie", "")[:4096])
    language = cookies.get("language", "")
    if language not in LANGUAGES:
        language = preferred(headers.get("accept-language", ""))
    look = cookies.get("look", "")
    try:
        query = tuple(parse_qsl(scope["query_string"].decode("ascii")[:500], max_num_fields=10))
    except ValueError:
        query = ()
    here = scope["method"] in ("GET", "HEAD")
    script = "x-part" in headers
    return Reader(language, look if look in LOOKS else "plain", query, here, script)
