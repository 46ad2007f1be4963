"""What a best response wins against a bot, and how near OpenSpiel comes to an equilibrium."""

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

import phantomgo as pg
from phantomgo import spiel

game = pyspiel.load_game(f"{spiel.NAME}(size=2,komi=1.5,max_moves=3)")


class BotPolicy(policy.Policy):
    """One of our bots, which always plays the same seed."""

    def __init__(self, spec, seed):
        super().__init__(game, [0, 1])
        self.bot = pg.make_bot(spec, game.rules, seed)

    def action_probabilities(self, state, player_id=None):
        player = state.current_player() if player_id is None else player_id
        move = self.bot.decide(state.view(player)).move
        return {4 if move == pg.PASS else move: 1.0}


bot = policy.tabular_policy_from_callable(game, BotPolicy("flatmc:playouts=20", seed=1))
for player in (0, 1):
    response = exploitability.best_response(game, bot, player)
    print(f"a best response as player {player} wins {response['best_response_value']:.2f}")

solver = pyspiel.CFRPlusSolver(game)
for _ in range(20):
    solver.evaluate_and_update_policy()
nash_conv = pyspiel.nash_conv(game, solver.average_policy())
print(f"NashConv: flatmc {exploitability.nash_conv(game, bot):.2f}, CFR+ {nash_conv:.2f}")
