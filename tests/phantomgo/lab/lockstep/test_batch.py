"""Games in lock step against the same games under the referee, attempt by attempt."""

import os
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import make
from bots.book import line_bot
from bots.kernels.playouts import play_out
from bots.kernels.tasks import PLAYOUTS
from phantomgo.errors import BadText
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.playing import play_game
from phantomgo.game.rules import CHOICES, PROFILES, Rules
from phantomgo.game.symmetry import SYMMETRIES
from phantomgo.lab.lockstep import batch
from phantomgo.lab.lockstep.batch import can_play, play_batch
from phantomgo.portfolio.line import Step
from phantomgo.rng import MAX_SEED, Stream
from tests.support.commands import python

PLAYERS = (
    "random",
    "flatmc:playouts=20",
    "flatmc:per_candidate=2,resign=10",
    "phantom:playouts=30,net=stones1",
    "phantom:playouts=40,amaf=0,narrow=2,resign=5,net=stones1",
    "phantom:playouts=20,net=none",
    "phantom:playouts=20,retry=off,net=stones1",
    "phantom:playouts=60,net=stones4,judge=judge2,trust=300,fold=on",
    "phantom:playouts=40,net=none,judge=judge2,amaf=0,narrow=2,fold=on",
    "phantom:playouts=30,net=stones1,fold=on",
)


ATTEMPTS = int(os.environ.get("ATTEMPTS", "560000"))
"""So many are compared on each of 18 boards by the slow test: ten million in all."""
FIRST = int(os.environ.get("FIRST", "0"))
"""Another number, other games."""


def lines_of(pairs, black, white):
    """Pairs of seeds that decide whole games, or of pairs of a seed and moves, as lines."""
    return [
        tuple(
            tuple(Step(spec, *step) for step in ([(it, None)] if isinstance(it, int) else it))
            for spec, it in zip((black, white), pair, strict=True)
        )
        for pair in pairs
    ]


def compare(rules, black, white, seeds, handicap=0, turns=()):
    """How many attempts were compared; the first game that differs fails."""
    lines = lines_of(seeds, black, white)
    compared = 0
    together = play_batch(rules, black, white, handicap, lines, turns=turns, attempts=True)
    for (i, j), turn, batched in zip(lines, turns or [0] * len(lines), together, strict=True):
        game = Game(rules, Beginning(handicap))
        first = line_bot(i, make, game, i[-1].seed, turn)
        second = line_bot(j, make, game, j[-1].seed)
        record = play_game(rules, first, second, Beginning(handicap))
        expected = record.attempts, record.outcome
        assert (batched.attempts, batched.outcome) == expected, (rules, i, j, turn)
        compared += len(record.attempts)
    return compared


def some_rules(sizes):
    """A profile on a board of any of these sizes, or any rules at all."""
    profiles = st.builds(
        Rules.profile, st.sampled_from(sorted(PROFILES)), size=sizes,
        komi=st.sampled_from([None, -3.0, 0.0, 2.5]),
    )  # fmt: skip
    choices = {key: st.sampled_from(allowed) for key, allowed in CHOICES.items()}
    limits = {
        "max_tries": st.sampled_from([None, 1, 2, 5]),
        "max_moves": st.sampled_from([None, 3, 40]),
    }
    return st.one_of(profiles, st.builds(replace, profiles, **choices, **limits))


@settings(max_examples=40)
@given(
    rules=some_rules(st.integers(2, 7)),
    players=st.tuples(st.sampled_from(PLAYERS), st.sampled_from(PLAYERS)),
    games=st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, MAX_SEED), st.sampled_from(SYMMETRIES)),
        min_size=1,
        max_size=6,
    ),
    handicap=st.sets(st.integers(0, 48), max_size=4),
)
def test_every_attempt_is_the_one_under_the_referee(rules, players, games, handicap):
    """Whatever board Black sees."""
    points = rules.size**2
    seeds, turns = [game[:2] for game in games], [game[2] for game in games]
    stones = sum(1 << p for p in handicap if p < points and 4 * len(handicap) < points)
    assert can_play(rules, players[0], players[1], stones)
    compare(rules, players[0], players[1], seeds, stones, turns)


