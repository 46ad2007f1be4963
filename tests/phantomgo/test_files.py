"""Files are whole at every moment, and on the disk before they take the old one's place."""

import errno
import os

import pytest

from phantomgo.files import write_whole


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
