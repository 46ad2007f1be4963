"""Games stepped at once beside the referee and OpenSpiel, attempt by attempt."""

import os
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bots import make
from bots.belief import candidates, presume_refused
from bots.policy import policy_input
from phantomgo.errors import BadText, MissingExtra
from phantomgo.game import history
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Refused
from phantomgo.game.outcome import Ending
from phantomgo.game.planes import attempts, planes, reward
from phantomgo.game.points import BLACK, PASS, WHITE, Colour, members
from phantomgo.game.referee import Referee
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.lab import vector
from phantomgo.lab.lockstep.batch import ask
from phantomgo.lab.vector import ROOM, TOGETHER, Games
from tests.support.strategies import profiles, seeds

try:
    import pyspiel

    from phantomgo import spiel
except (ImportError, MissingExtra):
    spiel = None
NUMBER = 3
RULES = Rules(size=3, komi=2.5)
drawn_rules = st.builds(
    lambda profile, size, komi, **limits: replace(
        Rules.profile(profile, size=size, komi=komi / 2), **limits
    ),
    profiles,
    st.integers(2, 9),
    st.integers(-4, 8),
    max_tries=st.none() | st.integers(1, 4),
    on_max_tries=st.sampled_from(["pass", "lose", "count"]),
    max_moves=st.none() | st.integers(1, 60),
)


def move_of(action: int, rules: Rules) -> int:
    return PASS if action == rules.size**2 else action


def returns(referee: Referee) -> list[float]:
    """What both players got; 0 until the end."""
    outcome = referee.outcome
    return [0 if outcome is None else reward(outcome, colour) for colour in Colour]


@settings(max_examples=60)
@given(drawn_rules, seeds, st.booleans())
def test_games_are_the_referees(rules, seed, autoreset):
    """Every attempt, also those that a player knows to be refused, until most games have ended."""
    random = np.random.default_rng(seed)
    handicap = int(random.integers(2 ** min(rules.size**2, 60))) if seed % 2 else 0
    games = Games(rules, NUMBER, autoreset=autoreset, handicap=handicap)
    referees = [Referee(rules, black=handicap) for _ in range(NUMBER)]
    for turn in range(80):
        actions: NDArray[Any] = np.zeros(NUMBER, (np.int8, np.uint64, np.int64)[turn % 3])
        seen, legal = games.observe()
        for g, referee in enumerate(referees):
            view = referee.view(referee.to_move)
            assert (seen[g] == planes(view).transpose(2, 0, 1)).all()
            if not handicap:  # which `attempts` does not know: White begins
                assert (legal[g] == attempts(view)).all()
            if random.random() < 0.05:
                assert games.view(g) == view
            wise = legal[g].any() and random.random() < 0.9
            actions[g] = random.choice(np.flatnonzero(legal[g]) if wise else [0, rules.size**2])
        answers = games.step(actions)
        for g, referee in enumerate(referees):
            refused, before = False, referee.outcome
            if before is None:
                answer = referee.attempt(referee.to_move, move_of(int(actions[g]), rules))
                refused = isinstance(answer, Refused)
            ending = referee.outcome and referee.outcome.ending
            assert answers.refused[g] == refused
            assert answers.rewards[g].tolist() == (returns(referee) if before is None else [0, 0])
            assert answers.terminated[g] == (ending not in (None, Ending.MOVE_LIMIT))
            assert answers.truncated[g] == (ending is Ending.MOVE_LIMIT)
            if autoreset and ending:
                referees[g] = Referee(rules, black=handicap)
        assert [*games.over] == [referee.outcome is not None for referee in referees]
        assert games.returns.tolist() == [*map(returns, referees)]
        assert [Colour(int(side) + 1) for side in games.to_move] == [r.to_move for r in referees]
        again = games.over & (random.random(NUMBER) < 0.3)
        games.begin(again)
        for g in np.flatnonzero(again).tolist():
            referees[g] = Referee(rules, black=handicap)
    for g, referee in enumerate(referees):
        assert games.view(g) == referee.view(referee.to_move)
        assert [games.view(g, colour) for colour in Colour] == [*map(referee.view, Colour)]


