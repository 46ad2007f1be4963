"""What one door refuses, every door refuses, in the same words."""

import math
from typing import Any

import numpy as np
import pytest

import phantomgo as pg
from bots import book_checks, foreign, make
from gtp.limits import NO_LIMITS
from phantomgo.app import gtp
from phantomgo.app.bridge import adapt, sau
from phantomgo.app.cli import main
from phantomgo.app.command import options
from phantomgo.app.gtp import serve_gtp
from phantomgo.app.play import new_game
from phantomgo.app.web.serving import opponent
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.game.beginning import START, Game
from phantomgo.game.messages import Accepted
from phantomgo.game.rules import Rules
from phantomgo.lab.admission import admitted
from phantomgo.lab.api.measuring import evaluate_book
from phantomgo.lab.matches.match import MatchPlan
from phantomgo.lab.players.seating import Conditions
from phantomgo.lab.tournament.plan import plan_of
from phantomgo.lab.tournament.setup import read_setup
from tests.support.gtp_tools import run, session

GAME = Game(Rules())

BOTS = ("random", "flatmc:playouts=3")

MATCH: list[tuple[dict[str, Any], str]] = [
    ({"seed": -5}, "seed -5 is not a whole number from 0 to 9223372036854775807"),
    ({"seed": 2**63}, "seed 9223372036854775808 is not a whole number"),
    ({"milliseconds": 0.0}, "milliseconds 0 is not a number from 0.001 to 1000000"),
    ({"time": 0}, "time 0 is not a whole number from 1 to 10000000"),
    ({"games": 3}, "3 games: they come in pairs"),
    ({"games": -2}, "games -2 is not a whole number from 0 to 1000000000"),
    ({"size": 20}, "size 20 is not a whole number from 2 to 19"),
    ({"komi": math.nan}, "komi nan is not a number from -1000 to 1000"),
    ({"rules": "chess"}, "no rules profile 'chess'; there are "),
    ({"workers": 0}, "workers 0 is not a whole number from 1 to"),
    ({"patience": 0.0}, "patience 0 is not a number from 0.001 to 10000000"),
    ({"sprt": (5.0, 1.0)}, "SPRT: Elo 5 is not below 1"),
    ({"store": ""}, "store '' has no name"),
    ({"handicap": ["Z9"]}, "handicap: 'Z9' is not a vertex of a 5x5 board"),
    ({"handicap": ["A1"], "after": ("x.json", 2)}, "handicap cannot be combined with after"),
    ({"after": ("x.json", -1)}, "after: moves -1 is not a whole number from 0 to 9999"),
]
LEARN = [
    ({"seeds": 0}, "seeds 0 is not a whole number from 1 to 20000"),
    ({"opponent_seeds": 5}, "opponent seeds 5 is not a whole number from 1 to 4"),
    ({"test_seeds": -1}, "test seeds -1 is not a whole number from 0 to 20000"),
    ({"test_seeds": 1}, "test seeds 1 is not 0 or from 2 to 20000"),
    ({"symmetries": 9}, "symmetries 9 is not a whole number from 1 to 8"),
    ({"method_seed": -1}, "method seed -1 is not a whole number from 0 to"),
    ({"method": "best"}, "no method 'best'; did you mean besttop?"),
    ({"out": "../x"}, "book '../x' is not NAME.json with a plain name"),
    ({"bot": "book:nash5"}, "book:nash5 is a book already; learn the bot it is for"),
    ({"bot": "gtp:x"}, "gtp:x is an engine; seeds are learned only for bots"),
    ({"size": 20}, "size 20 is not a whole number from 2 to 19"),
    ({"workers": 0}, "workers 0 is not a whole number from 1 to"),
    ({"store": ""}, "store '' has no name"),
]
LEARNED: dict[str, Any] = {
    "bot": "random", "size": 3, "komi": 0.5, "seeds": 4, "test_seeds": 0, "store": "m.db",
    "out": "b.json",
}  # fmt: skip
PLAYERS = [
    ("gnugo", "no bot 'gnugo'; there are "),
    ("random:x=1", "random has no parameter 'x'"),
    ("book:no", "no book 'no'; there are "),
    ("book:ucb5", "book:ucb5 is for 5x5, not 9x9"),
    (f"flatmc:book={'9' * 400}", f"'{'9' * 60}' is neither the name of a book nor a .json file"),
    (f"book:{'9' * 300}.json", f"there is no book {'9' * 300}.json"),
]
SERVERS: Any = {
    "gtp": (serve_gtp, {}),
    "bridge sau": (sau, {}),
    "bridge gtp": (adapt, {"engine": ["no-such-engine"]}),
}
"""Commands that serve, and what they need besides options."""


