"""Reports of many players: one list, as text and as JSON."""

import json
import re

import pytest

from phantomgo.match.report import Report
from phantomgo.match.schedule import Fixtures, round_robin
from phantomgo.match.text import headline
from tests.support.results import result


def report(names=("a", "b", "c", "d"), games: int = 6, **more) -> Report:
    """Whoever comes first wins; the second one crashes now and then, the last one never begins."""
    schedule = Fixtures(len(names), games, 0, round_robin(len(names)))
    found = []
    for number in schedule.numbers():
        scheduled = schedule.game(number)
        if 3 in (scheduled.black, scheduled.white):
            continue
        won = "b" if scheduled.black < scheduled.white else "w"
        game = result(schedule, number, None if number == 0 else won)
        found.append(game._replace(ending="crash") if game.loser == 1 else game)
    named = {"forfeits": {3: 18}, "aside": {3}, **more}
    return Report(names, "Club: round robin, 9x9", schedule, sorted(found), **named)


def test_the_list():
    lines = str(report()).split("\n")
    assert lines[:2] == ["Club: round robin, 9x9: 18 of 36 games", ""]
    head = "#  player   Elo  95 %     LOS  games    rate  won  drawn  lost  as Black  as White  "
    assert lines[2] == f"{head}refused"
    for line, form in zip(lines[3:7], (
        r"1  a +\+\d+ +±\d+ +\d+.\d %  +12 +95.8 % +11 +1 +0 +5-1-0 +6-0-0 +\d.\d\d",
        r"2  b .* +54.2 % +6 +1 +5 +3-0-3 +3-1-2 .*",
        r"3  c .* - +12 +0.0 % +0 +0 +12 .*",
        r"4  d +- +- +- +0 +- .*",
    ), strict=True):  # fmt: skip
        assert re.fullmatch(form, line), line


@pytest.mark.parametrize("played", [0, 1, 2])
def test_two_players_before_a_pair_is_complete(played):
    schedule = Fixtures(2, 2, 0, round_robin(2))
    games = [result(schedule, number, "b") for number in range(played)]
    found = Report(("a", "b"), "x", schedule, games)
    assert headline(found).startswith(f"after {played} game")
    assert sum(found.between) == played // 2
    assert str(found)


def test_points_superiority_and_faults():
    text = str(report())
    assert re.search(r"^   points +1 +2 +3 +4\n1  a +- +5.5/6 +6/6 +-$", text, re.M)
    assert re.search(r"^   LOS in % +1 +2 +3 +4\n1  a +- +\d+ +\d+ +-$", text, re.M)
    assert re.search(r"^b  +- +5 +- +- +- +-$", text, re.M)
    assert re.search(r"^d, set aside +- +- +- +- +- +18$", text, re.M)
    assert re.search(r"^Black's Elo +[+-]\d+ \([+-]\d+ to [+-]\d+\)$", text, re.M)
    assert "drawn 1" in text


def test_without_faults_there_is_no_table_of_them():
    schedule = Fixtures(3, 2, 0, round_robin(3))
    games = [result(schedule, number, "b") for number in schedule.numbers()]
    assert "lost by" not in str(Report(("a", "b", "c"), "x", schedule, games))


def test_json_has_the_list():
    data = json.loads(json.dumps(report().as_dict()))
    assert [entry["name"] for entry in data["ratings"]] == ["a", "b", "c", "d"]
    assert data["ratings"][1]["lost_by"] == {"crash": 5}
    assert data["ratings"][3]["elo"] is None
    assert data["superiority"][0][3] is None
    assert data["superiority"][0][1] + data["superiority"][1][0] == pytest.approx(1)
    assert data["black_advantage"]["low"] < 0 < data["black_advantage"]["high"]
