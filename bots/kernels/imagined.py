"""An imagined game's queries of its board (board.py), as calls from Python."""

from bots.kernels.board import (
    BLACK,
    COLOUR,
    PASS,
    STATE,
    cell,
    deal_hidden,
    finish,
    margin,
    play,
    set_up,
)
from bots.kernels.jit import entry
from bots.kernels.vectors import pointer


@entry
def world(board, own, enemy, open_points, hidden, excluded, colour, key, size):
    """Make a board of known stones and of hidden ones, dealt evenly (see `deal_hidden`).

    Args:
        board: int64 memory of length LENGTH.
        own: the stones of `colour`, uint8 with 1 for each point; so the next two.
        enemy: the other side's that it knows.
        open_points: where the hidden ones may stand, except on the `excluded` point.
        hidden: how many there are.
        excluded: a point, or -1.
        colour: who looks, 1 or 2.
        key: the random stream.
        size: points per side.
    """
    b = pointer(board)
    set_up(b, own, enemy, colour, size)
    b[STATE] = key
    deal_hidden(b, open_points, excluded, hidden, 3 - colour, size)


@entry
def attempt(board, p, colour, size):
    """Play a point, or pass (-1); return how many stones it captured, -1 if it is illegal."""
    return play(pointer(board), cell(p, size) if p >= 0 else PASS, colour, size + 2)


@entry
def stones(board, colour, size, found):
    """Write 1 for each point with a stone of the colour, else 0, to an uint8 array."""
    for p in range(size * size):
        found[p] = board[COLOUR + cell(p, size)] == colour


@entry
def area_margin(board, colour, size):
    """The area of a colour less the other's."""
    total = margin(pointer(board), size + 2)
    return total if colour == BLACK else -total


@entry
def play_to_end(board, colour, passes, played, size):
    """Play the game to its end at random; return how many moves it had in all."""
    return finish(pointer(board), passes, played, colour, size)
