"""The review of a finished game: its turning points, the players' knowledge, and their mistakes.

`review` computes it, which takes seconds; its result is stored as JSON and read as a `Review`. The
other functions put a review into words.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import pairwise
from string import ascii_letters
from typing import Any, Final, NamedTuple, Self

from phantomgo.app.table import advice
from phantomgo.app.table.chances import chance, chance_of, chances, lasting, moved
from phantomgo.app.table.facts import attempt_words, ending_words
from phantomgo.app.table.game import GameMoment, TableGame
from phantomgo.game.points import (
    BLACK,
    Colour,
    Move,
    Point,
    attempt_text,
    grid,
    members,
    parse_attempt,
    vertex,
)
from phantomgo.phrase import Phrase, enumerated
from phantomgo.records.record_json import read_record

NAMED: Final = 3
"""The largest number of decisive attempts that are named."""
DECISIVE: Final = 0.15
"""The change of a win probability that makes an attempt or an ending decisive."""
CLEAR: Final = 0.05
"""The least gain in win probability, by the player's view, of the attempt missed by a mistake."""
LUCKY: Final = 0.2
"""The change of a win probability on the full board that is luck, or bad luck."""
LEAST: Final = 0.02
"""The change of a win probability that is worth naming."""
LISTED: Final = 20
"""The largest number of mistakes listed."""
STEPS: Final = 50
"""The steps of 2 % in which maps are stored, a letter each."""
SHARES: Final = dict(
    zip("0123456789", (0.0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9), strict=True)
) | {letter: n / STEPS for n, letter in enumerate(ascii_letters[: STEPS + 1])}
"""The least probability of a stone for each character of a map; older reviews have digits."""
LIKELY: Final = 0.1
"""The probability of a stone that is worth naming."""


class Chances(NamedTuple):
    """Black's win probability at each moment of a finished game; empty before it is reviewed.

    Attributes:
        truth: on the full board, if strong bots continue the game.
        black: from Black's view.
        white: from White's view.
    """

    truth: tuple[float, ...] = ()
    black: tuple[float, ...] = ()
    white: tuple[float, ...] = ()


NO_CHANCES: Final = Chances()


class Review(NamedTuple):
    """The verdicts on a finished game; empty before they have been worked out.

    Attributes:
        chances: Black's win probability at each moment.
        best: for each attempt, the reviewer's preferred one.
        costs: for each attempt, how much it lowered the player's win probability by their own view;
            None where it can't be compared.
        beliefs: Black's and White's map at each moment: a character for each point (`SHARES`),
            or nothing if the map is unchanged.
        sure: whether the win probability on the full board is confirmed at each moment; older
            reviews don't tell.
    """

    chances: Chances = NO_CHANCES
    best: tuple[str, ...] = ()
    costs: tuple[float | None, ...] = ()
    beliefs: tuple[tuple[str, ...], ...] = ((), ())
    sure: tuple[bool, ...] = ()

    @classmethod
    def read(cls, event: Mapping[str, Any]) -> Self:
        """Return the review that `review` made."""
        chances = Chances(*(tuple(event["chances"][name]) for name in Chances._fields))
        beliefs, sure = tuple(map(tuple, event["beliefs"])), tuple(event.get("sure", ()))
        return cls(chances, tuple(event["best"]), tuple(event["costs"]), beliefs, sure)

    def belief(self, colour: Colour, number: int) -> Mapping[Point, float]:
        """Return a player's map at a moment: for each point the least probability of a stone."""
        maps = self.beliefs[colour - 1][: number + 1]
        kept = next(filter(None, reversed(maps)), "")
        return {point: SHARES[it] for point, it in enumerate(kept) if SHARES[it]}


class Judgement(Enum):
    """The quality of an attempt, by the player's view and by the full board."""

    MISTAKE = auto()
    BAD_LUCK = auto()
    LUCK = auto()


JUDGEMENTS: Final = {
    Judgement.MISTAKE: Phrase("a mistake"),
    Judgement.BAD_LUCK: Phrase("bad luck"),
    Judgement.LUCK: Phrase("luck"),
}


