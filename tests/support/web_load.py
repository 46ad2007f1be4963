"""Players who are not there: many tables of two clients, each with the page's own traffic.

`python -m tests.support.web_load PORT TABLES SECONDS [SIZE [BOTS]]` plays, at BOTS of the tables
against a bot of the level `medium`, at a server on this machine. It prints, as JSON, how many games
and attempts there were, what the clients were told of each table, and the seconds that they waited
for each answer.
"""

import asyncio
import contextlib
import json
import random
import re
import subprocess
import sys
import time
from urllib.parse import urlencode

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from tests.support.places import ROOT
from tests.support.waiting import free_port

THINKING = 2.0
"""Seconds a client takes for an attempt, on average."""
ARRIVING = 10.0
"""Seconds in which all of them arrive."""
ADDRESSES = 200
"""Addresses of this machine from which clients lay tables, as an address may lay only so many."""


def serve(port, data, *words):
    """Start the command of the server in a process of its own."""
    command = [sys.executable, "-m", "phantomgo", "web", "--port", str(port), "--data", str(data)]
    process = subprocess.Popen([*command, *words], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert "Tables are at" in process.stdout.readline()
    return process


def end(process):
    process.kill()
    process.communicate()


@contextlib.contextmanager
def serving(tmp_path, *words):
    """The same for a block; the value is the server's port."""
    port = free_port()
    process = serve(port, tmp_path / "tables.db", *words)
    try:
        yield port
    finally:
        end(process)


class Connection:
    """Requests to the server, one after another on one connection."""

    GONE = (OSError, asyncio.IncompleteReadError, IndexError)
    """The exceptions of a request while the server is down."""

    def __init__(self, port, source="127.0.0.1"):
        self.host = f"127.0.0.1:{port}"
        self.port, self.source, self.streams = port, source, None

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        self.close()

    def close(self):
        if self.streams is not None:
            self.streams[1].close()
        self.streams = None

    async def ask(self, method, path, fields=None):
        """Status, location and text; asked again once if the connection has been closed."""
        for again in (True, False):
            try:
                return await self._ask(method, path, fields)
            except self.GONE:
                self.close()
                if not again:
                    raise
        return None

    async def _ask(self, method, path, fields):
        if self.streams is None:
            self.streams = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.source, 0)
            )
        reader, writer = self.streams
        body = urlencode(fields or {}).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nOrigin: http://{self.host}\r\n"
        head += f"X-Part: 1\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode()
        found = re.search(r"content-length: (\d+)", answer)
        text = (await reader.readexactly(int(found[1]))).decode() if found else ""
        location = re.search(r"location: (\S+)", answer)
        return int(answer.split()[1]), location and location[1], text


class Client:
    """One player: listens for versions, fetches the page, attempts a random point."""

    def __init__(self, port, base, told, waits):
        self.port, self.base, self.told, self.waits = port, base, told, waits
        self.http = Connection(port)
        self.over = False

    async def play(self, until):
        while not self.over and time.monotonic() < until:
            try:
                origin = Origin(f"http://127.0.0.1:{self.port}")
                address = f"ws://127.0.0.1:{self.port}{self.base}/live"
                async with connect(address, origin=origin, compression=None) as page:
                    await self._listen(page, until)
            except (*Connection.GONE, ConnectionClosed, InvalidHandshake):
                await asyncio.sleep(0.2)

    async def _listen(self, page, until):
        while not self.over and time.monotonic() < until:
            try:
                await asyncio.wait_for(page.recv(), 1)
            except TimeoutError:
                continue
            await self._look()

    async def _look(self):
        _, _, text = await self.http.ask("GET", self.base + "/part")
        self.over = 'class="table over' in text
        free = re.findall(r'value="(\w\d+)" aria-label="\w+: empty', text)
        known = re.search(r'name="known" value="(\d+)"', text)
        if self.over or 'value="attempt"' not in text or known is None:
            return
        await asyncio.sleep(random.uniform(0, 2 * THINKING))
        fields = {"known": known[1], "do": "pass"}
        if free and random.random() < 0.9:
            fields |= {"do": "attempt", "point": random.choice(free)}
        began = time.perf_counter()
        status, _, _ = await self.http.ask("POST", self.base + "/do", fields)
        self.waits.append(time.perf_counter() - began)
        if fields["do"] == "pass":  # the last one is asked about
            await self.http.ask("POST", self.base + "/do", fields | {"do": "yes"})
        if status == 204:  # the server has it, come what may
            self.told.append((self.base, int(known[1])))


async def table(port, until, told, waits, size, opponent, source):
    """Games at one table after another."""
    games = 0
    await asyncio.sleep(random.uniform(0, ARRIVING))
    while time.monotonic() < until:
        try:
            seats = await lay(Connection(port, source), size, opponent)
        except Connection.GONE:
            seats = []
        if not seats:
            await asyncio.sleep(0.5)
            continue
        clients = [Client(port, base, told, waits) for base in seats]
        await asyncio.gather(*(client.play(until) for client in clients))
        games += all(client.over for client in clients)
    return games


async def lay(http, size, opponent):
    """The addresses of the seats at a new table; none if the server refuses one now."""
    fields = {"opponent": opponent, "colour": "black", "size": str(size), "helped": "on"}
    status, black, _ = await http.ask("POST", "/tables", fields)
    if status != 303:
        return []
    if opponent != "person":
        return [black]
    _, _, page = await http.ask("GET", black)
    invite = re.search(r'href="(/table/\d+/invite-[^"]*)"', page)[1]
    return [black, (await http.ask("POST", invite, {"name": "W"}))[1]]


def clocks(page):
    return [float(left) for left in re.findall(r'data-left="([\d.]+)"', page)] or [0.0, 0.0]


def known_of(page):
    return re.search(r'name="known" value="(\d+)"', page)[1]


async def one_turn(http, base, page, stream):
    """One attempt, and what came until the turn was one's own again; None if it was refused."""
    _, _, before = await http.ask("GET", base + "/part")
    free = re.findall(r'value="(\w\d+)" aria-label="\w+: empty', before)
    began = time.perf_counter()
    fields = {"do": "attempt", "known": known_of(before), "point": free[stream.below(len(free))]}
    await http.ask("POST", base + "/do", fields)
    after, times, sizes = before, [], []
    while "<h1>Your turn" not in after or not times:
        sizes.append(len(await page.recv()))
        times.append(time.perf_counter() - began)
        _, _, after = await http.ask("GET", base + "/part")
        if "is refused" in after and "<h1>Your turn" in after and times[-1] < 0.2:
            return None
    spent = [old - new for old, new in zip(clocks(before), clocks(after), strict=True)]
    return [*spent, times[-1], sum(sizes), len(sizes), len(after) - len(before)]


async def main(port, tables, seconds, size=9, bots=0):
    told, waits = [], []
    until = time.monotonic() + seconds
    opponents = ["medium"] * bots + ["person"] * (tables - bots)
    games = await asyncio.gather(
        *(
            table(port, until, told, waits, size, one, f"127.0.0.{1 + number % ADDRESSES}")
            for number, one in enumerate(opponents)
        )
    )
    known = {}
    for base, events in told:
        known[base] = max(known.get(base, 0), events + 1)
    return {"games": sum(games), "attempts": len(told), "known": known, "waits": waits}


if __name__ == "__main__":
    port, tables, seconds, *size = map(int, sys.argv[1:])
    json.dump(asyncio.run(main(port, tables, seconds, *size)), sys.stdout)
