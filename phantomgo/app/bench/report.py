"""The bench's figures as tables; --json prints them with their spread."""

from collections.abc import Iterator, Mapping
from typing import Any


def lines(result: dict[str, Any]) -> Iterator[str]:
    machine = result["machine"]
    clock = machine["clock_ghz"]
    yield (
        f"{machine['processor']}, {machine['cores']} cores, load {machine['load']:.1f}, clock"
        f" {clock['min']:.2f} / {clock['median']:.2f} / {clock['max']:.2f} GHz"
    )
    yield (
        f"phantomgo {machine['phantomgo']}, numba {machine['numba']}, Python {machine['python']};"
        " processor time of one thread, min / median / max"
    )
    for size, figures in result["sizes"].items():
        yield ""
        yield f"{size}x{size}"
        for kind in ("empty", "middle"):
            yield from _playouts(kind, figures[kind])
        game = figures["game"]
        yield (
            f"  games of flatmc, {game['playouts_per_decision']} playouts a decision:"
            f" {shown(game['ms_per_game'], 1)} ms,"
            f" {shown(game['games_per_second'], 1)} a second,"
            f" {game['attempts_per_game']:.0f} attempts"
        )
        batch = figures["batch"]
        yield (
            f"  the same games in lock step, {batch['games']} in a batch:"
            f" {shown(batch['ms_per_game'], 1)} ms,"
            f" {shown(batch['times_faster'], 2)} times as fast"
        )
        cores = figures["all_cores"]
        yield (
            f"  {cores['threads']} threads: {shown(cores['wall_speedup'], 2)} times the speed of"
            f" one by the clock on the wall, each playout {shown(cores['cpu_time_ratio'], 2)}"
            " times the processor time"
        )
        yield from peers(figures)


def peers(figures: dict[str, Any]) -> Iterator[str]:
    """A line for each other program that was measured or is quoted for a size."""
    for name, peer in figures.get("peers", {}).items():
        yield f"  {name}: {_peer(peer)}"


def _playouts(kind: str, figures: dict[str, Any]) -> Iterator[str]:
    rate = {key: value / 1000 for key, value in figures["playouts_per_second"].items()}
    moves = {key: value / 1e6 for key, value in figures["moves_per_second"].items()}
    yield (
        f"  {kind} board: {shown(rate, 0)} k playouts/s of {figures['moves_per_playout']:.1f}"
        f" moves, {shown(moves, 1)} M moves/s"
    )
    yield (
        f"    a move: {shown(figures['ns_per_move'], 1)} ns,"
        f" {shown(figures['cycles_per_move'], 0)} cycles;"
        f" all moves as first: {_percent(figures['amaf_overhead'])} % more time"
    )
    yield (
        f"    decisions of {figures['decision_playouts']} playouts:"
        f" {shown(figures['decisions_per_second'], 0)} a second,"
        f" {_percent(figures['kept_of_kernel'])} % of the kernel's speed"
    )


def _peer(figures: dict[str, Any]) -> str:
    if "cycles_per_move" in figures:
        return f"{figures['cycles_per_move']:.0f} cycles a move (quoted, another machine)"
    rate = {key: value / 1000 for key, value in figures["playouts_per_second"].items()}
    times = shown(figures["ratio"], 1)
    return f"{shown(rate, 1)} k playouts/s; ours are {times} times as many"


def shown(values: Mapping[str, float], digits: int) -> str:
    """A spread in words: `1.90 / 2.00 / 2.10`."""
    return " / ".join(f"{values[key]:.{digits}f}" for key in ("min", "median", "max"))


def _percent(values: dict[str, float]) -> str:
    return shown({key: 100 * value for key, value in values.items()}, 0)