@pytest.mark.skipif(spiel is None, reason="OpenSpiel is not installed (pip install '.[games]')")
@settings(max_examples=25)
@given(profiles, st.integers(2, 9), st.integers(-4, 8), seeds)
@example("openspiel", 7, 0, 6_593_024_624_545)  # the last attempt allowed is refused
def test_games_are_openspiels(profile, size, komi, seed):
    """What is legal and seen, who acts, and what the game returns."""
    random, komi = np.random.default_rng(seed), komi / 2
    games = Games(Rules.profile(profile, size=size, komi=komi), 1)
    state = pyspiel.load_game(
        spiel.NAME, {"size": size, "komi": komi, "profile": profile}
    ).new_initial_state()
    while not state.is_terminal():
        seen, legal = games.observe()
        player = state.current_player()
        assert games.to_move.tolist() == [player]
        assert np.flatnonzero(legal).tolist() == state.legal_actions()
        told = np.reshape(state.observation_tensor(player), (size, size, -1))
        assert (seen[0] == told.transpose(2, 0, 1)).all()
        actions = random.choice(state.legal_actions(), 1)
        answers = games.step(actions)
        state.apply_action(actions[0])
        if not state.is_terminal():
            assert answers.refused.tolist() == [state.current_player() == player]
        assert answers.rewards.tolist() == [state.returns()]
    assert (answers.terminated | answers.truncated).all()
    assert not games.observe()[1].any()


def test_what_is_not_legal_is_certainly_refused():
    rules, random = Rules(size=5, komi=2.5), np.random.default_rng(1)
    games = Games(rules, 20, autoreset=True)
    for _ in range(60):
        _, legal = games.observe()
        futile = np.where(legal.all(1), 25, legal.argmin(1))
        assert (games.copy().step(futile).refused == (futile < 25)).all()
        games.step((legal * random.random(legal.shape)).argmax(1))


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_policies_see_what_their_bots_see(size):
    rules, random = Rules(size=size, komi=2.5), np.random.default_rng(size)
    games, referee = Games(rules, 1), Referee(rules)
    while referee.outcome is None:
        view = referee.view(referee.to_move)
        belief = presume_refused(view)
        seen, worth = games.see()
        assert (seen[0] == policy_input(view, belief)).all()
        assert np.flatnonzero(worth).tolist() == [*members(candidates(view, belief)), size**2]
        actions = random.choice(np.flatnonzero(games.observe()[1]), 1)
        games.step(actions)
        referee.attempt(referee.to_move, move_of(int(actions[0]), rules))
    assert not games.see()[1].any()


def test_a_copy_goes_on_by_itself():
    games = Games(RULES, 2)
    games.step(np.array([4, 4]))
    assert games.view(0).opponent_turn == 1
    twin = games.copy()
    assert twin.step(np.array([4, 9])).refused.tolist() == [True, False]
    assert games.to_move.tolist() == [1, 1]
    assert not games.step(np.array([0, 0])).refused.any()
    assert twin.to_move.tolist() == [1, 0]
    assert not twin.observe()[0][0, 0].any()  # White has no stone there
    assert twin.view(0, WHITE).refusals == 1
    assert games.view(0, WHITE).turn == 1


def test_games_are_taken_and_put():
    games = Games(RULES, 3)
    games.step(np.array([4, 0, 9]))
    games.view(1)
    some = games.take(np.array([1, 1, 2], np.int8))
    assert some.step(np.array([0, 1, 2])).refused.tolist() == [True, False, False]
    assert [games.view(game).turn for game in range(3)] == [0, 0, 0]
    games.put(np.array([0, 2]), some.take(np.array([0, 1])))
    assert games.to_move.tolist() == [1, 1, 0]
    lines = ["phantom-opponent b move captured 0", "phantom-illegal w A1"]
    assert games.told(0) == some.told(0) == "\n".join(lines)
    assert games.told(2, WHITE) == some.told(1, WHITE)
    assert games.told(1) == lines[0]
    games.step(np.array([3, 3, 3]))
    assert some.told(0) == "\n".join(lines), "they go on by themselves"