def review(record: str) -> dict[str, Any]:
    """Compute the `Review` of a finished game, given as JSON."""
    game = TableGame.resumed(read_record(record))
    truth = chances(game)
    verdicts = [
        advice.verdict(moment.view(step.colour), step.move)
        for moment, step in zip(game.moments, game.steps, strict=False)
    ]
    lines = {colour.word: _line(game, colour, verdicts) for colour in Colour}
    return {
        "chances": {name: _rounded(line) for name, line in ({"truth": truth.line} | lines).items()},
        "best": [attempt_text(verdict.best, game.rules.size) for verdict in verdicts],
        "costs": _rounded([verdict.cost for verdict in verdicts]),
        "beliefs": [_beliefs(game, colour) for colour in Colour],
        "sure": truth.sure,
    }


def _line(
    game: TableGame, colour: Colour, verdicts: list[advice.AttemptVerdict]
) -> list[float | None]:
    """Black's win probability at each moment by a player's view; a value lasts until their next
    attempt.
    """
    line, latest = [], 0.5
    for step, verdict in zip(game.steps, verdicts, strict=True):
        if step.colour is colour and verdict.chance is not None:
            latest = chance_of(colour, verdict.chance)
        line.append(latest)
    return [*line, latest]


def _rounded(values: list[Any]) -> list[float | None]:
    return [None if value is None else round(value, 3) for value in values]


def _beliefs(game: TableGame, colour: Colour) -> list[str]:
    """A player's maps, as a review stores them."""
    maps, before = [], None
    for moment in game.moments:
        view, text = moment.view(colour), ""
        if view != before:
            shares, before = advice.belief(view), view
            points = range(game.rules.size**2)
            text = "".join(ascii_letters[int(STEPS * shares.get(point, 0.0))] for point in points)
        maps.append(text)
    return maps


# What an attempt was


def judged(game: TableGame, reviewed: Review, number: int) -> Judgement | None:
    """Return the verdict on an attempt, counted from 1; None if it made no clear difference.

    A mistake: another attempt was better in the player's view. Bad luck: none was, but the full
    board got worse. Luck: the full board got better. The full board counts where it is confirmed.
    """
    step, best = game.steps[number - 1], reviewed.best[number - 1]
    cost, truth = reviewed.costs[number - 1], reviewed.chances.truth
    if step.reason is not None:
        return None
    before, after = (chance_of(step.colour, truth[n]) for n in (number - 1, number))
    gain = after - before if all(reviewed.sure[number - 1 : number + 1]) else 0.0
    if gain >= LUCKY:
        return Judgement.LUCK
    other = best != attempt_text(step.move, game.rules.size)
    if other and step.move < 0 and gain <= -LUCKY:
        return Judgement.MISTAKE  # a pass or a resignation, where a bot would have gone on
    if cost is not None and cost >= CLEAR:
        return Judgement.MISTAKE
    return Judgement.BAD_LUCK if gain <= -LUCKY else None


def decisive(game: TableGame, reviewed: Review) -> Iterator[tuple[int, str]]:
    """Yield what decided the game as (attempt number, description).

    These are the winner's greatest lasting gains, confirmed attempts or an ending that the board
    does not show; first comes the one that brought the winner above one half for good. If there is
    none, because the winner never fell behind, a sentence says so, with the number 0.
    """
    shares, outcome = reviewed.chances.truth, game.outcome
    if not shares or outcome is None or outcome.winner is None:
        return
    blacks = [*shares, float(outcome.winner is BLACK)]
    kept = lasting([chance_of(outcome.winner, share) for share in blacks])
    if kept[0] >= 0.5:
        ahead = Phrase(
            "{player} never fell behind: {share} or more",
            player=outcome.winner,
            share=percent(kept[0]),
        )
        yield 0, ahead
    if 1 - kept[0] < DECISIVE:
        return
    for number in _greatest(kept, reviewed.sure):
        yield _gain_words(game, reviewed, number, blacks[number - 1 : number + 1])


