"""Proximal policy optimization by self-play, with a moving reference.

Sources: Schulman et al., Proximal policy optimization algorithms (2017); the pull towards an
average of the latest policies and towards uniform play, both fading, is the magnet of Sokota et
al., A unified approach to reinforcement learning, quantal response equilibria and two-player
zero-sum games (2023) and the regularised self-play of Perolat et al., Mastering the game of
Stratego with model-free multiagent reinforcement learning (2022). That the policy learns from the
most surprising quarter of its attempts is from Ataraxos (arXiv 2511.07312, 2025).
"""

import pickle
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from phantomgo.errors import BadNet
from phantomgo.files import write_atomically
from phantomgo.game.rules import Rules
from phantomgo.lab.policy.net import Weights, evaluate, new_weights
from phantomgo.lab.policy.play import Pool, SelfPlay, Trajectories

UPDATES: Final = 32
"""Times of a round that the games stop for learning; then they begin anew."""
SHARE: Final = 0.25
"""The share of attempts that the policy learns from, and of those that the value does."""
BATCH: Final = 512
"""Attempts of either kind for a step of the gradient."""
RATE: Final = 1e-3
CLIP: Final = 0.2
"""The ratio of probabilities, new by old, is pushed no farther than this from 1."""
PULL: Final = 0.2
"""The weight of the regulariser at the beginning."""
LOOSE: Final = 0.01
"""Its weight against a fixed opponent, whom a strong one keeps it from exploiting."""
LEAD: Final = 2.0
"""The weight of the rival's advice at the beginning."""
FADED: Final = 0.01
"""The weight below which it is not asked for advice."""
FADING: Final = 4.0
"""Millions of attempts that halve the square of the one weight, and the root of the other."""
KNOWN: Final = 0.25
"""The part of another training's attempts that count as one's own if one starts from it."""
NORM: Final = 0.5
"""The greatest length of a gradient."""
AVERAGE: Final = 0.999
"""The part of the average that each step keeps."""
OLD: Final = 8
"""Older policies that are kept to play against."""
MILLION: Final = 1_000_000