def test_games_that_are_put_bring_their_room():
    games, longer = Games(RULES, 2), Games(RULES, 1)
    for _ in range(10):
        for action in (0, 0, 1, 9):
            longer.step(np.array([action]))
    for _ in range(ROOM):
        longer.begin(longer.over)
        for action in range(9):
            longer.step(np.array([action]))
    games.put(np.array([1]), longer)
    assert games.view(1, BLACK) == longer.view(0, BLACK)


@settings(max_examples=30)
@given(st.sampled_from(["olympiad", "cazenave", "openspiel"]), st.integers(2, 4), seeds)
def test_in_every_world_a_player_was_told_the_same(profile, size, seed):
    rules, random = Rules.profile(profile, size=size, komi=0.5), np.random.default_rng(seed)
    games = Games(rules, 1)
    for _ in range(random.integers(size * size)):
        legal = games.observe()[1][0, :-1]
        if games.over[0] or not legal.any():
            break
        games.step(random.choice(np.flatnonzero(legal), 1))
    for colour in Colour:
        worlds = games.worlds(0, colour, number=3, seed=seed % 1000)
        assert [worlds.told(world, colour) for world in range(3)] == [games.told(0, colour)] * 3
        assert (worlds.to_move == games.to_move).all()
        again = games.worlds(0, colour, number=2, seed=seed % 1000)
        for other in Colour:
            assert again.told(1, other) == worlds.told(1, other)


def test_worlds_are_found_although_every_atari_is_announced():
    rules, random = Rules.profile("sensei", size=5, komi=2.5), np.random.default_rng(1)
    games = Games(rules, 20)
    for _ in range(25):
        legal = games.observe()[1][:, :-1]
        games.step((legal * random.random(legal.shape)).argmax(1))
    for game in range(20):
        assert games.worlds(game, number=1, seed=1) is not None, game


def test_no_worlds_are_an_answer(monkeypatch):
    games = Games(RULES, 1)
    games.step(np.array([4]))
    assert games.worlds(0, number=2, seed=1) is not None
    monkeypatch.setattr(history, "SEARCHES", 0)
    assert games.worlds(0, number=2, seed=1) is None


def test_worlds_differ_where_the_player_knows_nothing():
    games = Games(Rules(size=5), 1)
    for action in (0, 12, 1, 13):
        games.step(np.array([action]))
    worlds = games.worlds(0, BLACK, number=20, seed=1)
    assert len({worlds.view(world, WHITE).own for world in range(20)}) > 10
    assert {worlds.view(world, WHITE).own & 3 for world in range(20)} == {0}


def test_bots_play_in_the_games_they_are_asked_in():
    games = Games(RULES, 3)
    games.step(np.array([4, 9, 4]))
    asked, bot_seeds = np.array([True, True, False]), np.array([5, 6, 7])
    actions = games.play("flatmc:playouts=30", asked, bot_seeds)
    for game in (0, 1):
        bot = make("flatmc:playouts=30", Game(RULES), int(bot_seeds[game]))
        assert move_of(int(actions[game]), RULES) == bot.decide(games.view(game)).move
    assert actions[2] == 9


@pytest.mark.parametrize(
    ("player", "message"),
    [
        ({0: "random"}, "'random' in game 0 is not a bot: make_bot makes one"),
        ({3: make("random", Game(RULES), 1)}, "game 3 is not a whole number from 0 to 2"),
        (
            {1: make("random", Game(Rules(size=4, komi=0.5)), 1)},
            "random in game 1 was made for other rules, of 4x4 with komi 0.5",
        ),
    ],
)
def test_only_bots_of_these_games_are_asked(player, message):
    with pytest.raises(BadText, match=message):
        Games(RULES, 3).ask(player)


