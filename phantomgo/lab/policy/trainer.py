"""Proximal policy optimization by self-play, with a moving reference.

Sources: Schulman et al., Proximal policy optimization algorithms (2017); the pull towards an
average of the latest policies and towards uniform play, both fading, is the magnet of Sokota et
al., A unified approach to reinforcement learning, quantal response equilibria and two-player
zero-sum games (2023) and the regularised self-play of Perolat et al., Mastering the game of
Stratego with model-free multiagent reinforcement learning (2022). That the policy learns from the
most surprising quarter of its attempts is from Ataraxos (arXiv 2511.07312, 2025).
"""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from phantomgo.errors import BadNet, BadText
from phantomgo.files import write_atomically
from phantomgo.game.rules import Rules
from phantomgo.lab.policy.net import Tensor, Weights, evaluate, new_weights
from phantomgo.lab.policy.play import Pool, SelfPlay, Trajectories

UPDATES: Final = 32
"""Updates of the policy in a round. The games go on between them, and end with the round."""
SHARE: Final = 0.25
"""The share of the attempts that the policy learns from, the most surprising ones; the value learns
from as many that are drawn evenly."""
BATCH: Final = 512
"""Attempts of each kind in one step of the optimizer."""
RATE: Final = 1e-3
"""The learning rate at the beginning."""
CLIP: Final = 0.2
"""The change of an attempt's probability, as a ratio minus 1, from which on no more is rewarded."""
PULL: Final = 0.2
"""The weight of the regulariser at the beginning."""
LOOSE: Final = 0.01
"""The weight of the regulariser against fixed opponents; a larger one prevents exploiting them."""
LEAD: Final = 2.0
"""The weight of the rival's advice at the beginning."""
FADED: Final = 0.01
"""The weight of advice below which the rival is not asked for it."""
FADING: Final = 4.0
"""Millions of attempts in which a factor falls from 1 to a half. The weight of the regulariser
falls with its square root, the weight of advice with its square."""
KNOWN: Final = 0.25
"""The share of another training's attempts that count as made if a training starts from it."""
NORM: Final = 0.5
"""The norm to which a larger gradient is scaled."""
AVERAGE: Final = 0.999
"""The share of the average of the weights that a step leaves."""
OLD: Final = 8
"""The number of older policies that are kept as opponents."""
MILLION: Final = 1_000_000


