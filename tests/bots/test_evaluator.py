"""The candidate evaluator: its input, and what its estimates count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import make
from bots.belief import candidates, presume_refused
from bots.evaluator import estimated_shares, evaluator_input, prior_visits
from bots.features import EVALUATOR_PLANES, PLANES
from bots.kernels.evaluator import ALL, SCALE
from bots.kernels.net import ONE
from bots.nets import DEFAULT, Net, log_odds, read_net
from bots.phantom import Phantom
from bots.worlds import UNIFORM, Statistics, as_array
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, WHITE, parse_move
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from tests.support.nets import net_text
from tests.support.strategies import played, profiles, seeds

GAME = Game(Rules())

STONES = read_net(DEFAULT)


def evaluator(weights: dict[str, int], bias: int = 0) -> Net:
    """An evaluator that adds up the planes with these weights at each point, and a bias."""
    middle = [[0] * (9 * len(EVALUATOR_PLANES)) + [0]]
    middle[0][-1] = 1024 * ONE * bias
    for plane, weight in weights.items():
        middle[0][9 * EVALUATOR_PLANES.index(plane) + 4] = 1024 * weight
    return Net.of("made", [middle, [[1024, 0]]], planes=EVALUATOR_PLANES)


def first_round(view, playouts=60):
    """The candidates of a view and an even deal over them."""
    points = as_array(candidates(view), view.rules.size)
    stats = Statistics(len(points), view.rules.size**2)
    worlds = Phantom(GAME, 0, net="stones1").worlds_of(view, presume_refused(view))
    count = len(points) * max(1, playouts // len(points))
    worlds.play_out(points, np.arange(len(points)), count, 7, 0, stats)
    return points, stats


def test_the_planes_show_the_view_and_the_first_round():
    """Black has played E5, then C3; D4 was refused in between."""
    referee = Referee(Rules(size=5, komi=2.5))
    for text in ["E5", "D4", "D4", "C3", "A1"]:
        referee.attempt(referee.to_move, parse_move(text, 5))
    view = referee.view(BLACK)
    points, stats = first_round(view, 200)
    seen = dict(
        zip(
            EVALUATOR_PLANES,
            evaluator_input(view, points, stats, log_odds(view, STONES)).reshape(-1, 5, 5).tolist(),
            strict=True,
        )
    )
    plain = dict(
        zip(
            PLANES,
            evaluator_input(view, points, stats, UNIFORM).reshape(-1, 5, 5).tolist(),
            strict=False,
        )
    )
    assert all(seen[name] == plain[name] for name in PLANES)
    placed = np.zeros((5, 5), int)
    placed[4, 4], placed[2, 2] = 8 * ONE // 9, ONE
    assert seen["placed"] == placed.tolist()
    is_candidate = np.isin(np.arange(25), points).reshape(5, 5)
    assert seen["candidate"] == (ONE * is_candidate).tolist()
    mean = stats.wins.sum() / stats.visits.sum()
    assert seen["mean"] == [[int(ONE * mean)] * 5] * 5
    share, amaf = np.full((2, 25), 2.0)
    share[points] = 2 + 8 * (stats.wins / stats.visits - mean)
    met = stats.amaf_visits > 0
    amaf[met] = 2 + 16 * (stats.amaf_wins[met] / stats.amaf_visits[met] - mean)
    for name, expected, where in (("share", share, is_candidate.ravel()), ("amaf", amaf, met)):
        told = np.array(seen[name]).ravel() / ONE
        assert np.all(told[~where] == 0)
        assert np.abs(told - np.clip(expected, 0, 4))[where].max() < 2 / ONE
    visits = ONE * stats.visits[0] // (stats.visits[0] + 32)  # as many of each candidate
    assert (np.array(seen["visits"]) == visits * is_candidate).all()
    amaf_visits = ONE * stats.amaf_visits // stats.visits.sum()
    assert np.array(seen["amaf_visits"]).ravel().tolist() == amaf_visits.tolist()
    odds = np.clip(log_odds(view, STONES) + 8 * ONE, 0, 16 * ONE) // 8
    assert np.array(seen["odds"]).ravel().tolist() == (
        np.where(np.array(plain["open"]).ravel() > 0, odds, 0).tolist()
    )


@given(size=st.integers(2, 9), seed=seeds, count=st.integers(0, 80), profile=profiles)
def test_no_plane_leaves_its_range(size, seed, count, profile):
    view = played(size, seed, count, profile).view(WHITE)
    if not candidates(view):
        return
    points, stats = first_round(view)
    seen = evaluator_input(view, points, stats, log_odds(view, STONES))
    assert seen.shape[0] == len(EVALUATOR_PLANES)
    assert seen.max() <= 4 * ONE


def test_an_estimate_counts_as_playouts_of_each_candidate():
    view = played(5, 3, 6).view(BLACK)
    points, stats = first_round(view)
    shares = estimated_shares(view, points, stats, evaluator({"candidate": 1}), UNIFORM)
    mean = stats.wins.sum() / stats.visits.sum()
    assert np.abs(shares / ALL - (mean + 1 / SCALE)).max() < 2 / ALL
    before = prior_visits(shares, stats)
    assert np.all(before[0] == 1024 + stats.visits)
    assert np.abs(before[1] / before[0] - shares / ALL).max() < 1 / 1024
    assert not before[2].any()
    stats.counts[0] += 100
    assert np.all(prior_visits(shares, stats)[0] == before[0] + 100)
    fixed = prior_visits(shares, stats, trust=300)
    assert np.all(fixed[0] == 300)
    assert np.abs(fixed[1] / 300 - shares / ALL).max() < 1 / 300


def test_a_net_of_one_kind_is_not_taken_for_the_other(tmp_path):
    file = tmp_path / "made.json"
    file.write_text(net_text("made", evaluator({}).layers, EVALUATOR_PLANES))
    with pytest.raises(BadText, match="predicts candidates, not hidden stones"):
        make(f"phantom:net={file}", GAME, 0)
    with pytest.raises(BadText, match="net stones1 predicts hidden stones, not candidates"):
        make("phantom:net=stones1,judge=stones1", GAME, 0)
