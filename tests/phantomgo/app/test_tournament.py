"""`phantomgo tournament` as people run it: failing players, kills, and where files go."""

import json
import random
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from gtp.engine import Patience
from phantomgo.app.cli import main
from phantomgo.game.recording import verify
from phantomgo.lab.matches.match_run import MatchStore
from phantomgo.lab.matches.sgf_folder import SgfFolder
from phantomgo.records.record_json import read_record
from tests.support.commands import started
from tests.support.engines import engine as engine_of

BOTS = """
[players.dice]
spec = "random"

[players.flat]
spec = "flatmc:playouts=5"
"""


def engine(name: str, kind: str, more: str = "") -> str:
    return f"\n[players.{name}]\nspec = {json.dumps(engine_of(*kind.split()))}\n{more}\n"


def write(folder: Path, table: str, players: str) -> Path:
    file = folder / "club.toml"
    file.write_text(f"[tournament]\nsize = 3\nkomi = 0.5\n{table}\n{players}")
    return file


def run(file: Path, capsys, *words: str, code: int = 0) -> str:
    assert main(["tournament", str(file), "--code", *words]) == code
    return capsys.readouterr().out


def results(folder: Path) -> dict:
    found = json.loads((folder / "club" / "results.json").read_text())
    del found["measured"]
    return found


def test_failing_players_forfeit_and_all_others_play(tmp_path, capsys, monkeypatch):
    # A slow machine starts it late.
    monkeypatch.setattr(Patience, "of", staticmethod(lambda seconds: Patience(move=seconds)))
    hangs = engine("hangs", "hangs", "patience = 0.2")
    absent = engine("absent", "dies at start")
    third = '\n[players.third]\nspec = "random"\n'
    alone = tmp_path / "alone"
    alone.mkdir()
    file = write(alone, "games = 2", BOTS + third)
    run(file, capsys)
    sound = results(alone)
    file = write(tmp_path, "games = 2\nfailures = 2", BOTS + third + absent + hangs)
    text = run(file, capsys)
    found = results(tmp_path)
    assert found["forfeits"] == {"absent": 8, "hangs": 6}
    assert found["set_aside"] == ["absent", "hangs"]
    assert "set aside" in text
    pairings = {tuple(p["players"]): p["pairs"] for p in found["pairings"]}
    for pairing in sound["pairings"]:
        assert pairings[tuple(pairing["players"])] == pairing["pairs"]
    assert (found["endings"]["stall"], found["games"]) == (2, 8)
    with MatchStore(str(tmp_path / "club" / "games.db")) as kept:
        for _, record in kept.numbered_records():
            verify(read_record(record))


def test_an_engine_that_never_began_may_be_repaired(tmp_path, capsys):
    """What others played stays; the games that it forfeited are played, and then it is bound."""
    told = [("dies at start", 2, 4), ("phantom", 6, None), ("seeded", 6, None)]
    kept = []
    for kind, games, forfeited in told:
        file = write(tmp_path, "sgf = true", BOTS + engine("third", kind))
        run(file, capsys, code=int(kind == "seeded"))
        found = results(tmp_path)
        assert (found["games"], found.get("forfeits", {}).get("third")) == (games, forfeited)
        assert len(list((tmp_path / "club" / "sgf").glob("*.sgf"))) == 3 * games
        with MatchStore(str(tmp_path / "club" / "games.db")) as store:
            kept.append(store.numbered_records())
    assert [old == new for old, new in zip(kept[0], kept[1], strict=True)].count(True) == 2


def test_the_same_command_resumes_and_repeats_nothing(tmp_path, capsys):
    file = write(tmp_path, "games = 4", BOTS)
    run(file, capsys)
    before = (tmp_path / "club" / "games.db").read_bytes()
    first = results(tmp_path)
    run(file, capsys)
    assert (tmp_path / "club" / "games.db").read_bytes() == before
    file = write(tmp_path, "games = 10", BOTS)
    more = json.loads(run(file, capsys, "--json"))
    assert (first["games"], more["games"]) == (4, 10)
    file = write(tmp_path, "games = 10\nseed = 1", BOTS)
    assert main(["tournament", str(file), "--code"]) == 1
    assert "was made for seed 0, not for 1" in capsys.readouterr().err
    file = write(tmp_path, "games = 10\ntime = 60", BOTS)
    assert main(["tournament", str(file), "--code"]) == 1
    assert "another random: time control is 60 s a side, was none" in capsys.readouterr().err


