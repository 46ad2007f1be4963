"""A board for one game at a time that maintains its chains, for games played move by move.

The lanes (lanes.py) play many random games at once but know no chains. Here each chain has a head
that holds its *breath*: a sum over its pseudo-liberties, the pairs of a stone of it and an empty
cell next to that stone, of 1, of the cell and of the cell squared, side by side in one number. It
is zero when the chain has no liberty, and by Cauchy and Schwarz it tells whether all pairs name
the same cell, so whether the chain is in atari and where, without a search.

A board is one flat int64 array, read through a pointer. A cell is a point with an edge around the
board: (row + 1) * width + column + 1, width being size + 2; cell 0 is an edge and stands for a
pass. Colours are those of phantomgo/game/points.py.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bots.kernels.jit import INLINE, entry
from bots.kernels.stream import GAMMA, below, mix

EMPTY, BLACK, WHITE, EDGE = range(4)
PASS = 0
CELLS = 21 * 21
# Sections of a board, one number for every cell:
COLOUR = 0 * CELLS  # its colour
HEAD = 1 * CELLS  # the head of its chain, or itself
NEXT = 2 * CELLS  # the next stone of its chain, a ring
STONES = 3 * CELLS  # of a head: the stones of the chain
BREATH = 4 * CELLS  # of a head: the breath of the chain
PLACE = 5 * CELLS  # of an empty cell: its index in EMPTIES
EMPTIES = 6 * CELLS  # the list of empty cells
MARK = 7 * CELLS  # work space
STACK = 8 * CELLS  # work space
# Single numbers:
COUNT = 9 * CELLS  # how many cells are empty
KO = COUNT + 1  # the cell that the side to move may not retake, or PASS
STATE = COUNT + 2  # the state of the random numbers
LENGTH = COUNT + 3  # how many numbers a board has

COUNTS = (1 << 11) - 1  # a breath holds a count in 11 bits, a sum in 21, a sum of squares in 31
SUM, SUMS, SQUARES = 11, (1 << 21) - 1, 32


def empty_board() -> NDArray[np.int64]:
    """Memory for a board of any size; `clear` makes one of it."""
    return np.zeros(LENGTH, np.int64)


@njit(**INLINE)
def around(q, width):
    """The four cells next to a cell."""
    return q - width, q - 1, q + 1, q + width


@njit(**INLINE)
def cell(point, size):
    """The cell of a point."""
    return (point // size + 1) * (size + 2) + point % size + 1


@njit(**INLINE)
def point(q, size):
    """The point of a cell; PASS is -1."""
    return (q // (size + 2) - 1) * size + q % (size + 2) - 1 if q != PASS else -1


@njit(**INLINE)
def breath_of(q):
    """The addend of an empty cell to a chain's breath for each stone next to it."""
    return 1 + (q << SUM) + (q * q << SQUARES)


@njit(**INLINE)
def last_liberty(breath):
    """The only liberty of a chain, 0 if it has none or several."""
    count, total, squares = breath & COUNTS, breath >> SUM & SUMS, breath >> SQUARES
    return total // count if count and count * squares == total * total else 0


@entry
def clear(b, size):
    """Make an empty board."""
    width = size + 2
    for q in range(width * width):
        b[COLOUR + q], b[HEAD + q], b[NEXT + q], b[STONES + q] = EDGE, q, q, 0
        b[BREATH + q] = b[MARK + q] = 0
    b[COUNT], b[KO] = 0, PASS
    for p in range(size * size):
        q = cell(p, size)
        b[COLOUR + q], b[PLACE + q], b[EMPTIES + p] = EMPTY, p, q
        b[COUNT] += 1


@entry
def copy(b, source, size):
    """Copy a board, except for its random state."""
    cells = (size + 2) * (size + 2)
    for section in (COLOUR, HEAD, NEXT, STONES, BREATH, PLACE):
        for q in range(section, section + cells):
            b[q] = source[q]
    for i in range(source[COUNT]):
        b[EMPTIES + i] = source[EMPTIES + i]
    b[COUNT], b[KO] = source[COUNT], source[KO]


