"""The server process: its address, its output, and the tables it sets up at the start."""

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

import segno
import uvicorn
import websockets  # noqa: F401  (uvicorn needs it for sockets, and says so late)
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import HANDLED_SIGNALS

from bots import make
from bots.book_checks import usual_game
from bots.deployed import LEVELS
from bots.spec import is_engine
from phantomgo.app.web.addresses import EVERYWHERE, Place
from phantomgo.app.web.bot_workers import BotWorkers
from phantomgo.app.web.journal import Journal
from phantomgo.app.web.registry import ServerLimits, TableRegistry
from phantomgo.app.web.server import application
from phantomgo.app.web.session import SharedServices
from phantomgo.app.web.terms import OPPONENTS, BadField, Form, from_form
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.files import make_folder, state_folder
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.system import open_files
from phantomgo.terminal import redraws, say

MANY: Final = 1 << 16
"""The most files that may be open."""
SPARE: Final = 128
"""Files among them that are not connections."""
HEAD: Final = 10.0
"""Seconds in which the head of a request has to arrive, from the opening or from its first byte."""
FIELDS: Final = (
    *("opponent", "colour", "size", "rules", "name", "komi", "handicap"),
    *("minutes", "increment", "period", "watching", "helped"),
)
"""The fields of a table that is set up at the start; the last one is a box, ticked by any value."""
SWITCH: Final = 0.0005
"""Python's switch interval, in seconds. The thread that writes the journal waits that long each
time it returns from SQLite, several times a transaction, and everybody waits for it."""


def serve(
    place: Place,
    data: str | Path | None,
    opponents: Mapping[str, str],
    forms: Sequence[Form],
    *,
    proxies: tuple[str, ...],
    processes: int,
    tables: int,
) -> int:
    """Serve until Ctrl-C or SIGTERM, and return 0; takes what `serve_web` takes, parsed."""
    levels = {**LEVELS, **opponents}
    limits = ServerLimits(tables=tables, own=(tables + 1) // 2, sockets=max(2 * tables, 12))
    for form in forms:
        _check_form(form, levels)
    if len(forms) > limits.own:
        raise BadText(
            f"lay sets up {len(forms)} tables; with tables {tables}, at most {limits.own}"
        )
    file = state_folder() / "tables.db" if data is None else Path(data)
    if data is None:
        make_folder(file.parent)
    elif not file.parent.is_dir():
        raise BadText(f"data {file}: there is no folder {file.parent}")
    logging.basicConfig(stream=sys.stderr, format="phantomgo web: %(message)s")
    listening = listen(place.host, place.port)
    services = SharedServices(
        Journal(file), BotWorkers(processes, {*levels.values()}), BotWorkers(1)
    )
    registry = TableRegistry(services, limits, levels=levels)

    async def opening() -> None:
        with suppress(OSError):  # nobody reads it, or its disk is full
            say(f"Tables are at {place.url} (Ctrl-C stops it; everything is stored in {file})")
            if place.host in EVERYWHERE:
                show_code(place.url)
            for form in forms:
                await set_up(registry, form, place.url)
            sys.stdout.flush()

    spare_the_collector()
    sys.setswitchinterval(SWITCH)
    app = application(registry, place.names, place.url if place.shared else None, opening)
    connections = min(10 * tables, open_files(MANY) - SPARE)
    try:
        with suppress(KeyboardInterrupt):
            Orderly(config(app, connections, proxies)).run(sockets=[listening])
    finally:
        for one in HANDLED_SIGNALS:  # the rest takes no time, and another signal would cut it short
            signal.signal(one, signal.SIG_IGN)
        services.bots.close()
        services.reviewers.close()
        services.journal.close()
    return 0


class Orderly(uvicorn.Server):
    """A server that shuts down in order at SIGINT or SIGTERM, even if the signal is sent twice.

    Uvicorn's own sends itself the signal again, which ends the process before our clean-up.
    """

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.should_exit = True


class TimeoutProtocol(H11Protocol):
    """Uvicorn's HTTP, with a deadline for the head of a request, which it does not have.

    TCP_NODELAY is set too: asyncio does so only for sockets that name TCP as their protocol, which
    those of `socket.create_server` do not.
    """

    head_seconds = HEAD
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """Run the clock only while a request is arriving."""
        answering = self.cycle is not None and not self.cycle.response_complete
        upgraded = self not in self.connections
        if answering or upgraded:
            self._stop()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.head_seconds, self.transport.close)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def config(app: ASGIApp, connections: int, trusted: tuple[str, ...] = ()) -> uvicorn.Config:
    """Return the settings of uvicorn: quiet, and closed to anything large or slow.

    `trusted` are the addresses and networks of proxies that may name another client and scheme.
    """
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
    return uvicorn.Config(
        app,
        http=TimeoutProtocol,
        ws="websockets-sansio",
        ws_max_size=1024,
        ws_per_message_deflate=False,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(trusted),
        forwarded_allow_ips=list(trusted),
        limit_concurrency=connections,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16 * 1024,
    )


def _is_ours(record: logging.LogRecord) -> bool:
    """Return whether the log is to have this: a frame that is not UTF-8 is a client's fault."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        why = str(error.strerror).partition(" (while")[0]  # Python adds the address once more
        raise PhantomGoError(f"cannot listen at {host}, port {port}: {why}") from None


def _check_form(form: Form, levels: Mapping[str, str]) -> None:
    """Check the form of a table that is set up at the start.

    Raises:
        BadText: it cannot be used; the message names the field.
    """
    try:
        from_form(form, levels)
    except BadField as error:  # a page shows the field, too
        raise BadText(f"lay {error.field}: {error}") from None


async def set_up(registry: TableRegistry, form: Form, address: str) -> None:
    """Set up a table and print the links of its seats, each with a QR code."""
    terms, role = from_form(form, registry.levels)
    path = await registry.set_up(terms, role)
    session = registry.session(int(path.split("/")[2]))
    assert session is not None
    for what, link in ((f"Seat: {role}", path), *session.invitations(), *session.spectators()):
        print(f"{what}: {address}{link}")
        show_code(address + link)


def show_code(url: str) -> None:
    """Print the QR code of a URL: in half blocks, else in colours, where there are either."""
    blocks = "utf" in sys.stdout.encoding.lower()
    if blocks or redraws(sys.stdout):
        segno.make(url).terminal(compact=blocks)


def fields(text: str) -> Form:
    """Return `opponent=person,size=9` as fields of the front page's form."""
    form: dict[str, str] = {}
    for piece in text.split(","):
        key, equals, value = piece.partition("=")
        if not equals:
            raise BadText(f"lay {piece[:40]!r} is not KEY=VALUE")
        if key not in FIELDS:
            raise BadText(f"lay {key[:40]!r} is not one of {', '.join(FIELDS)}")
        form[key] = value
    return form


def opponent(text: str) -> tuple[str, str]:
    """Return the name and the spec of a bot in `NAME=SPEC`."""
    name, equals, spec = text.partition("=")
    if not (equals and name.isprintable() and 0 < len(name) <= 20) or name in OPPONENTS:
        raise BadText(
            f"opponent {text[:60]!r} is not NAME=SPEC, NAME up to 20 characters and none of"
            f" {', '.join(OPPONENTS)}"
        )
    if is_engine(spec):
        raise BadText(
            f"opponent {text[:60]!r} is an engine; engines play in `match`, `tournament` and `play`"
        )
    make(spec, usual_game(spec), 0)
    return name, spec