@pytest.mark.parametrize(
    ("spec", "komi"),
    [
        ("random", 2.5),
        ("flatmc:playouts=20,resign=10", 2.5),
        ("phantom:playouts=30,book=none", 2.5),
        ("phantom:playouts=30", 4.5),
        ("phantom:playouts=30,book=rates5", 7.5),
        ("book:steps5,symmetry=off", 2.5),
    ],
)
def test_a_bot_asked_in_many_games_attempts_what_it_attempts_in_one(spec, komi, monkeypatch):
    """The lines of books turn the board, and in half of the games a pass may win."""
    rules, number, random = Rules(size=5, komi=komi), 2 * TOGETHER, np.random.default_rng(8)
    games, bot_seeds = Games(rules, number, autoreset=True), np.arange(number) + 100
    together, often = [], np.linspace(-0.5, 0.5, number)

    def asked_together(bot, *arrays):
        together.append(len(arrays[0]))
        return ask(bot, *arrays)

    monkeypatch.setattr(vector, "ask", asked_together)
    for step in range(60):
        legal = games.see()[1]
        if step % 6 == 5:
            asked = random.random(number) < 0.8
            actions = games.play(spec, asked, bot_seeds)
            for game in range(number):
                bot = make(spec, Game(rules), int(bot_seeds[game]))
                move = max(PASS, bot.decide(games.view(game)).move) if asked[game] else PASS
                assert move_of(int(actions[game]), rules) == move
        actions = np.array([random.choice(np.flatnonzero(row)) for row in legal])
        passes = random.random(number) < often
        games.step(np.where(passes, rules.size**2, actions))
    assert sum(together) > number


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_a_hundred_thousand_attempts_are_the_referees(profile):
    """On each board from 2x2 to 19x19 by each profile: what is seen and told, refused and won."""
    for size in range(2, 20):
        rules, random, made = Rules.profile(profile, size=size), np.random.default_rng(size), 0
        games, referee = Games(rules, 1, autoreset=True), Referee(rules)
        while made < 100_000 // 18 // len(PROFILES) + 1:
            seen, legal = games.observe()
            view = referee.view(referee.to_move)
            assert (seen[0] == planes(view).transpose(2, 0, 1)).all()
            assert (legal[0] == attempts(view)).all()
            actions = random.choice(np.flatnonzero(legal[0]), 1)
            answers = games.step(actions)
            answer = referee.attempt(referee.to_move, move_of(int(actions[0]), rules))
            assert answers.refused[0] == isinstance(answer, Refused)
            over = answers.terminated[0] or answers.truncated[0]
            assert over == (referee.outcome is not None)
            if over:
                assert answers.rewards[0].tolist() == returns(referee)
                referee = Referee(rules)
            made += 1


def test_a_view_of_a_game_that_outgrows_its_room():
    rules = Rules(size=7)
    games, referee = Games(rules, 1), Referee(rules)
    for point in [*range(48)] * 2:
        games.step(np.array([point]))
        referee.attempt(referee.to_move, point)
    assert len(referee.log) > ROOM
    assert games.view(0, BLACK) == referee.view(BLACK)
    assert games.view(0, WHITE) == referee.view(WHITE)


WRONG = (
    ([0, 0], "actions of type list is not a NumPy array"),
    (np.zeros(3, int), r"actions of shape \(3,\) is not of shape \(2,\)"),
    (np.zeros((2, 1), int), r"actions of shape \(2, 1\) is not of shape \(2,\)"),
    (np.zeros(2), "actions of dtype float64 are not integers"),
    (np.zeros(2, bool), "actions of dtype bool are not integers"),
    (np.array([0, None]), "actions of dtype object are not integers"),
    (np.array([0, 10]), "game 1: action 10 is not a whole number from 0 to 9"),
    (np.array([-1, 0], np.int8), "game 0: action -1 is not a whole number from 0 to 9"),
    (np.array([1 << 63, 0], np.uint64), f"game 0: action {1 << 63} is not a whole number from 0"),
)