@pytest.mark.parametrize("size", [8, 9, 13, 16, 19])
@pytest.mark.parametrize("profile", ["hamburg", "openspiel"])
def test_every_attempt_on_larger_boards(size, profile):
    rules = Rules.profile(profile, size=size)
    compare(rules, "random", "random", [(1, 2), (1, 3)])
    if size < 13 or profile == "hamburg":
        compare(
            replace(rules, max_moves=5000 // size**2 if size > 9 else None),
            "flatmc:playouts=1,resign=40",
            "phantom:playouts=1,resign=40,net=stones1",
            [(1, 2)],
        )


@st.composite
def some_lines(draw):
    """Seeds that give way to one another after a few own moves."""
    spans = draw(st.lists(st.integers(1, 3), max_size=4))
    return (*((draw(st.integers(0, 2)), span) for span in spans), (draw(st.integers(5, 7)), None))


@settings(max_examples=20)
@given(
    players=st.tuples(st.sampled_from(PLAYERS), st.sampled_from(PLAYERS)),
    games=st.lists(st.tuples(some_lines(), some_lines()), min_size=1, max_size=8),
    turn=st.sampled_from(SYMMETRIES),
)
def test_seeds_give_way_to_other_seeds(players, games, turn):
    """Also where games share a seed and its opening, but not what comes after it."""
    black, white = players
    compare(Rules(size=5), black, white, games, turns=[turn] * len(games))


def test_a_matrix_is_the_same_whatever_is_remembered_and_however_many_play_at_once(monkeypatch):
    """Rows and columns share decisions; a memory of one decision, and games one at a time."""
    rules = Rules(size=5)
    spec = "phantom:playouts=30,book=none"
    seeds = [(i, j) for i in range(4) for j in range(4)]
    alone = [
        play_game(rules, make(spec, Game(rules), i), make(spec, Game(rules), j)) for i, j in seeds
    ]
    expected = [record.outcome for record in alone]
    for name, value in (("GAMES", 64), ("KEPT_DECISIONS", 1), ("KEPT_DECISIONS", 8), ("GAMES", 1)):
        monkeypatch.setattr(batch, name, value)
        assert [
            game.outcome for game in play_batch(rules, spec, spec, 0, lines_of(seeds, spec, spec))
        ] == expected


def test_a_repeated_decision_is_made_once(monkeypatch):
    """Of games that are all the same, one is thought about."""
    played, spec = [], "flatmc:playouts=50"
    real = play_out

    def counted(*arguments):
        played.append(real(*arguments))
        return played[-1]

    monkeypatch.setattr(batch, "play_out", counted)
    moves = []
    for copies in (1, 20):
        played.clear()
        play_batch(Rules(size=4), spec, spec, 0, lines_of([(5, 6)] * copies, spec, spec))
        moves.append(sum(played))
    assert moves[0] == moves[1] > 0


def test_a_first_decision_is_made_once_for_all_eight_boards(monkeypatch):
    calls = []
    real = play_out
    monkeypatch.setattr(batch, "play_out", lambda *given: calls.append(real(*given)))
    rules = Rules(size=4, max_moves=1)
    played = play_batch(
        rules,
        "flatmc:playouts=50",
        "random",
        0,
        lines_of([(5, 6)] * 8, "flatmc:playouts=50", "random"),
        turns=SYMMETRIES,
        attempts=True,
    )
    assert len(calls) == 1
    assert len({game.attempts for game in played}) in (4, 8)


def test_attempts_are_told_only_if_asked_for_and_however_many_there_are(monkeypatch):
    monkeypatch.setattr(batch, "LOGGED", 3)
    assert compare(Rules(size=7), "random", "random", [(1, 2), (3, 4)]) > 100
    assert (
        play_batch(Rules(size=3), "random", "random", 0, lines_of([(1, 2)], "random", "random"))[
            0
        ].attempts
        == ()
    )


@pytest.mark.parametrize("spec", ["flatmc:playouts=1600", "flatmc:per_candidate=100"])
def test_a_call_of_the_kernel_has_few_playouts_beyond_those_of_a_decision(spec, monkeypatch):
    """Between calls Ctrl-C is noticed."""
    asked = []

    def counted(*arguments):
        asked.append(int(arguments[7][:, PLAYOUTS].sum()))
        return play_out(*arguments)

    monkeypatch.setattr(batch, "play_out", counted)
    monkeypatch.setattr(batch, "PLAYOUTS", 3000)
    play_batch(Rules(size=4), spec, spec, 0, lines_of([(1, 2), (3, 4), (5, 6)], spec, spec))
    assert 1600 <= max(asked) <= 3000


def test_no_games_at_all():
    assert play_batch(Rules(size=5), "random", "random", 0, []) == []


@pytest.mark.parametrize(
    ("rules", "spec"),
    [
        (Rules(), "flatmc:time=1"),
        (Rules(), "flatmc:allocation=ucb"),
        (Rules(), "phantom:time=1"),
        (Rules(size=5, komi=7.5), "phantom:playouts=5000"),  # which opens from a book
        (Rules(), "twolevel"),
        (Rules(size=5, komi=2.5), "book:nash5"),
        (Rules(ko="positional", max_moves=10**6), "random"),
    ],
)
def test_what_it_does_not_know_is_left_to_the_referee(rules, spec):
    assert not can_play(rules, spec, "random")
    assert not can_play(rules, "random", spec)
    with pytest.raises(BadText, match="is not for a batch"):
        play_batch(rules, "random", spec, 0, lines_of([(1, 2)], "random", spec))


def test_lines_of_another_bot_or_with_an_end_are_refused():
    for steps, why in (
        ((Step("flatmc", 1),), "flatmc decides a step of a line of random"),
        ((Step("random", 1, 3),), "a line of random ends before the game"),
    ):
        with pytest.raises(BadText, match=why):
            play_batch(Rules(), "random", "random", 0, [((Step("random", 1),), steps)])


def test_a_seed_out_of_range_is_named():
    with pytest.raises(BadText, match="seed -1 is not a whole number from 0"):
        play_batch(Rules(), "random", "random", 0, lines_of([(0, -1)], "random", "random"))


@pytest.mark.slow
@pytest.mark.parametrize("size", range(2, 20))
def test_many_attempts(size):
    """All profiles on every board; now and then players who think, and boards that Black sees
    turned, which take the referee's side the longest.
    """
    stream, attempts, profiles = Stream(FIRST + size), 0, sorted(PROFILES)
    for number in count():
        if attempts >= ATTEMPTS:
            return
        rules = Rules.profile(profiles[number % len(profiles)], size=size)
        thinking = attempts < ATTEMPTS // size**2
        black, white = (
            PLAYERS[stream.below(len(PLAYERS))] if thinking else "random" for _ in range(2)
        )
        games = 4 if thinking else max(12, 400 // size)
        seeds = [(stream.below(100), stream.below(1 << 32)) for _ in range(games)]
        turns = [stream.below(8) for _ in seeds] if number % 8 == 0 else ()
        attempts += compare(rules, black, white, seeds, turns=turns)


DIGEST = """
from hashlib import sha256
from phantomgo.lab.lockstep.batch import play_batch
from phantomgo.portfolio.line import Step
from phantomgo.game.rules import Rules
white = "phantom:playouts=60,net=stones4,judge=judge2,fold=on"
played = [
    play_batch(
        Rules(size=size), black, white, 0,
        [((Step(black, n),), (Step(white, n + 1),)) for n in (1, 3)], attempts=True,
    )
    for size in (5, 9, 17) for black in ("random", "flatmc:playouts=60")
]
print(sha256(repr(played).encode()).hexdigest())
"""


def digest(**target):
    """A digest of some games, on code compiled for another processor if one is named."""
    return python("-c", DIGEST, env=os.environ | target, check=True, timeout=None).stdout


@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "features"), [("haswell", "+avx2"), ("x86-64", "")])
def test_same_games_on_older_processors(cpu, features):
    assert digest(NUMBA_CPU_NAME=cpu, NUMBA_CPU_FEATURES=features) == digest()
