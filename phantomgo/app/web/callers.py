"""Who asks, by their address, and how much of the server they have: bounded for each of them."""

import ipaddress
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

REMEMBERED: Final = 10_000
"""Addresses of which a rate is known at the same time."""


def caller(host: str) -> str:
    """Whom the limits of an address hold for: one IPv4 address, or one IPv6 network of 64 bits."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address.packed, 64), strict=False))


def within(times: list[float], most: int, seconds: float, now: float) -> bool:
    """Whether one more is within the limit of so many in so many seconds; it is counted then."""
    times[:] = [then for then in times if now - then < seconds]
    if len(times) >= most:
        return False
    times.append(now)
    return True


class Rate:
    """How often each caller did something lately; those who did nothing lately are forgotten."""

    def __init__(self, most: int, seconds: float) -> None:
        """Args: most, seconds: each caller may do it so often in so much time."""
        self._most, self._seconds = most, seconds
        self._times: dict[str, list[float]] = {}
        self._swept = 0.0

    def __len__(self) -> int:
        """How many callers are remembered."""
        return len(self._times)

    def allows(self, who: str, now: float) -> bool:
        """Whether a caller may do it once more; it is counted then."""
        if now - self._swept >= self._seconds:
            self._swept = now
            lately = now - self._seconds
            self._times = {who: ts for who, ts in self._times.items() if ts and ts[-1] > lately}
        times = self._times.pop(who, [])
        self._times[who] = times
        if len(self._times) > REMEMBERED:
            del self._times[next(iter(self._times))]  # who has done nothing for longest
        return within(times, self._most, self._seconds, now)


class Held:
    """How many things each caller holds at the moment."""

    def __init__(self, most: int) -> None:
        """Args: most: things that each caller may hold."""
        self._most = most
        self._held: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many callers hold something."""
        return len(self._held)

    @contextmanager
    def one(self, who: str) -> Iterator[bool]:
        """A block in which a caller holds one more; whether they may."""
        if self._held[who] >= self._most:
            yield False
            return
        self._held[who] += 1
        try:
            yield True
        finally:
            self._held[who] -= 1
            self._held += Counter()  # forgets who holds nothing
