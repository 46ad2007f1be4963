"""A numba type for SIMD registers: the same integer operation in all lanes at once.

With AVX-512 a `Vector` fills two registers of the processor, so that one is processed while the
other waits for its last result: 128 lanes of 8 bits, 64 of 16, or 32 of 32 (the random states of
those lanes are as many lanes of 64 bits, in several registers). AVX2 has half as many registers,
and there it fills one, or two if lanes have 32 bits. `&`, `|`, `^`, `~`, `+`, `-`, `*`, `<<`, `>>`
(logical) and the unsigned comparisons work lane by lane; an int operand is used in every lane. A
comparison gives a mask: all bits of a lane set where it holds, else none.

LLVM has such vectors as a type of its own and splits them to what the processor offers
(AVX-512, AVX2, SSE2, Neon), so the results are the same on all of them.
"""

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model
from numba.np import arrayobj

from bots.kernels.jit import register_bytes

FIRST = {"target": "cpu"}
"""Of a typing rule: it is tried before the rules for any target, none of which takes vectors."""
MASKED = 64
"""Bytes in a register of AVX-512, which has registers for masks of lanes besides."""
PERMUTED = 32
"""Numbers of 16 bits in a register."""


def vector_bytes(bits: int) -> int:
    """The bytes of a vector with lanes of this many bits, as measured (docs/notes/lock-step.md)."""
    if register_bytes() == MASKED:
        return 2 * MASKED
    return 64 if bits == 32 else 32


class Vector(types.Type):
    """`lanes` unsigned integers of `bits` bits."""

    def __init__(self, bits: int, lanes: int) -> None:
        self.bits = bits
        self.lanes = lanes
        super().__init__(name=f"Vector({lanes} x {bits} bits)")


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, vector):
        super().__init__(manager, vector, llvm_type(vector))


def llvm_type(vector: Vector) -> ir.VectorType:
    """Its name in LLVM."""
    return ir.VectorType(ir.IntType(vector.bits), vector.lanes)


def _splat(builder, scalar, vector: Vector):
    """The low bits of an integer in every lane."""
    lane = ir.IntType(vector.bits)
    if scalar.type.width > vector.bits:
        scalar = builder.trunc(scalar, lane)
    elif scalar.type.width < vector.bits:
        scalar = builder.sext(scalar, lane)
    undefined = ir.Constant(llvm_type(vector), ir.Undefined)
    first = builder.insert_element(undefined, scalar, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector.lanes), [0] * vector.lanes)
    return builder.shuffle_vector(first, undefined, zeros)


def _binary(function, operate) -> None:
    """Let `function` take two vectors, or a vector and an int; `operate` emits the LLVM code."""

    @infer_global(function)
    class _VectorOperation(AbstractTemplate):
        metadata = FIRST

        def generic(self, arguments, _keywords):
            vectors = [argument for argument in arguments if isinstance(argument, Vector)]
            if vectors and all(
                argument == vectors[0] or isinstance(argument, types.Integer)
                for argument in arguments
            ):
                return signature(vectors[0], *arguments)
            return None

    def lower(_context, builder, sig, arguments):
        vector = sig.return_type
        operands = [
            argument if isinstance(kind, Vector) else _splat(builder, argument, vector)
            for kind, argument in zip(sig.args, arguments, strict=True)
        ]
        return operate(builder, llvm_type(vector), *operands)

    for kinds in ((Vector, Vector), (Vector, types.Integer), (types.Integer, Vector)):
        lower_builtin(function, *kinds)(lower)


def _instruction(name: str):
    return lambda builder, _type, left, right: getattr(builder, name)(left, right)


def _comparison(symbol: str):
    return lambda builder, kind, left, right: builder.sext(
        builder.icmp_unsigned(symbol, left, right), kind
    )


for _function, _inplace, _name in (
    (operator.and_, operator.iand, "and_"),
    (operator.or_, operator.ior, "or_"),
    (operator.xor, operator.ixor, "xor"),
    (operator.add, operator.iadd, "add"),
    (operator.sub, operator.isub, "sub"),
    (operator.mul, operator.imul, "mul"),
    (operator.lshift, operator.ilshift, "shl"),
    (operator.rshift, operator.irshift, "lshr"),
):
    _binary(_function, _instruction(_name))
    _binary(_inplace, _instruction(_name))


for _function, _symbol in (
    (operator.eq, "=="),
    (operator.ne, "!="),
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
):
    _binary(_function, _comparison(_symbol))


@infer_global(operator.invert)
class _Invert(AbstractTemplate):
    def generic(self, arguments, _keywords):
        if isinstance(arguments[0], Vector):
            return signature(arguments[0], arguments[0])
        return None


@lower_builtin(operator.invert, Vector)
def _lower_invert(_context, builder, _sig, arguments):
    return builder.not_(arguments[0])


