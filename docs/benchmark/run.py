"""A frozen benchmark of players of Phantom Go (docs/benchmark/README.md).

    python docs/benchmark/run.py phantom:playouts=2000,book=none random

prints a row for each bot spec. The views are data; `--make` has written them, once.
"""

import argparse
import json
import math
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import bots
import phantomgo as pg
from gtp.messages import read
from phantomgo.game.beginning import Game
from phantomgo.game.points import Colour, parse_colour
from phantomgo.game.wording import line
from phantomgo.lab.measure.best_response import Effort, learn_response, measure_response
from phantomgo.lab.run.progress import SILENT
from phantomgo.lab.seeds.contest import make_setup
from phantomgo.match.stats import wilson

VIEWS = Path(__file__).with_name("views.jsonl")
KOMI = {5: 2.5, 7: 3.5, 9: 5.5}
NUMBER = {5: 60, 7: 60, 9: 80}
PLAYERS = ("flatmc:playouts=200", "phantom:playouts=200,book=none")
OPPONENT = "flatmc:playouts=200"
LEAST = 0.01  # the least chance that counts, so that no single error dominates the loss


def views() -> Iterator[tuple[pg.View, set[int]]]:
    """The frozen views, and where enemy stones are hidden in each."""
    for text in VIEWS.read_text().splitlines():
        case = json.loads(text)
        colour = parse_colour(case["view_of"])
        view = pg.View(pg.Rules(size=case["size"], komi=case["komi"]), colour)
        for name, *words in map(str.split, case["told"]):
            message = read(name, words, colour, case["size"])
            assert message is not None
            view = view.after(message)
        yield view, {int(pg.parse_move(vertex, case["size"])) for vertex in case["hidden"]}


def log_loss(spec: str) -> tuple[float, float]:
    """The mean log loss of a belief per open point, and its standard error over views."""
    losses = []
    for seed, (view, hidden) in enumerate(views()):
        chances = bots.make(spec, Game.of(view), seed).stone_probabilities(view)
        told = {point: min(max(p, LEAST), 1 - LEAST) for point, p in chances.items()}
        lost = [-math.log(p if point in hidden else 1 - p) for point, p in told.items()]
        lost += [-math.log(LEAST)] * len(hidden - told.keys())
        losses.append(sum(lost) / max(1, len(lost)))
    mean = sum(losses) / len(losses)
    spread = sum((loss - mean) ** 2 for loss in losses) / (len(losses) - 1)
    return mean, (spread / len(losses)) ** 0.5


def wins(spec: str, size: int, games: int) -> str:
    """The win rate against the player of the papers, with a 95 % interval."""
    report = pg.play_match(spec, OPPONENT, size=size, komi=KOMI[size], games=games, seed=size)
    return interval(report.tally(0).points, games)


def kept(spec: str, minutes: float, games: int) -> str:
    """The win rate on 5x5 against a best response, both colours together."""
    rules = pg.Rules(size=5, komi=KOMI[5])
    effort = Effort("phantom:book=none", minutes, 256, games, 0).checked()
    game = Game(rules)
    setup = make_setup(effort.base, effort.base, "olympiad", game)
    drawn, lost = partial(bots.make, spec, game), 0.0
    for colour in Colour:
        policy = learn_response("r", setup, effort, colour, drawn, spec, None, SILENT)
        lost += measure_response(policy, effort, colour, drawn, SILENT)
    return interval(2 * games - lost, 2 * games)


def interval(points: float, games: int) -> str:
    low, high = (100 * bound for bound in wilson(points, games)[1:])
    return f"{100 * points / games:.1f} ({low:.1f} to {high:.1f})"


def make() -> None:
    """Write the views, each from a game of its own."""
    lines = []
    for size, number in NUMBER.items():
        for seed in range(number):
            drawn = random.Random(f"{size} {seed}")
            black, white = (drawn.choice(PLAYERS) for _ in Colour)
            record = pg.play_game(black, white, size=size, komi=KOMI[size], seeds=(seed, seed + 1))
            lines.append(json.dumps(case(record, drawn), separators=(",", ":")))
    VIEWS.write_text("\n".join(lines) + "\n")


def case(record: pg.Record, drawn: random.Random) -> dict[str, object]:
    """A view of the player to move in which enemy stones are hidden, and where they are."""
    referee, found = pg.Referee(record.rules), []
    for step in record.attempts:
        colour = referee.to_move
        view, truth = referee.view(colour), referee.board.stones(colour.other)
        hidden = set(pg.members(truth)) - set(pg.members(view.located))
        if hidden:
            told = [line(event, colour, record.rules.size) for event in view.events]
            found.append((str(colour).lower(), told, sorted(hidden)))
        referee.attempt(colour, step.move)
    side, told, stones = drawn.choice(found)
    size = record.rules.size
    there = [pg.vertex(point, size) for point in stones]
    return {"size": size, "komi": record.rules.komi, "view_of": side, "told": told, "hidden": there}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="*", help="bots")
    parser.add_argument("--games", type=int, default=200, help="of each match (default 200)")
    parser.add_argument("--minutes", type=float, default=1.0, help="to learn against it, a colour")
    parser.add_argument("--make", action="store_true", help="write the views again")
    given = parser.parse_args()
    if given.make:
        make()
    print("| player | log loss | 5x5 | 7x7 | 9x9 | best response |\n|---|---|---|---|---|---|")
    for spec in given.specs:
        loss, error = log_loss(spec)
        rates = [wins(spec, size, given.games) for size in KOMI]
        cells = f"`{spec}`", f"{loss:.3f} ± {error:.3f}", *rates
        print("|", " | ".join([*cells, kept(spec, given.minutes, given.games)]), "|", flush=True)


if __name__ == "__main__":
    main()
