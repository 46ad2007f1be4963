"""The controller side of GTP: an engine at the end of a channel.

    with ProcessChannel(["gnugo", "--mode", "gtp"]) as channel:
        channel.ask("genmove b", seconds=10)   ->   "D4"

Whatever an engine does, `ask` returns in time, or raises one of these errors:

    ChannelError
    ├── CommandRefused    a well-formed `?` response; the channel remains usable
    ├── BrokenProtocol    not GTP: no `=` or `?`, another id, endless text
    ├── Crashed           the process could not be started, has ended, or closed a pipe
    └── Stalled           no response in time

After any but the first the process group has been killed.
"""

import contextlib
import os
import re
import select
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Self

from gtp import reaper
from phantomgo.errors import PhantomGoError
from phantomgo.game.outcome import Ending
from phantomgo.terminal import clean

MAX_RESPONSE: Final = 1 << 20
"""Bytes; GTP responses are much shorter."""
MAX_ERRORS: Final = 1 << 14
"""The number of last bytes of the engine's stderr that are stored."""
QUIT_SECONDS: Final = 2.0
"""Time for an engine to answer `quit`, and again to end."""

_HEAD = re.compile(r"([=?])([0-9]*)(?:[ \t]+|$)")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class ChannelError(PhantomGoError):
    """An engine did not answer as it should; the message says what it did.

    Attributes:
        ending: of a game that the engine loses by it.
    """

    ending = Ending.PROTOCOL


class CommandRefused(ChannelError):
    """The engine answered `?`; the message is its text."""


class BrokenProtocol(ChannelError):
    """The engine wrote something that is not a response to the command."""


class Crashed(ChannelError):
    """The engine is gone."""

    ending = Ending.CRASH


class Stalled(ChannelError):
    """The engine did not answer in time."""

    ending = Ending.STALL


class Channel(ABC):
    """A connection to an engine. Commands are sent with ids, which the responses must repeat."""

    def __init__(self) -> None:
        self._id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def errors(self) -> str:
        """The end of what the engine wrote to stderr."""
        return ""

    def ask(self, command: str, seconds: float) -> str:
        """Send a command and wait at most this time for the response; returns its text."""
        self._id += 1
        raw = self._exchange(f"{self._id} {command}\n", seconds)
        text = _CONTROLS.sub("", raw.decode("utf-8", "replace")).replace("\t", " ")
        head = _HEAD.match(text)
        if head is None or head[2] != str(self._id):
            raise self._killed(BrokenProtocol(f"answered {_shown(text)} to command {self._id}"))
        rest = text[head.end() :].strip()
        if head[1] == "?":
            raise CommandRefused(_shown(rest) if rest else "without a word")
        return rest

    def _killed(self, error: ChannelError) -> ChannelError:
        """Kill the engine because of this error; returns the error to raise."""
        self.kill()
        return error

    @abstractmethod
    def _exchange(self, line: str, seconds: float) -> bytes:
        """Send a line; returns the response without the empty line that ends it."""

    @abstractmethod
    def kill(self) -> None:
        """End the engine at once. May be called again."""

    @abstractmethod
    def close(self) -> None:
        """End the engine by `quit`, or else by force. May be called again."""


def _shown(text: str) -> str:
    """A quotation of an engine's text, short and on one line."""
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 80 else flat[:77] + "...")


