"""A tournament's file: what it may say, and how errors name the line and the key."""

import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

from gtp.clock import Limit
from phantomgo.errors import BadText
from phantomgo.game.points import vertices
from phantomgo.lab.tournament.setup import read_setup
from phantomgo.lab.tournament.toml_file import Contender, TimeControl, Tournament
from phantomgo.match.stats import Sprt
from tests.support.places import ROOT

PLAYERS = "[players.a]\nspec = 'random'\n[players.b]\nspec = 'flatmc:playouts=5'\n"


def read(folder: Path, text: str, *, code: bool = True):
    (folder / "club.toml").write_text(text)
    return read_setup(folder / "club.toml", code=code)


def test_two_players_are_enough(tmp_path):
    setup = read(tmp_path, PLAYERS)
    assert setup.tournament == Tournament(name="club")
    assert [player.label for player in setup.players.values()] == ["a", "b"]
    assert setup.meetings == [("a", "b")]
    assert (setup.rules.size, setup.rules.komi) == (9, 5.5)
    assert setup.folder == tmp_path / "club"


def test_every_key(tmp_path):
    (tmp_path / "engines").mkdir()
    setup = read(
        tmp_path,
        f"""
        [tournament]
        name = "Club night"
        format = "gauntlet"
        challengers = 1
        games = 6
        size = 5
        komi = 2.5
        rules = "hamburg"
        handicap = ["C3", "a1"]
        max_moves = 40
        time = 30
        seed = 9
        jobs = 2
        failures = 4
        output = "out"
        sgf = true

        [players.strong]
        spec = "flatmc:playouts=20"
        label = "Strong"
        time = {{ move = 0.5 }}

        [players.engine]
        spec = "gtp:cd '{tmp_path}/engines' && LANG=C {sys.executable} -S"
        patience = 3
        time = {{ main = 60, period = 10, moves = 5 }}
        """,
    )
    table = setup.tournament
    assert {field.name for field in fields(Tournament)} == {*vars(table)}
    defaults = [name for name, value in vars(table).items() if value == getattr(Tournament(), name)]
    assert defaults == ["challengers", "sprt"]
    assert vertices(setup.beginning.handicap, 5) == "A1 C3"
    assert replace(setup.rules, max_moves=None).profile_name == "hamburg"
    strong, engine = setup.players.values()
    assert (strong.label, strong.time.limit) == ("Strong", Limit(0, 0.5))
    assert engine.time.limit == Limit(60, 10, 5)
    assert engine.patience == 3
    assert setup.rules.moves_limit == 40
    assert [name for name, value in vars(engine).items() if value == vars(Contender())[name]] == []


def test_a_time_control_with_an_increment(tmp_path):
    setup = read(tmp_path, f"[tournament]\ntime = {{ main = 60, increment = 1.5 }}\n{PLAYERS}")
    assert setup.tournament.time == TimeControl(60, 1.5)


def test_of_each_beginning_of_a_path_the_longest_is_found(tmp_path):
    text = f"{PLAYERS}[players.b.time]\n\nmain = 'x'\n"
    with pytest.raises(BadText, match=r"club.toml, line 7: players.b.time.main: 'x' is not a numb"):
        read(tmp_path, text)


