"""The scripts in docs/examples run as they are, and the pages of docs show them."""

import os
import re
import shutil
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.support.commands import python
from tests.support.places import PAGES, ROOT

EXAMPLES = ROOT / "docs" / "examples"
SCRIPTS = {path.name: path.read_text() for path in EXAMPLES.glob("*.py")}


# What each script needs beside phantomgo, and what it prints.
RUNS = {
    "two_bots.py": (None, r"both players passed; .*10 of 10 games.*"),
    "portfolio.py": (None, r"\d+ seeds for Black, \d+ for White\n5x5, .*book:nash.json +200 .*"),
    "own_bot.py": (None, r"5x5, .*: 30 of 30 games.*Corner won [\d.]+ of 20 games\n"),
    "book.py": (None, r"against the most dangerous of 1 fresh seeds: .*\nnash .*book:small.json.*"),
    "own_game.py": (None, r"uniform: 0.[45]\d .*\nbestseed: .*\nnash: 0.[56]\d against a fresh.*"),
    "belief.py": ("matplotlib", r"best: .*"),
    "curve.py": ("matplotlib", r"nash against the most dangerous of 16: 0.4\d\n"),
    "rollouts.py": (
        None,
        r"planes \(256, 8, 9, 9\), .*\(256, 82\), .*\nBlack won 37% of 364 games\n",
    ),
    "reinforce.py": ("torch", r"update 0: Black won 37%\n.*update 7: Black won [6-8]\d%\n"),
    "openspiel.py": ("pyspiel", r"(a best.*1.00\n){2}NashConv: flatmc 2.00, CFR\+ 0.13\n"),
}
ONE_AFTER_ANOTHER = """
import runpy, sys
for script in sys.argv[1:]:
    print("==", script, flush=True)
    runpy.run_path(script, run_name="__main__")
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> dict[str, str]:
    """What the scripts print whose needs are met; one process runs them all."""
    folder = tmp_path_factory.mktemp("examples")
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, folder)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    scripts = [script for script, (needs, _) in RUNS.items() if not needs or find_spec(needs)]
    done = python("-c", ONE_AFTER_ANOTHER, *scripts, cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    parts = re.split(r"^== (\S+)\n", done.stdout, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("script", RUNS)
def test_a_script_runs(script, printed):
    needs, expected = RUNS[script]
    if script not in printed:
        pytest.skip(f"the optional extra that has {needs} is not installed")
    assert re.fullmatch(expected, printed[script], re.S), printed[script]


def test_the_portfolio_of_readme_wins_about_60_percent(printed):
    won = re.search(r"^book:nash.json +200 +(\d+) ", printed["portfolio.py"], re.M)
    assert won is not None
    assert 100 < int(won[1]) < 140


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of code in this language, `` for those without one."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.S | re.M)


def test_the_pages_show_the_scripts_and_no_other_python():
    shown = {
        re.sub(r"^# \w+\.py\n", "", block) for page in PAGES for block in blocks(page, "python")
    }
    assert {code.partition('"""\n\n')[2] for code in SCRIPTS.values()} == shown


def test_no_page_has_a_session_that_is_not_run():
    """Each is run by a test: of its page, or of all tutorials."""
    sessions = {
        str(page.relative_to(ROOT))
        for page in PAGES
        for language in ("", "console")
        for block in blocks(page, language)
        if re.search(r"^(\$|>) ", block, re.M)
    }
    elsewhere = {name for name in sessions if not name.startswith("docs/tutorials/")}
    assert elsewhere == {"README.md", "docs/play.md", "gtp/README.md"}


def test_the_environment_for_gymnasium(monkeypatch):
    """It is the agent's turn in every game, as each colour, and every game that ends is counted."""
    pytest.importorskip("gymnasium")
    monkeypatch.syspath_prepend(EXAMPLES)
    env = import_module("gym_env").PhantomGo(6, "flatmc:playouts=1", size=3)
    planes, info = env.reset(seed=1)
    random, ended = np.random.default_rng(1), 0.0
    for _ in range(60):
        assert env.observation_space.contains(planes)
        assert (planes[:, 13, 0, 0] == [1, 0] * 3).all()
        assert (info["legal"].sum(1) > 0).all()
        actions = (info["legal"] * random.random(info["legal"].shape)).argmax(1)
        planes, rewards, terminated, truncated, info = env.step(actions)
        assert ((rewards != 0) == terminated).all(), "komi 2.5 leaves no draws"
        assert not truncated.any()
        ended += terminated.sum()
    assert ended > 6


def test_the_bot_of_the_tutorial_plays_as_its_policy_does(monkeypatch, tmp_path):
    pytest.importorskip("gymnasium")
    torch = pytest.importorskip("torch")
    for name in ("gym_env.py", "ppo.py", "ppo_bot.py"):
        shutil.copy(EXAMPLES / name, tmp_path)
        sys.modules.pop(name.removesuffix(".py"), None)
    monkeypatch.syspath_prepend(tmp_path)
    torch.manual_seed(1)
    torch.save(import_module("ppo").Net().state_dict(), tmp_path / "ppo.pt")
    env, act = import_module("gym_env").PhantomGo(4), import_module("ppo_bot").policy()
    planes, info = env.reset(seed=1)
    for _ in range(20):
        actions = act(planes, info["legal"])
        theirs = env.games.play("ppo_bot:Learned", np.ones(4, bool), np.arange(4))
        assert (actions == theirs).all()
        planes, _, _, _, info = env.step(actions)