class ProcessChannel(Channel):
    """An engine process on pipes, in a process group of its own and marked (gtp/reaper.py)."""

    def __init__(
        self,
        argv: Sequence[str],
        variables: Mapping[str, str] = MappingProxyType({}),
        folder: str | None = None,
    ) -> None:
        """Start the engine, without a shell.

        Args:
            argv: the command; a relative path starts from `folder`.
            variables: additions to its environment.
            folder: the working folder; None for the current one.

        Raises:
            Crashed: it cannot be started.
        """
        super().__init__()
        if not (hasattr(select, "poll") and hasattr(os, "killpg")):
            raise Crashed("cannot be started: engines need a system such as Linux or macOS")
        self._mark = reaper.new_mark()
        self._buffer, self._errors = bytearray(), bytearray()
        self._poll = select.poll()
        pipe = subprocess.PIPE
        environment = {**os.environ, **variables, **reaper.marked(self._mark)}
        try:
            self._process = subprocess.Popen(
                argv, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, bufsize=0,
                cwd=folder, env=environment,
            )  # fmt: skip
        except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
            reason = error.strerror if isinstance(error, OSError) else str(error)
            what = getattr(error, "filename", None) or argv[0]  # the folder, if that is missing
            raise Crashed(clean(f"cannot be started: {what}: {reason}")) from None
        self._open = True
        reaper.begun(self._process.pid, self._mark)
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._pipes = [pipe for pipe in pipes if pipe is not None]
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in self._pipes)
        for number in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(number, False)
            self._poll.register(number, select.POLLIN)

    @property
    def errors(self) -> str:
        return clean(self._errors.decode("utf-8", "replace"))

    def _exchange(self, line: str, seconds: float) -> bytes:
        if not self._open:
            raise Crashed("has ended")
        deadline = time.monotonic() + seconds
        unsent = line.encode()
        while (response := self._response()) is None:
            left = deadline - time.monotonic()
            if left <= 0:  # on every pass: an engine can be busy writing and never answer
                raise self._killed(Stalled(f"did not answer in {seconds:g} s"))
            # Even with nothing to send, poll reports that the engine has closed its input.
            self._poll.register(self._stdin, select.POLLOUT if unsent else 0)
            ready = dict(self._poll.poll(left * 1000))
            if self._stdout in ready:  # first: an engine may answer and end at once
                self._read_response()
            elif self._stdin in ready:
                unsent = self._send(unsent)
            if self._stderr in ready and not self._read_errors():
                self._poll.unregister(self._stderr)
        if unsent:
            raise self._killed(BrokenProtocol("answered before it was asked"))
        return response

    def _send(self, data: bytes) -> bytes:
        """Send as much as the pipe takes; returns the rest."""
        try:
            if data:
                return data[os.write(self._stdin, data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:
            pass
        raise self._killed(Crashed(self._how_it_ended("closed its input")))

    def _response(self) -> bytes | None:
        """Remove a complete response from the buffer; None if there is none yet."""
        self._buffer = self._buffer.lstrip(b"\n")
        if self._buffer and self._buffer[0] not in b"=?":
            first = self._buffer.split(b"\n", 1)[0][:400].decode("utf-8", "replace")
            raise self._killed(BrokenProtocol(f"wrote {_shown(first)}"))
        response, end, rest = self._buffer.partition(b"\n\n")
        if end:
            self._buffer = rest
            return bytes(response)
        if len(self._buffer) > MAX_RESPONSE:
            what = f"wrote more than {MAX_RESPONSE} bytes for one response"
            raise self._killed(BrokenProtocol(what))
        return None

    def _read_response(self) -> None:
        try:
            data = os.read(self._stdout, 1 << 16)
        except BlockingIOError:
            return
        if not data:
            raise self._killed(Crashed(self._how_it_ended("closed its output")))
        self._buffer += data.replace(b"\r", b"")

    def _read_errors(self) -> bool:
        """Read the available bytes of stderr; returns whether more may come."""
        try:
            data = os.read(self._stderr, 1 << 16)
        except BlockingIOError:
            return True
        self._errors += data
        del self._errors[:-MAX_ERRORS]
        return bool(data)

    def _how_it_ended(self, otherwise: str) -> str:
        """The end of a process that no longer responds, in words; `otherwise` if it still runs."""
        if not self._has_ended(1.0):
            return otherwise
        status = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        assert status is not None
        if status.si_code == os.CLD_EXITED:
            return f"ended with exit code {status.si_status}"
        try:
            name = signal.Signals(status.si_status).name
        except ValueError:  # real-time signals have no names
            name = f"signal {status.si_status}"
        return f"was killed by {name}"

    def _has_ended(self, seconds: float) -> bool:
        """Wait for the end of the process, without reaping it; returns whether it has ended.

        Until it is reaped its process id, and so the group's, is not reused: the group can be
        killed safely.
        """
        deadline = time.monotonic() + seconds
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while os.waitid(os.P_PID, self._process.pid, options) is None:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.005)
        return True

    def close(self) -> None:
        if self._open:
            with contextlib.suppress(ChannelError):
                self.ask("quit", QUIT_SECONDS)
        if self._open:
            self._pipes[0].close()
            self._has_ended(QUIT_SECONDS)
        self.kill()

    def kill(self) -> None:
        if not self._open:
            return
        self._open = False
        reaper.kill(self._process.pid, self._mark)
        self._process.wait()
        reaper.ended(self._process.pid, self._mark)
        self._read_errors()  # its last words: an engine says why and ends at once
        for pipe in self._pipes:
            pipe.close()
