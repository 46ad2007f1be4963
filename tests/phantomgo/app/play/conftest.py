"""A folder and a home of its own for each test of `phantomgo play`."""

import pytest


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("phantomgo.app.play.end_process", lambda: None)
    monkeypatch.chdir(tmp_path)
