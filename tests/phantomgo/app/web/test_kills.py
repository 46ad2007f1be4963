"""A server that is killed again and again while many games are played."""

import json
import subprocess
import sys
import time

import pytest

from tests.support.places import ROOT
from tests.support.waiting import free_port
from tests.support.web_tools import Site

pytest.importorskip("uvicorn")

KILLS = 8

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


async def test_nothing_is_lost_at_kills(tmp_path):
    """What a client was told has happened is there after the server was killed, each time."""
    port, data = free_port(), tmp_path / "tables.db"
    serve = [sys.executable, "-m", "phantomgo", "web", "--port", str(port), "--data", str(data)]
    load = [sys.executable, "-m", "tests.support.web_load", str(port), "20", "32", "9"]
    server = subprocess.Popen(serve, stdout=subprocess.PIPE, cwd=ROOT)
    server.stdout.readline()
    time.sleep(1)
    clients = subprocess.Popen(load, stdout=subprocess.PIPE, cwd=ROOT)
    for _ in range(KILLS):
        time.sleep(2.5)
        server.kill()
        server.communicate()
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, cwd=ROOT)
        server.stdout.readline()
    out, _ = clients.communicate()
    server.kill()
    server.communicate()
    result = json.loads(out)
    site = Site(data)
    for base, known in result["known"].items():
        _, _, number, role, token = base.split("/")
        found = site.registry.enter(int(number), role, token)
        assert found is not None
        session, client = found
        assert len(client.game.view(min(client.seats)).events) >= known
        moments = [moment.view(min(client.seats)) for moment in session.game.moments]
        assert moments[-1] == client.game.view(min(client.seats))
    site.journal.close()
    sys.stderr.write(f"{KILLS} kills: {result['attempts']} attempts, nothing lost\n")
    assert result["attempts"] > 40
