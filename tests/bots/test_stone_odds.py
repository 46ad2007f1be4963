"""The net that says where hidden stones probably are: its arithmetic, and what is made of it."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.belief import presume_refused
from bots.features import PLANES, net_input
from bots.kernels.net import FULL_ODDS, ONE, TOP, WEIGHT, bounded, evaluate
from bots.nets import DEFAULT, Net, log_odds, read_net
from bots.phantom import Phantom
from bots.worlds import as_flags
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, PASS, WHITE
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules

GAME = Game(Rules())

SHIPPED = read_net(DEFAULT)


def naive(seen, layers, size):
    """The net by its definition, with Python's whole numbers."""
    values = seen.reshape(-1, size, size).astype(object)
    for layer in layers[:-1]:
        edged = np.pad(values, ((0, 0), (1, 1), (1, 1)))
        result = []
        for *kernel, bias in layer:
            total = np.full((size, size), bias + WEIGHT // 2, object)
            for i, number in enumerate(kernel):
                row, column = i % 9 // 3, i % 3
                total = total + edged[i // 9, row : row + size, column : column + size] * number
            result.append(np.clip(total // WEIGHT, 0, TOP))
        values = np.array(result)
    *kernel, bias = layers[-1][0]
    last = sum(v * number for v, number in zip(values, kernel, strict=True))
    return ((last + bias + WEIGHT // 2) // WEIGHT).ravel().tolist()


@pytest.mark.parametrize("size", [2, 3, 5, 8, 9, 14, 19])
@pytest.mark.parametrize("hidden", [(5, 3), (9, 17, 8), (16, 1)])
def test_the_kernel_is_the_net_by_its_definition(size, hidden):
    random = np.random.default_rng(size)
    shape = [len(PLANES), *hidden]
    layers = [
        random.integers(-3000, 3000, (b, 9 * a + 1)).tolist() for a, b in itertools.pairwise(shape)
    ]
    layers.append(random.integers(-3000, 3000, (1, shape[-1] + 1)).tolist())
    seen = random.integers(0, 2 * ONE, (len(PLANES), size * size), np.uint32)
    net = Net.of("made", layers)
    assert evaluate(seen, net.channels, net.pairs, size).tolist() == naive(seen, layers, size)


def test_sums_that_may_leave_32_bits_are_noticed():
    shape = SHIPPED.channels.tolist()
    numbers = np.concatenate([np.array(layer, np.int32).ravel() for layer in SHIPPED.layers])
    assert bounded(shape, numbers)
    assert not bounded(shape, numbers * np.int32(10_000))
    assert not bounded(shape, numbers[:-1])


@pytest.mark.parametrize(
    ("kernel", "fits"),
    [
        ([8191] * 4, True),  # weights that are summed up to four at a time, or doubled twice
        ([8192, 0, 0, 0], False),
        ([-8191, 0, 0, 0], True),
        ([-8193, 0, 0, 0], False),
    ],
)
def test_transformed_weights_that_leave_16_bits_are_noticed(kernel, fits):
    corners = [kernel[0], 0, kernel[1], 0, 0, 0, kernel[2], 0, kernel[3]]
    numbers = np.array([*corners, 0, 0, 0], np.int32)
    assert bounded([1, 1], numbers) is fits


def test_sums_whose_fourfold_leaves_32_bits_are_noticed():
    most = (1 << 29) // TOP
    for inputs, fits in ((most // 7000, True), (most // 7000 + 1, False)):
        numbers = np.array(inputs * [0, 0, 0, 0, 7000, 0, 0, 0, 0] + [0, 0, 0], np.int32)
        assert bounded([inputs, 1], numbers) is fits


def after(size, *attempts):
    referee = Referee(Rules(size=size))
    for colour, point in attempts:
        referee.attempt(colour, point)
    return referee.view(BLACK)


def test_the_planes_are_what_the_player_knows():
    view = after(3, (BLACK, 4), (WHITE, 0), (BLACK, 0))
    seen = dict(zip(PLANES, net_input(view).reshape(-1, 3, 3).tolist(), strict=True))
    assert seen["own"] == [[0, 0, 0], [0, ONE, 0], [0, 0, 0]]
    assert seen["enemy"] == [[ONE, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert seen["density"][0][0] == 0
    assert seen["turn"][0][0] == ONE // 9


def test_the_planes_remember_captures():
    view = after(3, (BLACK, 1), (WHITE, 0), (BLACK, 3), (WHITE, 8), (BLACK, 5), (WHITE, PASS))
    assert view.taken == 1
    seen = dict(zip(PLANES, net_input(view).reshape(-1, 3, 3).tolist(), strict=True))
    assert seen["taken"] == [[8 * ONE // 10, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert not np.any(seen["lost"])


def test_the_planes_remember_refusals():
    played = [(BLACK, 10), (WHITE, 5), (BLACK, 11), (WHITE, 1), (BLACK, 0), (BLACK, 24), (WHITE, 6)]
    view = after(5, *played)
    assert [refusal.point for refusal in view.refused] == [0]  # a stone, or an eye
    seen = dict(zip(PLANES, net_input(view).reshape(-1, 5, 5).tolist(), strict=True))
    assert seen["refused"][0] == [8 * ONE // 9, 0, 0, 0, 0]
    assert seen["open"][0][0] == ONE
    assert not np.any(seen["enemy"])


@given(size=st.integers(3, 19), seed=st.integers(0, 1000))
def test_odds_are_what_the_kernels_take(size, seed):
    random = np.random.default_rng(seed)
    referee = Referee(Rules(size=size))
    for point in random.permutation(size * size)[: size * size // 2].tolist():
        if referee.outcome is None:
            referee.attempt(referee.to_move, point)
    view = referee.view(BLACK)
    odds = Phantom(GAME, 1, net="stones1").worlds_of(view, presume_refused(view)).odds
    if len(odds):
        where = as_flags(view.unknown, size).astype(bool)
        assert odds.min() >= 1
        assert odds[where].max() == FULL_ODDS
        said = np.clip(log_odds(view, SHIPPED), -8 * ONE, 8 * ONE)[where]
        below_best = said - said.max()
        expected = np.exp(below_best / ONE)  # the whole range: nothing is lifted to a floor
        assert np.allclose(odds[where] / FULL_ODDS, expected, rtol=0.01, atol=2e-5)
