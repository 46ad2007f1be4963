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
"""Between the seeds of the draws that are learned on and those of the games of a row."""


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
        weighed = _Weighing(found, colour, setup, effort, tails, folder, progress)
        mixtures[colour] = weighed.mixtures(rounds)
        chosen = best(mixtures[colour]).probabilities
        new = with_side(new, colour, weighted(found.side(colour), chosen))
    name = found.name if file is None else file.stem
    training = replace(found.training, responders=found.training.responders + rounds)
    new = with_games(replace(new, name=name, training=training, evaluation=None, owned=None))
    if file is not None:
        write_book(new, file)
    return Hardened(new, found.name, effort.base, games, mixtures, out)


class _Weighing:
    """The matrix game of one colour's seeds against responders."""

    def __init__(
        self,
        book: Book,
        colour: Colour,
        setup: Setup,
        effort: Effort,
        tails: int,
        folder: Path | None,
        progress: Progress,
    ) -> None:
        self._book, self._side, self._colour = book, book.side(colour), colour
        self._setup, self._effort, self._tails = setup, effort, tails
        self._folder, self._progress = folder, progress

    def mixtures(self, rounds: int) -> list[Mixture]:
        """The book's own mixture, and that of each round."""
        mixed, intervals, columns = [np.array(self._side.probabilities)], list[Interval](), []
        games = self._effort.games
        for number in range(rounds + 1):
            book = self._mixed(mixed[-1])
            policy = self._response(number, book)
            won = score(policy, self._effort, self._colour.other, _drawn(book), self._progress)
            intervals.append(wilson(games - won, games))
            share = f"{100 * intervals[-1].value:.1f} %"
            self._progress.note(f"{self._colour}, round {number}: keeps {share} of {games} games")
            columns.append(self._column(policy))
            if number < rounds:
                step = solve(np.column_stack(columns)).rows - mixed[-1]
                mixed.append(mixed[-1] + step / (number + 2))
        least = (np.array(mixed) @ np.column_stack(columns)).min(axis=1)
        found = zip(mixed, intervals, least, strict=True)
        return [Mixture(int(np.count_nonzero(p)), kept, float(low), p) for p, kept, low in found]

    def _response(self, number: int, mixed: Book) -> MoveBook:
        """The policy of this round's responder, from the folder if it is there."""
        return respond(
            f"{self._colour}-{number}".lower(),
            self._setup,
            self._effort,
            self._colour.other,
            _drawn(mixed),
            mixed.digest,
            self._folder,
            self._progress,
        )

    def _column(self, policy: MoveBook) -> list[float]:
        """The share of wins that each seed keeps against a responder."""
        shares, colour, base = list[float](), self._colour.other, self._effort.base
        count = len(self._side.seeds)
        with self._progress.stage("seeds against the responder", count) as advance:
            for alone in np.eye(count):
                drawn = _drawn(self._mixed(alone))
                start = self._effort.first + _APART + len(shares) * self._tails
                games = range(start, start + self._tails)
                won = sum(score_against(policy, base, drawn(n), colour, n) for n in games)
                shares.append(1 - won / self._tails)
                advance(1)
        return shares

    def _mixed(self, probabilities: FloatArray) -> Book:
        """The book with this mixture of the colour's seeds."""
        return with_side(self._book, self._colour, weighted(self._side, probabilities))


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
