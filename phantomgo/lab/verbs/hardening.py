"""Hardening a book: weighing its seeds against opponents who own it.

As one colour, the book's seeds are the rows of a matrix game. Its columns are policies of
responders: each round learns a best response to the current mixture (`exploiting.respond`), plays
it against every seed, and moves the mixture towards the equilibrium of the matrix so far. The
result is the mixture whose worst column is best. A responder that stops early flatters the mixture
that it was learned against, so all mixtures are compared by all responders.

An equilibrium against few responders is a mixture of few seeds, which the next responder beats. So
a mixture is the mean of the book's own and of the equilibria so far, as in fictitious play.

Sources: Brown, Iterative solution of games by fictitious play (1951); McMahan, Gordon & Blum,
Planning in the presence of cost functions controlled by an adversary (ICML 2003), for a matrix that
grows by best responses; McAleer et al., Anytime PSRO for two-player zero-sum games (2022), for
keeping the least exploitable mixture.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

import bots
from bots.seeded import seeded
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.files import named_file
from phantomgo.lab.learn import with_games
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.seat import Named, spec_of
from phantomgo.lab.verbs.exploiting import (
    Drawn,
    Effort,
    games_against,
    respond,
    score,
    score_against,
)
from phantomgo.match.stats import Interval, wilson
from phantomgo.points import BLACK, Colour
from phantomgo.portfolio.book import Book, read_book, write_book
from phantomgo.portfolio.movebook import MoveBook
from phantomgo.portfolio.nash import FloatArray, solve
from phantomgo.portfolio.setup import Setup
from phantomgo.portfolio.side import Side

MOST_ROUNDS: Final = 100
_APART: Final = 1 << 48
"""The distance between the seeds of draws to learn on and those of a column's games."""


class Mixture(NamedTuple):
    """A mixture of one colour, and what it keeps.

    Attributes:
        seeds: how many seeds it mixes.
        kept: its share of wins against a responder who knows it, with its 95 % interval: an upper
            bound on its share against a best response.
        least: its least share against any responder of the run, by the games of its seeds; the
            mixture with the greatest is chosen.
        probabilities: how often each of the book's seeds is drawn.
    """

    seeds: int
    kept: Interval
    least: float
    probabilities: FloatArray


@dataclass(frozen=True)
class Hardened:
    """A book whose seeds were weighed anew.

    Attributes:
        book: the new book.
        source: the name of the book that it was made from.
        base: the spec of the responders' base player.
        games: the games that measured each mixture.
        mixtures: for each colour that the book plays, the mixtures in their order.
        file: where the new book was written; None if it was not.
    """

    book: Book
    source: str
    base: str
    games: int
    mixtures: dict[Colour, list[Mixture]]
    file: str | Path | None


def harden(
    book: str,
    *,
    rounds: int = 3,
    minutes: float = 2.0,
    base: Named = "phantom:book=none",
    draws: int = 1024,
    games: int = 600,
    tails: int = 40,
    seed: int = 0,
    force: bool = False,
    store: str | Path | None = None,
    out: str | Path | None = None,
    progress: Progress = SILENT,
) -> Hardened:
    """Weigh the seeds of a book against opponents who own it.

    Args:
        book: the book's name or .json file; the more seeds it has, the more can be gained.
        rounds: responders to learn and to weigh the seeds against.
        minutes: processor time to learn each.
        base: the bot that decides where a responder found nothing better.
        draws: draws from a mixture that a responder learns on.
        games: games to measure each mixture against its own responder.
        tails: games of each seed against each responder.
        seed: seed from which all others are derived.
        force: weigh the book even if its bots have changed.
        store: keep the responders' policies in this folder; the same command continues from them.
        out: write the new book to this file, NAME.json.
        progress: receives reports of progress.

    Raises:
        BadText: a spec or number is not one, or the book is not of Phantom Go.
        BadBook: there is no such book, its bots have changed, or a policy in the folder is damaged
            or was learned against another mixture.
    """
    file = None if out is None else named_file("book", out)
    folder = None if store is None else Path(store)
    found = read_book(book)
    whole("rounds", rounds, 1, MOST_ROUNDS)
    whole("tails", tails, 1, 1 << 20)
    effort = Effort(spec_of(base), minutes, draws, games, seed).checked()
    setup = games_against(found, effort, force=force)
    several = [colour for colour in found.colours if len(found.side(colour).seeds) > 1]
    if not several:
        raise BadText(f"book {found.name} has one seed for each colour; there is nothing to weigh")
    new, mixtures = found, dict[Colour, list[Mixture]]()
    for colour in several:
        weighed = _mixtures(found, colour, setup, effort, rounds, tails, folder, progress)
        mixtures[colour], chosen = weighed, best(weighed).probabilities
        new = with_side(new, colour, weighted(found.side(colour), chosen))
    name = found.name if file is None else file.stem
    training = replace(found.training, responders=found.training.responders + rounds)
    new = with_games(replace(new, name=name, training=training, evaluation=None, owned=None))
    if file is not None:
        write_book(new, file)
    return Hardened(new, found.name, effort.base, games, mixtures, out)


