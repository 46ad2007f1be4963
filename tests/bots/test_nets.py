"""Nets by name: two in one process, and files that are not to be trusted."""

import json

import pytest
from hypothesis import given

from bots import make
from bots.features import PLANES
from bots.nets import DEFAULT, KIND, LIBRARY, MAX_CHANNELS, loads, log_odds, read_net
from phantomgo.errors import BadNet, BadText
from phantomgo.game.beginning import Game
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK
from phantomgo.game.rules import Rules
from tests.support.nets import net_text
from tests.support.strategies import json_values, played

GAME = Game(Rules())

ONE = [[1] * (9 * len(PLANES)) + [0]]
"""A layer of one output."""
SMALL = [ONE, [[5, 0]]]


def text(**changes) -> str:
    """The file of a small net, with some of its fields changed."""
    return net_text("small", SMALL, **changes)


def test_the_bundled_nets_are_good():
    assert DEFAULT in LIBRARY.names()
    for name in LIBRARY.names():
        assert LIBRARY.read(name).digest == read_net(name, None).digest


def test_two_nets_meet(tmp_path):
    """The other one holds that stones stand where none is expected."""
    shipped = read_net(DEFAULT)
    *layers, ((*last, bias),) = shipped.layers
    file = tmp_path / "other.json"
    layers = [*layers, [[-number for number in last] + [-bias]]]
    file.write_text(net_text("other", layers))
    other = read_net(str(file))
    view = played(7, 3, 20).view(BLACK)
    assert log_odds(view, other).argmax() != log_odds(view, shipped).argmax()
    one, two = (make(f"phantom:playouts=60,net={net}", GAME, 3) for net in (DEFAULT, file))
    assert one.name == "phantom:playouts=60,net=stones1"
    assert two.name == f"phantom:playouts=60,net={file}"
    assert make(two.name, GAME, 3) == two
    assert one.data() == {"net": shipped.digest}
    assert two.data() == {"net": other.digest}
    none = make("phantom:net=none", GAME, 3)
    assert none.data() == make("flatmc", GAME, 3).data() == {}
    assert none.stone_probabilities(view) != one.stone_probabilities(view)
    rules = Rules(size=5, komi=2.5)
    assert play_game(rules, one, two).attempts != play_game(rules, two, one).attempts
    assert one.stone_probabilities(view) != two.stone_probabilities(view)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"format": 1}, "format: 1 is not 2"),
        ({"name": "a/b"}, "name: 'a/b' does not match"),
        ({"name": None}, "name: is missing"),
        ({"more": 1}, "more: is not a field of a net"),
        ({"digest": "0" * 16}, "digest: 0000000000000000 is not that of its layers"),
        ({"learned_from": []}, "learned_from: a list is not an object"),
        ({"planes": ["own"]}, "planes: are not board, own, enemy"),
        ({"planes": [1]}, "planes: 1 is not text"),
        ({"layers": {}}, "layers: an object is not a list"),
        ({"layers": []}, "layers: there are 0, not 2 to 32"),
        ({"layers": [ONE * (MAX_CHANNELS + 1), [[5, 0]]]}, "layers[0]: is not a list of 1 to 256"),
        ({"layers": [ONE, [[5, 0], [5, 0]]]}, "layers[1]: is not a list of 1 to 1 outputs"),
        ({"layers": [[ONE[0][1:]], [[5, 0]]]}, "layers[0]: an output is not a list of 91 numbers"),
        ({"layers": [ONE, [[5, 0, 1]]]}, "layers[1]: an output is not a list of 2 numbers"),
        ({"layers": [ONE, [[5, 0.5]]]}, "layers[1]: not all numbers are whole"),
        ({"layers": [ONE, [[5, True]]]}, "layers[1]: not all numbers are whole"),
        ({"layers": [ONE, [[5, 2**31]]]}, "layers[1]: not all numbers are whole"),
        ({"layers": [ONE, [[5, 2**31 - 1]]]}, "the weights are too large"),
        ({"layers": [ONE, [[40_000, 0]]]}, "the weights are too large"),
        ({"layers": [[[30_000] * 90 + [0]], [[5, 0]]]}, "the weights are too large"),
        ({"layers": [ONE * 256, [[30_000] * 256 + [0]]]}, "the weights are too large"),
    ],
)
def test_a_bad_file_is_refused_by_field(changes, complaint):
    with pytest.raises(BadNet) as refused:
        loads(text(**changes))
    assert complaint in str(refused.value)


@given(value=json_values)
def test_any_json_is_read_or_refused(value):
    for changed in (json.dumps(value), text(layers=value), text(layers=[value, value])):
        with pytest.raises(KIND.error):
            loads(changed)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("phantom:net=nobody", "no net 'nobody'; there are judge2, judge3, judge4"),
        ("phantom:net=no/such.json", "there is no net no/such.json"),
        ("phantom:net=", "phantom net= is not a net's name, a .json file, none or best"),
        ("phantom:retry=0", "phantom retry=0 is not one of on, off"),
    ],
)
def test_specs_with_a_wrong_net_or_old_words(spec, complaint):
    with pytest.raises(BadText) as refused:
        make(spec, GAME, 0)
    assert complaint in str(refused.value)


def test_an_error_names_the_file_of_a_bad_net(tmp_path):
    file = tmp_path / "huge.json"
    file.write_text(" " * (5 << 20))
    with pytest.raises(BadNet, match=r"huge\.json: longer than"):
        read_net(str(file))
    (tmp_path / "other.json").write_text(text())
    assert read_net(str(tmp_path / "other.json")).name == "small"
