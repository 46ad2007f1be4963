"""Bots that are not ours: by module and class, by entry points, and what becomes of them."""

import pickle
import sys
from dataclasses import replace
from importlib import metadata
from types import SimpleNamespace

import pytest

import bots
import phantomgo as pg
from bots.foreign import installed
from phantomgo.errors import BadBook, BadText
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.playing import play_game
from phantomgo.game.rules import Rules
from tests.support import bad_bots
from tests.support.commands import python
from tests.support.places import ROOT

GAME = Game(Rules())

BAD = "tests.support.bad_bots:"
GOOD = BAD + "Good"


def test_a_class_of_a_module_is_made_with_its_parameters():
    bot = bots.make(f"{GOOD}:depth=5", GAME, 7)
    assert isinstance(bot, bad_bots.Good)
    assert (bot.depth, bot.seed, bot.name, bot.foreign) == (5, 7, f"{GOOD}:depth=5", True)
    assert bots.make(GOOD, GAME, 7).name == GOOD
    assert bots.make(GOOD, GAME, 7) == replace(bot, depth=3)
    assert pickle.loads(pickle.dumps(bot)) == bot
    assert not bots.make("random", GAME, 0).foreign


def test_a_nested_class_is_refused():
    class Inner(bad_bots.Good):
        pass

    with pytest.raises(BadText, match=r"Inner is not defined at the top level of a module$"):
        pg.play_game(Inner, "random", size=3)


def test_a_bot_that_does_not_repeat_itself_has_no_seeds():
    wrong = "ByTheClock does not repeat itself: the same seed is not the same player"
    with pytest.raises(BadText, match=wrong):
        pg.learn(bad_bots.ByTheClock, size=3, seeds=2)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("import phantomgo\n1 / 0\n", "importing halfdone failed: ZeroDivisionError: division"),
        ("import sys\nsys.exit('no licence')\n", "importing halfdone failed: SystemExit: no lic"),
        (
            "def __getattr__(name):\n    raise OSError(name)\n",
            "looking for Bot failed: OSError",
        ),
    ],
    ids=["raises", "exits", "finds nothing"],
)
def test_a_failed_import_is_one_error(tmp_path, monkeypatch, text, error):
    (tmp_path / "halfdone.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "halfdone", raising=False)
    with pytest.raises(BadText, match=error):
        bots.make("halfdone:Bot", GAME, 0)


@pytest.mark.parametrize(
    ("name", "ending", "sentence"),
    [
        ("Raising", Ending.CRASH, "crashed in decide: ZeroDivisionError: one by none"),
        ("Leaving", Ending.CRASH, "crashed in decide: SystemExit"),
        ("Outside", Ending.PROTOCOL, "proposed 25, which is not a point from 0 to 24, PASS or"),
    ],
)
def test_a_bot_that_breaks_down_loses(name, ending, sentence):
    game = play_game(
        Rules(size=5),
        bots.make("random", Game(Rules(size=5)), 1),
        bots.make(BAD + name, Game(Rules(size=5)), 1),
    )
    assert (game.outcome.ending, game.outcome.winner) == (ending, pg.BLACK)
    assert f"White ({BAD}{name}) {sentence}" in game.outcome.sentence


def test_what_a_bot_is_asked_beside_its_attempts_is_watched():
    bot = bots.make(BAD + "Boasting", GAME, 1)
    with pytest.raises(Fault, match="crashed in search: ValueError: 5 is not a Candidate"):
        _ = bot.decide(pg.View(Rules(size=5), pg.BLACK)).value
    with pytest.raises(Fault, match="crashed in hear_end: RuntimeError: no more"):
        play_game(Rules(size=3), bot, bots.make("random", Game(Rules(size=3)), 1))


def offered(monkeypatch, *points: tuple[str, str, str]) -> None:
    found = [
        SimpleNamespace(name=name, value=value, dist=SimpleNamespace(name=package))
        for name, value, package in points
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda **_: found)


def test_an_entry_point_is_a_name(monkeypatch):
    offered(monkeypatch, ("corner", GOOD, "corner-bots"))
    bot = bots.make("corner:depth=4", GAME, 3)
    assert isinstance(bot, bad_bots.Good)
    assert (bot.name, bot.depth) == ("corner:depth=4", 4)
    assert installed(bots.BOTS) == {"corner": GOOD}
    assert bots.make_installed("corner", GAME, 1).foreign
    with pytest.raises(
        BadText, match=r"no bot 'edge'; there are .*, random, twolevel, corner, novice"
    ):
        bots.make("edge", GAME, 0)


def test_a_module_named_like_one_of_our_bots_is_never_run(tmp_path, monkeypatch):
    """A controller could run the policy.py of the folder in which a server was started."""
    (tmp_path / "policy.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadText, match="policy has no parameter 'Main'; it has net, temperature"):
        bots.make_installed("policy:Main", GAME, 0)
    with pytest.raises(BadText, match="flatmc playouts= is not a whole number from 1"):
        bots.make("flatmc:playouts", GAME, 0)


@pytest.mark.parametrize("name", ["corner", "flatmc", "book", "gtp", "human", "online"])
def test_a_clash_of_names_names_both_packages(monkeypatch, name):
    offered(monkeypatch, ("corner", GOOD, "corner-bots"), (name, "other:Corner", "fast-bots"))
    owner = "corner-bots" if name == "corner" else "phantomgo"
    with pytest.raises(BadText, match=f"both {owner} and fast-bots have a bot named '{name}'"):
        bots.make("corner", GAME, 0)


def test_a_book_runs_no_code_unless_told(tmp_path):
    """A book of a module's bot is played only where the spec says so."""
    with pytest.raises(BadText, match="is a module's bot, whose code is run only where you say so"):
        bots.make_installed(GOOD, GAME, 0)
    path, game = tmp_path / "mine.json", Game(Rules(size=3))
    pg.learn(GOOD, size=3, seeds=4, test_seeds=0, out=path)
    with pytest.raises(BadBook, match=r"Black's bot: .* is a module's bot"):
        bots.make(f"book:{path}", game, 0)
    with pytest.raises(BadText, match="is a module's bot, whose code is run only where you say so"):
        bots.make_installed(f"book:{path},code=on", game, 0, files=True)
    with pytest.raises(BadText, match="names a file, which is read only where you say so"):
        bots.make_installed(f"book:{path}", GAME, 0)
    bot = bots.make(f"book:{path},code=on", game, 0)
    assert bot.foreign
    assert 0 <= bot.decide(pg.View(Rules(size=3), pg.BLACK)).move < 9


def test_a_changed_source_is_another_identity(tmp_path):
    """Nothing of a foreign bot is remembered from run to run."""
    words = (
        "import phantomgo as pg; from phantomgo.lab.players.identity import identify;"
        "print(identify('fickle:Corner', pg.Game(pg.Rules(size=4))).digest)"
    )
    source = (ROOT / "docs" / "examples" / "mybots.py").read_text()
    digests = []
    for reach in (4, 1, 4):
        (tmp_path / "fickle.py").write_text(source.replace("parameter(4", f"parameter({reach}"))
        found = {"PYTHONPATH": str(ROOT), "PATH": ""}
        digests.append(python("-B", "-c", words, cwd=tmp_path, env=found, check=True).stdout)
    assert digests[0] == digests[2] != digests[1]
