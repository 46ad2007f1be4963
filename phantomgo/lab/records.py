"""Reading the records of games from files of several formats."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from phantomgo import sgf
from phantomgo.errors import BadText
from phantomgo.files import SQLITE, encoding_of
from phantomgo.lab.match_run import MatchStore
from phantomgo.lab.moves_only import read_game
from phantomgo.lab.record_ccgc import MAX_BYTES, is_ccgc, read_ccgc
from phantomgo.record_json import MAX_CHARACTERS, write_record

_SGF: Final = "(;"


def records(path: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers and records of the games in a file, which may be a pipe.

    The file is the store of a match, records line by line, CCGC records, or a game in SGF.
    """
    with Path(path).open("rb") as stream:
        start = stream.peek(len(SQLITE))[:64]
        if start.startswith(SQLITE):
            with MatchStore(path) as store:
                yield from store.numbered_records()
        elif start.decode(encoding_of(start), "ignore").lstrip().startswith(_SGF):
            yield 0, write_record(read_game(stream.read(sgf.MAX_BYTES + 1)))
        elif is_ccgc(start):
            yield from _ccgc_games(stream)
        else:
            yield from _lines(stream, encoding_of(start))


def _lines(stream: BinaryIO, encoding: str) -> Iterator[tuple[int, str]]:
    number = 0
    with io.TextIOWrapper(stream, encoding=encoding, errors="replace") as lines:
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
