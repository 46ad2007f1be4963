"""A club evening as it happens: 16 phones, four Swiss rounds, the server killed in each of them.

One player comes late, one goes away from a game, and one leaves before the last round.
"""

import asyncio
import random
import re
import subprocess
import sys
import time
from collections import Counter

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from tests.support.places import ROOT
from tests.support.waiting import PATIENCE, free_port
from tests.support.web_load import Connection

GONE = 5
"""The player who goes away from the game of the third round: their opponent claims it."""
POINTS = {
    colour: [f"{column}{row}" for row in rows for column in "ABCDE"]
    for colour, rows in (("Black", (5, 4)), ("White", (1, 2)))
}
"""Nobody is refused and nothing is captured, so nobody may see a stone of the other one."""


class Club:
    """The server, which may be killed and started again, and requests that outlast that."""

    def __init__(self, data):
        self.port, self.data, self.kills = free_port(), data, 0
        self.attempts, self.leaks = 0, []
        self.process = None
        self.connections = []

    def connection(self):
        self.connections.append(Connection(self.port))
        return self.connections[-1]

    def start(self):
        command = ["-m", "phantomgo", "web", "--port", str(self.port), "--data", str(self.data)]
        self.process = subprocess.Popen(
            [sys.executable, *command], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert "Tables are at" in self.process.stdout.readline()

    def kill(self):
        self.process.kill()
        self.process.communicate()

    async def kill_after(self, attempts):
        """Kill the server in the middle of a round, and start it again."""
        while self.attempts < attempts:
            await asyncio.sleep(0.01)
        self.kills += 1
        self.kill()
        await asyncio.to_thread(self.start)

    async def ask(self, http, method, path, **fields):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return await http.ask(method, path, fields)
            except (OSError, asyncio.IncompleteReadError, IndexError):
                assert time.monotonic() < deadline, "the server never came back"
                await asyncio.sleep(0.05)


class Phone:
    """A player: finds their table, makes two moves or more, and loses to all of lower numbers."""

    def __init__(self, club, number, home):
        self.club, self.number, self.home = club, number, home
        self.http = club.connection()

    async def ask(self, method, path, **fields):
        return await self.club.ask(self.http, method, path, **fields)

    async def place(self):
        """The colour and the opponent; None for who waits or has a bye."""
        _, _, page = await self.ask("GET", self.home)
        found = re.search(r"<h1[^>]*>Table \d+: you play (\w+) against p(\d+)</h1>", page)
        return found and (found[1], int(found[2]))

    async def play(self, gone=None):
        """Play this round's game, of which one player goes away, or see that there is none."""
        found = await self.place()
        if found is None:
            return None
        colour, opponent = found
        status, seat, _ = await self.ask("POST", f"{self.home}/do", do="sit")
        assert status == 303
        if gone == self.number:
            await self.come_and_go(seat)
        waits = gone in (self.number, opponent)
        while not await self.is_over(seat, colour, waits=waits, loses=opponent < self.number):
            await asyncio.sleep(0.2 if waits else 0.02)
        return colour, opponent

    async def come_and_go(self, seat):
        """Open the page of a seat, and close it, before or after the server is killed."""
        host = f"127.0.0.1:{self.club.port}"
        await self.ask("GET", seat)
        try:
            async with connect(f"ws://{host}{seat}/live", origin=Origin(f"http://{host}")) as page:
                await page.recv()
        except (OSError, ConnectionClosed, InvalidHandshake):
            await asyncio.sleep(0.2)
            await self.come_and_go(seat)

    async def is_over(self, seat, colour, *, waits, loses):
        _, _, text = await self.ask("GET", f"{seat}/part")
        if 'class="table over' in text:
            return True
        other = {"Black": "White", "White": "Black"}[colour]
        if f"{other} stone" in text:
            self.club.leaks.append(seat)
        known = re.search(r'name="known" value="(\d+)"', text)
        if 'value="claim"' in text:
            for what in ("claim", "yes"):
                await self.ask("POST", f"{seat}/do", do=what, known=known[1])
            return False
        if waits and self.number == GONE:
            return False
        if 'value="attempt"' not in text or known is None:
            return False
        made = len(re.findall(rf'aria-label="\w+: {colour} stone', text))
        if waits and made >= 1:
            return False  # whoever went away is to move
        if loses and made >= 2:
            await self.ask("POST", f"{seat}/do", do="resign", known=known[1])
            await self.ask("POST", f"{seat}/do", do="yes", known=known[1])
            return False
        point = POINTS[colour][made]
        await self.ask("POST", f"{seat}/do", do="attempt", point=point, known=known[1])
        self.club.attempts += 1
        return False


async def evening(club, chance):
    http = club.connection()
    fields = {"size": "5", "minutes": "0", "pairing": "swiss"}
    status, organiser, _ = await club.ask(http, "POST", "/evenings", **fields)
    assert status == 303
    _, _, page = await club.ask(http, "GET", organiser)
    join = re.search(r'href="[^"]*(/evening/\d+/join/[^"]*)"', page)[1]
    phones, met, points = [], [], Counter[int]()

    async def joins():
        number = len(phones)
        _, home, _ = await club.ask(http, "POST", f"{join}/do", do="join", name=f"p{number}")
        phones.append(Phone(club, number, home))

    for _ in range(15):
        await joins()
    for number in range(1, 5):
        if number == 2:
            await joins()
        if number == 4:
            await phones[7].ask("POST", f"{phones[7].home}/do", do="leave")
        _, _, page = await club.ask(http, "GET", organiser)
        known = re.search(r'name="known" value="(\d+)"', page)[1]
        await club.ask(http, "POST", f"{organiser}/do", do="start", known=known)
        killer = asyncio.create_task(club.kill_after(club.attempts + chance.randrange(1, 25)))
        gone = GONE if number == 3 else None
        found = await asyncio.gather(*(phone.play(gone) for phone in phones))
        await killer
        met += check_round(found, gone={7} if number == 4 else set())
        for player, place in enumerate(found):
            if place is None:
                points[player] += 2 * (number < 4 or player != 7)
            else:
                one, other = sorted((player, place[1]))
                points[other if one == gone else one] += 1  # half a point, as both say so
    assert len({*met}) == len(met), "nobody meets anybody twice"
    _, _, page = await club.ask(http, "GET", organiser)
    table = page.rpartition("<tbody>")[2].split("</tr>")[:-1]
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in table]
    assert {row[1]: 2 * float(row[2]) for row in rows} == {f"p{n}": points[n] for n in range(16)}
    for connection in club.connections:
        connection.close()


def check_round(found, gone):
    """The meetings of a round in which everybody plays one other player, but for one of an odd."""
    for player, place in enumerate(found):
        if place is not None:
            colour, opponent = place
            assert found[opponent] == ({"Black": "White", "White": "Black"}[colour], player)
    waiting = {player for player, place in enumerate(found) if place is None} - gone
    assert len(waiting) == (len(found) - len(gone)) % 2
    return {frozenset((player, place[1])) for player, place in enumerate(found) if place}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_an_evening_of_sixteen_killed_in_every_round(seed, tmp_path):
    club = Club(tmp_path / "tables.db")
    club.start()
    try:
        asyncio.run(asyncio.wait_for(evening(club, random.Random(seed)), 2 * PATIENCE))
    finally:
        club.kill()
    assert club.kills == 4
    assert club.leaks == []
