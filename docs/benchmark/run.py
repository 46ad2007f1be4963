"""A benchmark of players of Phantom Go (docs/benchmark/README.md).

    python docs/benchmark/run.py phantom:playouts=200,book=none
    python docs/benchmark/run.py --table

The first command writes results/NAME.json, the second the table of README.md. The views are data;
`--make` has written them, once.
"""

import argparse
import json
import math
import platform
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

import bots
import phantomgo as pg
from gtp.messages import read
from phantomgo.estimates import wilson
from phantomgo.game.beginning import Game
from phantomgo.game.points import parse_colour
from phantomgo.game.wording import line

HERE = Path(__file__).parent
RESULTS, README, VIEWS = HERE / "results", HERE / "README.md", HERE / "views.jsonl"
KOMI = {5: 2.5, 7: 3.5, 9: 5.5}
NUMBER = {5: 60, 7: 60, 9: 80}
PLAYERS = ("flatmc:playouts=200", "phantom:playouts=200,book=none")
LADDER = ("random", *PLAYERS)
CLASSES = (1, 10)  # the most processor time per decision, in decisions of the last of the ladder
TINY = {"2x2, 3 moves": (2, 3), "2x2, 4 moves": (2, 4), "3x3, 3 moves": (3, 3)}
SEEDS = 16
SOLVERS = ("openspiel:uniform", "openspiel:cfr+")
REPLAYED = 2
LEAST = 0.01  # the least chance that counts, so that no single error dominates the loss


def ladder(spec: str, size: int, games: int) -> dict[str, dict[str, object]]:
    """The points against each of the ladder, and the results of games to be played again."""
    found = {}
    for rung in LADDER:
        report = pg.play_match(spec, rung, size=size, komi=KOMI[size], games=games, seed=size)
        again = [replayed(spec, rung, size, seed) for seed in range(REPLAYED)]
        found[rung] = {"points": report.tally(0).points, "games": games, "replayed": again}
        print(size, rung, found[rung], flush=True)
    return found


def replayed(spec: str, rung: str, size: int, seed: int) -> str:
    """The result and the length of a game, by turns as Black and as White."""
    pair = (spec, rung) if seed % 2 == 0 else (rung, spec)
    record = pg.play_game(*pair, size=size, komi=KOMI[size], seeds=(seed, seed + 1))
    return f"{record.outcome.result} after {len(record.steps)}"


def exact(name: str) -> dict[str, float]:
    """NashConv in units of a won game (0 to 2) on each tiny board, of both players together."""
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from phantomgo import spiel

    def chosen(game):
        if name == "openspiel:uniform":
            return policy.UniformRandomPolicy(game)
        if name == "openspiel:cfr+":
            solver = pyspiel.CFRPlusSolver(game)
            for _ in range(20):
                solver.evaluate_and_update_policy()
            return policy.pyspiel_policy_to_python_policy(game, solver.tabular_average_policy())
        return policy.tabular_policy_from_callable(game, behaviour(game, name))

    found = {}
    for board, (size, moves) in TINY.items():
        game = pyspiel.load_game(f"{spiel.NAME}(size={size},komi=1.5,max_moves={moves})")
        found[board] = round(exploitability.nash_conv(game, chosen(game)), 4)
        print(board, found[board], flush=True)
    return found


def behaviour(game, spec: str):
    """SEEDS seeds of a bot, drawn alike, as one policy: in each information state a seed weighs 1
    if it would have come there by its own attempts, else 0."""
    points = game.rules.size**2
    players = [pg.make_bot(spec, game.rules, seed) for seed in range(SEEDS)]
    table: dict[str, dict[int, float]] = {}

    def walk(state, coming):
        if state.is_terminal():
            return
        player, legal = state.current_player(), state.legal_actions()
        view = state.view(player)
        moves = {seed: players[seed].decide(view).move for seed in coming[player]}
        by = defaultdict(list)
        for seed, move in moves.items():
            by[move if move >= 0 else points].append(seed)
        shares = {a: len(by[a]) / len(moves) if moves else 1 / len(legal) for a in legal}
        table[state.information_state_string(player)] = shares
        for action in legal:
            walk(state.child(action), {**coming, player: by[action]})

    walk(game.new_initial_state(), {0: range(SEEDS), 1: range(SEEDS)})
    return lambda state: table[state.information_state_string(state.current_player())]