class Trainer:
    """A policy that learns; a pure function of its rules, seed, and number of rounds on a machine.

    With opponents it learns to beat those, a best response to them; its own play may be among them.

    Attributes:
        attempts: how many it has learned from.
        rounds: how many it has played.
        weights: the policy that plays and learns.
        average: the mean of its latest states, which is what one plays in the end.
        old: some of the averages at the ends of rounds, all equally likely to be among them.
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
        self._rules, self._seed, self._device, self._against = rules, seed, device, against
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
        """Go on from what was saved.

        Raises:
            BadNet: the file is damaged, or of other rules or another seed.
        """
        state = self._load(file)
        self.attempts, self.rounds, self._known = (
            state[k] for k in ("attempts", "rounds", "known")
        )
        if state["terms"] != self._terms:
            terms = state["terms"]
            raise BadNet(f"{file} is of another training, of {terms}, not {self._terms}")

    def start(self, file: Path) -> None:
        """Begin with what another training has learned, on whatever board.

        Raises:
            BadNet: the file is damaged.
        """
        self._known = KNOWN * self._load(file)["attempts"] / MILLION
        self.old = self.old[-1:]

    def begin(self, weights: Weights) -> None:
        """Begin with a net whose training is not at hand."""
        with torch.no_grad():
            for key, weight in self.weights.items():
                weight.copy_(weights[key])
                self.average[key].copy_(weights[key])

    def _load(self, file: Path) -> dict[str, Any]:
        try:
            state: dict[str, Any] = torch.load(file, map_location=self._device, weights_only=True)
            self.average, self.old = state["average"], state["old"]
            with torch.no_grad():
                for key, weight in self.weights.items():
                    weight.copy_(state["weights"][key])
            self._optimizer.load_state_dict(state["optimizer"])
        except (pickle.UnpicklingError, RuntimeError, LookupError, EOFError, TypeError) as error:
            raise BadNet(f"{file} is damaged, or contains no state of a training") from error
        return state

    def round(self, enough: Callable[[int], bool] = lambda _: False) -> dict[str, float]:
        """Play and learn for a round, about a million attempts.

        Args:
            enough: whether this number of attempts, of all rounds, ends the round early; asked
                each time the games stop for learning.

        Returns:
            Attempts of all rounds; games that ended in this one, and the shares won by Black,
            against older policies and against the rival; the entropy of decisions; the mean square
            of what the value did not foresee; and how far the policy is from its average. Entropies
            are in nats.
        """
        first, second = np.random.SeedSequence([self._seed, self.rounds]).generate_state(2).tolist()
        random = np.random.default_rng(first)
        torch.manual_seed(second)
        advised = self._faded()[1] > FADED
        play = SelfPlay(self._rules, first, self._device, advised=advised, against=self._against)
        said = []
        for _ in range(UPDATES):
            old = self.old[random.integers(len(self.old))]
            found = play.play(self.weights, {k: w.float() for k, w in old.items()})
            self.attempts += len(found.actions)
            said.append(self._learn(found))
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
        means = np.mean(said, axis=0).tolist()
        return counts | shares | dict(zip(("entropy", "error", "apart"), means, strict=True))

    def _faded(self) -> tuple[float, float, float]:
        """The weights of the regulariser and of advice, and the learning rate, as they are now."""
        early = self._known + self.attempts / MILLION
        faded = FADING / (FADING + early)
        pull, lead = PULL * faded**0.5, 0.0 if self._against else LEAD * faded**2
        rate = RATE * (3 / (3 + early)) ** 0.5
        if self._against and None not in self._against:
            pull, rate = LOOSE, RATE
        return pull if self._regulariser is None else self._regulariser, lead, rate

    def _learn(self, played: Trajectories) -> list[float]:
        """Learn from attempts; the entropy, the value's error, and the distance to the average."""
        count = len(played.actions)
        spread = played.advantages.std() + 1e-6
        surprise = played.advantages.abs()
        batches = int(count * SHARE) // BATCH
        most = torch.topk(surprise, batches * BATCH).indices
        most = most[torch.randperm(len(most), device=self._device)]
        some = torch.randperm(count, device=self._device)[: batches * BATCH]
        pull, lead, rate = self._faded()
        self._optimizer.param_groups[0]["lr"] = rate
        said = torch.zeros(3, device=self._device)
        for chosen, spread_out in zip(
            most.view(batches, BATCH), some.view(batches, BATCH), strict=True
        ):
            both = torch.cat([chosen, spread_out])
            advised = BATCH // 4 if len(played.advice) else 0  # none if it plays itself alone
            other = torch.randint(len(played.advice) or 1, (advised,), device=self._device)
            logs, values = evaluate(
                self.weights,
                torch.cat([played.planes[both], played.other_planes[other]]),
                torch.cat([played.masks[both], played.other_masks[other]]),
            )
            strays = -logs[2 * BATCH :].gather(1, played.advice[other, None]).sum() / max(
                advised, 1
            )
            log = logs[:BATCH].gather(1, played.actions[chosen, None])[:, 0]
            ratio = (log - played.log_probabilities[chosen]).exp()
            gain = played.advantages[chosen] / spread
            better = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            logs = logs[BATCH : 2 * BATCH]
            with torch.no_grad():
                seen = played.planes[spread_out], played.masks[spread_out]
                before = evaluate(self.average, *seen)[0]
            chance = logs.exp()
            entropy = -(chance * logs).sum(1).mean()
            apart = (chance * (logs - before)).sum(1).mean()
            error = ((values[BATCH : 2 * BATCH] - played.returns[spread_out]) ** 2).mean()
            loss = -SHARE * better.mean() + 0.5 * error + pull * (apart - entropy) + lead * strays
            self._optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.weights.values(), NORM)
            self._optimizer.step()
            with torch.no_grad():
                for key, mean in self.average.items():
                    mean.lerp_(self.weights[key], 1 - AVERAGE)
            said += torch.stack([entropy, error, apart]).detach()
        found: list[float] = (said / max(batches, 1)).tolist()
        return found


def _half(weights: Weights) -> Weights:
    """A copy in numbers of 16 bits."""
    return {key: weight.detach().half() for key, weight in weights.items()}
