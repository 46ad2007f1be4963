"""`python -m tests.support.many_seeds 4000 1000000 SPEC...`: learners on a drawn matrix.

More seeds than any recorded matrix has: seed i of Black beats seed j of White with the chance
1 / (1 + exp(w_j - b_i)), where b and w are drawn from a normal distribution as wide as makes the
rates of seeds differ as they do on 5x5. 400 seeds more are kept for testing.
"""

import sys
import time

import numpy as np

from phantomgo.lab.learners.learner import Terms, recorded
from phantomgo.lab.learners.table import parse_learner
from phantomgo.portfolio.exploiter import Portfolio, against, expected_exploited
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.methods import parse_method

FRESH = 400
WIDTH = 0.43
SMALL = 380


def drawn(rows, columns, width=WIDTH, seed=0):
    """Who wins, shape (rows, columns)."""
    random = np.random.default_rng(seed)
    ahead = random.normal(0, width, rows)[:, None] - random.normal(0, width, columns)
    return (random.random((rows, columns)) < 1 / (1 + np.exp(-ahead))).astype(np.uint8)


def report(won, name, portfolio, games, began):
    own = len(portfolio.black)
    rates = against(portfolio, won[:own, own:], won[own:, :own])
    one, many = (100 * expected_exploited(rates, tries).rate for tries in (1, 16))
    seconds = time.process_time() - began
    line = f"{name}: {games} games, K'=1 {one:.1f} %, K'=16 {many:.1f} %, {seconds:.1f} s\n"
    sys.stdout.write(line)


def main(own, most, specs):
    won = drawn(own + FRESH, own + FRESH)
    matrix = SeedMatrix(*2 * (won[:own, :own],))
    began, small = time.process_time(), matrix.first(SMALL, SMALL)
    nash = Portfolio(*np.zeros((2, own)))
    for side, found in zip(nash, parse_method("nash").learn(small, 0), strict=True):
        side[:SMALL] = found
    report(won, f"nash of the first {SMALL}", nash, SMALL**2, began)
    for spec in specs:
        began = time.process_time()
        learner = parse_learner(spec).make(Terms(own, own))
        for end in recorded(learner, matrix, [most]):
            report(won, spec, end.portfolio, end.games, began)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
