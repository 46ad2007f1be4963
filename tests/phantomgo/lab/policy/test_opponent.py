"""A fixed opponent plays as its bots do, and a policy learns to beat it."""

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from math import prod

import numpy as np
import pytest

from phantomgo.game.beginning import Game

pytest.importorskip("torch", reason="the optional extra that has torch is not installed")

import torch

import bots
from bots.book import moves_bot
from bots.policies import LIBRARY, Policy, _part_shapes, read_policy
from bots.policy import PolicyBot
from phantomgo.game.points import BLACK, PASS, WHITE
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.lab.api.training import train
from phantomgo.lab.policy import net, play, trainer
from phantomgo.lab.policy.opponent import DrawnPolicy, Opponent, policy_of
from phantomgo.lab.policy.play import SelfPlay
from phantomgo.lab.policy.trainer import Trainer
from phantomgo.lab.vector import Games
from phantomgo.portfolio.book import read_book
from tests.support.move_books import MOVES

RULES = Rules(size=5, komi=2.5)
GAME = Game(RULES)


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_the_weights_of_a_policy_are_those_that_were_written():
    trained = net.new_weights(3)
    policy = Policy("it", *net.whole_numbers(trained), {})
    for key, weight in net.weights_of(policy).items():
        error = (weight - trained[key]).abs()
        assert float(error[:1].max() if key.startswith("outcome") else error.max()) < 1e-3, key


SPECS = ["policy:net=policy5", "book:mixed5", "phantom:playouts=40,book=none"]


@pytest.mark.parametrize("spec", SPECS)
def test_it_attempts_what_its_bots_attempt(spec):
    """If it does not draw them. Nets in floats and in whole numbers nearly never differ."""
    number, random = 24, np.random.default_rng(4)
    games, referees = Games(RULES, number), [Referee(RULES) for _ in range(number)]
    opponent, players = Opponent(partial(bots.make, spec, GAME), RULES, number), []
    for game in range(number):
        colour = WHITE if game % 2 else BLACK
        players.append((colour, bots.make(spec, GAME, game)))
        opponent.begin(game, colour, game)
    same = Counter[bool]()
    for _ in range(24):
        planes, masks = games.see()
        over = games.over
        asked = [
            game for game, (colour, _) in enumerate(players)
            if not over[game] and games.to_move[game] == colour - 1
        ]  # fmt: skip
        answers = opponent.attempts(games, np.array(asked, np.int64), planes, masks)
        proposed = dict(zip(asked, answers.tolist(), strict=True))
        attempts = np.zeros(number, np.int64)
        for game, (referee, (colour, bot)) in enumerate(zip(referees, players, strict=True)):
            if over[game]:
                continue
            view = referee.view(referee.to_move)
            if game in proposed:
                move = bot.decide(view).move
                drawn = policy_of(bot, View(RULES, colour))
                if drawn is None or not drawn.temperature:
                    same[proposed[game] == move % 26] += 1
                attempts[game] = proposed[game]
            else:
                attempts[game] = random.choice(np.flatnonzero(masks[game]))
            point = int(attempts[game])
            referee.attempt(referee.to_move, PASS if point == 25 else point)
        games.step(attempts)
    assert same[True] > 40
    assert same[False] <= 0.02 * same[True]


def test_a_game_has_the_line_that_its_seed_draws():
    book = read_book("mixed5")
    for seed in range(20):
        for colour in (BLACK, WHITE):
            (step,) = book.line(seed, colour)
            drawn = policy_of(bots.make("book:mixed5", GAME, seed), View(RULES, colour))
            bot = bots.make(step.bot, GAME, seed)
            assert isinstance(bot, PolicyBot)
            assert drawn == DrawnPolicy(bot.policy, bot.temperature, book.symmetry(seed, colour))
    assert policy_of(bots.make("book:steps5", GAME, 1), View(RULES, BLACK)) is None