def _as_vector(array_or_pointer) -> Vector:
    bits = array_or_pointer.dtype.bitwidth
    return Vector(bits, vector_bytes(bits) * 8 // bits)


def emitting(code):
    """The lowering of an intrinsic, from what emits its code: a builder and the arguments."""
    return lambda _context, builder, _signature, arguments: code(builder, *arguments)


@intrinsic
def pointer(_context, array):
    """Address of the first element of an array; the caller keeps the array alive.

    An array made in a kernel lives until its last use there, which has to be after the address's.
    """

    def codegen(context, builder, sig, arguments):
        return arrayobj.make_array(sig.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), codegen


@intrinsic
def beyond(_context, address, count):
    """The address of the element this many further on."""
    return address(address, count), emitting(lambda builder, start, by: builder.gep(start, [by]))


@intrinsic
def halves(_context, address):
    """The address of the halves, of 16 bits each, of the numbers of 32 bits at `address`."""
    code = emitting(lambda builder, start: builder.bitcast(start, ir.IntType(16).as_pointer()))
    return types.CPointer(types.uint16)(address), code


@intrinsic
def lane_count(_context, address):
    """Lanes of the vectors at `address`."""
    lanes = ir.Constant(ir.IntType(64), _as_vector(address).lanes)
    return types.int64(address), emitting(lambda _builder, _address: lanes)


def _place(builder, start, number, vector: Vector):
    """The address of a vector, by its number among those that begin at `start`."""
    return builder.gep(builder.bitcast(start, llvm_type(vector).as_pointer()), [number])


def _loading(vector: Vector, address):
    """The code that loads a vector from an address, by its number there."""

    def code(builder, start, number, *_like):
        place = _place(builder, start, number, vector)
        return builder.load(place, align=address.dtype.bitwidth // 8)

    return emitting(code)


@intrinsic
def load(_context, address, number):
    """Vector number `number` of those at `address`, one after another."""
    vector = _as_vector(address)
    return vector(address, number), _loading(vector, address)


@intrinsic
def load_register(_context, address, index):
    """The vector that fills one register, from element `index` on."""
    vector = Vector(address.dtype.bitwidth, register_bytes() * 8 // address.dtype.bitwidth)

    def code(builder, start, first):
        place = builder.bitcast(builder.gep(start, [first]), llvm_type(vector).as_pointer())
        return builder.load(place, align=address.dtype.bitwidth // 8)

    return vector(address, index), emitting(code)


@intrinsic
def store(_context, address, number, value):
    """Write vector number `number` of those at `address`."""

    def codegen(context, builder, _sig, arguments):
        place = _place(builder, *arguments[:2], value)
        builder.store(arguments[2], place, align=value.bits // 8)
        return context.get_dummy_value()

    return types.void(address, number, value), codegen


@intrinsic
def load_wide(_context, address, number, like):
    """Of int64: a vector of 64 bits per lane, with as many lanes as `like`."""
    vector = Vector(64, like.lanes)
    return vector(address, number, like), _loading(vector, address)


@intrinsic
def look_up(_context, address, first, index):
    """Of the PERMUTED 16-bit numbers from element `first` on, the one that each lane of `index`, of
    16 bits too, names; the last one where it is beyond.

    With AVX-512 that is one instruction for a register of lanes; LLVM finds it in this pattern.
    """
    table, picks = ir.VectorType(ir.IntType(16), PERMUTED), ir.IntType(64)

    def codegen(_context, builder, _sig, arguments):
        place = builder.gep(arguments[0], [arguments[1]])
        source = builder.load(builder.bitcast(place, table.as_pointer()), align=2)
        last = ir.Constant(llvm_type(index), [PERMUTED - 1] * index.lanes)
        there = builder.icmp_unsigned("<", arguments[2], last)
        low = builder.select(there, arguments[2], last)
        result = ir.Constant(llvm_type(index), ir.Undefined)
        for lane in range(index.lanes):
            number = ir.Constant(ir.IntType(32), lane)
            pick = builder.zext(builder.extract_element(low, number), picks)
            result = builder.insert_element(result, builder.extract_element(source, pick), number)
        return result

    return index(address, first, index), codegen


@intrinsic
def shorts(_context, address, value):
    """An int in lanes of 16 bits, as many as the vectors at `address` have."""
    vector = Vector(16, _as_vector(address).lanes)

    code = emitting(lambda builder, _address, number: _splat(builder, number, vector))
    return vector(address, value), code


@intrinsic
def everywhere(_context, address, value):
    """An int in every lane of a vector like those at `address`."""
    vector = _as_vector(address)

    code = emitting(lambda builder, _address, number: _splat(builder, number, vector))
    return vector(address, value), code


@intrinsic
def widen(_context, vector):
    """The lanes as 64 bits each."""
    wide = Vector(64, vector.lanes)

    return wide(vector), emitting(lambda builder, value: builder.zext(value, llvm_type(wide)))


@intrinsic
def widen_mask(_context, vector):
    """A mask for lanes of 64 bits."""
    wide = Vector(64, vector.lanes)

    return wide(vector), emitting(lambda builder, value: builder.sext(value, llvm_type(wide)))


@intrinsic
def as_wide_as(_context, mask, like):
    """A mask for lanes as wide as those of `like`."""

    def code(builder, value, _like):
        resize = builder.trunc if like.bits < mask.bits else builder.sext
        return resize(value, llvm_type(like)) if like.bits != mask.bits else value

    return like(mask, like), emitting(code)


@intrinsic
def narrow(_context, wide, like):
    """The low bits of lanes of 64 bits, in the type of `like`."""
    code = emitting(lambda builder, value, _like: builder.trunc(value, llvm_type(like)))
    return like(wide, like), code


@intrinsic
def select(_context, mask, chosen, other):
    """`chosen` in the lanes where the mask is set, `other` elsewhere."""

    def code(builder, where, *values):
        zero = ir.Constant(llvm_type(mask), None)
        return builder.select(builder.icmp_signed("<", where, zero), *values)

    return chosen(mask, chosen, other), emitting(code)


@intrinsic
def materialize(_context, value):
    """Return the value as it is, computed at this point of the program.

    A mask that crosses into another block, such as a loop's body, has to be materialized first, and
    so has what it is compared from if that comes out of a loop. Otherwise LLVM moves the conditions
    there, and only AVX-512 has registers for them; elsewhere each lane's condition takes a scalar
    register. So the value goes through memory, past an empty piece of assembly that LLVM must
    assume changes it.
    """
    if register_bytes() == MASKED:
        return value(value), emitting(lambda _builder, unchanged: unchanged)

    def codegen(_context, builder, _sig, arguments):
        place = cgutils.alloca_once(builder, llvm_type(value))
        builder.store(arguments[0], place)
        touch = ir.FunctionType(ir.VoidType(), [place.type])
        builder.asm(touch, "", "r,~{memory}", [place], side_effect=True)
        return builder.load(place)

    return value(value), codegen


def called(name: str, *kinds):
    """A code generator that calls an LLVM function with these types of result and arguments."""

    def code(builder, *arguments):
        kind = ir.FunctionType(kinds[0], kinds[1:])
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.call(function, arguments)

    return code


@intrinsic
def popcount(_context, value):
    """Number of set bits of each lane."""
    kind, suffix = llvm_type(value), f"v{value.lanes}i{value.bits}"
    return value(value), emitting(called(f"llvm.ctpop.{suffix}", kind, kind))


@intrinsic
def add_products(_context, total, pairs, others):
    """`total` plus, in each lane of 32 bits, the products of two pairs of 16 bits: the low halves
    of `pairs` and `others` times each other, and the high halves, all of them signed.

    `others` is an int with the same pair for every lane. Processors have it as one instruction
    (VPDPWSSD, PMADDWD), which LLVM finds.
    """
    halves = Vector(16, 2 * total.lanes)

    def codegen(_context, builder, _sig, arguments):
        whole = ir.VectorType(ir.IntType(32), halves.lanes)
        left, right = (
            builder.sext(builder.bitcast(value, llvm_type(halves)), whole)
            for value in (arguments[1], _splat(builder, arguments[2], total))
        )
        products = builder.mul(left, right)
        undefined = ir.Constant(whole, ir.Undefined)
        picks = ir.VectorType(ir.IntType(32), total.lanes)
        low, high = (
            builder.shuffle_vector(
                products, undefined, ir.Constant(picks, [2 * i + half for i in range(total.lanes)])
            )
            for half in (0, 1)
        )
        return builder.add(arguments[0], builder.add(low, high))

    return total(total, pairs, others), codegen


@intrinsic
def shift_right(_context, value, count):
    """Logical shift right of an int64, or of each lane: zeros come in at the top."""

    def code(builder, shifted, by):
        return builder.lshr(
            shifted, _splat(builder, by, value) if isinstance(value, Vector) else by
        )

    return value(value, count), emitting(code)


@intrinsic
def shift_leaking(_context, value):
    """`value >> 1`, but each lane's top bit is the lowest one of the next lane.

    The lanes are shifted in words of 64 bits: processors have no shift of 8 bits, and what keeps
    such lanes apart takes longer.
    """
    words = Vector(64, value.bits * value.lanes // 64)

    def code(builder, lanes):
        ones = ir.Constant(llvm_type(words), [1] * words.lanes)
        shifted = builder.lshr(builder.bitcast(lanes, llvm_type(words)), ones)
        return builder.bitcast(shifted, llvm_type(value))

    return value(value), emitting(code)