WRONG = [
    ("[tournament]\ngames = 3", 2, "tournament.games: 3 is not even, and games come in pairs"),
    ("[tournament]\nsizes = 9", 2, "tournament.sizes: is not a key; it has name, format"),
    ("[tournament]\nformat = 'cup'", 2, "tournament.format: 'cup' is not one of round robin, gaun"),
    ("[tournament]\nhandicap = 99", 2, "tournament.handicap: handicap 99 is not 0 or from 2 to 9"),
    (
        "[tournament]\nsprt = 5",
        2,
        "tournament.sprt: is not a table, as [tournament.sprt] begins one",
    ),
    ("[tournament]\nsprt = {elo0 = 0}", 2, "tournament.sprt.elo1: is missing"),
    ("[tournament]\nsprt = {elo0=0, elo1=1, beta=0}", 2, "tournament.sprt.beta: 0 is not a number"),
    ("[tournament]\nname = ' '", 2, "tournament.name: ' ' is not printable text"),
    ("[tournament]\ntime = {}", 2, "tournament.time: has no time; it takes main, period or move"),
    ("[tournament]\ntime = {main=5, move=1}", 2, "tournament.time.move: cannot be combined with m"),
    ("[tournament]\ntime = {main=5, moves=9}", 2, "tournament.time.moves: goes with a period"),
    ("[tournament]\ntime={main=1,period=2,increment=1}", 2, "tournament.time.increment: cannot be"),
    ("[tournament]\nchallengers=2\nformat='gauntlet'", 2, "tournament.challengers: 2 is not a who"),
    ("[turnament]", 1, "turnament: is not a table of this file: [tournament], [players.NAME]"),
    ("[players.c]", 1, "players.c: has no spec"),
    ("[players.c]\ncommand='x'", 2, "players.c.command: is not a key; it has spec, label, time, p"),
    ("[players.c]\nspec='random'\nlabel=\"\\n\"", 3, "players.c.label: '\\n' is not printable"),
    ("[players.c]\nspec='nobody'", 2, "players.c.spec: no bot 'nobody'; there are "),
    ("[players.c]\nspec='random'\nplayouts=5", 3, "players.c.playouts: is not a key; it has spec,"),
    ("[players.c]\nspec='random'\npatience=5", 3, "players.c.patience: is for an engine"),
    ("[players.c]\nspec='random'\nlabel='a'", 3, "players.c.label: 'a' is another player's, too"),
    ("[players.c]\nspec='book:nash5'", 2, "players.c.spec: "),
    ("[players.c]\nspec='gtp:no-such-engine --gtp'", 2, "players.c.spec: there is no program 'n"),
    ("[players.c]\nspec='gtp:cd gone && ./x'", 2, "players.c.spec: there is no folder gone"),
    ("x = ", None, "not TOML: "),
]


@pytest.mark.parametrize(("text", "line", "error"), WRONG, ids=[wrong[2][:40] for wrong in WRONG])
def test_errors_name_the_file_the_line_and_the_key(text, line, error, tmp_path):
    with pytest.raises(BadText) as caught:
        read(tmp_path, f"{text}\n{PLAYERS}")
    where = f", line {line}" if line else ""
    assert str(caught.value).startswith(f"{tmp_path / 'club.toml'}{where}: {error}")


def test_a_gauntlet_is_of_the_first_players(tmp_path):
    players = "".join(f"[players.{name}]\nspec = 'random'\n" for name in "abcd")
    setup = read(tmp_path, "[tournament]\nformat = 'gauntlet'\n" + players)
    assert setup.meetings == [("a", "b"), ("a", "c"), ("a", "d")]


def test_a_sequential_test_is_for_two(tmp_path):
    text = f"[tournament]\nsprt = {{ elo0 = 0, elo1 = 9, alpha = 0.1 }}\n{PLAYERS}"
    assert read(tmp_path, text).tournament.sprt == Sprt(0, 9, 0.1, 0.05)
    with pytest.raises(
        BadText,
        match=r"line 2: tournament.sprt: is for two players, not for 3",
    ):
        read(tmp_path, f"{text}[players.c]\nspec = 'random'")


def test_a_tournament_of_one(tmp_path):
    with pytest.raises(BadText, match="players: a tournament has 2 to 200 of them, not 1"):
        read(tmp_path, "[players.a]\nspec = 'random'")


@pytest.mark.parametrize(
    "spec",
    [
        "gtp:touch started",
        "gtp:cd . && X=1 touch started",
        "stranger:Bot",
        "mixed:stranger:Bot+random",
        "book:strange.json,code=on",
        "online:learned.db,arms=random",
    ],
)
def test_programs_and_code_of_a_file_run_only_where_the_person_says_so(tmp_path, monkeypatch, spec):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("stranger.py").write_text("open('started', 'w')")
    book = (ROOT / "books" / "nash5.json").read_text()
    Path("strange.json").write_text(book.replace('"flatmc:playouts=200"', '"stranger:Bot"'))
    before = sorted(Path().iterdir())
    with pytest.raises(BadText, match=r"line 6: players\.c\.spec: .*; if you trust .* add --code"):
        read(tmp_path, f"{PLAYERS}[players.c]\nspec = '{spec}'\n", code=False)
    Path("club.toml").unlink()
    assert sorted(Path().iterdir()) == before
