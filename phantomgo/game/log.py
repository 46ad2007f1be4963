"""An immutable sequence that grows at no cost, as the messages of a game do."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


class Log(Sequence[T_co]):
    """A sequence of events, in order.

    `then` gives a log that is longer by one. Both share a list, of which each knows how much is
    its own, so a game's views take memory for each message once. Extending a log that was already
    extended copies it. Equal to a tuple or list of the same items.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T_co] = ()) -> None:
        self._items: list[T_co] = list(items)
        self._length = len(self._items)

    def then(self, item: Any) -> "Log[T_co]":
        """This log and one item more."""
        items, length = self._items, self._length
        longer: Log[T_co] = Log.__new__(Log)
        longer._items, longer._length = items, length + 1
        if len(items) == length:
            items.append(item)
            if items[length] is item:  # else another thread was first
                return longer
        longer._items = [*items[:length], item]
        return longer

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T_co, ...]: ...

    def __getitem__(self, index: int | slice) -> T_co | tuple[T_co, ...]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            if step == 1:
                return tuple(self._items[start:stop])
            return tuple([self._items[i] for i in range(start, stop, step)])
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index if index >= 0 else self._length + index]

    def __iter__(self) -> Iterator[T_co]:
        return iter(self._items[: self._length])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Log) and other._items is self._items:
            return other._length == self._length
        if isinstance(other, Log | tuple | list):
            return len(other) == self._length and all(
                one is two or one == two for one, two in zip(self, other, strict=True)
            )
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Log({tuple(self)!r})"

    def __reduce__(self) -> tuple[type, tuple[tuple[T_co, ...]]]:
        return Log, (tuple(self),)
