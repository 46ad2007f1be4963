"""Many tables at once, many games in a row, and a server that is killed again and again."""

import json
import os
import resource
import subprocess
import sys
import time

import pytest

from phantomgo.points import BLACK, PASS, vertex
from phantomgo.rng import Stream
from tests.support.places import ROOT
from tests.support.waiting import free_port
from tests.support.web_load import serving
from tests.support.web_tools import Site

pytest.importorskip("uvicorn")

TABLES = 200
GAMES = int(os.environ.get("GAMES", "1000"))
KILLS = 20

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


def percentile(seconds, share):
    return 1000 * sorted(seconds)[int(share * len(seconds))]


@pytest.mark.parametrize("bots", [0, TABLES // 2])
def test_many_tables_at_once(tmp_path, bots):
    """Every one of 200 tables gets its part of the server; what clients waited is printed."""
    with serving(tmp_path) as port:
        command = [sys.executable, "-m", "tests.support.web_load", str(port), str(TABLES)]
        command += ["40", "9", str(bots)]
        done = subprocess.run(command, capture_output=True, cwd=ROOT, check=True)
    result = json.loads(done.stdout)
    middle, high = (percentile(result["waits"], share) for share in (0.5, 0.99))
    sys.stderr.write(
        f"{TABLES} tables, {bots} of bots, {result['attempts']} attempts:"
        f" median {middle:.1f} ms, 99 % within {high:.1f} ms\n"
    )
    assert result["attempts"] > 5 * TABLES
    counts = sorted(result["known"].values())
    assert len(counts) >= 2 * TABLES - bots
    assert counts[0] >= 1
    assert counts[len(counts) // 10] >= counts[len(counts) // 2] / 4


async def test_an_attempt_and_its_pages_cost_little(tmp_path):
    """Processor time of an attempt and of the two pages fetched for it, at 200 open tables."""
    site, stream = Site(tmp_path / "tables.db"), Stream(1)
    pairs = []
    for _ in range(TABLES):
        black = await site.lay(opponent="person", size="9")
        pairs.append((black, await site.invited(black)))
    costs = []
    for _ in range(20):
        for black, white in pairs:
            base = black if site.session(black).game.to_move is BLACK else white
            known = site.session(base).client(base.split("/")[3]).state.known
            fields = {"do": "attempt", "point": vertex(stream.below(81), 9), "known": known}
            began = time.process_time()
            await site.post(base + "/do", **fields)
            for path in (black, white):
                await site.get(path + "/part")
            costs.append(time.process_time() - began)
    sys.stderr.write(
        f"an attempt and two pages: {percentile(costs, 0.5):.1f} ms of processor time,"
        f" 99 % within {percentile(costs, 0.99):.1f} ms\n"
    )
    assert percentile(costs, 0.99) < 50
    site.journal.close()


async def games(site, count, stream):
    """So many games of random attempts on 3x3."""
    for _ in range(count):
        black = await site.lay(opponent="person", size="3")
        white = await site.invited(black)
        session = site.session(black)
        while session.game.outcome is None:
            base = black if session.game.to_move is BLACK else white
            move = stream.below(10) - 1
            what = {"do": "pass"} if move == PASS else {"do": "attempt", "point": vertex(move, 3)}
            known = session.client(base.split("/")[3]).state.known
            await site.post(base + "/do", known=known, **what)
        await site.get(black)
        site.time += 1000
        site.registry.close_idle()


async def test_memory_stays_flat_over_many_games(tmp_path):
    site, stream = Site(tmp_path / "tables.db"), Stream(1)
    await games(site, GAMES // 4, stream)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    await games(site, GAMES - GAMES // 4, stream)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sys.stderr.write(f"{GAMES} games: {before // 1024} MB, then {after // 1024} MB\n")
    assert len(site.registry.sessions) <= 1
    assert after - before < 8 * 1024
    site.journal.close()


async def test_nothing_is_lost_at_kills(tmp_path):
    """What a client was told has happened is there after the server was killed, each time."""
    port, data = free_port(), tmp_path / "tables.db"
    serve = [sys.executable, "-m", "phantomgo", "web", "--port", str(port), "--data", str(data)]
    load = [sys.executable, "-m", "tests.support.web_load", str(port), "20", "75", "9"]
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
    assert result["attempts"] > 100
