"""Training a policy of views by games against itself."""

import json
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import bots
from bots.bot import BotBySeed
from bots.policies import LIBRARY, Policy
from phantomgo.errors import BadText, Interrupted
from phantomgo.files import output_file, write_atomically
from phantomgo.game.beginning import Game
from phantomgo.interrupts import presses
from phantomgo.lab.admission import Named, game_of, spec_of
from phantomgo.lab.api.learning import MAX_MINUTES
from phantomgo.lab.players.ready import get_ready
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.rng import checked_seed
from phantomgo.values import checked_number
from phantomgo.version import __version__

SELF: Final = "self"
"""The name of the policy's own play among its opponents."""
MAX_ATTEMPTS: Final = 1_000_000
"""The most million attempts of a training."""
MAX_REGULARISER: Final = 10.0


def train(
    out: str | Path,
    *,
    size: int,
    komi: float | None = None,
    rules: str = "olympiad",
    start: str | Path | None = None,
    against: Sequence[Named] = (),
    regulariser: float | None = None,
    minutes: float = 60.0,
    attempts: float | None = None,
    seed: int = 0,
    device: str = "cpu",
    progress: Progress = SILENT,
) -> Policy:
    """Train a policy network for the bot `policy`, mainly by self-play.

    The state of the training is stored next to the policy, in NAME.pt, and its curve in
    NAME.jsonl, with a line per round of about a million attempts.

    Args:
        out: write the policy to this file, NAME.json; an earlier training (NAME.pt) is continued.
        size: points per side.
        komi: points for White (default: about even on this board, if known).
        rules: rules profile, which sets the announcements.
        minutes: time limit; what has been learned by then is saved.
        attempts: stop after this many million attempts, if that is sooner.
        against: learn to beat these players, each in an equal share of the games: bots, books, and
            `self`, its own play, latest and older. Without `self` it learns a best response.
        regulariser: weight of the entropy that the policy is rewarded for, and of its distance to
            the mean of its latest states (default: 0.2 at first, fading with the square root of
            the attempts; against fixed opponents alone 0.01). A constant weight keeps the policy
            from becoming deterministic, however long it learns.
        start: begin with the network of another training, on any board: its NAME.pt.
        seed: seed from which all others are derived.
        device: PyTorch's name of the device, `cpu` or `cuda`.
        progress: receives reports.

    Raises:
        BadText: a name or number is not one, or PyTorch cannot use the device.
        BadNet: the file to continue from is damaged, or of another training.
        BadRules: there are no such rules.
        MissingExtra: PyTorch is not installed.
        Interrupted: by Ctrl-C; what has been learned by then is saved, which takes some seconds.
        Abandoned: by a second Ctrl-C; what was learned since the last report is lost.
        OSError: a file cannot be written.
    """
    file = output_file("policy", out)
    checked_number("minutes", minutes, 0.01, MAX_MINUTES)
    most = MAX_ATTEMPTS if attempts is None else attempts
    checked_number("attempts", most, 0.001, MAX_ATTEMPTS)
    game = game_of(rules, size, komi, progress=progress)
    checked_seed(seed)
    if regulariser is not None:
        checked_number("regulariser", regulariser, 0, MAX_REGULARISER)
    from phantomgo.lab.policy.net import whole_numbers  # noqa: PLC0415  (an extra)
    from phantomgo.lab.policy.play import RIVAL  # noqa: PLC0415
    from phantomgo.lab.policy.trainer import MILLION, Trainer, check_device  # noqa: PLC0415

    check_device(device)
    specs = [spec_of(one) for one in against]
    others = " ".join(spec for spec in specs if spec != SELF) if specs else RIVAL
    trainer = Trainer(game.rules, seed, device, _pool(specs, game), " ".join(specs), regulariser)
    state, curve = file.with_suffix(".pt"), file.with_suffix(".jsonl")
    lines = _lines_of_curve(curve)
    if state.exists():
        trainer.resume(state)
        unread = "" if start is None else ", and start is not read"
        done = trainer.attempts / MILLION
        progress.note(f"{state} resumes from {done:.1f} million attempts{unread}")
    elif start is not None:
        trainer.start(Path(start))
    lines = lines[: trainer.rounds]
    origin = {"size": size, "komi": game.rules.komi, "rules": rules, "seed": seed}
    origin |= {"against": " ".join(specs)} if specs else {}
    origin |= {} if regulariser is None else {"regulariser": regulariser}
    found: Policy | None = None
    ends = time.monotonic() + 60 * minutes
    stage = progress.timed("learning", 60 * minutes)
    finishing = partial(progress.note, "saving what has been learned; Ctrl-C again drops it")
    with stage as advance, presses(finishing) as pressed:

        def enough(learned: int) -> bool:
            advance(0)
            return pressed() > 0 or learned >= most * MILLION or time.monotonic() >= ends

        while found is None or not enough(trainer.attempts):
            lesson = trainer.round(enough)
            lines.append(json.dumps(lesson))
            origin |= {"attempts": trainer.attempts, "version": __version__}
            found = Policy(file.stem, *whole_numbers(trainer.average), dict(origin))
            # before the state, which says its length
            write_atomically(curve, "\n".join(lines) + "\n")
            trainer.save(state)
            LIBRARY.write(found, file)
            progress.note(
                f"{trainer.attempts / MILLION:.1f} million attempts,"
                f" won {_won(lesson, specs, others)}, entropy {lesson['entropy']:.2f}"
            )
        if pressed():
            raise Interrupted(found, saved=True)
    return found


def _lines_of_curve(file: Path) -> list[str]:
    """The lines of a training's curve; none if there is no such file."""
    if not file.exists():
        return []
    lines = file.read_text("utf-8", "replace").splitlines()
    if not lines or '"entropy"' not in lines[0]:
        raise BadText(f"{file} holds no rounds of a training: move it away, or name another file")
    return lines


def _won(lesson: Mapping[str, float], specs: Sequence[str], others: str) -> str:
    """The win rates of a round in words: against older policies, and against the other players."""
    rates = {"older policies": lesson["old"]} if SELF in specs or not specs else {}
    if others:
        rates[others] = lesson["rival"]
    return ", ".join(f"{rate:.0%} against {who}" for who, rate in rates.items())


def _pool(specs: Sequence[str], game: Game) -> list[BotBySeed | None]:
    """Functions that make each opponent in the game of a seed; None for the policy itself."""
    pool: list[BotBySeed | None] = []
    for spec in specs:
        if spec != SELF:
            get_ready(spec, game)
        pool.append(None if spec == SELF else partial(bots.make, spec, game))
    return pool
