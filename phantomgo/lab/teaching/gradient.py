"""Policy gradient: moves the judge's last sum towards the choices made in games that were won.

REINFORCE with a baseline (Williams 1992), by steps of a bounded KL divergence along the natural
gradient (Kakade 2001). The learner draws among the candidates of the last round, with greater
chances for greater values; the score of a choice is the gradient of the logarithm of its chance.
The divergence of a step is that of choices among all candidates after the first round, because the
judge also decides which candidates reach the last one; the score leaves that influence out. Half of
the games are against the learner as it is, half against a frozen pool.
"""

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import ClassVar, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

import bots
from bots.deciding import Problem
from bots.halving import Halving
from bots.judge import sight, word
from bots.kernels.judge import SCALE
from bots.kernels.net import TOP, VALUE, WEIGHT
from bots.nets import CANDIDATES, Net, read_net
from bots.phantom import Phantom
from bots.worlds import Ints, Tally
from phantomgo.game import play_game
from phantomgo.lab.run.contest import Game, Result
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.lab.teaching.outcomes import Meeting, Player, score, won
from phantomgo.lab.teaching.taught import Weights
from phantomgo.lab.teaching.terms import TERMS, with_terms
from phantomgo.match.schedule import Ticket
from phantomgo.points import Move, Point
from phantomgo.rng import Stream, mix
from phantomgo.view import View

HEAT: Final = 0.02
"""Candidates whose values differ by it are drawn in the ratio e to 1."""
KL: Final = 4e-3
"""The divergence of a step, in nats per decision."""
RIDGE: Final = 1e-3
"""Added to the Fisher matrix, as a share of the mean of its diagonal."""
POOL: Final = ("phantom:net=stones1", "flatmc")
"""The opponents besides the learner's first version; they use as many playouts as the learner."""

Floats = NDArray[np.float64]


class Choice(NamedTuple):
    """A choice among the candidates of a last round.

    Attributes:
        point: the chosen point.
        log_chance: the logarithm of its chance.
        score: the gradient of `log_chance` with respect to the weights of the judge's last sum.
        fisher: the Fisher matrix of a choice among all candidates after the first round.
    """

    point: Point
    log_chance: float
    score: Floats
    fisher: Floats


@dataclass(frozen=True)
class Explorer(Halving):
    """`phantom`, whose last choice is drawn at random.

    Attributes:
        chosen: its choices so far.
    """

    chosen: list[Choice] = field(default_factory=list, compare=False, repr=False)
    _first: list[Floats] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of(cls, spec: str, seed: int, size: int) -> Self:
        """The explorer that plays as the `phantom` of a spec, without folding candidates."""
        bot = bots.make(spec, seed)
        assert isinstance(bot, Phantom)
        search = bot.search(size)
        return cls(**{f.name: getattr(search, f.name) for f in fields(search)} | {"fold": "off"})

    def propose(self, view: View) -> Move:
        before = len(self.chosen)
        move = super().propose(view)
        if len(self.chosen) > before and self.chosen[-1].point != move:
            self.chosen.pop()  # a pass was better
        return move

    def keep(self, problem: Problem, tally: Tally, left: Ints, shares: Ints | None) -> Ints:
        if shares is None:  # a single candidate
            return super().keep(problem, tally, left, shares)
        points = problem.points
        if len(left) == len(points):
            judge = read_net(self.judge, CANDIDATES)
            board = sight(problem.view, points, tally, problem.worlds.log_odds)
            size = problem.view.rules.size
            seen = activations(judge, board.reshape(-1, size, size))[:, points]
            chances, slopes = self._drawing(points, tally, left, shares, seen)
            self._first[:] = seen, (slopes * chances) @ slopes.T
        if self._kept(len(left)) > 1:
            return super().keep(problem, tally, left, shares)
        seen, fisher = self._first
        chances, slopes = self._drawing(points, tally, left, shares, seen)
        drawn = Stream(mix(problem.key)).below(1 << 32) / (1 << 32)
        choice = min(int(np.searchsorted(chances.cumsum(), drawn)), len(left) - 1)
        log_chance = float(np.log(chances[choice]))
        self.chosen.append(Choice(int(points[left[choice]]), log_chance, slopes[:, choice], fisher))
        return left[[choice]]

    def _drawing(
        self, points: Ints, tally: Tally, left: Ints, shares: Ints, seen: Floats
    ) -> tuple[Floats, Floats]:
        """The chances of candidates to be drawn, and the gradients of their logarithms.

        The gradients are of shape (weights, candidates).
        """
        said = word(shares, tally, self.trust)[:, left]
        also = tally.amaf_visits[points[left]]
        extra = self.amaf * (also > 0)
        playouts = tally.visits[left] + said[0] + extra
        amaf = extra * tally.amaf_wins[points[left]] / np.maximum(also, 1)
        values = (tally.wins[left] + said[1] + amaf) / playouts
        chances = np.exp((values - values.max()) / HEAT)
        chances /= chances.sum()
        slopes = seen[:, left] * said[0] / (playouts * VALUE * SCALE * HEAT)
        return chances, slopes - (slopes @ chances)[:, None]


