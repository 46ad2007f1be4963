"""OpenSpiel's policy gradient agent, trained against itself on 5x5. Needs open_spiel and torch.

    python docs/benchmark/policy_gradient.py random flatmc:playouts=200 --minutes 5 60

The agent is advantage actor-critic, one net of two layers for each colour, whose input is the
observation tensor of `phantomgo.spiel`. After each given number of minutes of processor time its
likeliest moves play against our bots; then it trains on.
"""

import argparse
import time

import numpy as np
import pyspiel
import torch
from open_spiel.python import rl_environment
from open_spiel.python.pytorch.policy_gradient import PolicyGradient

import phantomgo as pg
from phantomgo import spiel
from phantomgo.estimates import wilson


def agents_of(environment):
    """An untrained agent for each colour."""
    size = environment.observation_spec()["info_state"][0]
    # OpenSpiel 2.0.2 adds the entropy to the loss, so a cost below 0 rewards it.
    return [
        PolicyGradient(
            player, size, environment.action_spec()["num_actions"], loss_str="a2c",
            hidden_layers_sizes=(128, 128), batch_size=256, num_critic_before_pi=1,
            critic_learning_rate=1e-3, pi_learning_rate=1e-3, optimizer_str="adam",
            entropy_cost=-0.01,
        )
        for player in range(2)
    ]  # fmt: skip


def train(environment, agents):
    """Let the agents play and learn from one game."""
    now = environment.reset()
    while not now.last():
        player = now.observations["current_player"]
        now = environment.step([agents[player].step(now).action])
    for agent in agents:
        agent.step(now)


def won(environment, agent, spec, seed, colour):
    """True if the agent with that colour won the game."""
    ours, now = pg.make_bot(spec, environment.game.rules, seed), environment.reset()
    while not now.last():
        if now.observations["current_player"] == colour:
            chances = agent.step(now, is_evaluation=True).probs
            now = environment.step([int(np.argmax(chances))])
        else:
            move = ours.decide(environment.get_state.view(1 - colour)).move
            now = environment.step([25 if move == pg.PASS else int(move)])
    return now.rewards[colour] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="+", help="our bots")
    parser.add_argument(
        "--minutes", type=float, nargs="+", default=[60.0], help="of processor time"
    )
    parser.add_argument("--games", type=int, default=200, help="half of them with each colour")
    parser.add_argument("--seed", type=int, default=0, help="of training and of the first game")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    np.random.seed(given.seed)  # the agent draws from it
    environment = rl_environment.Environment(
        pyspiel.load_game(f"{spiel.NAME}(size=5,komi=2.5)"),
        observation_type=rl_environment.ObservationType.OBSERVATION,
    )
    agents, games, spent = agents_of(environment), 0, 0.0
    for minutes in given.minutes:
        while spent < 60 * minutes:
            began = time.process_time()
            train(environment, agents)
            games, spent = games + 1, spent + time.process_time() - began
        for spec in given.specs:
            print(f"{minutes} minutes, {games} games:", measured(environment, agents, spec, given))


def measured(environment, agents, spec, given):
    """The score of the agents against the bot, as text."""
    found = [0, 0]
    for number in range(given.games):
        colour = number % 2
        found[colour] += won(environment, agents[colour], spec, given.seed + number, colour)
    low, high = (100 * bound for bound in wilson(sum(found), given.games)[1:])
    rate = f"{100 * sum(found) / given.games:.1f} % ({low:.1f} to {high:.1f})"
    return f"{found[0]} as Black, {found[1]} as White of {given.games} won against {spec}: {rate}"


if __name__ == "__main__":
    main()
