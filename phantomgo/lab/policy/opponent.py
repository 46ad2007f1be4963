"""A fixed opponent in many games at once, for a policy that learns to beat it.

The player of a game is made when the game begins, as always; a book draws its line then. Players
that are policies are evaluated together, by their nets; others are asked by `Games.ask`.
"""

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from bots import Bot
from bots.book import LineBot
from bots.bot import BotBySeed
from bots.policies import Policy
from bots.policy import PolicyBot
from phantomgo.game.points import Colour
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import IDENTITY, Symmetry, images, inverse
from phantomgo.game.view import View
from phantomgo.lab.policy.net import SHAPE, Weights, evaluate, gumbel_noise, weights_of
from phantomgo.lab.vector import Games
from phantomgo.portfolio.movebook import MoveBook


class DrawnPolicy(NamedTuple):
    """A policy that plays a whole game.

    Attributes:
        policy: its network.
        temperature: the temperature by which it draws attempts.
        symmetry: the symmetry under which it sees the board.
    """

    policy: Policy
    temperature: float
    symmetry: Symmetry


def policy_of(bot: Bot, view: View) -> DrawnPolicy | None:
    """The policy that plays the whole of a game that begins with this view.

    None if none does, or one that `evaluate` cannot evaluate.
    """
    symmetry = IDENTITY
    if isinstance(bot, LineBot):
        drawn = bot.drawn(view.colour)
        if len(drawn.bots) > 1 or isinstance(drawn.book, MoveBook):
            return None
        (bot,), symmetry = drawn.bots, drawn.symmetry
    if not isinstance(bot, PolicyBot) or bot.policy.shape != SHAPE:
        return None
    return DrawnPolicy(bot.policy, bot.temperature, symmetry)


class Opponent:
    """The opponent in a number of games, in each as one colour.

    Args:
        drawn: makes the player of a game, by its seed.
        rules: the rules of the games.
        number: how many games there are.
        device: PyTorch's name of the device.
    """

    def __init__(self, drawn: BotBySeed, rules: Rules, number: int, device: str = "cpu") -> None:
        self._drawn, self._rules, self._device = drawn, rules, device
        points = rules.size**2
        self._seen_as = np.tile(np.arange(points + 1), (number, 1))
        self._single: dict[int, Bot] = {}
        self._policies: dict[int, DrawnPolicy] = {}
        self._nets: dict[Policy, Weights] = {}

    def begin(self, game: int, colour: Colour, seed: int) -> None:
        """Draw the player of a game that begins now."""
        bot = self._drawn(seed)
        self._single.pop(game, None)
        drawn = policy_of(bot, View(self._rules, colour))
        if drawn is None:
            self._policies.pop(game, None)
            self._single[game] = bot
            return
        self._policies[game] = drawn
        points = self._rules.size**2
        # At each point it sees what stands on the point that its symmetry moves there.
        turn = inverse(drawn.symmetry)
        self._seen_as[game] = [*images(turn, self._rules.size), points]

    def attempts(
        self,
        games: Games,
        asked: NDArray[np.int64],
        planes: NDArray[np.uint8],
        masks: NDArray[np.bool_],
    ) -> NDArray[np.int64]:
        """The attempts in some of the games, in which it is to move: shape (asked,), actions.

        Args:
            games: the games.
            asked: the numbers of these games, none of which is over.
            planes: the input of a policy in every game, as `Games.see` returns it.
            masks: the attempts worth making, as `Games.see` returns them.
        """
        found = games.ask(
            {game: self._single[game] for game in asked.tolist() if game in self._single}
        )
        alike = defaultdict(list)
        for game in asked.tolist():
            if game in self._policies:
                alike[self._policies[game].policy].append(game)
        for policy, which in alike.items():
            seen_as = self._seen_as[which]
            seen = np.take_along_axis(planes[which], seen_as[:, None, :-1], 2)
            worth = np.take_along_axis(masks[which], seen_as, 1)
            temperatures = np.array([self._policies[game].temperature for game in which])
            chosen = self._chosen(policy, temperatures, seen, worth)
            found[which] = seen_as[np.arange(len(which)), chosen]
        return found[asked]

    def _chosen(
        self,
        policy: Policy,
        temperatures: NDArray[np.float64],
        seen: NDArray[np.uint8],
        worth: NDArray[np.bool_],
    ) -> NDArray[Any]:
        """The attempts that a policy draws at the temperature of each game, by number."""
        if policy not in self._nets:
            weights = weights_of(policy)
            self._nets[policy] = {key: weight.to(self._device) for key, weight in weights.items()}
        given = (torch.from_numpy(array).to(self._device) for array in (seen, worth, temperatures))
        with torch.inference_mode():
            planes, masks, warm = given
            logs, _ = evaluate(self._nets[policy], planes, masks)
            if temperatures.any():
                logs = logs + warm.float()[:, None] * gumbel_noise(logs)
            found: NDArray[Any] = logs.argmax(1).cpu().numpy()
        return found
