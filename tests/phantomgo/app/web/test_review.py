"""The review of a finished game: what could be known, what a bot would have done, and the cost."""

import re

import pytest

from phantomgo.app.table import advice
from phantomgo.app.table.game import TableGame
from phantomgo.app.web.client_state import Chances
from phantomgo.app.web.review import Review, mistakes, review, study
from phantomgo.app.web.terms import TableTerms
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.points import BLACK, PASS, RESIGN, WHITE, parse_attempt
from phantomgo.records.record_json import write_record
from tests.support.web_tools import Inline, Site

ATTEMPTS = ["C3", "C3", "B3", "B3", "C4", "D3", "resign"]
"""Black C3; White is refused there and plays B3; Black is refused at B3."""


def played(*attempts, size=5, komi=2.5):
    game = TableGame(TableTerms(size=size, komi=komi).record)
    for attempt in attempts:
        game.attempt(parse_attempt(attempt, size), 1.0)
    return game


@pytest.fixture(scope="module")
def game():
    return played(*ATTEMPTS)


@pytest.fixture(scope="module")
def reviewed(game):
    return Review.read(review(write_record(game.record())))


def test_every_attempt_is_judged_and_every_moment_has_its_chances(game, reviewed):
    count = len(game.steps)
    assert [len(line) for line in reviewed.chances] == [count + 1] * 3
    assert len(reviewed.best) == len(reviewed.costs) == count
    assert [len(maps) for maps in reviewed.beliefs] == [count + 1] * 2
    assert all(parse_attempt(best, 5) is not None for best in reviewed.best)


def test_maps_are_kept_in_steps_of_two_per_cent_and_older_ones_are_read():
    older, kept = Review(beliefs=(("5a09",), ("",))), Review(beliefs=(("abwY", ""), ("", "")))
    assert older.belief(BLACK, 0) == {0: 0.2, 3: 0.9}
    assert kept.belief(BLACK, 1) == {1: 0.02, 2: 0.44, 3: 1.0}


def test_what_the_reviewer_would_do_costs_nothing_and_other_points_something():
    view = played("C3", "C3", "B3").moments[-1].view(BLACK)
    best = advice.verdict(view, PASS).best
    assert advice.verdict(view, best).cost == 0.0
    corner = advice.verdict(view, parse_attempt("A1", 5))
    assert corner.best == best
    assert corner.cost is not None
    assert corner.cost > 0.05
    for move in (PASS, RESIGN, parse_attempt("C3", 5), 25):  # a stone of their own; off the board
        assert advice.verdict(view, move).cost is None


def told(game, number, **changes):
    found = Review(
        Chances(*((0.5,) * len(game.moments),) * 3),
        ("E5",) * len(game.steps),
        (0.2,) * len(game.steps),
        (("0" * 25,) * len(game.moments),) * 2,
    )
    return list(study(game, found._replace(**changes), number))


def test_an_attempt_in_words(game):
    assert told(game, 0) == []
    assert told(game, 1) == [
        "1. Black: C3 stands",
        "A strong bot would have attempted E5: 50 % to win, as Black saw it, against 30 % with C3.",
    ]
    likely = ("0" * 11 + "5" + "0" * 13,) * len(game.moments)
    assert told(game, 4, beliefs=(likely, likely))[:3] == [
        "4. Black: B3 is refused (occupied)",
        "Of White's stones Black had located 0 out of 1.",
        "To Black, a stone was there with a probability of at least 20 %.",
    ]
    assert told(game, 2)[-2] == "It was refused, so it cost no move."
    assert told(game, 2)[-1].endswith("E5: 50 % to win, as White saw it.")
    alike, unknown = (0.01,) * 9, (None,) * 9
    assert told(game, 3, costs=alike)[-1].endswith("as White saw it; B3 was about as good.")
    assert told(game, 3, costs=unknown)[-1].endswith("E5: 50 % to win, as White saw it.")
    assert told(game, 3, costs=(0.7,) * 9)[-1].endswith("against 0 % with B3.")  # not below
    assert told(game, 1, best=("C3",))[-1] == "A strong bot would have chosen C3 too."
    assert told(game, 1, best=("pass",))[-1] == "A strong bot would have passed."
    fell = Chances((0.5, 0.5, 0.5, 0.8) + (0.8,) * 4, *((0.5,) * 8,) * 2)
    assert told(game, 3, chances=fell)[-1] == (
        "On the full board White's win probability went from 50 % to 20 %."
    )


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ("50 50 50 30 30 90 10 10", ["6. White: D3 stands: Black 90 % to 10 %"]),  # 30 % was lost
        ("14 14 12 11 10 10 8 8", []),
        ("10 10 10 5 14 14 10 10", []),
    ],
)
def test_what_decided_a_game_that_black_resigns(game, shares, words):
    truth = tuple(int(share) / 100 for share in shares.split())
    assert [what for _, what in advice.decisive(game, truth)] == words


