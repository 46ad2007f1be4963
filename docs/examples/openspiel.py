"""Counterfactual regret minimisation on a small game of Phantom Go, by OpenSpiel."""

import pyspiel

from phantomgo import spiel

game = pyspiel.load_game(f"{spiel.NAME}(size=2,komi=1.5,max_moves=3)")
solver = pyspiel.CFRPlusSolver(game)
for _ in range(20):
    solver.evaluate_and_update_policy()
print(f"NashConv {pyspiel.nash_conv(game, solver.average_policy()):.1f}")