@njit(**INLINE)
def draw(b, bound):
    """A random number below `bound`."""
    b[STATE] += GAMMA
    return below(mix(b[STATE]), bound)


@njit(**INLINE)
def give_breath(b, q, width, times):
    """Add the breath of an empty cell, `times` (1 or -1), to the chains next to it."""
    breath = times * breath_of(q)
    for n in around(q, width):
        b[BREATH + b[HEAD + n]] += breath


@njit(**INLINE)
def join(b, p, q):
    """Make the chains of two stones one."""
    larger, smaller = b[HEAD + p], b[HEAD + q]
    if larger == smaller:
        return
    if b[STONES + larger] < b[STONES + smaller]:
        larger, smaller = smaller, larger
    b[STONES + larger] += b[STONES + smaller]
    b[BREATH + larger] += b[BREATH + smaller]
    stone = smaller
    while True:
        b[HEAD + stone] = larger
        stone = b[NEXT + stone]
        if stone == smaller:
            break
    b[NEXT + larger], b[NEXT + smaller] = b[NEXT + smaller], b[NEXT + larger]


@entry
def settle(b, q, colour, width):
    """Put a stone on an empty cell whose breath has been taken from the chains around."""
    last = b[COUNT] - 1
    moved = b[EMPTIES + last]
    b[EMPTIES + b[PLACE + q]], b[PLACE + moved], b[COUNT] = moved, b[PLACE + q], last
    b[COLOUR + q], b[HEAD + q], b[NEXT + q], b[STONES + q] = colour, q, q, 1
    breath = 0
    for n in around(q, width):
        breath += breath_of(n) if b[COLOUR + n] == EMPTY else 0
    b[BREATH + q] = breath
    for n in around(q, width):
        if b[COLOUR + n] == colour:
            join(b, q, n)


@njit(**INLINE)
def place(b, q, colour, width):
    """Put a stone on an empty cell, capturing nothing."""
    give_breath(b, q, width, -1)
    settle(b, q, colour, width)


@entry
def lift(b, head, width):
    """Take a chain off the board."""
    stone, count = head, b[COUNT]
    while True:
        b[COLOUR + stone], b[PLACE + stone], b[EMPTIES + count] = EMPTY, count, stone
        count += 1
        give_breath(b, stone, width, 1)
        stone = b[NEXT + stone]
        if stone == head:
            break
    b[COUNT] = count
    while True:
        following = b[NEXT + stone]
        b[HEAD + stone] = b[NEXT + stone] = stone
        stone = following
        if stone == head:
            break


@njit(**INLINE)
def breathless(b, q, colour):
    """True if the cell holds a stone of the colour whose chain has no breath."""
    return b[COLOUR + q] == colour and b[BREATH + b[HEAD + q]] == 0


@njit(**INLINE)
def free(b, q, colour, width):
    """True if a stone on q, its breath taken from the chains around, is not suicide."""
    for n in around(q, width):
        own = b[COLOUR + n] == colour and b[BREATH + b[HEAD + n]] != 0
        if own or b[COLOUR + n] == EMPTY or breathless(b, n, 3 - colour):
            return True
    return False


@entry
def play(b, q, colour, width):
    """Play on a cell, or pass; return how many stones it captured, -1 if it is illegal."""
    if q == PASS:
        b[KO] = PASS
        return 0
    if b[COLOUR + q] != EMPTY or q == b[KO]:
        return -1
    give_breath(b, q, width, -1)
    if not free(b, q, colour, width):
        give_breath(b, q, width, 1)
        return -1
    settle(b, q, colour, width)
    captured, last = 0, PASS
    for n in around(q, width):
        if breathless(b, n, 3 - colour):
            captured, last = captured + b[STONES + b[HEAD + n]], n
            lift(b, b[HEAD + n], width)
    alone = b[STONES + q] == 1 and last_liberty(b[BREATH + q])
    b[KO] = last if captured == 1 and alone else PASS
    return captured


