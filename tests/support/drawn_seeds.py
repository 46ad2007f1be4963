"""`python -m tests.support.drawn_seeds SEEDS OPPONENTS DRAWS SPEC...`: what learners find.

No game is played: seed i of Black beats seed j of White with the chance 1 / (1 + exp(w_j - b_i)),
and b and w are drawn anew each time, as wide as makes the rates of seeds differ as they do on 7x7.
Each line has a learner, the games it asked for, and what the seeds it ends with win on average.
"""

import sys

import numpy as np

from phantomgo.lab.learners.learner import SeedTerms
from phantomgo.lab.learners.table import parse_learner

WIDTH = 0.25
FRESH = 2000


def chances(black, white):
    return 1 / (1 + np.exp(white - black))


def found_by(spec, terms, random):
    """How many games it asked for, and the rate of what it ended with against fresh seeds."""
    chosen = parse_learner(spec)
    learner = chosen.begin(terms)
    black, white = random.normal(0, WIDTH, (2, terms.own))
    rounds, asked = learner.rounds(), 0
    cells = next(rounds, ())
    while len(cells) and (not chosen.games or asked + len(cells) <= chosen.games):
        i, j = np.array(cells).T
        asked += len(cells)
        try:
            cells = rounds.send(random.random(len(i)) < chances(black[i], white[j]))
        except StopIteration:
            break
    fresh, own = random.normal(0, WIDTH, FRESH), learner.portfolio()
    as_black = own.black @ chances(black[:, None], fresh).mean(1)
    as_white = own.white @ (1 - chances(fresh, white[:, None])).mean(1)
    return asked, (as_black + as_white) / 2


def main(own, opponents, draws, specs):
    for spec in specs:
        random = np.random.default_rng(0)
        asked, rates = zip(
            *(found_by(spec, SeedTerms(own, opponents), random) for _ in range(draws)),
            strict=True,
        )
        mean, error = 100 * np.mean(rates), 100 * np.std(rates) / draws**0.5
        sys.stdout.write(f"{spec}: {np.mean(asked):.0f} games, {mean:.1f} ± {error:.1f} %\n")
        sys.stdout.flush()


if __name__ == "__main__":
    own, opponents, draws, *specs = sys.argv[1:]
    main(int(own), int(opponents), int(draws), specs)
