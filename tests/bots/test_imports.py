"""What a command pays for before it begins: the bots' compiler is loaded by whoever needs it."""

import json

from tests.support.commands import python

SLOW = ("numba", "llvmlite", "scipy", "prompt_toolkit", "matplotlib", "torch")
LOADED = """
import importlib, json, sys

heavy, found = set(sys.argv[1].split()), {}
for module in sys.argv[2:]:
    importlib.import_module(module)
    if here := sorted(heavy & set(sys.modules)):
        found[module] = here
print(json.dumps(found))
"""


def loaded(heavy, *modules):
    """The heavy packages that are there after each import, one after another in a process."""
    return json.loads(python("-c", LOADED, " ".join(heavy), *modules, check=True).stdout)


def test_the_imports_are_light():
    names = ("cli", "gtp", "play", "web", "match", "learn", "book", "replay")
    apps = [f"phantomgo.app.{name}" for name in names]
    assert loaded(SLOW, "bots", "bots.belief", "bots.fingerprint", "gtp.session", *apps) == {}


def test_a_server_starts_without_numpy():
    """It takes as long to load as all the rest."""
    assert loaded(["numpy"], *(f"phantomgo.app.{name}" for name in ("gtp", "bridge"))) == {}


def test_a_bot_that_needs_no_kernels_loads_none():
    words = (
        "import sys; from bots import Game, make; from phantomgo.game.rules import Rules;"
        "make('random', Game(Rules()), 1); print(*sys.modules)"
    )
    assert not set(SLOW) & set(python("-c", words, check=True).stdout.split())
