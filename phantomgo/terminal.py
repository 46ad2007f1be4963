"""Text and tables for a terminal: what it may show of what others wrote, and its width there."""

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from textwrap import TextWrapper
from typing import Final, TextIO

PLAIN: Final = ("", "dumb", "unknown")
"""Values of TERM of terminals that know no escape sequences."""


def clean(text: str) -> str:
    """A text with `?` for each character that cannot be shown; line breaks stay."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def say(text: str, out: TextIO | None = None) -> None:
    """Print a text that others may have written, on stdout unless a stream is given.

    On a terminal, lines that are too long for it are broken between words, except commands, which
    people copy.
    """
    most, parts = room(out), list[str]()
    for line in clean(text).split("\n"):
        parts += [line] if " phantomgo " in line else folded(line, most, words=True)
    print("\n".join(parts), file=out or sys.stdout, flush=True)


def folded(text: str, most: int, *, words: bool = False) -> list[str]:
    """A line in parts of at most this many columns; words stay whole if `words` is set.

    Later parts are indented a little more then.
    """
    if 2 * len(text) <= most or width(text) <= most:
        return [text]
    indent = " " * (len(text) - len(text.lstrip()) + 2) if words else ""
    # A character for each column, so that a wide one broken in two is counted in both its lines.
    spaced = "".join(c + "\0" * (width(c) - 1) for c in text)
    wrapper = TextWrapper(max(most - (not words and spaced != text), 1), "", indent)
    wrapper.break_long_words, wrapper.break_on_hyphens = not words, False
    return [part.replace("\0", "") for part in wrapper.wrap(spaced)]


def room(out: TextIO | None = None) -> int:
    """The columns of the terminal that stdout or a stream is; without one, more than text has."""
    out = out or sys.stdout
    return os.get_terminal_size(out.fileno()).columns or 80 if out.isatty() else 1 << 30


def redraws(out: TextIO) -> bool:
    """Return whether a stream is a terminal that knows the usual escape sequences."""
    return out.isatty() and os.environ.get("TERM", "") not in PLAIN


def padded(text: str, columns: int, *, left: bool = True) -> str:
    """A text of at least this many columns, with spaces behind it, or else before it."""
    spaces = " " * (columns - width(text))
    return text + spaces if left else spaces + text


def width(text: str) -> int:
    """The columns that a text takes: two for each Chinese or Japanese character."""
    from wcwidth import wcwidth  # noqa: PLC0415  (tables, which servers have no use for)

    return sum(max(wcwidth(c), 0) for c in text)


# Tables


def columns(rows: Sequence[Sequence[str]], left: Collection[str] = ()) -> list[str]:
    """Rows as lines; the first column and those headed by a word of `left` are aligned left.

    A table wider than the terminal is split, and the first column repeated.
    """
    most = room()
    cut = [[folded(cell, most // 2) for cell in row] for row in rows]
    cells = [part for row in cut for part in zip_longest(*row, fillvalue="")]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    lefts = [number == 0 or head in left for number, head in enumerate(rows[0])]
    parts = [[0]]
    for number, taken in enumerate(widths[1:], 1):
        if len(parts[-1]) > 1 and sum(widths[k] + 2 for k in parts[-1]) + taken > most:
            parts.append([0])
        parts[-1].append(number)
    lines = []
    for part in parts:
        shown = ("  ".join(padded(row[k], widths[k], left=lefts[k]) for k in part) for row in cells)
        lines += ["", *filter(None, map(str.rstrip, shown))]
    return lines[1:]


def markdown(head: Sequence[object], rows: Iterable[Iterable[object]]) -> list[str]:
    """A table as lines of Markdown, or in columns where the terminal is too narrow for them."""
    cells = [[*map(str, row)] for row in (head, *rows)]
    first, *others = (f"| {' | '.join(row)} |" for row in cells)
    lines = [first, "|---" * len(head) + "|", *others]
    return lines if max(map(width, lines)) <= room() else columns(cells)
