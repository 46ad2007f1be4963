"""The contract finds the bots that break it."""

import json

import pytest

from phantomgo.app.cli import main
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Fault
from phantomgo.game.rules import Rules
from phantomgo.lab.players.contract import CHECKS, Breach, breaches, ignores_its_seed
from phantomgo.lab.players.identity import identify

BAD = "tests.support.bad_bots:"


def found(name: str) -> dict[str, str]:
    return {what: wrong for what, wrong in breaches(BAD + name) if wrong}


def test_a_bot_that_keeps_it():
    assert found("Good") == {}


@pytest.mark.parametrize(
    ("name", "what", "sentence"),
    [
        ("Dice", "the same seed and view give the same attempt", "and the second time"),
        ("Dice", "in another process, too", "and in another process"),
        ("Counting", "the same seed and view give the same attempt", "and the second time"),
        ("Peeking", "sees only its view", "with the game at hand"),
        ("Raising", "answers every view with a move", "ZeroDivisionError: one by none, as "),
        ("Raising", "its games end", "crashed in decide: ZeroDivisionError: one by none"),
        ("Outside", "answers every view with a move", "proposed 25, which is not a point from 0"),
        ("Unready", "answers every view with a move", "crashed in warm_up: RuntimeError: no net"),
        ("Unready", "sees only its view", "with_budget gave None"),
        ("Sure", "its beliefs are probabilities", "believes 1.5 of point 0"),
    ],
)
def test_a_bot_that_breaks_it(name, what, sentence):
    with pytest.raises((Breach, Fault), match=sentence):
        CHECKS[what](BAD + name)


def test_only_what_is_broken_is_named():
    peeking = found("Peeking")
    assert "sees only its view" in peeking
    assert "the same seed and view give the same attempt" not in peeking


def test_a_bot_by_the_clock_is_not_asked_to_repeat_itself():
    asked = [what for what, wrong in breaches(BAD + "ByTheClock")]
    assert asked == ["answers every view with a move", "its games end"]
    assert len(CHECKS) > len(asked)


def test_a_bot_that_learns_online_learns_nothing_of_it(tmp_path):
    state = tmp_path / "state.db"
    found = dict(breaches(f"online:random|{BAD}Good,state={state}"))
    assert found == {"answers every view with a move": None, "its games end": None}
    assert not state.exists()


def test_a_foreign_bot_that_is_not_pure_has_no_identity():
    with pytest.raises(Breach, match="and the second time"):
        identify(BAD + "Dice", Game(Rules(size=5)))
    with pytest.raises(Breach, match="it must not look at the game"):
        identify(BAD + "Peeking", Game(Rules(size=5)))


def test_one_that_says_so_has_its_name_alone():
    who = identify(BAD + "ByTheClock", Game(Rules(size=5)))
    assert (who.name, who.fingerprint, who.games) == (BAD + "ByTheClock", None, ())


def test_a_breakdown_is_a_part_of_who_a_bot_is():
    who, again = (identify(BAD + "Raising", Game(Rules(size=5))) for _ in range(2))
    assert who == again
    assert len(who.games) > 1


def test_the_command(capsys):
    assert main(["bots", "--check", BAD + "Good"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{what}: yes" for what in CHECKS]
    assert main(["bots", "--check", BAD + "Sure", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert "believes 1.5 of point 0" in told["checks"]["its beliefs are probabilities"]


def test_a_bot_that_ignores_its_seed_is_told_how_to_pass_it_on(tmp_path, capsys):
    """It keeps the contract, but no book can be learned of it."""
    told = "plays the same with every seed"
    for name, ignores in (("Wrapping", True), ("Passing", False), ("Good", False)):
        assert ignores_its_seed(BAD + name, Rules(size=5)) is ignores
        assert main(["bots", "--check", BAD + name]) == 0
        assert (told in capsys.readouterr().out) is ignores
    learn = ["learn", "--bot", BAD + "Wrapping", "--size", "3", "--seeds", "2"]
    store = tmp_path / "m.db"
    assert main([*learn, "--store", str(store), "--out", str(tmp_path / "b.json")]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "pg.decide(view, SPEC, self.seed)" in said
    assert not store.exists()


def test_a_bot_that_draws_elsewhere_is_told_where_to_draw():
    with pytest.raises(Breach, match=r"have to come from self\.stream\(view\)"):
        CHECKS["the same seed and view give the same attempt"](BAD + "Dice")
