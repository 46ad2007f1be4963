"""Policy gradient: what a choice says of the weights, and that steps lead to what wins."""

import dataclasses

import numpy as np
import pytest

import bots
from bots.features import JUDGED
from bots.kernels.net import VALUE, WEIGHT, evaluate
from bots.nets import Net, read_net, write_net
from bots.phantom import Phantom
from phantomgo.game import play_game
from phantomgo.lab.teaching import gradient
from phantomgo.lab.teaching.gradient import (
    KL,
    Choice,
    Explored,
    Explorer,
    Gradient,
    Scores,
    activations,
    natural,
)
from phantomgo.lab.teaching.outcomes import Meeting
from phantomgo.match.schedule import Schedule
from phantomgo.points import BLACK
from phantomgo.rules import Rules
from phantomgo.view import View

BOT = "phantom:net=stones1,judge=judge1,trust=300,playouts=60"
RULES = Rules.profile("olympiad", size=5, komi=2.5)
JUDGE = read_net("judge1", None)


@pytest.fixture(scope="module")
def teacher():
    bot = bots.make(BOT, 0)
    assert isinstance(bot, Phantom)
    return Gradient(bot)


def choices(rows):
    """Choices with these scores."""
    return [Choice(0, 0.0, row, np.outer(row, row)) for row in rows]


def with_last(judge, last, folder):
    """The file of a judge with another last sum."""
    net = Net.of("changed", [*judge.layers[:-1], [last]], planes=JUDGED)
    write_net(net, folder / "changed.json")
    read_net.cache_clear()
    return str(folder / "changed.json")


@pytest.mark.parametrize("size", [5, 9])
def test_the_last_sum_is_of_the_activations(size):
    drawn = np.random.default_rng(1).integers(0, 2 * VALUE, (len(JUDGED), size, size), np.uint32)
    *weights, bias = JUDGE.layers[-1][0]
    sums = np.array(weights) @ activations(JUDGE, drawn) + bias
    said = evaluate(drawn.reshape(len(JUDGED), -1), JUDGE.channels, JUDGE.pairs, size)
    assert ((sums + WEIGHT // 2) // WEIGHT == said).all()


def test_without_heat_an_explorer_plays_as_phantom_does(monkeypatch):
    monkeypatch.setattr(gradient, "HEAT", 1e-9)
    explorer, other = Explorer.of(BOT, 7, 5), bots.make(BOT, 8)
    record = play_game(RULES, explorer, other)
    usual = play_game(RULES, bots.make(BOT, 7), other)
    tied = [number for number, choice in enumerate(explorer.chosen) if choice.log_chance < 0]
    alike = 2 * min([*tied, len(explorer.chosen)])  # those of both sides until values are equal
    assert alike > 10
    assert record.attempts[:alike] == usual.attempts[:alike]


def test_the_score_is_the_slope_of_the_logarithm_of_the_chance(tmp_path):
    view, last = View(RULES, BLACK), JUDGE.layers[-1][0]
    wide = dataclasses.replace(Explorer.of(BOT, 3, 5), narrow=1000)  # one round: all are drawn from

    def choice(weights):
        bot = dataclasses.replace(wide, judge=with_last(JUDGE, weights, tmp_path), chosen=[])
        bot.propose(view)
        return bot.chosen[0]

    here = choice(last)
    checked = 0
    for channel in np.argsort(-np.abs(here.score))[:6].tolist():
        logs = []
        for step in (-600, 600):
            moved = [*last]
            moved[channel] += step
            there = choice(moved)
            logs.append(there.log_chance if there.point == here.point else None)
        if None not in logs:
            slope = (logs[1] - logs[0]) / (1200 / WEIGHT)
            assert slope == pytest.approx(here.score[channel], rel=0.25, abs=0.05)
            checked += 1
    assert checked


def test_scores_are_kept_in_text():
    rows = np.random.default_rng(2).normal(size=(30, 4))
    scores = Scores.of(choices(rows), 4)
    again = Scores.read(scores.text, 4)
    assert again.number == 30
    np.testing.assert_allclose(again.total, rows.sum(axis=0), rtol=1e-5)
    np.testing.assert_allclose(again.fisher, rows.T @ rows, rtol=1e-5)
    assert Scores.read(Scores.of([], 4).text, 4).number == 0


def test_a_step_has_its_divergence_and_goes_uphill():
    rows = np.random.default_rng(3).normal(size=(500, 5)) * [1, 2, 0.5, 1, 1]
    slope = np.array([1.0, 1, 1, 0, -1])
    step = natural(slope, rows.T @ rows, len(rows))
    assert step @ slope > 0
    assert np.mean((rows @ step) ** 2) / 2 == pytest.approx(KL, rel=0.1)
    assert not natural(np.zeros(5), rows.T @ rows, len(rows)).any()


def test_what_was_chosen_in_won_games_becomes_likelier(teacher):
    """Of games that differ in one weight alone, those with more of it are won."""
    number = len(teacher.start)
    random = np.random.default_rng(4)
    results = []
    for game in range(60):
        rows = random.normal(size=(20, number))
        won = int(rows[:, 3].sum() > 0)
        results.append(f"{won} {'bw'[game % 2]} {Scores.of(choices(rows), number).text}")
    moved = np.array(teacher.moved(teacher.start, 1, results)) - teacher.start
    assert int(np.abs(moved).argmax()) == 3
    assert moved[3] > 0


def test_the_games_are_against_itself_and_a_pool(teacher):
    player, others = teacher.meeting(teacher.start, 1)
    assert others[::2] == (player,) * 3
    old, newer, flat = [other.spec for other in others[1::2]]
    assert old == bots.make(BOT, 0).name
    assert (newer, flat) == ("phantom:playouts=60,net=stones1", "flatmc:playouts=60")
    schedule = Schedule(2, 12, 1)
    games = [(2, number) for number in range(4)]
    results = Explored(player, others, RULES, schedule, (), {}).play(games)
    colours = [result.text.split()[1] for result in results]
    assert colours == ["b", "w", "b", "w"]
    for result in results:
        scores = Scores.read(result.text.split()[2], len(teacher.start))
        assert scores.number > 3
    again = Explored(player, others, RULES, schedule, (), {}).play(games[::-1])
    assert again == results[::-1]
    assert issubclass(teacher.contest, Meeting)


def test_the_player_of_the_start_says_what_the_judge_says(teacher):
    judge = teacher.player(teacher.start).judge
    seen = np.random.default_rng(5).integers(0, VALUE, (len(JUDGED), 25), np.uint32)
    said = [evaluate(seen, net.channels, net.pairs, 5) for net in (judge, JUDGE)]
    assert (said[0] == said[1]).all()
    assert len(teacher.names) == len(teacher.start)
