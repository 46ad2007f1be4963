"""Reading the records of games from files of several formats."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from phantomgo.errors import BadText
from phantomgo.files import SQLITE
from phantomgo.lab.match_run import MatchStore
from phantomgo.record_ccgc import MAX_BYTES, is_ccgc, read_ccgc
from phantomgo.record_json import MAX_CHARACTERS, write_record

_SGF: Final = b"(;"


def records(path: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers and records of the games in a file, which may be a pipe.

    The file is the store of a match, records line by line, or CCGC records.
    """
    with Path(path).open("rb") as stream:
        refuse_sgf(stream, path)
        start = stream.peek(len(SQLITE))[: len(SQLITE)]
        if start == SQLITE:
            with MatchStore(path) as store:
                yield from store.numbered_records()
        elif is_ccgc(start):
            yield from _ccgc_games(stream)
        else:
            yield from _lines(stream)


def _lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    number = 0
    with io.TextIOWrapper(stream, encoding="utf-8", errors="replace") as lines:
        while text := lines.readline(MAX_CHARACTERS + 1):
            if text.strip():
                yield number, text.rstrip("\n")
                number += 1


def _ccgc_games(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """CCGC records, each of which begins on a line of its own."""
    number, game = 0, b""
    while len(game) <= MAX_BYTES and (line := stream.readline(MAX_BYTES + 1)):
        if is_ccgc(line) and game.strip():
            yield number, _read_ccgc(number, game)
            number, game = number + 1, b""
        game += line
    yield number, _read_ccgc(number, game)


def _read_ccgc(number: int, game: bytes) -> str:
    try:
        return write_record(read_ccgc(game))
    except BadText as error:
        raise BadText(f"game {number}: {error}") from None


def refuse_sgf(stream: io.BufferedReader, file: str | Path) -> None:
    """Refuse a file that is SGF, which lacks the messages to each player; nothing is read yet."""
    if stream.peek(16)[:16].lstrip().startswith(_SGF):
        raise BadText(
            f"{file} is SGF, which lacks the messages to each player; a game is read from"
            " the store of its match, or from a record, NAME.json"
        )