def _greatest(kept: Sequence[float], sure: Sequence[bool]) -> list[int]:
    """The numbers of the attempts with the greatest gains, the most decisive one first.

    The last number is the ending; other gains count if they are confirmed, or turned the game.
    """
    gains = {
        number: (before < 0.5 <= after, after - before)
        for number, (before, after) in enumerate(pairwise(kept), 1)
        if before < 0.5 <= after or number == len(kept) - 1 or all(sure[number - 1 : number + 1])
    }
    least = DECISIVE if any(gain >= DECISIVE for _, gain in gains.values()) else CLEAR
    named = [number for number, (turned, gain) in gains.items() if turned or gain >= least]
    return sorted(named, key=lambda number: gains[number], reverse=True)[:NAMED]


def _gain_words(
    game: TableGame, reviewed: Review, number: int, blacks: Sequence[float]
) -> tuple[int, str]:
    """A gain by its number, and in words; Black's win probabilities are those around it."""
    found = None
    if number > len(game.steps):
        assert game.outcome is not None
        number, what = len(game.steps), ending_words(game.outcome, game.rules)
    else:
        what = attempt_title(game, number)
        found = judged(game, reviewed, number) if reviewed.best else None
    before, after = map(percent, blacks)
    words = Phrase("{what}: Black {before} to {after}", what=what, before=before, after=after)
    return number, words if found is None else enumerated((words, JUDGEMENTS[found]))


def mistakes(game: TableGame, reviewed: Review) -> Iterator[tuple[int, str]]:
    """Yield the moves that cost their players most by their own views: number and words."""
    costs = [
        (cost, number)
        for number, (cost, step) in enumerate(zip(reviewed.costs, game.steps, strict=False), 1)
        if cost is not None and cost >= LEAST and step.reason is None
    ]
    for cost, number in sorted(costs, reverse=True)[:LISTED]:
        what = attempt_title(game, number)
        yield number, Phrase("{what}: cost {share}", what=what, share=percent(cost))


def summary(game: TableGame, reviewed: Review) -> tuple[tuple[str, int, int], ...]:
    """Return counts of what each player did and found: the label, Black's number, White's."""
    if not reviewed.best:  # also of a game without attempts
        return ()
    found = [
        (step.colour, judged(game, reviewed, number)) for number, step in enumerate(game.steps, 1)
    ]
    probes = [
        step.colour
        for step, before, after in zip(game.steps, game.moments, game.moments[1:], strict=False)
        if step.reason is not None
        and after.view(step.colour).located & ~before.view(step.colour).located
    ]
    hidden = [view.hidden for view in game.moments[-1].views]
    rows = {
        Phrase("Mistakes"): [found.count((colour, Judgement.MISTAKE)) for colour in Colour],
        Phrase("Bad luck"): [found.count((colour, Judgement.BAD_LUCK)) for colour in Colour],
        Phrase("Luck"): [found.count((colour, Judgement.LUCK)) for colour in Colour],
        Phrase("Stones found by a refused attempt"): [probes.count(colour) for colour in Colour],
        Phrase("Stones never found"): hidden,
    }
    return tuple((what, black, white) for what, (black, white) in rows.items())


# In words


