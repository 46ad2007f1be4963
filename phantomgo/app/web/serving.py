"""The server as a process: where it listens, what it prints, which tables it lays at the start."""

import ipaddress
import logging
import re
import resource
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

import segno
import uvicorn
import websockets  # noqa: F401  (uvicorn needs it for sockets, and says so late)
from starlette.types import ASGIApp
from uvicorn.server import HANDLED_SIGNALS

from bots.naming import LEVELS, is_engine
from gtp.player import Patience
from phantomgo.app.web.engines import Engine
from phantomgo.app.web.hall import Hall, Limits
from phantomgo.app.web.hasty import HastyProtocol
from phantomgo.app.web.journal import Journal
from phantomgo.app.web.room import House
from phantomgo.app.web.server import application
from phantomgo.app.web.terms import ENGINE, OPPONENTS, Form, from_form
from phantomgo.app.web.thinkers import Thinkers
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.lab.players import canonical, program
from phantomgo.lab.run.workers import spare_the_collector

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
EVERYWHERE: Final = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}
"""The addresses of all interfaces, each with one that is reserved for documentation (RFC 5737 and
3849): the interface that would reach it is the one to the network."""
MANY: Final = 1 << 16
"""Open files at most."""
SPARE: Final = 128
"""Files among them that are not connections."""
FIELDS: Final = (
    *("opponent", "colour", "size", "rules", "name", "komi", "handicap"),
    *("minutes", "increment", "period", "watching", "delay"),
    *("helped", "unlisted"),
)
"""The fields of a table that is laid at the start; the last ones are boxes, ticked by any value."""
DAY: Final = 86_400.0
SWITCH: Final = 0.0005
"""Python's switch interval, in seconds. The thread that writes the journal waits that long each
time it returns from SQLite, several times a transaction, and everybody waits for it."""


class Place(NamedTuple):
    """The address of a server, inside and outside.

    Attributes:
        host: the address it listens at.
        port: the port.
        url: what people call it, without a path.
        names: the host names it answers to.
        shared: other devices can reach it by this URL.
    """

    host: str
    port: int
    url: str
    names: frozenset[str]
    shared: bool


def place(
    host: str | None, port: int, *, lan: bool, address: str | None, names: Sequence[str]
) -> Place:
    """Return the place that these options describe.

    Raises:
        BadText: the address is not a URL without a path, or a name not that of a host.
    """
    listened = "0.0.0.0" if lan else host or LOOPBACK[1]
    named = own_address(listened) if listened in EVERYWHERE else listened
    known = {*LOOPBACK, named, listened, *(host_name("names", name) for name in names)}
    url = f"http://{f'[{named}]' if ':' in named else named}:{port}"
    if address is not None:
        url, outer = outside(address)
        known.add(outer)
    return Place(listened, port, url, frozenset(known), lan or address is not None)


