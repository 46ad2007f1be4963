"""Each check of an engine finds the fault that it is about, and nothing in a sound one."""

import json

import pytest

import phantomgo as pg
from gtp.engine import Patience
from phantomgo.app.cli import main
from phantomgo.game.rules import Rules
from phantomgo.lab.players.compliance import PATIENCE, PLAYS, STARTS, UNKNOWN, engine_breaches
from tests.support.engines import OURS, engine

SHORT = PATIENCE._replace(message=0.3, move=0.3)
UNKNOWN_CHECK = "it refuses a command that it does not know, and continues"


def wrong(*kind: str, patience: Patience = PATIENCE) -> dict[str, str]:
    found = engine_breaches(engine(*kind), Rules(size=3), patience)
    # Engines of the tests accept every command.
    return {what: text for what, text in found if text and what != UNKNOWN_CHECK}


def test_our_own_server_keeps_them_all(capsys):
    assert main(["bots", "--check", OURS, "--json"]) == 0
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert len(checks) == 6
    assert set(checks.values()) == {None}


def test_a_program_gets_a_sentence_for_each_breach():
    assert pg.check_bot("random") == []
    assert pg.check_bot(OURS) == []
    (sentence,) = pg.check_bot(engine("dies at start"))
    assert sentence.startswith(f"{STARTS}: ")
    assert "ended with exit code 1" in sentence


@pytest.mark.parametrize("kind", ["good", "phantom good", "resigns", "leaves a child"])
def test_sound_engines(kind):
    assert wrong(*kind.split()) == {}


@pytest.mark.parametrize(
    ("kind", "check", "text"),
    [
        ("dies at start", STARTS, "ended with exit code 1"),
        ("refuses size", PLAYS, "refused `boardsize 3`"),
        ("other id", PLAYS, "answered '=77 "),
        ("phantom refuses message", PLAYS, "refused `phantom-oppon"),
        ("no vertex", "it answers genmove with points, pass or", "gave "),
        ("phantom repeats", "it attempts no point twice in a turn", "tried A1 twice in a turn"),
    ],
)
def test_each_fault_is_found_by_its_check(kind, check, text):
    found = wrong(*kind.split())
    (what,) = [what for what in found if what.startswith(check)]
    assert text in found[what]


def test_an_engine_that_stops_answering():
    found = wrong("hangs", patience=SHORT)
    assert "did not answer in 0.3 s" in found[PLAYS]


@pytest.mark.slow
def test_an_engine_that_does_not_end():
    assert "did not answer in 0.3 s" in wrong("ignores quit", patience=SHORT)["it ends after quit"]


def test_an_engine_that_accepts_everything():
    found = dict(engine_breaches(engine("good"), Rules(size=3)))
    assert found[UNKNOWN_CHECK] == f"accepted `{UNKNOWN}`"
