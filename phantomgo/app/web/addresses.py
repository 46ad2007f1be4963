"""Where a server listens, what people call it, and the addresses that its options name."""

import ipaddress
import re
import socket
from collections.abc import Sequence
from typing import Final, NamedTuple

from phantomgo.errors import BadText

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
EVERYWHERE: Final = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}
"""The addresses of all interfaces, each with one that is reserved for documentation (RFC 5737 and
3849): the interface that would reach it is the one to the network."""


class Place(NamedTuple):
    """The address of a server, inside and outside.

    Attributes:
        host: the address it listens at.
        port: the port.
        url: what people call it, without a path.
        names: the host names it answers to.
        shared: other devices can reach it by this URL.
    """

    host: str
    port: int
    url: str
    names: frozenset[str]
    shared: bool


def place(
    host: str | None, port: int, *, lan: bool, address: str | None, names: Sequence[str]
) -> Place:
    """Return the place that these options describe."""
    listened = "0.0.0.0" if lan else host or LOOPBACK[1]
    named = own_address(listened) if listened in EVERYWHERE else listened
    answered = {*LOOPBACK, named, listened, *(host_name("names", name) for name in names)}
    url = f"http://{f'[{named}]' if ':' in named else named}:{port}"
    if address is not None:
        url, outer = outside(address)
        answered.add(outer)
    return Place(listened, port, url, frozenset(answered), lan or address is not None)


def proxies(texts: Sequence[str]) -> tuple[str, ...]:
    """Return addresses and networks, from texts with one or several between commas."""
    networks = tuple(piece.strip() for text in texts for piece in text.split(","))
    for piece in networks:
        try:
            ipaddress.ip_network(piece)
        except ValueError:
            raise BadText(
                f"proxy {piece[:60]!r} is not an IP address, or a network as 10.0.0.0/8"
            ) from None
    return networks


def outside(url: str) -> tuple[str, str]:
    """Return `http://HOST[:PORT]` or `https://HOST[:PORT]`, and the name of its host."""
    match = re.fullmatch(r"(https?://([\w.-]+|\[[0-9a-fA-F:]+\])(:[0-9]{1,5})?)/?", url)
    if match is None or int((match[3] or ":1")[1:]) not in range(1, 65536):
        raise BadText(f"address {url[:60]!r} is not http://HOST[:PORT] or https://HOST[:PORT]")
    return match[1], host_name("address", match[2])


def host_name(what: str, text: str) -> str:
    """Return the name of a host as browsers send it: lower case, no letters beyond ASCII."""
    name = text.strip("[]")
    try:
        if not re.fullmatch(r"[\w.-]+", name):
            ipaddress.ip_address(name)
        return name.encode("idna").decode().lower()
    except ValueError:
        raise BadText(f"{what} {text[:60]!r} is not a host name, as go.example.org") from None


def own_address(everywhere: str) -> str:
    """Return the address of this machine in its network, as IPv4 or IPv6; else the loopback one."""
    six = ":" in everywhere
    with socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # This sends nothing: it only chooses an interface.
            probe.connect((EVERYWHERE[everywhere], 9))
        except OSError:
            return LOOPBACK[2 if six else 1]
        return str(probe.getsockname()[0])
