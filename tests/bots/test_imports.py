"""What a command pays for before it begins: the bots' compiler is loaded by whoever needs it."""

import subprocess
import sys

import pytest

SLOW = ("numba", "llvmlite", "scipy", "prompt_toolkit", "matplotlib", "torch")


@pytest.mark.parametrize(
    "module",
    ["bots", "bots.belief", "bots.fingerprint", "gtp.session", "phantomgo.app.cli"]
    + [f"phantomgo.app.{name}" for name in ("gtp", "play", "web", "match", "learn")]
    + ["phantomgo.app.book", "phantomgo.app.replay"],
)
def test_the_import_is_light(module):
    words = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", words], capture_output=True, check=True).stdout
    assert not set(SLOW) & set(loaded.decode().split())


@pytest.mark.parametrize("name", ["gtp", "adapter", "bridge"])
def test_a_server_starts_without_numpy(name):
    """It takes as long to load as all the rest."""
    words = f"import sys, phantomgo.app.{name}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", words], capture_output=True, check=True).stdout
    assert "numpy" not in loaded.decode().split()


def test_a_bot_that_needs_no_kernels_loads_none():
    words = "import sys; from bots import make; make('random', 1); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", words], capture_output=True, check=True).stdout
    assert not set(SLOW) & set(loaded.decode().split())


def test_a_compiled_decision_loads_no_scipy():
    """Numba looks for SciPy's BLAS, which takes a fifth of the time to a first move."""
    words = (
        "import sys; from bots import make; from phantomgo.points import BLACK;"
        " from phantomgo.rules import Rules; from phantomgo.view import View;"
        " make('phantom:book=none', 1).within(1).propose(View(Rules(size=5), BLACK));"
        " print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", words], capture_output=True, check=True).stdout
    assert "numba" in loaded.decode().split()
    assert "scipy.linalg" not in loaded.decode().split()
