"""`phantomgo replay`: stores and files of records, shown and checked."""

import json
import re

from phantomgo.app.cli import main
from phantomgo.records.record_json import write_record
from tests.support.commands import phantomgo
from tests.support.records import game


def lines(tmp_path, *texts):
    file = tmp_path / "games.jsonl"
    file.write_text("".join(text + "\n" for text in texts))
    return str(file)


def replayed(*words, capsys) -> tuple[int, str, str]:
    code = main(["replay", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_game_is_shown_with_the_truth_and_both_views(tmp_path, capsys):
    record = game(4, size=3)
    code, out, _ = replayed(lines(tmp_path, write_record(record)), capsys=capsys)
    assert code == 0
    assert out.startswith("Game 0: wild 4 (Black) against wild 5 (White), 3x3, komi 7.5\n")
    assert out.count("Full board") == len(record.steps)
    assert out.count("   to Black: ") == sum(len(step.black) for step in record.steps)
    assert "phantom-" not in out, "people are told in sentences"
    assert re.search(r"\n   to Black: Black's move [A-C][1-3] (is accepted|is refused)\.", out)
    assert f"game 0: valid: {record.outcome.result}, " in out


def test_what_is_false_is_found(tmp_path, capsys):
    good, bad = write_record(game(4, size=3)), json.loads(write_record(game(5, size=3)))
    bad["steps"][0]["white"] = []
    file = lines(tmp_path, good, json.dumps(bad))
    code, out, _ = replayed(file, "--check", capsys=capsys)
    assert code == 1
    assert out.startswith("game 0: valid: ")
    assert "\ngame 1: INVALID: attempt 1: White is told " in out
    code, out, _ = replayed(file, "--check", "--game", "0", capsys=capsys)
    assert (code, out.count("game")) == (0, 1)


def test_a_store_is_printed_as_lines_that_can_be_replayed(tmp_path, capsys):
    store = str(tmp_path / "games.db")
    bots = ["--black", "random", "--white", "random", "--size", "4", "--games", "2"]
    assert main(["match", *bots, "--store", store]) == 0
    capsys.readouterr()
    _, out, _ = replayed(store, "--json", capsys=capsys)
    code, checked, _ = replayed(lines(tmp_path, *out.splitlines()), "--check", capsys=capsys)
    assert (code, checked.count(": valid: ")) == (0, 2)
    assert replayed(store, "--check", capsys=capsys)[1] == checked


def test_a_game_that_is_missing_is_told_which_there_are(tmp_path, capsys):
    """The numbers of a tournament's games have gaps, for games that may be added later."""
    file = tmp_path / "club.toml"
    file.write_text(
        '[tournament]\ngames = 12\nsize = 2\n[players.one]\nspec = "random"\n'
        '[players.two]\nspec = "random"\n[players.three]\nspec = "random"\n'
    )
    assert main(["tournament", str(file)]) == 0
    capsys.readouterr()
    store = str(tmp_path / "club" / "games.db")
    code, _, error = replayed(store, "--game", "12", capsys=capsys)
    there = "0 to 11, 14 to 19, 24 to 29, ..., 66 to 67"
    assert code == 2
    assert error == f"phantomgo replay: {store} has no game 12: its games are {there}\n"


def test_a_pipe_is_read_once():
    text = "".join(write_record(game(seed, size=3)) + "\n" for seed in (4, 5))
    done = phantomgo("replay", "/dev/stdin", "--json", input=text)
    assert (done.returncode, done.stdout) == (0, text), done.stderr
    text = "(\nSZ[5]KM[2.5]\n;B[ee];W[aa])"  # the Nihon Ki-in leaves out the first semicolon
    assert phantomgo("replay", "/dev/stdin", "--check", input=text).returncode == 0