def served():
    """The rows of MATCH for each server that has their parameters."""
    for name, (verb, needed) in SERVERS.items():
        known = {option.name for option in options(verb)}
        for given, error in MATCH:
            if given.keys() <= known:
                yield pytest.param(verb, needed, name.split(), given, error, id=f"{name}-{given}")


def words(given):
    """Parameters as the options of a command line."""
    found = []
    for name, value in given.items():
        several = isinstance(value, list | tuple)
        found.append("--" + name.replace("_", "-"))
        found += map(str, value if several else [value]) if value is not True else []
    return found


def in_python(given):
    """The same for the library, which takes workers and store as one value."""
    run = {key: value for key, value in given.items() if key in ("workers", "store")}
    return {**{key: value for key, value in given.items() if key not in run}, "run": pg.Run(**run)}


def refused_by_both(call, command, error, capsys):
    with pytest.raises(PhantomGoError) as caught:
        call()
    assert str(caught.value).startswith(error)
    assert main(command) in (1, 2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"phantomgo {command[0]}: {caught.value}\n"


@pytest.mark.parametrize(("given", "error"), MATCH, ids=lambda value: str(value)[:40])
def test_match(given, error, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = {"size": 5, "games": 2, "komi": 2.5, "store": "m.db", **given}
    command = ["match", "--players", *BOTS, *words(given)]
    refused_by_both(lambda: pg.play_match(*BOTS, **in_python(given)), command, error, capsys)
    assert not list(tmp_path.iterdir())


def test_what_only_python_can_give(tmp_path):
    with pytest.raises(BadText, match=r"seeds \(1,\) is not tuple\[int, int\]"):
        pg.play_game("random", "random", size=3, seeds=(1,))  # type: ignore[arg-type]
    made = in_python({**LEARNED, "store": tmp_path / "m.db", "out": tmp_path / "b.json"})
    assert pg.learn(**{**made, "size": np.int32(3)}).setup == pg.learn(**made).setup


def test_numbers_of_numpy(tmp_path):
    one, two, four, half, nine, last = (np.array([n])[0] for n in (1, 2, 4, 0.5, 9, 80))
    rules = pg.Rules(size=nine, komi=half, max_tries=two)
    assert [type(value) for value in (rules.size, rules.komi, rules.max_tries)] == [int, float, int]
    referee = pg.Referee(rules)
    assert referee.attempt(pg.BLACK, last) == Accepted(80)
    assert list(pg.members(referee.view(pg.BLACK).own)) == [80]
    games = [pg.play_game("random", "random", size=3, seeds=s) for s in ((1, 2), (one, two))]
    assert games[0].moves == games[1].moves
    store = pg.Run(store=tmp_path / "m.db")
    given: dict[str, Any] = {"size": 3, "komi": np.float32(half), "run": store}
    assert str(pg.play_match("random", "random", games=two, seed=four, **given))
    made: dict[str, Any] = {"size": 3, "seeds": four, "test_seeds": two, "moves": [one]}
    assert pg.learn("random", run=pg.Run(store=tmp_path / "l.db"), **made).black.moves == 1


def test_rules_and_handicaps_of_other_types():
    with pytest.raises(BadText, match=r"^play_match: rules Rules\(size=5.* is not str$"):
        pg.play_match("random", "random", rules=pg.Rules(size=5))  # type: ignore[arg-type]
    for stones in (2, [2], None, "A1"):
        with pytest.raises(BadText, match=r"is not list\[str\]"):
            pg.play_game("random", "random", handicap=stones)  # type: ignore[arg-type]


def test_a_sequential_test_of_three(capsys):
    given: dict[str, Any] = {"games": 2, "size": 3, "komi": 0.5, "sprt": (0.0, 5.0)}
    three = ("random",) * 3
    error = "a sequential test is for two players, not 3"
    command = ["match", "--players", *three, *words(given)]
    refused_by_both(lambda: pg.play_match(*three, **in_python(given)), command, error, capsys)


@pytest.mark.parametrize(("given", "error"), LEARN, ids=lambda value: str(value)[:40])
def test_learn(given, error, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = {**LEARNED, **given}
    command = ["learn", *words(given)]
    refused_by_both(lambda: pg.learn(**in_python(given)), command, error, capsys)
    assert not list(tmp_path.iterdir())


def test_a_book_over_a_folder_or_the_games(capsys, tmp_path, monkeypatch):
    """Before a game is played, or at the latest when the book is written: the games are kept."""
    monkeypatch.chdir(tmp_path)
    given = {**LEARNED, "store": "b.json"}
    assert main(["learn", *words(given)]) == 1
    said = "learn: book b.json cannot be written: it holds no book: move it away, or name another"
    assert said in capsys.readouterr().err
    error = "book 'b.json' cannot be written: it is a store"
    refused_by_both(lambda: pg.learn(**in_python(given)), ["learn", *words(given)], error, capsys)
    assert pg.learn(**in_python({**given, "out": "c.json"})).training.games == 16
    (tmp_path / "d.json").mkdir()
    given = {**LEARNED, "out": "d.json"}
    error = "book 'd.json' cannot be written: Is a directory"
    refused_by_both(lambda: pg.learn(**in_python(given)), ["learn", *words(given)], error, capsys)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"repeats": 0}, "repeats 0 is not a whole number from 1 to"),
        ({"exploiters": ()}, "exploiters is empty: name at least one K'"),
        ({"exploiters": (0,)}, "exploiters 0 is not a whole number from 1 to"),
        ({"train": 0}, "training seeds 0 is not a whole number from 1 to"),
        ({"train": 390}, "390 training seeds of 400 leave 10 fresh ones"),
        ({"seed": -1}, "seed -1 is not a whole number from 0 to"),
        ({"methods": ["x"]}, "no method 'x'; there are "),
        ({"methods": "nash"}, "evaluate: methods 'nash' is not list[str]"),
        ({"store": "x.db"}, "give either a matrix or a store"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_evaluate(given, error):
    with pytest.raises(PhantomGoError) as caught:
        pg.evaluate("flat5", **given)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (
            {"test_seeds": 2, "exploiters": (4,)},
            "exploiters: no K' is below 2, the number of test seeds",
        ),
        ({"test_seeds": 1}, "test seeds 1 is not a whole number from 2 to 20000"),
    ],
    ids=str,
)
def test_evaluate_book(given, error, capsys):
    """Each table has figures, of seeds that took no part in learning."""
    command = ["evaluate", "book", "ucb5", *words(given)]
    refused_by_both(lambda: evaluate_book("ucb5", **given), command, error, capsys)


