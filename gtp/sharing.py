"""The connection between the two processes that GoGui starts of one command.

Both are children of the same GoGui. The program listens under a name made of the user and that
parent; the ruler sends it queries. A name is a socket in Linux's abstract namespace: taking it is
atomic, no file is created, and it is free again as soon as its process ends. Other systems have no
such names, and GoGui shows no ruler's board there.

    a process asked for `gogui-rules_game_id`      takes the name and answers under it
    a process asked for any other ruler's query    gives the name up, and becomes a ruler if
                                                   another process has it

A query is one line; the answer lasts until the end of the connection. `Session.show` answers, from
what the program has sent its controller.
"""

import contextlib
import os
import socket
import struct
import threading
from typing import Final

from gtp import ruler, syntax
from gtp.session import Session
from phantomgo.system import user

SECONDS: Final = 5.0
"""Time-out of a query and its answer; the program answers at once, even while it thinks."""


def default_name() -> str:
    """The name that children of one parent share."""
    return f"phantomgo-{user()}-{os.getppid()}"


class Sharing:
    """One process's side of the connection.

    Attributes:
        second: another process had the name when this one would have taken it: it is probably the
            program, and this one a ruler.
    """

    def __init__(self, name: str) -> None:
        """`name` is the one under which the program is found."""
        self.second = False
        self._address = b"\0" + name.encode()
        self._listener: socket.socket | None = None

    def heard(self, line: bytes, session: Session) -> str | None:
        """Look at a controller's line before it is run; returns a line to run first, if any."""
        parsed, ruling = syntax.parse(line), isinstance(session.role, ruler.Ruler)
        if parsed is None or not parsed.name.startswith(ruler.PREFIX) or ruling:
            return None
        if parsed.name in ruler.ASKED_OF_ALL:
            self._listen(session)
            return None
        self.close()
        return "phantom-seat ruler" if self.ask("") else None

    def ask(self, line: str) -> str | None:
        """The program's answer to a ruler's query; None if there is no program."""
        if not hasattr(socket, "SO_PEERCRED"):
            return None
        program = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with contextlib.suppress(OSError), program:
            program.settimeout(SECONDS)
            program.connect(self._address)
            if _user(program) != user():
                return None
            program.sendall(line.encode() + b"\n")
            with program.makefile("rb") as answer:
                return answer.read().decode("utf-8", "replace") or None
        return None

    def close(self) -> None:
        """Give the name up."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):  # wakes the thread that accepts
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def _listen(self, session: Session) -> None:
        """Take the name, unless it is taken or there are no such names here."""
        if self._listener is not None or not hasattr(socket, "SO_PEERCRED"):
            return
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.bind(self._address)
            listener.listen()
        except OSError:
            listener.close()
            self.second = True
            return
        self.second, self._listener = False, listener
        threading.Thread(target=self._serve, args=(listener, session), daemon=True).start()

    def _serve(self, listener: socket.socket, session: Session) -> None:
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:  # closed
                return
            with peer, contextlib.suppress(OSError):
                peer.settimeout(SECONDS)
                if _user(peer) == user():
                    with peer.makefile("rb") as query:
                        line = query.readline(syntax.MAX_LINE)
                    if line.endswith(b"\n"):
                        peer.sendall(session.show(line).encode())


def _user(peer: socket.socket) -> int:
    """The user at the other end: an abstract name is open to every user of the machine."""
    credentials = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _process, number, _group = struct.unpack("3i", credentials)
    return int(number)
