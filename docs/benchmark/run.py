"""A benchmark of players of Phantom Go (docs/benchmark/README.md).

    python docs/benchmark/run.py phantom:playouts=200,book=none
    python docs/benchmark/run.py "gtp:gnugo --mode gtp" --tracks ladder
    python docs/benchmark/run.py --table

The first commands write results/NAME.json, the last one the table of README.md. The public views
are data, from games of earlier bots.
"""

import argparse
import json
import math
import platform
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import fmean, median

import numpy as np

import bots
import phantomgo as pg
from bots.belief import even_probabilities, presume_refused
from bots.spec import is_engine
from gtp.messages import read
from phantomgo.estimates import mean_error, wilson
from phantomgo.game.beginning import Game
from phantomgo.game.points import parse_colour
from phantomgo.game.wording import line

HERE = Path(__file__).parent
RESULTS, README, VIEWS = HERE / "results", HERE / "README.md", HERE / "views.jsonl"
KOMI = {5: 2.5, 7: 3.5, 9: 5.5}
NUMBER = {5: 60, 7: 60, 9: 80}
PLAYERS = ("flatmc:playouts=200", "phantom:playouts=200,book=none")
LADDER = ("random", *PLAYERS, "policy:temperature=1")
UNIT = PLAYERS[1]
CLASSES = (1, 10)  # the most time per decision, in decisions of UNIT
TRACKS = ("exact", "belief", "ladder", "response")
TINY = {"2x2, 3 moves": (2, 3), "2x2, 4 moves": (2, 4), "3x3, 3 moves": (3, 3)}
SEEDS = 16
ITERATIONS = {"openspiel:cfr+": 20, "openspiel:mccfr": 1000}
SOLVERS = ("openspiel:uniform", *ITERATIONS)
REPLAYED = 5
LEAST = 0.01  # the least chance that counts, so that no single error dominates the loss


def ladder(spec: str, size: int, games: int) -> dict[str, dict[str, object]]:
    """The points against each of the ladder, and the results of games to be played again."""
    found = dict[str, dict[str, object]]()
    for rung in LADDER:
        report = pg.play_match(spec, rung, size=size, komi=KOMI[size], games=games, seed=size)
        found[rung] = {"points": report.tally(0).points, "games": games}
        if not is_engine(spec):  # an engine's random numbers are its own
            found[rung]["replayed"] = [replayed(spec, rung, size, seed) for seed in range(REPLAYED)]
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
    from open_spiel.python.algorithms import exploitability, external_sampling_mccfr

    from phantomgo import spiel

    def chosen(game):
        if name == "openspiel:uniform":
            return policy.UniformRandomPolicy(game)
        if name == "openspiel:cfr+":
            solver = pyspiel.CFRPlusSolver(game)
            for _ in range(ITERATIONS[name]):
                solver.evaluate_and_update_policy()
            return policy.pyspiel_policy_to_python_policy(game, solver.tabular_average_policy())
        if name == "openspiel:mccfr":
            np.random.seed(0)  # the solver draws from it
            sampling = external_sampling_mccfr.ExternalSamplingSolver(game)
            for _ in range(ITERATIONS[name]):
                sampling.iteration()
            return sampling.average_policy()
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
    """Milliseconds of processor time per decision on 5x5, and how many decisions of UNIT take as
    long, measured by turns; of an engine, seconds of a clock in games against UNIT."""
    if is_engine(spec):
        report = pg.play_match(spec, UNIT, size=5, komi=KOMI[5], games=4).as_dict()
        ours, theirs = (1000 * took for took in report["measured"]["seconds_per_attempt"])
        return {"milliseconds": round(ours, 3), "relative": round(ours / theirs, 3)}
    cases = [view for view, _ in views(public()) if view.rules.size == 5][:12]
    spent = defaultdict(list)
    for view in cases:
        for player in (UNIT, spec):
            bot = bots.make(player, Game.of(view), 1)
            bot.decide(view)
            start = time.process_time()
            bot.decide(view)
            spent[player].append(1000 * (time.process_time() - start))
    ours, theirs = median(spent[spec]), median(spent[UNIT])
    return {"milliseconds": round(ours, 3), "relative": round(ours / theirs, 3)}