def _mixtures(
    book: Book,
    colour: Colour,
    setup: Setup,
    effort: Effort,
    rounds: int,
    tails: int,
    folder: Path | None,
    progress: Progress,
) -> list[Mixture]:
    """The book's own mixture of one colour's seeds, and that of each round."""
    side, other, games = book.side(colour), colour.other, effort.games

    def with_mixture(probabilities: FloatArray) -> Book:
        return with_side(book, colour, weighted(side, probabilities))

    alone = [_drawn(with_mixture(one)) for one in np.eye(len(side.seeds))]
    mixed, intervals, columns = [np.array(side.probabilities)], list[Interval](), []
    for number in range(rounds + 1):
        now = with_mixture(mixed[-1])
        name, drawn = f"{colour}-{number}".lower(), _drawn(now)
        policy = respond(name, setup, effort, other, drawn, now.digest, folder, progress)
        won = score(policy, effort, other, drawn, progress)
        intervals.append(wilson(games - won, games))
        share = f"{100 * intervals[-1].value:.1f} %"
        progress.note(f"{colour}, round {number}: keeps {share} of {games} games")
        columns.append(_column(policy, effort, other, alone, tails, progress))
        if number < rounds:
            step = solve(np.column_stack(columns)).rows - mixed[-1]
            mixed.append(mixed[-1] + step / (number + 2))
    least = (np.array(mixed) @ np.column_stack(columns)).min(axis=1)
    found = zip(mixed, intervals, least, strict=True)
    return [Mixture(int(np.count_nonzero(p)), kept, float(low), p) for p, kept, low in found]


def _column(
    policy: MoveBook,
    effort: Effort,
    colour: Colour,
    opponents: Sequence[Drawn],
    tails: int,
    progress: Progress,
) -> list[float]:
    """The share of wins that each of the opponents keeps against a responder of this colour."""
    shares, start = list[float](), effort.first + _APART
    with progress.stage("seeds against the responder", len(opponents)) as advance:
        for drawn in opponents:
            games = range(start + len(shares) * tails, start + (len(shares) + 1) * tails)
            won = sum(score_against(policy, effort.base, drawn(n), colour, n) for n in games)
            shares.append(1 - won / tails)
            advance(1)
    return shares


def _drawn(book: Book) -> Drawn:
    """Makes players who draw from a book."""
    return lambda seed: seeded(book.name, book, seed, bots.make)


def best(mixtures: Sequence[Mixture]) -> Mixture:
    """The mixture that is chosen."""
    return max(mixtures, key=lambda mixture: mixture.least)


def with_side(book: Book, colour: Colour, side: Side) -> Book:
    """The book with another portfolio of one colour."""
    return replace(book, black=side) if colour is BLACK else replace(book, white=side)


def weighted(side: Side, probabilities: FloatArray) -> Side:
    """The side with other probabilities, without the seeds that are never drawn.

    What it secures against the seeds of its training is unknown then, so `value` is 0.
    """
    leave = dict(zip(side.seeds, side.leave, strict=True)) if side.leave else {}
    drawn = Side.of(side.seeds, probabilities, 0.0)
    return replace(drawn, leave=tuple(leave[s] for s in drawn.seeds if leave), start=side.start)
