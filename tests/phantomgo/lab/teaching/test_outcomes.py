"""Learning from outcomes: the games that are counted, how weights move, and that it resumes."""

import io
import json
import shutil
import sqlite3
from contextlib import closing, redirect_stdout

import numpy as np
import pytest

import bots
from bots.phantom import Phantom
from phantomgo.app.cli import main
from phantomgo.game import play_game
from phantomgo.lab.teaching.outcomes import Meeting, Player
from phantomgo.lab.teaching.spsa import Spsa
from phantomgo.lab.teaching.taught import Check, in_vain
from phantomgo.match.schedule import Schedule
from phantomgo.match.stats import Verdict, wilson
from phantomgo.points import BLACK
from phantomgo.rules import Rules
from tests.support.commands import exit_code
from tests.support.learning import games

FLAT = Player("flatmc:playouts=30")
RULES = Rules.profile("olympiad", size=5, komi=2.5)
BOT = "phantom:net=stones1,judge=judge1,trust=300,playouts=8"
WORDS = (
    *("train", "outcomes", BOT, "--playouts", "8", "--size", "5", "--komi", "2.5"),
    *("--steps", "3", "--games", "6", "--every", "2", "--test", "4", "--json"),
)


@pytest.fixture(scope="module")
def teacher():
    bot = bots.make(BOT, 0)
    assert isinstance(bot, Phantom)
    return Spsa(bot, 5)


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """A folder in which all was learned, and what the command says of it."""
    folder = tmp_path_factory.mktemp("learned")
    return folder, learned(folder)


def learned(folder, *more):
    with redirect_stdout(io.StringIO()) as out:
        assert main([*WORDS, "--store", str(folder), *more]) == 0
    return json.loads(out.getvalue().replace(str(folder), "FOLDER"))


def test_the_games_are_those_of_the_referee(teacher):
    player, others = teacher.player((1.0, -1.0, 1.0) * 4), (teacher.player(teacher.start), FLAT)
    schedule = Schedule(2, 8, 3)
    played = Meeting(player, others, RULES, schedule, (), {}).play([(2, n) for n in range(8)])
    for number, result in enumerate(played):
        ticket = schedule.ticket(number)
        specs = player.seated(), others[number // 2 % 2].seated()
        seeds = ticket.black_seed, ticket.white_seed
        black, white = (
            bots.make(specs[who], seed)
            for who, seed in zip((ticket.black, ticket.white), seeds, strict=True)
        )
        winner = play_game(RULES, black, white).outcome.winner
        assert result.text == str(int((winner is BLACK) == (ticket.black == 0)))
    assert len({result.text for result in played}) == 2


def test_steps_climb_towards_what_wins(teacher):
    """Where the chance of winning grows with some weights and falls with others."""
    slope = np.array([1, -1, 0] * 4)
    weights = teacher.start
    for number in range(1, 200):
        direction = np.array(teacher._direction(number))
        chance = 1 / (1 + np.exp(-0.2 * slope @ direction))
        weights = teacher.moved(weights, number, [str(chance)] * 10)
    assert (np.sign(weights)[slope != 0] == slope[slope != 0]).all()
    assert np.abs(np.array(weights)[slope == 0]).max() < np.abs(weights).max() / 3


def test_those_who_meet_lie_on_either_side_of_the_weights(teacher):
    forth, (back,) = teacher.meeting(teacher.start, 1)
    assert forth.judge.digest != back.judge.digest
    assert forth.spec != back.spec
    assert teacher.player(teacher.start).spec == teacher.bot.name


def test_the_same_command_plays_nothing_again(whole_run):
    folder, said = whole_run
    assert [step["number"] for step in said["steps"]] == [1, 2, 3]
    assert [test["number"] for test in said["tests"]] == [2, 3]
    assert games(folder / "games.db") == 3 * 6 + 2 * 4
    assert learned(folder) == said
    assert games(folder / "games.db") == 3 * 6 + 2 * 4


def test_it_goes_on_from_any_games_with_any_number_of_workers(whole_run, tmp_path):
    folder, said = whole_run
    shutil.copy(folder / "games.db", tmp_path / "games.db")
    with closing(sqlite3.connect(tmp_path / "games.db")) as database:
        database.execute("DELETE FROM records WHERE a > 3 OR (a = 2 AND b > 3)")
        database.execute("DELETE FROM results WHERE a > 3 OR (a = 2 AND b > 3)")
        database.commit()
    assert games(tmp_path / "games.db") == 4
    assert learned(tmp_path, "--jobs", "2") == said
    assert (tmp_path / "judge.json").read_bytes() == (folder / "judge.json").read_bytes()


def test_policy_gradient_resumes_too(tmp_path):
    words = ("--teacher", "gradient", "--steps", "2", "--games", "4", "--test", "2")
    said = learned(tmp_path / "whole", *words)
    assert len({step["weights"]["first line"] for step in said["steps"]}) > 1
    (tmp_path / "part").mkdir()
    shutil.copy(tmp_path / "whole" / "games.db", tmp_path / "part" / "games.db")
    with closing(sqlite3.connect(tmp_path / "part" / "games.db")) as database:
        database.execute("DELETE FROM results WHERE a > 1 OR b > 2")
        database.commit()
    assert learned(tmp_path / "part", *words) == said


def test_other_games_are_refused(whole_run, capsys):
    folder, _ = whole_run
    assert exit_code(*WORDS, "--store", str(folder), "--seed", "2") == 1
    assert "was made for seed 1, not 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["flatmc"], "is not phantom without a time"),
        (["phantom:time=1"], "is not phantom without a time"),
        (["phantom:net=stones1"], "has no judge on 5x5"),
        (["phantom:net=none,judge=judge1"], "has no judge on 5x5"),
        ([BOT, "--games", "5"], "games 5: they come in pairs"),
        ([BOT, "--test", "5"], "test 5: they come in pairs"),
        ([BOT, "--every", "0"], "every 0 is not"),
        ([BOT, "--teacher", "nobody"], "teacher 'nobody' is not one of spsa, gradient"),
    ],
)
def test_who_cannot_learn_is_refused(words, said, tmp_path, capsys):
    where = ["--size", "5", "--store", str(tmp_path / "none")]
    assert exit_code("train", "outcomes", *words, *where) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_learning_ends_when_ten_steps_have_won_nothing():
    def tests(*rates):
        return [
            Check(5 * (n + 1), 200, wilson(200 * rate, 200), Verdict.OPEN)
            for n, rate in enumerate(rates)
        ]

    assert not in_vain(tests(0.5))
    assert in_vain(tests(0.5, 0.51))
    assert not in_vain(tests(0.5, 0.53, 0.5))
    assert in_vain(tests(0.5, 0.53, 0.5, 0.515))


def test_the_curve_is_drawn(whole_run, tmp_path):
    pytest.importorskip("matplotlib", reason="the optional extra `plot` is not installed")
    folder, _ = whole_run
    learned(folder, "--plot", str(tmp_path / "curve.svg"))
    for name in ("tests", "weights"):
        assert (tmp_path / f"curve-{name}.svg").read_text().startswith("<?xml")