@pytest.mark.parametrize(("actions", "said"), WRONG)
def test_wrong_actions_are_one_sentence_and_no_attempt(actions, said):
    games = Games(RULES, 2)
    before = games.observe()
    with pytest.raises(BadText, match=f"^{said}[^\n]*$"):
        games.step(actions)
    assert games.to_move.tolist() == [0, 0]
    for one, other in zip(before, games.observe(), strict=True):
        assert (one == other).all()


def test_other_wrong_values_are_one_sentence():
    games = Games(RULES, 2)
    endless = Rules(ko="positional", max_moves=10**6)
    for call, said in (
        (lambda: games.begin([True, True]), "which of type list is not a NumPy array"),  # type: ignore[arg-type]
        (lambda: games.begin(np.ones(50, bool)), r"which of shape \(50,\) is not of shape \(2,\)"),
        (lambda: games.begin(np.ones(2, int)), "which of dtype int64 is not of dtype bool"),
        (lambda: games.view(2), "game 2 is not a whole number from 0 to 1"),
        (lambda: games.view(0, 1), "colour 1 is neither BLACK nor WHITE"),  # type: ignore[arg-type]
        (lambda: Games(RULES, 0), "number 0 is not a whole number from 1 to 65536"),
        (lambda: Games("9x9", 1), "rules '9x9' are not Rules"),  # type: ignore[arg-type]
        (lambda: Games(RULES, 1, autoreset=1), "autoreset 1 is neither True nor False"),  # type: ignore[arg-type]
        (lambda: games.observe(1), "colour 1 is neither BLACK nor WHITE"),  # type: ignore[arg-type]
        (lambda: games.take([0]), r"games \[0\] are not an array of integers, of shape \(m,\)"),  # type: ignore[arg-type]
        (lambda: games.take(np.array([2])), "game 2 is not a whole number from 0 to 1"),
        (lambda: games.put(np.array([-1]), games), "game -1 is not a whole number from 0 to 1"),
        (lambda: games.put(np.array([0]), games), "2 games do not fit 1 numbers"),
        (lambda: games.put(np.array([0]), Games(Rules(), 1)), "the games to put are not Games .*"),
        (lambda: games.worlds(0, number=0, seed=1), "number 0 is not a whole number from 1 to .*"),
        (lambda: games.worlds(0, number=1, seed=-1), "seed -1 is not a whole number from 0 to .*"),
        (lambda: games.play("random", np.ones(2, bool), np.zeros(2)), "seeds of dtype float64 .*"),  # type: ignore[arg-type]
        (lambda: games.play("go", np.ones(2, bool), np.zeros(2, int)), ".*'go'.*"),
        (lambda: Games(endless, 1), "max_moves 1000000 with superko is more than 1444"),
    ):
        with pytest.raises(BadText, match=f"^{said}$"):
            call()


def rollouts(games: Games) -> bytes:
    """The last observations of random games."""
    random = np.random.default_rng(1)
    for _ in range(50):
        _, legal = games.observe()
        games.step((legal * random.random(legal.shape)).argmax(1))
    return b"".join(array.tobytes() for array in games.observe())


def test_threads_play_games_of_their_own():
    expected, found = rollouts(Games(RULES, 50, autoreset=True)), []
    threads = [
        threading.Thread(target=lambda: found.append(rollouts(Games(RULES, 50, autoreset=True))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_goes_on_with_its_games():
    games = Games(RULES, 50, autoreset=True)
    rollouts(games)
    expected = rollouts(games.copy())
    child = os.fork()
    if not child:
        os._exit(0 if rollouts(games) == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert rollouts(games) == expected
