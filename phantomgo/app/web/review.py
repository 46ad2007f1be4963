"""The review of a finished game: worked out by a worker, kept as an event, and put in words."""

from collections.abc import Iterator, Mapping
from string import ascii_letters
from typing import Any, Final, NamedTuple, Self

from phantomgo.app.table import advice
from phantomgo.app.table.advice import LEAST, chance_of, named, percent
from phantomgo.app.table.game import TableGame
from phantomgo.app.web.client_state import NO_CHANCES, Chances
from phantomgo.game.points import BLACK, Colour, Move, Point, attempt_text, parse_attempt, vertex
from phantomgo.phrase import Phrase
from phantomgo.records.record_json import read_record

LISTED: Final = 20
"""Mistakes to list."""
STEPS: Final = 50
"""The steps of 2 % in which maps are kept, a letter each."""
SHARES: Final = dict(
    zip("0123456789", (0.0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9), strict=True)
) | {letter: n / STEPS for n, letter in enumerate(ascii_letters[: STEPS + 1])}
"""The least probability of a stone for each character of a map; older reviews have digits."""
LIKELY: Final = 0.1
"""The probability of a stone that is worth naming."""


class Review(NamedTuple):
    """The verdicts on a finished game; empty before they have been worked out.

    Attributes:
        chances: Black's win probability at each moment.
        best: for each attempt, what the reviewer would have attempted.
        costs: for each attempt, how much it lowered the player's chance by their own view; None
            where it can't be compared.
        beliefs: Black's and White's map at each moment: a character for each point (`SHARES`),
            or nothing if the map is unchanged.
    """

    chances: Chances = NO_CHANCES
    best: tuple[str, ...] = ()
    costs: tuple[float | None, ...] = ()
    beliefs: tuple[tuple[str, ...], ...] = ((), ())

    @classmethod
    def read(cls, event: Mapping[str, Any]) -> Self:
        """Return the review that `review` made."""
        chances = Chances(*(tuple(event["chances"][name]) for name in Chances._fields))
        beliefs = tuple(map(tuple, event["beliefs"]))
        return cls(chances, tuple(event["best"]), tuple(event["costs"]), beliefs)

    def belief(self, colour: Colour, number: int) -> Mapping[Point, float]:
        """Return a player's map at a moment: for each point the least probability of a stone."""
        maps = self.beliefs[colour - 1][: number + 1]
        kept = next(filter(None, reversed(maps)), "")
        return {point: SHARES[it] for point, it in enumerate(kept) if SHARES[it]}


def review(record: str) -> dict[str, Any]:
    """Work out the `Review` of a finished game, given as JSON."""
    game = TableGame.resumed(read_record(record))
    truth = advice.chances(game)
    verdicts = [
        advice.verdict(moment.view(step.colour), step.move)
        for moment, step in zip(game.moments, game.steps, strict=False)
    ]
    lines = {str(colour).lower(): _line(game, colour, verdicts) for colour in Colour}
    return {
        "chances": {name: _rounded(line) for name, line in ({"truth": truth} | lines).items()},
        "best": [attempt_text(verdict.best, game.rules.size) for verdict in verdicts],
        "costs": _rounded([verdict.cost for verdict in verdicts]),
        "beliefs": [_beliefs(game, colour) for colour in Colour],
    }


def _line(
    game: TableGame, colour: Colour, verdicts: list[advice.AttemptVerdict]
) -> list[float | None]:
    """Black's chance at each moment as a player saw it: a value holds until their next attempt."""
    line, latest = [], 0.5
    for step, verdict in zip(game.steps, verdicts, strict=True):
        if step.colour is colour and verdict.chance is not None:
            latest = chance_of(colour, verdict.chance)
        line.append(latest)
    return [*line, latest]


def _rounded(values: list[Any]) -> list[float | None]:
    return [None if value is None else round(value, 3) for value in values]


def _beliefs(game: TableGame, colour: Colour) -> list[str]:
    """A player's maps, as a review keeps them."""
    maps, before = [], None
    for moment in game.moments:
        view, text = moment.view(colour), ""
        if view != before:
            shares, before = advice.belief(view), view
            points = range(game.rules.size**2)
            text = "".join(ascii_letters[int(STEPS * shares.get(point, 0.0))] for point in points)
        maps.append(text)
    return maps


