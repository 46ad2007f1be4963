"""The judge of candidates: what it sees, what its word counts, and how it is taught."""

import importlib.util

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import make
from bots.belief import candidates, presume_refused
from bots.features import JUDGED, PLANES
from bots.judge import judged, sight, word
from bots.kernels.judge import ALL, SCALE, WEIGHT
from bots.kernels.net import VALUE, evaluate
from bots.nets import DEFAULT, NEWEST, Net, loads, log_odds, read_net
from bots.phantom import Phantom
from bots.worlds import UNIFORM, Tally, as_array
from phantomgo.app.cli import main
from phantomgo.errors import BadText
from phantomgo.lab.teaching.lessons import (
    NOT_ASKED,
    NOT_LEGAL,
    UNIT,
    Lessons,
    lessons,
    lessons_in,
    positions_of,
)
from phantomgo.points import BLACK, WHITE, Colour, parse_move
from phantomgo.record_json import read_record
from phantomgo.referee import Referee
from phantomgo.rules import Reason, Rules
from tests.support.strategies import played, profiles, seeds

STONES = read_net(DEFAULT)


def judge(weights: dict[str, int], bias: int = 0) -> Net:
    """A judge that says of each point so many times what planes show there, and something more."""
    middle = [[0] * (9 * len(JUDGED)) + [0]]
    middle[0][-1] = 1024 * VALUE * bias
    for plane, weight in weights.items():
        middle[0][9 * JUDGED.index(plane) + 4] = 1024 * weight
    return Net.of("made", [middle, [[1024, 0]]], planes=JUDGED)


