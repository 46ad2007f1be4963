"""The review of a finished game: worked out by a worker, kept as an event, and put in words."""

from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple, Self

from phantomgo.app.table import advice
from phantomgo.app.table.facts import attempt_words, ending_words
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.scene import SHADES, shade
from phantomgo.app.web.client_state import NO_CHANCES, Chances
from phantomgo.phrase import Phrase
from phantomgo.points import BLACK, Colour, Move, Point, attempt_text, parse_attempt
from phantomgo.record_json import read_record

NAMED: Final = 3
"""Decisions to name, and mistakes."""
DECISIVE: Final = 0.15
"""The change of a winning chance that decides a game: by an attempt, by a phase, or by its end."""
LEAST: Final = 0.02
"""The change of a winning chance that is worth naming."""
LIKELY: Final = 0.1
"""The probability of a stone that is worth naming."""


class Review(NamedTuple):
    """The verdicts on a finished game; empty before they have been worked out.

    Attributes:
        chances: Black's winning chance at each moment.
        best: for each attempt, what the reviewer would have attempted.
        costs: for each attempt, how much it lowered the player's chance by their own view; None
            where it can't be compared.
        beliefs: Black's and White's map at each moment: a shade for each point (`SHADES`), or
            nothing if the map is unchanged.
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
        """Return a player's map at a moment: for each point the least probability of its shade."""
        maps = self.beliefs[colour - 1][: number + 1]
        shades = next(filter(None, reversed(maps)), "")
        return {point: SHADES[int(n) - 1] for point, n in enumerate(shades) if n != "0"}


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
            latest = verdict.chance if colour is BLACK else 1 - verdict.chance
        line.append(latest)
    return [*line, latest]


def _rounded(values: list[Any]) -> list[float | None]:
    return [None if value is None else round(value, 3) for value in values]


def _beliefs(game: TableGame, colour: Colour) -> list[str]:
    """A player's maps as the digits of shades."""
    maps, before = [], None
    for moment in game.moments:
        view, text = moment.view(colour), ""
        if view != before:
            shares, before = advice.belief(view), view
            points = range(game.rules.size**2)
            text = "".join(str(shade(shares.get(point, 0.0))) for point in points)
        maps.append(text)
    return maps


# In words


def study(game: TableGame, verdicts: Review, number: int) -> Iterator[str]:
    """Yield what there is to learn from an attempt, counted from 1: first what it was."""
    if not number:
        return
    step, size = game.steps[number - 1], game.rules.size
    colour = step.colour
    yield _named(game, number)
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
            "To {player}, a stone was there with a chance of at least {share}.",
            player=colour,
            share=_percent(share),
        )
    line = verdicts.chances.black if colour is BLACK else verdicts.chances.white
    chance = _of(colour, line[number - 1])
    cost = verdicts.costs[number - 1]
    if step.reason is not None:
        cost = None
        yield Phrase("A probe: it was refused, so it cost no move.")
    yield _choice(verdicts.best[number - 1], cost, attempt_text(step.move, size), colour, chance)
    before, after = (_of(colour, verdicts.chances.truth[n]) for n in (number - 1, number))
    if abs(after - before) >= LEAST:
        yield Phrase(
            "On the true board {player}'s chance to win went from {before} to {after}.",
            player=colour,
            before=_percent(before),
            after=_percent(after),
        )


def _choice(best: str, cost: float | None, played: str, colour: Colour, chance: float) -> str:
    """The reviewer's choice, and the cost of the player's own attempt."""
    if best == "pass":
        return Phrase("A strong bot would have passed.")
    if best == played:
        return Phrase("A strong bot would have chosen {best} too.", best=best)
    values = {"best": best, "chance": _percent(chance), "player": colour}
    if cost is None:
        return Phrase(
            "A strong bot would have tried {best}: {chance} to win, as {player} saw it.", **values
        )
    if cost < LEAST:
        return Phrase(
            "A strong bot would have tried {best}: {chance} to win, as {player} saw it; {played}"
            " was about as good.",
            played=played,
            **values,
        )
    return Phrase(
        "A strong bot would have tried {best}: {chance} to win, as {player} saw it, against {other}"
        " with {played}.",
        played=played,
        other=_percent(max(chance - cost, 0.0)),  # they come from different playouts
        **values,
    )


def best_point(verdicts: Review, number: int, played: Move, size: int) -> Point | None:
    """Return the point that the reviewer would have tried instead, if it is another one."""
    if not (number and verdicts.best):
        return None
    move = parse_attempt(verdicts.best[number - 1], size)
    return move if 0 <= move != played else None


def decisive(game: TableGame, verdicts: Review) -> Iterator[tuple[int, str]]:
    """Yield what the winner gained most by and kept, greatest first: number and words.

    It is an attempt, a phase of smaller gains, or an ending that the board does not show.
    """
    shares, outcome = verdicts.chances.truth, game.outcome
    if not shares or outcome is None or outcome.winner is None:
        return
    line, last = [*shares, float(outcome.winner is BLACK)], len(shares) - 1
    won = [_of(outcome.winner, share) for share in line]
    kept = [*accumulate(reversed(won), min)][::-1]  # what the winner never lost again

    def gain(span: tuple[int, int]) -> float:
        return kept[span[1]] - kept[span[0]]

    spans = [*pairwise(range(len(line)))]
    great = [first for first, end in spans if gain((first, end)) >= DECISIVE]
    for before, end in pairwise([-1, *great, last]):  # the phases between them
        moments = range(before + 1, end + 1)
        if moments:
            first = max(n for n in moments if won[n] == kept[before + 1])
            spans.append((first, min(n for n in moments if kept[n] >= kept[end] - LEAST)))
    for first, end in sorted(spans, key=gain, reverse=True)[:NAMED]:
        if gain((first, end)) < DECISIVE:
            return
        number = min(first + 1, last)
        what = _named(game, number)
        if first == last:
            what = ending_words(outcome, game.rules)
        elif end > number:
            what = Phrase("{number} to {end}, step by step", number=number, end=end)
        blacks = {"before": _percent(line[first]), "after": _percent(line[end])}
        yield number, Phrase("{what}: Black {before} to {after}", what=what, **blacks)


def mistakes(game: TableGame, verdicts: Review) -> Iterator[tuple[int, str]]:
    """Yield the moves that cost their players most by their own views: number and words."""
    costs = [
        (cost, number)
        for number, (cost, step) in enumerate(zip(verdicts.costs, game.steps, strict=False), 1)
        if cost is not None and cost >= LEAST and step.reason is None
    ]
    for cost, number in sorted(costs, reverse=True)[:NAMED]:
        what = _named(game, number)
        yield number, Phrase("{what}: cost {share}", what=what, share=_percent(cost))


def _named(game: TableGame, number: int) -> str:
    """An attempt with its number."""
    attempt = attempt_words(game.steps[number - 1], game.rules.size)
    return Phrase("{number}. {attempt}", number=number, attempt=attempt)


def _of(colour: Colour, blacks: float) -> float:
    """A player's chance, given Black's."""
    return blacks if colour is BLACK else 1 - blacks


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
