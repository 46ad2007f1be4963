"""Files are whole at every moment, and on the disk before they take the old one's place."""

import errno
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Thread

import pytest

from phantomgo.database import Database, FileFormat
from phantomgo.errors import BadBook, BadText
from phantomgo.files import (
    cache_folder,
    check_replaceable,
    output_file,
    state_folder,
    write_atomically,
)
from phantomgo.portfolio.book import read_book, write_book


def test_it_is_on_the_disk_before_it_is_seen(tmp_path, monkeypatch):
    path = tmp_path / "book.json"
    steps: list[tuple[str, ...]] = []
    path.write_text("old")
    fsync, replaced = os.fsync, os.replace

    def recorded_fsync(number):
        fsync(number)
        (part,) = set(tmp_path.iterdir()) - {path}
        steps.append(("synced", part.read_text(encoding="utf-8"), path.read_text()))

    def recorded_replace(source, target):
        steps.append(("replaced", path.read_text()))
        replaced(source, target)

    monkeypatch.setattr(os, "fsync", recorded_fsync)
    monkeypatch.setattr(os, "replace", recorded_replace)
    write_atomically(path, "new €")
    assert steps == [("synced", "new €", "old"), ("replaced", "old")]
    assert path.read_text(encoding="utf-8") == "new €"


def test_the_next_run_removes_what_a_killed_one_left(tmp_path):
    with subprocess.Popen(["true"]) as killed:
        pass
    left, mine = (tmp_path / f".b.json.{pid}.0123abcd.part" for pid in (killed.pid, os.getpid()))
    other = tmp_path / f".b.json.{killed.pid}.part"  # not of ours
    for file in (left, mine, other):
        file.touch()
    check_replaceable(tmp_path / "b.json")
    assert {*tmp_path.iterdir()} == {mine, other}


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_what_cannot_be_written_changes_nothing(tmp_path, monkeypatch, step):
    path = tmp_path / "book.json"
    path.write_text("old")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_several_may_write_a_file_at_once(tmp_path, monkeypatch):
    """Each has a text of its own on the disk before the first of them takes the old one's place."""
    path, together, replaced, seen = tmp_path / "book.json", Barrier(3), os.replace, []

    def replace_together(source, target):
        together.wait()
        replaced(source, target)
        seen.append(path.read_text())

    monkeypatch.setattr(os, "replace", replace_together)
    texts = [letter * 100_000 for letter in "abc"]
    threads = [Thread(target=write_atomically, args=(path, text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 3
    assert set(seen) <= set(texts)
    assert list(tmp_path.iterdir()) == [path]


def test_ctrl_c_leaves_no_part(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "book.json", "new")
    assert list(tmp_path.iterdir()) == []


def test_a_store_is_never_replaced(tmp_path):
    path = tmp_path / "book.json"
    Database(
        path, FileFormat("tests", 77, 1, ("CREATE TABLE entries (number INTEGER)",)), {}
    ).close()
    before = path.read_bytes()
    for write in (check_replaceable, lambda target: write_atomically(target, "{}")):
        with pytest.raises(OSError, match="it is a store") as caught:
            write(path)
        assert caught.value.filename == str(path)
    with pytest.raises(BadText, match=r"^book '.*book\.json' cannot be written: it is a store$"):
        output_file("book", path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_link_leads_to_is_written(tmp_path):
    target, link, other = tmp_path / "there" / "b.json", tmp_path / "b.json", tmp_path / "c.json"
    target.parent.mkdir()
    link.symlink_to("there/b.json")
    other.symlink_to(link)
    for text, path in (("new", link), ("newer", other), ("newest", link)):
        check_replaceable(path)
        write_atomically(path, text)
        assert target.read_text() == path.read_text() == text
    assert link.is_symlink()
    assert other.is_symlink()
    assert [*target.parent.iterdir()] == [target]


def test_a_link_that_leads_nowhere_stays(tmp_path):
    around, away = tmp_path / "a.json", tmp_path / "b.json"
    around.symlink_to(around)
    away.symlink_to(tmp_path / "none" / "b.json")
    for path in (around, away):
        for write in (check_replaceable, lambda target: write_atomically(target, "{}")):
            with pytest.raises(OSError, match=r"symbolic links|No such file"):
                write(path)
        assert path.is_symlink()
    assert {*tmp_path.iterdir()} == {around, away}


OTHERS = [
    "my notes",
    '["a", "list"]',
    '{"format": 4, "name": "x"}',
    '{"black": {}, "white": {}}',
    '{"name": "x", "training": {}, "won": {}, "shape": {}}',
    "\ufeff[" + "[" * 10**5,
    b"\xff\xfe\x00",
]


@pytest.mark.parametrize("content", OTHERS, ids=range(len(OTHERS)))
def test_what_is_no_file_of_ours_is_not_lost(tmp_path, content):
    path = tmp_path / "mine.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = path.read_bytes()
    for kind in ("book", "matrix", "policy"):
        remedy = f"^{kind} '.*mine.json' cannot be written: it holds no {kind}: move it away, or na"
        with pytest.raises(BadText, match=remedy):
            output_file(kind, path)
    with pytest.raises(BadBook, match=r"mine\.json cannot be written: it holds no book"):
        write_book(replace(read_book("nash5"), name="mine"), path)
    assert path.read_bytes() == before


def test_a_file_of_the_same_kind_or_an_empty_one_is_replaced(tmp_path):
    path = tmp_path / "mine.json"
    path.touch()
    for name in ("nash5", "left9"):
        assert output_file("book", path) == path
        write_book(replace(read_book(name), name="mine"), path)
    assert read_book(str(path)).digest == read_book("left9").digest
    with pytest.raises(BadText, match="it holds no matrix"):
        output_file("matrix", path)


def test_a_book_and_a_book_of_moves_do_not_replace_each_other(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"format": 1, "name": "mine", "growth": {}, "black": {}, "white": {}}')
    with pytest.raises(BadText, match="it holds no book: move it away"):
        output_file("book", path)
    path.unlink()
    write_book(replace(read_book("nash5"), name="mine"), path)
    with pytest.raises(BadText, match="it holds no book of moves: move it away"):
        output_file("book of moves", path)


@pytest.mark.parametrize("relative", ["", "state", "./state", "~/state"])
def test_the_folders_of_a_user_do_not_depend_on_where_they_start(monkeypatch, tmp_path, relative):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    for variable in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, relative)
    assert state_folder() == tmp_path / ".local/state/phantomgo"
    assert cache_folder() == tmp_path / ".cache/phantomgo"
    monkeypatch.setenv("XDG_STATE_HOME", "/var/games")
    assert state_folder() == Path("/var/games/phantomgo")


def test_a_user_without_a_home_keeps_nothing_in_the_current_folder(monkeypatch):
    """As a process of a user who is not in /etc/passwd, started without HOME."""
    for variable in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert state_folder() == Path("/.local/state/phantomgo")
    assert cache_folder() == Path("/.cache/phantomgo")
