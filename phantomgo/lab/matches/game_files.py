"""Reading the records of games from files of several formats."""

import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from phantomgo.files import SQLITE, encoding_of
from phantomgo.lab.matches.match_run import MatchStore
from phantomgo.lab.matches.moves_only import read_game
from phantomgo.records import sgf
from phantomgo.records.record_json import MAX_CHARACTERS, write_record


def records(path: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers and records of the games in a file, which may be a pipe.

    The file is the store of a match, records line by line, or a game in SGF.
    """
    with Path(path).open("rb") as stream:
        start = stream.peek(len(SQLITE))[:64]
        if start.startswith(SQLITE):
            with MatchStore(path) as store:
                yield from store.numbered_records()
        elif sgf.START.match(start.decode(encoding_of(start), "ignore").lstrip()):
            yield 0, write_record(read_game(sgf.bytes_of(stream)))
        else:
            with io.TextIOWrapper(stream, encoding_of(start), "replace") as text:
                lines = iter(partial(text.readline, MAX_CHARACTERS + 1), "")
                yield from enumerate(line.rstrip("\n") for line in lines if line.strip())
