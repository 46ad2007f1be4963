"""Playouts on one board at a time: a flat array with chains as linked rings.

Cells lie in rows of `size + 1` with a border, so that a neighbour is a fixed step away. One int32
array holds all sections, each `cells` long: the colour of a cell, the head of its chain, the next
stone of its chain, the pseudo-liberties of a chain (kept at its head; how often its stones touch
empty points), the list of empty cells and each cell's place in it. Size is an argument: one
compilation serves every board.

Colours: 0 empty, 1 the player who searches, 2 his opponent, 3 the border.
"""

import numba as nb
import numpy as np

from bots.kernels.jit import ENTRY, INLINE

# Sections of the work array, in units of `cells`.
COLOUR, HEAD, NEXT, LIBERTIES, EMPTY, PLACE, SECTIONS = 0, 1, 2, 3, 4, 5, 6
# After them: number of empty cells, ko cell (0: none), number of stones captured last.
COUNT, KO, EXTRA = 0, 1, 2

GAMMA = np.int64(-7046029254386353131)
MIX1 = np.int64(-4658895280553007687)
MIX2 = np.int64(-7723592293110705685)
GAME = np.int64(-3372029247567499371)
"""SplitMix64's constants, and an odd step from one playout's stream to the next."""


@nb.njit(**INLINE)
def mix(z):
    """SplitMix64's output function; the masks turn arithmetic shifts into logical ones."""
    z = (z ^ ((z >> 30) & 0x3FFFFFFFF)) * MIX1
    z = (z ^ ((z >> 27) & 0x1FFFFFFFFF)) * MIX2
    return z ^ ((z >> 31) & 0x1FFFFFFFF)


@nb.njit(**INLINE)
def below(state, bound):
    """A number from 0 to bound - 1, and the stream's next state."""
    state = state + GAMMA
    high = (mix(state) >> 32) & 0xFFFFFFFF
    return (high * bound) >> 32, state


@nb.njit(**ENTRY)
def clear(b, size):
    width = size + 1
    cells = width * (size + 2) + 1
    for p in range(cells):
        b[p] = 3
        b[HEAD * cells + p] = p
        b[NEXT * cells + p] = p
        b[LIBERTIES * cells + p] = 1 << 20  # the border is never out of liberties
    n = 0
    for row in range(size):
        for column in range(size):
            p = (row + 1) * width + column + 1
            b[p] = 0
            b[LIBERTIES * cells + p] = 0
            b[EMPTY * cells + n] = p
            b[PLACE * cells + p] = n
            n += 1
    b[SECTIONS * cells + COUNT] = n
    b[SECTIONS * cells + KO] = 0


@nb.njit(**INLINE)
def touch(b, cells, width, p, step):
    """Change the pseudo-liberties of the four chains around a cell."""
    for q in (p - width, p - 1, p + 1, p + width):
        b[LIBERTIES * cells + b[HEAD * cells + q]] += step


@nb.njit(**INLINE)
def put(b, cells, width, p, colour):
    """Put a stone on an empty cell whose neighbours' liberties are already taken away."""
    b[p] = colour
    b[HEAD * cells + p] = p
    b[NEXT * cells + p] = p
    liberties = 0
    for q in (p - width, p - 1, p + 1, p + width):
        liberties += b[q] == 0
    b[LIBERTIES * cells + p] = liberties
    n = b[SECTIONS * cells + COUNT] - 1
    b[SECTIONS * cells + COUNT] = n
    i, last = b[PLACE * cells + p], b[EMPTY * cells + n]
    b[EMPTY * cells + i] = last
    b[PLACE * cells + last] = i
    for q in (p - width, p - 1, p + 1, p + width):
        if b[q] == colour:
            join(b, cells, p, q)


@nb.njit(**ENTRY)
def join(b, cells, p, q):
    """Make one chain of the chains of two neighbouring stones."""
    head, other = b[HEAD * cells + p], b[HEAD * cells + q]
    if head == other:
        return
    b[LIBERTIES * cells + head] += b[LIBERTIES * cells + other]
    s = other
    while True:
        b[HEAD * cells + s] = head
        s = b[NEXT * cells + s]
        if s == other:
            break
    b[NEXT * cells + head], b[NEXT * cells + other] = (
        b[NEXT * cells + other],
        b[NEXT * cells + head],
    )


