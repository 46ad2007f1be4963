"""Exact exploitability of bots and of portfolios of their seeds, on small boards.

    python docs/notes/exact.py --size 2 --moves 4 --bot flatmc:playouts=20 --seeds 1 4 16 64

NashConv is the sum of what best responses gain against both colours, here in games: 0 at an
equilibrium, 1 if they win every game. OpenSpiel computes it from the whole tree of a game that is
scored after this many moves. A portfolio is one behaviour policy: in each information state a seed
is weighted by the probability with which it reaches that state.
"""

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

import bots
from bots import Bot
from phantomgo import spiel
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import black_won
from phantomgo.game.playing import play_game
from phantomgo.game.points import PASS
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.methods import parse_method

CFR_ROUNDS = 50


class Mixture(policy.Policy):
    """A distribution over players for each colour, as one behaviour policy."""

    def __init__(
        self, game: Any, players: Sequence[Bot], weights: Sequence[Sequence[float]]
    ) -> None:
        super().__init__(game, [0, 1])
        self._players = players
        self._table: dict[str, dict[int, float]] = {}
        self._asked: dict[str, list[int | None]] = {}
        self._walk(game.new_initial_state(), [list(side) for side in weights])

    def _walk(self, state: Any, reach: list[list[float]]) -> None:
        if state.is_terminal():
            return
        player, legal = state.current_player(), state.legal_actions()
        key = state.information_state_string(player)
        if key not in self._table:
            view, passing = state.view(player), state.num_distinct_actions() - 1
            moves = [
                bot.decide(view).move if weight else None
                for bot, weight in zip(self._players, reach[player], strict=True)
            ]
            asked = [passing if move == PASS else move for move in moves]
            mass: dict[int | None, float] = defaultdict(float)
            for action, weight in zip(asked, reach[player], strict=True):
                mass[action] += weight
            total = sum(reach[player])
            self._asked[key] = asked
            self._table[key] = {
                action: mass[action] / total if total else 1 / len(legal) for action in legal
            }
        for action in legal:
            kept = [
                weight if chosen == action else 0.0
                for chosen, weight in zip(self._asked[key], reach[player], strict=True)
            ]
            after = list(reach)
            after[player] = kept
            self._walk(state.child(action), after)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> Mapping[int, float]:
        player = state.current_player() if player_id is None else player_id
        return self._table[state.information_state_string(player)]


def left(game: Any, players: Sequence[Bot], *weights: Sequence[float]) -> float:
    """The NashConv of a mixed strategy over players, in games."""
    found = exploitability.nash_conv(game, Mixture(game, players, weights))
    return float(found) / 2  # OpenSpiel counts a loss as -1


def main() -> None:
    """Print a row for each number of seeds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=2)
    parser.add_argument("--moves", type=int, default=4)
    parser.add_argument("--komi", type=float, default=1.5)
    parser.add_argument("--bot", default="flatmc:playouts=20")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 4, 16, 64])
    given = parser.parse_args()
    terms = f"size={given.size},komi={given.komi},max_moves={given.moves}"
    game = pyspiel.load_game(f"{spiel.NAME}({terms})")
    played, most = Game(game.rules), max(given.seeds)
    players = [bots.make(given.bot, played, seed) for seed in range(most)]
    won = np.array(
        [[black_won(play_game(played.rules, one, other).outcome.result) for other in players]
         for one in players], np.uint8,
    )  # fmt: skip
    fresh = [bots.make(given.bot, played, seed) for seed in range(1000, 1000 + most)]
    even = [1 / most] * most
    print(f"{given.bot}, {terms}; all figures are NashConv in games")
    print(f"| one seed | {np.mean([left(game, [bot], [1], [1]) for bot in players[:8]]):.3f} |")
    print(f"| the bot, {most} fresh seeds evenly | {left(game, fresh, even, even):.3f} |")
    print("| seeds learned from | best seed | Nash | Nash, value |")
    for count in given.seeds:
        matrix = SeedMatrix(won[:count, :count], won[:count, :count])
        figures = []
        for name in ("bestseed", "nash"):
            black, white = parse_method(name).learn(matrix, 0)
            figures.append(left(game, players[:count], black.tolist(), white.tolist()))
            value = float(black @ matrix.black @ white)
        print(f"| {count} | {figures[0]:.3f} | {figures[1]:.3f} | {value:.3f} |", flush=True)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(CFR_ROUNDS):
        solver.evaluate_and_update_policy()
    found = pyspiel.nash_conv(game, solver.average_policy()) / 2
    print(f"| CFR+, {CFR_ROUNDS} rounds | {found:.4f} |")


if __name__ == "__main__":
    main()
