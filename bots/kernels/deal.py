"""Hidden stones dealt one by one, none that would take a chain's last liberty.

Chains are kept as trees (union-find), and each counts its *breath*: pairs of a stone of it and an
empty point next to that stone. A stone takes one from every neighbour and joins the enemy's
chains next to it; no chain is ever searched for liberties. The trees of the stones that are known
are grown once (`plant`) and copied for each playout.

A cell is a point of a board with an edge around it: (row + 1) * (size + 2) + column + 1. Empty
cells and edge cells are trees of their own with more breath than is ever taken.
"""

from numba import njit

from bots.kernels.jit import INLINE
from bots.kernels.stream import GAMMA, below, mix

EVEN = 1 << 16  # the weight of every point where all are alike
OWN, ENEMY = 0, 1  # sides; an edge cell's is OWN, an empty one's that of the stones to come
STONE = 1 << 12  # less breath than this has a stone,
ENDLESS = 1 << 13  # about so much an edge cell, and an empty one one more per empty neighbour


@njit(**INLINE)
def root(parent, q):
    """The cell that stands for the chain of the stone at q; shortens the way there."""
    while parent[q] != q:
        parent[q] = parent[parent[q]]
        q = parent[q]
    return q


@njit(**INLINE)
def plant(parent, breath, side, own, enemy, size):
    """Fill in the cells of a board of known stones (row r at index r + 1)."""
    width = size + 2
    for q in range(width * width):
        parent[q], breath[q], side[q] = q, ENDLESS, OWN
    for r in range(1, size + 1):
        for c in range(size):
            q = r * width + c + 1
            side[q] = OWN if own[r] >> c & 1 else ENEMY
            breath[q] = 0 if (own[r] | enemy[r]) >> c & 1 else ENDLESS
            for n in (q - 1, q - width):
                if breath[q] < STONE and breath[n] < STONE and side[n] == side[q]:
                    parent[root(parent, n)] = q
    for r in range(1, size + 1):
        for c in range(size):
            q = r * width + c + 1
            if not (own[r] | enemy[r]) >> c & 1:
                for n in (q - width, q - 1, q + 1, q + width):
                    breath[root(parent, n)] += 1


@njit(**INLINE)
def settle(parent, breath, side, q, width):
    """Put an enemy stone on an empty cell if every chain keeps breath; return whether it did.

    No branch asks what stands next to it: that is as good as random, and the processor's wrong
    guesses took more time than all the rest.
    """
    around = (
        root(parent, q - width),
        root(parent, q - 1),
        root(parent, q + 1),
        root(parent, q + width),
    )
    for top in around:
        breath[top] -= 1
    choked, breathes = False, False
    for top in around:
        enemy = side[top] == ENEMY
        alive = breath[top] > 0
        choked |= (not alive) & (not enemy)
        breathes |= alive & enemy
    if choked | (not breathes):
        for top in around:
            breath[top] += 1
        return False
    total = breath[q] - ENDLESS
    for top in around:
        joins = (side[top] == ENEMY) & (breath[top] < STONE) & (parent[top] == top)
        total += breath[top] if joins else 0
        parent[top] = q if joins else parent[top]
    breath[q] = total
    return True


@njit(**INLINE)
def draw(pool, count, weights, state):
    """Draw a point of the pool by weight; return its place, and the state of the random numbers.

    A point drawn evenly is kept with a chance of its weight in 65536, else another is drawn.
    """
    while True:
        state += GAMMA
        number = mix(state)
        i = below(number, count)
        if number & (EVEN - 1) < weights[pool[i]]:
            return i, state


@njit(**INLINE)
def deal(board, parent, breath, side, pool, count, weights, hidden, state, size):
    """Put hidden stones on a board, on points drawn by weight from the `count` in the pool.

    Row r of the board is at index r + 1; the pool holds points as 32 * row + column. Return the
    state of the random numbers.
    """
    width = size + 2
    while hidden > 0 and count > 0:
        i, state = draw(pool, count, weights, state)
        r, c = pool[i] >> 5, pool[i] & 31
        count -= 1
        pool[i] = pool[count]
        if settle(parent, breath, side, (r + 1) * width + c + 1, width):
            board[r + 1] |= 1 << c
            hidden -= 1
    return state
