"""Files are whole at every moment, and on the disk before they take the old one's place."""

import errno
import os
import subprocess
from pathlib import Path
from threading import Barrier, Thread

import pytest

from phantomgo.database import Database, FileFormat
from phantomgo.errors import BadText
from phantomgo.files import cache_folder, named_file, state_folder, try_target, write_whole


def test_it_is_on_the_disk_before_it_is_seen(tmp_path, monkeypatch):
    path = tmp_path / "book.json"
    steps: list[tuple[str, ...]] = []
    path.write_text("old")
    fsync, replace = os.fsync, os.replace

    def recorded_fsync(number):
        fsync(number)
        (part,) = set(tmp_path.iterdir()) - {path}
        steps.append(("synced", part.read_text(encoding="utf-8"), path.read_text()))

    def recorded_replace(source, target):
        steps.append(("replaced", path.read_text()))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", recorded_fsync)
    monkeypatch.setattr(os, "replace", recorded_replace)
    write_whole(path, "new €")
    assert steps == [("synced", "new €", "old"), ("replaced", "old")]
    assert path.read_text(encoding="utf-8") == "new €"


def test_the_next_run_removes_what_a_killed_one_left(tmp_path):
    with subprocess.Popen(["true"]) as killed:
        pass
    left, mine = (tmp_path / f".b.json.{pid}.0123abcd.part" for pid in (killed.pid, os.getpid()))
    other = tmp_path / f".b.json.{killed.pid}.part"  # not of ours
    for file in (left, mine, other):
        file.touch()
    try_target(tmp_path / "b.json")
    assert {*tmp_path.iterdir()} == {mine, other}


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_what_cannot_be_written_changes_nothing(tmp_path, monkeypatch, step):
    path = tmp_path / "book.json"
    path.write_text("old")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_several_may_write_a_file_at_once(tmp_path, monkeypatch):
    """Each has a text of its own on the disk before the first of them takes the old one's place."""
    path, together, replace, seen = tmp_path / "book.json", Barrier(3), os.replace, []

    def replace_together(source, target):
        together.wait()
        replace(source, target)
        seen.append(path.read_text())

    monkeypatch.setattr(os, "replace", replace_together)
    texts = [letter * 100_000 for letter in "abc"]
    threads = [Thread(target=write_whole, args=(path, text)) for text in texts]
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
        write_whole(tmp_path / "book.json", "new")
    assert list(tmp_path.iterdir()) == []


def test_a_store_is_never_replaced(tmp_path):
    path = tmp_path / "book.json"
    Database(
        path, FileFormat("tests", 77, 1, ("CREATE TABLE entries (number INTEGER)",)), {}
    ).close()
    before = path.read_bytes()
    for write in (try_target, lambda target: write_whole(target, "{}")):
        with pytest.raises(OSError, match="it is a store") as caught:
            write(path)
        assert caught.value.filename == str(path)
    with pytest.raises(BadText, match=r"^book '.*book\.json' cannot be written: it is a store$"):
        named_file("book", path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


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
