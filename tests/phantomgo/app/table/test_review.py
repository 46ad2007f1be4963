"""The review of a finished game: what could be known, what a bot would have done, and the cost."""

import pytest

from phantomgo.app.table import advice, chances
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.review import (
    Chances,
    Judgement,
    Review,
    decisive,
    judged,
    mistakes,
    review,
    study,
    summary,
    try_line,
)
from phantomgo.app.web.terms import TableTerms
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.points import BLACK, PASS, RESIGN, parse_attempt
from phantomgo.records.record_json import write_record

ATTEMPTS = ["C3", "C3", "B3", "B3", "C4", "D3", "resign"]
"""Black C3; White is refused there and plays B3; Black is refused at B3."""


def played(*attempts, size=5, komi=2.5):
    game = TableGame(TableTerms(size=size, komi=komi).record)
    for attempt in attempts:
        game.attempt(parse_attempt(attempt, size), 1.0)
    return game


@pytest.fixture(scope="module", autouse=True)
def playouts_alone():
    """Continue no games: the playouts' estimates are quicker, and as good for these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chances, "GAMES", 0)
        yield


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
        "1. Black: C3 is accepted",
        "A mistake: Black's view showed a better attempt.",
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
        "On the full board White's win probability changed from 50 % to 20 %."
    )


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        (
            "50 50 50 30 30 90 10 10",
            ["6. White: D3 is accepted: Black 90 % to 10 %, luck"],
        ),  # 30 % lost
        ("14 14 12 11 10 10 8 8", ["White never fell behind: 86 % or more"]),
        ("10 10 10 5 14 14 10 10", ["White never fell behind: 86 % or more"]),
        (
            "60 60 60 53 53 47 40 40",
            [
                "5. Black: C4 is accepted: Black 53 % to 47 %, a mistake",
                "Black resigns: Black 40 % to 0 %",
            ],
        ),
        (
            "40 40 40 45 45 45 10 10",
            [
                "White never fell behind: 55 % or more",
                "6. White: D3 is accepted: Black 45 % to 10 %, luck",
            ],
        ),
    ],
)
def test_what_decided_a_game_that_black_resigns(game, shares, words):
    assert [what for _, what in decisive(game, found(game, shares))] == words


def test_a_gain_that_is_not_confirmed_is_named_only_if_it_turned_the_game(game):
    for sure, words in (
        ((True,) * 8, ["60 % to 30 %, luck", "30 % to 5 %, luck"]),
        ((True,) * 6 + (False,) * 2, ["60 % to 30 %, luck"]),
        ((False,) * 8, ["60 % to 30 %, a mistake"]),
    ):
        named = decisive(game, found(game, "60 60 60 30 30 30 5 5", sure=sure))
        assert [what.rpartition("Black ")[2] for _, what in named] == words


def found(game, shares, **changes):
    """A review by which Black's chances on the full board were these, in per cent."""
    truth = tuple(int(share) / 100 for share in shares.split())
    line = (0.5,) * len(game.moments)
    made = Review(Chances(truth, line, line), ("E5",) * len(game.steps), (0.2,) * len(game.steps))
    return made._replace(**changes)


@pytest.mark.parametrize(
    ("shares", "cost", "verdict", "words"),
    [
        ("50 30", 0.2, Judgement.MISTAKE, "A mistake: Black's view showed a better attempt."),
        ("50 50", 0.2, Judgement.MISTAKE, "A mistake: Black's view showed a better attempt."),
        (
            "50 30",
            0.0,
            Judgement.BAD_LUCK,
            "Bad luck: right by Black's view, wrong",
        ),
        ("50 75", 0.0, Judgement.LUCK, "Luck: it worked better on the full board than Black could"),
        (
            "50 75",
            0.2,
            Judgement.LUCK,
            "Luck: Black's view showed a better attempt, but",
        ),
        ("50 52", 0.0, None, ""),
    ],
)
def test_an_attempt_is_a_mistake_bad_luck_or_luck(game, shares, cost, verdict, words):
    reviewed = found(game, shares + " 50" * 6, costs=(cost,) * 7)
    assert judged(game, reviewed, 1) is verdict
    assert list(study(game, reviewed, 1))[1].startswith(words or "A strong bot")


def test_the_full_board_says_nothing_of_luck_where_it_is_not_confirmed(game):
    for sure in ((True,) * 8, (True, False) * 4, (False,) * 8):
        reviewed = found(game, "50 75" + " 50" * 6, costs=(0.0,) * 7, sure=sure)
        assert judged(game, reviewed, 1) is (Judgement.LUCK if all(sure) else None)


