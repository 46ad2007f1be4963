"""A random agent plays Black against a bot in the PettingZoo environment."""

import phantomgo as pg
from phantomgo import environment

env = environment.env(pg.Rules(size=5, komi=2.5))
env.reset(seed=1)
env.step(12)  # Black's C3
env.step(12)  # White tries the same point
agent = env.agent_selection
print(agent, "was told", *env.observe(agent)["messages"])

env.reset(seed=1)
env.action_space("black_0").seed(1)
bot = pg.make_bot("flatmc:playouts=50", seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated:
        action = None
        if reward > 0:
            print(agent, "won")
    elif agent == "black_0":
        action = env.action_space(agent).sample(observation["action_mask"])
    else:
        move = bot.decide(env.unwrapped.view(agent)).move
        action = 25 if move == pg.PASS else move
    env.step(action)
