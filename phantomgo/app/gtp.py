"""`phantomgo gtp`: the GTP server on stdin and stdout.

The protocol is in gtp/; this module connects it to the pipes. At the end of input, if the reader
has closed the pipe, or on Ctrl-C, the process ends quietly with exit code 0.
"""

import argparse
import contextlib
import errno
import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from bots import Bot, make, make_installed
from bots.pace import Unwanted, thread
from bots.spec import DEFAULT, remembering
from gtp import analysis, host, looking, params, seat, setup, syntax
from gtp.limits import NO_LIMITS, SAFE
from gtp.role import LineStream
from gtp.ruler import Ruler
from gtp.session import Session
from gtp.sharing import Sharing, default_name
from gtp.syntax import MAX_LINE, Failure
from gtp.thinker import Services, Settings, no_files
from phantomgo.app import background
from phantomgo.app.background import Latest, WarmUp
from phantomgo.app.command import SPECS, of_command
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.lab.admission import Named, admitted_bot, check_books, from_book, spec_of
from phantomgo.records import sgf
from phantomgo.rng import checked_seed

log = logging.getLogger(__name__)

SETTING_UP: Final = frozenset({"phantom-seat", *setup.COMMANDS, *params.COMMANDS})
"""Commands after which there may be another game, or another bot."""
OF_A_GAME: Final = frozenset(
    name
    for name in (*analysis.COMMANDS, *looking.COMMANDS, *host.COMMANDS, *seat.COMMANDS)
    if not name.startswith("gogui-")
)
"""Commands for which a bot may be needed at once."""


def serve_gtp(
    *,
    bot: Named | None = None,
    book: str | None = None,
    remember: str | None = None,
    size: int | None = None,
    komi: float | None = None,
    rules: str | None = None,
    seed: int | None = None,
    reveal: bool = False,
    safe: bool = False,
    session: str | None = None,
) -> int:
    """Serve GTP on stdin and stdout until `quit` or the end of input; returns the exit code.

    Args:
        bot: the bot that answers genmove (default: `default`, on all cores unless `safe`).
        book: use this opening book, on its board and by its rules, the best book of FOLDER/, or
            `none` (default: the shipped book that fits, if any).
        remember: keep in this file which lines of its book have won, and draw those more often;
            one file for each opponent.
        size: points per side (default 9).
        komi: points for White (default: the profile's).
        rules: rules profile, which sets the announcements (default olympiad).
        seed: the seed the bot plays in every game (default: a fresh one for each).
        reveal: let genmove reveal the bot's move.
        safe: serve an untrusted controller: its bots read no files, and the cost of bots and games
            is bounded.
        session: name shared by a program and its ruler in GoGui (default: derived from their parent
            process).
    """
    limits = SAFE if safe else NO_LIMITS
    if book is not None:
        bot, size, komi, rules = from_book(bot, limits.bot, book, size, komi, rules)
    if remember is not None:
        bot = remembering(limits.bot if bot is None else spec_of(bot), remember)
    if seed is not None:
        checked_seed(seed)
    terms = Rules.profile(rules or "olympiad", size=9 if size is None else size, komi=komi)
    # The default is known to play here: its code loads while the first commands are answered.
    spec = limits.bot if bot in (None, DEFAULT) else admitted_bot(bot, terms)
    settings = Settings(terms, komi is not None, spec, seed, hide=not reveal)
    logging.basicConfig(stream=sys.stderr, format="phantomgo gtp: %(levelname)s: %(message)s")
    if os.isatty(0):
        print("GTP on stdin and stdout; try `list_commands`, `quit` ends.", file=sys.stderr)
    for package in ("bots", "gtp"):  # they say when kernels are compiled, and which book opens
        logging.getLogger(package).setLevel(logging.INFO)
    # Untrusted controllers may be served by processes of one parent.
    sharing = Sharing(session or default_name()) if session or not safe else None
    warm_up = WarmUp()
    services = Services(
        partial(make_asked, spec, warm_up),
        no_files if safe else read_file,
        time.process_time,
        time.monotonic,
        analyst=lambda spec, game: make(spec, game, 0),
        limits=limits,
        program=sharing.ask if sharing is not None else lambda _: None,
    )
    return serve_pipes(Session(settings, services), warm_up, sharing)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = SPECS
    of_command(serve_gtp)(parser)


