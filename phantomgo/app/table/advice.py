"""Advice from playouts: what to attempt, who is winning, which moments decided a game.

Call it in a thread: the first answer loads the bots' compiled code.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from bots import make
from bots.belief import candidates
from bots.value import SEEN, calibrated
from phantomgo.app.table.facts import attempt_words, ending_words
from phantomgo.app.table.game import GameMoment, TableGame
from phantomgo.app.table.players import ADVISER_SPEC
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Ending
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK, Colour, Move, Point
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.phrase import Phrase

PLAYOUTS: Final = 2000
"""Playouts for each position; in 19 of 20 cases the error of the share is below 0.02."""
REVIEWED: Final = 1000
"""Playouts of the reviewer, for each attempt."""
NAMED: Final = 3
"""Decisions to name."""
DECISIVE: Final = 0.15
"""The change of a win probability that decides a game: by an attempt, a phase, or its end."""
LEAST: Final = 0.02
"""The change of a win probability that is worth naming."""


class AttemptVerdict(NamedTuple):
    """The reviewer's evaluation of an attempt, from the view of the player who made it.

    Attributes:
        best: what it would have attempted.
        chance: the player's chance to win; None where it did not search.
        cost: how much less the player's own point promised; None if the two can't be compared.
    """

    best: Move
    chance: float | None
    cost: float | None


def hint(view: View) -> Decision:
    """Return what the adviser would attempt, and why; always the same in the same view."""
    return make(ADVISER_SPEC, Game.of(view), 0).decide(view)


def chance(moment: GameMoment, rules: Rules) -> float:
    """Return Black's chance to win, from random playouts of the true board."""
    from bots.worlds import seen_share  # noqa: PLC0415  (compiled code, half a second)

    colour = moment.to_move
    own, enemy = (moment.board.stones(side) for side in (colour, colour.other))
    view = moment.view(colour)
    share = seen_share(own, enemy, rules, colour, view.turn, PLAYOUTS)
    return chance_of(colour, calibrated(SEEN, share, PLAYOUTS, view))


def chances(game: TableGame) -> list[float]:
    """Return Black's chance to win at each moment.

    A refused attempt changes nothing, and a game that was scored is judged by its result. Who was
    to move after the first of two passes could choose that result, or play on.
    """
    line: list[float] = []
    for number, moment in enumerate(game.moments):
        if line and moment.step is not None and moment.board == game.moments[number - 1].board:
            line.append(line[-1])
        else:
            line.append(chance(moment, game.rules))
    outcome = game.outcome
    if outcome is not None and outcome.margin is not None:
        line[-1] = {None: 0.5, BLACK: 1.0}.get(outcome.winner, 0.0)
        if outcome.ending is Ending.SCORE:
            begun = max(number for number in game.turn_ends() if number < len(game.steps))
            better = max if game.steps[-1].colour is BLACK else min
            line[begun:-1] = [better(line[begun], line[-1])] * (len(game.steps) - begun)
    return line


def verdict(view: View, move: Move) -> AttemptVerdict:
    """Return what the reviewer says of an attempt that was made in this view."""
    from bots.phantom import Phantom  # noqa: PLC0415  (compiled code, half a second)

    chooses, weighs = (Phantom(Game.of(view), seed, playouts=REVIEWED) for seed in range(2))
    decision = chooses.decide(view)
    best, cost = decision.move, 0.0 if decision.move == move else None
    if best != move and {best, move} <= {candidate.point for candidate in decision.candidates}:
        # Compare by fresh playouts: those that chose the best point overrate it.
        two = weighs.among(view, 1 << best | 1 << move)
        values = {candidate.point: candidate.value for candidate in two}
        cost = max(values[best] - values[move], 0.0)
    return AttemptVerdict(best, decision.value, cost)


def instead(game: TableGame, number: int, point: Point) -> tuple[float | None, float | None]:
    """Return a player's chance to win with another point in place of an attempt, counted from 1.

    First by their view, None for a point that no bot considers; then on the true board, None where
    it is refused.
    """
    from bots.phantom import Phantom  # noqa: PLC0415  (compiled code, half a second)

    colour, other = game.steps[number - 1].colour, game.first(number - 1)
    view, seen = other.view(colour), None
    if candidates(view) >> point & 1:
        seen = Phantom(Game.of(view), 1, playouts=REVIEWED).among(view, 1 << point)[0].value
    if other.attempt(point, 0).reason is not None:
        return seen, None
    return seen, chance_of(colour, chance(other.moments[-1], game.rules))


def belief(view: View) -> dict[Point, float]:
    """Return how likely an enemy stone is on each point."""
    return dict(make(ADVISER_SPEC, Game.of(view), 0).stone_probabilities(view))


def decisive(game: TableGame, shares: Sequence[float]) -> Iterator[tuple[int, str]]:
    """Yield the winner's largest lasting gains, largest first, as (attempt number, description).

    It is an attempt, a phase of smaller gains, or an ending that the board does not show. `shares`
    is Black's chance to win at each moment.
    """
    outcome = game.outcome
    if not shares or outcome is None or outcome.winner is None:
        return
    line, last = [*shares, float(outcome.winner is BLACK)], len(shares) - 1
    won = [chance_of(outcome.winner, share) for share in line]
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
        if first == last:  # perhaps of a game without attempts
            what = ending_words(outcome, game.rules)
        elif end > number:
            what = Phrase("{number} to {end}, step by step", number=number, end=end)
        else:
            what = named(game, number)
        blacks = {"before": percent(line[first]), "after": percent(line[end])}
        yield number, Phrase("{what}: Black {before} to {after}", what=what, **blacks)


def named(game: TableGame, number: int) -> str:
    """Return an attempt with its number."""
    attempt = attempt_words(game.steps[number - 1], game.rules.size)
    return Phrase("{number}. {attempt}", number=number, attempt=attempt)


def chance_of(colour: Colour, blacks: float) -> float:
    """Return a player's chance to win, given Black's, or Black's, given the player's."""
    return blacks if colour is BLACK else 1 - blacks


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"
