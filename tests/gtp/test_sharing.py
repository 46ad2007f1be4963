"""The processes that the program answers."""

import os
import sys

import pytest

from gtp.sharing import Sharing
from tests.support.gtp_tools import session


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names that leave no file")
def test_only_processes_of_the_same_user_are_answered(tmp_path, monkeypatch):
    """Every user of the machine can connect to an abstract name."""
    name, user = f"{tmp_path}-{os.getpid()}", os.getuid()
    program = Sharing(name)
    assert program.heard(b"gogui-rules_game_id", session({})) is None
    try:
        assert Sharing(name).ask("phantom-shown").startswith("= ")
        monkeypatch.setattr(os, "getuid", lambda: user + 1)
        assert Sharing(name).ask("phantom-shown") is None
    finally:
        program.close()
