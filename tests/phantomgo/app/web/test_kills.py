"""A server that is killed again and again while games are played."""

import http.client
import random
import re
import threading
import time
from urllib.parse import urlencode

import pytest

from tests.support.waiting import PATIENCE, free_port
from tests.support.web_tools import Site, end, serve

KILLS, TABLES = 5, 6

pytestmark = pytest.mark.slow


class Players(threading.Thread):
    """Two people at one table, who attempt random points.

    Attributes:
        told: by seat, how many messages their player has been told are kept.
    """

    def __init__(self, port):
        super().__init__()
        self.port, self.told, self.over = port, {}, threading.Event()

    def run(self):
        _, black, _ = self.ask("POST", "/tables", opponent="person", colour="black")
        _, _, page = self.ask("GET", black)
        invitation = re.search(r'href="(/table/\d+/invite-[^"]*)"', page)[1]
        seats = black, self.ask("POST", invitation, name="W")[1]
        while not self.over.is_set():
            for seat in seats:
                try:
                    self.attempt(seat)
                except (OSError, http.client.HTTPException):
                    time.sleep(0.05)

    def attempt(self, seat):
        """Attempt a free point if it is this seat's turn; note it if the server confirms it."""
        _, _, page = self.ask("GET", f"{seat}/part")
        known = int((re.search(r'name="known" value="(\d+)"', page) or [0, 0])[1])
        points = re.findall(r'value="(\w\d+)" aria-label="\w+: empty', page)
        if 'value="attempt"' in page and points:
            what = {"do": "attempt", "point": random.choice(points), "known": known}
            if self.ask("POST", f"{seat}/do", **what)[0] == 204:
                self.told[seat] = known + 1

    def ask(self, method, path, **fields):
        """Status, location and text of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = {"Origin": f"http://127.0.0.1:{self.port}"}
            headers |= {"X-Part": "1"} if method == "POST" else {}  # with empty points otherwise
            connection.request(method, path, urlencode(fields), headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("location"), answer.read().decode()
        finally:
            connection.close()


async def test_nothing_is_lost_at_kills(tmp_path):
    """What a client was told has happened is there after the server was killed, each time."""
    port, data = free_port(), tmp_path / "tables.db"
    server = serve(port, data)
    tables = [Players(port) for _ in range(TABLES)]
    for table in tables:
        table.start()
    for _ in range(KILLS):
        time.sleep(1 + random.random())
        end(server)
        server = serve(port, data)
    time.sleep(1)
    for table in tables:
        table.over.set()
        table.join()
    end(server)
    site = Site(data)
    told = {seat: known for table in tables for seat, known in table.told.items()}
    for seat, known in told.items():
        _, _, number, role, token = seat.split("/")
        session, client = site.registry.enter(int(number), role, token)
        [colour] = client.seats
        assert len(client.game.view(colour).events) >= known
        assert session.game.moments[-1].view(colour) == client.game.view(colour)
    site.journal.close()
    assert len(told) == 2 * TABLES
    assert sum(told.values()) > 20 * KILLS
