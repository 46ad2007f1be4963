"""Playouts on one board at a time, by a policy: random, or that of MoGo.

MoGo's policy (Gelly, Wang, Munos & Teytaud, Modification of UCT with patterns in Monte-Carlo Go,
2006; the order is that of Buron 2013, section 4.3) looks for a move that

1. saves a chain that the last move put in atari: by more liberties, or by taking one next to it;
2. makes one of its 3x3 patterns next to the last move;
3. takes a chain in atari;
4. or else is random and fills no own true eye.

Of several such moves one is drawn. The patterns are hane, cut and edge shapes, written below as
that report draws them: `X` and `O` the colours, either way round; `.` empty, `#` the edge, `x`
and `o` no stone of that colour, `?` anything.
"""

from functools import cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bots.kernels.board import (
    BLACK,
    BREATH,
    COLOUR,
    COUNT,
    EMPTIES,
    EMPTY,
    FIRST,
    HEAD,
    KO,
    LENGTH,
    NEXT,
    PASS,
    STATE,
    around,
    breath_of,
    cell,
    copy,
    deal_hidden,
    draw,
    is_eye,
    last_liberty,
    legal,
    margin,
    play,
    play_random,
    set_up,
)
from bots.kernels.jit import ENTRY, INLINE
from bots.kernels.stream import STREAM, mix
from bots.kernels.vectors import pointer

PATTERNS = (
    "XOX ... ???",  # hane
    "XO. ... ?.?",
    "XO? X.. x.?",
    ".O. X.. ...",
    "XO? O.o ?o?",  # cuts
    "XO? O.X ???",
    "?X? O.O ooo",
    "OX? o.O ???",
    "X.? O.? ###",  # at the edge
    "OX? X.O ###",
    "?X? x.O ###",
    "?OX x.x ###",
    "?OX X.O ###",
)
_MEANING = {"X": "X", "O": "O", ".": ".", "#": "#", "x": "O.#", "o": "X.#", "?": "XO.#"}
_CELLS = ".XO#"  # as their colours are numbered
WORK = 3 * LENGTH  # two boards, and a list of moves


@cache
def patterns() -> NDArray[np.uint8]:
    """For each shape of a cell's surroundings (see `shape`) 1 if a pattern asks to play there."""
    codes = np.arange(1 << 16)
    cells = [codes >> 2 * i & 3 for i in range(8)]
    fits = {sign: np.array([c in meant for c in _CELLS]) for sign, meant in _MEANING.items()}
    found = np.zeros(1 << 16, np.bool_)
    for text in PATTERNS:
        for signs in _symmetric(np.array([list(row) for row in text.split()])):
            matches = np.ones(1 << 16, np.bool_)
            for sign, colours in zip(signs[:4] + signs[5:], cells, strict=True):
                matches &= fits[sign][colours]
            found |= matches
    return found.astype(np.uint8)


def _symmetric(square: NDArray[np.str_]) -> set[tuple[str, ...]]:
    """A pattern turned, mirrored and with the colours exchanged, its rows in a line."""
    swapped = str.maketrans("XOxo", "OXox")
    squares = set()
    for turned in (np.rot90(square, k) for k in range(4)):
        for mirrored in (turned, turned.T):
            signs = tuple(str(sign) for sign in mirrored.ravel())
            squares |= {signs, tuple(sign.translate(swapped) for sign in signs)}
    return squares


@njit(**INLINE)
def shape(b, q, width):
    """The colours around a cell as a number, two bits each, row by row."""
    code, i = 0, 0
    for n in (q - width - 1, q - width, q - width + 1, q - 1):
        code |= b[COLOUR + n] << i
        i += 2
    for n in (q + 1, q + width - 1, q + width, q + width + 1):
        code |= b[COLOUR + n] << i
        i += 2
    return code


@njit(**INLINE)
def breathes_after(b, q, colour, width):
    """True if a stone on q would be in a chain of two liberties or more."""
    breath = 0
    a, c, d, e = around(q, width)
    for n in (a, c, d, e):
        if b[COLOUR + n] == EMPTY:
            breath += breath_of(n)
        elif b[COLOUR + n] == colour:
            breath -= breath_of(q)  # a pair of n's chain that is to go
    heads = b[HEAD + a], b[HEAD + c], b[HEAD + d], b[HEAD + e]
    for i in range(4):
        new = True
        for j in range(i):
            new &= heads[j] != heads[i]
        if new and b[COLOUR + heads[i]] == colour:
            breath += b[BREATH + heads[i]]
    return breath != 0 and not last_liberty(breath)


