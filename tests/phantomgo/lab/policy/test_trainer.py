"""Training a policy: what is learned from, resumption, and the net in integers."""

import json
import signal

import numpy as np
import pytest

pytest.importorskip("torch", reason="the optional extra that has torch is not installed")

import torch

from bots.belief import presume_refused
from bots.kernels.policy import POLICY_ONE, log_odds
from bots.policies import Policy, read_policy
from bots.policy import policy_input
from phantomgo.errors import Abandoned, BadNet, BadText, Interrupted
from phantomgo.game.rules import Rules
from phantomgo.lab.api.training import train
from phantomgo.lab.policy import net, play, trainer
from phantomgo.lab.policy.play import TRACE, SelfPlay, traced
from phantomgo.lab.policy.trainer import Trainer
from phantomgo.lab.run.progress import Progress

RULES = Rules(size=3, komi=3.5)


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch):
    """A round of a few games, in numbers of 32 bits, and one thread, which adds in one order."""
    monkeypatch.setattr(net, "uses_bfloat16", lambda _: False)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    for place, name, value in (
        (play, "GAMES", 64), (play, "OLD_GAMES", 6), (play, "STEPS", 16), (play, "ADVISED", 6),
        (play, "RIVAL", "flatmc:playouts=50"), (trainer, "UPDATES", 3), (trainer, "BATCH", 32),
    ):  # fmt: skip
        monkeypatch.setattr(place, name, value)
    yield
    torch.set_num_threads(threads)


def test_advantages_are_sums_of_later_surprises():
    """Each player's attempts follow each other, whatever the opponent does in between."""
    values = np.array([[0.5], [0.1], [-0.2], [0.3]], np.float32)
    movers = np.array([[0], [1], [0], [1]])
    rewards = np.array([[np.nan], [np.nan], [np.nan], [-1]], np.float32)
    none = np.zeros(1, np.float32)
    black = [-0.2 - 0.5, -1 - -0.2]
    white = [0.3 - 0.1, 1 - 0.3]
    expected = [
        black[0] + TRACE * black[1], white[0] + TRACE * white[1], black[1], white[1],
    ]  # fmt: skip
    found = traced(values, movers, rewards, none, np.zeros(1, int))
    assert found[:, 0].tolist() == pytest.approx(expected)
    rewards[-1] = np.nan  # the game goes on; White expects 0.4 of it
    found = traced(values, movers, rewards, np.full(1, 0.4, np.float32), np.ones(1, int))
    assert found[-1, 0] == pytest.approx(0.4 - 0.3)
    assert found[-2, 0] == pytest.approx(-0.4 - -0.2)


def test_the_board_is_learned_under_symmetries_and_attempts_are_worth_it():
    weights = net.new_weights(1)
    found = SelfPlay(RULES, 2).play(weights, weights)
    assert found.masks.gather(1, found.actions[:, None]).all()
    with torch.inference_mode():
        logs = net.evaluate(weights, found.planes, found.masks)[0]
    said = logs.gather(1, found.actions[:, None])[:, 0]
    assert np.allclose(said, found.log_probabilities, atol=0.02)
    first = {*found.planes[:, 1].sum(1).tolist()}  # own stones
    assert 0 in first
    assert len(first) > 2


def test_the_rival_plays_the_same_games_and_is_not_learned_from(monkeypatch):
    """Its view of each position is what the stepped games say; it wins against new weights."""
    monkeypatch.setattr(play, "RIVAL_GAMES", 64)
    monkeypatch.setattr(play, "OLD_GAMES", 0)
    weights, games = net.new_weights(1), SelfPlay(RULES, 2, advised=False)
    found = [games.play(weights, weights) for _ in range(4)]
    assert sum(len(each.actions) for each in found) < 0.7 * 4 * 64 * 16
    assert np.mean(games.results["rival"]) < -0.2
    seen = games._games.see()[0]
    for game in games._opponent._single:
        view = games._games.view(game)
        assert (seen[game] == policy_input(view, presume_refused(view))).all()


