"""Books of format 3, as phantomgo wrote them up to 0.4, in format 4."""

from itertools import pairwise
from typing import Any

from phantomgo.portfolio.line import Line, Side, Step
from phantomgo.rng import Stream, mix


def upgraded(old: dict[str, Any]) -> dict[str, Any]:
    """The fields of a book in format 4; those that did not change are the same objects.

    Format 3 listed seeds, the own moves at which they are left, and the lines that seeds from a
    `first` on continue, one drawn for each seed.

    Raises:
        LookupError, TypeError, ValueError: the book is damaged.
    """
    players = old["players"]
    sides = {colour: _side(old[colour], players[colour]["name"]) for colour in ("black", "white")}
    new = {**old, "format": 4, **sides}
    if "owned" in new:
        new["best_response"] = new.pop("owned")
    return new


def _side(old: dict[str, Any], bot: str) -> dict[str, Any]:
    leave = old.get("leave")
    if leave is not None and not any(leave):
        return Side((), (), old["value"]).as_dict()
    lines = [
        _line(old.get("start"), bot, seed, None if leave is None else leave[number])
        for number, seed in enumerate(old["seeds"])
    ]
    return {**Side(tuple(lines), (), old["value"]).as_dict(), "probabilities": old["probabilities"]}


def _line(start: dict[str, Any] | None, bot: str, seed: int, leave: int | None) -> Line:
    if leave is None:
        return (Step(bot, seed),)
    before: list[tuple[int, int]] = []
    if start is not None and seed >= start["first"]:
        lines = [tuple(zip(line["seeds"], line["leave"], strict=True)) for line in start["lines"]]
        before = list(Side(lines, start["probabilities"], 0).draw(Stream(mix(seed))))  # type: ignore[arg-type]
    ends = [0, *(end for _, end in before), leave]
    seeds = [*(one for one, _ in before), seed]
    spans = (after - begun for begun, after in pairwise(ends))
    return tuple(Step(bot, one, moves) for one, moves in zip(seeds, spans, strict=True))