def cost(spec: str) -> dict[str, float]:
    """Milliseconds of processor time per decision on 9x9, and how many decisions of the last of the
    ladder take as long, measured by turns."""
    cases = [view for view, _ in views() if view.rules.size == 9][:12]
    spent = defaultdict(list)
    for view in cases:
        for player in (LADDER[-1], spec):
            bot = bots.make(player, Game.of(view), 1)
            bot.decide(view)
            start = time.process_time()
            bot.decide(view)
            spent[player].append(1000 * (time.process_time() - start))
    ours, theirs = median(spent[spec]), median(spent[LADDER[-1]])
    return {"milliseconds": round(ours, 3), "relative": round(ours / theirs, 3)}


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


def log_loss(spec: str) -> dict[str, float]:
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
    return {"log_loss": round(mean, 4), "error": round((spread / len(losses)) ** 0.5, 4)}


def enter(spec: str, boards: list[int], games: int) -> Path:
    """Measure a player and write its result."""
    found: dict[str, object] = {"player": spec, "date": f"{datetime.now(UTC):%Y-%m-%d}"}
    packages = ("phantomgo", "numpy", "numba", "open_spiel")
    found["versions"] = {"python": platform.python_version(), **dict(map(installed, packages))}
    if spec in SOLVERS:
        found["exact"] = exact(spec)
    else:
        report = pg.play_match(spec, "random", size=5, games=2)
        found["data"] = report.as_dict()["players"][0]["data"]
        found |= {"cost": cost(spec), "belief": log_loss(spec), "exact": exact(spec)}
        found["ladder"] = {f"{size}x{size}": ladder(spec, size, games) for size in boards}
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / (re.sub(r"[^a-z0-9+]+", "-", spec.lower()) + ".json")
    path.write_text(json.dumps(found, indent=1) + "\n")
    return path


def installed(package: str) -> tuple[str, str | None]:
    try:
        return package, version(package)
    except PackageNotFoundError:
        return package, None


def table() -> str:
    """The table of all results, those of the same class by points on the ladder."""
    entries = [json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))]
    measured = {board for entry in entries for board in entry.get("ladder", {})}
    sizes = [size for size in KOMI if f"{size}x{size}" in measured]
    head = ["player", "class", *(f"NashConv {board}" for board in TINY), "log loss"]
    head += [f"{size}x{size} {rung.partition(':')[0]}" for size in sizes for rung in LADDER]
    rows = [head, ["---"] * len(head)]
    for entry in sorted(entries, key=lambda entry: (kind(entry), entry["player"])):
        belief = entry.get("belief")
        loss = f"{belief['log_loss']:.3f} ± {belief['error']:.3f}" if belief else "-"
        row = [f"`{entry['player']}`", kind(entry), *(f"{entry['exact'][b]:.3f}" for b in TINY)]
        for size in sizes:
            cells = entry.get("ladder", {}).get(f"{size}x{size}", {})
            row += [rate(cells[rung]) if rung in cells else "-" for rung in LADDER]
        rows.append([*row[: 2 + len(TINY)], loss, *row[2 + len(TINY) :]])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def kind(entry: dict) -> str:
    """The class of an entry by its processor time."""
    if "cost" not in entry:
        return "solver"
    near = [most for most in CLASSES if entry["cost"]["relative"] <= 1.1 * most]
    return f"up to {near[0]}" if near else "any"


def rate(cell: dict) -> str:
    low, high = (100 * bound for bound in wilson(cell["points"], cell["games"])[1:])
    return f"{100 * cell['points'] / cell['games']:.0f} ({low:.0f} to {high:.0f})"


def with_table(page: str) -> str:
    """The page with the present table."""
    return re.sub(r"(?ms)^\| player \| class .*?\n\n", lambda _: table() + "\n\n", page)


def make() -> None:
    """Write the views, each from a game of its own."""
    lines = []
    for size, number in NUMBER.items():
        for seed in range(number):
            drawn = random.Random(f"{size} {seed}")
            black, white = (drawn.choice(PLAYERS) for _ in range(2))
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
    parser.add_argument("specs", nargs="*", help=f"bots, or any of {', '.join(SOLVERS)}")
    parser.add_argument("--games", type=int, default=200, help="of each match (default 200)")
    parser.add_argument("--boards", default="5,7,9", help="sizes (default 5,7,9)")
    parser.add_argument("--table", action="store_true", help="write the table of README.md")
    parser.add_argument("--make", action="store_true", help="write the views again")
    given = parser.parse_args()
    if given.make:
        make()
    for spec in given.specs:
        print(enter(spec, [*map(int, given.boards.split(","))], given.games), flush=True)
    if given.table:
        README.write_text(with_table(README.read_text()))


if __name__ == "__main__":
    main()
