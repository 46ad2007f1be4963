"""A best-response player who knows the book and the program.

The responder sees only its own view, like any player, but knows whom it may face: the players that
a book draws from, with their weights, or many samples of a bot whose seed is fresh. In each view
those players remain that would have produced the messages so far. The responder tries every
candidate against all of them, continues as a base player would, and chooses the one that wins most;
the next messages split the players into groups, in each of which the same is done. The views in
which most is lost come first. The result is a book of moves, which anybody can play. It is measured
by games against fresh draws: its rate is a lower bound on that of a best response.

Source: policy improvement by rollouts on the set of remaining players (Tesauro & Galperin, On-line
policy improvement using Monte-Carlo search, 1996), with successive halving of a view's candidates
(Karnin, Koren & Somekh 2013).
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Final, NamedTuple, Self

from bots import Bot
from bots.belief import candidates, presume_refused
from bots.book import LineBot
from bots.bot import BotBySeed
from phantomgo.game.beginning import START, Beginning
from phantomgo.game.information_state import InformationState, information_state
from phantomgo.game.points import PASS, Colour, Move, members
from phantomgo.game.recording import begin
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.portfolio.movebook import Tried
from phantomgo.rng import Purpose, Stream, purpose_key

FIRST: Final = 8
"""Players against whom every option is tried at first; each round has four times as many, and a
fourth of the options."""
BASES: Final = 4
"""Seeds of the base player that are options besides the candidates, in the first pass."""
LOOK: Final = 64
"""Games that a view may cost in the first pass that looks ahead."""


@dataclass(frozen=True)
class Position:
    """A game of Phantom Go so far, as the player to move meets it; `referee` is never changed."""

    referee: Referee

    @classmethod
    def start(cls, rules: Rules, beginning: Beginning = START) -> Self:
        """The position before the first attempt."""
        return cls(begin(rules, beginning)[0])

    @property
    def mover(self) -> Colour:
        return self.referee.to_move

    @cached_property
    def view(self) -> View:
        """The mover's view."""
        return self.referee.view(self.mover)

    @cached_property
    def information_state(self) -> InformationState:
        """The mover's view, the same for all its mirror images."""
        return information_state(self.view)

    def after(self, move: Move) -> Self:
        """The position after an attempt of the mover."""
        twin = self.referee.copy()
        twin.attempt(self.mover, move)
        return type(self)(twin)

    def options(self) -> list[Move]:
        """The moves worth trying, as the policy writes them."""
        points = members(candidates(self.view, presume_refused(self.view)))
        return [*sorted({self.information_state.canonical(point) for point in points}), PASS]


class ResponderDecision(NamedTuple):
    """A decision of the responder: the game before it, the messages, and the policy's move."""

    position: Position
    told: str
    move: Move


class Play(NamedTuple):
    """A game of the responder against a player.

    Attributes:
        opponent: the player.
        weight: how often the player is drawn.
        decisions: those of the responder, in order.
        won: the responder's score: 1, 0, or the score of a draw.
    """

    opponent: Bot
    weight: int
    decisions: tuple[ResponderDecision, ...]
    won: float


class Alternative(NamedTuple):
    """An attempt (None for the base player's) and the seed with which the base player plays on."""

    move: Move | None
    seed: int


@dataclass(order=True)
class Node:
    """The plays that reach one view.

    Attributes:
        lost: minus the weight of the plays that are not won, so that the heaviest comes first.
        number: breaks ties.
        plays: the current plays.
        depth: the index of the decision in each play.
        seed: the seed with which the base player plays on.
    """

    lost: float
    number: int
    plays: Sequence[Play] = field(compare=False)
    depth: int = field(compare=False)
    seed: int = field(compare=False)