def test_a_round_more_after_saving_is_the_round_that_would_have_come(tmp_path):
    one, two = Trainer(RULES, 5), Trainer(RULES, 5)
    for each in (one, two):
        each.round()
    two.save(tmp_path / "two.pt")
    three = Trainer(RULES, 5)
    three.resume(tmp_path / "two.pt")
    lessons = [each.round() for each in (one, three)]
    assert lessons[0] == lessons[1]
    assert all((one.average[key] == three.average[key]).all() for key in one.average)
    first = Trainer(RULES, 5).round()
    assert Trainer(RULES, 6).round() != first


@pytest.mark.parametrize("missing", ["terms", "known", "attempts", "rounds", "old", "optimizer"])
def test_a_state_without_one_of_its_parts_is_damaged(tmp_path, missing):
    file = tmp_path / "mine.pt"
    Trainer(RULES, 5).save(file)
    state = torch.load(file, weights_only=True)
    del state[missing]
    torch.save(state, file)
    with pytest.raises(BadNet, match=r"mine.pt is damaged"):
        Trainer(RULES, 5).resume(file)


@pytest.mark.parametrize("content", [b"", b"no state", b"PK\3\4", b"\x80\x04\x8d", b"\x80\2}q\0."])
def test_a_file_of_anything_else_is_damaged(tmp_path, content):
    file = tmp_path / "mine.pt"
    file.write_bytes(content)
    with pytest.raises(BadNet, match=r"mine.pt is damaged"):
        Trainer(RULES, 5).resume(file)