@nb.njit(**ENTRY)
def lift(b, cells, width, head):
    """Take a chain off the board; the number of its stones."""
    n, s = 0, head
    while True:
        following = b[NEXT * cells + s]
        b[s] = 0
        count = b[SECTIONS * cells + COUNT]
        b[EMPTY * cells + count] = s
        b[PLACE * cells + s] = count
        b[SECTIONS * cells + COUNT] = count + 1
        touch(b, cells, width, s, 1)
        n += 1
        s = following
        if s == head:
            break
    while True:
        following = b[NEXT * cells + s]
        b[HEAD * cells + s] = s
        b[NEXT * cells + s] = s
        b[LIBERTIES * cells + s] = 0
        s = following
        if s == head:
            break
    return n


@nb.njit(**INLINE)
def is_true_eye(b, width, p, colour):
    """All neighbours own, and fewer than two enemy diagonals, the edge counting as one."""
    for q in (p - width, p - 1, p + 1, p + width):
        if b[q] != colour and b[q] != 3:
            return False
    broken = 0
    edge = 0
    for q in (p - width - 1, p - width + 1, p + width - 1, p + width + 1):
        broken += b[q] == 3 - colour
        edge |= b[q] == 3
    return broken + edge < 2


@nb.njit(**INLINE)
def play(b, cells, width, p, colour):
    """Play an empty cell that is not ko; False, and nothing changed, if it is suicide."""
    touch(b, cells, width, p, -1)
    breathes = False
    alone = True
    for q in (p - width, p - 1, p + 1, p + width):
        liberties = b[LIBERTIES * cells + b[HEAD * cells + q]]
        breathes |= b[q] == 0
        breathes |= b[q] == colour and liberties > 0
        breathes |= b[q] == 3 - colour and liberties == 0
        alone &= b[q] != colour and b[q] != 0
    if not breathes:
        touch(b, cells, width, p, 1)
        return False
    put(b, cells, width, p, colour)
    captured, last = 0, 0
    for q in (p - width, p - 1, p + 1, p + width):
        if b[q] == 3 - colour and b[LIBERTIES * cells + b[HEAD * cells + q]] == 0:
            captured += lift(b, cells, width, b[HEAD * cells + q])
            last = q
    b[SECTIONS * cells + KO] = last if alone and captured == 1 else 0
    return True


@nb.njit(**INLINE)
def hide(b, cells, width, p, colour):
    """Put a hidden stone on an empty cell; False if a chain would be without liberty."""
    touch(b, cells, width, p, -1)
    breathes, smothers = False, False
    for q in (p - width, p - 1, p + 1, p + width):
        liberties = b[LIBERTIES * cells + b[HEAD * cells + q]]
        breathes |= b[q] == 0 or (b[q] == colour and liberties > 0)
        smothers |= b[q] == 3 - colour and liberties == 0
    if smothers or not breathes:
        touch(b, cells, width, p, 1)
        return False
    put(b, cells, width, p, colour)
    return True


@nb.njit(**ENTRY)
def finish(b, size, state, colour):
    """Play at random to the end; the random state.

    Each side plays any legal move that does not fill its own true eye, all equally likely, until
    both have none, or 3 x points moves were played.
    """
    width = size + 1
    cells = width * (size + 2) + 1
    base = SECTIONS * cells
    passes, moves = 0, 0
    while passes < 2 and moves < 3 * size * size:
        n = b[base + COUNT]
        ko = b[base + KO]
        played = False
        while n > 0:
            i, state = below(state, n)
            p = b[EMPTY * cells + i]
            if (
                p != ko
                and not is_true_eye(b, width, p, colour)
                and play(b, cells, width, p, colour)
            ):
                played = True
                break
            # Not playable now: behind the points still to be tried.
            n -= 1
            q = b[EMPTY * cells + n]
            b[EMPTY * cells + n], b[EMPTY * cells + i] = p, q
            b[PLACE * cells + p], b[PLACE * cells + q] = n, i
        if played:
            passes = 0
        else:
            passes += 1
            b[base + KO] = 0
        colour = 3 - colour
        moves += 1
    return state


