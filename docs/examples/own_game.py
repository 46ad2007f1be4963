"""A portfolio of seeds for a game of your own."""

import random

import phantomgo as pg


def play(black, white):
    """Nim by players who draw: whoever takes the last of 21 matches wins."""
    seeds, left, turn = (black, white), 21, 0
    while left:
        draw = random.Random(f"{seeds[turn % 2]} {turn} {left}")
        left -= draw.randint(1, min(3, left))
        turn += 1
    return turn % 2  # 1 if Black took the last match


matrix = pg.play_matrix(play, 120)
table = pg.evaluate(matrix, methods=["uniform", "bestseed", "nash"], repeats=20)
for method, rates in zip(table.methods, table.mean, strict=True):
    print(f"{method}: {rates[0]:.2f} against a fresh seed, {rates[-1]:.2f} against 16")
portfolio = pg.learn_portfolio(matrix, "nash")
seed = random.choices(range(120), portfolio.black)[0]  # the seed to play Black with
