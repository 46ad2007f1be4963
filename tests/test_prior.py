"""The net that says where hidden stones probably are: its arithmetic, and what is made of it."""

import importlib.util
import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import make
from bots.belief import believe
from bots.kernels.net import TOP, VALUE, WEIGHT, blank, bounded, evaluate, inside
from bots.prior import LEAST_WEIGHT, PLANES, log_odds, net_from, planes, shipped, weights
from bots.worlds import as_flags
from phantomgo.app.cli import main
from phantomgo.app.prior import positions
from phantomgo.points import BLACK, PASS, WHITE
from phantomgo.referee import Referee
from phantomgo.rules import Rules
from phantomgo.view import View


def naive(board, layers):
    """The net by its definition, with Python's whole numbers."""
    values = inside(board, board_size(board)).astype(object)
    size = values.shape[1]
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


def board_size(board):
    return next(size for size in range(2, 20) if blank(1, size).shape[1] == board.shape[1])


@pytest.mark.parametrize("size", [2, 5, 9, 14, 19])
def test_the_kernel_is_the_net_by_its_definition(size):
    random = np.random.default_rng(size)
    shape = [len(PLANES), 5, 3]
    layers = [
        random.integers(-3000, 3000, (b, 9 * a + 1)).tolist() for a, b in itertools.pairwise(shape)
    ]
    layers.append(random.integers(-3000, 3000, (1, shape[-1] + 1)).tolist())
    board = blank(len(PLANES), size)
    inside(board, size)[:] = random.integers(0, 2 * VALUE, (len(PLANES), size, size))
    inside(board, size)[0] = VALUE
    assert evaluate(board, *net_from(layers), size).tolist() == naive(board, layers)


def test_sums_of_the_shipped_net_stay_within_32_bits():
    net = shipped()
    assert bounded(net.channels.tolist(), net.numbers)


def test_sums_that_may_leave_32_bits_are_noticed():
    net = shipped()
    assert not bounded(net.channels.tolist(), net.numbers * np.int32(10_000))
    assert not bounded(net.channels.tolist(), net.numbers[:-1])


def after(size, *attempts):
    referee = Referee(Rules(size=size))
    for colour, point in attempts:
        referee.attempt(colour, point)
    return referee.view(BLACK)


def test_the_planes_are_what_the_player_knows():
    view = after(3, (BLACK, 4), (WHITE, 0), (BLACK, 0))
    belief = believe(view)
    seen = dict(zip(PLANES, inside(planes(view, belief), 3).tolist(), strict=True))
    assert seen["own"] == [[0, 0, 0], [0, VALUE, 0], [0, 0, 0]]
    assert seen["enemy"] == [[VALUE, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert seen["density"][0][0] == 0
    assert seen["turn"][0][0] == VALUE // 9


def test_the_planes_remember_captures():
    view = after(3, (BLACK, 1), (WHITE, 0), (BLACK, 3), (WHITE, 8), (BLACK, 5), (WHITE, PASS))
    assert view.taken == 1
    seen = dict(zip(PLANES, inside(planes(view, believe(view)), 3).tolist(), strict=True))
    assert seen["taken"] == [[8 * VALUE // 10, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert not np.any(seen["lost"])


def test_even_weights_where_nothing_is_hidden():
    view = View(Rules(size=5), BLACK)
    assert len(weights(view, believe(view))) == 0


@given(size=st.integers(3, 19), seed=st.integers(0, 1000))
def test_weights_are_what_the_kernels_take(size, seed):
    random = np.random.default_rng(seed)
    referee = Referee(Rules(size=size))
    for point in random.permutation(size * size)[: size * size // 2].tolist():
        if referee.outcome is None:
            referee.attempt(referee.to_move, point)
    view = referee.view(BLACK)
    belief = believe(view)
    given_weights = weights(view, belief)
    if len(given_weights):
        where = as_flags(belief.open, size).astype(bool)
        assert given_weights.min() >= LEAST_WEIGHT
        assert given_weights[where].max() == 1 << 16


def test_the_net_has_learned_that_the_middle_comes_first():
    referee = Referee(Rules(size=9))
    for number in range(6):
        referee.attempt(referee.to_move, 9 * (number % 2) * 8 + number)
    view = referee.view(BLACK)
    odds = log_odds(view, believe(view)).reshape(9, 9)
    assert odds[3:6, 3:6].mean() > odds[:, 0].mean() + VALUE // 2


def test_it_says_more_than_an_even_spread_of_games_it_has_not_seen():
    """The log loss of the hidden stones in fresh games between two of our players."""
    even = learned = 0.0
    for seed in (12_340_000, 12_340_002):
        seen, stones = positions(Rules(size=7, komi=3.5), ("phantom:playouts=100",), seed)
        for picture, truth in zip(seen, stones, strict=True):
            is_open = picture[PLANES.index("open")] > 0
            density = picture[PLANES.index("density")][0, 0] / VALUE
            board = blank(len(PLANES), 7)
            inside(board, 7)[:] = picture
            odds = evaluate(board, *shipped(), 7).reshape(7, 7)[is_open] / VALUE
            even += loss(np.full(odds.shape, density), truth[is_open])
            learned += loss(1 / (1 + np.exp(-odds)), truth[is_open])
    assert learned < 0.9 * even


def loss(chances, truth):
    chances = np.clip(chances, 1e-3, 1 - 1e-3)
    return -(np.log(np.where(truth, chances, 1 - chances))).sum()


def test_phantom_plays_the_same_with_the_same_seed_and_differently_without_the_net():
    view = after(7, (BLACK, 24), (WHITE, 17), (BLACK, 31), (WHITE, 16), (BLACK, 10), (WHITE, 9))
    attempts = {
        spec: [make(spec, seed).propose(view) for seed in range(12)]
        for spec in ("phantom:playouts=60", "phantom:playouts=60,prior=0")
    }
    assert attempts["phantom:playouts=60"] != attempts["phantom:playouts=60,prior=0"]


def test_positions_are_kept_and_not_played_again(tmp_path):
    words = ["prior", "--bots", "flatmc:playouts=5", "random", "--boards", "3:0.5:21", "5:2.5:2"]
    words += ["--positions", str(tmp_path), "--jobs", "1"]
    assert main(words) == 0
    files = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert len(files) == 3
    assert main(words) == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == files


@pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="training needs PyTorch, the extra `train`"
)
def test_training_writes_a_net(tmp_path, capsys):
    words = ["prior", "--bots", "random", "--boards", "3:0.5:200", "--jobs", "1", "--steps", "3"]
    words += ["--positions", str(tmp_path), "--channels", "2", "--layers", "1"]
    assert main([*words, "--out", str(tmp_path / "net.json")]) == 0
    made = json.loads((tmp_path / "net.json").read_text())
    assert len(net_from(made["layers"]).numbers) == 2 * (9 * len(PLANES) + 1) + 3
    assert made["learned_from"]["bots"] == ["random"]
    assert "3x3: even" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--boards", "9:5.5"], "'9:5.5' is not SIZE:KOMI:GAMES"),
        (["--boards", "9:5.5:0"], "'0' is not a whole number from 1 on"),
        (["--boards", "5:2.5:1", "--bots", "gtp:gnugo"], "'gtp:gnugo': only our own bots play"),
    ],
)
def test_wrong_words_are_named(tmp_path, capsys, words, complaint):
    try:
        code = main(["prior", "--bots", "random", "--positions", str(tmp_path), *words])
    except SystemExit as left:
        code = left.code
    assert code == 2
    assert complaint in capsys.readouterr().err
