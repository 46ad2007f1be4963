"""The bot that learns online: what it draws and is told is durable, and counts once."""

import json
import random
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing

import pytest

import bots
from bots.book import LineBot, line_bot
from bots.book_checks import check_rules
from bots.online import ArmResult, ArmTotals, Experience, Online, learner_summaries, score, weights
from bots.policies import read_policy
from bots.spec import OnlineSpec, parse, remembering
from phantomgo.errors import BadBook, BadStore, BadText
from phantomgo.game.beginning import START, Beginning, Game
from phantomgo.game.messages import Ended, Moved
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, WHITE, Colour
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import IDENTITY, SYMMETRIES
from phantomgo.game.view import View
from phantomgo.lab.api.games import play_match
from phantomgo.lab.seeds.contest import make_setup
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.line import Step
from tests.support.commands import started
from tests.support.gtp_tools import hosting, run, session

RULES = Rules(size=5)
GAME = Game(RULES)
ARMS = "random|flatmc:playouts=3"


def test_a_spec_is_read_and_written():
    spec = parse("online:book:nash5,symmetry=off|flatmc,state=a")
    assert isinstance(spec, OnlineSpec)
    assert spec == OnlineSpec(("book:nash5,symmetry=off", "flatmc"), "a")
    assert spec.text == "online:book:nash5,symmetry=off|flatmc,state=a"
    assert OnlineSpec(("random",), "b").text == "online:random,state=b"
    assert OnlineSpec(("random",), "b", seeds=True).text == "online:random,state=b,seeds=on"
    assert parse("online:random,state=b,seeds=on") == OnlineSpec(("random",), "b", seeds=True)
    assert parse(remembering("book:nash5", "c")) == OnlineSpec(("book:nash5",), "c", cautious=True)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("online:random", "has no state=FILE"),
        ("online:,state=a", "an arm without a name"),
        ("online:random||flatmc,state=a", "an arm without a name"),
        ("online:random,state=a,state=b", "given twice"),
        ("online:online:random,state=a", "is several bots itself"),
        ("online:nobody,state=a", "no bot 'nobody'"),
        ("online:random,state=a,seeds=on,cautious=on", "so not with seeds=on"),
        ("online:phantom:time=1,state=a,seeds=on", "that a seed determines, not phantom:time=1"),
    ],
)
def test_bad_specs_are_refused(spec, said):
    with pytest.raises(BadText, match=said):
        bots.make(spec, GAME, 0)


def test_online_bots_are_refused_to_controllers_and_learners(tmp_path):
    spec = f"online:random,state={tmp_path}/a.db"
    with pytest.raises(BadText, match="plays only where you say so"):
        bots.make_installed(spec, GAME, 0)
    with pytest.raises(BadText, match="learns from game to game"):
        make_setup(spec, "random", "olympiad", Game(RULES))
    with pytest.raises(BadBook, match="is for 5x5, not 9x9"):
        check_rules("online:random|book:nash5,state=a", Rules(size=9))


def test_once_drawn_an_attempt_is_a_function_of_seed_and_view(tmp_path):
    spec = f"online:{ARMS},state={tmp_path}/a.db"
    first = play_game(RULES, bots.make(spec, Game(RULES), 1), bots.make("random", Game(RULES), 2))
    for seed in range(2, 9):  # it learns on
        play_game(RULES, bots.make(spec, Game(RULES), seed), bots.make("random", Game(RULES), seed))
    again = play_game(RULES, bots.make(spec, Game(RULES), 1), bots.make("random", Game(RULES), 2))
    assert again.attempts == first.attempts