def serve_pipes(
    session: Session, warm_up: WarmUp | None = None, sharing: Sharing | None = None
) -> int:
    """Serve a session on the pipes of this process, as `serve` does; return the exit code."""
    code = 0
    try:
        with pipes() as (commands, responses):
            serve(session, commands, responses, warm_up, sharing)
    except (KeyboardInterrupt, ConnectionError):
        pass
    except OSError as error:
        print(f"phantomgo: {error}", file=sys.stderr)
        code = 1
    if background.running():
        with contextlib.suppress(OSError):  # nobody may read it any more
            sys.stderr.flush()
        os._exit(code)
    return code


@contextlib.contextmanager
def pipes() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Stdin and stdout as bytes; what is printed meanwhile goes to stderr.

    Not `sys.stdin` and `sys.stdout`: they may refuse bytes and characters, the interpreter would
    flush stdout at its end and trip over a broken pipe, and somebody's own bot may print.
    """
    with (
        open(0, "rb", closefd=False) as commands,
        open(1, "wb", closefd=False) as responses,
        contextlib.redirect_stdout(sys.stderr),
    ):
        yield commands, responses


def make_asked(named: str, warm_up: WarmUp, spec: str, game: Game, seed: int) -> Bot:
    """The bot of a spec, warmed up; only the module named at the start may run."""
    known = spec == named
    bot = make(spec, game, seed) if known else make_installed(spec, game, seed, files=True)
    if not known:
        check_books(spec)
    if bot.kernels:
        warm_up.wait()
    return bot


def serve(
    session: Session,
    commands: BinaryIO,
    responses: BinaryIO,
    warm_up: WarmUp | None = None,
    sharing: Sharing | None = None,
) -> None:
    """Answer commands until `quit` or the end of input.

    Args:
        session: the conversation with the controller.
        commands: its input, a command on each line.
        responses: its output.
        warm_up: prepares the bot of the settings for their games in the background, as soon as a
            game is set up or played; rulers get other commands first, and need no bot.
        sharing: lets the process be GoGui's program or ruler.
    """
    streaming: Streaming | None = None
    analyses = Latest("analysis")

    def prepare() -> None:
        if warm_up is not None and not isinstance(session.role, Ruler):
            warm_up.begin(session.settings.bot, Game(session.settings.rules))

    while not session.closed:
        line = _read_line(commands)
        if streaming is not None:
            streaming.end()
            streaming = None
        if not line:
            break
        parsed = syntax.parse(line)
        name = "" if parsed is None else parsed.name
        if name in OF_A_GAME:
            prepare()
        if first := sharing and sharing.heard(line, session):
            session.run(first)
        response = session.run(line)
        if name in SETTING_UP and not (sharing and sharing.second):
            prepare()
        if response is None:
            continue
        if session.stream is None:
            responses.write(response.encode())
            responses.flush()
        else:
            streaming = Streaming(session.stream, response, responses)
            analyses.do(streaming.run)


def _read_line(commands: BinaryIO) -> bytes:
    """The next line, a long one without its end; empty at the end of input."""
    line = rest = commands.readline(MAX_LINE + 1)
    while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
        rest = commands.readline(MAX_LINE + 1)
    return line


class Streaming:
    """A response whose further lines are written by another thread, which calls `run`.

    Ending it discards a line that is being computed, without waiting; its decision ends early.
    """

    def __init__(self, stream: LineStream, response: str, responses: BinaryIO) -> None:
        self._stream, self._responses = stream, responses
        self._ended, self._lock = threading.Event(), threading.Lock()
        self._write(response.removesuffix("\n"))

    def end(self) -> None:
        """Write the empty line that ends the response."""
        with self._lock:
            self._ended.set()
            self._write("\n")

    def run(self) -> None:
        """Write the lines until there are no more, or until the response is ended."""
        thread.ended = self._ended.is_set
        try:
            for line in self._stream.lines:
                with self._lock:
                    if self._ended.is_set():
                        return
                    self._write(f"{line}\n")
                if self._ended.wait(self._stream.interval):
                    return
        except Unwanted:
            return
        except (Failure, OSError) as error:  # the reader is gone, or a book is for another board
            log.warning("analysis ended: %s", error)

    def _write(self, text: str) -> None:
        self._responses.write(text.encode())
        self._responses.flush()


def read_file(path: str) -> bytes:
    """The content of a regular file in SGF; `~` is the user's home.

    Raises:
        OSError: it cannot be read.
        BadText: it is too long.
    """
    file = Path(os.path.expanduser(path))
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    with file.open("rb") as stream:
        return sgf.bytes_of(stream)
