"""Compare learned best responses with exact ones, on small boards.

    python docs/notes/yardstick.py --size 2 --moves 4 --attempts 0.02 --responders tree policy

A player draws one of a bot's seeds and a symmetry of the board for each game, as a book does; seeds
are drawn uniformly, or by a Nash equilibrium of their games. Games are scored after a few moves.
The exact best response is the best of all policies; the learned ones are those of `book exploit`.
"""

import argparse
import random
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np

import bots
from bots import Bot
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import black_won
from phantomgo.game.planes import attempts
from phantomgo.game.player import Decision
from phantomgo.game.playing import play_game
from phantomgo.game.points import PASS, Colour, Move
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import SYMMETRIES, Symmetry, inverse, map_move
from phantomgo.game.view import View, map_view
from phantomgo.lab.measure.best_response import Effort, Found, find
from phantomgo.lab.run.progress import SILENT
from phantomgo.lab.seeds.contest import make_setup
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.methods import parse_method

BOTS = ("random", "flatmc:playouts=20", "phantom:playouts=20,book=none")


@dataclass(frozen=True)
class Drawn(Bot):
    """For each colour a bot, and the symmetry under which it sees the board."""

    kind: ClassVar[str] = "drawn"
    black: tuple[Bot, Symmetry]
    white: tuple[Bot, Symmetry]

    def decide(self, view: View, seconds: float = np.inf) -> Decision:
        player, symmetry = self.black if view.colour is Colour.BLACK else self.white
        decision = player.decide(map_view(symmetry, view), seconds)
        return decision.mapped(partial(map_move, inverse(symmetry), size=view.rules.size))


class Mixture(NamedTuple):
    """The players of a colour, with their probabilities."""

    players: Sequence[Drawn]
    weights: Sequence[float]

    def draw(self, seed: int) -> Drawn:
        """The player in the game of a seed."""
        return random.Random(seed).choices(self.players, self.weights)[0]


class Play(NamedTuple):
    """A game of the responder so far, against one player, weighted by how often it is drawn."""

    referee: Referee
    player: Bot
    weight: float

    def after(self, colour: Colour, move: Move) -> "Play":
        twin = self.referee.copy()
        twin.attempt(colour, move)
        return self._replace(referee=twin)


def exact(colour: Colour, rules: Rules, mixture: Mixture) -> float:
    """The win rate of an exact best response as this colour: the maximum over all policies."""
    known = [(one, weight) for one, weight in zip(*mixture, strict=True) if weight > 0]
    return _best(colour, [Play(Referee(rules), *each) for each in known]) / sum(mixture.weights)


def _best(colour: Colour, plays: Sequence[Play]) -> float:
    """The points of the best policy in these plays, in all of which the responder has the same
    view.
    """
    won, told = 0.0, defaultdict(list)
    for play in plays:
        referee, other = play.referee, colour.other
        while referee.outcome is None and referee.to_move is other:
            referee.attempt(other, play.player.decide(referee.view(other)).move)
        if referee.outcome is not None:
            won += play.weight * referee.outcome.score(colour)
        else:
            told[referee.view(colour).events].append(play)
    return won + sum(_best_attempt(colour, group) for group in told.values())


def _best_attempt(colour: Colour, plays: Sequence[Play]) -> float:
    view = plays[0].referee.view(colour)
    passing = view.rules.size**2
    moves = [PASS if n == passing else n for n in np.flatnonzero(attempts(view)).tolist()]
    return max(_best(colour, [play.after(colour, move) for play in plays]) for move in moves)


def turned(players: Sequence[Bot], weights: Sequence[float]) -> Mixture:
    """These players, each under every symmetry."""
    pairs = [(Drawn(one.game, one.seed, (one, s), (one, s)), w)
             for one, w in zip(players, weights, strict=True) for s in SYMMETRIES]  # fmt: skip
    return Mixture(*zip(*pairs, strict=True))


def nash(players: Sequence[Bot], rules: Rules) -> dict[Colour, Mixture]:
    """The Nash equilibrium of the games between these seeds."""
    won = np.array(
        [[black_won(play_game(rules, one, other).outcome.result) for other in players]
         for one in players], np.uint8,
    )  # fmt: skip
    sides = parse_method("nash").learn(SeedMatrix(won, won), 0)
    return {c: turned(players, w.tolist()) for c, w in zip(Colour, sides, strict=True)}


def learned(kind: str, given: dict[Colour, Mixture], game: Game, million: float) -> Found:
    """The win rates of learned responses to the mixed strategies of both colours."""
    base = "random" if kind == "tree" else "policy"
    setup = make_setup(base, base, "olympiad", game)
    effort = Effort(kind, million, 4, base, 512, 800, 0)
    with tempfile.TemporaryDirectory() as folder:
        both = partial(_drawn, given, game)
        return find(setup, both, effort, "it", Path(folder), SILENT)


def _drawn(given: dict[Colour, Mixture], game: Game, seed: int) -> Drawn:
    """The players of both colours in the game of a seed."""
    black, white = (given[colour].draw(seed) for colour in Colour)
    return Drawn(game, seed, black.black, white.white)


def main() -> None:
    """Print a row for each player."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=2)
    parser.add_argument("--moves", type=int, default=4)
    parser.add_argument("--komi", type=float, default=1.5)
    parser.add_argument("--seeds", type=int, default=16)
    parser.add_argument("--attempts", type=float, default=0.02, help="million, of a responder")
    parser.add_argument("--responders", nargs="+", default=["tree"], help="tree, policy")
    given = parser.parse_args()
    rules = Rules.profile("olympiad", size=given.size, komi=given.komi)
    game = Game(rules.with_text("max_moves", str(given.moves)))
    print("| player | exact | " + " | ".join(f"{kind} | of it" for kind in given.responders), "|")
    for spec in BOTS:
        players = [bots.make(spec, game, seed) for seed in range(given.seeds)]
        evenly = turned(players, [1.0] * len(players))
        both = {"even": dict.fromkeys(Colour, evenly), "Nash": nash(players, game.rules)}
        for name, sides in both.items():
            most = sum(exact(c, game.rules, sides[c.other]) for c in Colour) / 2
            cells = [f"{spec}, {name}", f"{100 * most:.1f} %"]
            for kind in given.responders:
                found = learned(kind, sides, game, given.attempts)
                low, high = (100 * x for x in found.best.rate()[1:])
                rate = found.best.rate().value
                cells += [f"{100 * rate:.1f} % ({low:.1f} to {high:.1f})", f"{rate / most:.0%}"]
            print("|", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
