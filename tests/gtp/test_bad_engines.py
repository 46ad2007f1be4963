"""Games of misbehaving engines end with the right ending and leave no process."""

import contextlib
import math
import os
import signal
import sys
import time
from dataclasses import replace

import pytest

from gtp import reaper
from gtp.channel import Crashed, ProcessChannel
from gtp.clock import Limit
from gtp.engine import EnginePlayer, Patience
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.player import Decision
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, PASS, WHITE, members
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from tests.support.commands import python, started
from tests.support.engines import argv, processes
from tests.support.places import ROOT
from tests.support.waiting import until

PATIENCE = Patience(start=100, message=100, move=100, overrun=0.1)
LINUX = pytest.mark.skipif(
    not os.path.exists("/proc/self/environ"), reason="only Linux shows the marks of processes"
)
STALLS = {"silent at move", "hangs", "floods stderr", "newlines"}
RULES = replace(Rules(size=4), max_tries=4)


def player(*kind: str, **options) -> EnginePlayer:
    options.setdefault("patience", PATIENCE)
    return EnginePlayer(lambda: ProcessChannel(argv(*kind)), "engine", **options)


def process_of(engine: EnginePlayer) -> int:
    assert isinstance(engine._channel, ProcessChannel)
    return engine._channel._process.pid


class Last:
    """Plays the points in order from the last one down."""

    name = "last"

    def decide(self, view, _seconds=math.inf):
        free = list(members(view.unknown | view.vacant))
        return Decision(free[-1] if free and view.turn < 10 else PASS)


def wait_for_the_end_of(group: int) -> None:
    until(lambda: group not in [found for found, _ in processes()], f"the end of group {group}")


MESSAGE = "Black refused `phantom-opponent w move captured 0`: 'what?'"
ENDS = [
    ("silent at move", Ending.STALL, "Black did not answer in 1 s at `genmove b`"),
    ("hangs", Ending.STALL, "Black did not answer in 1 s at `genmove b`"),
    ("dies", Ending.CRASH, "Black ended with exit code 3 at `genmove b`"),
    ("killed", Ending.CRASH, "Black was killed by SIGKILL at `genmove b`"),
    ("babbles", Ending.PROTOCOL, "Black wrote 'thinking about it' at `genmove b`"),
    ("huge", Ending.PROTOCOL, "Black wrote more than 1048576 bytes for one response"),
    ("floods stderr", Ending.STALL, "Black did not answer in 1 s at `genmove b`"),
    ("newlines", Ending.STALL, "Black did not answer in 1 s at `genmove b`"),
    ("other id", Ending.PROTOCOL, "Black answered '=77 C1' to command"),
    ("twice", Ending.PROTOCOL, "Black answered "),
    ("refuses move", Ending.PROTOCOL, "Black refused `genmove b`: 'no idea'"),
    ("refuses message", Ending.PROTOCOL, MESSAGE),
    ("closes stdin", Ending.CRASH, "Black closed its input at"),
    ("closes stdout", Ending.CRASH, "Black closed its output at `genmove b`"),
    ("resigns", Ending.RESIGN, "Black resigns"),
]


@pytest.mark.parametrize(("kind", "ending", "sentence"), ENDS, ids=[end[0] for end in ENDS])
def test_the_engine_loses(kind, ending, sentence):
    patience = PATIENCE._replace(move=1) if kind in STALLS else PATIENCE
    engine = player("phantom", kind, patience=patience)
    engine.join(View(RULES, BLACK))
    group = process_of(engine)
    outcome = play_game(RULES, engine, Last()).outcome
    engine.close()
    assert (outcome.winner, outcome.ending) == (WHITE, ending)
    assert outcome.sentence.startswith(sentence)
    wait_for_the_end_of(group)


@pytest.mark.skipif(not hasattr(signal, "SIGRTMIN"), reason="no signals without a name here")
def test_an_engine_may_be_killed_by_a_signal_without_a_name():
    number = signal.SIGRTMIN + 1
    dies = f"import os; input(); os.kill(os.getpid(), {number})"
    ends = pytest.raises(Crashed, match=f"^was killed by signal {number}$")
    with ProcessChannel([sys.executable, "-c", dies]) as channel, ends:
        channel.ask("name", PATIENCE.start)


@pytest.mark.parametrize(
    ("kind", "told"),
    [("complains", ["last lines of engine on stderr: out of memory\ngiving up"]), ("dies", [])],
)
def test_what_an_engine_at_fault_said_last_is_logged(kind, told, caplog):
    engine = player("phantom", kind)
    assert play_game(RULES, engine, Last()).outcome.ending is Ending.CRASH
    assert caplog.messages == told


def test_the_end_of_what_an_engine_writes_to_stderr_is_kept():
    write = "import sys; say = sys.stderr.write; say(100_000 * 'x'); print('=1 a\\n', flush=True);"
    with ProcessChannel([sys.executable, "-c", f"{write} say(input() + input())"]) as channel:
        assert channel.ask("name", PATIENCE.start) == "a"
        assert len(channel.errors) == 16_384
    assert channel.errors.endswith("x1 name2 quit"), "it is asked to end before it is killed"


VOIDS = [
    ("silent", "White does not take part: did not answer in 0.5 s"),
    ("dies at start", "White does not take part: ended with exit code 1"),
    ("refuses size", "White does not take part: refused `boardsize 4`: 'unacceptable size'"),
]