def test_a_truncated_state_is_damaged(tmp_path):
    file = tmp_path / "mine.pt"
    Trainer(RULES, 5).save(file)
    content = file.read_bytes()
    for part in range(8):
        file.write_bytes(content[: part * len(content) // 8 + part])
        with pytest.raises(BadNet, match=r"mine.pt is damaged"):
            Trainer(RULES, 5).start(file)


@pytest.mark.slow
def test_a_policy_learns_to_win(monkeypatch):
    """It beats those it was, as Black and as White."""
    monkeypatch.setattr(play, "OLD_GAMES", 32)
    monkeypatch.setattr(trainer, "UPDATES", 40)
    pupil = Trainer(RULES, 1)
    first = pupil.old
    for _ in range(3):
        pupil.old = first
        lesson = pupil.round()
    assert lesson["old"] > 0.6


def test_the_integers_say_what_the_net_says():
    pupil = Trainer(RULES, 4)
    pupil.round()
    policy = Policy("it", *net.whole_numbers(pupil.average), {})
    found = SelfPlay(RULES, 9).play(pupil.weights, pupil.weights)
    with torch.inference_mode():
        logs = net.evaluate(pupil.average, found.planes, found.masks)[0].numpy()
    for planes, mask, log in zip(found.planes, found.masks.numpy(), logs, strict=True):
        said = log_odds(planes.numpy().astype(np.int64), *policy.parts, policy.shape[2], 3)
        odds = said[mask] / POLICY_ONE
        assert np.abs(odds - np.log(np.exp(odds).sum()) - log[mask]).max() < 0.03


def test_time_ends_the_games_before_an_update():
    """In full they take a minute where the rival searches; the fewest suffice to learn from."""
    lesson = Trainer(RULES, 5).round(lambda _: True)
    assert 0 < lesson["attempts"] <= play.LEAST_STEPS * play.GAMES < play.STEPS * play.GAMES
    assert lesson["entropy"] > 0


def test_a_round_ends_early_where_its_attempts_are_enough():
    pupil, asked = Trainer(RULES, 5), list[int]()

    def enough(attempts):
        asked.append(attempts)
        return len({*asked}) == 3  # none, those of an update, those of two

    assert pupil.round(enough)["attempts"] == pupil.attempts == asked[-1]
    assert pupil.attempts > play.STEPS * play.GAMES // 2
    assert pupil.attempts <= 2 * play.STEPS * play.GAMES
    assert pupil.rounds == 1


def test_train_writes_a_policy_and_goes_on(tmp_path):
    file = tmp_path / "mine.json"
    first = train(file, size=3, komi=3.5, minutes=0.01)
    again = train(file, size=3, komi=3.5, minutes=0.01)
    assert again.learned_from["attempts"] > first.learned_from["attempts"]
    assert read_policy(str(file)).digest == again.digest != first.digest
    curve = [json.loads(line) for line in (tmp_path / "mine.jsonl").read_text().splitlines()]
    assert [lesson["attempts"] for lesson in curve][-1] == again.learned_from["attempts"]
    with pytest.raises(BadNet, match=r"mine.pt is of .*: it has komi=3.5; this one has komi=0.5"):
        train(file, size=3, komi=0.5, minutes=0.01)
    train(tmp_path / "more.json", size=4, start=tmp_path / "mine.pt", minutes=0.01)
    counted = json.loads((tmp_path / "more.jsonl").read_text().splitlines()[0])["attempts"]
    assert counted <= trainer.UPDATES * play.STEPS * play.GAMES  # from 0, by however many rounds
    (tmp_path / "mine.pt").write_bytes(b"no state")
    with pytest.raises(BadNet, match=r"mine.pt is damaged"):
        train(file, size=3, komi=3.5, minutes=0.01)


@pytest.mark.parametrize("device", ["nonsense", "cuda:99"])
def test_a_device_that_is_not_there_is_named(tmp_path, device):
    with pytest.raises(BadText, match=f"device '{device}' cannot be used by PyTorch here"):
        train(tmp_path / "mine.json", size=3, komi=3.5, device=device)


def test_rounds_follow_until_the_attempts_are_enough(tmp_path):
    file, a_round = tmp_path / "mine.json", trainer.UPDATES * play.STEPS * play.GAMES
    found = train(file, size=3, komi=3.5, attempts=1.5 * a_round / trainer.MILLION)
    curve = [json.loads(line) for line in (tmp_path / "mine.jsonl").read_text().splitlines()]
    assert len(curve) == 2
    assert found.learned_from["attempts"] == curve[-1]["attempts"] > a_round


def test_ctrl_c_saves_what_was_learned_and_twice_drops_it(tmp_path, monkeypatch):
    learn, file = Trainer._learn, tmp_path / "mine.json"
    told, progress = list[str](), Progress()
    monkeypatch.setattr(progress, "note", told.append)

    def pressed(times):
        def learned(pupil, played):
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
            return learn(pupil, played)

        monkeypatch.setattr(Trainer, "_learn", learned)

    pressed(1)
    with pytest.raises(Interrupted) as caught:
        train(file, size=3, komi=3.5, progress=progress)
    assert told[0] == "saving what has been learned; Ctrl-C again drops it"
    attempts = caught.value.partial.learned_from["attempts"]
    assert 0 < attempts <= play.STEPS * play.GAMES  # the round ended with this part
    assert caught.value.saved
    pressed(2)
    with pytest.raises(Abandoned):
        train(file, size=3, komi=3.5)
    monkeypatch.undo()
    assert read_policy(str(file)).learned_from["attempts"] == attempts
    assert train(file, size=3, komi=3.5, minutes=0.01).learned_from["attempts"] > attempts


def test_a_policy_may_play_itself_alone(tmp_path, monkeypatch):
    """No game has another player, so none is told of; a tenth is against older policies."""
    told, progress = list[str](), Progress()
    monkeypatch.setattr(progress, "note", told.append)
    train(
        tmp_path / "own.json", size=3, komi=3.5, against=["self"], minutes=0.01, progress=progress
    )
    assert "against older policies, entropy" in told[-1]
    assert "phantom" not in told[-1]


def test_a_regulariser_that_does_not_fade(tmp_path):
    """It is part of what a training is, and the greater it is, the more evenly the policy plays."""
    loose, tight = (Trainer(RULES, 5, regulariser=weight) for weight in (0.0, 5.0))
    for pupil in (loose, tight):
        pupil.round()
    assert tight.round()["entropy"] > loose.round()["entropy"] + 0.2
    file = tmp_path / "mine.json"
    found = train(file, size=3, komi=3.5, regulariser=0.1, minutes=0.01)
    assert found.learned_from["regulariser"] == 0.1
    with pytest.raises(BadNet, match=r"it has a regulariser of 0.1; this one has none of these$"):
        train(file, size=3, komi=3.5, minutes=0.01)
    with pytest.raises(BadText, match="regulariser"):
        train(file, size=3, komi=3.5, regulariser=-1, minutes=0.01)
