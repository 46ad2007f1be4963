"""The command `phantomgo play`, without a terminal."""

import io
from pathlib import Path

import pytest

from phantomgo.app.cli import main
from phantomgo.app.table import saving
from phantomgo.app.table.players import HUMAN
from phantomgo.game.points import RESIGN
from phantomgo.game.recording import verify
from tests.support.engines import OURS
from tests.support.places import ROOT
from tests.support.play_tools import new_game


def typed(monkeypatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_gtp_engine_plays(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.stdin", io.StringIO("c3\nb2\npass\nresign\nresign\n"))
    assert main(["play", "--bot", OURS, "--size", "4", "--seed", "3"]) == 0
    record = saving.load(saving.chosen("1"))
    assert record.white.name == OURS
    assert verify(record).outcome == record.outcome
    assert len(record.moves) > 2


def test_a_game_goes_on_by_the_command(monkeypatch, capsys):
    typed(monkeypatch, "c3\nd4\nquit\ny\n")
    assert main(["play", "--size", "5", "--bot", "random", "--seed", "4", "--time", "900"]) == 0
    first = saving.load(saving.chosen("1"))
    capsys.readouterr()
    typed(monkeypatch, "log\nresign\nresign\n")
    assert main(["play", "--resume"]) == 0
    out = capsys.readouterr().out
    assert "Black's move C3 is accepted." in out
    again = saving.load(saving.chosen("1"))
    assert again.steps[: len(first.steps)] == first.steps
    assert (again.white, again.time) == (first.white, 900)
    assert again.outcome.result == "W+R"
    typed(monkeypatch, "review\n")
    assert main(["play", "--resume"]) == 0
    assert "What decided the game" in capsys.readouterr().out


def test_two_games_are_kept_apart_and_listed(monkeypatch, capsys):
    for moves in ("c3\nd4\n", "resign\nresign\n"):
        typed(monkeypatch, moves)
        assert main(["play", "--size", "5", "--bot", "random", "--seed", "4"]) == 0
    assert len(saving.saved()) == 2
    assert "5x5, komi 2.5, olympiad" in capsys.readouterr().out
    first, second = (saving.load(file) for file in saving.saved())
    assert {first.outcome.result, second.outcome.result} == {"Void", "W+R"}
    assert main(["play", "--games"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 2
    assert all("5x5  human against random: " in line for line in listed)
    number = next(n for n, line in enumerate(listed, 1) if line.endswith(" moves"))
    typed(monkeypatch, "resign\nresign\n")
    assert main(["play", "--resume", str(number)]) == 0
    assert len(saving.saved()) == 2  # it goes on where it is kept


def test_a_game_is_saved_where_it_was_found(monkeypatch):
    """Another terminal may save a later game meanwhile."""
    mine, theirs = (saving.folder() / name for name in ("mine.json", "theirs.json"))
    saving.keep(new_game(HUMAN, HUMAN), mine)
    load = saving.load

    def load_slowly(file):
        record = load(file)
        saving.keep(new_game(HUMAN, HUMAN), theirs)
        return record

    monkeypatch.setattr(saving, "load", load_slowly)
    typed(monkeypatch, "a1\n")
    assert main(["play", "--resume"]) == 0
    assert [len(load(file).steps) for file in (mine, theirs)] == [1, 0]


def test_a_link_to_nowhere_hides_no_saved_game():
    saving.keep(new_game(HUMAN, HUMAN), saving.folder() / "game.json")
    (saving.folder() / "moved.json").symlink_to("nowhere.json")
    assert [file.name for file in saving.saved()] == ["game.json"]


def test_the_list_does_not_tell_how_often_the_opponent_was_refused():
    """Anybody may list the games while one of them is being played."""
    lines = set()
    for refusals in range(3):
        game = new_game(HUMAN, HUMAN)
        game.attempt(3, 0.1)
        for _ in range(refusals):
            assert game.attempt(3, 0.1).reason is not None
        game.attempt(4, 0.1)
        saving.keep(game, saving.folder() / "game.json")
        lines.add(next(saving.listed()).partition("human")[2])
    assert lines == {" against human: 2 moves"}


PROGRAMS = ["gtp:touch started", "stranger:Bot", "book:strange.json,code=on"]


@pytest.mark.parametrize("spec", PROGRAMS)
def test_a_saved_game_runs_no_code(spec, monkeypatch, capsys, tmp_path):
    """Neither when it is resumed nor, if it is over, for a rematch: anybody may have written it."""
    Path("stranger.py").write_text("open('started', 'w')")
    book = Path(ROOT / "books" / "nash5.json").read_text()
    Path("strange.json").write_text(book.replace('"flatmc:playouts=200"', '"stranger:Bot"'))
    game = new_game(HUMAN, spec)
    game.attempt(3, 0.1)
    saving.keep(game, tmp_path / "game.json")
    typed(monkeypatch, "")
    assert main(["play", "--resume", "game.json"]) == 2
    assert f"White is {spec!r} in the saved game, which would run a pro" in capsys.readouterr().err
    game.attempt(RESIGN, 0.1)
    saving.keep(game, tmp_path / "over.json")
    typed(monkeypatch, "rematch\n")
    assert main(["play", "--resume", "over.json"]) == 0
    assert f"No rematch: Black is {spec!r} in the saved game" in capsys.readouterr().out
    assert not Path("started").exists()
    typed(monkeypatch, "pass\n")
    assert main(["play", "--resume", "game.json", "--bot", "random"]) == 0
    assert saving.load(saving.chosen("1")).white.name == "random"


def test_a_bot_remembers_its_opponent_from_game_to_game(monkeypatch, capsys):
    """A game that was left is resumed by the same option, and by no other file."""
    new = ["play", "--bot", "random", "--remember", "me.db", "--size", "3", "--seed", "1"]
    typed(monkeypatch, "b2\nresign\nresign\n")
    assert main(new) == 0
    assert Path("me.db").exists()
    typed(monkeypatch, "b2\n")
    assert main(new) == 0
    capsys.readouterr()
    typed(monkeypatch, "quit\nquit\n")
    assert main(["play", "--resume"]) == 2
    assert "which would write me.db; if it is to play, name it again, with --remember me.db" in (
        capsys.readouterr().err
    )
    assert main(["play", "--resume", "--remember", "other.db"]) == 2
    assert "no bot of the saved game keeps other.db" in capsys.readouterr().err
    typed(monkeypatch, "quit\nquit\n")
    assert main(["play", "--resume", "--remember", "me.db"]) == 0