def serve(
    place: Place,
    file: Path,
    opponents: Mapping[str, str],
    forms: Sequence[Form],
    *,
    proxies: tuple[str, ...],
    processes: int,
    patience: Patience,
    tables: int,
    keep: int | None,
) -> int:
    """Serve until Ctrl-C or SIGTERM, and return 0. The arguments are those of `serve_web`, parsed.

    Raises:
        BadText: a form asks for a table that cannot be laid.
        PhantomGoError: it cannot listen there, or an engine does not take part.
        BadStore: the file is in use, or does not hold tables.
    """
    engines = {
        name: Engine(name, program(spec), processes, patience)
        for name, spec in opponents.items()
        if is_engine(spec)
    }
    levels = {**LEVELS, **dict(opponents), **{name: ENGINE + name for name in engines}}
    limits = Limits(tables=tables, own=(tables + 1) // 2, sockets=max(2 * tables, 12))
    for form in forms:
        from_form(form, levels)
    if len(forms) > limits.own:
        raise BadText(
            f"lay sets up {len(forms)} tables; with tables {tables}, at most {limits.own}"
        )
    file.parent.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(stream=sys.stderr, format="phantomgo web: %(message)s")
    listening = listen(place.host, place.port)
    for engine in engines.values():
        engine.check()
    house = House(Journal(file), Thinkers(processes, {*levels.values()}), Thinkers(1), engines)
    hall = Hall(house, limits, levels=levels, keep=None if keep is None else keep * DAY)

    async def opening() -> None:
        with suppress(OSError):  # nobody reads it, or its disk is full
            print(f"Tables are at {place.url} (Ctrl-C stops the server; all is kept in {file})")
            if place.host in EVERYWHERE:
                show_code(place.url)
            for form in forms:
                await lay(hall, form, place.url)
            sys.stdout.flush()

    spare_the_collector()
    sys.setswitchinterval(SWITCH)
    app = application(hall, place.names, place.url if place.shared else None, opening)
    connections = min(10 * tables, open_files() - SPARE)
    try:
        with suppress(KeyboardInterrupt):
            Orderly(config(app, connections, proxies)).run(sockets=[listening])
    finally:
        for one in HANDLED_SIGNALS:  # the rest takes no time, and another signal would cut it short
            signal.signal(one, signal.SIG_IGN)
        house.thinkers.close()
        house.judges.close()
        for engine in engines.values():
            engine.close()
        house.journal.close()
    return 0


class Orderly(uvicorn.Server):
    """A server that shuts down in order at SIGINT or SIGTERM, even if the signal is sent twice.

    Uvicorn's own sends itself the signal again, which ends the process before our clean-up.
    """

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.should_exit = True


def config(app: ASGIApp, connections: int, trusted: tuple[str, ...] = ()) -> uvicorn.Config:
    """Return the settings of uvicorn: quiet, and closed to anything large or slow.

    Args:
        app: what it serves.
        connections: it holds open at most.
        trusted: addresses and networks of proxies, whose word on clients and schemes is taken.
    """
    return uvicorn.Config(
        app,
        http=HastyProtocol,
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


def proxies(texts: Sequence[str]) -> tuple[str, ...]:
    """Return addresses and networks, from texts with one or several between commas.

    Raises:
        BadText: one of them is not an address.
    """
    found = tuple(piece.strip() for text in texts for piece in text.split(","))
    for piece in found:
        try:
            ipaddress.ip_network(piece)
        except ValueError:
            raise BadText(
                f"proxy {piece[:60]!r} is not an IP address, or a network as 10.0.0.0/8"
            ) from None
    return found


def outside(url: str) -> tuple[str, str]:
    """Return a public address without a path, and the name of its host.

    Raises:
        BadText: it is not `http://HOST[:PORT]` or `https://HOST[:PORT]`.
    """
    found = re.fullmatch(r"(https?://([\w.-]+|\[[0-9a-fA-F:]+\])(:[0-9]{1,5})?)/?", url)
    if found is None or int((found[3] or ":1")[1:]) not in range(1, 65536):
        raise BadText(f"address {url[:60]!r} is not http://HOST[:PORT] or https://HOST[:PORT]")
    return found[1], host_name("address", found[2])


def host_name(what: str, text: str) -> str:
    """Return the name of a host as browsers send it: in lower case, without letters beyond ASCII.

    Raises:
        BadText: it is not one, but a URL, say, or has a port.
    """
    name = text.strip("[]")
    try:
        if not re.fullmatch(r"[\w.-]+", name):
            ipaddress.ip_address(name)
        return name.encode("idna").decode().lower()
    except ValueError:
        raise BadText(f"{what} {text[:60]!r} is not a host name, as go.example.org") from None


def open_files() -> int:
    """Raise the limit of open files and connections as far as permitted; return it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft = MANY if hard == resource.RLIM_INFINITY else min(hard, MANY)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there.

    Raises:
        PhantomGoError: it cannot.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        why = str(error.strerror).partition(" (while")[0]  # Python adds the address once more
        raise PhantomGoError(f"cannot listen at {host}, port {port}: {why}") from None


async def lay(hall: Hall, form: Form, address: str) -> None:
    """Set up a table and print the links of its seats, each with a QR code."""
    terms, role = from_form(form, hall.levels)
    path = await hall.lay(terms, role)
    room = hall.room(int(path.split("/")[2]))
    assert room is not None
    for what, link in ((f"Seat: {role}", path), *room.invitations(), *room.spectators()):
        print(f"{what}: {address}{link}")
        show_code(address + link)


def show_code(url: str) -> None:
    """Print the QR code of a URL, in half blocks where the terminal has them."""
    segno.make(url).terminal(compact="utf" in sys.stdout.encoding.lower())


def fields(text: str) -> Form:
    """Return `opponent=person,size=9` as fields of the front page's form.

    Raises:
        BadText: a piece has no `=`, or the form has no such field.
    """
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
    """Return the name and the spec, of a bot or an engine, in `NAME=SPEC`.

    Raises:
        BadText: there is no name, or no player has this spec.
    """
    name, equals, spec = text.partition("=")
    if not (equals and name.isprintable() and 0 < len(name) <= 20) or name in OPPONENTS:
        raise BadText(
            f"opponent {text[:60]!r} is not NAME=SPEC, NAME up to 20 characters and none of"
            f" {', '.join(OPPONENTS)}"
        )
    canonical(spec)
    return name, spec


def own_address(everywhere: str) -> str:
    """Return the address of this machine in its network, as IPv4 or IPv6; else the loopback one."""
    six = ":" in everywhere
    with socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # This sends nothing: it only chooses an interface.
            probe.connect((EVERYWHERE[everywhere], 9))
        except OSError:
            return LOOPBACK[2 if six else 1]
        return str(probe.getsockname()[0])
