"""Reading the records of games from files of several formats."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from phantomgo.errors import BadText
from phantomgo.lab.match import MatchStore
from phantomgo.record_ccgc import MAX_BYTES, is_ccgc, read_ccgc
from phantomgo.record_json import MAX_CHARACTERS, write_record

_SQLITE: Final = b"SQLite format 3\0"
_SGF: Final = b"(;"


def records(path: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers and records of the games in a file.

    The file is the store of a match, records line by line, or a CCGC record.

    Raises:
        OSError: the file cannot be read.
        BadText: it is none of these.
    """
    file = Path(path)
    refuse_sgf(file)
    with file.open("rb") as stream:
        start = stream.read(len(_SQLITE))
        rest = stream.read(MAX_BYTES) if is_ccgc(start) else b""
    if is_ccgc(start):
        yield 0, write_record(read_ccgc(start + rest))
        return
    if start == _SQLITE:
        with MatchStore(path) as store:
            yield from store.numbered_records()
        return
    with file.open(encoding="utf-8", errors="replace") as lines:
        number = 0
        while text := lines.readline(MAX_CHARACTERS + 1):
            if text.strip():
                yield number, text.rstrip("\n")
                number += 1


def refuse_sgf(file: Path) -> None:
    """Refuse SGF files, which lack the messages to each player.

    Raises:
        OSError: the file cannot be read.
        BadText: it is SGF.
    """
    with file.open("rb") as stream:
        if stream.read(16).lstrip().startswith(_SGF):
            raise BadText(
                f"{file} is SGF, which lacks the messages to each player; a game is read from"
                " the store of its match, or from a record, NAME.json"
            )
