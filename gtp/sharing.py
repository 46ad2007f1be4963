"""How the two processes that GoGui starts of one command find each other.

Both are children of the same GoGui. The program listens under a name made of the user and of that
parent; the ruler asks it. A name is a socket in Linux's abstract namespace: taking it is atomic, no
file is made, and it is free again when its process ends, however that ends. Elsewhere there is
none, and GoGui shows no ruler's board.

    the program, asked for `gogui-rules_game_id`       takes the name, and answers under it
    a process asked for anything else of a ruler       leaves the name, and is a ruler from now on
                                                       if somebody else has it

A question is one line, its answer all until the end. What the ruler may ask is `Session.show`,
which answers from what the program has told its controller.
"""

import contextlib
import os
import socket
import struct
import threading
from typing import Final

from gtp import gogui, syntax
from gtp.ruler import Ruler
from gtp.session import Session

SECONDS: Final = 5.0
"""For a question and its answer; the program answers at once, even while it thinks."""
MAX_QUESTION: Final = syntax.MAX_LINE


def default_name() -> str:
    """What the children of one parent share."""
    return f"phantomgo-{os.getuid() if hasattr(os, 'getuid') else 0}-{os.getppid()}"


class Sharing:
    """One process's part in it.

    Args:
        name: under which the program is found.
    """

    def __init__(self, name: str) -> None:
        self._address = b"\0" + name.encode()
        self._listener: socket.socket | None = None

    def heard(self, line: bytes, session: Session) -> str | None:
        """Note a controller's line before it is run; a line to run before it, if any."""
        parsed, ruling = syntax.parse(line), isinstance(session.role, Ruler)
        if parsed is None or not parsed.name.startswith(gogui.PREFIX) or ruling:
            return None
        if parsed.name in gogui.ASKED_OF_ALL:
            self._listen(session)
            return None
        self.close()
        return "phantom-seat ruler" if self._found() else None

    def ask(self, line: str) -> str | None:
        """The program's answer to a ruler's question; None if there is no program."""
        try:
            with self._connected() as program:
                program.sendall(line.encode() + b"\n")
                with program.makefile("rb") as answer:
                    return answer.read().decode("utf-8", "replace") or None
        except OSError:
            return None

    def close(self) -> None:
        """Leave the name."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):  # wakes the thread that accepts
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def _connected(self) -> socket.socket:
        program = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        program.settimeout(SECONDS)
        try:
            program.connect(self._address)
        except OSError:
            program.close()
            raise
        return program

    def _found(self) -> bool:
        try:
            self._connected().close()
        except OSError:
            return False
        return True

    def _listen(self, session: Session) -> None:
        """Take the name, unless somebody has it or there are no such names here."""
        if self._listener is not None or not hasattr(socket, "SO_PEERCRED"):
            return
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.bind(self._address)
            listener.listen()
        except OSError:
            listener.close()
            return
        self._listener = listener
        threading.Thread(target=self._serve, args=(listener, session), daemon=True).start()

    def _serve(self, listener: socket.socket, session: Session) -> None:
        while True:
            try:
                ruler, _ = listener.accept()
            except OSError:  # closed
                return
            with ruler, contextlib.suppress(OSError):
                ruler.settimeout(SECONDS)
                if _user(ruler) == os.getuid():
                    self._answer(ruler, session)

    def _answer(self, ruler: socket.socket, session: Session) -> None:
        with ruler.makefile("rb") as question:
            line = question.readline(MAX_QUESTION)
        if line.endswith(b"\n"):
            ruler.sendall(session.show(line).encode())


def _user(peer: socket.socket) -> int:
    """Who is at the other end: an abstract name is open to every user of the machine."""
    credentials = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _process, user, _group = struct.unpack("3i", credentials)
    return int(user)
