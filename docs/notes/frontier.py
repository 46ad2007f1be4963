"""Strength against what a best response leaves, for mixtures of policies on 5x5.

    python docs/notes/frontier.py --out frontier --rounds 3
    python docs/notes/frontier.py --out frontier --measure mixed5 frontier/round*.json

A double oracle: each round solves the games of policies at several temperatures against each other,
`phantom` and every responder found so far, and has a new responder learn against the mixture. Then
each player is measured in two ways: by its rate against a pool of players that took no part in the
learning, and by what fresh responders leave it. The folder keeps all results, so the same command
resumes.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

import phantomgo as pg
from phantomgo.estimates import Interval, wilson
from phantomgo.game.points import Colour

BASE = "policy:net=rival5"
TEMPERATURES = (0.25, 0.5, 0.75, 1.0)
OPPONENTS = ("phantom:playouts=5000,book=open5", "phantom:playouts=1000,book=none")
"""They take part while mixtures are learned, and are not in the pool."""
POOL = (
    "phantom:playouts=13000,book=none",
    "phantom:playouts=60000,book=none",
    "flatmc:playouts=2000",
    "policy:net=policy9",
)


def learned(folder: Path, nets: list[str], komi: float, attempts: float, rounds: int) -> None:
    """Write the mixtures round0.json, round1.json ... and a responder to each but the last."""
    lines = [f"policy:net={net},temperature={warm:g}" for net in nets for warm in TEMPERATURES]
    found: list[str] = []
    for number in range(rounds + 1):
        book, others = folder / f"round{number}.json", [*OPPONENTS, *found]
        if not book.exists():
            pg.learn(
                BASE,
                size=5,
                komi=komi,
                movers=[*lines, *others],
                method=f"rates:rounds=0,cell=30,extra=2000,opponents={len(others)}",
                test_seeds=0,
                out=book,
                run=pg.Run(store=folder / f"round{number}.db"),
            )
        response = folder / f"response{number}.json"
        if number < rounds and not response.exists():
            pg.exploit(
                str(book),
                responder="policy",
                attempts=attempts,
                responders=1,
                base=BASE,
                games=400,
                seed=500 + number,
                out=response,
            )
        found.append(f"policy:net={response}")


def player_name(player: str) -> str:
    """A short name, for files and in the picture."""
    return Path(player.removeprefix("policy:net=")).name.removesuffix(".json")


def measured(
    player: str, folder: Path, komi: float, attempts: float, games: int, seed: int
) -> dict[str, Any]:
    """A player's rates against the pool, and what it is left by the best of two responders."""
    spec = player if player.partition(":")[0] in ("policy", "phantom") else f"book:{player}"
    rates = {}
    for opponent in POOL:
        store = folder / f"{player_name(player)}.db"
        run = pg.Run(store=store.with_stem(f"{store.stem}-{POOL.index(opponent)}"))
        report = pg.play_match(spec, opponent, games=games, size=5, komi=komi, seed=seed, run=run)
        rates[opponent] = report.tally(0).points / games
    best = pg.exploit(
        spec,
        size=5,
        komi=komi,
        responder="policy",
        attempts=attempts,
        responders=2,
        base="policy:net=policy5",
        games=800,
        seed=seed % 1000,
        store=folder,
    ).efforts[-1]
    colours = {str(colour.other): 1 - best.best.rate(colour).value for colour in Colour}
    left = [1 - end for end in best.best.rate()]
    return {
        "pool": rates,
        "games": games,
        "left": left[0],
        "from": left[2],
        "to": left[1],
        "as": colours,
        "all": [1 - response.share for response in best.responses],
        "attempts": attempts,
    }


def draw(found: dict[str, Any], file: Path) -> None:
    """Write the picture, as SVG: the rate against the pool, and what the responders leave."""
    mpl.rcParams["svg.hashsalt"] = "phantomgo"  # the same results are the same file
    canvas = Figure(figsize=(7, 5), layout="constrained")
    axes = canvas.subplots()
    for player, one in found.items():
        rate = pooled(one)
        across = [[100 * (rate.value - rate.low)], [100 * (rate.high - rate.value)]]
        up = [[100 * (one["left"] - one["from"])], [100 * (one["to"] - one["left"])]]
        axes.errorbar(100 * rate.value, 100 * one["left"], up, across, fmt="o", capsize=2)
        place = (100 * rate.value, 100 * one["left"])
        axes.annotate(
            player_name(player), place, (4, 4), textcoords="offset points", fontsize="small"
        )
    axes.set(xlabel="won against the pool, %", ylabel="left by the best responder, %")
    canvas.savefig(file, metadata={"Date": None})


def pooled(one: dict[str, Any]) -> Interval:
    """The rate over all games with the pool."""
    games = one["games"] * len(one["pool"])
    return wilson(sum(one["pool"].values()) * one["games"], games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--nets", nargs="+", default=["policy5", "rival5"])
    parser.add_argument("--komi", type=float, default=2.5)
    parser.add_argument("--attempts", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", nargs="*", default=[])
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=90_001)
    arguments = parser.parse_args()
    arguments.out.mkdir(exist_ok=True)
    if not arguments.measure:
        learned(arguments.out, arguments.nets, arguments.komi, arguments.attempts, arguments.rounds)
    results = arguments.out / "measured.json"
    found = json.loads(results.read_text()) if results.exists() else {}
    for player in arguments.measure:
        if player not in found:
            found[player] = measured(
                player,
                arguments.out,
                arguments.komi,
                arguments.attempts,
                arguments.games,
                arguments.seed,
            )
            results.write_text(json.dumps(found, indent=1) + "\n")
        one = found[player]
        rate = pooled(one)
        rows = " ".join(f"{100 * share:.1f}" for share in one["pool"].values())
        print(
            f"{player}: pool {rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%}),"
            f" each {rows}; left {100 * one['left']:.1f} ({100 * one['from']:.1f} to"
            f" {100 * one['to']:.1f}), as {one['as']}, all {one['all']}",
            flush=True,
        )
    if found:
        draw(found, arguments.out / "frontier.svg")


if __name__ == "__main__":
    main()
