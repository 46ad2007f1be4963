"""The terms of a judge: nothing changes while they weigh nothing; then each adds what it says."""

import numpy as np
import pytest

import bots
from bots.features import JUDGED
from bots.kernels.net import VALUE, evaluate
from bots.nets import Net, read_net
from bots.phantom import Phantom
from phantomgo.errors import BadText
from phantomgo.lab.teaching.terms import NAMES, TERMS, tuned, with_terms

JUDGE = read_net("judge2", None)


@pytest.fixture(scope="module")
def bot():
    made = bots.make("phantom:net=stones1,judge=judge2,trust=300", 0)
    assert isinstance(made, Phantom)
    return made


def seen(size):
    """Planes as a judge may see them, by name."""
    drawn = np.random.default_rng(size).integers(0, 2 * VALUE, (len(JUDGED), size, size))
    drawn[0] = VALUE
    return dict(zip(JUDGED, drawn, strict=True))


def says(net, planes):
    size = len(planes["board"])
    seen = np.array([*planes.values()], np.uint32).reshape(len(JUDGED), -1)
    return evaluate(seen, net.channels, net.pairs, size).reshape(size, size)


def beside(values, row, column, steps=((0, 1), (1, 0), (0, -1), (-1, 0))):
    """The values of the neighbours that are on the board."""
    places = [(row + up, column + across) for up, across in steps]
    return [values[p] for p in places if min(p) >= 0 and max(p) < len(values)]


def meant(name, planes, row, column):
    """The size of a term at a point, 1 where a plane is VALUE."""
    last = len(planes["board"]) - 1
    if name == "first line":
        return sum(at in (0, last) for at in (row, column))
    if name == "second line":
        on_the_first = 0 in (row, column) or last in (row, column)
        return 0 if on_the_first else sum(at in (1, last - 1) for at in (row, column))
    if name == "believed":
        return planes["odds"][row, column] / VALUE
    words = {"recent": "placed", "believed": "odds"}
    plane = words.get(name.split()[-1], name.split()[-1])
    corners = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    more = (corners,) if name.startswith("diagonal") else ()
    return sum(beside(planes[plane], row, column, *more)) / 4 / VALUE


@pytest.mark.parametrize("size", [5, 9, 13])
def test_a_judge_whose_terms_weigh_nothing_says_what_it_said(size):
    wider = Net.of("wider", with_terms(JUDGE.layers), planes=JUDGED)
    assert (says(wider, seen(size)) == says(JUDGE, seen(size))).all()


@pytest.mark.parametrize("name", TERMS)
def test_each_term_adds_its_weight_times_what_it_is(bot, name):
    planes, weights = seen(7), [0.0] * len(NAMES)
    weights[NAMES.index(name)] = 2.0
    _, judge = tuned(bot, JUDGE, weights)
    more = (says(judge, planes) - says(JUDGE, planes)) / (32 * VALUE)
    for row in range(7):
        for column in range(7):
            expected = 2.0 * TERMS[name].unit * meant(name, planes, row, column)
            assert more[row, column] == pytest.approx(expected, abs=2 / (32 * VALUE))


def test_a_judge_with_terms_keeps_its_channels_and_their_weights_add_up(bot):
    once, twice = ([0.0] * len(NAMES) for _ in range(2))
    once[-1], twice[-1] = 2.0, 5.0
    _, judge = tuned(bot, JUDGE, once)
    for weights, total in ((once, 4.0), (twice, 7.0)):
        _, moved = tuned(bot, judge, weights)
        *_, expected = tuned(bot, JUDGE, [*weights[:-1], total])
        assert moved.layers[:-1] == judge.layers[:-1]
        assert np.abs(np.subtract(moved.layers[-1], expected.layers[-1])).max() <= 1


def test_the_gain_multiplies_what_the_judge_says(bot):
    weights = [0.0] * len(NAMES)
    weights[NAMES.index("gain")] = 5.0
    _, judge = tuned(bot, JUDGE, weights)
    said = says(JUDGE, seen(9))
    assert np.abs(says(judge, seen(9)) - np.exp(1.0) * said).max() <= 0.01 * np.abs(said).max() + 3


def test_parameters_of_the_spec_are_multiplied(bot):
    changed, _ = tuned(bot, JUDGE, [4.0, -4.0, 4.0, *[0.0] * (len(NAMES) - 3)])
    assert (changed.amaf, changed.trust, changed.narrow) == (544, 110, 11)
    same, _ = tuned(bot, JUDGE, [0.0] * len(NAMES))
    assert same == bot


def test_a_judge_with_one_convolution_has_no_room_for_terms(bot):
    small = Net.of("small", [[[0] * (9 * len(JUDGED) + 1)], [[0, 0]]], planes=JUDGED)
    with pytest.raises(BadText, match="a single convolution"):
        tuned(bot, small, [0.0] * len(NAMES))
