"""Time as playouts: a fake clock that only playouts move."""

import threading
from functools import partial

import pytest

import bots.deciding
from bots import BOTS, make
from bots.deciding import MonteCarlo
from bots.pace import FIRST, LEAST, PIECE, Counted, Timed
from bots.worlds import Worlds
from gtp.clock import Limit
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Ending
from phantomgo.game.playing import play_game
from phantomgo.game.points import WHITE
from phantomgo.game.rules import Rules
from phantomgo.lab.players.ready import get_ready
from phantomgo.lab.players.seating import SeatedBot
from phantomgo.lab.seeds.contest import make_setup
from tests.support.views import views

GAME = Game(Rules())


class Machine:
    """Plays so many playouts a second, and slower or faster when told so."""

    def __init__(self, speed: float) -> None:
        self.now, self.speed, self.played = 100.0, speed, 0

    def clock(self) -> float:
        return self.now

    def play(self, playouts: int) -> None:
        self.now += playouts / self.speed
        self.played += playouts


def search(pace, machine: Machine, rounds: int) -> list[int]:
    """The playouts of each round."""
    played = []
    for number in range(rounds):
        before = pace.done
        for room in pace.parts(rounds - number):
            machine.play(room)
            pace.done += room
        played.append(pace.done - before)
    return played


@pytest.mark.parametrize("rounds", [1, 3, 7])
def test_a_number_is_dealt_once_and_whole(rounds):
    played = search(Counted(1000), Machine(1), rounds)
    assert sum(played) == 1000
    assert max(played) - min(played) <= 1


@pytest.mark.parametrize("rounds", [1, 3, 7])
@pytest.mark.parametrize("seconds", [0.02, 1, 30])
def test_a_time_is_filled_by_rounds_of_the_same_length(rounds, seconds):
    machine = Machine(400_000)
    played = search(Timed(seconds, machine.clock), machine, rounds)
    assert machine.now - 100 == pytest.approx(seconds, rel=0.01)
    if seconds >= 1:
        assert max(played) / min(played) < 1.01


@pytest.mark.parametrize("change", [0.25, 4])
def test_a_machine_that_changes_its_speed_is_followed(change):
    machine = Machine(400_000)
    pace = Timed(1, machine.clock)
    for number in range(6):
        machine.speed = 400_000 * (change if number >= 3 else 1)
        for room in pace.parts(6 - number):
            machine.play(room)
            pace.done += room
    assert machine.now - 100 == pytest.approx(1, abs=0.15)


def test_no_time_left_still_gives_one_search():
    machine = Machine(400_000)
    assert search(Timed(0, machine.clock), machine, 4) == [FIRST, 0, 0, 0]
    machine.now += 5
    assert search(Timed(-1, machine.clock), machine, 2) == [FIRST, 0]


CLOCKED = sorted(kind for kind, bot in BOTS.items() if issubclass(bot, MonteCarlo))


@pytest.fixture
def machine(monkeypatch):
    """A machine that every bot of this thread plays on: its clock, its speed, and the playouts."""
    fake = Machine(50_000)
    real, here = Worlds.play_out, threading.get_ident()

    def play_out(self, candidates, jobs, count, *rest):
        if threading.get_ident() == here and count <= PIECE:  # not a call of pieces
            fake.play(count)
        real(self, candidates, jobs, count, *rest)

    monkeypatch.setattr(Worlds, "play_out", play_out)
    monkeypatch.setattr(bots.deciding, "Timed", partial(Timed, clock=fake.clock))
    monkeypatch.setattr(bots.deciding, "monotonic", fake.clock)
    return fake


@pytest.mark.parametrize("options", ["", ",playouts=1", ",playouts=1000000000"])
@pytest.mark.parametrize("kind", [*CLOCKED, "flatmc:allocation=ucb"])
def test_a_bot_fills_its_time(machine, kind, options):
    spec = kind + ("," if ":" in kind else ":") + "time=0.2" + options
    view = views(7)["middle"]
    make(spec, Game.of(view), 1).decide(view)
    assert machine.now - 100 == pytest.approx(0.2, abs=2 * LEAST / 50_000)
    assert machine.played == pytest.approx(10_000, abs=2 * LEAST)


@pytest.mark.parametrize("kind", CLOCKED)
def test_a_clock_comes_before_a_bots_own_time(machine, kind):
    view = views(7)["middle"]
    make(f"{kind}:time=9", Game.of(view), 1).decide(view, 0.1)
    make(f"{kind}:time=0.1", Game.of(view), 1).decide(view, 0.3)
    make(kind, Game.of(view), 1).decide(view, 0.1)
    assert machine.now - 100 == pytest.approx(0.5, abs=0.01)


def test_no_time_is_spent_on_a_single_candidate(machine, monkeypatch):
    monkeypatch.setattr(bots.deciding, "candidates", lambda *_: 1 << 24)
    assert (
        make("phantom:time=5,book=none", Game.of(views(7)["empty"]), 1)
        .decide(views(7)["empty"])
        .move
        == 24
    )
    assert machine.played == FIRST


@pytest.mark.parametrize("spec", ["phantom", "flatmc:allocation=ucb"])
def test_a_game_on_the_clock_ends_in_time_and_uses_it(machine, spec):
    used = []
    game = Game(Rules(size=5, komi=2.5))
    get_ready(spec, game)  # as whoever seats it does, before the clock starts
    for seed in range(4):
        clocked = SeatedBot(make(spec, game, seed), Limit(2), now=machine.clock)
        machine.now = 100.0
        record = play_game(game.rules, clocked, make("random", game, seed))
        assert record.outcome.ending is Ending.SCORE
        used.append(machine.now - 100)
    assert max(used) < 2
    assert sum(used) / len(used) > 1.2


def test_a_slow_machine_loses_on_time(machine):
    machine.speed = 200
    clocked = SeatedBot(make("phantom", GAME, 1), Limit(2), now=machine.clock)
    record = play_game(Rules(size=5), clocked, make("random", Game(Rules(size=5)), 1))
    assert (record.outcome.ending, record.outcome.winner) == (Ending.TIME, WHITE)


def test_clocked_bots_have_no_seeds():
    assert make("phantom", GAME, 1).deterministic
    assert not make("phantom:time=0.5", GAME, 1).deterministic
    wrong = "phantom:time=0.5 plays by the clock: the same seed is not the same player"
    with pytest.raises(BadText, match=wrong):
        make_setup("flatmc", "phantom:time=0.5", "olympiad", Game(Rules(size=5)))
