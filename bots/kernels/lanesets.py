"""A numba type for a set of lanes of vectors (vectors.py).

A `LaneSet` is an int with a bit for each lane. `&`, `|`, `^` and `~` are those of sets, and it is
true if it has a lane.
"""

import operator

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from bots.kernels.jit import register_bytes
from bots.kernels.vectors import FIRST, MASKED, called, emitting, llvm_type


class LaneSet(types.Type):
    """Some of `lanes` lanes."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        super().__init__(name=f"LaneSet({lanes})")


@register_model(LaneSet)
class _LaneSetModel(models.PrimitiveModel):
    def __init__(self, manager, lane_set):
        super().__init__(manager, lane_set, ir.IntType(lane_set.lanes))


def _of_sets(function, name: str) -> None:
    """Let `function` take sets of lanes."""

    @infer_global(function)
    class _SetOperation(AbstractTemplate):
        metadata = FIRST

        def generic(self, arguments, _keywords):
            same = isinstance(arguments[0], LaneSet) and len(set(arguments)) == 1
            return signature(arguments[0], *arguments) if same else None

    def lower(_context, builder, _sig, arguments):
        return getattr(builder, name)(*arguments)

    lower_builtin(function, *[LaneSet] * (1 if function is operator.invert else 2))(lower)


for _function, _name in (
    (operator.and_, "and_"),
    (operator.iand, "and_"),
    (operator.or_, "or_"),
    (operator.ior, "or_"),
    (operator.xor, "xor"),
    (operator.ixor, "xor"),
    (operator.invert, "not_"),
):
    _of_sets(_function, _name)

for _truth, _symbol in ((bool, "!="), (operator.not_, "==")):

    @infer_global(_truth)
    class _Truth(AbstractTemplate):
        def generic(self, arguments, _keywords):
            if isinstance(arguments[0], LaneSet):
                return signature(types.boolean, arguments[0])
            return None

    def _lower_truth(_context, builder, sig, arguments, symbol=_symbol):
        none = ir.Constant(ir.IntType(sig.args[0].lanes), 0)
        return builder.icmp_unsigned(symbol, arguments[0], none)

    lower_builtin(_truth, LaneSet)(_lower_truth)


@intrinsic
def lanes_set(_context, mask):
    """The lanes where a mask is set."""

    def code(builder, value):
        bits = builder.icmp_signed("<", value, ir.Constant(llvm_type(mask), None))
        return builder.bitcast(bits, ir.IntType(mask.lanes))

    return LaneSet(mask.lanes)(mask), emitting(code)


@intrinsic
def mask_of(_context, lane_set, like):
    """The mask that is set in these lanes, as wide as those of `like`."""

    def code(builder, flags, _like):
        kind, lanes = llvm_type(like), range(like.lanes)
        if register_bytes() == MASKED:
            flags = builder.bitcast(flags, ir.VectorType(ir.IntType(1), like.lanes))
            return builder.sext(flags, kind)
        # Every lane gets the byte that holds its flag, and tests it; LLVM would test lane by lane.
        octets = builder.bitcast(flags, ir.VectorType(ir.IntType(8), like.lanes // 8))
        picks = ir.Constant(ir.VectorType(ir.IntType(32), like.lanes), [i // 8 for i in lanes])
        octet = builder.shuffle_vector(octets, ir.Constant(octets.type, ir.Undefined), picks)
        octet = builder.zext(octet, kind) if like.bits > 8 else octet
        flag = ir.Constant(kind, [1 << i % 8 for i in lanes])
        return builder.sext(builder.icmp_unsigned("==", builder.and_(octet, flag), flag), kind)

    return like(lane_set, like), emitting(code)


@intrinsic
def first_lane(_context, lane_set):
    """The first lane of a set that is not empty."""
    word, flag = ir.IntType(lane_set.lanes), ir.IntType(1)

    zeros = called(f"llvm.cttz.{word}", word, word, flag)

    def code(builder, lanes):
        return _resized(builder, zeros(builder, lanes, ir.Constant(flag, 1)), 64)

    return types.int64(lane_set), emitting(code)


@intrinsic
def but_first(_context, lane_set):
    """A set without its first lane."""

    def code(builder, lanes):
        return builder.and_(lanes, builder.sub(lanes, ir.Constant(lanes.type, 1)))

    return lane_set(lane_set), emitting(code)


@intrinsic
def lanes_in(_context, lane_set):
    """The number of lanes in a set."""
    word = ir.IntType(lane_set.lanes)

    count = called(f"llvm.ctpop.{word}", word, word)
    code = emitting(lambda builder, lanes: _resized(builder, count(builder, lanes), 64))
    return types.int64(lane_set), code


def _resized(builder, number, bits: int):
    """A non-negative number as an int of this many bits."""
    if number.type.width == bits:
        return number
    resize = builder.trunc if number.type.width > bits else builder.zext
    return resize(number, ir.IntType(bits))