@pytest.mark.parametrize(("verb", "needed", "command", "given", "error"), list(served()))
def test_serving(verb, needed, command, given, error, capsys):
    command = [*command, *words(given), *("sau" if "platform" in needed else "x" for _ in needed)]
    refused_by_both(lambda: verb(**needed, **given), command, error, capsys)


@pytest.mark.parametrize(("spec", "error"), PLAYERS)
def test_players(spec, error, capsys):
    """A bot that cannot play is refused before a line is read or a game begun."""
    refused_by_both(lambda: serve_gtp(bot=spec), ["gtp", "--bot", spec], error, capsys)
    command = ["bridge", "sau", "--bot", spec]
    refused_by_both(lambda: sau(bot=spec), command, error, capsys)
    command = ["match", "--players", spec, "random", "--games", "2"]
    refused_by_both(lambda: pg.play_match(spec, "random", games=2), command, error, capsys)


def test_the_default_bot_has_one_name(tmp_path):
    """Whoever names `default` gets the bot that plays where none is named."""
    spec = NO_LIMITS.bot
    assert pg.make_bot("default", GAME, 5) == make("default", GAME, 5) == make(spec, GAME, 5)
    assert [one.name for one in plan_of_match("default", "random")] == [spec, "random"]
    assert new_game(bot="default", seed=1).start == new_game(seed=1).start
    (tmp_path / "club.toml").write_text(
        "[players.a]\nspec = 'default'\n[players.b]\nspec = 'random'\n"
    )
    contestants = plan_of(read_setup(tmp_path / "club.toml"), ()).contestants
    assert make(contestants[0].spec, GAME, 5) == make(spec, GAME, 5)
    assert make(opponent("strongest=default")[1], GAME, 5) == make(spec, GAME, 5)
    assert next(option for option in options(sau) if option.name == "bot").default == spec


