"""Whole games and analysis read by a client that nobody here wrote: Sabaki's.

Opt-in, because it comes from npm: run `npm install @sabaki/gtp @sabaki/go-board` in any folder and
name that folder in SABAKI_GTP. SABAKI_BOT names the bot that plays White (default: random).
SABAKI_SOURCE names a checkout of Sabaki (0.60.2 or later), whose parser reads our analysis.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots import make
from phantomgo.points import WHITE, parse_move
from phantomgo.rules import Rules
from tests.support.gtp_tools import hosting, run, session
from tests.support.naive import NaiveGo
from tests.support.places import ROOT

FOLDER = os.environ.get("SABAKI_GTP")
SOURCE = os.environ.get("SABAKI_SOURCE")


needs_sabaki = pytest.mark.skipif(
    FOLDER is None, reason="SABAKI_GTP names no folder with @sabaki/gtp in it"
)


@needs_sabaki
@pytest.mark.parametrize("way", ["play", "sync"])
def test_a_whole_game_under_sabakis_controller(way):
    bot = os.environ.get("SABAKI_BOT", "random")
    server = [sys.executable, "-m", "phantomgo", "gtp", "--seed", "5", "--bot", bot]
    done = subprocess.run(
        ["node", str(ROOT / "tests/sabaki/game.js"), way, "7", *server],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd=ROOT,
        env={**os.environ, "NODE_PATH": str(Path(FOLDER or "") / "node_modules")},
    )
    assert (done.returncode, done.stderr) == (0, "")
    game = json.loads(done.stdout)
    assert game["refusals"] > 0
    assert game["retold"] > (game["refusals"] if way == "sync" else 0)
    assert game["captured"] + game["lost"] > 0
    assert set(game["genmoves"]) == {"pass"}

    naive = NaiveGo(9)
    for row, marks in enumerate(reversed(game["board"])):
        for column, mark in enumerate(marks):
            if mark != ".":
                naive.stones[row, column] = {"X": "b", "O": "w"}[mark]
    margin = naive.score() - 7.5
    assert game["score"] == f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"
    assert sum(len(chain.split()) for chain in game["alive"]) == len(naive.stones)


@needs_sabaki
@pytest.mark.skipif(SOURCE is None, reason="SABAKI_SOURCE names no checkout of Sabaki")
@pytest.mark.parametrize(("command", "form"), [("kata", "float"), ("lz", "integer")])
def test_sabaki_reads_our_analysis(command, form):
    moves = {WHITE: [parse_move(word, 5) for word in ("C4", "D4")]}
    bot = make("flatmc:playouts=800", 0)
    server = session(moves, rules=Rules(size=5), analyst=lambda _: bot)
    run(server, "play b C3", "genmove w", "play b C4")
    server.run(f"{command}-analyze b 10")  # as Sabaki asks
    lines = list(server.stream.lines)
    done = subprocess.run(
        ["node", str(ROOT / "tests/sabaki/analysis.mjs"), FOLDER, SOURCE, form],
        input="\n".join(lines), capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    decision = bot.decide(hosting(server).seen("b"))
    *_, last = json.loads(done.stdout)
    assert len(last) == len(decision.candidates)
    for read, one in zip(last, decision.candidates, strict=True):
        column, row = one.point % 5, 4 - one.point // 5
        assert read["vertex"] == [column, row]
        assert read["moves"] == [[column, row]]
        assert read["visits"] == one.visits
        assert read["winrate"] == pytest.approx(100 * one.value, abs=0.01)
        if command == "kata":
            assert read["scoreLead"] == pytest.approx(one.lead, abs=0.01)