class Trainer:
    """Trains a policy. On one machine the result depends only on the arguments and the rounds.

    Without opponents it trains by self-play; else it learns a best response to the opponents, one
    of whom may be the policy itself.

    Attributes:
        attempts: how many it has learned from.
        rounds: how many it has played.
        weights: the policy that plays and learns.
        average: the moving average of `weights`, which becomes the trained policy.
        old: some of the averages at the ends of rounds; each was as likely to be kept as any other.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int = 0,
        device: str = "cpu",
        against: Pool = (),
        name: str = "",
        regulariser: float | None = None,
    ) -> None:
        """Begin with new weights.

        Args:
            rules: the rules of the games.
            seed: the seed from which all others are derived.
            device: PyTorch's name of the device.
            against: the opponents; none to learn by self-play.
            name: the opponents' names.
            regulariser: the weight of the regulariser; None for one that fades.
        """
        self._rules = rules
        self._seed = seed
        self._device = device
        self._against = against
        self._regulariser = regulariser
        self._terms = f"{rules} with seed {seed}" + (f" against {name}" if against else "")
        self._terms += "" if regulariser is None else f" with a regulariser of {regulariser:g}"
        self._known = 0.0
        self.attempts = self.rounds = 0
        made = new_weights(seed)
        self.weights = {k: w.to(device).clone().requires_grad_() for k, w in made.items()}
        self.average = {k: w.to(device) for k, w in made.items()}
        self.old = [_half(self.average)]
        self._optimizer = torch.optim.Adam(self.weights.values(), lr=RATE)

    def save(self, file: Path) -> None:
        """Write the state, whole or not at all."""
        state = {
            "terms": self._terms,
            "known": self._known,
            "attempts": self.attempts,
            "rounds": self.rounds,
            "weights": {key: weight.detach() for key, weight in self.weights.items()},
            "average": self.average,
            "old": self.old,
            "optimizer": self._optimizer.state_dict(),
        }
        content = BytesIO()
        torch.save(state, content)
        write_atomically(file, content.getvalue())

    def resume(self, file: Path) -> None:
        """Continue the training that was saved in a file.

        Raises:
            BadNet: the file is damaged, or of a training with other arguments.
        """
        terms = self._load(file)
        if terms != self._terms:
            there, here = _parts(terms), _parts(self._terms)
            theirs, ours = (
                ", ".join(part for part in one if part not in other) or "none of these"
                for one, other in ((there, here), (here, there))
            )
            raise BadNet(f"{file} is of another training: it has {theirs}; this one has {ours}")

    def start(self, file: Path) -> None:
        """Start from the state of another training, on any board.

        Raises:
            BadNet: the file is damaged.
        """
        self._load(file)
        self._known, self.attempts, self.rounds = KNOWN * self.attempts / MILLION, 0, 0
        self.old = self.old[-1:]

    def begin(self, weights: Weights) -> None:
        """Start from the weights of a net, without the state of its training."""
        with torch.no_grad():
            for key, weight in self.weights.items():
                weight.copy_(weights[key])
                self.average[key].copy_(weights[key])

    def _load(self, file: Path) -> str:
        """Take over a saved state; returns the terms of its training."""
        content = BytesIO(file.read_bytes())
        try:
            state: dict[str, Any] = torch.load(
                content, map_location=self._device, weights_only=True
            )
            self.attempts, self.rounds = state["attempts"], state["rounds"]
            self._known, terms = state["known"], str(state["terms"])
            self.average, self.old = state["average"], state["old"]
            with torch.no_grad():
                for key, weight in self.weights.items():
                    weight.copy_(state["weights"][key])
            self._optimizer.load_state_dict(state["optimizer"])
        except Exception as error:  # whatever PyTorch raises for these bytes
            raise BadNet(f"{file} is damaged, or contains no state of a training") from error
        return terms

    def round(self, enough: Callable[[int], bool] = lambda _: False) -> dict[str, float]:
        """Play and learn for a round, about a million attempts.

        Args:
            enough: whether this number of attempts, of all updates so far, ends the round early;
                asked after each update, and during the games before it.

        Returns:
            `attempts` of all rounds; `games` that ended in this one; the shares of them won by
            Black (`black`), and by the policy against older policies (`old`) and against the rival
            (`rival`); the `entropy` of the policy; the mean squared `error` of the value; and the
            divergence of the policy from its average (`apart`). Entropies are in nats.
        """
        first, second = np.random.SeedSequence([self._seed, self.rounds]).generate_state(2).tolist()
        random = np.random.default_rng(first)
        torch.manual_seed(second)
        advised = self._faded()[1] > FADED
        play = SelfPlay(self._rules, first, self._device, advised=advised, against=self._against)
        reports = []
        for _ in range(UPDATES):
            old = self.old[random.integers(len(self.old))]
            # The attempts of an update count when it is made: only time cuts its games short.
            over = partial(enough, self.attempts)
            found = play.play(self.weights, {k: w.float() for k, w in old.items()}, over)
            self.attempts += len(found.actions)
            reports.append(self._learn(found))
            if enough(self.attempts):
                break
        self.rounds += 1
        place = random.integers(self.rounds + 1)  # each is as likely as any other to stay
        if len(self.old) < OLD:
            self.old.append(_half(self.average))
        elif place < OLD:
            self.old[place] = _half(self.average)
        counts = {"attempts": self.attempts, "games": len(play.results["black"])}
        shares = {k: float(np.mean(got or [0.0])) / 2 + 0.5 for k, got in play.results.items()}
        means = np.mean(reports, axis=0).tolist()
        return counts | shares | dict(zip(("entropy", "error", "apart"), means, strict=True))

    def _faded(self) -> tuple[float, float, float]:
        """The present weights of the regulariser and of advice, and the learning rate."""
        early = self._known + self.attempts / MILLION
        faded = FADING / (FADING + early)
        pull, lead = PULL * faded**0.5, 0.0 if self._against else LEAD * faded**2
        rate = RATE * (3 / (3 + early)) ** 0.5
        if self._against and None not in self._against:
            pull, rate = LOOSE, RATE
        return pull if self._regulariser is None else self._regulariser, lead, rate

    def _learn(self, played: Trajectories) -> list[float]:
        """Learn from attempts; returns `entropy`, `error` and `apart` as in `round`."""
        count = len(played.actions)
        batches = int(count * SHARE) // BATCH
        surprising = torch.topk(played.advantages.abs(), batches * BATCH).indices
        surprising = surprising[torch.randperm(len(surprising), device=self._device)]
        sample = torch.randperm(count, device=self._device)[: batches * BATCH]
        deviation = played.advantages.std() + 1e-6
        played = played._replace(advantages=played.advantages / deviation)
        self._optimizer.param_groups[0]["lr"] = self._faded()[2]
        totals = torch.zeros(3, device=self._device)
        for chosen, sampled in zip(
            surprising.view(batches, BATCH), sample.view(batches, BATCH), strict=True
        ):
            loss, measured = self._loss(played, chosen, sampled)
            self._optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.weights.values(), NORM)
            self._optimizer.step()
            with torch.no_grad():
                for key, mean in self.average.items():
                    mean.lerp_(self.weights[key], 1 - AVERAGE)
            totals += measured
        means: list[float] = (totals / max(batches, 1)).tolist()
        return means

    def _loss(self, played: Trajectories, chosen: Tensor, sampled: Tensor) -> tuple[Tensor, Tensor]:
        """The loss of one step, and `entropy`, `error` and `apart` as in `round`.

        Args:
            played: the attempts, with advantages in units of their standard deviation.
            chosen: the numbers of the attempts that the policy learns from.
            sampled: the numbers of those that the value learns from and the regulariser sees.
        """
        pull, lead, _ = self._faded()
        both = torch.cat([chosen, sampled])
        advised = BATCH // 4 if len(played.advice) else 0  # none in pure self-play
        advice = torch.randint(len(played.advice) or 1, (advised,), device=self._device)
        all_logs, values = evaluate(
            self.weights,
            torch.cat([played.planes[both], played.other_planes[advice]]),
            torch.cat([played.masks[both], played.other_masks[advice]]),
        )
        advised_logs = all_logs[2 * BATCH :].gather(1, played.advice[advice, None])
        advice_loss = -advised_logs.sum() / max(advised, 1)
        chosen_logs = all_logs[:BATCH].gather(1, played.actions[chosen, None])[:, 0]
        ratio = (chosen_logs - played.log_probabilities[chosen]).exp()
        gain = played.advantages[chosen]
        gains = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
        logs = all_logs[BATCH : 2 * BATCH]
        with torch.no_grad():
            average_logs = evaluate(self.average, played.planes[sampled], played.masks[sampled])[0]
        probabilities = logs.exp()
        entropy = -(probabilities * logs).sum(1).mean()
        divergence = (probabilities * (logs - average_logs)).sum(1).mean()
        error = ((values[BATCH : 2 * BATCH] - played.returns[sampled]) ** 2).mean()
        loss = (
            -SHARE * gains.mean() + 0.5 * error + pull * (divergence - entropy) + lead * advice_loss
        )
        return loss, torch.stack([entropy, error, divergence]).detach()


def check_device(device: str) -> None:
    """Check that PyTorch can use a device, given by its name.

    Raises:
        BadText: it cannot.
    """
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:  # no such device; PyTorch built without it
        raise BadText(
            f"device {device!r:.40} cannot be used by PyTorch here, as cpu can"
        ) from error


def _parts(terms: str) -> list[str]:
    """The rules, the seed and the other terms of a training, one by one: `komi=2.5`, `seed 0`."""
    text = terms.removeprefix("Rules(").replace(")", "", 1).replace(" with ", ", ")
    return text.replace(" against ", ", against ").split(", ")


def _half(weights: Weights) -> Weights:
    """A copy in 16-bit floats."""
    return {key: weight.detach().half() for key, weight in weights.items()}