@nb.njit(**ENTRY)
def area(b, size):
    """The area of colour 1 minus that of colour 2, regions of any size."""
    width = size + 1
    cells = width * (size + 2) + 1
    total = 0
    for row in range(size):
        for column in range(size):
            p = (row + 1) * width + column + 1
            total += (b[p] == 1) - (b[p] == 2)
    # Regions of empty cells: marked with the colours they touch, by a flood over a stack that
    # borrows the section of ring links of empty cells (unused while a cell is empty).
    stack = NEXT * cells
    n = b[SECTIONS * cells + COUNT]
    for i in range(n):
        start = b[EMPTY * cells + i]
        if b[start] != 0:
            continue
        touched, region, top = 0, 0, 0
        b[start] = 4
        b[stack + top] = start
        top = 1
        while top > 0:
            top -= 1
            p = b[stack + top]
            region += 1
            for q in (p - width, p - 1, p + 1, p + width):
                if b[q] == 0:
                    b[q] = 4
                    b[stack + top] = q
                    top += 1
                elif b[q] < 3:
                    touched |= b[q]
        total += region * ((touched == 1) - (touched == 2))
    return total


@nb.njit(**INLINE)
def determinize(b, size, known, spots, open_points, skip, hidden, state):
    """A full board: the known stones, and hidden ones drawn one by one where chains breathe."""
    width = size + 1
    cells = width * (size + 2) + 1
    n = 0
    for i in range(len(open_points)):
        if open_points[i] != skip:
            spots[n] = open_points[i]
            n += 1
    for i in range((SECTIONS * cells) + EXTRA):
        b[i] = known[i]
    placed = 0
    while placed < hidden and n > 0:
        i, state = below(state, n)
        p = spots[i]
        n -= 1
        spots[i] = spots[n]
        if hide(b, cells, width, p // size * width + width + p % size + 1, 2):
            placed += 1
    return state


@nb.njit(**ENTRY)
def known_board(b, size, own, enemy):
    """The board of the known stones; `own` and `enemy` list points."""
    width = size + 1
    cells = width * (size + 2) + 1
    clear(b, size)
    for i in range(len(own) + len(enemy)):
        p = own[i] if i < len(own) else enemy[i - len(own)]
        cell = p // size * width + width + p % size + 1
        touch(b, cells, width, cell, -1)
        put(b, cells, width, cell, 1 if i < len(own) else 2)


@nb.njit(**ENTRY)
def play_out(
    size, own, enemy, open_points, hidden, need, candidates, jobs, key, first, wins, margins
):
    """Play out `jobs[i]`, an index into `candidates`, as playout number `first + i`.

    Args:
        size: points per side.
        own: the searching player's stones, points in an int64 array.
        enemy: the known stones of his opponent.
        open_points: where hidden stones may stand.
        hidden: number of hidden stones.
        need: a playout is won when own area minus enemy area is more than this.
        candidates: points to play first; -1 is a pass.
        jobs: which candidate each playout plays.
        key: the decision's random stream.
        first: the number of the first playout.
        wins: won playouts of each candidate; this adds to them.
        margins: own area minus enemy area, summed over each candidate's playouts; added to too.
    """
    width = size + 1
    cells = width * (size + 2) + 1
    known = np.empty(SECTIONS * cells + EXTRA, np.int32)
    b = np.empty(SECTIONS * cells + EXTRA, np.int32)
    spots = np.empty(size * size, np.int64)
    known_board(known, size, own, enemy)
    for i in range(len(jobs)):
        point = candidates[jobs[i]]
        state = mix(key + (first + i) * GAME)
        state = determinize(b, size, known, spots, open_points, point, hidden, state)
        if point >= 0:
            play(b, cells, width, point // size * width + width + point % size + 1, 1)
        finish(b, size, state, 2)
        margin = area(b, size)
        wins[jobs[i]] += margin > need
        margins[jobs[i]] += margin


@nb.njit(**ENTRY)
def standing(size, own, enemy, open_points, hidden, need, key, count):
    """In how many of `count` determinizations the board as it stands is won."""
    width = size + 1
    cells = width * (size + 2) + 1
    known = np.empty(SECTIONS * cells + EXTRA, np.int32)
    b = np.empty(SECTIONS * cells + EXTRA, np.int32)
    spots = np.empty(size * size, np.int64)
    known_board(known, size, own, enemy)
    wins = 0
    for i in range(count):
        state = mix(key + i * GAME)
        determinize(b, size, known, spots, open_points, -1, hidden, state)
        wins += area(b, size) > need
    return wins
