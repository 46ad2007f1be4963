"""Closes connections that send no request, for which uvicorn has no timeout.

TCP_NODELAY is set too: asyncio does so only for sockets that name TCP as their protocol, which
those of `socket.create_server` do not.
"""

import asyncio
import socket
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD: Final = 10.0
"""Seconds in which the head of a request has to arrive, from the opening or from its first byte."""


class HastyProtocol(H11Protocol):
    """Uvicorn's HTTP, with a deadline for the head of a request."""

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
