"""The match report that docs/players.md explains is the one that its command prints."""

import re

from phantomgo.app.cli import main
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "players.md").read_text()


def test_the_match_report_is_real(capsys):
    ((command, report),) = re.findall(
        r"^    phantomgo (match .*)\n\n```text\n(.*?)```", PAGE, re.S | re.M
    )
    assert main(command.split()) == 0
    assert capsys.readouterr().out == report