def test_the_arms_of_a_book_are_its_lines_under_each_symmetry(tmp_path):
    bot = bots.make(f"online:book:ucb5|random,state={tmp_path}/a.db", GAME, 7)
    assert isinstance(bot, Online)
    book = read_book("ucb5")
    for colour in Colour:
        arms = bot.arms(colour)
        lines = [(line, turn) for line in book.side(colour).lines for turn in SYMMETRIES]
        assert [(arm.line, arm.symmetry) for arm in arms] == [*lines, ((), IDENTITY)]
        assert [arm.spec for arm in arms] == [book.player(colour)] * 8 + ["random"]
        assert len({arm.name for arm in arms}) == 9
    view = View(Rules(size=5, komi=2.5), BLACK)
    move = bot.decide(view).move
    arm = bot.arms(BLACK)[bot.experience(BLACK).draw(7, lambda _: 0)]
    assert move == line_bot(arm.line, bots.make, GAME, 7, arm.symmetry).decide(view).move
    assert move != bots.make(arm.spec, Game.of(view), 7).decide(view).move


def test_a_cautious_bot_begins_as_its_books_and_returns_to_them():
    """Wins raise the weight of their arm, losses lower it, and a change is found out in a while."""
    shares = [0.5, 0.3, 0.2]
    assert weights([], shares) == pytest.approx(shares)
    won = [ArmResult(2, 1.0), ArmResult(0, 0.0)] * 20
    learned = weights(won, shares)
    assert learned[2] > 0.9
    assert learned.sum() == pytest.approx(1)
    changed = weights(won + [ArmResult(2, 0.0)] * 12, shares)
    assert changed[2] < 0.2
    assert changed[0] > learned[0]
    idle = [ArmResult(0, 0.5)] * 500  # as often as expected: nothing is learned, and all returns
    assert weights(won + idle, shares) == pytest.approx(shares, abs=0.05)


def test_the_arms_of_a_book_with_several_nets_are_the_same_in_every_game(tmp_path):
    """The state was refused once a line of another net was drawn."""
    for seed in range(6):
        bot = bots.make(remembering("book:mixed5", f"{tmp_path}/a.db"), GAME, seed)
        play_game(GAME.rules, bot, bots.make("random", GAME, seed))
    assert learner_summaries(tmp_path / "a.db")[0]["games"] == 6


def test_a_cautious_bot_draws_the_lines_of_its_books(tmp_path):
    """Before its first game as often as the book does, whether the book plays or opens games."""
    for text, name, plays_on in (
        ("book:ucb5", "ucb5", "flatmc:playouts=200"),
        ("phantom:playouts=9,book=open5", "open5", "phantom:playouts=9,book=none"),
    ):
        bot = bots.make(remembering(text, f"{tmp_path}/{name}.db"), GAME, 7)
        assert isinstance(bot, Online)
        side = read_book(name).white
        arms = bot.arms(WHITE)
        assert [arm.line for arm in arms] == [line for line in side.lines for _ in range(8)]
        assert sum(arm.share for arm in arms[:8]) == pytest.approx(side.probabilities[0])
        assert {arm.spec for arm in arms} == {plays_on}
        if not read_book(name).black.lines:
            assert [(arm.spec, arm.share) for arm in bot.arms(BLACK)] == [(text, 1.0)]
    view = View(RULES, WHITE)
    players = [bots.make(bot.name, Game(RULES), seed) for seed in range(20)]
    drawn = [player.player(view) for player in players if isinstance(player, Online)]
    assert len({player.white.steps for player in drawn if isinstance(player, LineBot)}) > 3


@pytest.mark.slow
def test_a_fixed_opponent_is_beaten_within_a_hundred_games(tmp_path):
    def won(seed):
        black, white = f"online:book:nash5,state={tmp_path}/a.db", "book:ucb5,symmetry=off"
        return play_match(black, white, size=5, komi=2.5, games=100, seed=seed).tally(0).won

    assert won(1) > 50
    assert won(2) >= 95