def test_players_and_games_are_added(tmp_path, capsys):
    third = '[players.third]\nspec = "flatmc:playouts=9"\n'
    run(write(tmp_path, "games = 2", BOTS), capsys)
    first = results(tmp_path)
    # The new player's table may stand anywhere; what was played is not played again.
    with MatchStore(str(tmp_path / "club" / "games.db")) as kept:
        before = kept.numbered_records()
    run(write(tmp_path, "games = 4\nsgf = true", third + BOTS), capsys)
    later = results(tmp_path)
    with MatchStore(str(tmp_path / "club" / "games.db")) as kept:
        after = dict(kept.numbered_records())
    assert {*before} <= {*after.items()}
    assert (first["games"], later["games"]) == (2, 12)
    assert [player["name"] for player in later["players"]] == ["dice", "flat", "third"]
    assert len(list((tmp_path / "club" / "sgf").glob("*.sgf"))) == 3 * 12
    assert main(["tournament", str(write(tmp_path, "games = 6", third + BOTS[:33]))]) == 2
    assert (
        "players.flat: is in games.db; put it back, or name another output"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("begun", ["", "PRAGMA user_version = 3"])
def test_a_store_without_tables_is_made_anew(begun, tmp_path, capsys):
    """A kill may come between the file and its tables."""
    file = write(tmp_path, "games = 2", BOTS)
    (tmp_path / "club").mkdir()
    with closing(sqlite3.connect(tmp_path / "club/games.db")) as made:
        made.execute(begun)
    run(file, capsys)
    assert results(tmp_path)["games"] == 2


FLAKY = engine("flaky", "dies by seed") + engine("absent", "dies at start")


def killed_and_resumed(folder: Path, kills: int, jobs: int) -> dict:
    chance, table = random.Random(1), f"games = 60\nseed = 2\nfailures = 8\njobs = {jobs}"
    file = write(folder, table, BOTS + FLAKY)
    for _ in range(kills):
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = started("-m", "phantomgo", "tournament", file, "--code", **silent)
        try:
            process.wait(0.6 + chance.random())
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    assert main(["tournament", str(file), "--code"]) == 0
    return results(folder)


@pytest.mark.slow
def test_killed_and_resumed_it_ends_the_same(tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    whole = killed_and_resumed(tmp_path / "whole", 0, jobs=1)
    assert whole["endings"]["crash"] >= 1
    assert "flaky" not in whole["set_aside"], "they fail now and then"
    assert killed_and_resumed(tmp_path / "killed", 10, jobs=2) == whole


def test_time_controls_of_players(tmp_path, capsys):
    players = '[players.quick]\nspec = "random"\ntime = { move = 5 }\n'
    players += engine("slow", "slow", "time = { main = 0.2, increment = 0.1 }")
    run(write(tmp_path, "games = 2", players), capsys)
    found = results(tmp_path)
    assert found["endings"] == {"time": 2}
    assert found["players"][1]["lost"] == 2


def test_nothing_is_written_outside_the_output_folder(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = write(tmp_path, 'output = "out"\nsgf = true', BOTS)
    run(file, capsys)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club.toml", "out"]
    there = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert there == ["games.db", "results.json", "sgf"]
    assert "PB[dice]" in (tmp_path / "out" / "sgf" / "000000.sgf").read_text()


@pytest.mark.parametrize(
    ("prepare", "output", "error"),
    [
        (lambda _: None, "gone/deep", "gone/deep: No such file or directory"),
        (lambda folder: (folder / "file").touch(), "file", "file: it is not a folder"),
        (lambda folder: (folder / "mine/x").mkdir(parents=True), "mine", "mine has x, but "),
        (lambda folder: (folder / "d" / "games.db").mkdir(parents=True), "d", "Is a directory"),
    ],
)
def test_where_files_go_is_tried_before_the_first_game(prepare, output, error, tmp_path, capsys):
    prepare(tmp_path)
    file = write(tmp_path, f'output = "{output}"', BOTS)
    before = sorted(tmp_path.rglob("*"))
    assert main(["tournament", str(file)]) == 2
    said = capsys.readouterr().err
    assert f"{file}, line 4: tournament.output: " in said
    assert error in said
    assert sorted(tmp_path.rglob("*")) == before


def test_a_start_that_is_interrupted_resumes(tmp_path, capsys, monkeypatch):
    """The SGF folder is made before the store of games."""
    file = write(tmp_path, "games = 2\nsgf = true", BOTS)

    def interrupted(*arguments):
        make(*arguments)
        raise KeyboardInterrupt

    make = SgfFolder.__init__
    with monkeypatch.context() as patch:
        patch.setattr(SgfFolder, "__init__", interrupted)
        run(file, capsys, code=130)
    assert [path.name for path in (tmp_path / "club").iterdir()] == ["sgf"]
    run(file, capsys)
    assert len(list((tmp_path / "club" / "sgf").glob("*-black.sgf"))) == 2
    (tmp_path / "club" / "games.db").unlink()
    assert main(["tournament", str(file), "--code"]) == 2
    assert "club has results.json, but no games.db" in capsys.readouterr().err