@pytest.mark.parametrize("given", [{}, {"safe": True}, {"book": "none"}, {"book": "nash5"}])
def test_the_default_bot_of_a_server(given, monkeypatch):
    served: list[Any] = []
    monkeypatch.setattr(gtp, "serve_pipes", lambda session, *_: served.append(session) or 0)
    serve_gtp(seed=1, **given)
    serve_gtp(seed=1, bot="default", **given)
    assert served[0].settings == served[1].settings
    run(served[0], "phantom-param bot random", "phantom-param bot default")
    assert served[0].settings.bot == served[0].services.limits.bot


@pytest.mark.parametrize("player", [make("random", GAME, 0), BOTS, None, 7])
def test_what_is_neither_a_spec_nor_a_class(player):
    for call in (pg.play_match, pg.play_game):
        with pytest.raises(
            BadText, match=r"is neither a spec nor a class|is not str or type\[Bot\]"
        ):
            call("random", player, size=3)


def test_a_book_whose_bot_has_changed(capsys, monkeypatch):
    """The bot is changed for good, as by an edit of its file."""
    changed = "book ucb5: Black's bot has changed since it was learned"
    monkeypatch.setattr(book_checks, "quick_changes", lambda *_: [changed])
    book_checks.verified.cache_clear()
    rules: dict[str, Any] = {"size": 5, "komi": 2.5}
    try:
        command = ["gtp", "--book", "ucb5"]
        refused_by_both(lambda: serve_gtp(book="ucb5"), command, changed, capsys)
        command = ["match", "--players", "book:ucb5", "random", "--games", "2", *words(rules)]
        match = lambda: pg.play_match("book:ucb5", "random", games=2, **rules)  # noqa: E731
        refused_by_both(match, command, changed, capsys)
        server = session(bot="random", rules=Rules(**rules))
        for line in ("phantom-param book ucb5", "phantom-param bot book:ucb5"):
            (answer,) = run(server, line)
            assert answer.startswith(f"? {changed}")
    finally:
        book_checks.verified.cache_clear()


def plan_of_match(*players):
    """The contestants of a match of these players."""
    rules = Rules(size=5)
    specs = admitted(players, rules, START)
    return MatchPlan.of(specs, 2, 0, Conditions(Game(rules)), "olympiad").contestants


@pytest.fixture(scope="module")
def of_a_module(tmp_path_factory):
    """A folder with a store and a book of a module's bot."""
    folder = tmp_path_factory.mktemp("module")
    pg.learn("tests.support.bad_bots:Good", size=2, komi=0.5, seeds=6, test_seeds=0,
             run=pg.Run(store=folder / "m.db"), out=folder / "out.json")  # fmt: skip
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ["book", "check", "out.json"],
        ["book", "exploit", "out.json"],
        ["evaluate", "book", "out.json"],
        ["gtp", "--book", "out.json"],
        ["match", "--players", "book:out.json", "random", "--size", "2", "--komi", "0.5"],
    ],
    ids=" ".join,
)
def test_no_code_that_a_file_names_is_run(command, of_a_module, capsys, monkeypatch):
    monkeypatch.chdir(of_a_module)

    def run(_head, place, *_):
        raise AssertionError(f"{place} is run")

    monkeypatch.setattr(foreign, "make_foreign", run)
    assert main(command) in (1, 2)
    assert "is a module's bot, whose code is run only where you say so" in capsys.readouterr().err