def test_a_book_of_moves_is_played_also_if_its_bot_is_a_policy():
    policy = bots.make("policy:net=policy5", Game(MOVES.setup.rules), 1)
    bot = moves_bot(MOVES, policy, bots.make)
    assert policy_of(bot, View(MOVES.setup.rules, BLACK)) is None


def test_a_policy_of_another_shape_is_asked_as_other_bots_are(tmp_path):
    file, shape = tmp_path / "small.json", (2, 2, 1, 3)
    count = sum(map(prod, _part_shapes(shape)))
    numbers = np.random.default_rng(1).integers(-500, 500, count).astype(np.int32)
    LIBRARY.write(Policy("small", shape, numbers, {}), file)
    games, spec = Games(RULES, 1), f"policy:net={file}"
    opponent = Opponent(partial(bots.make, spec, GAME), RULES, 1)
    opponent.begin(0, BLACK, 1)
    attempts = opponent.attempts(games, np.array([0]), *games.see()).tolist()
    assert attempts == [bots.make(spec, GAME, 1).decide(games.view(0)).move]


def test_a_policy_may_be_in_a_file(tmp_path):
    """Its name is that of no shipped policy, and another file may have it, too."""
    for folder, name in (("one", "policy5"), ("other", "rival5")):
        (tmp_path / folder).mkdir()
        file = tmp_path / folder / "mine.json"
        LIBRARY.write(replace(read_policy(name), name="mine"), file)
        games = Games(RULES, 1)
        attempts = []
        for spec in (f"policy:net={file}", f"policy:net={name}"):
            opponent = Opponent(partial(bots.make, spec, GAME), RULES, 1)
            opponent.begin(0, BLACK, 1)
            attempts.append(opponent.attempts(games, np.array([0]), *games.see()).tolist())
        assert attempts[0] == attempts[1]


def test_it_is_all_that_is_played_and_is_part_of_the_training(tmp_path, monkeypatch):
    for place, name, value in (
        (play, "GAMES", 48), (play, "STEPS", 8), (trainer, "UPDATES", 2), (trainer, "BATCH", 32),
    ):  # fmt: skip
        monkeypatch.setattr(place, name, value)
    file = tmp_path / "best.json"
    policy = train(file, size=5, komi=2.5, against=["book:mixed5"], minutes=0.01)
    assert policy.learned_from["against"] == "book:mixed5"
    lesson = json.loads((tmp_path / "best.jsonl").read_text().splitlines()[0])
    assert lesson["attempts"] < 0.7 * 48 * 8 * 2
    with pytest.raises(Exception, match="of another training"):
        train(file, size=5, komi=2.5, against=["random"], minutes=0.01)
    assert read_policy(str(file)).digest == policy.digest


@pytest.mark.slow
def test_a_response_learns_to_win(monkeypatch):
    """Against a net of random weights, from one of those."""
    monkeypatch.setattr(play, "GAMES", 256)
    monkeypatch.setattr(trainer, "UPDATES", 12)
    rules = Rules(size=3, komi=3.5)
    pupil = Trainer(rules, 1, against=[partial(bots.make, "random", Game(rules))])
    rates = [pupil.round()["rival"] for _ in range(6)]
    assert rates[-1] > rates[0] + 0.1


def test_a_pool_shares_the_games():
    """A third is against itself, a tenth of all against older ones; two bots share the others."""
    asked = list[str]()

    def drawn(spec, seed):
        asked.append(spec)
        return bots.make(spec, GAME, seed)

    pool = [partial(drawn, "random"), None, partial(drawn, "flatmc:playouts=5")]
    games = SelfPlay(RULES, 1, against=pool)
    assert games._rival.sum() == 2 * play.GAMES // 3 == len(asked)
    assert games._old.sum() == play.OLD_GAMES
    assert not (games._old & games._rival).any()
    assert 0.4 < asked.count("random") / len(asked) < 0.6
    assert not games._advised


def test_nobody_else_plays():
    games = SelfPlay(RULES, 1, against=[partial(bots.make, "random", GAME)])
    assert games._rival.all()
    assert not games._old.any()
