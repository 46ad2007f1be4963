"""Limits for each address: how often it does something, and how many things it has open."""

import ipaddress
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

REMEMBERED: Final = 10_000
"""The most addresses whose rates are remembered."""
AT_ONCE: Final = 2.0
"""The seconds whose share of work an address may ask for at once, after a rest."""


@lru_cache(REMEMBERED)
def address_key(host: str) -> str:
    """Return who the limits of an address apply to: an IPv4 address, or an IPv6 network of /64."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address.packed, 64), strict=False))


class RateLimit:
    """Limits how often each address does something; inactive addresses are forgotten."""

    def __init__(self, most: int, seconds: float) -> None:
        """Allow each address `most` times in any period of this many seconds."""
        self._most, self._seconds = most, seconds
        self._times: dict[str, list[float]] = {}
        self._swept = 0.0

    def allows(self, who: str, now: float) -> bool:
        """Return whether an address may do it once more; if so, it is counted."""
        lately = now - self._seconds
        if self._swept <= lately:
            self._swept = now
            self._times = {
                other: times for other, times in self._times.items() if times and times[-1] > lately
            }
        times = self._times[who] = [then for then in self._times.pop(who, []) if then > lately]
        if len(self._times) > REMEMBERED:
            del self._times[next(iter(self._times))]  # the one who has been inactive longest
        if len(times) >= self._most:
            return False
        times.append(now)
        return True


class WorkLimit:
    """Limits the part of the server's time that the answers to each address take."""

    def __init__(self, share: float) -> None:
        """Allow each address this part of the time, on an average over `AT_ONCE` seconds."""
        self._rate = 1000 * share
        self._asked: dict[str, tuple[float, float]] = {}

    def allows(self, who: str, now: float, work: float) -> bool:
        """Return whether an address may have this many milliseconds of work; if so, they count."""
        owed, then = self._asked.pop(who, (0.0, now))
        owed = max(0.0, owed - self._rate * (now - then))
        allowed = owed + work <= self._rate * AT_ONCE
        self._asked[who] = (owed + work if allowed else owed), now
        if len(self._asked) > REMEMBERED:
            del self._asked[next(iter(self._asked))]  # the one who has been inactive longest
        return allowed


class ConcurrencyLimit:
    """Limits how many things each address has open at a time."""

    def __init__(self, most: int) -> None:
        """Allow each address to have this many open."""
        self._most = most
        self._held: Counter[str] = Counter()

    @contextmanager
    def one(self, who: str) -> Iterator[bool]:
        """Count one more open thing of an address for a block; yields whether that is allowed."""
        if self._held[who] >= self._most:
            yield False
            return
        self._held[who] += 1
        try:
            yield True
        finally:
            self._held[who] -= 1
            self._held += Counter()  # forgets who holds nothing
