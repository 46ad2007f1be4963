"""The command book, and who plays from one."""

import json

from phantomgo.app.cli import main
from phantomgo.portfolio.book import read_book
from tests.support.commands import phantomgo


def test_the_server_plays_from_a_book(learned):
    lines = ["phantom-param bot book:no", "genmove b", "gomill-describe_engine", "quit"]
    found = phantomgo("gtp", "--book", f"{learned}/nash3.json", input="\n".join(lines) + "\n")
    refusal, move, description, _ = found.stdout.split("\n\n", 3)
    assert refusal.startswith("? no book 'no'; there are ")
    assert move.startswith("=")
    assert f"\nbot book:{learned}/nash3.json\nseed hidden until the game is over" in description
    assert '"size": 3, "komi": 1.5,' in description
    assert found.stderr == ""


def test_a_changed_bot_fails_the_check(learned, tmp_path, capsys):
    text = (learned / "nash3.json").read_text()
    fingerprint = read_book(f"{learned}/nash3.json").setup.black.fingerprint
    (tmp_path / "nash3.json").write_text(text.replace(fingerprint, "0" * 16))
    assert main(["book", "check", f"{tmp_path}/nash3.json"]) == 1
    assert "Black's bot random has changed since it was learned" in capsys.readouterr().err
    words = ["evaluate", "book", f"{tmp_path}/nash3.json", "--test-seeds", "2"]
    assert main(words) == 1
    assert main([*words, "--force"]) == 0


def test_a_check_takes_no_longer_for_a_book_that_asks_for_more(learned, tmp_path, capsys):
    text = (learned / "nash3.json").read_text()
    for bot in ("flatmc:playouts=999999999,per_candidate=9999999", "twolevel:playouts=999999"):
        (tmp_path / "nash3.json").write_text(text.replace('"random"', f'"{bot}"'))
        assert main(["book", "check", f"{tmp_path}/nash3.json"]) == 1
        assert f"bot {bot} has changed since it was learned" in capsys.readouterr().err


def test_the_bots_include_books(learned, monkeypatch, capsys):
    monkeypatch.setattr("phantomgo.portfolio.book.LIBRARY.folder", lambda: learned)
    assert main(["bots", "book"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("book:NAME: a bot that draws a line from a book")
    assert "\n  symmetry=on  one of on, off: " in out
    assert out.endswith("\n  NAME  a .json file, or one of nash3\n")
    assert main(["bots", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["book:NAME"]) == {"symmetry", "force", "code"}
    assert set(told["nets"]) == {"judge2", "judge3", "judge4", "stones1", "stones4"}


def test_book_list(learned, monkeypatch, capsys):
    monkeypatch.setattr("phantomgo.portfolio.book.LIBRARY.folder", lambda: learned)
    assert main(["book", "list"]) == 0
    assert capsys.readouterr().out == (
        "nash3  size 3, komi 1.5, rules olympiad, bot random, method nash, seeds 14\n"
    )
    assert main(["book", "list", "--json"]) == 0
    said = capsys.readouterr().out
    assert json.loads(said)["nash3"]["seeds"] == 14
    assert json.loads(said)["nash3"]["evaluation"]["seeds"] == read_book("nash3").evaluation.seeds
