"""Games of a policy against itself, older policies and other players, to learn from."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

import bots
from bots import Bot
from bots.bot import BotBySeed
from phantomgo.game.beginning import Game
from phantomgo.game.points import Colour
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import SYMMETRIES, images
from phantomgo.lab.policy.net import Tensor, Weights, evaluate, gumbel_noise
from phantomgo.lab.policy.opponent import Opponent
from phantomgo.lab.vector import Games
from phantomgo.rng import MAX_SEED

GAMES: Final = 1024
"""Games at once."""
OLD_GAMES: Final = GAMES // 10
"""The games in which one side is an older policy, the first ones."""
ADVISED: Final = GAMES // 16
"""The games in which one side is the rival, the last ones, while it gives advice."""
RIVAL_GAMES: Final = 5 * GAMES // 16
"""The games in which one side is the rival once it gives no advice, which takes less time."""
RIVAL: Final = "phantom:playouts=1000,book=none"
"""A fixed bot, so that the policy cannot forget how to beat it. At first it also gives advice,
which the policy learns to follow."""
STEPS: Final = 32
"""Attempts in each game between two updates."""
LEAST_STEPS: Final = 8
"""The fewest, if time runs out: enough for an update, also where others make half of them."""
TRACE: Final = 0.9
"""Lambda of the generalised advantages: how much each later value weighs against the last."""


Pool: TypeAlias = Sequence[BotBySeed | None]
"""The opponents of a training, each in an equal share of the games; None is the policy itself. In
an empty pool they are the policy itself and `RIVAL`."""


class Trajectories(NamedTuple):
    """Attempts and their results.

    Attributes:
        planes: the input of the policy at each attempt: (attempts, channels, points).
        masks: True for the attempts worth making: (attempts, points + 1).
        actions: the attempts by number; a pass is the number of points.
        log_probabilities: the logarithms of their probabilities when they were made.
        advantages: by how much each did better than expected.
        returns: the targets of the value, from -1 to 1.
        other_planes: the input in the views in which the rival gave advice.
        other_masks: the masks in these views.
        advice: the rival's attempts there.
    """

    planes: Tensor
    masks: Tensor
    actions: Tensor
    log_probabilities: Tensor
    advantages: Tensor
    returns: Tensor
    other_planes: Tensor
    other_masks: Tensor
    advice: Tensor


class SelfPlay:
    """Games that go on from one call of `play` to the next; one that ends is followed by another.

    In each game the players see the board under a symmetry drawn for the game.

    Attributes:
        results: results from -1 to 1 of the games that have ended: of all for Black (`black`), of
            those against older policies (`old`) and the rival (`rival`) for the policy.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int,
        device: str = "cpu",
        *,
        advised: bool = True,
        against: Pool = (),
    ) -> None:
        self._rules, self._device, self._advised = rules, device, advised and not against
        self._random = np.random.default_rng(seed)
        self._games = Games(rules, GAMES)
        points = rules.size**2
        turned = [[*images(symmetry, rules.size), points] for symmetry in SYMMETRIES]
        self._turned = np.array(turned)  # of each symmetry the points that its points stand for
        self._seen_as = np.empty((GAMES, points + 1), np.int64)
        others = [drawn for drawn in against if drawn is not None]
        rivals = ADVISED if advised else RIVAL_GAMES
        if against:
            rivals = GAMES * len(others) // len(against)
        old = min(OLD_GAMES, GAMES - rivals)
        self._old = np.arange(GAMES) < old
        self._rival = np.arange(GAMES) >= GAMES - rivals
        self._others_side = np.full(GAMES, -1)
        pool = others or [partial(bots.make, RIVAL, Game(rules))]
        self._opponent = Opponent(partial(_one_of, pool), rules, GAMES, device)
        self.results: dict[str, list[float]] = {"black": [], "old": [], "rival": []}
        self._begin(np.ones(GAMES, np.bool_))

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Begin these games."""
        count = int(which.sum())
        if count:
            self._games.begin(which)
            self._seen_as[which] = self._turned[self._random.integers(len(SYMMETRIES), size=count)]
            sides = self._random.integers(2, size=count)
            self._others_side[which] = np.where((self._old | self._rival)[which], sides, -1)
            for game in np.flatnonzero(which & self._rival).tolist():
                colour = Colour(int(self._others_side[game]) + 1)
                self._opponent.begin(game, colour, int(self._random.integers(MAX_SEED)))

    def play(
        self, weights: Weights, old: Weights, enough: Callable[[], bool] = lambda: False
    ) -> Trajectories:
        """The next attempts of a policy, in all games; others play one side in some.

        There are `STEPS` in each game, or fewer, at least `LEAST_STEPS`, if `enough` says so.
        """
        steps = list[tuple[NDArray[Any], ...]]()
        while len(steps) < STEPS and (len(steps) < LEAST_STEPS or not enough()):
            steps.append(self._step(weights, old))
        planes, masks, actions, logs, values, movers, own, rewards, advice, given = map(
            np.stack, zip(*steps, strict=True)
        )
        expected = self._attempts(weights, None, *self._games.see())[-1]
        advantages = traced(values, movers, rewards, expected, self._games.to_move)
        own &= masks[:, :, :-1].any(2)  # else a pass is all that is left
        found = planes, masks, actions, logs, advantages, advantages + values
        given &= np.take_along_axis(masks, advice[..., None], 2)[..., 0]  # else it tries again

        def chosen(which: NDArray[np.bool_], *arrays: NDArray[Any]) -> tuple[Tensor, ...]:
            return tuple(torch.from_numpy(array[which]).to(self._device) for array in arrays)

        return Trajectories(*chosen(own, *found), *chosen(given, planes, masks, advice))

    def _step(self, weights: Weights, old: Weights) -> tuple[NDArray[Any], ...]:
        """An attempt in each game.

        Returns:
            What `_attempts` returns; then for each game the side that was to move, whether the
            policy itself was, the result for Black if the game is over, else NaN, the rival's
            attempt, and whether the rival was asked.
        """
        observed = self._games.see()
        planes, masks, actions, logs, values = self._attempts(weights, old, *observed)
        movers = self._games.to_move
        own = movers != self._others_side
        advice, given = actions.copy(), self._rival & (~own | self._advised)
        asked = np.flatnonzero(given)
        proposed = self._opponent.attempts(self._games, asked, *observed)
        advice[asked] = (self._seen_as[asked] == proposed[:, None]).argmax(1)
        theirs = self._rival & ~own
        actions[theirs] = advice[theirs]
        answers = self._games.step(np.take_along_axis(self._seen_as, actions[:, None], 1)[:, 0])
        over = answers.terminated | answers.truncated
        rewards = np.where(over, answers.rewards[:, 0], np.float32(np.nan))
        ours = rewards * (2 * self._others_side - 1)
        self.results["black"] += rewards[over].tolist()
        self.results["old"] += ours[over & self._old].tolist()
        self.results["rival"] += ours[over & self._rival].tolist()
        self._begin(over)
        return planes, masks, actions, logs, values, movers, own, rewards, advice, given

    def _attempts(
        self,
        weights: Weights,
        old: Weights | None,
        planes: NDArray[np.uint8],
        masks: NDArray[np.bool_],
    ) -> tuple[NDArray[Any], ...]:
        """Planes, masks, attempts by number, their log probabilities, and values, of all games.

        The arguments show the board as it is, the results under the symmetry of each game.
        """
        planes = np.take_along_axis(planes, self._seen_as[:, None, :-1], 2)
        masks = np.take_along_axis(masks, self._seen_as, 1)
        seen, open_ = (torch.from_numpy(a).to(self._device) for a in (planes, masks))
        with torch.inference_mode():
            logs, values = evaluate(weights, seen, open_)
            theirs = np.flatnonzero(self._old & (self._games.to_move == self._others_side))
            if old is not None and len(theirs):
                logs[theirs] = evaluate(old, seen[theirs], open_[theirs])[0]
            actions = (logs + gumbel_noise(logs)).argmax(1, keepdim=True)
            made = actions[:, 0], logs.gather(1, actions)[:, 0], values
        return planes, masks, *(found.cpu().numpy() for found in made)


def _one_of(pool: Sequence[BotBySeed], seed: int) -> Bot:
    """The player of a pool in the game of a seed, each as often as any other."""
    number, which = divmod(seed, len(pool))
    return pool[which](number)


def traced(
    values: NDArray[np.float32],
    movers: NDArray[np.int64],
    rewards: NDArray[np.float32],
    expected: NDArray[np.float32],
    next_mover: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Generalised advantages (Schulman et al. 2016) of attempts, with lambda `TRACE`.

    The successor of an attempt is the same player's next attempt.

    Args:
        values: the values for the side to move: (steps, games).
        movers: the side to move, 0 for Black: (steps, games).
        rewards: the result for Black if the attempt ended the game, else NaN: (steps, games).
        expected: the values after the last step, for the side to move then: (games,).
        next_mover: that side: (games,).
    """
    games = np.arange(values.shape[1])
    sign = np.where(next_mover == 0, 1, -1)
    later = np.stack([expected * sign, -expected * sign]).astype(np.float32)
    gained = np.zeros_like(later)
    advantages = np.empty_like(values)
    for step in reversed(range(len(values))):
        ends = ~np.isnan(rewards[step])
        later[:, ends] = np.stack([rewards[step], -rewards[step]])[:, ends]
        gained[:, ends] = 0
        mover = movers[step]
        surprise = later[mover, games] - values[step]
        advantages[step] = surprise + TRACE * gained[mover, games]
        later[mover, games], gained[mover, games] = values[step], advantages[step]
    return advantages
