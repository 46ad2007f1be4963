"""`phantomgo web`: tables in browsers. People on several devices, bots, spectators, a referee.

Start reading at client_state.py (what one client is shown, as a value) and client.py (who is shown
what). terms.py and table_state.py define a table and its events, journal.py stores them,
session.py is an open table with its clients, registry.py all open tables, actions.py what a client
may do. page.py, board.py, front.py and lesson.py write HTML, in the language of the reader
(reader.py). review.py reviews a finished game. server.py maps paths to pages, serving.py runs the
process; bot_workers.py runs bots in other processes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from phantomgo.app.command import of_command
from phantomgo.errors import BadText, MissingExtra
from phantomgo.values import checked_int

EXTRA: Final = ("starlette", "uvicorn", "websockets", "segno")


def serve_web(
    *,
    host: str | None = None,
    port: int = 8080,
    lan: bool = False,
    names: Sequence[str] = (),
    address: str | None = None,
    proxy: Sequence[str] = (),
    data: str | Path | None = None,
    lay: Sequence[str] = (),
    opponents: Sequence[str] = (),
    bots: int = 1,
    tables: int = 500,
) -> int:
    """Serve tables to browsers until Ctrl-C; returns the exit code.

    Args:
        host: the address to listen at (default 127.0.0.1).
        port: the port to listen at.
        lan: serve all devices on this network.
        names: other host names of this server.
        address: the public address, for example https://go.example.org.
        proxy: addresses or networks of proxies whose X-Forwarded-Proto and X-Forwarded-For are
            trusted.
        data: keep the tables in this file (default: one in the user's state folder).
        lay: set up a table, for example opponent=person,size=9,minutes=20, and print the links to
            its seats.
        opponents: further bots to offer, such as professor=book:steps5.
        bots: worker processes for bots.
        tables: tables that may be open at a time.
    """
    if lan and host is not None:
        raise BadText("host cannot be combined with lan, which listens everywhere")
    checked_int("port", port, 1, 65535)
    checked_int("bots", bots, 1, 10_000)
    checked_int("tables", tables, 1, 10_000)
    try:
        from phantomgo.app.web import addresses, serving  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        if missing not in EXTRA:
            raise
        raise MissingExtra("web", " ".join(EXTRA), "web") from error
    place = addresses.place(host, port, lan=lan, address=address, names=names)
    return serving.serve(
        place,
        data,
        dict(serving.opponent(text) for text in opponents),
        [serving.fields(text) for text in lay],
        proxies=addresses.proxies(proxy),
        processes=bots,
        tables=tables,
    )


configure = of_command(serve_web)