def attempt_title(game: TableGame, number: int) -> str:
    """Return an attempt with its number."""
    attempt = attempt_words(game.steps[number - 1], game.rules.size)
    return Phrase("{number}. {attempt}", number=number, attempt=attempt)


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def study(game: TableGame, reviewed: Review, number: int) -> Iterator[str]:
    """Yield sentences about an attempt, counted from 1; the verdict comes first."""
    if not number:
        return
    step, size = game.steps[number - 1], game.rules.size
    colour = step.colour
    yield attempt_title(game, number)
    if reviewed.best and (found := judged(game, reviewed, number)) is not None:
        yield _verdict_words(found, reviewed, number, colour)
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
    if not reviewed.best:
        return
    belief = reviewed.belief(colour, number - 1)
    share = belief.get(step.move, 0.0)
    if share >= LIKELY:
        yield Phrase(
            "To {player}, a stone was there with a probability of at least {share}.",
            player=colour,
            share=percent(share),
        )
    if near := _hidden_beside(game, number):
        yield Phrase(
            "{enemy} had hidden stones near it: {stones} (their probability in {player}'s view).",
            player=colour,
            enemy=colour.other,
            stones=enumerated(
                f"{vertex(point, size)} {percent(belief.get(point, 0.0))}" for point in near
            ),
        )
    line = reviewed.chances.black if colour is BLACK else reviewed.chances.white
    chance = chance_of(colour, line[number - 1])
    cost = reviewed.costs[number - 1]
    if step.reason is not None:
        cost = None
        yield Phrase("It was refused, so it cost no move.")
    yield _choice(reviewed.best[number - 1], cost, attempt_text(step.move, size), colour, chance)
    before, after = (chance_of(colour, reviewed.chances.truth[n]) for n in (number - 1, number))
    if abs(after - before) >= LEAST:
        yield Phrase(
            "On the full board {player}'s win probability changed from {before} to {after}.",
            player=colour,
            before=percent(before),
            after=percent(after),
        )


def _verdict_words(found: Judgement, reviewed: Review, number: int, colour: Colour) -> str:
    cost = reviewed.costs[number - 1]
    if found is Judgement.MISTAKE:
        return Phrase("A mistake: {player}'s view showed a better attempt.", player=colour)
    if found is Judgement.BAD_LUCK:
        return Phrase(
            "Bad luck: right by {player}'s view, wrong on the full board.",
            player=colour,
        )
    if cost is not None and cost >= CLEAR:
        return Phrase(
            "Luck: {player}'s view showed a better attempt, but on the full board this one worked.",
            player=colour,
        )
    return Phrase(
        "Luck: it worked better on the full board than {player} could know.", player=colour
    )


def _hidden_beside(game: TableGame, number: int) -> list[Point]:
    """The enemy stones within two steps of an attempt that the player had not located."""
    step, moment = game.steps[number - 1], game.moments[number - 1]
    if step.move < 0:
        return []
    geometry = grid(game.rules.size)
    near = geometry.grow(geometry.grow(1 << step.move)) & ~(1 << step.move)
    stones = moment.board.stones(step.colour.other) & ~moment.view(step.colour).located
    return [*members(near & stones)]


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


def best_point(reviewed: Review, number: int, played: Move, size: int) -> Point | None:
    """Return the point that the reviewer would have attempted instead, if it is another one."""
    if not (number and reviewed.best):
        return None
    move = parse_attempt(reviewed.best[number - 1], size)
    return move if 0 <= move != played else None


def try_line(
    record: str, number: int, line: Sequence[Move], truth: float
) -> tuple[list[str], GameMoment]:
    """Try a line of attempts in place of one, counted from 1, of a finished game.

    Return the sentences about it, and the game after it.

    Args:
        record: the game, as JSON.
        number: the attempt.
        line: the moves, of whoever is to move; those after an end of the game are dropped.
        truth: Black's win probability on the full board before it, by the review.
    """
    game = TableGame.resumed(read_record(record)).first(number - 1)
    size, view = game.rules.size, game.view(game.to_move)
    before = chance(game.moments[-1], game.rules)
    for move in line:
        if game.outcome is None:
            view = game.view(game.to_move)
            game.attempt(move, 0.0)
    *_, step = game.steps
    values = {"point": attempt_text(step.move, size), "player": step.colour}
    words = [attempt_words(step, size) for step in game.steps[number - 1 :]]
    said: list[str] = [Phrase("You tried: {line}.", line=enumerated(words))]
    if (seen := advice.by_view(view, step.move)) is not None:
        share = percent(seen)
        said.append(Phrase("{point}: {share} to win, as {player} saw it.", share=share, **values))
    if step.reason is None:
        after = chance(game.moments[-1], game.rules)
        share = percent(chance_of(step.colour, moved(truth, before, after)))
        said.append(Phrase("{point}: {share} to win on the full board.", share=share, **values))
    return said, game.moments[-1]
