"""What `import phantomgo` offers."""

import math
import subprocess
import sys
from contextlib import suppress
from copy import copy
from inspect import signature
from types import FunctionType

import numpy as np
import pytest

import phantomgo as pg
from phantomgo.game.messages import Moved
from phantomgo.game.outcome import Ending, Outcome
from tests.support.commands import python


def test_every_name_is_there_and_documented():
    for name in pg.__all__:
        assert getattr(pg, name).__doc__, name
    assert set(pg.__all__) <= set(dir(pg))


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="module 'phantomgo' has no attribute 'board_game'"):
        getattr(pg, "board_game")  # noqa: B009  (type checkers know that it is missing)


def loaded(words: str) -> tuple[str, set[str]]:
    """What is printed, and what of ours and of others is loaded."""
    words = f"import sys; {words}; print(*sys.modules, file=sys.stderr)"
    done = python("-c", words, check=True)
    return done.stdout, set(done.stderr.split())


def test_nothing_is_loaded_before_it_is_asked_for():
    printed, modules = loaded("import phantomgo")
    assert printed == ""
    ours = {m for m in modules if m.startswith(("phantomgo.", "bots", "gtp", "numpy"))}
    assert ours == {"phantomgo.version"}
    printed, modules = loaded("import phantomgo as pg; pg.View; pg.Rules; pg.Bot; pg.candidates")
    assert printed == ""
    assert not {"numpy", "numba", "phantomgo.game.referee"} & modules


def test_the_library_prints_nothing():
    words = (
        "import phantomgo as pg;"
        "pg.play_game('random', 'random', size=4);"
        "pg.play_match('random', 'random', games=2, size=4);"
        "b = pg.learn('random', size=3, seeds=3, test_seeds=2);"
        "pg.decide(pg.View(pg.Rules(size=4), pg.BLACK), 'random')"
    )
    assert loaded(words)[0] == ""


WRONG = (
    None, True, -1, 0, 3, 10**30, 2.5, -0.0, math.nan, math.inf, 1j, "", "x", "\0", "a b", "-1",
    "random", "\ud800", "x" * 5000, "book:", "gtp:", "online:", b"x", (), ("x",), [], [1], {},
    {"x": 1}, set(), range(3), object(), object, int, len, lambda: 0, ..., Ellipsis.__class__,
    np.int64(3), np.zeros(3), Exception(),
)  # fmt: skip
RULES = pg.Rules(size=3)
GIVEN = {
    "view": pg.View(RULES, pg.BLACK), "player": "random", "black": "random", "white": "random",
    "bot": "random", "text": "A1", "size": 3, "move": 3, "points": 7, "games": 2, "seeds": 2,
    "test_seeds": 1, "name_or_file": "nash5", "file": "none.toml", "repeats": 1,
    "book": pg.read_book("nash5"), "default": 1, "low": 0, "high": 3, "meaning": "x",
    "colour": pg.BLACK, "rules": RULES, "message": Moved(), "messages": [], "place": int, "seed": 1,
    "outcome": Outcome(None, None, Ending.VOID, "x"), "komi": 1, "name": "ccgc", "key": "ko",
    "times": 2, "seconds": 1.0, "number": 1,
    "record": pg.play_game("random", "random", rules=RULES),
}  # fmt: skip
"""Values with which a call of a public function takes a moment."""


def drawn_game(*_):
    return 0.5


NAMES = [name for name in pg.__all__ if isinstance(getattr(pg, name), FunctionType)]


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_value_is_an_error_of_ours(name, tmp_path, monkeypatch):
    """Of every parameter of every public function, or it is allowed."""
    monkeypatch.chdir(tmp_path)
    takes = signature(getattr(pg, name)).parameters.values()
    given = {one.name: GIVEN[one.name] for one in takes if one.name in GIVEN}
    given |= {"game": RULES} if name == "make_bot" else {}
    if name in ("play_matrix", "learn_portfolio"):
        several = {"play": drawn_game, "own": 2, "matrix": pg.play_matrix(drawn_game, 2)}
        given |= {one.name: several[one.name] for one in takes if one.name in several}
    for one in (one for one in takes if one.kind is not one.VAR_POSITIONAL):
        for value in WRONG:
            if one.name == "play" and callable(value):
                continue  # its errors are its own
            with suppress(pg.PhantomGoError, OSError):
                getattr(pg, name)(**{**given, one.name: value})


@pytest.mark.parametrize("make", [pg.Games, pg.Referee, pg.Rules, pg.View, pg.Run])
def test_a_wrong_value_makes_nothing(make):
    takes = signature(make).parameters
    given = {name: GIVEN[name] for name in ("rules", "number", "colour", "move") if name in takes}
    for name in takes:
        for value in WRONG:
            with suppress(pg.PhantomGoError):
                make(**{**given, name: value})


def test_a_wrong_value_is_named():
    """Also where it would be taken for another, and a text for the list of its characters."""
    referee = pg.Referee(RULES)
    for call, said in (
        (lambda: referee.attempt(pg.BLACK, "C3"), "^move 'C3' is not a whole number from -2"),  # type: ignore[arg-type]
        (lambda: referee.view(1), "^colour 1 is neither BLACK nor WHITE"),  # type: ignore[arg-type]
        (lambda: pg.play_game("random", "random", size=3.0), "^play_game: size 3.0 is not int"),  # type: ignore[arg-type]
        (lambda: pg.Run(progress=5), "^progress 5 is not a Progress"),  # type: ignore[arg-type]
    ):
        with pytest.raises(pg.PhantomGoError, match=said):
            call()


def test_reading_a_name_changes_no_class():
    words = (
        "from phantomgo.game.referee import Referee; from phantomgo.portfolio.book import Book;"
        "before = dict(vars(Referee)), dict(vars(Book));"
        "import phantomgo as pg; pg.Referee(pg.Rules()).view(pg.BLACK); pg.read_book('nash5');"
        "assert (dict(vars(Referee)), dict(vars(Book))) == before"
    )
    assert python("-c", words).returncode == 0


def test_a_copy_of_a_referee_is_a_game_of_its_own():
    referee = pg.Referee(RULES)
    copy(referee).attempt(pg.BLACK, 3)
    assert referee.view(pg.BLACK).own == 0


@pytest.mark.parametrize("names", ["bots/__init__.py", "bots.py"])
def test_a_package_of_our_name_beside_the_script_is_one_sentence(names, tmp_path):
    file = tmp_path / names
    file.parent.mkdir(exist_ok=True)
    file.touch()
    (tmp_path / "script.py").write_text("import phantomgo as pg; pg.play_match")
    words = [sys.executable, tmp_path / "script.py"]
    said = subprocess.run(words, capture_output=True, text=True, check=False).stderr
    assert f"{file} hides our package bots: rename or uninstall it" in said.splitlines()[-1]