WON = "C3 A1 D4 A5 B4 E1 B2 E5"
"""Black has nearly won."""
LAST = "C1 D1 C2 D2 C3 D3 C4 D4 B5 D5"
"""One point is left, C5, and Black is to move."""
SLOW = "C3 A1 D3 A5 C4 E5 D2 E1 B3 A3 C2 E3 B4 B1 C1 B2 A2 D5 D4 pass B5"
GAMES = {
    "9 Black resigns: Black 99 % to 0 %": f"2.5 {WON} resign",
    "10 White resigns: Black 1 % to 100 %": f"2.5 A3 {WON} resign",
    "8 Black ran out of time: Black 99 % to 0 %": f"2.5 {WON} late",
    "9 White ran out of time: Black 1 % to 100 %": f"2.5 A3 {WON} late",
    "11 11. Black passes: Black 50 % to 0 %": f"4.5 {LAST}",
    "12 12. White passes: Black 34 % to 100 %": f"3.5 {LAST} A1",
    "13 13. Black passes: Black 99 % to 0 %": "0.5 C3 D3 D4 A1 D2 A2 B2 A5 C4 E1 B4 E5",
    "1 1 to 8, step by step: Black 52 % to 98 %": f"2.5 {SLOW}",
    "4 4 to 10, step by step: Black 40 % to 1 %": "2.5 C3 C4 A1 B4 A5 D3 E1 C2 E5 B3 E3 B2 D2 D1",
    "6 6 to 11, step by step: Black 25 % to 1 %": "2.5 C3 C2 E1 D2 E5 B2 A1 D3 A5 C4 E3 B4 A3 B3",
}
"""Komi and attempts of games, the passes of both at the end left out, by what decided them most."""


@pytest.mark.parametrize("words", GAMES)
def test_what_decided_ten_whole_games(words):
    komi, *attempts = GAMES[words].split()
    ends = {"late": [], "resign": ["resign"]}.get(attempts[-1], [attempts[-1], "pass", "pass"])
    game = played(*attempts[:-1], *ends, komi=float(komi))
    if not ends:
        game.end(Fault(Ending.TIME, "ran out of time").outcome(game.to_move))
    number, what = next(advice.decisive(game, advice.chances(game)))
    assert f"{number} {what}" == words


def test_a_void_game_is_not_decided(game):
    void = played(*ATTEMPTS[:-1])
    void.end(Fault(Ending.VOID, "to move, the game was abandoned").outcome(BLACK))
    assert list(advice.decisive(void, (0.5,) * 7)) == list(advice.decisive(game, ())) == []


def test_the_costliest_moves_are_named_but_no_probe(game):
    found = mistakes(game, Review(costs=(0.1, 0.9, 0.3, 0.9, 0.01, 0.01, None)))
    assert [number for number, _ in found] == [3, 1]


class Counting(Inline):
    """Judges who count what they are asked."""

    count = 0

    def ask(self, task, *arguments, who="", since=0.0):
        self.count += 1
        return super().ask(task, *arguments, who=who, since=since)


async def finished(site):
    black = await site.lay(opponent="person", size="5", name="Ann")
    white = await site.invited(black)
    for path, attempt in zip((black, white, white, black), ATTEMPTS, strict=False):
        await site.attempt(path, attempt)
    await site.do(white if site.session(black).game.to_move is WHITE else black, "resign")
    await site.settle()
    return black, white


async def test_a_review_is_made_once_when_somebody_looks_and_kept(tmp_path):
    reviewers = Counting()
    site = Site(tmp_path / "tables.db", reviewers=reviewers)
    black, white = await finished(site)
    assert reviewers.count == 0
    first = (await site.get(black)).text
    assert "Every position is being evaluated" in first
    await site.settle()
    for path in (black, white, site.session(black).link("watch")):
        page = (await site.get(path + "?at=2&side=white")).text
        assert "2. White: C3 is refused (occupied)" in page
        assert "A strong bot would have" in page
        assert 'class="graph"' in page
    assert reviewers.count == 1
    site.journal.close()
    again = Site(tmp_path / "tables.db", reviewers=reviewers)
    assert "A strong bot would have" in (await again.get(black + "?at=1")).text
    assert reviewers.count == 1
    again.journal.close()


async def test_the_switch_shows_the_truth_or_what_one_player_saw():
    site = Site(reviewers=Inline())
    black, _ = await finished(site)
    await site.get(black)
    await site.settle()
    moment = black + "?at=3"
    for side, words in {
        "truth": "Black: C3. White: B3.",
        "black": "Black: C3. White: no stones.",
        "white": "Black: C3. White: B3.",
        "nonsense": "Black: C3. White: B3.",
    }.items():
        page = (await site.get(f"{moment}&side={side}")).text
        assert f'class="unseen">{words}' in page, side
        assert page.count('class="board ') == 1
        assert len(re.findall("data-side=[^>]*aria-current", page)) == 1
        assert ('class="heat"' in page) == (side == "black"), "White knows where Black is"


async def test_another_point_is_tried_by_the_view_and_by_the_truth():
    site = Site(reviewers=Inline())
    black, _ = await finished(site)
    await site.get(black)
    await site.settle()
    page = (await site.get(black + "?at=3&point=D4")).text
    assert len(re.findall(r"D4 instead: \d+ % to win(, as White| on the full)", page)) == 2
    assert "On the full board C3 is refused." in (await site.get(black + "?at=3&point=C3")).text


async def test_the_public_link_appears_when_the_game_has_ended():
    site = Site()
    black = await site.lay(opponent="person", size="5", watching="all")
    await site.invited(black)
    assert "/watch/" not in (await site.get(black)).text
    await site.do(black, "resign")
    link = site.session(black).link("watch")
    assert link in (await site.get(black)).text
    site.registry.session(1).close()
    assert "Black wins" not in (await site.get(link)).text
    assert (await site.get(link)).status == 200
