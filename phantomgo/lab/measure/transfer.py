"""Transfer: what a book is worth against an opponent it was not learned against.

Reinforcing, section VI-A, and Fast seeds, section 5: seeds learned in a player's games against
itself play another player, and so does the player with random seeds, for comparison.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from phantomgo.game.points import BLACK, Colour
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seeds.contest import side_of
from phantomgo.lab.seeds.seed_store import SeedStore, play_missing
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.exploiter import least_error
from phantomgo.portfolio.matrix import Cell


class WinRate(NamedTuple):
    """A winning rate and its standard error, due to the choice of seeds."""

    rate: float
    error: float


class Transfer(NamedTuple):
    """The rates of a book and of its player with random seeds, against an opponent.

    Attributes:
        name: the book's name.
        opponent: the opponent's spec.
        colour: the book's colour.
        games: how many games either played.
        book: the book's rate.
        original: its player's.
    """

    name: str
    opponent: str
    colour: Colour
    games: int
    book: WinRate
    original: WinRate


def transferred(
    store: SeedStore,
    book: Book,
    colour: Colour,
    opponents: range,
    workers: Workers,
    progress: Progress,
) -> tuple[WinRate, WinRate]:
    """The rates of a book and of its player against an opponent's seeds, without symmetries.

    Each opponent's seed plays one game against either. The book plays the line that `book:NAME`
    draws in the game of that number, and the player without a book the seed of that number. The
    book was learned on none of them. The store is of the book's player against the opponent.
    """

    def drawn(game: int) -> int:
        """The number of the line that the book plays in a game."""
        return side_of(store.lines, colour, book.line(game, colour), game, 0).number

    def games(own: Sequence[int]) -> list[Cell]:
        return list(zip(*((own, opponents) if colour is BLACK else (opponents, own)), strict=True))

    of_book, of_player = games([*map(drawn, opponents)]), games(opponents)
    play_missing(store, dict.fromkeys([*of_book, *of_player]), workers, progress)
    mark = "B+" if colour is BLACK else "W+"

    def rate(wanted: Sequence[Cell]) -> WinRate:
        won = [(store.get(game) or "").startswith(mark) for game in wanted]
        error = float(np.std(won) / max(1, len(won) - 1) ** 0.5)
        return WinRate(float(np.mean(won)), max(error, least_error(len(won))))

    return rate(of_book), rate(of_player)
