"""Short descriptions of books of moves, and drawings of them as trees."""

from typing import Final

from phantomgo.points import Colour, vertex
from phantomgo.portfolio.movebook import MoveBook
from phantomgo.wording import counted

SITUATIONS: Final = 24
"""The most situations of a colour that are shown."""
MOVES: Final = 5
"""The most moves of a situation that are shown."""


def moves_summary(book: MoveBook) -> str:
    """A book's provenance and its most frequent situations.

    Each is indented below the one it follows; the move that is played has a star.
    """
    growth = book.growth
    lines = [
        f"{book.name}: moves for {book.setup.title}",
        f"  {growth.method}, share above {growth.threshold:g}, first {growth.depth} moves;"
        f" {counted(growth.games, 'game')}, {growth.batch} at a time"
        + (f", Black won {100 * growth.black_wins / growth.games:.1f} %" if growth.games else "")
        + (f"; begun with a book {growth.start}" if growth.start else ""),
    ]
    for colour in Colour:
        situations = book.side(colour)
        known = sum(book.move(colour, told) is not None for told in situations)
        lines.append(f"  {colour}: {counted(len(situations), 'situation')}, a move for {known}")
        lines += _tree(book, colour)
    return "\n".join(lines)


def _tree(book: MoveBook, colour: Colour) -> list[str]:
    situations = book.side(colour)
    games = {told: sum(t.games for t in moves.values()) for told, moves in situations.items()}
    most = sorted(games, key=lambda told: (-games[told], told))[:SITUATIONS]
    return [_line(book, colour, told) for told in sorted(most, key=str.split)]


def _line(book: MoveBook, colour: Colour, told: str) -> str:
    """`C3 .: B3* 23/40, B2 4/11, 3 more`: the messages, and the moves with wins and games."""
    size, played = book.setup.rules.size, book.move(colour, told)
    moves = sorted(book.side(colour)[told].items(), key=lambda item: (-item[1].games, item[0]))
    shown = ", ".join(
        f"{vertex(move, size)}{'*' if move == played else ''} {tried.won:g}/{tried.games}"
        for move, tried in moves[:MOVES]
    )
    more = f", {len(moves) - MOVES} more" if len(moves) > MOVES else ""
    return f"    {'  ' * len(told.split())}{told or 'at first'}: {shown}{more}"
