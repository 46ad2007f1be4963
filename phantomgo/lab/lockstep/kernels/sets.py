"""Sets of points as values: row r of the board is lane r, column c is bit c.

So what is asked of a set reads as in phantomgo/game/points.py, whose functions these are.
"""

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from bots.kernels.jit import INLINE
from bots.kernels.lanesets import lanes_set
from bots.kernels.vectors import Vector, llvm_type, popcount

ROWS = 32
SET = Vector(32, ROWS)


@intrinsic
def get(_context, address, index):
    """The set number `index` at an address of 32-bit numbers."""

    def codegen(_context, builder, _sig, arguments):
        first = builder.mul(arguments[1], ir.Constant(ir.IntType(64), ROWS))
        place = builder.gep(arguments[0], [first])
        return builder.load(builder.bitcast(place, llvm_type(SET).as_pointer()), align=4)

    return SET(address, types.int64), codegen


@intrinsic
def put(_context, address, index, value):
    """Write the set number `index` at an address of 32-bit numbers."""

    def codegen(context, builder, _sig, arguments):
        first = builder.mul(arguments[1], ir.Constant(ir.IntType(64), ROWS))
        place = builder.gep(arguments[0], [first])
        builder.store(arguments[2], builder.bitcast(place, llvm_type(SET).as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(address, types.int64, SET), codegen


@intrinsic
def row_numbers(_context):
    """The number of each row."""

    def codegen(_context, _builder, _sig, _arguments):
        return ir.Constant(llvm_type(SET), list(range(ROWS)))

    return SET(), codegen


@intrinsic
def nothing(_context):
    """The empty set."""

    def codegen(_context, _builder, _sig, _arguments):
        return ir.Constant(llvm_type(SET), [0] * ROWS)

    return SET(), codegen


def _moved(rows: int):
    """Lanes from `rows` lanes below, zeros from outside."""

    def codegen(_context, builder, _sig, arguments):
        picks = [r - rows if 0 <= r - rows < ROWS else ROWS for r in range(ROWS)]
        return builder.shuffle_vector(
            arguments[0],
            ir.Constant(llvm_type(SET), [0] * ROWS),
            ir.Constant(ir.VectorType(ir.IntType(32), ROWS), picks),
        )

    return codegen


@intrinsic
def up(_context, points):
    """The points one row higher."""
    return SET(SET), _moved(1)


@intrinsic
def down(_context, points):
    """The points one row lower."""
    return SET(SET), _moved(-1)


@intrinsic
def sum_of_rows(_context, rows):
    """The sum of all rows as numbers."""

    def codegen(_context, builder, _sig, arguments):
        word = ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(word, [llvm_type(SET)]),
            f"llvm.vector.reduce.add.v{ROWS}i32",
        )
        return builder.zext(builder.call(function, arguments), ir.IntType(64))

    return types.int64(SET), codegen


@njit(**INLINE)
def any_of(points):
    """True if the set is not empty."""
    return bool(lanes_set(points != 0))


@njit(**INLINE)
def count_of(points):
    """The number of points in the set."""
    return sum_of_rows(popcount(points))


@njit(**INLINE)
def full(size):
    """All points of the board."""
    return (row_numbers() < size) & ((1 << size) - 1)


@njit(**INLINE)
def stone(p, size):
    """The set of one point."""
    return (row_numbers() == p // size) & (1 << p % size)


@njit(**INLINE)
def beside(points, size):
    """The points that have a neighbour in the set."""
    return ((points << 1) | (points >> 1) | up(points) | down(points)) & full(size)


@njit(**INLINE)
def grow(points, size):
    """The set and every point next to it."""
    return points | beside(points, size)


@njit(**INLINE)
def border(points, size):
    """The points next to the set, without the set."""
    return beside(points, size) & ~points


@njit(**INLINE)
def flood(start, within):
    """Every point of `within` that is connected to `start` through `within`."""
    reached = start & within
    while True:
        near = reached | (reached << 1) | (reached >> 1) | up(reached) | down(reached)
        near &= within
        wider = (near | (near << 1) | (near >> 1) | up(near) | down(near)) & within
        if not any_of(wider ^ reached):
            return reached
        reached = wider
