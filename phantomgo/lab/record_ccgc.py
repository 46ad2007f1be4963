"""Records as the China Computer Games Championship (CCGC) keeps them: one line of text a game.

    ([PG][BLACK][WHITE][先手胜][2025.09.20 14:00 PLACE][EVENT];B[E5];W[C3];B[I9])

先手胜 says that Black won, 后手胜 that White did. Columns are A to I; rows count from the bottom.
Only stones that were placed are written: no refusals, no passes, no komi. There is no published
specification; this follows two engines in public repositories (1sen3/PhantomGo, blazar).
"""

import re
from typing import Final

from phantomgo.errors import BadText
from phantomgo.files import encoding_of
from phantomgo.lab.moves_only import of_moves
from phantomgo.points import BLACK, PASS, WHITE, Colour, Move
from phantomgo.record import Record
from phantomgo.referee import Referee
from phantomgo.rules import Rules

MARK: Final = "([PG]"
"""The beginning of a record."""
SIZE: Final = 9
MAX_BYTES: Final = 1 << 16
_WON: Final = {"先手胜": BLACK, "后手胜": WHITE}
_HEAD: Final = re.compile(r"\(((?:\[[^\]]*\])*)\s*;?(.*)\)", re.DOTALL)
_MOVE: Final = re.compile(r"\s*([BW])\[([A-I])([1-9])\]\s*")


def is_ccgc(start: bytes) -> bool:
    """Return whether a file that starts so is such a record."""
    return start.decode(encoding_of(start), "ignore").lstrip().startswith(MARK)


def write_ccgc(record: Record) -> str:
    """Return the game on one line; time, place and event are left empty.

    Raises:
        BadText: the game is not on 9x9 from the empty board, or nobody won it.
    """
    if record.rules.size != SIZE or record.handicap:
        raise BadText("a CCGC record is of a game on 9x9 without a handicap")
    words = {colour: word for word, colour in _WON.items()}
    if record.outcome.winner is None:
        raise BadText(f"a CCGC record names a winner; this game ended {record.outcome.result}")
    names = [re.sub(r"[\[\]\r\n]", " ", record.side(colour).name) for colour in Colour]
    fields = ["PG", *names, words[record.outcome.winner], "", ""]
    moves = [
        f"{colour.letter.upper()}[{chr(65 + move % SIZE)}{move // SIZE + 1}]"
        for colour, move in record.moves
        if move != PASS
    ]
    return "(" + "".join(f"[{field}]" for field in fields) + ";" + ";".join(moves) + ")"


def read_ccgc(data: bytes) -> Record:
    """Read a game as `of_moves` does.

    Args:
        data: the file, in UTF-8 or GB 18030.

    Raises:
        BadText: it is too long or malformed, or a move is illegal.
    """
    if len(data) > MAX_BYTES:
        raise BadText(f"CCGC record of {len(data)} bytes; at most {MAX_BYTES} are read")
    try:
        text = data.decode(encoding_of(data))
    except UnicodeDecodeError:
        text = data.decode("gb18030", "replace")
    found = _HEAD.fullmatch(text.strip())
    fields = re.findall(r"\[([^\]]*)\]", found[1]) if found else []
    if found is None or len(fields) < 4 or fields[0] != "PG":
        raise BadText("CCGC record does not begin with ([PG][BLACK][WHITE][先手胜 or 后手胜]")
    if fields[3] not in _WON:
        raise BadText(f"CCGC record has {fields[3][:20]!r} for the winner, not 先手胜 or 后手胜")
    moves = enumerate(filter(str.strip, found[2].split(";")), 1)
    referee = Referee(Rules.profile("ccgc", size=SIZE))
    return of_moves(referee, [_move(*one) for one in moves], _WON[fields[3]], *fields[1:3])


def _move(number: int, text: str) -> tuple[Colour, Move, tuple[Move, ...]]:
    found = _MOVE.fullmatch(text)
    if found is None:
        raise BadText(f"CCGC record, move {number}: {text[:20]!r} is not like B[E5], A1 to I9")
    side, column, row = found.groups()
    return BLACK if side == "B" else WHITE, (int(row) - 1) * SIZE + ord(column) - 65, ()