@njit(**INLINE)
def is_eye(b, q, colour, width):
    """A true eye, never filled: all neighbours own; fewer than two diagonals the enemy's, the
    edge counting as one.
    """
    for n in around(q, width):
        if b[COLOUR + n] != colour and b[COLOUR + n] != EDGE:
            return False
    enemies, edge = 0, 0
    for d in (q - width - 1, q - width + 1, q + width - 1, q + width + 1):
        enemies += b[COLOUR + d] == 3 - colour
        edge |= b[COLOUR + d] == EDGE
    return enemies + edge < 2


@njit(**INLINE)
def set_aside(b, i, count):
    """Swap number i of the empty cells with the last of the first `count`."""
    q, last = b[EMPTIES + i], b[EMPTIES + count - 1]
    b[EMPTIES + i], b[PLACE + last] = last, i
    b[EMPTIES + count - 1], b[PLACE + q] = q, count - 1


@entry
def play_random(b, colour, width):
    """Play a random legal move that fills no own true eye; pass if there are none."""
    count = b[COUNT]
    while count:
        i = draw(b, count)
        q = b[EMPTIES + i]
        if not is_eye(b, q, colour, width) and play(b, q, colour, width) >= 0:
            return q
        set_aside(b, i, count)
        count -= 1
    b[KO] = PASS
    return PASS


@njit(**INLINE)
def set_up(b, own, enemy, colour, size):
    """Make a board from the stones of both colours (uint8, 1 for each point with a stone)."""
    clear(b, size)
    for p in range(size * size):
        if own[p] or enemy[p]:
            place(b, cell(p, size), colour if own[p] else 3 - colour, size + 2)


@entry
def deal_hidden(b, open_points, excluded, hidden, colour, size):
    """Put hidden stones of a colour on random open points but the excluded one.

    Stones are drawn one by one, leaving out those that would take a chain's last liberty. The
    arguments are those of the lanes (`play_out` in playouts.py), the open points an uint8 array.
    """
    count, width = 0, size + 2
    for p in range(size * size):
        if open_points[p] and p != excluded:
            b[STACK + count] = p
            count += 1
    while hidden > 0 and count > 0:
        i = draw(b, count)
        p = b[STACK + i]
        q = cell(p, size)
        count -= 1
        b[STACK + i] = b[STACK + count]
        give_breath(b, q, width, -1)
        breathes, choked = False, False
        for n in around(q, width):
            lives = b[BREATH + b[HEAD + n]] != 0
            breathes |= b[COLOUR + n] == EMPTY or (b[COLOUR + n] == colour and lives)
            choked |= b[COLOUR + n] == 3 - colour and not lives
        if breathes and not choked:
            settle(b, q, colour, width)
            hidden -= 1
        else:
            give_breath(b, q, width, 1)


@entry
def margin(b, width):
    """Black's area less White's: stones, and empty regions that touch one colour only."""
    total = np.int64(0)
    for q in range(width, width * (width - 1)):
        total += (b[COLOUR + q] == BLACK) - np.int64(b[COLOUR + q] == WHITE)
        b[MARK + q] = 0
    for i in range(b[COUNT]):
        if b[MARK + b[EMPTIES + i]]:
            continue
        b[STACK] = b[EMPTIES + i]
        b[MARK + b[STACK]] = 1
        found, todo, touched = 1, 1, 0
        while todo:
            todo -= 1
            for n in around(b[STACK + todo], width):
                colour = b[COLOUR + n]
                touched |= colour if colour != EDGE else 0
                if colour == EMPTY and not b[MARK + n]:
                    b[MARK + n] = 1
                    b[STACK + todo] = n
                    todo += 1
                    found += 1
        total += found * ((touched == BLACK) - np.int64(touched == WHITE))
    return total


@entry
def finish(b, passes, played, colour, size):
    """Play a game at random to its end: two passes, or 3 * size**2 moves.

    Args:
        b: the board.
        passes: how many passes have just been made.
        played: moves played so far.
        colour: the side to move.
        size: points per side.

    Returns:
        how many moves the whole game had.
    """
    while passes < 2 and played < 3 * size * size:
        move = play_random(b, colour, size + 2)
        passes = passes + 1 if move == PASS else 0
        played += 1
        colour = 3 - colour
    return played
