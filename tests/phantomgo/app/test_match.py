"""`phantomgo match` as people run it: results, resuming after kills, errors, SGF, engines."""

import io
import json
import logging
import math
import re
import signal
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace

import pytest
from sgfmill import sgf as mill

from bots import make
from bots.flatmc import FlatMC
from bots.random_bot import RandomBot
from phantomgo import play_match
from phantomgo.app.cli import main
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Placed
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.recording import verify
from phantomgo.game.rules import Rules
from phantomgo.lab.lockstep import batch
from phantomgo.lab.matches.match import MatchPlan
from phantomgo.lab.matches.match_run import MatchObserver, MatchStore, Standing, complete_match
from phantomgo.lab.measure import calibration
from phantomgo.lab.players.seating import Conditions
from phantomgo.lab.run.progress import SILENT
from phantomgo.lab.run.workers import Run
from phantomgo.match.stats import Sprt
from phantomgo.records.record_json import read_record
from tests.support.commands import exit_code, phantomgo, started
from tests.support.engines import GNUGO, OURS, engine
from tests.support.waiting import PATIENCE, until

GAME = Game(Rules())


def match(*words, code=0) -> str:
    """A match in this process, which saves a second of imports."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        ended = main(["match", *map(str, words)])
    assert ended == code, err.getvalue()
    return out.getvalue()


def records(store):
    with MatchStore(str(store)) as kept:
        return [(number, read_record(text)) for number, text in kept.numbered_records()]


BOTS = ("--black", "random", "--white", "random", "--size", 5)


def test_the_report_says_how_a_bot_crashed(tmp_path):
    """Once for each player and kind of failure, in one line."""
    bad, store = "tests.support.bad_bots:Raising", tmp_path / "games.db"
    words = ("--black", bad, "--white", "random", "--size", 5, "--games", 6, "--store", store)
    lines = match(*words).splitlines()
    place = lines.index(f"endings        crash 6 ({bad})")
    told = f"({bad}) crashed in decide: ZeroDivisionError: one by none"
    assert lines[place + 1] == f"  game 0       Black {told}"
    assert lines[place + 2].startswith("duplicates")
    assert json.loads(match(*words, "--json"))["failures"] == {"0": f"Black {told}"}


def test_a_match_of_two_bots(tmp_path):
    store, folder = tmp_path / "games.db", tmp_path / "sgf"
    words = (*BOTS, "--games", 8, "--store", store, "--sgf", folder)
    table = match(*words)
    assert table.startswith("5x5, komi 2.5, olympiad, seed 0: 8 of 8 games\n")
    assert "\nrandom #2      8" in table
    for number, record in records(store):
        verify(record)
        for kind in ("", "-black", "-white"):
            file = (folder / f"{number:06}{kind}.sgf").read_bytes()
            assert mill.Sgf_game.from_bytes(file).get_root().get("RE") == record.outcome.result
    assert match(*words) == table
    assert match(*BOTS, "--games", 8) == table
    assert match(*BOTS, "--games", 8, "--workers", 2) == table
    data = json.loads(match(*words, "--json"))
    assert sum(player["won"] for player in data["players"]) == 8


def test_lock_step_plays_the_games_of_a_match(tmp_path, monkeypatch):
    """All but the bot it does not know, with the same records apart from the times."""
    players, found = ("random", "flatmc:playouts=40", "flatmc:playouts=200,allocation=ucb"), []
    for together in (True, False):
        monkeypatch.setattr(batch, "pays", lambda _, together=together: together)
        store = str(tmp_path / f"{together}.db")
        report = play_match(*players, games=6, size=4, handicap=["B2"], run=Run(store=store))
        played = [record for _, record in records(store)]
        steps = [[step._replace(seconds=0) for step in record.steps] for record in played]
        rest = [replace(record, steps=()) for record in played]
        games = [game._replace(black_seconds=0, white_seconds=0) for game in report.results]
        found.append((steps, rest, games))
        untimed = {(game.black, game.white) for game in report.results if not game.timed}
        if together:
            assert untimed == {(0, 1), (1, 0)}
        else:  # one by one, only games of fast bots take less than is counted
            assert untimed <= {(0, 1), (1, 0)}
            assert any(game.timed for game in report.results if game.black + game.white == 1)
        assert report.pace(0).endswith("s per attempt")
    assert found[0] == found[1]


def test_a_match_with_handicap(tmp_path):
    """White moves first, and sees the stone; an engine is told of it as well."""
    words = ("--black", "random", "--white", OURS, "--size", 5, "--games", 2, "--handicap", "C3")
    table = match(*words, "--store", tmp_path / "games.db")
    assert table.startswith("5x5, komi 0.5, olympiad, seed 0, handicap C3: 2 of 2 games\n")
    assert "endings        score 2" in table
    for _, record in records(tmp_path / "games.db"):
        assert record.handicap == 1 << 12
        assert record.moves[0][0] is WHITE
        assert verify(record).view(WHITE).events[0] == Placed(BLACK, 1 << 12)


def test_a_match_at_equal_time_resumes_with_its_budgets(tmp_path, monkeypatch):
    """Budgets are measured once; more games are played with the same ones."""
    words = ["--players", "random", "flatmc", "phantom:book=none", "--milliseconds", "0.2"]
    words += ["--size", "4", "--store", str(tmp_path / "equal.db"), "--json"]
    taken = {"random": 0.01, "flatmc": 0.3, "phantom": 0.4}  # milliseconds, as if measured
    stopped = lambda specs, *_: [taken[make(spec, GAME, 0).kind] for spec in specs]  # noqa: E731
    monkeypatch.setattr(calibration, "decision_times", stopped)
    few = json.loads(match(*words, "--games", "2"))
    names = [player["name"] for player in few["players"]]
    assert names == ["random", "flatmc:playouts=200", "phantom:playouts=62,book=none"]
    monkeypatch.setattr(calibration, "decision_times", None)
    more = json.loads(match(*words, "--games", "4"))
    assert [player["name"] for player in more["players"]] == names
    assert "0.2 ms per decision" in match(*words[:-1], "--games", "4")
    other = [*words, "--games", "2", "--milliseconds", "0.3"]
    assert main(["match", *other]) == 1


def test_what_a_bot_prints_is_no_result():
    """Not even in a worker."""
    words = ["match", "--black", "tests.support.bad_bots:Printing", "--white", "random"]
    done = phantomgo(*words, "--size", "2", "--games", "2", "--workers", "2", "--json")
    assert json.loads(done.stdout)["games"] == 2
    assert "here\n" in done.stderr


def test_a_sequential_test_stops_early():
    words = ("--black", "flatmc:playouts=60", "--white", "random", "--size", 5, "--games", 400)
    table = match(*words, "--sprt", -200, 200)
    played = int(re.search(r": (\d+) of 400 games", table)[1])
    assert 4 <= played <= 60
    assert "SPRT           H1 accepted (Elo 200 rather than -200): LLR " in table


def test_ctrl_c_keeps_what_was_played(tmp_path):
    words = ["--black", "random", "--white", "random", "--size", "5",
             "--games", "20000", "--store", str(tmp_path / "games.db"),
             "--sgf", str(tmp_path / "sgf")]  # fmt: skip
    process = started("-m", "phantomgo", "match", *words, stderr=subprocess.PIPE)
    until(lambda: list(tmp_path.glob("sgf/*.sgf")), "the first game")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "interrupted; run the same command to resume" in err
    assert "Traceback" not in err
    played = int(re.search(r": (\d+) of 20000 games", out)[1])
    assert played >= 1
    with MatchStore(str(tmp_path / "games.db")) as store:
        assert len(store.results()) == played


# Engines


def test_the_same_player_as_a_bot_and_as_an_engine_plays_the_same(tmp_path):
    """One referee, one path: `random` in this process and behind GTP makes the same games."""
    found = []
    for name, white in (("bot", "random"), ("engine", OURS)):
        store = tmp_path / f"{name}.db"
        match("--black", "random", "--white", white, "--size", 5, "--games", 2, "--store", store)
        found.append([record.moves for _, record in records(store)])
    assert found[0] == found[1]


def test_three_void_games_in_a_row_stop_the_match(tmp_path):
    white = engine("phantom", "dies at start")
    done = phantomgo(
        "match", "--black", "random", "--white", white, "--size", 4, "--games", 10,
        "--store", tmp_path / "games.db",
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("void: White does not take part: ended with exit code 1 (Black") >= 2
    assert done.stderr.count("void: ") == 3
    assert "stopped: 3 void games in a row; in the last one White does not take part" in done.stderr
    assert f"White is {white}" in done.stderr
    with MatchStore(str(tmp_path / "games.db")) as store:
        assert store.voids() >= 3  # others were being played
        assert store.results() == {}


def test_of_several_players_one_who_does_not_start_stops_nobody():
    absent = engine("phantom", "dies at start")
    table = match("--players", "random", absent, "flatmc:playouts=5", "--games", 4, "--size", 3)
    assert re.search(r"^1  .* 4 +\d+\.\d % ", table, re.M)
    assert re.search(r", set aside .* 8$", table, re.M)
    assert "4 of 12 games" in table


def test_the_patience_of_a_match_is_that_for_a_start(capsys):
    silent = engine("phantom", "silent")
    words = ("--black", "random", "--white", silent, "--games", 2, "--patience", 0.2, "--size", 3)
    assert exit_code("match", *words) == 1
    assert "White does not take part: did not answer in 0.2 s" in capsys.readouterr().err


def test_bots_on_the_clock(tmp_path):
    table = match(*BOTS, "--games", 2, "--time", 30, "--sgf", tmp_path)
    assert "5x5, komi 2.5, olympiad, 30 s a side, seed 0" in table
    left = re.findall(r"BL\[([\d.]+)\]", (tmp_path / "000000.sgf").read_text())
    assert left, "the time that is left is written where there is a clock"
    assert 0 < float(left[-1]) <= float(left[0]) <= 30
    slow = ("--black", "flatmc:playouts=1000000", "--white", "random", "--size", 5)
    assert "2 of 2" in match(*slow, "--games", 2, "--time", 1)


@pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed (Debian: apt-get install gnugo)")
def test_gnugo_plays_phantom_go(tmp_path):
    white = f"gtp:{GNUGO} --mode gtp --level 1"
    table = match(
        "--black", "flatmc:playouts=100", "--white", white, "--size", 7, "--games", 4,
        "--sgf", tmp_path,
    )  # fmt: skip
    assert "4 of 4 games" in table
    assert "endings        score 4" in table or "resign" in table
    assert len(list(tmp_path.glob("*.sgf"))) == 12


def test_a_folder_of_sgf_files_is_of_one_match(tmp_path, capsys):
    folder, store = tmp_path / "sgf", tmp_path / "games.db"

    def refused(*words) -> str:
        code = main([str(word) for word in ("match", *words, "--sgf", folder)])
        out, err = capsys.readouterr()
        assert (code, out) == (2, "")
        return err

    words = (*BOTS, "--games", 2, "--store", store)
    match(*words, "--sgf", folder)
    before = {file: file.read_bytes() for file in folder.iterdir()}
    match(*words, "--sgf", folder)
    assert {file: file.read_bytes() for file in folder.iterdir()} == before
    # Another match, the same one played again, and a folder from before matches were named.
    assert "contains the games of another match" in refused(*BOTS, "--games", 2, "--seed", 1)
    again = refused(*BOTS, "--games", 4)
    assert (
        "contains game 0, which this match does not have (yet): name the store it is from" in again
    )
    (folder / "match.json").unlink()
    assert "contains the games of another match" in refused(*words)
    # More games of the same match are added.
    (folder / "match.json").write_bytes(before[folder / "match.json"])
    match(*BOTS, "--games", 4, "--store", store, "--sgf", folder)
    assert len(list(folder.glob("*.sgf"))) == 12


def test_a_file_of_somebody_else_in_a_folder_of_sgf_files_is_not_replaced(tmp_path, capsys):
    (tmp_path / "match.json").write_text('{"name": "mine"}')
    assert main([str(word) for word in ("match", *BOTS, "--games", 2, "--sgf", tmp_path)]) == 2
    assert "its match.json is none of ours; name another folder" in capsys.readouterr().err
    assert (tmp_path / "match.json").read_text() == '{"name": "mine"}'
    assert len(list(tmp_path.iterdir())) == 1


def test_a_player_without_a_game_is_replaced_in_a_folder_of_sgf_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "broken").chmod(0o700)
    words = ("--games", 2, "--size", 3, "--store", "m.db", "--sgf", "sgf", "--players", "random")
    match(*words, "random", "gtp:./broken")
    match(*words, "random", "flatmc:playouts=1")
    assert len(list(tmp_path.glob("sgf/*.sgf"))) == 3 * 6
    assert "flatmc" in (tmp_path / "sgf" / "match.json").read_text()
    (tmp_path / "m.db").unlink()
    match(*words, "random", "gtp:./broken", code=2)


def test_compiling_is_told_and_comes_before_all_that_is_timed(monkeypatch, caplog):
    done = []

    def warm_up(_bot):
        logging.getLogger("bots.kernels.jit").info("compiling it")
        done.append("compiled")

    def decide(bot, view, _seconds=math.inf):
        done.append("asked")
        return RandomBot(GAME, bot.seed).decide(view)

    monkeypatch.setattr(FlatMC, "warm_up", warm_up)
    monkeypatch.setattr(FlatMC, "decide", decide)
    match("--black", "flatmc:playouts=3", "--white", "random", "--size", 3, "--games", 2)
    assert "compiling it" in caplog.text
    assert done[0] == "compiled"
    assert set(done[1:]) == {"asked"}


def test_a_match_says_how_it_stands():
    """After games have been kept, but not all the time; with the test for two players."""
    rules = Rules(size=4, komi=0.5)
    now, told = [0.0], []
    plan = MatchPlan.of(
        ("random", "flatmc:playouts=20"), 20, 1, Conditions(Game(rules)), "olympiad", Sprt(0, 9)
    )

    class Passing(MatchObserver):
        def see(self, records):
            now[0] += 7.0 * len(records)

    observers = Passing(), Standing(plan, told.append, lambda: now[0])
    with MatchStore(None, plan) as store, Run(1).begin() as crew:
        complete_match(plan, store, crew, SILENT, observers)
    assert 2 <= len(told) <= 4
    form = r"after \d+ games: random wins [\d.]+ % \([\d.]+ to [\d.]+\), Elo .*; undecided: LLR"
    assert all(re.match(form, line) for line in told), told


def test_where_games_go_is_tried_before_the_first_one(tmp_path, capsys):
    words = ["--games", "2", "--size", "3", "--store", str(tmp_path / "m.db")]
    assert exit_code("match", *BOTS, *words, "--sgf", str(tmp_path / "missing/games")) in (1, 2)
    assert "missing/games: No such file or directory" in capsys.readouterr().err
    assert not (tmp_path / "missing").exists()
