"""What a bot wins that remembers its opponent, beside its book alone.

    python docs/notes/remember.py --repeats 4

In each match of 200 games it starts without experience. The last opponent changes: it is
the first four in turn, for 50 games each.
"""

import argparse
import itertools
import tempfile
from pathlib import Path

import bots
from bots.spec import remembering
from phantomgo.estimates import Interval, wilson
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import black_score
from phantomgo.game.playing import play_game
from phantomgo.game.rules import Rules

OPPONENTS = (
    "book:ucb5,symmetry=off",
    "book:steps5",
    "flatmc:playouts=200",
    "phantom:playouts=200,book=none",
    "policy:net=policy9",
)
GAMES, FIRST, CHANGES = 200, 50, 50


def won(player: str, opponents: list[str], seed: int) -> list[float]:
    """The player's scores in a match, in the order of its games; colours alternate."""
    game = Game(Rules(size=5, komi=2.5))
    scores = []
    for number in range(GAMES):
        own = bots.make(player, game, GAMES * seed + number)
        other = bots.make(opponents[number // CHANGES % len(opponents)], game, 10**6 + number)
        black = number % 2 == 0
        pair = (own, other) if black else (other, own)
        record = play_game(game.rules, *pair, game.beginning)
        score = black_score(record.outcome.result)
        scores.append(score if black else 1 - score)
    return scores


def shown(scores: list[list[float]], last: int) -> str:
    """The rate of the first games of all repeats, with its interval."""
    rate: Interval = wilson(sum(sum(one[:last]) for one in scores), last * len(scores))
    return f"{rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="book:mixed5")
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.repeats)
    for opponents in ([*([one] for one in OPPONENTS)], [list(OPPONENTS)]):
        for faced, remembers in itertools.product(opponents, (False, True)):
            scores = []
            for seed in seeds:
                with tempfile.TemporaryDirectory() as folder:
                    player = arguments.player
                    if remembers:
                        player = remembering(player, str(Path(folder, "state.db")))
                    scores.append(won(player, faced, seed))
            name = faced[0] if len(faced) == 1 else "changing"
            how = "remembers" if remembers else "book"
            print(f"{name}, {how}: {shown(scores, FIRST)}, {shown(scores, GAMES)}", flush=True)


if __name__ == "__main__":
    main()