def views(cases: Iterable[dict]) -> Iterator[tuple[pg.View, set[int]]]:
    """The views, and where enemy stones are hidden in each."""
    for case in cases:
        colour = parse_colour(case["view_of"])
        view = pg.View(pg.Rules(size=case["size"], komi=case["komi"]), colour)
        for name, *words in map(str.split, case["told"]):
            message = read(name, words, colour, case["size"])
            assert message is not None
            view = view.after(message)
        yield view, {int(pg.parse_move(vertex, case["size"])) for vertex in case["hidden"]}


def public() -> list[dict]:
    """The frozen views."""
    return [json.loads(text) for text in VIEWS.read_text().splitlines()]


@cache
def drawn(nonce: str) -> list[dict]:
    """As many views, each from a game of its own; which games, the nonce says."""
    first = random.Random(nonce).randrange(1 << 32)
    cases = []
    for size, number in NUMBER.items():
        for game in range(number):
            draw = random.Random(f"{nonce}{size} {game}")
            black, white = (draw.choice(PLAYERS) for _ in range(2))
            seeds = first + game, first + game + 1
            record = pg.play_game(black, white, size=size, komi=KOMI[size], seeds=seeds)
            cases.append(case_of(record, draw))
    return cases


def case_of(record: pg.Record, draw: random.Random) -> dict:
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
    side, told, stones = draw.choice(found)
    size = record.rules.size
    there = [pg.vertex(point, size) for point in stones]
    return {"size": size, "komi": record.rules.komi, "view_of": side, "told": told, "hidden": there}


def log_loss(spec: str, cases: list[dict]) -> dict[str, float]:
    """The mean log loss of a belief per open point, and its standard error over views."""
    losses = []
    for seed, (view, hidden) in enumerate(views(cases)):
        chances = bots.make(spec, Game.of(view), seed).stone_probabilities(view)
        told = {point: min(max(p, LEAST), 1 - LEAST) for point, p in chances.items()}
        lost = [-math.log(p if point in hidden else 1 - p) for point, p in told.items()]
        lost += [-math.log(LEAST)] * len(hidden - told.keys())
        losses.append(sum(lost) / max(1, len(lost)))
    return {"log_loss": round(fmean(losses), 4), "error": round(float(mean_error(losses)), 4)}


def belief(spec: str, nonce: str) -> dict[str, object]:
    """The losses in public views and in drawn ones, and whether the bot has no belief of its own,
    but the even spread of all that have none."""
    even = all(
        bots.make(spec, Game.of(view), 0).stone_probabilities(view)
        == even_probabilities(view, presume_refused(view))
        for view, _ in views(public())
    )
    found = {"even": even, "public": log_loss(spec, public())}
    return found | {"nonce": nonce, "drawn": log_loss(spec, drawn(nonce))}


def response(spec: str, attempts: float, games: int) -> dict[str, object]:
    """What the best of several responders wins on 5x5 in games that did not choose it, and the
    lowest and the highest share that one won of all its games."""
    found = pg.exploit(spec, size=5, komi=KOMI[5], attempts=attempts, games=games)
    (effort,) = found.efforts
    return {
        "million_attempts": attempts,
        "responders": len(effort.responses),
        "points": sum(found.best.measuring),
        "games": games // 2,
        "all": [round(share, 4) for share in effort.spread],
    }


