"""Growing a book of moves: algorithm 1, the same for any workers; measuring it."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from phantomgo.app.cli import main
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.information_state import information_state
from phantomgo.game.points import BLACK, WHITE, Colour, parse_move
from phantomgo.game.recording import begin
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.lab.learning.growth import GrowthBatch, GrowthPlan, grow
from phantomgo.lab.measure.moves import MoveBookGames, measured
from phantomgo.lab.players.identity import identify
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.workers import Local
from phantomgo.portfolio.movebook import dumps, read_moves
from phantomgo.portfolio.setup import Setup

RULES = Rules.profile("olympiad", size=3, komi=2.5)
MADE = ((BLACK, "B2"), (WHITE, "B2"), (WHITE, "A1"))
WORDS = (
    *("book", "grow", "--bot", "random", "--size", "3", "--komi", "2.5", "--batch", "6"),
    *("--games", "60", "--depth", "5", "--least", "1", "--method", "mvbm"),
)


@pytest.fixture(scope="module")
def setup():
    one = identify("random", Game(RULES))
    return Setup(one, one, "olympiad", RULES)


def grown(plan, number, games=60, store=None):
    with (
        Store(store, (plan.setup.black, plan.setup.white), GrowthBatch(plan).terms) as kept,
        ThreadPoolExecutor(number) as executor,
    ):
        *_, book = grow(plan, "grown", games, 1, kept, Local(executor, number))
        return book, kept.results()


def test_any_number_of_workers_grows_the_same_book(setup, tmp_path):
    plan = GrowthPlan(setup, "mbm", 5, 6, 3)
    (one, games), (five, there) = (grown(plan, number) for number in (1, 5))
    assert (dumps(five), there) == (dumps(one), games)
    assert one.growth.games == len(games) == 60
    half, whole = (grown(plan, 2, number, tmp_path / "m.db")[0] for number in (30, 60))
    assert (half.growth.games, dumps(whole)) == (30, dumps(one))


def test_it_plays_as_many_games_as_it_is_told(setup, tmp_path):
    """The last batch is smaller, and a later run with more games completes it."""
    plan = GrowthPlan(setup, "mbm", 5, 6, 3)
    book, games = grown(plan, 2, 20, tmp_path / "m.db")
    assert (book.growth.games, len(games)) == (20, 20)
    longer, whole = grown(plan, 2, 24)
    resumed, there = grown(plan, 2, 24, tmp_path / "m.db")
    assert (dumps(resumed), there) == (dumps(longer), whole)
    assert games.items() <= whole.items()


@pytest.mark.parametrize(("method", "threshold"), [("mbm", 0.5), ("mvbm", 0.1)])
def test_the_algorithm_of_the_paper(setup, method, threshold):
    """Every attempt where something good was known is the best of it; the rest is the bot's."""
    plan = GrowthPlan(setup, method, 4, 6, 3)
    book, games = grown(plan, 2)
    tried, won = Counter(), Counter()
    followed = 0
    for batch in range(10):
        fresh = []
        for number in range(6):
            result, *words = games[batch, number].split()
            referee = Referee(RULES)
            for word in words:
                colour, move = referee.to_move, parse_move(word, 3)
                view = referee.view(colour)
                if view.turn < 4:
                    state = information_state(view)
                    here = (colour, state.text)
                    shares = {
                        m: won[(*here, m)] / n
                        for (*where, m), n in tried.items()
                        if (*where,) == here
                    }
                    if max(shares.values(), default=0) > threshold:
                        assert shares[state.canonical(move)] == max(shares.values())
                        followed += 1
                    fresh.append(
                        ((*here, state.canonical(move)), result[0] == colour.letter.upper())
                    )
                referee.attempt(colour, move)
            assert referee.outcome is not None
            assert referee.outcome.result == result
        for key, is_won in fresh:
            tried[key] += 1
            won[key] += is_won
    assert followed > 20
    for colour in Colour:
        counts = {
            (colour, told, move): (n, w)
            for told, moves in book.side(colour).items()
            for move, (n, w) in moves.items()
        }
        assert counts == {key: (n, won[key]) for key, n in tried.items() if key[0] is colour}


