"""A best response that learns: what it keeps, and that it goes on."""

import importlib.util
import json
from pathlib import Path

import pytest

from bots.nets import Net, read_net, write_net
from phantomgo.app.cli import main
from phantomgo.lab.teaching.lessons import Lessons, lessons_in
from phantomgo.record_json import read_record

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="training needs PyTorch, the extra `train`"
)

BOT = "flatmc:playouts=5"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A net of hidden stones that is quickly taught, and a judge."""
    from phantomgo.lab.teaching.training import SUBJECTS, Stack

    folder = tmp_path_factory.mktemp("nets")
    for name, subject in SUBJECTS.items():
        stack = Stack(len(subject.planes), [4])
        write_net(Net.of(name, stack.rounded(), planes=subject.planes), folder / f"{name}.json")
    return f"phantom:playouts=5,net={folder}/stones.json,judge={folder}/judge.json"


def respond(folder: Path, learner: str, *more: str) -> int:
    words = [
        "train",
        "response",
        BOT,
        "--learner",
        learner,
        "--size",
        "3",
        "--komi",
        "0.5",
        "--games",
        "10",
    ]
    words += ["--steps", "2", "--test", "4", "--jobs", "1", "--store", str(folder)]
    return main([*words, *more])


def test_it_learns_from_what_the_learner_saw_and_is_measured(tmp_path, capsys, small):
    assert respond(tmp_path, small, "--rounds", "2") == 0
    said = capsys.readouterr().out
    assert "the learner" in said
    assert "4 of 4 games" in said
    made = {path.name: path.read_bytes() for path in tmp_path.glob("*.json")}
    assert sorted(made) == ["judge1.json", "judge2.json", "stones1.json", "stones2.json"]
    first, second = (read_net(str(tmp_path / f"stones{n}.json")) for n in (1, 2))
    assert second.learned_from["began_as"] == first.digest
    assert sum(game["games"] for game in second.learned_from["games"]) == 20
    for text in lessons_in(str(tmp_path / "lessons2.db")):
        game, lessons = text.split("\n")
        record = read_record(game)
        asked = {record.side(record.steps[n].colour).name for n in Lessons.read(lessons).step}
        assert all("stones1.json" in name for name in asked)

    # The same command makes nothing again; another round goes on from those there are.
    assert respond(tmp_path, small, "--rounds", "2") == 0
    assert capsys.readouterr().out == said
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.json")} == made

    # A net made from other games is not taken for the one that is wanted.
    assert respond(tmp_path, small, "--steps", "3") == 0
    again = json.loads((tmp_path / "stones1.json").read_text())
    assert again["learned_from"]["steps"] == 3


def test_who_cannot_learn_is_refused(tmp_path, capsys):
    for learner in ("phantom", "phantom:judge=judge1,net=none", "flatmc"):
        assert respond(tmp_path / "none", learner) == 2
        assert f"learner {learner} is not phantom:net=NET,judge=NET" in capsys.readouterr().err
    assert respond(tmp_path / "none", "phantom:net=stones1,judge=judge1") == 2
    assert "net stones1 cannot be fine-tuned: its input is not that of a new net" in (
        capsys.readouterr().err
    )
    assert not (tmp_path / "none").exists()