def enter(spec: str, given: argparse.Namespace) -> Path:
    """Measure a player in the given tracks, and write its result."""
    found: dict[str, object] = {"player": spec, "date": f"{datetime.now(UTC):%Y-%m-%d}"}
    packages = ("phantomgo", "numpy", "numba", "open_spiel")
    found["versions"] = {"python": platform.python_version(), **dict(map(installed, packages))}
    tracks = given.tracks.split(",")
    if unknown := set(tracks) - set(TRACKS):
        raise SystemExit(f"no track {unknown.pop()}, but {', '.join(TRACKS)}")
    if spec in SOLVERS:
        tracks = ["exact"]
    elif is_engine(spec):
        tracks = ["ladder"]
    if spec not in SOLVERS:
        report = pg.play_match(spec, "random", size=5, games=2)
        found |= {"data": report.as_dict()["players"][0]["data"], "cost": cost(spec)}
    if "exact" in tracks:
        found["exact"] = exact(spec)
    if "belief" in tracks:
        found["belief"] = belief(spec, given.nonce)
    if "ladder" in tracks:
        boards = map(int, given.boards.split(","))
        found["ladder"] = {f"{size}x{size}": ladder(spec, size, given.games) for size in boards}
    if "response" in tracks:
        found["response"] = response(spec, given.attempts, 2 * given.games)
        print("best response", found["response"], flush=True)
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
    cells = [
        (board, rung) for size in KOMI for rung in LADDER if (board := f"{size}x{size}") in measured
    ]
    head = ["player", "class", *(f"NashConv {board}" for board in TINY)]
    head += ["log loss, public", "log loss, drawn"]
    head += [f"{board} {rung.partition(':')[0]}" for board, rung in cells]
    head += ["best response, 5x5", "date"]
    rows = [head, ["---"] * len(head)]
    for entry in sorted(entries, key=lambda entry: (kind(entry), entry["player"])):
        row = [f"`{entry['player']}`", kind(entry)]
        row += [f"{entry['exact'][board]:.3f}" if "exact" in entry else "-" for board in TINY]
        row += [loss(entry.get("belief"), which) for which in ("public", "drawn")]
        row += [rate(entry.get("ladder", {}).get(board, {}).get(rung)) for board, rung in cells]
        rows.append([*row, rate(entry.get("response")), entry["date"]])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def loss(belief: dict | None, which: str) -> str:
    """A log loss and its standard error."""
    if belief is None:
        return "-"
    found = f"{belief[which]['log_loss']:.3f} ± {belief[which]['error']:.3f}"
    return f"{found} (even)" if belief["even"] else found


def kind(entry: dict) -> str:
    """The class of an entry by its processor time."""
    if "cost" not in entry:
        return "solver"
    near = [most for most in CLASSES if entry["cost"]["relative"] <= 1.1 * most]
    return f"up to {near[0]}" if near else "any"


def rate(cell: dict | None) -> str:
    """A win rate in %, its 95 % interval and the number of games."""
    if cell is None:
        return "-"
    low, high = (100 * bound for bound in wilson(cell["points"], cell["games"])[1:])
    share = 100 * cell["points"] / cell["games"]
    return f"{share:.0f} ({low:.0f} to {high:.0f}) of {cell['games']}"


def with_table(page: str) -> str:
    """The page with the present table."""
    return re.sub(r"(?ms)^\| player \| class .*?\n\n", lambda _: table() + "\n\n", page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="*", help=f"players, or any of {', '.join(SOLVERS)}")
    parser.add_argument("--tracks", default=",".join(TRACKS), help="default: %(default)s")
    parser.add_argument("--games", type=int, default=200, help="of each match (default 200)")
    parser.add_argument("--boards", default="5,7,9", help="of the ladder (default 5,7,9)")
    parser.add_argument(
        "--nonce", default=pg.__version__, help="draws views (default: the version)"
    )
    parser.add_argument(
        "--attempts", type=float, default=0.02, help="million attempts of a responder (0.02)"
    )
    parser.add_argument("--table", action="store_true", help="write the table of README.md")
    given = parser.parse_args()
    for spec in given.specs:
        print(enter(spec, given), flush=True)
    if given.table:
        README.write_text(with_table(README.read_text()))


if __name__ == "__main__":
    main()
