"""Suites of openings: text files with one opening a line, the moves as vertices, Black first.

    # Anything after # is a comment.
    E5 C3 G7 D4

Each pair of games begins with the next opening, so both players play it with both colours. As in
any game, a player knows their own moves of the opening, but not the other player's.
"""

from pathlib import Path
from typing import Final

from phantomgo.beginning import Beginning, Made
from phantomgo.errors import BadText
from phantomgo.points import Colour, PointSet, parse_move
from phantomgo.record import begin
from phantomgo.rules import Rules

STANDARD: Final = "standard"
"""Instead of a file: our suite for the board."""
SUITES: Final = Path(__file__).with_name("suites")
MAX_BYTES: Final = 1 << 20


def read_openings(name: str, home: Path, rules: Rules, handicap: PointSet) -> tuple[Beginning, ...]:
    """The openings of a suite.

    Args:
        name: a file, or `standard`.
        home: the folder that the file's path is relative to.
        rules: the rules of the games.
        handicap: Black's stones on the board before the opening; then White moves first.

    Raises:
        BadText: there is no such suite, or a line is not an opening by these rules.
        OSError: the file cannot be read.
    """
    file = home / name
    if name == STANDARD:
        file = SUITES / f"{rules.size}x{rules.size}.txt"
        if not file.is_file():
            sizes = ", ".join(sorted((path.stem for path in SUITES.glob("*.txt")), key=len))
            raise BadText(f"there are standard openings for {sizes}, not {file.stem}")
    with file.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadText(f"{file} has more than {MAX_BYTES} bytes")
    found = []
    for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            try:
                found.append(_opening(words, rules, handicap))
            except BadText as error:
                raise BadText(f"{file}, line {number}: {error}") from None
    if not found:
        raise BadText(f"{file} has no openings")
    return tuple(found)


def _opening(words: list[str], rules: Rules, handicap: PointSet) -> Beginning:
    first = Colour.WHITE if handicap else Colour.BLACK
    colours = [first if turn % 2 == 0 else first.other for turn in range(len(words))]
    made: list[Made] = [
        (colour, parse_move(word, rules.size)) for colour, word in zip(colours, words, strict=True)
    ]
    beginning = Beginning(handicap, tuple(made))
    begin(rules, beginning)
    return beginning