class Responder:
    """Learns a best response of one colour against players that may be faced.

    Attributes:
        nodes: the number of views in which options were tried.
        games: the number of games played, many of them from the middle.
        attempts: the number of its attempts in these games.
    """

    def __init__(
        self,
        start: Position,
        colour: Colour,
        base: BotBySeed,
        opponents: Mapping[Bot, int],
        *,
        least: int = 1,
        seed: int = 0,
    ) -> None:
        """Face these opponents.

        Args:
            start: the start of every game.
            colour: the responder's colour.
            base: makes the base player of a seed.
            opponents: the players that may be faced, with their weights.
            least: views with fewer opponents are not improved.
            seed: the seed of all draws.
        """
        self.nodes = self.games = self.attempts = 0
        self._colour, self._least = colour, least
        self._base = base
        self._stop: Callable[[], bool]  # that of `learn`
        self._stream = Stream(purpose_key(Purpose.RESPONSE, seed, colour))
        self._known: dict[tuple[int, str], Move] = {}
        self._bases: dict[int, Bot] = {}
        self._numbers, self._cut = count(), False
        self.plays = [
            self._played(start, opponent, weight, Alternative(None, 0))
            for opponent, weight in opponents.items()
        ]

    @property
    def rate(self) -> float:
        """The weighted share of games won against the opponents that were learned on."""
        return _won(self.plays) / sum(play.weight for play in self.plays)

    def learn(self, stop: Callable[[], bool]) -> None:
        """Improve the policy, pass after pass, until `stop()` or until no game is lost.

        If all players can be tried, a pass without gain is followed by one that also improves later
        decisions before it judges an option, within a number of games per view, which is
        quadrupled after another pass without gain. It ends at a best response: when a pass without
        gain has searched every view to the end.
        """
        self._stop = stop
        bases, look = BASES, 0
        while self.rate < 1 and not stop():
            before, rate, self._cut = self.nodes, self.rate, False
            self._pass(bases, look)
            if self.nodes == before:
                return
            if self._least > 1 or self.rate > rate:
                bases *= 2
            elif look and not self._cut:
                return
            else:
                look = max(LOOK, 4 * look)

    def situations(self) -> dict[str, dict[Move, Tried]]:
        """The policy's moves by the messages received, as a book of moves keeps them."""
        tried = dict[str, dict[Move, Tried]]()
        for play in self.plays:
            for decision in play.decisions:
                moves = tried.setdefault(decision.told, {})
                games, won = moves.get(decision.move, Tried(0, 0.0))
                moves[decision.move] = Tried(games + play.weight, won + play.won * play.weight)
        return tried

    def _pass(self, bases: int, look: int) -> None:
        """Try to improve each worthwhile view once, those with most to gain first."""
        heap, done = list(self._nodes(self.plays, 0, 0)), list[Play]()
        while heap:
            node = heapq.heappop(heap)
            if node.lost == 0 or len(node.plays) < self._least or self._stop():
                done += node.plays
                continue
            plays, seed = self._improved(node, bases, look)
            self.nodes += 1
            ended = [play for play in plays if len(play.decisions) == node.depth + 1]
            done += ended
            going = [play for play in plays if len(play.decisions) > node.depth + 1]
            for child in self._nodes(going, node.depth + 1, seed):
                heapq.heappush(heap, child)
            self.plays = done + [play for node in heap for play in node.plays]
        self.plays = done

    def _nodes(self, plays: Sequence[Play], depth: int, seed: int) -> Iterator[Node]:
        """The groups of plays with the same messages before this decision."""
        groups = defaultdict[str, list[Play]](list)
        for play in plays:
            groups[play.decisions[depth].told].append(play)
        for group in groups.values():
            lost = sum(play.weight for play in group) - _won(group)
            yield Node(-lost, next(self._numbers), group, depth, seed)

    def _improved(self, node: Node, bases: int, look: int) -> tuple[Sequence[Play], int]:
        """The plays with the best option in this view, and the seed that plays on.

        At a cost of `look` games, later decisions are improved before an option is judged.
        """
        order = self._shuffled(node.plays)
        options = list(self._options(node, 0 if look else bases))
        if look:
            option, best = self._looked(order, node.depth, options, look // len(options))
        else:
            option, best = self._best(order, node.depth, options)
        gain = _won(best) - _won(order)
        if gain <= self._noise(best, order):
            return order, node.seed
        return best, option.seed

    def _best(
        self, order: Sequence[Play], depth: int, options: list[Alternative]
    ) -> tuple[Alternative, Sequence[Play]]:
        """The option that wins most, and its plays; most options are dropped early.

        If it has to stop, it returns the plays unchanged.
        """
        tried: dict[Alternative, list[Play]] = {option: [] for option in options}
        reach = FIRST
        while True:
            for option in options:
                for play in order[len(tried[option]) : reach]:
                    if self._stop():
                        return option, order
                    tried[option].append(self._tried(play, depth, option))
            options.sort(key=lambda option: -_won(tried[option]))
            if reach >= len(order):
                return options[0], tried[options[0]]
            options, reach = options[: -(-len(options) // 4)], reach * 4

    def _looked(
        self, order: Sequence[Play], depth: int, options: Sequence[Alternative], each: int
    ) -> tuple[Alternative, Sequence[Play]]:
        """The option that wins most with later decisions improved, `each` games for each."""
        most, total = (options[0], order), sum(play.weight for play in order)
        for option in options:
            plays = self._ahead(order, depth, option, each)
            if _won(plays) > _won(most[1]):
                most = option, plays
            if _won(most[1]) == total or self._stop():
                break
        return most

    def _ahead(
        self, order: Sequence[Play], depth: int, option: Alternative, games: int
    ) -> Sequence[Play]:
        """The plays of an option, with later decisions improved as far as the games allow."""
        plays, depth = [self._tried(play, depth, option) for play in order], depth + 1
        done = [play for play in plays if len(play.decisions) == depth]
        going = [play for play in plays if len(play.decisions) > depth]
        for node in self._nodes(going, depth, option.seed):
            share = (games - len(plays)) * len(node.plays) // len(going)
            if not node.lost or self._stop():
                done += node.plays
            elif share < len(node.plays) * len(list(self._options(node, 0))):
                self._cut = True
                done += node.plays
            else:
                done += self._improved(node, 0, share)[0]
        return done

    def _noise(self, best: Sequence[Play], order: Sequence[Play]) -> float:
        """The gain that chance explains; 0 if all players were tried."""
        if self._least == 1:
            return 0.0
        changed = sum(new.won != old.won for new, old in zip(best, order, strict=True))
        return float(changed**0.5)

    def _options(self, node: Node, bases: int) -> Iterator[Alternative]:
        for move in node.plays[0].decisions[node.depth].position.options():
            yield Alternative(move, node.seed)
        for _ in range(bases):
            yield Alternative(None, 1 + self._stream.below(1 << 30))

    def _tried(self, play: Play, depth: int, option: Alternative) -> Play:
        """The play as it would go with an option at this decision."""
        before = play.decisions[:depth]
        after = self._played(play.decisions[depth].position, play.opponent, play.weight, option)
        return after._replace(decisions=before + after.decisions)

    def _played(self, position: Position, opponent: Bot, weight: int, option: Alternative) -> Play:
        """Play a game to its end."""
        self.games += 1
        decisions, first = list[ResponderDecision](), option.move
        while (outcome := position.referee.outcome) is None:
            if position.mover is not self._colour:
                position = position.after(opponent.decide(position.view).move)
                continue
            state = position.information_state
            if first is None:
                move = self._base_move(position, option.seed)
            else:
                move, first = first, None
            self.attempts += 1
            decisions.append(ResponderDecision(position, state.text, move))
            position = position.after(state.actual(move))
        return Play(opponent, weight, tuple(decisions), outcome.score(self._colour))

    def _base_move(self, position: Position, seed: int) -> Move:
        """The base player's move in the policy's terms, one for all mirror images of a view."""
        state = position.information_state
        known = self._known.get((seed, state.text))
        if known is None:
            if seed not in self._bases:
                self._bases[seed] = self._base(seed)
            known = state.canonical(self._bases[seed].decide(position.view).move)
            self._known[seed, state.text] = known
        return known

    def _shuffled(self, plays: Sequence[Play]) -> list[Play]:
        order = list(plays)
        for i in range(len(order) - 1, 0, -1):
            j = self._stream.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def faced(drawn: BotBySeed, colour: Colour, seeds: Sequence[int]) -> dict[Bot, int]:
    """The distinct players that a bot of these seeds is, and the number of seeds of each.

    A book whose seeds decide whole games has a few players; any other bot has one per seed.
    """
    bots = map(drawn, seeds)
    return dict(Counter(bot.as_played(colour) if isinstance(bot, LineBot) else bot for bot in bots))


def _won(plays: Sequence[Play]) -> float:
    return sum(play.won * play.weight for play in plays)
