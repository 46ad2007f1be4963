"""A whole game driven by a client that nobody here wrote: Sabaki's GTP library.

Opt-in, because it comes from npm: run `npm install @sabaki/gtp` in any folder and name that folder
in SABAKI_GTP. SABAKI_BOT names the bot that plays White (default: random).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.naive import NaiveGo
from tests.support.places import ROOT

FOLDER = os.environ.get("SABAKI_GTP")


@pytest.mark.skipif(FOLDER is None, reason="SABAKI_GTP names no folder with @sabaki/gtp in it")
def test_a_whole_game_under_sabakis_controller():
    bot = os.environ.get("SABAKI_BOT", "random")
    server = [sys.executable, "-m", "phantomgo", "gtp", "--seed", "5", "--bot", bot]
    done = subprocess.run(
        ["node", str(ROOT / "tests/sabaki/game.js"), "7", *server],
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