def test_seeds_of_a_bot_are_arms_of_which_more_join(tmp_path):
    path = tmp_path / "a.db"
    spec = f"online:random|book:ucb5|flatmc:playouts=3,state={path},seeds=on"
    for seed in range(16):
        play_game(
            RULES,
            bots.make(spec, Game(RULES), seed),
            bots.make("flatmc:playouts=9", Game(RULES), 1),
        )
    bot = bots.make(spec, GAME, 0)
    assert isinstance(bot, Online)
    assert (len(bot.arms(BLACK)), bot.seeded) == (8, ("random", "flatmc:playouts=3"))
    arms = ArmTotals.of(bot.experience(BLACK).results(), 8 + 16)
    assert arms.played.sum() == 16
    names = [arm["arm"] for arm in learner_summaries(path)[0]["arms"]]
    played = [bot.arm(BLACK, number) for number in arms.played.nonzero()[0].tolist()]
    assert sorted(names) == sorted(arm.name for arm in played)
    assert bot.arm(BLACK, 8 + 7)[:2] == ("flatmc:playouts=3", (Step("flatmc:playouts=3", 3),))


def test_a_fixed_opponent_is_beaten_without_a_book(tmp_path):
    black = f"online:flatmc:playouts=20,state={tmp_path}/a.db,seeds=on"
    games = [
        play_game(
            RULES,
            bots.make(black, Game(RULES), seed),
            bots.make("flatmc:playouts=20", Game(RULES), 1),
        )
        for seed in range(60)
    ]
    assert all(game.outcome.winner is BLACK for game in games[30:])


def test_the_score_of_a_result():
    for result, worth in (("B+2.5", 1), ("W+R", 0), ("0", 0.5), ("Draw", 0.5), ("Void", None)):
        view = View(RULES, BLACK).after(Ended(result))
        assert score(view) == worth
        if worth is not None:
            assert score(View(RULES, WHITE).after(Moved()).after(Ended(result))) == 1 - worth
    assert score(View(RULES, BLACK)) is None


def test_a_result_counts_once_and_only_of_a_game_that_was_drawn(tmp_path):
    known = Experience(tmp_path / "a.db", {}, json.dumps({"arms": ["a", "b"]}))
    assert known.draw(5, lambda _: 1) == 1
    known.tell(6, 1.0)
    known.tell(5, 1.0)
    known.tell(5, 0.0)
    assert known.results() == [(1, 1.0)]
    assert known.draw(5, lambda _: 0) == 1
    assert learner_summaries(tmp_path / "a.db")[0]["arms"] == [{"arm": "b", "games": 1, "won": 1.0}]


def test_a_file_of_other_arms_or_no_database_is_refused(tmp_path):
    play_game(
        RULES,
        bots.make(f"online:{ARMS},state={tmp_path}/a.db", Game(RULES), 1),
        bots.make("random", Game(RULES), 2),
    )
    with pytest.raises(BadStore, match="was made for arms"):
        bots.make(f"online:random,state={tmp_path}/a.db", Game.of(View(RULES, BLACK)), 1).decide(
            View(RULES, BLACK)
        )
    (tmp_path / "b.db").write_text("a letter")
    with pytest.raises(BadStore, match="not a database"):
        bots.make(f"online:random,state={tmp_path}/b.db", Game.of(View(RULES, BLACK)), 1).decide(
            View(RULES, BLACK)
        )


def test_other_rules_are_learned_apart(tmp_path):
    spec = f"online:{ARMS},state={tmp_path}/a.db"
    for size in (3, 4):
        play_game(
            Rules(size=size),
            bots.make(spec, Game(Rules(size=size)), 1),
            bots.make(spec, Game(Rules(size=size)), 1),
        )
    found = [
        (one["rules"]["size"], one["colour"], one["games"])
        for one in learner_summaries(tmp_path / "a.db")
    ]
    assert found == [(3, "Black", 1), (3, "White", 1), (4, "Black", 1), (4, "White", 1)]


def test_arms_with_and_without_handicap_are_learned_apart(tmp_path):
    spec = f"online:{ARMS},state={tmp_path}/a.db"
    for beginning in (START, Beginning(1 << 12)):
        bot = bots.make(spec, Game(RULES, beginning), 1)
        play_game(RULES, bot, bots.make("random", bot.game, 2), beginning)
    found = learner_summaries(tmp_path / "a.db")
    assert [(one.get("handicap"), one["games"]) for one in found] == [(None, 1), (["C3"], 1)]


