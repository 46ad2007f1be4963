"""What `import phantomgo` offers."""

import pytest

import phantomgo as pg
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
    assert not {"numpy", "numba", "phantomgo.referee"} & modules


def test_the_library_prints_nothing():
    words = (
        "import phantomgo as pg;"
        "pg.play_game('random', 'random', size=4);"
        "pg.play_match('random', 'random', games=2, size=4);"
        "b = pg.learn('random', size=3, seeds=3, test_seeds=2);"
        "pg.decide(pg.View(pg.Rules(size=4), pg.BLACK), 'random')"
    )
    assert loaded(words)[0] == ""