def activations(net: Net, board: NDArray[np.uint32]) -> Floats:
    """The inputs of a net's last sum by channel and point, as whole numbers.

    `board` has the net's planes, shape (planes, size, size).
    """
    size = board.shape[1]
    values = board.astype(float)
    for neighbours, biases in _convolutions(net):
        padded = np.pad(values, ((0, 0), (1, 1), (1, 1)))
        sums = biases + WEIGHT // 2
        for place, weights in enumerate(neighbours):  # products so small take a single thread
            row, column = divmod(place, 3)
            seen = padded[:, row : row + size, column : column + size]
            sums = sums + weights @ seen.reshape(len(seen), -1)
        values = np.clip(sums // WEIGHT, 0, TOP).reshape(-1, size, size)
    return values.reshape(len(values), -1)


@lru_cache(maxsize=4)
def _convolutions(net: Net) -> list[tuple[Floats, Floats]]:
    """The layers' weights, by neighbour, output and input, and their biases, an output a row."""
    layers = [np.array(layer, float) for layer in net.layers[:-1]]
    return [
        (layer[:, :-1].reshape(len(layer), -1, 9).transpose(2, 0, 1).copy(), layer[:, -1:])
        for layer in layers
    ]


class Scores(NamedTuple):
    """The sums over the choices of a game that a step needs.

    Attributes:
        total: the sum of their scores; shape (weights,).
        fisher: the sum of their Fisher matrices; shape (weights, weights).
        number: the number of choices.
    """

    total: Floats
    fisher: Floats
    number: int

    @classmethod
    def of(cls, choices: Sequence[Choice], weights: int) -> Self:
        total, fisher = np.zeros(weights), np.zeros((weights, weights))
        for choice in choices:
            total += choice.score
            fisher += choice.fisher
        return cls(total, fisher, len(choices))

    @property
    def text(self) -> str:
        """The numbers as a result stores them, in single precision."""
        numbers = np.concatenate([[self.number], self.total, self.fisher.ravel()])
        return base64.b64encode(numbers.astype("<f4").tobytes()).decode()

    @classmethod
    def read(cls, text: str, weights: int) -> Self:
        numbers = np.frombuffer(base64.b64decode(text), "<f4").astype(float)
        fisher = numbers[1 + weights :].reshape(weights, weights)
        return cls(numbers[1 : 1 + weights], fisher, int(numbers[0]))


class Explored(Meeting):
    """The same games, played by an explorer; a result also has its colour and `Scores`."""

    def play(self, games: Sequence[Game]) -> list[Result]:
        return [self._play(self.schedule.ticket(number)) for _, number in games]

    def _play(self, ticket: Ticket) -> Result:
        seeds = ticket.black_seed, ticket.white_seed
        own, other = seeds if ticket.black == 0 else seeds[::-1]
        explorer = Explorer.of(self.player.seated(), own, self.rules.size)
        opponent = bots.make(self.other(ticket).seated(), other)
        sides = (explorer, opponent) if ticket.black == 0 else (opponent, explorer)
        record = play_game(self.rules, *sides)
        spare_the_collector()
        assert self.player.judge is not None
        weights = len(self.player.judge.layers[-1][0]) - 1
        scores = Scores.of(explorer.chosen, weights)
        return Result(f"{score(record.outcome, ticket):g} {'bw'[ticket.black]} {scores.text}")


@dataclass(frozen=True)
class Gradient:
    """Teaches the weights of a judge's last sum, including those of terms.

    Attributes:
        bot: the initial player, who has a judge.
    """

    contest: ClassVar[type[Meeting]] = Explored
    bot: Phantom

    @cached_property
    def _judge(self) -> Net:
        """The initial judge, with terms."""
        judge = read_net(self.bot.judge, CANDIDATES)
        return Net.of(judge.name, with_terms(judge.layers), planes=judge.planes)

    @property
    def names(self) -> Sequence[str]:
        channels = len(self.start) - len(TERMS)
        return [*(f"channel {number}" for number in range(1, channels + 1)), *TERMS]

    @property
    def start(self) -> Weights:
        return tuple(number / WEIGHT for number in self._judge.layers[-1][0][:-1])

    @property
    def terms(self) -> Mapping[str, object]:
        pool = [*POOL]
        return {"teacher": "gradient", "heat": HEAT, "kl": KL, "ridge": RIDGE, "pool": pool}

    def player(self, weights: Weights) -> Player:
        *layers, (last,) = self._judge.layers
        moved = [[*(round(WEIGHT * weight) for weight in weights), last[-1]]]
        judge = Net.of(self._judge.name, [*layers, moved], planes=self._judge.planes)
        return Player(self.bot.name, judge)

    def meeting(self, weights: Weights, number: int) -> tuple[Player, tuple[Player, ...]]:
        del number
        now = self.player(weights)
        keys = {"playouts": self.bot.playouts}
        pool = [Player(replace(bots.make(spec, 0), **keys).name) for spec in POOL]
        met = [player for old in (Player(self.bot.name), *pool) for player in (now, old)]
        return now, tuple(met)

    def moved(self, weights: Weights, number: int, results: Sequence[str]) -> Weights:
        del number
        sides: dict[str, list[tuple[float, Scores]]] = {}
        for result in results:
            _, colour, text = result.split()
            scores = Scores.read(text, len(weights))
            sides.setdefault(colour, []).append((won(result), scores))
        slope, fisher, choices = np.zeros(len(weights)), np.zeros((len(weights),) * 2), 0
        for games in sides.values():
            usual = sum(score for score, _ in games) / len(games)
            for score_of, scores in games:
                slope += (score_of - usual) * scores.total
                fisher += scores.fisher
                choices += scores.number
        return tuple(np.array(weights) + natural(slope, fisher, choices))


def natural(slope: Floats, fisher: Floats, choices: int) -> Floats:
    """The step along the natural gradient whose divergence is `KL`; zero if the slope is.

    Args:
        slope: the gradient of the score.
        fisher: the sum of the Fisher matrices of choices.
        choices: the number of choices.
    """
    if not slope.any():
        return slope
    mean = fisher / choices
    mean = mean + RIDGE * mean.trace() / len(mean) * np.eye(len(mean))
    step = np.linalg.solve(mean, slope)
    scaled: Floats = step * math.sqrt(2 * KL / (step @ mean @ step))
    return scaled