# In words


def study(game: TableGame, verdicts: Review, number: int) -> Iterator[str]:
    """Yield what there is to learn from an attempt, counted from 1: first what it was."""
    if not number:
        return
    step, size = game.steps[number - 1], game.rules.size
    colour = step.colour
    yield named(game, number)
    view = game.moments[number - 1].view(colour)
    located, stones = view.enemies - view.hidden, view.enemies
    if stones:
        yield Phrase(
            "Of {enemy}'s stones {player} had located {known} out of {count}.",
            player=colour,
            known=located,
            enemy=colour.other,
            count=stones,
        )
    if not verdicts.best:
        return
    share = verdicts.belief(colour, number - 1).get(step.move, 0.0)
    if share >= LIKELY:
        yield Phrase(
            "To {player}, a stone was there with a probability of at least {share}.",
            player=colour,
            share=percent(share),
        )
    line = verdicts.chances.black if colour is BLACK else verdicts.chances.white
    chance = chance_of(colour, line[number - 1])
    cost = verdicts.costs[number - 1]
    if step.reason is not None:
        cost = None
        yield Phrase("It was refused, so it cost no move.")
    yield _choice(verdicts.best[number - 1], cost, attempt_text(step.move, size), colour, chance)
    before, after = (chance_of(colour, verdicts.chances.truth[n]) for n in (number - 1, number))
    if abs(after - before) >= LEAST:
        yield Phrase(
            "On the full board {player}'s win probability went from {before} to {after}.",
            player=colour,
            before=percent(before),
            after=percent(after),
        )


def _choice(best: str, cost: float | None, played: str, colour: Colour, chance: float) -> str:
    """The reviewer's choice, and the cost of the player's own attempt."""
    if best == "pass":
        return Phrase("A strong bot would have passed.")
    if best == played:
        return Phrase("A strong bot would have chosen {best} too.", best=best)
    values = {"best": best, "chance": percent(chance), "player": colour}
    if cost is None:
        return Phrase(
            "A strong bot would have attempted {best}: {chance} to win, as {player} saw it.",
            **values,
        )
    if cost < LEAST:
        return Phrase(
            "A strong bot would have attempted {best}: {chance} to win, as {player} saw it;"
            " {played} was about as good.",
            played=played,
            **values,
        )
    return Phrase(
        "A strong bot would have attempted {best}: {chance} to win, as {player} saw it,"
        " against {other} with {played}.",
        played=played,
        other=percent(max(chance - cost, 0.0)),  # they come from different playouts
        **values,
    )


def instead(record: str, number: int, point: Point) -> list[str]:
    """Say what a point is worth in place of an attempt, counted from 1, of a finished game."""
    game = TableGame.resumed(read_record(record))
    values = {"point": vertex(point, game.rules.size), "player": game.steps[number - 1].colour}
    seen, true = (
        None if share is None else percent(share) for share in advice.instead(game, number, point)
    )
    by_view = Phrase("{point} instead: {share} to win, as {player} saw it.", share=seen, **values)
    refused = Phrase("On the full board {point} is refused.", **values)
    truly = Phrase("{point} instead: {share} to win on the full board.", share=true, **values)
    return [*([] if seen is None else [by_view]), refused if true is None else truly]


def best_point(verdicts: Review, number: int, played: Move, size: int) -> Point | None:
    """Return the point that the reviewer would have attempted instead, if it is another one."""
    if not (number and verdicts.best):
        return None
    move = parse_attempt(verdicts.best[number - 1], size)
    return move if 0 <= move != played else None


def mistakes(game: TableGame, verdicts: Review) -> Iterator[tuple[int, str]]:
    """Yield the moves that cost their players most by their own views: number and words."""
    costs = [
        (cost, number)
        for number, (cost, step) in enumerate(zip(verdicts.costs, game.steps, strict=False), 1)
        if cost is not None and cost >= LEAST and step.reason is None
    ]
    for cost, number in sorted(costs, reverse=True)[:LISTED]:
        what = named(game, number)
        yield number, Phrase("{what}: cost {share}", what=what, share=percent(cost))
