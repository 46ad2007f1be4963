"""Text that others wrote, as a terminal may show it, and its width there."""

import shutil
import sys


def clean(text: str) -> str:
    """A text with `?` for each character that cannot be shown; line breaks stay."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def room() -> int:
    """The columns of the terminal that stdout is; more than any text has where it is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 1 << 30


def padded(text: str, columns: int, *, left: bool = True) -> str:
    """A text of at least this many columns, with spaces behind it, or else before it."""
    spaces = " " * (columns - width(text))
    return text + spaces if left else spaces + text


def width(text: str) -> int:
    """The columns that a text takes: two for each Chinese or Japanese character."""
    from wcwidth import wcwidth  # noqa: PLC0415  (tables, which servers have no use for)

    return sum(max(wcwidth(c), 0) for c in text)
