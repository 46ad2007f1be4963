"""The unit of systemd in docs/web.md."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.support.places import ROOT

ANALYZER = shutil.which("systemd-analyze")


@pytest.mark.skipif(ANALYZER is None, reason="there is no systemd on this machine")
def test_systemd_finds_no_fault_in_the_unit(tmp_path):
    text = (ROOT / "docs" / "web.md").read_text()
    unit = re.search(r"```ini\n(\[Unit\].*?)```", text, re.S)[1]
    file = tmp_path / "phantomgo.service"
    file.write_text(unit.replace("/opt/phantomgo/bin/phantomgo", sys.executable))
    done = subprocess.run([ANALYZER, "verify", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
