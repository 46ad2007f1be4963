"""`phantom`: the strongest player, on every board.

It is flat Monte Carlo by sequential halving, with learned odds of hidden stones. Five things make
it stronger than `flatmc` with the same playouts. *Sequential halving* (Karnin, Koren & Somekh,
Almost optimal exploration in multi-armed bandits, 2013) deals the playouts in rounds, each evenly
among the best candidates of the round before: with fifty candidates, an even split spends nine
tenths on points nobody would play. We keep a fourth of them, not half, which is as strong and takes
fewer rounds. *All moves as first* (Brügmann 1993; Buron 2013, section 3.3.1) also counts, for each
candidate, the playouts in which it was played later, before the enemy did; that estimate is biased
but has far more games, and weighs as much as `amaf` playouts of the candidate's own (RAVE's
schedule: Gelly & Silver 2007).

*Likely worlds*: a belief net estimates where hidden stones are (bots/nets), and nothing else is
presumed. This helps most with many playouts. A refused point is an enemy stone or an eye; taking it
for a stone, as `flatmc` does, kills groups that live (Cazenave & Borsboom, Golois wins Phantom Go
tournament, 2007, saw both programs err so). *Retrying*: an attempt costs nothing, so refused points
are tried once more before a pass; the enemy may since have filled the last liberty of their own
eye, unseen.

*A candidate evaluator* (`judge`), a value net, estimates each candidate after the first round, and
its estimate counts as playouts (bots/evaluator.py). Candidates that are images of each other may be
counted as one (bots/fold.py).

`net=best` takes the nets that have been measured to win on the board (bots/deployed.toml), and uses
a shipped opening book if one fits (bots/opening.py); `net=NAME` searches with the named nets.
docs/phantom.md links the measurements.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from bots import deployed
from bots.belief import Belief, presume_nothing
from bots.bot import choice, parameter, source
from bots.deciding import MonteCarlo, SearchContext, SearchResult
from bots.deployed import NONE, Nets
from bots.evaluator import estimated_shares, prior_visits
from bots.fold import Fold
from bots.kernels.net import evaluate
from bots.nets import CANDIDATES, Net, log_odds, read_net, stated_digest
from bots.pace import Pace
from bots.passing import wins_as_it_stands
from bots.spec import BEST
from bots.worlds import Ints, Statistics, Worlds
from phantomgo.errors import BadText
from phantomgo.game.points import BLACK, PASS, Move
from phantomgo.game.view import View


@dataclass(frozen=True)
class Phantom(MonteCarlo):
    kind: ClassVar[str] = "phantom"
    kernels: ClassVar[tuple[Any, ...]] = (*MonteCarlo.kernels, evaluate)
    amaf: int = parameter(200, 0, 10**6, "playouts that all moves as first count for; 0: not used")
    narrow: int = parameter(4, 2, 1000, "each round retains one in this many candidates")
    net: str = source(
        BEST,
        f"a net's name, a .json file, {NONE} or {BEST}",
        f"the belief net that draws hidden stones; {BEST} chooses judge, trust and fold, too",
    )
    judge: str = source(NONE, f"a net's name, a .json file, or {NONE}", "the candidate evaluator")
    trust: int = parameter(
        0,
        0,
        10**6,
        "playouts that an evaluator's estimate counts as; 0: 1024 plus the candidate's own",
    )
    fold: str = choice("off", ("on", "off"), "count symmetric candidates as one")
    retry: str = choice("on", ("on", "off"), "before a pass, attempt refused points again")

    def __post_init__(self) -> None:
        """Raises BadText: a net cannot be read, or net=best is not left to choose."""
        if self.net == BEST:
            for key, default in Nets(self.net)._asdict().items():
                value = getattr(self, key)
                if value != default:
                    raise BadText(f"phantom: {key}={value} needs net=NAME; net={BEST} chooses it")
        else:
            self.data()  # reads the nets

    @property
    def default_book(self) -> str:
        return BEST if self.net == BEST else NONE

    @cached_property
    def nets(self) -> Nets:
        """The nets in its game, and how it uses them."""
        if self.net == BEST:
            return deployed.board(self.game.rules.size).phantom
        return Nets(self.net, self.judge, self.trust, self.fold)

    @cached_property
    def _stones(self) -> Net | None:
        """The belief net, which estimates where hidden stones are."""
        return None if self.nets.net == NONE else read_net(self.nets.net)

    @cached_property
    def _evaluator(self) -> Net | None:
        """The candidate evaluator."""
        return None if self.nets.judge == NONE else read_net(self.nets.judge, CANDIDATES)

    def data(self) -> Mapping[str, str]:
        if self.net != BEST:
            nets = {"net": self._stones, "judge": self._evaluator}
            return {name: net.digest for name, net in nets.items() if net is not None}
        names = (name for board in deployed.boards() for name in board.phantom[:2])
        return {f"net {name}": stated_digest(name) for name in names if name != NONE}

    def warm_up(self) -> None:
        self.with_budget(1).decide(View(self.game.rules, BLACK, enemies=1))

    def instead_of_pass(self, view: View) -> Move:
        if self.retry == "off" or (view.opponent_passed and wins_as_it_stands(view)):
            return PASS
        return next((refusal.point for refusal in view.refused if refusal.turn < view.turn), PASS)

    def worlds_of(self, view: View, belief: Belief) -> Worlds:
        if self._stones is None:
            return super().worlds_of(view, belief)
        odds = log_odds(view, self._stones)
        return Worlds(presume_nothing(view), view.rules, view.colour, odds)

    def deal(self, context: SearchContext, pace: Pace) -> SearchResult:
        view, worlds, points, key = context
        evaluator, nets = self._evaluator, self.nets
        stats = Statistics(len(points), worlds.points if self.amaf or evaluator is not None else 0)
        shares: Ints | None = None
        left = np.arange(len(points))
        fold = Fold.of(view, points, key) if nets.fold == "on" else Fold.none(points)
        rounds = max(1, self._rounds(len(fold.ones)))
        for number in range(rounds):
            for room in pace.parts(rounds - number):
                playouts = len(left) * max(1, room // len(left))
                worlds.play_out(points, left, playouts, key, pace.done, stats, self.threads)
                pace.done += playouts
            seen = fold.stats(stats)
            if number == 0:
                left = fold.ones
                if evaluator is not None and len(left) > 1:
                    odds = worlds.log_odds
                    shares = fold.mean(estimated_shares(view, points, stats, evaluator, odds))
            also = None if shares is None else prior_visits(shares, seen, nets.trust)
            kept = self._kept(len(left))
            left = seen.best_of(left, points, self.amaf, kept, key, also)
        return SearchResult(int(left[0]), seen)

    def _kept(self, count: int) -> int:
        """The number of candidates that a round retains."""
        return -(-count // self.narrow)

    def _rounds(self, count: int) -> int:
        """The number of rounds until one candidate is left."""
        return 1 + self._rounds(self._kept(count)) if count > 1 else 0
