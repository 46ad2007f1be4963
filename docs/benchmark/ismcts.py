"""OpenSpiel's information set MCTS against a bot of ours. Needs open_spiel.

    python docs/benchmark/ismcts.py flatmc:playouts=200 --simulations 1000 --games 20

OpenSpiel has the algorithm (Cowling, Powley and Whitehouse 2012) and plays it out by random moves;
the worlds that it searches in are drawn by the belief of `phantom`, whose net knows the view alone.
"""

import argparse
import time
from itertools import count

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import phantomgo as pg
from phantomgo import spiel
from phantomgo.errors import BadMessage
from phantomgo.game.board import Board
from phantomgo.game.points import grid, members, point_set
from phantomgo.match.stats import wilson

BELIEVER = "phantom:playouts=1,book=none"
TRIES = 50


def drawn(view, chances, generator):
    """A board with hidden stones drawn by their chances; no chain lacks a liberty.

    After TRIES draws in vain all points that may hide a stone are equally likely.
    """
    points, odds = list(chances), np.array([max(chance, 1e-6) for chance in chances.values()])
    for tries in count():
        if tries == TRIES:
            points, odds = list(members(view.unknown)), np.ones(view.unknown.bit_count())
        keys = generator.random(len(points)) ** (1 / odds)
        stones = view.located | point_set(points[i] for i in np.argsort(-keys)[: view.hidden])
        black, white = (view.own, stones) if view.colour is pg.BLACK else (stones, view.own)
        board = Board(view.rules.size, black, white)
        empty = grid(board.size).full & ~(black | white)
        chains = board.chains(pg.BLACK) + board.chains(pg.WHITE)
        if all(grid(board.size).grow(chain) & empty for chain in chains):
            return board
    raise AssertionError


def imagined(state, board, other):
    """The state with another board, and what the opponent would know there."""
    twin = state.clone()
    referee = twin._held.referee.copy()
    referee.board, referee._views = board, {**referee._views, other.colour: other}
    referee._positions = frozenset([referee._position(board, referee.to_move)])
    twin._held = spiel._Held(referee)
    return twin


def resampler(generator, rules):
    """A function that draws a state in which the player knows what they know."""
    believer, known = pg.make_bot(BELIEVER, rules), {}

    def resample(state, player):
        view = state.view(player)
        if view not in known:
            known.clear()
            known[view] = believer.stone_probabilities(view)
        board = drawn(view, known[view], generator)
        other = pg.View(
            view.rules,
            view.colour.other,
            own=board.stones(view.colour.other),
            enemies=view.own.bit_count(),
            turn=view.opponent_turn,
            opponent_turn=view.turn,
        )
        return imagined(state, board, other)

    return resample


class Searcher(ismcts.ISMCTSBot):
    """OpenSpiel's, for which a world counts as a draw once it contradicts a refusal of before."""

    def run_simulation(self, state):
        try:
            return super().run_simulation(state)
        except BadMessage:
            return np.zeros(2)


def game_of(spec, simulations, seed, colour):
    """The result for ISMCTS of one game, and the seconds of its decisions."""
    game = pyspiel.load_game(f"{spiel.NAME}(size=5,komi=2.5)")
    generator = np.random.default_rng(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    searcher = Searcher(
        game, evaluator, 1.4, simulations, random_state=np.random.RandomState(seed),
        use_observation_string=True, allow_inconsistent_action_sets=True,
    )  # fmt: skip
    searcher.set_resampler(resampler(generator, game.rules))
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
