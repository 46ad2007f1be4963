"""Commands refuse bad input in one sentence, before anything is played or written."""

import io
import re
import shlex

import pytest

from phantomgo.app.cli import main
from phantomgo.app.table.players import HUMAN
from phantomgo.records.record_json import write_record
from tests.support.commands import exit_code
from tests.support.learning import learn
from tests.support.places import TESTS
from tests.support.play_tools import new_game
from tests.support.records import game

CASES = re.findall(r"\$ (.*)\n([12]) (.*)", (TESTS / "data" / "refused.txt").read_text())


@pytest.fixture(scope="module")
def folder(learned, matrix_store, tmp_path_factory):
    """The files that the commands name."""
    folder = tmp_path_factory.mktemp("refused")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        lines = learn(".", "--moves", "2", "--test-seeds", "0", seeds=4, out="one.json")
        assert main(lines) == 0
    (folder / "nash3.json").write_bytes((learned / "nash3.json").read_bytes())
    (folder / "matrix.db").write_bytes(matrix_store.read_bytes())
    table, record = new_game(HUMAN, HUMAN), write_record(game(1, size=3)) + "\n"
    table.attempt(3, 0.1)
    begun = write_record(table.record())
    texts = {
        "begun.json": begun,
        "false.json": begun.replace("D1 captured 0", "D1 captured 9"),
        "game.json": record,
        "two.json": 2 * record,
        "none.json": "",
        "text.json": "hello\n",
        "board.sgf": "(;GM[1]SZ[9]AE[aa]AW[bb])",
        "half.sgf": "(;GM[1]SZ[9];W[]PGH[1])",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(("words", "code", "error"), CASES, ids=[words for words, _, _ in CASES])
def test_a_command_is_refused(words, code, error, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert exit_code(*shlex.split(words)) == int(code)
    said = capsys.readouterr()
    assert said.out == ""
    assert re.fullmatch(".*".join(map(re.escape, error.split("..."))), said.err.splitlines()[-1])
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
