"""The openings of a book against an opponent who stays unseen.

Each line's first moves are found by asking its bot, as if every attempt were accepted and the
opponent captured nothing. Openings that a symmetry of the board maps onto each other count as one,
as the book plays all of them.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from bots import Bot, make_installed
from bots.book import line_bot
from phantomgo.messages import Accepted, Moved
from phantomgo.points import PASS, RESIGN, Colour, Move, Point
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.line import Line
from phantomgo.portfolio.setup import Setup
from phantomgo.record import begin
from phantomgo.symmetry import map_move


class Opening(NamedTuple):
    """A sequence of moves, as the first of its eight images.

    Attributes:
        moves: the player's own moves.
        share: the probability that the book plays them.
        lines: the lines that play them.
    """

    moves: tuple[Move, ...]
    share: float
    lines: tuple[Line, ...]


def openings(book: Book, colour: Colour, length: int) -> list[Opening]:
    """The openings of a colour, the most frequent ones first."""
    side, setup = book.side(colour), book.phantom_go
    shares = defaultdict[tuple[Move, ...], float](float)
    lines = defaultdict[tuple[Move, ...], list[Line]](list)
    for line, share in zip(side.lines, side.probabilities, strict=True):
        bot = line_bot((*line[:-1], line[-1]._replace(moves=None)), make_installed)
        moves = first_of_images(first_moves(bot, setup, colour, length), setup)
        shares[moves] += share
        lines[moves].append(line)
    listed = [Opening(moves, share, tuple(lines[moves])) for moves, share in shares.items()]
    return sorted(listed, key=lambda opening: (-opening.share, opening.moves))


def first_moves(bot: Bot, setup: Setup, colour: Colour, length: int) -> tuple[Move, ...]:
    """A bot's first moves against silence, up to a pass or resignation."""
    rules, moves = setup.rules, list[Move]()
    referee, _ = begin(rules, setup.beginning)
    view = referee.view(colour)
    nothing = (None, None) if rules.captures_to_capturer == "none" else (0, 0)
    if colour is not referee.to_move:
        view = view.after(Moved())
    while len(moves) < length:
        move = bot.decide(view).move
        moves.append(move)
        if move in (PASS, RESIGN):
            break
        view = view.after(Accepted(move, *nothing)).after(Moved())
    return tuple(moves)


def first_of_images(moves: Sequence[Move], setup: Setup) -> tuple[Move, ...]:
    """The first, in order, of the images of a sequence of moves on the board."""
    size = setup.rules.size
    return min(tuple(map_move(g, move, size) for move in moves) for g in setup.symmetries)


def first_points(listed: Sequence[Opening], setup: Setup) -> dict[Point, float]:
    """The frequency of each point as the first move, under drawn symmetries."""
    shares = defaultdict[Point, float](float)
    for opening in listed:
        for symmetry in setup.symmetries:
            point = map_move(symmetry, opening.moves[0], setup.rules.size)
            shares[point] += opening.share / len(setup.symmetries)
    return dict(shares)
