"""`phantomgo web`: tables in browsers. People on several devices, bots, spectators, a referee.

Start reading at sight.py (what one guest sees, as a value) and guest.py (who sees what). room.py
is a table with its guests, hall.py all of them, journal.py keeps everything that happens.
actions.py is what a guest may do; page.py, board.py and front.py write HTML, server.py and guard.py
say which path gives what. thinkers.py has bots think in processes of their own.
"""

import argparse
import logging
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from phantomgo.errors import BadText, PhantomGoError

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
EVERYWHERE: Final = "0.0.0.0"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="the address to listen at (default 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8080, help="the port (default 8080)")
    parser.add_argument("--lan", action="store_true", help="for all devices of this network")
    parser.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a further name of this server"
    )
    parser.add_argument("--data", metavar="FILE", help="where the tables are kept")
    parser.add_argument(
        "--bots", type=int, default=1, metavar="N", help="processes for bots to think (default 1)"
    )
    parser.add_argument("--tables", type=int, default=500, help="open at a time (default 500)")


def run(arguments: argparse.Namespace) -> int:
    if arguments.lan and arguments.host:
        raise BadText("--host goes without --lan, which listens everywhere")
    if not 1 <= arguments.port <= 65535:
        raise BadText(f"--port {arguments.port} is not from 1 to 65535")
    for option in ("bots", "tables"):
        if not 1 <= getattr(arguments, option) <= 10_000:
            raise BadText(f"--{option} {getattr(arguments, option)} is not from 1 to 10000")
    try:
        return _serve(arguments)
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        if missing not in ("starlette", "uvicorn", "websockets", "segno"):
            raise
        raise PhantomGoError(
            f"{missing} is not installed; the extra `web` brings it: pip install '.[web]'"
        ) from None


def _serve(arguments: argparse.Namespace) -> int:
    import segno  # noqa: PLC0415  (an extra)
    import uvicorn  # noqa: PLC0415
    import websockets  # noqa: F401, PLC0415

    from phantomgo.app.web.hall import Hall, Limits  # noqa: PLC0415
    from phantomgo.app.web.journal import Journal  # noqa: PLC0415
    from phantomgo.app.web.server import application  # noqa: PLC0415
    from phantomgo.app.web.thinkers import Thinkers  # noqa: PLC0415

    host = EVERYWHERE if arguments.lan else arguments.host or LOOPBACK[1]
    named = own_address() if host == EVERYWHERE else host
    address = f"http://{f'[{named}]' if ':' in named else named}:{arguments.port}"
    path = Path(arguments.data) if arguments.data else journal_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(stream=sys.stderr, format="phantomgo web: %(message)s")
    journal = Journal(path)
    thinkers = Thinkers(arguments.bots)
    hall = Hall(journal, thinkers, Limits(tables=arguments.tables))
    hosts = frozenset({*LOOPBACK, named, host, *arguments.name})
    app = application(hall, hosts, address if arguments.lan else None)
    config = uvicorn.Config(
        app,
        host=host,
        port=arguments.port,
        ws="websockets-sansio",
        ws_max_size=1024,
        ws_per_message_deflate=False,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=10 * arguments.tables,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16 * 1024,
    )
    print(f"Tables are at {address} (Ctrl-C ends the server; every table is kept in {path})")
    if arguments.lan:
        segno.make(address).terminal(compact=True)
    sys.stdout.flush()
    try:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run()
    finally:
        thinkers.close()
        journal.close()
    return 0


def journal_file() -> Path:
    """Where tables are kept: in the user's folder for the state of programs."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(state) / "phantomgo" / "tables.db"


def own_address() -> str:
    """The address of this machine in its network; the loopback one if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only chooses a way out
        except OSError:
            return LOOPBACK[1]
        return str(probe.getsockname()[0])