def test_every_game_has_seeds_of_its_own(setup):
    """By its number, whatever the batches: games without known moves are the same in all."""

    def played(batch):
        plan = GrowthPlan(setup, "mvbm", 1, batch, 3)
        contest = GrowthBatch(plan, {colour: {} for colour in Colour})
        return [result.text for result in contest.play([divmod(n, batch) for n in range(12)])]

    assert played(4) == played(6) == played(12)
    assert len(set(played(6))) == 12


def test_it_begins_with_a_book(setup):
    start, _ = grown(GrowthPlan(setup, "mvbm", 4, 6, 3), 1, games=12)
    book, games = grown(GrowthPlan(setup, "mvbm", 4, 6, 8, start), 1, games=6)
    assert book.growth.start == start.digest
    first = start.move(BLACK, "")
    if first is not None:
        told = {parse_move(text.split()[1], 3) for text in games.values()}
        assert told == {first}
    total = sum(tried.games for tried in book.black[""].values())
    assert total == 12 + 6


def test_it_grows_from_a_position(setup):
    """Both know the first three attempts, of which White's first was refused."""
    beginning = Beginning(attempts=tuple((c, parse_move(m, 3)) for c, m in MADE))
    plan = GrowthPlan(replace(setup, beginning=beginning), "mvbm", 3, 6, 3)
    book, games = grown(plan, 2)
    assert all(result.split()[1:4] == [move for _, move in MADE] for result in games.values())
    first = information_state(begin(RULES, beginning)[0].view(BLACK)).text
    assert sum(tried.games for tried in book.black[first].values()) == 60


def test_what_is_measured(setup):
    book, _ = grown(GrowthPlan(setup, "mvbm", 5, 6, 3), 1)
    contest = MoveBookGames(book, "random", (setup.black,))
    with Store(None, contest.players, contest.terms) as store, ThreadPoolExecutor(1) as executor:
        found = measured(contest, store, range(3), range(10, 14), Local(executor, 1))
        results = store.results()
    assert len(results) == 2 * 3 * 4
    won, used, first = (float(word) for word in results[2 * 1 + 1, 12].split())
    assert (won, first <= used) in ((0, True), (1, True))
    assert found.rates.white[2] == pytest.approx(
        sum(float(results[2 * seed + 1, 12].split()[0]) for seed in range(3)) / 3
    )
    assert found.exploited(1).rate == pytest.approx(
        (found.rates.black.mean() + found.rates.white.mean()) / 2
    )
    assert found.depth[BLACK].attempts >= found.depth[BLACK].first
    assert found.depth[WHITE].attempts > 0


def test_the_depth_of_a_book_of_first_attempts(setup):
    """Black has one attempt from the book in each game, the first; on an empty board it stands."""
    book, _ = grown(GrowthPlan(setup, "mvbm", 1, 6, 3), 1)
    contest = MoveBookGames(book, "random", (setup.black,))
    with Store(None, contest.players, contest.terms) as store, ThreadPoolExecutor(1) as executor:
        found = measured(contest, store, range(3), range(10, 14), Local(executor, 1))
    assert found.depth[BLACK] == (1, 1)


def test_the_commands(tmp_path, capsys):
    out = f"{tmp_path}/toy.json"
    words = [*WORDS, "--store", f"{tmp_path}/a.db", "--out", out]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(
        "toy: moves for 3x3, random, komi 2.5, olympiad\n  mvbm, share above 0.1"
    )
    assert re.search(r"^    at first: (\w\d\*? [\d.]+/\d+(, )?)+$", shown, re.M)
    assert main(["book", "show", out]) == 0
    assert capsys.readouterr().out == shown
    assert main(["book", "show", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "moves"
    assert main(["book", "check", out]) == 0
    assert "toy: valid" in capsys.readouterr().out
    tests = ["--test-seeds", "4", "--own-seeds", "2"]
    assert main(["evaluate", "moves", out, *tests]) == 0
    shown = capsys.readouterr().out
    assert "K'=2" in shown
    assert "attempts of a game from the book" in shown
    assert main(["evaluate", "moves", out, "--without", "--json", *tests]) == 0
    assert json.loads(capsys.readouterr().out)["depth"]["Black"]["attempts"] == 0
    match = ["match", "--black", f"book:{out}", "--white", "random", "--games", "2"]
    assert main([*match, "--size", "3", "--komi", "2.5"]) == 0
    assert main([*match, "--size", "5"]) == 1
    assert read_moves(out).growth.games == 60
