"""`phantomgo gtp`: the GTP server on stdin and stdout.

The protocol is in gtp/; here are the pipes. At the end of input, when the reader is gone and on
Ctrl-C the process ends quietly with exit code 0.
"""

import argparse
import contextlib
import logging
import os
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from bots import Bot, make, make_installed
from bots.naming import BookSpec, Head, OpeningSpec, parse
from bots.seeded import check_rules, check_size
from gtp.limits import NO_LIMITS, SAFE
from gtp.role import BOOKLESS, NO_BOOK, Services, Settings, Stream
from gtp.ruler import Ruler
from gtp.session import Session
from gtp.sharing import Sharing, default_name
from gtp.syntax import MAX_LINE, Failure
from phantomgo import sgf
from phantomgo.app.options import add_rules
from phantomgo.app.roster import add_players_file, roster
from phantomgo.app.warming import WarmUp
from phantomgo.portfolio.moves import read_any
from phantomgo.rng import checked_seed
from phantomgo.rules import Rules

log = logging.getLogger(__name__)

DEFAULT_BOT: Final = "champion"


def configure(parser: argparse.ArgumentParser) -> None:
    player = parser.add_mutually_exclusive_group()
    player.add_argument(
        "--bot", metavar="SPEC", help=f"the bot that answers genmove (default {DEFAULT_BOT})"
    )
    player.add_argument(
        "--book",
        metavar="NAME",
        help=f"play from this book, on its board and by its rules; {NO_BOOK}: from no book"
        " (default: from the shipped one that fits, if there is one)",
    )
    add_players_file(parser)
    parser.add_argument(
        "--force",
        action="store_true",
        help="even if the book's bot has changed, or with other komi and rules",
    )
    parser.add_argument("--size", type=int, help="points per side (default 9)")
    parser.add_argument("--komi", type=float, help="points White is given (default: the rules')")
    add_rules(parser, None)
    parser.add_argument(
        "--seed", type=int, help="the seed the bot plays in every game (default: a fresh one each)"
    )
    parser.add_argument(
        "--reveal", action="store_true", help="let genmove answer where the bot played"
    )
    parser.add_argument(
        "--safe",
        action="store_true",
        help="for strangers: no command reads files, and what bots and games may cost is bounded",
    )
    parser.add_argument(
        "--session",
        metavar="NAME",
        help="what a program and its ruler in GoGui have in common (default: their parent process)",
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.seed is not None:
        checked_seed(arguments.seed)
    roster(arguments).settle(arguments, "bot")
    if arguments.book is not None:
        settle_book(arguments)
    if arguments.bot is not None:
        make(arguments.bot, 0)  # a wrong spec is told now, not at the first genmove
    rules = Rules.profile(
        arguments.rules or "olympiad",
        size=9 if arguments.size is None else arguments.size,
        komi=arguments.komi,
    )
    bot = arguments.bot or DEFAULT_BOT
    check_rules(bot, rules, None)
    settings = Settings(
        rules=rules,
        komi_given=arguments.komi is not None,
        bot=bot,
        seed=arguments.seed,
        hide=not arguments.reveal,
    )
    logging.basicConfig(stream=sys.stderr, format="phantomgo gtp: %(levelname)s: %(message)s")
    if os.isatty(0):
        print("GTP on stdin and stdout; try `list_commands`, `quit` ends.", file=sys.stderr)
    logging.getLogger("bots").setLevel(logging.INFO)  # says when kernels are compiled
    sharing = None
    if arguments.session or not arguments.safe:
        # Strangers may be served by processes of one parent.
        sharing = Sharing(arguments.session or default_name())
    session = Session(
        settings,
        Services(
            partial(make_asked, bot),
            no_files if arguments.safe else read_file,
            time.process_time,
            time.monotonic,
            check_size=check_size,
            analyst=lambda spec: make(spec, 0),
            limits=SAFE if arguments.safe else NO_LIMITS,
            program=sharing.ask if sharing is not None else lambda _: None,
            book_of=book_of,
        ),
    )
    warm_up = WarmUp()
    code = 0
    try:
        # Not sys.stdout: the interpreter would flush it at its end and trip over a broken pipe.
        with open(0, "rb", closefd=False) as commands, open(1, "wb", closefd=False) as responses:
            serve(session, commands, responses, warm_up, sharing)
    except (KeyboardInterrupt, ConnectionError):
        pass
    except OSError as error:
        print(f"phantomgo gtp: {error}", file=sys.stderr)
        code = 1
    if warm_up.running or Streaming.thinking():
        with contextlib.suppress(OSError):  # nobody may read it any more
            sys.stderr.flush()
        os._exit(code)
    return code


def make_asked(named: str, spec: str, seed: int) -> Bot:
    """A bot for the session. A controller may not have modules run but the one named at the start.

    Raises:
        BadText: no bot has this spec, or it names another module.
    """
    return make(spec, seed) if spec == named else make_installed(spec, seed, files=True)


def settle_book(arguments: argparse.Namespace) -> None:
    """Turn `--book NAME` into the bot it stands for; what else was not said is as in the book."""
    if arguments.book == NO_BOOK:
        arguments.bot = BOOKLESS
        return
    book = read_any(arguments.book)
    arguments.bot = f"{Head.BOOK}{arguments.book}" + (",force=on" if arguments.force else "")
    rules = book.phantom_go.rules
    meant = {"size": rules.size, "komi": rules.komi, "rules": book.phantom_go.profile}
    for key, value in meant.items():
        if getattr(arguments, key) is None:
            setattr(arguments, key, value)


def book_of(spec: str, rules: Rules) -> str:
    """The book that a bot plays from under these rules, as `--book` names it."""
    named = parse(spec)
    if isinstance(named, OpeningSpec):
        return named.book
    if isinstance(named, BookSpec):
        return named.source
    if spec != DEFAULT_BOT:
        return NO_BOOK
    from bots.champion import shipped_book  # noqa: PLC0415  (compiled code, half a second)

    book = shipped_book(rules)
    return NO_BOOK if book is None else book.name


def serve(
    session: Session,
    commands: BinaryIO,
    responses: BinaryIO,
    warm_up: WarmUp | None = None,
    sharing: Sharing | None = None,
) -> None:
    """Answer commands until `quit` or the end of input.

    Meanwhile the bot of the settings is got ready for their board, if there is `warm_up`; a
    `boardsize` may ask for other kernels. With `sharing` the process may be GoGui's ruler.
    """
    streaming: Streaming | None = None
    while not session.closed:
        if warm_up is not None and not isinstance(session.role, Ruler):
            warm_up.begin(session.role.settings.bot, session.role.settings.rules.size)
        line = commands.readline(MAX_LINE + 1)
        if streaming is not None:
            streaming.end()
            streaming = None
        if not line:
            break
        rest = line
        while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
            rest = commands.readline(MAX_LINE + 1)  # the end of a line too long is read away
        first = sharing and sharing.heard(line, session)
        if first:
            session.run(first)
        response = session.run(line)
        if response is not None and session.stream is not None:
            streaming = Streaming(session.stream, response, responses)
        elif response is not None:
            responses.write(response.encode())
            responses.flush()


class Streaming:
    """A response that goes on: its lines are written by a thread until it is ended.

    Ending does not wait for a line that is still being thought about; it is thrown away.
    """

    THREAD: Final = "analysis"

    def __init__(self, stream: Stream, response: str, responses: BinaryIO) -> None:
        self._stream, self._responses = stream, responses
        self._ended, self._lock = threading.Event(), threading.Lock()
        self._write(response.removesuffix("\n"))
        threading.Thread(target=self._run, name=self.THREAD, daemon=True).start()

    @classmethod
    def thinking(cls) -> bool:
        """Whether a line is being thought about; the process ends then as while compiling."""
        return any(thread.name == cls.THREAD for thread in threading.enumerate())

    def end(self) -> None:
        """Write the empty line that ends the response."""
        with self._lock:
            self._ended.set()
            self._write("\n")

    def _run(self) -> None:
        try:
            for line in self._stream.lines:
                with self._lock:
                    if self._ended.is_set():
                        return
                    self._write(f"{line}\n")
                if self._ended.wait(self._stream.interval):
                    return
        except (Failure, OSError) as error:  # the reader is gone, or a book is for another board
            log.warning("analysis ended: %s", error)

    def _write(self, text: str) -> None:
        self._responses.write(text.encode())
        self._responses.flush()


def no_files(path: str) -> bytes:
    """What reading is with --safe."""
    raise FileNotFoundError(path)


def read_file(path: str) -> bytes:
    """The content of a regular file, no more of it than the SGF reader takes."""
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(path)
    with file.open("rb") as stream:
        return stream.read(sgf.MAX_BYTES + 1)