@pytest.mark.parametrize(("kind", "sentence"), VOIDS, ids=[void[0] for void in VOIDS])
def test_a_game_that_never_begins_is_void(kind, sentence):
    # Only the silent engine is given up soon: the others answer when the machine lets them.
    start = 0.5 if "in 0.5 s" in sentence else PATIENCE.start
    engine = player("phantom", kind, patience=PATIENCE._replace(start=start))
    with pytest.raises(Fault):
        engine.join(View(RULES, WHITE))
    outcome = play_game(RULES, Last(), engine).outcome
    engine.close()
    assert (outcome.winner, outcome.ending, outcome.result) == (None, Ending.VOID, "Void")
    assert outcome.sentence.startswith(sentence)


@pytest.mark.parametrize("kind", ["off board", "repeats"])
@pytest.mark.parametrize(
    ("limit", "ending"), [("pass", Ending.SCORE), ("lose", Ending.ATTEMPTS)], ids=["pass", "lose"]
)
def test_illegal_moves_without_end_use_up_the_tries(kind, limit, ending):
    rules = replace(RULES, on_max_tries=limit)
    engine = player("phantom", kind)
    record = play_game(rules, engine, Last())
    engine.close()
    assert record.outcome.ending is ending
    assert record.outcome.winner is WHITE
    assert any(step.reason is not None for step in record.steps)


def test_an_engine_on_the_clock_loses_on_time():
    for kind in ("slow", "hangs"):
        engine = player("phantom", kind, limit=Limit(1))
        outcome = play_game(RULES, engine, Last()).outcome
        engine.close()
        assert (outcome.winner, outcome.ending) == (WHITE, Ending.TIME)
        assert outcome.sentence == "Black ran out of time: 1 s a side"


@pytest.mark.parametrize("kind", ["ignores quit", "newlines at quit", "leaves a child", "good"])
def test_nothing_is_left_behind(kind):
    engine = player("phantom", kind)
    engine.join(View(RULES, BLACK))
    group = process_of(engine)
    assert play_game(RULES, engine, Last()).outcome.ending is Ending.SCORE
    engine.close()
    wait_for_the_end_of(group)


def running(word: str) -> bool:
    return any(word in args for _, args in processes())


@LINUX
@pytest.mark.parametrize("end", ["close", "kill"])
def test_a_process_that_left_the_group_is_found(end, monkeypatch):
    monkeypatch.setenv(reaper.VARIABLE, "outer")
    assert reaper.marked("inner") == {reaper.VARIABLE: "outer:inner"}
    channel = ProcessChannel(argv("phantom", "runs away"))
    channel.ask("genmove b", 100)
    assert running("os.setsid")
    getattr(channel, end)()
    until(lambda: not running("os.setsid"))


@pytest.fixture
def sleeper():
    """A process with a group of its own, which sleeps, and another of its group."""
    code = "import subprocess, time; subprocess.Popen(['sleep', '1000']); print(flush=True)"
    process = started("-c", f"{code}; time.sleep(1000)", start_new_session=True)
    process.stdout.readline()
    yield process
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def watched(*lines: str) -> None:
    """Have a watcher read lines, whose runner is then gone."""
    python("-I", "-S", reaper.__file__, input="".join(f"{line}\n" for line in lines))


@LINUX
def test_a_number_that_was_used_again_is_not_killed(sleeper):
    """By the time the runner is gone its engine may have ended by itself, and nobody noticed."""
    group, start = sleeper.pid, reaper._started(sleeper.pid)
    watched(f"+{group} {start - 1} 0123", f"+{group} {start} 4567", f"-{group} 0 4567")
    assert sleeper.poll() is None
    watched(f"+{group} {start} 0123")
    wait_for_the_end_of(group)


@LINUX
def test_a_group_is_killed_whose_first_process_has_ended(sleeper):
    group, start = sleeper.pid, reaper._started(sleeper.pid)
    sleeper.kill()
    sleeper.wait()
    assert reaper._started(group) == 0
    assert group in [found for found, _ in processes()]
    watched(f"+{group} {start} 0123")
    wait_for_the_end_of(group)


@LINUX
def test_a_process_is_looked_at_again_before_it_is_killed(sleeper):
    """Between the two another may have its number."""
    looks = []

    def wanted(process):
        looks.extend([process] if process == sleeper.pid else [])
        return process == sleeper.pid and len(looks) == 1

    reaper._kill_all(wanted)
    assert sleeper.poll() is None
    assert len(looks) == 3


def test_an_engine_is_used_for_many_games_and_restarted_after_a_fault():
    engine, outcomes = player("phantom", "dies"), []
    for seed in range(3):
        engine.new_game(seed)
        outcomes.append(play_game(RULES, engine, Last()).outcome.ending)
    engine.close()
    assert outcomes == [Ending.CRASH] * 3
    good, first = player("phantom", "good"), None
    for seed in range(3):
        good.new_game(seed)
        assert play_game(RULES, good, Last()).outcome.ending is Ending.SCORE
        first = first or process_of(good)
    assert process_of(good) == first
    good.close()


RUNNER = """
import os, sys, signal
sys.path.insert(0, {root!r})
from gtp.channel import Crashed, ProcessChannel
channel = ProcessChannel({argv!r})
channel.ask("name", 100)
channel.ask("genmove b", 100)
print(channel._process.pid, flush=True)
try:
    channel.ask("genmove b", 100)
    channel.ask("genmove b", 100)
except BaseException as error:
    print(error)
"""


@LINUX
@pytest.mark.parametrize("kind", ["hangs", "runs away"])
def test_engines_do_not_outlive_a_runner_that_is_killed(kind):
    """Not even one that does not notice that its input is closed, or a child that has left it."""
    runner = started("-c", RUNNER.format(root=str(ROOT), argv=argv("phantom", kind)))
    group = int(runner.stdout.readline())
    time.sleep(0.2)
    os.kill(runner.pid, 9)
    runner.wait()
    runner.stdout.close()
    wait_for_the_end_of(group)
    until(lambda: not running("os.setsid"))
