"""Best responses: against a search without pruning, against OpenSpiel, and as they are played."""

from collections import defaultdict
from functools import partial

import pytest

import bots
from phantomgo.lab.exact.phantom import Situation
from phantomgo.lab.exact.response import Member, best_response, pure, won
from phantomgo.lab.games.players import decided, make_player
from phantomgo.lab.games.table import make_game
from phantomgo.points import BLACK, RESIGN, WHITE
from phantomgo.rules import PROFILES, Rules

try:
    import pyspiel
except ModuleNotFoundError:
    pyspiel = None
needs = pytest.mark.skipif(
    pyspiel is None, reason="OpenSpiel is not installed (pip install '.[games]')"
)


def bot(spec, seed):
    made, known = bots.make(spec, seed), {}

    def decide(position):
        if position.known not in known:
            known[position.known] = made.propose(position.view)
        return known[position.known]

    return decide


def portfolio(spec, *weights):
    return [Member(weight, pure(bot(spec, seed))) for seed, weight in enumerate(weights)]


def only(policy):
    """The move of a player who never mixes."""
    return lambda position: next(iter(policy(position)))


def naive(games, colour):
    """A responder wins so much of like games (weight, policy, position); all moves are tried."""
    gained, groups, games = 0.0, defaultdict(list), list(games)
    while games:
        weight, policy, position = games.pop()
        if position.result is not None:
            gained += weight * won(position.result, colour)
        elif position.mover is colour:
            groups[position.known].append((weight, policy, position))
        else:
            for move, chance in policy(position).items():
                games.append((weight * chance, policy, position.after(move)))
    for group in groups.values():
        _, _, any_position = group[0]
        after = ([(w, d, p.after(move)) for w, d, p in group] for move in any_position.moves)
        gained += max(naive(games, colour) for games in after)
    return gained


def play(start, black, white):
    position = start
    while position.result is None:
        move = (black if position.mover is BLACK else white)(position)
        if move == RESIGN or not position.allows(move):
            return "W+" if position.mover is BLACK else "B+"
        position = position.after(move)
    return position.result


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_pruning_changes_no_value(profile, colour):
    rules = Rules.profile(profile, size=2, komi=0.5)
    start = Situation.start(rules.with_text("max_moves", "5"))
    members = portfolio("random", 0.4, 0.3, 0.2, 0.1)
    games = [(member.weight, member.policy, start) for member in members]
    found = best_response(start, colour, members)
    assert found.rate == pytest.approx(naive(games, colour))


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_players_may_mix_at_every_decision(colour):
    start = Situation.start(Rules(size=2, komi=0.5).with_text("max_moves", "4"))

    def mixing(position):
        chances = {move: 1.0 + place for place, move in enumerate(position.moves)}
        return {move: chance / sum(chances.values()) for move, chance in chances.items()}

    members = [Member(0.75, mixing), *portfolio("random", 0.25)]
    found = best_response(start, colour, members)
    games = [(member.weight, member.policy, start) for member in members]
    assert 0 < found.rate < 1
    assert found.rate == pytest.approx(naive(games, colour))


@pytest.mark.parametrize(("size", "colour"), [(2, BLACK), (3, WHITE)])
def test_a_strategy_wins_what_it_is_said_to(size, colour):
    start = Situation.start(Rules(size=size, komi=0.5))
    members = portfolio("random", *[1 / 4] * 4)
    found = best_response(start, colour, members)
    rate = 0.0
    for weight, policy in members:
        decide = only(policy)
        pair = (found.decide, decide) if colour is BLACK else (decide, found.decide)
        rate += weight * won(play(start, *pair), colour)
    assert rate == pytest.approx(found.rate)
    for seed in range(4, 8):
        pairs = ([bot("random", seed), only(m.policy)] for m in members)
        results = (play(start, *(pair if colour is BLACK else pair[::-1])) for pair in pairs)
        assert sum(won(result, colour) for result in results) / 4 <= found.rate + 1e-9


def test_who_resigns_has_lost_and_who_has_no_weight_is_not_asked():
    start = Situation.start(Rules(size=3, komi=9))
    resigns = Member(0.25, pure(lambda _: RESIGN))
    sits = Member(0.75, pure(lambda position: position.moves[-1]))

    def never(_):
        raise AssertionError

    members = [resigns, Member(0, never), sits]
    assert best_response(start, BLACK, members).rate == pytest.approx(0.25)  # a draw is White's
    assert best_response(start, WHITE, members).rate == 1


@needs
@pytest.mark.parametrize(
    "text", ["dark_hex(num_rows=2,num_cols=2)", "dark_hex(num_rows=2,num_cols=3)"]
)
def test_openspiel_finds_the_same(text):
    from open_spiel.python.algorithms.best_response import BestResponsePolicy
    from open_spiel.python.policy import Policy

    made, theirs = make_game(f"openspiel:{text}"), pyspiel.load_game(text)
    player = make_player("random", made)

    class Seeded(Policy):
        def __init__(self, seed):
            super().__init__(theirs, [0, 1])
            self.seed = seed

        def action_probabilities(self, state, player_id=None):
            del player_id
            here = made.start(0)
            for action in state.history():
                here = here.after(action)
            return {decided(made, player, self.seed, here): 1.0}

    for seed in range(4):
        for colour in (BLACK, WHITE):
            policy = BestResponsePolicy(theirs, colour - BLACK, Seeded(seed))
            value = policy.value(theirs.new_initial_state())
            members = [Member(1, pure(partial(decided, made, player, seed)))]
            found = best_response(made.start(0), colour, members)
            assert found.rate == pytest.approx((value + 1) / 2)


@needs
def test_phantom_tic_tac_toe_merges_what_continues_alike(monkeypatch):
    """The same value without merging; and far more than that is left out."""
    from phantomgo.lab.games import openspiel

    def found():
        game = make_game("openspiel:phantom_ttt")
        player = make_player("random", game)
        members = [Member(0.25, pure(partial(decided, game, player, seed))) for seed in range(4)]
        return best_response(game.start(0), WHITE, members)

    merged = found()
    monkeypatch.setattr(openspiel, "BOARDS", ())
    assert found().rate == merged.rate
    assert found().groups > merged.groups