def test_a_refused_attempt_is_no_mistake_and_resigning_a_won_game_is_one(game):
    reviewed = found(game, "50 50 50 50 50 50 50 0", costs=(0.2,) * 6 + (None,))
    assert judged(game, reviewed, 2) is None
    assert judged(game, reviewed, 7) is Judgement.MISTAKE


def test_hidden_stones_near_an_attempt_are_named_with_what_the_player_could_think():
    game = played("C3", "D4", "C4", "E1", "resign")
    maps = tuple("a" * 18 + "f" + "a" * 6 for _ in game.moments)
    reviewed = found(game, "50 50 50 20 20 0", beliefs=(maps, maps))
    near = "White had hidden stones near it: D4 10 % (their probability in Black's view)."
    assert near in study(game, reviewed, 3)
    assert not any("near it" in words for words in study(game, reviewed, 1))


def test_both_players_are_summed_up(game):
    rows = summary(game, found(game, "50 75 75 50 50 52 52 0"))
    assert [(str(what), *counts) for what, *counts in rows] == [
        ("Mistakes", 2, 1),
        ("Bad luck", 0, 0),
        ("Luck", 1, 1),
        ("Stones found by a refused attempt", 1, 1),
        ("Stones never found", 1, 1),
    ]
    assert summary(game, Review()) == ()


def test_a_line_is_tried_for_both_players_in_turn(game):
    words, moment = try_line(write_record(game.record()), 3, parse("D4 D4 C4"), 0.5)
    assert (
        words[0] == "You tried: White: D4 is accepted, Black: D4 is refused (occupied),"
        " Black: C4 is accepted."
    )
    assert words[1].startswith("C4: ")
    assert words[2].endswith("to win on the full board.")
    assert moment.board.black == 1 << 12 | 1 << 17
    assert moment.board.white == 1 << 18
    won, _ = try_line(write_record(game.record()), 3, parse("D4"), 0.9)
    lost, _ = try_line(write_record(game.record()), 3, parse("D4"), 0.1)
    assert per_cent(won[-1]) + 40 < per_cent(lost[-1])  # White's, as the review's estimate was
    ended, _ = try_line(write_record(game.record()), 3, parse("pass pass C4"), 0.5)
    assert ended[0] == "You tried: White passes, Black passes."


def parse(points):
    return [parse_attempt(point, 5) for point in points.split()]


def per_cent(words):
    return int(words.split()[1])


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
    "0 Black never fell behind: 52 % or more": f"2.5 {SLOW}",
}
"""Komi and attempts of games, the passes of both at the end left out, by what decided them most."""


@pytest.mark.parametrize("words", GAMES)
def test_what_decided_whole_games(words):
    komi, *attempts = GAMES[words].split()
    ends = {"late": [], "resign": ["resign"]}.get(attempts[-1], [attempts[-1], "pass", "pass"])
    game = played(*attempts[:-1], *ends, komi=float(komi))
    if not ends:
        game.end(Fault(Ending.TIME, "ran out of time").outcome(game.to_move))
    reviewed = Review.read(review(write_record(game.record())))
    number, what = next(decisive(game, reviewed))
    assert f"{number} {what}".startswith(words)


def test_bots_that_continue_a_game_find_where_it_turned(monkeypatch):
    """Black passes in place of playing C5, and loses by half a point."""
    monkeypatch.setattr(chances, "GAMES", 8)
    game = played(*LAST.split(), "pass", "C5", "pass", "pass", komi=4.5)
    reviewed = Review.read(review(write_record(game.record())))
    number, what = next(decisive(game, reviewed))
    before, after = (reviewed.chances.truth[n] for n in (10, 11))
    assert number == 11, what
    assert before > 0.7
    assert after < 0.1


def test_a_void_game_is_not_decided(game):
    void = played(*ATTEMPTS[:-1])
    void.end(Fault(Ending.VOID, "to move, the game was abandoned").outcome(BLACK))
    assert list(decisive(void, found(game, "50 " * 8))) == list(decisive(game, Review())) == []


def test_the_costliest_moves_are_named_but_no_probe(game):
    found = mistakes(game, Review(costs=(0.1, 0.9, 0.3, 0.9, 0.01, 0.01, None)))
    assert [number for number, _ in found] == [3, 1]