@njit(**ENTRY)
def saving_moves(b, last, colour, moves, width):
    """List the moves that save a chain next to the last move; return how many."""
    count = 0
    for n in around(last, width):
        if b[COLOUR + n] != colour:
            continue
        liberty = last_liberty(b[BREATH + b[HEAD + n]])
        if not liberty:
            continue
        if breathes_after(b, liberty, colour, width) and legal(b, liberty, colour, width):
            moves[count] = liberty
            count += 1
        stone = n
        while True:
            for m in around(stone, width):
                if b[COLOUR + m] == 3 - colour:
                    taking = last_liberty(b[BREATH + b[HEAD + m]])
                    if taking and legal(b, taking, colour, width) and count < LENGTH:
                        moves[count] = taking
                        count += 1
            stone = b[NEXT + stone]
            if stone == n:
                break
    return count


@njit(**ENTRY)
def pattern_moves(b, last, colour, moves, patterns, width):
    """List the moves next to the last one that make a pattern; return how many."""
    count = 0
    for row in (last - width, last, last + width):
        for q in (row - 1, row, row + 1):
            asked_for = b[COLOUR + q] == EMPTY and patterns[shape(b, q, width)]
            if asked_for and not is_eye(b, q, colour, width) and legal(b, q, colour, width):
                moves[count] = q
                count += 1
    return count


@njit(**ENTRY)
def taking_moves(b, colour, moves, width):
    """List the moves that take a chain; return how many."""
    count = 0
    for i in range(b[COUNT]):
        q = b[EMPTIES + i]
        takes = False
        for n in around(q, width):
            enemy = b[COLOUR + n] == 3 - colour
            takes |= enemy and last_liberty(b[BREATH + b[HEAD + n]]) == q
        if takes and q != b[KO]:
            moves[count] = q
            count += 1
    return count


@njit(**ENTRY)
def play_mogo(b, last, colour, moves, patterns, width):
    """Play a move of MoGo's policy, or pass; return it."""
    count = 0
    if last != PASS:
        count = saving_moves(b, last, colour, moves, width)
        if not count:
            count = pattern_moves(b, last, colour, moves, patterns, width)
    if not count:
        count = taking_moves(b, colour, moves, width)
    if not count:
        return play_random(b, colour, width)
    move = moves[draw(b, count)]
    play(b, move, colour, width)
    return move


@njit(**INLINE)
def note_first(b, move, colour):
    """Remember who played a cell first."""
    if b[FIRST + move] == EMPTY:
        b[FIRST + move] = colour


@njit(**ENTRY)
def finish(b, last, passes, played, colour, moves, patterns, size):
    """Play a game to its end: two passes, or 3 * size**2 moves; return how many it had.

    Args:
        b: the board.
        last: the last move.
        passes: how many passes have just been made.
        played: moves played so far.
        colour: the side to move.
        moves: work space.
        patterns: MoGo's patterns; of length 0 for random play.
        size: points per side.
    """
    width = size + 2
    while passes < 2 and played < 3 * size * size:
        if len(patterns):
            last = play_mogo(b, last, colour, moves, patterns, width)
        else:
            last = play_random(b, colour, width)
        if last == PASS:
            passes += 1
        else:
            note_first(b, last, colour)
            passes = 0
        played += 1
        colour = 3 - colour
    return played


@njit(**ENTRY)
def play_out(
    work, patterns, size, own, enemy, open_points, hidden, need, opponent_passed,
    candidates, jobs, first, key, visits, wins, margins, amaf, amaf_visits, amaf_wins,
):  # fmt: skip
    """Play playouts number first ... first + len(jobs) - 1; return their moves, passes included.

    What a playout is, and the arguments, are as for the lanes (`play_out` in playouts.py), but that
    `work` is int64 memory of length WORK, `patterns` is MoGo's or of length 0 for random play, and
    the sets of points are uint8 arrays with 1 for each member.
    """
    b, base, moves = pointer(work), pointer(work[LENGTH:]), pointer(work[2 * LENGTH :])
    width = size + 2
    set_up(base, own, enemy, BLACK, size)
    total = 0
    for i in range(len(jobs)):
        job = jobs[i]
        candidate = candidates[job]
        copy(b, base, size)
        b[STATE] = mix(key + (first + i) * STREAM)
        if hidden:
            deal_hidden(b, open_points, candidate, hidden, 3 - BLACK, size)
        move = cell(candidate, size) if candidate >= 0 else PASS
        if play(b, move, BLACK, width) < 0:
            move = PASS
            play(b, move, BLACK, width)
        passes = opponent_passed + 1
        if move != PASS:
            note_first(b, move, BLACK)
            passes = 0
        total += finish(b, move, passes, 1, 3 - BLACK, moves, patterns, size)
        result = margin(b, width)
        won = result > need
        visits[job] += 1
        wins[job] += won
        margins[job] += result
        if amaf:
            for p in range(size * size):
                mine = b[FIRST + cell(p, size)] == BLACK
                amaf_visits[p] += mine
                amaf_wins[p] += mine & won
    return total