def first_round(view, playouts=60):
    """The candidates of a view and an even deal over them."""
    points = as_array(candidates(view), view.rules.size)
    tally = Tally(len(points), view.rules.size**2)
    worlds = Phantom(0, net="stones1").worlds_of(view, presume_refused(view))
    count = len(points) * max(1, playouts // len(points))
    worlds.play_out(points, np.arange(len(points)), count, 7, 0, tally)
    return points, tally


def test_what_it_sees_is_the_view_and_the_first_round():
    """Black has played E5, then C3; D4 was refused in between."""
    referee = Referee(Rules(size=5, komi=2.5))
    for text in ["E5", "D4", "D4", "C3", "A1"]:
        referee.attempt(referee.to_move, parse_move(text, 5))
    view = referee.view(BLACK)
    points, tally = first_round(view, 200)
    seen = dict(
        zip(
            JUDGED,
            sight(view, points, tally, log_odds(view, STONES)).reshape(-1, 5, 5).tolist(),
            strict=True,
        )
    )
    plain = dict(
        zip(PLANES, sight(view, points, tally, UNIFORM).reshape(-1, 5, 5).tolist(), strict=False)
    )
    assert all(seen[name] == plain[name] for name in PLANES)
    placed = np.zeros((5, 5), int)
    placed[4, 4], placed[2, 2] = 8 * VALUE // 9, VALUE
    assert seen["placed"] == placed.tolist()
    is_candidate = np.isin(np.arange(25), points).reshape(5, 5)
    assert seen["candidate"] == (VALUE * is_candidate).tolist()
    mean = tally.wins.sum() / tally.visits.sum()
    assert seen["mean"] == [[int(VALUE * mean)] * 5] * 5
    share, amaf = np.full((2, 25), 2.0)
    share[points] = 2 + 8 * (tally.wins / tally.visits - mean)
    met = tally.amaf_visits > 0
    amaf[met] = 2 + 16 * (tally.amaf_wins[met] / tally.amaf_visits[met] - mean)
    for name, expected, where in (("share", share, is_candidate.ravel()), ("amaf", amaf, met)):
        told = np.array(seen[name]).ravel() / VALUE
        assert np.all(told[~where] == 0)
        assert np.abs(told - np.clip(expected, 0, 4))[where].max() < 2 / VALUE
    opened = np.array(plain["open"]).ravel() > 0
    assert np.all(np.array(seen["odds"]).ravel()[~opened] == 0)
    likely = parse_move("D4", 5)  # refused: nowhere is a stone as likely
    assert np.argmax(np.array(seen["odds"])) == likely or view.located >> likely & 1


@given(size=st.integers(2, 9), seed=seeds, count=st.integers(0, 80), profile=profiles)
def test_no_plane_leaves_its_range(size, seed, count, profile):
    view = played(size, seed, count, profile).view(WHITE)
    if not candidates(view):
        return
    points, tally = first_round(view)
    seen = sight(view, points, tally, log_odds(view, STONES))
    assert seen.shape[0] == len(JUDGED)
    assert seen.max() <= 4 * VALUE


def test_its_word_counts_as_playouts_of_a_candidates_own():
    view = played(5, 3, 6).view(BLACK)
    points, tally = first_round(view)
    shares = judged(view, points, tally, judge({"candidate": 1}), UNIFORM)
    mean = tally.wins.sum() / tally.visits.sum()
    assert np.abs(shares / ALL - (mean + 1 / SCALE)).max() < 2 / ALL
    before = word(shares, tally)
    assert np.all(before[0] == WEIGHT + tally.visits)
    assert np.abs(before[1] / before[0] - shares / ALL).max() < 1 / WEIGHT
    assert not before[2].any()
    tally.counts[0] += 100
    assert np.all(word(shares, tally)[0] == before[0] + 100)
    fixed = word(shares, tally, trust=300)
    assert np.all(fixed[0] == 300)
    assert np.abs(fixed[1] / 300 - shares / ALL).max() < 1 / 300


def test_who_listens_to_it_plays_otherwise(tmp_path):
    """It favours what all moves as first find bad."""
    made = judge({"amaf": -4}, bias=16)
    file = tmp_path / "made.json"
    file.write_text(made.dumps())
    spec = "phantom:playouts=60,net=stones1"
    bot, deaf = make(f"{spec},judge={file}", 5), make(spec, 5)
    assert bot.name == f"{spec},judge={file}"
    assert make(bot.name, 5) == bot
    assert bot.data() == {"net": STONES.digest, "judge": made.digest}
    assert deaf.data() == {"net": STONES.digest}
    views = [played(7, seed, 8).view(BLACK) for seed in range(4)]
    assert [bot.decide(view).move for view in views] != [deaf.decide(view).move for view in views]
    assert bot.decide(views[0]).move == make(bot.name, 5).decide(views[0]).move


def test_a_word_that_weighs_nearly_nothing_changes_nothing(tmp_path):
    made = judge({"amaf": -4}, bias=16)
    file = tmp_path / "made.json"
    file.write_text(made.dumps())
    views = [played(7, seed, 8).view(BLACK) for seed in range(4)]
    hard, slight, deaf = (
        [make(f"phantom:playouts=3000,net=stones1{more}", 5).decide(view).move for view in views]
        for more in (f",judge={file}", f",judge={file},trust=1", "")
    )
    assert slight == deaf != hard


def test_a_net_of_one_kind_is_not_taken_for_the_other(tmp_path):
    file = tmp_path / "made.json"
    file.write_text(judge({}).dumps())
    with pytest.raises(BadText, match="predicts candidates, not hidden stones"):
        make(f"phantom:net={file}", 0)
    with pytest.raises(BadText, match="net stones1 predicts hidden stones, not candidates"):
        make("phantom:net=stones1,judge=stones1", 0)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Lessons of games on the smallest boards."""
    file = tmp_path_factory.mktemp("judge") / "lessons.db"
    words = ["train", "lessons", "--black", "flatmc:playouts=9", "--white", "random", "--size", "3"]
    words += ["--komi", "0.5", "--store", str(file)]
    assert main([*words, "--games", "4"]) == 0
    assert main([*words, "--games", "12"]) == 0  # goes on
    return file


def test_lessons_are_asked_where_there_is_a_choice(store):
    texts = list(lessons_in(str(store)))
    assert len(texts) == 12
    for text in texts[:4]:
        first, second = text.split("\n")
        record, made = read_record(first), Lessons.read(second)
        again = lessons(record, Phantom(0, net=NEWEST))
        for one, other in zip(made, again, strict=True):
            assert np.array_equal(np.asarray(one), np.asarray(other))
        referee = record.begin()
        for number, step in enumerate(record.steps):
            if number in made.step:
                i = made.step.tolist().index(number)
                check_lesson(referee, step.colour, made.first[i], made.told[i])
            referee.attempt(step.colour, step.move)


def check_lesson(referee: Referee, colour: Colour, first, told):
    """One lesson beside the true board."""
    view = referee.view(colour)
    points = as_array(candidates(view), view.rules.size)
    assert np.flatnonzero(first[0]).tolist() == points.tolist()
    assert len(set(first[0, points].tolist())) == 1  # evenly
    assert np.all(first[1::2] <= first[::2])
    legal = told != NOT_LEGAL
    assert legal[points].sum() >= 2
    for point in range(len(told)):
        answer = referee.board.play(colour, point)
        assert not (legal[point] and isinstance(answer, Reason))
        assert legal[point] or isinstance(answer, Reason) or point not in points
    assert 0 <= told[legal].min() <= told[legal].max() <= UNIT


def test_what_is_taught_is_how_much_better_a_legal_candidate_is(store):
    text = next(iter(lessons_in(str(store))))
    made = Lessons.read(text.split("\n")[1])
    game, (planes, better) = positions_of(text)
    assert (game.size, game.players) == (3, ("flatmc:playouts=9", "random"))
    assert planes.shape == (len(made.step), len(JUDGED), 3, 3)
    for seen, told, first, value in zip(planes, better, made.first, made.told, strict=True):
        asked = told.ravel() != NOT_ASKED
        assert np.array_equal(asked, (first[0] > 0) & (value != NOT_LEGAL))
        assert np.array_equal(seen[JUDGED.index("candidate")].ravel() > 0, first[0] > 0)
        assert abs(told.ravel()[asked].mean()) <= 1
        gaps = np.diff(told.ravel()[asked].astype(int)) - np.diff(value[asked].astype(int))
        assert np.abs(gaps).max(initial=0) <= 1


def test_other_stores_and_texts_are_no_lessons(store, tmp_path):
    words = ["match", "--black", "random", "--white", "random", "--size", "3", "--games", "2"]
    assert main([*words, "--store", str(tmp_path / "games.db")]) == 0
    with pytest.raises(BadText, match=r"games\.db is a store of match, not of lessons"):
        next(lessons_in(str(tmp_path / "games.db")))
    for text in (
        "",
        "AAAA",
        "?",
        Lessons.read(next(lessons_in(str(store))).split("\n")[1]).text[9:],
    ):
        with pytest.raises(BadText, match="not lessons"):
            Lessons.read(text)


@pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="training needs PyTorch, the extra `train`"
)
def test_a_judge_is_taught_and_plays(store, tmp_path, capsys):
    out = tmp_path / "judge.json"
    words = [
        "--steps",
        "3",
        "--channels",
        "5",
        "--layers",
        "2",
        "--out",
        str(out),
    ]
    assert main(["train", "net", "judge", str(store), *words]) == 0
    assert "3x3: even" in capsys.readouterr().out
    made = loads(out.read_text())
    assert (made.planes, made.learned_from["steps"]) == (JUDGED, 3)
    view = played(5, 1, 4).view(BLACK)
    assert make(f"phantom:playouts=50,net=stones1,judge={out}", 1).decide(view).move in range(25)


@pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="training needs PyTorch, the extra `train`"
)
def test_a_net_learns_on_from_what_it_is(store, tmp_path, capsys):
    from phantomgo.lab.teaching.training import Stack

    assert Stack.of(read_net("judge2", None)).rounded() == read_net("judge2", None).layers
    out = tmp_path / "judge.json"
    words = ["--steps", "2", "--out", str(out)]
    assert main(["train", "net", "judge", str(store), "--begin", "judge2", *words]) == 0
    made = loads(out.read_text())
    assert made.learned_from["began_as"] == read_net("judge2", None).digest
    assert made.channels.tolist() == read_net("judge2", None).channels.tolist()
    for wrong, why in (
        (["judge", "--begin", "stones1"], "net stones1 cannot be fine-tuned"),
        (["judge", "--begin", "judge2", "--layers", "2"], "has its channels and layers already"),
        (["stones", "--net", "stones1"], "a belief net is for a judge"),
    ):
        assert main(["train", "net", wrong[0], str(store), *wrong[1:], *words]) == 2
        assert why in capsys.readouterr().err


@pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="training needs PyTorch, the extra `train`"
)
def test_a_net_says_in_whole_numbers_what_it_was_taught(store):
    """Within what rounding each layer's values to 1 / VALUE may do."""
    import torch

    from phantomgo.lab.teaching.training import Stack

    torch.manual_seed(3)
    stack = Stack(len(JUDGED), [6, 5])
    net = Net.of("made", stack.rounded(), planes=JUDGED)
    _, (planes, _) = positions_of(next(iter(lessons_in(str(store)))))
    said = stack(torch.from_numpy(planes).float()).detach().numpy()
    for i, picture in enumerate(planes):
        seen = picture.reshape(len(JUDGED), -1).astype(np.uint32)
        whole = evaluate(seen, net.channels, net.pairs, 3) / VALUE
        assert np.abs(whole - said[i].ravel()).max() < 3 / VALUE
