"""Area scores, of the games in all lanes at once."""

from numba import njit

from bots.kernels.jit import INLINE
from bots.kernels.lanesets import lanes_set
from bots.kernels.rows import ACROSS, EMPTY, FIELDS, MARGIN, OPP, OWN, TURN, UPWARD, neighbours
from bots.kernels.vectors import everywhere, load, popcount, select, store

OWN_REACH, OPP_REACH = ACROSS, UPWARD  # fields: empty points that a side's stones reach


@njit(**INLINE)
def score(rows, registers, over, size):
    """Write MARGIN in the lanes that are over: the searching side's area less the other's, plus
    the points of the board, so that it is never negative.

    Area is stones, and empty regions that touch one colour only.
    """
    if lanes_set(touch(rows, size) != 0) & over:
        for field in (OWN_REACH, OPP_REACH):
            while lanes_set(grow(rows, field, size) != 0) & over:
                pass
    margin = everywhere(rows, size * size)
    for r in range(size):
        at = (r + 1) * FIELDS
        own_reach = load(rows, at + OWN_REACH)
        opp_reach = load(rows, at + OPP_REACH)
        margin += popcount(load(rows, at + OWN) | (own_reach & ~opp_reach))
        margin -= popcount(load(rows, at + OPP) | (opp_reach & ~own_reach))
    others = everywhere(rows, 2 * size * size) - margin
    store(registers, MARGIN, select(load(registers, TURN), others, margin))


@njit(**INLINE)
def touch(rows, size):
    """Write EMPTY, and which of these points stand next to stones; return, all rows on top of one
    another, those next to other empty points.
    """
    nothing = everywhere(rows, 0)
    full = everywhere(rows, (1 << size) - 1)
    own = opp = own_beneath = opp_beneath = empty_beneath = regions = nothing
    for r in range(size + 1):  # looks one row ahead: `above` is row r, the others are row r - 1
        at = (r + 1) * FIELDS
        own_above = opp_above = nothing
        if r < size:
            own_above = load(rows, at + OWN)
            opp_above = load(rows, at + OPP)
        if r > 0:
            at -= FIELDS
            empty = full & ~(own | opp)
            regions |= empty & ((empty >> 1) | empty_beneath)
            store(rows, at + EMPTY, empty)
            own_reach = empty & neighbours(own, own_above, own_beneath)
            opp_reach = empty & neighbours(opp, opp_above, opp_beneath)
            store(rows, at + OWN_REACH, own_reach)
            store(rows, at + OPP_REACH, opp_reach)
            empty_beneath = empty
        own_beneath, own, opp_beneath, opp = own, own_above, opp, opp_above
    return regions


@njit(**INLINE)
def grow(rows, field, size):
    """Add to a field its empty neighbours; return them, all rows on top of one another."""
    grown = beneath = everywhere(rows, 0)
    for r in range(size):
        at = (r + 1) * FIELDS
        above = beneath ^ beneath
        if r < size - 1:
            above = load(rows, at + (FIELDS + field))
        row = load(rows, at + field)
        new = load(rows, at + EMPTY) & neighbours(row, above, beneath) & ~row
        beneath = row | new
        store(rows, at + field, beneath)
        grown |= new
    return grown
