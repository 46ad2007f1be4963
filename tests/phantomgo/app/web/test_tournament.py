"""The page of a tournament on the server: that file, as it is now, and no other."""

import asyncio
import os

from phantomgo.app.cli import main
from phantomgo.app.web import server
from tests.support.web_tools import Site

CLUB = """
[tournament]
size = 3
[players.dice]
spec = "random"
label = "<b>dice</b>"
[players.flat]
spec = "flatmc:playouts=3"
"""


def answers(folder, *paths):
    async def asked():
        site = Site(tournament=folder)
        return [await site.get(path) for path in paths]

    return asyncio.run(asked())


def test_the_page_is_shown_as_it_is_now(tmp_path):
    (tmp_path / "club.toml").write_text(CLUB)
    folder = tmp_path / "club"
    folder.mkdir()
    front, early = answers(folder, "/", "/tournament")
    assert 'href="/tournament"' in front.text
    assert (early.status, "has no page now" in early.text) == (404, True)
    assert main(["tournament", str(tmp_path / "club.toml")]) == 0
    (shown,) = answers(folder, "/tournament")
    assert shown.status == 200
    assert shown.body == (folder / "index.html").read_bytes()
    assert "&lt;b&gt;dice" in shown.text
    assert shown.header("content-security-policy").startswith("default-src 'none'; style-src")
    assert "script-src" not in shown.header("content-security-policy")


def test_nothing_else_of_the_folder_is_there(tmp_path):
    (tmp_path / "index.html").write_text("the page")
    (tmp_path / "secret.txt").write_text("secret")
    paths = ["games.db", "secret.txt", "../secret.txt", "%2e%2e/secret.txt", "index.html", ""]
    for answer in answers(tmp_path, *(f"/tournament/{path}" for path in paths)):
        assert "secret" not in answer.text
        assert answer.status == 404 or answer.header("location").endswith("/tournament")
    front, page = answers(None, "/", "/tournament")
    assert "/tournament" not in front.text
    assert page.status == 404


def test_a_page_that_is_not_a_plain_file(tmp_path, monkeypatch):
    page, secret = tmp_path / "index.html", tmp_path / "secret"
    secret.write_text("secret")
    page.symlink_to(secret)
    assert answers(tmp_path, "/tournament")[0].status == 404
    page.unlink()
    os.mkfifo(page)
    assert answers(tmp_path, "/tournament")[0].status == 404
    page.unlink()
    page.mkdir()
    assert answers(tmp_path, "/tournament")[0].status == 404
    page.rmdir()
    monkeypatch.setattr(server, "LONGEST_PAGE", 6)
    for text, status in (("whole", 200), ("too long", 404)):
        page.write_text(text)
        assert answers(tmp_path, "/tournament")[0].status == status
