"""What the tests of several commands look at."""

import numpy as np
import pytest

from phantomgo.app.cli import main
from phantomgo.app.table import chances
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.lab.run.contest import Result
from phantomgo.lab.seeds.contest import make_setup
from phantomgo.lab.seeds.seed_store import SeedStore
from tests.support.learning import learn


@pytest.fixture(autouse=True)
def playouts_alone(monkeypatch):
    """Reviews continue no games: the playouts' estimates are quicker, and do for all tests but
    those of these games.
    """
    monkeypatch.setattr(chances, "GAMES", 0)


@pytest.fixture(scope="package")
def learned(tmp_path_factory):
    """A folder with a book and its store, made without interruption."""
    folder = tmp_path_factory.mktemp("learned")
    assert main(learn(folder, seeds=14)) == 0
    return folder


@pytest.fixture(scope="package")
def matrix_store(tmp_path_factory):
    """A store with made-up results of 30 seeds."""
    path = tmp_path_factory.mktemp("store") / "m.db"
    rules = Rules.profile("olympiad", size=3, komi=1.5)
    wins = np.random.default_rng(2).integers(0, 2, (30, 30))
    with SeedStore(path, make_setup("random", "random", "olympiad", Game(rules))) as store:
        store.add(
            [((i, j), Result("B+1.5" if won else "W+R")) for (i, j), won in np.ndenumerate(wins)]
        )
    return path
