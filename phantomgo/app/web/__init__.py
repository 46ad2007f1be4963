"""`phantomgo web`: tables in browsers. People on several devices, bots, spectators, a referee.

Start reading at sight.py (what one guest sees, as a value) and guest.py (who sees what). room.py
is a table with its guests, hall.py all of them, journal.py keeps everything that happens.
actions.py is what a guest may do; page.py, board.py and front.py write HTML. server.py and guard.py
say which path gives what, serving.py runs them; thinkers.py and engines.py have bots and
engines think in other processes.
"""

import argparse
from pathlib import Path

from phantomgo.app.options import add_patience, patience
from phantomgo.app.roster import add_players_file
from phantomgo.errors import BadText, MissingExtra
from phantomgo.files import state_folder
from phantomgo.wording import counted

EXTRA = ("starlette", "uvicorn", "websockets", "segno")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="the address to listen at (default 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8080, help="the port (default 8080)")
    parser.add_argument("--lan", action="store_true", help="for all devices of this network")
    parser.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a further name of this server"
    )
    parser.add_argument(
        "--address", metavar="URL", help="what others call this server, as https://go.example.org"
    )
    parser.add_argument(
        "--proxy",
        action="append",
        default=[],
        metavar="ADDRESS,...",
        help="addresses of proxies whose X-Forwarded-Proto and X-Forwarded-For are believed",
    )
    parser.add_argument("--data", metavar="FILE", help="where the tables are kept")
    parser.add_argument(
        "--backup", metavar="FILE", help="copy the tables to a new file, also of a running server"
    )
    parser.add_argument(
        "--lay",
        action="append",
        default=[],
        metavar="KEY=VALUE,...",
        help="lay a table and print the links of its seats, as opponent=person,size=9,minutes=20",
    )
    parser.add_argument(
        "--opponent",
        action="append",
        default=[],
        metavar="NAME=SPEC",
        help="a further bot or engine to choose, as professor=book:nash9 or gnugo='gtp:COMMAND'",
    )
    add_players_file(parser)
    parser.add_argument(
        "--bots",
        type=int,
        default=1,
        metavar="N",
        help="processes for bots to think, and of each engine (default 1)",
    )
    add_patience(parser)
    parser.add_argument(
        "--keep",
        type=int,
        metavar="DAYS",
        help="delete games that ended longer ago than this (default: keep all)",
    )
    parser.add_argument("--tables", type=int, default=500, help="open at a time (default 500)")


def data_file(arguments: argparse.Namespace) -> Path:
    """Where the tables are kept."""
    return Path(arguments.data) if arguments.data else state_folder() / "tables.db"


def run(arguments: argparse.Namespace) -> int:
    if arguments.lan and arguments.host:
        raise BadText("--host goes without --lan, which listens everywhere")
    if not 1 <= arguments.port <= 65535:
        raise BadText(f"--port {arguments.port} is not from 1 to 65535")
    for option in ("bots", "tables"):
        if not 1 <= getattr(arguments, option) <= 10_000:
            raise BadText(f"--{option} {getattr(arguments, option)} is not from 1 to 10000")
    if arguments.keep is not None and not 1 <= arguments.keep <= 36_500:
        raise BadText(f"--keep {arguments.keep} is not from 1 to 36500")
    patience(arguments.patience)
    if arguments.backup is not None:
        return _back_up(data_file(arguments), arguments.backup)
    try:
        from phantomgo.app.web.serving import serve  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        if missing not in EXTRA:
            raise
        raise MissingExtra("web", " ".join(EXTRA), "web") from error
    return serve(arguments)


def _back_up(path: Path, target: str) -> int:
    from phantomgo.app.web.journal import back_up  # noqa: PLC0415  (the others go without it)

    print(f"Copied {counted(back_up(path, target), 'table')} of {path} to {target}")
    return 0