def test_the_data_of_arms_with_different_nets_are_those_of_all_of_them(tmp_path):
    nets = ("policy5", "policy7")
    arms = "|".join(f"policy:net={net}" for net in nets)
    bot = bots.make(f"online:{arms},state={tmp_path}/a.db", GAME, 0)
    assert bot.data() == {"net": " ".join(read_policy(net).digest for net in nets)}


PLAYER = """
import json, sys
from bots.online import ArmTotals, Experience
path, first = sys.argv[1], int(sys.argv[2])
known = Experience(path, {"arms": 3}, json.dumps({"arms": ["a", "b", "c"]}))
for seed in range(first, first + 100_000, 2):
    arm = known.draw(seed, lambda results: int(ArmTotals.of(results, 3).played.argmin()))
    print("drawn", seed, arm, flush=True)
    known.tell(seed, seed % 3 / 2)
    print("told", seed, arm, flush=True)
"""


@pytest.mark.parametrize("rounds", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_kills_of_two_processes_spoil_nothing(tmp_path, rounds):
    """What a process said was done is there, as it said, whoever was killed when."""
    path, chance = tmp_path / "a.db", random.Random(4)
    drawn, told = {}, set()
    for kill in range(rounds):
        both = [started("-c", PLAYER, path, 1_000_000 * kill + first) for first in (0, 1)]
        begun = [[process.stdout.readline() for _ in ("drawn", "told")] for process in both]
        for process in chance.sample(both, 2):
            time.sleep(0.1 * chance.random())
            process.send_signal(signal.SIGKILL)
        for process, first in zip(both, begun, strict=True):
            lines = first + process.communicate()[0].splitlines(keepends=True)
            for line in (line for line in lines if line.endswith("\n")):
                what, seed, arm = line.split()
                if what == "drawn":
                    drawn[int(seed)] = int(arm)
                else:
                    told.add(int(seed))
    assert len(told) >= 2 * rounds
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = file.execute("SELECT seed, arm, won, place FROM games").fetchall()
    there = {seed: (arm, won) for seed, arm, won, _ in rows}
    assert all(there[seed][0] == arm for seed, arm in drawn.items())
    assert all(there[seed][1] == seed % 3 / 2 for seed in told)
    places = sorted(place for *_, place in rows if place is not None)
    assert places == list(range(len(places)))
    counts = Counter(arm for _, arm, won, _ in rows if won is not None)
    known = Experience(path, {"arms": 3}, json.dumps({"arms": ["a", "b", "c"]}))
    assert ArmTotals.of(known.results(), 3).played.tolist() == [counts[arm] for arm in range(3)]


# By GTP


def told(path) -> list[tuple[str, int]]:
    return [(one["colour"], one["games"]) for one in learner_summaries(path)]


def test_a_seat_learns_what_the_referee_says(tmp_path):
    path = tmp_path / "a.db"
    server = session(bot=f"online:{ARMS},state={path}")
    lines = ("phantom-seat w", "phantom-opponent b move", "genmove w")
    for _ in range(2):
        run(server, *lines, "phantom-game_over W+R", "clear_board")
        run(server, *lines, "clear_board")  # a referee that does not say how it ended
    assert told(path) == [("White", 2)]
    assert learner_summaries(path)[0]["won"] == 2
    run(server, "phantom-game_over W+R")  # a game in which it was never asked
    assert told(path) == [("White", 2)]


def test_a_host_knows_how_its_games_end(tmp_path):
    path = tmp_path / "a.db"
    server = session(bot=f"online:random,state={path}", rules=Rules(size=2))
    for _ in range(3):
        while hosting(server).result is None:
            run(server, "genmove b", "play w pass")
        run(server, "clear_board")
    assert told(path) == [("Black", 3)]


def test_a_state_that_cannot_be_used_is_an_answer(tmp_path):
    server = session(bot=f"online:random,state={tmp_path}/missing/a.db")
    (response,) = run(server, "genmove b")
    assert response.startswith("? store ")
