"""OpenSpiel's information set MCTS against a bot of ours. Needs open_spiel.

    python docs/benchmark/ismcts.py flatmc:playouts=200 --simulations 1000 --games 20

OpenSpiel has the algorithm (Cowling, Powley and Whitehouse 2012) and plays it out by random moves;
the worlds that it searches in are those of `pg.Games.worlds`.
"""

import argparse
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import phantomgo as pg
from phantomgo import spiel
from phantomgo.estimates import wilson


def game_of(spec, simulations, seed, colour):
    """The result for ISMCTS of one game, and the seconds of its decisions."""
    game = pyspiel.load_game(f"{spiel.NAME}(size=5,komi=2.5)")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    searcher = ismcts.ISMCTSBot(
        game, evaluator, 1.4, simulations, random_state=np.random.RandomState(seed),
        use_observation_string=True, allow_inconsistent_action_sets=True,
    )  # fmt: skip
    ours, state, spent = pg.make_bot(spec, game.rules, seed), game.new_initial_state(), []
    while not state.is_terminal():
        if state.current_player() == colour:
            began = time.process_time()
            state.apply_action(searcher.step(state))
            spent.append(time.process_time() - began)
        else:
            move = ours.decide(state.view(1 - colour)).move
            state.apply_action(25 if move == pg.PASS else move)
    return state.returns()[colour] > 0, spent


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("spec", help="our bot")
    parser.add_argument("--simulations", type=int, default=1000, help="per decision of ISMCTS")
    parser.add_argument("--games", type=int, default=20, help="half of them with each colour")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    given = parser.parse_args()
    won, spent = [0, 0], []
    for number in range(given.games):
        colour = number % 2
        found, seconds = game_of(given.spec, given.simulations, given.seed + number, colour)
        won[colour] += found
        spent += seconds
        low, high = (100 * bound for bound in wilson(sum(won), number + 1)[1:])
        print(
            f"{number + 1} games: ISMCTS won {won[0]} as Black, {won[1]} as White:"
            f" {100 * sum(won) / (number + 1):.1f} % ({low:.1f} to {high:.1f}),"
            f" {sum(spent) / len(spent):.2f} s a decision",
            flush=True,
        )


if __name__ == "__main__":
    main()
