"""Games on disk: saved as they go, saved by name, resumed."""

import contextlib
import re
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from phantomgo.app.table.facts import shortened
from phantomgo.app.table.game import TableGame
from phantomgo.errors import BadText
from phantomgo.files import make_folder, state_folder, write_atomically
from phantomgo.game.outcome import Ending
from phantomgo.game.points import Colour
from phantomgo.game.record import Record
from phantomgo.game.wording import counted
from phantomgo.lab.matches.game_files import records
from phantomgo.records.record_json import read_record, write_record
from phantomgo.records.record_sgf import true_sgf, view_sgf
from phantomgo.values import read_whole


def folder() -> Path:
    """Return the folder of games saved as they go."""
    return state_folder() / "games"


def new_file(size: int) -> Path:
    """Return a new file for a game, which no other terminal uses."""
    when = time.strftime("%Y-%m-%d-%H%M%S")
    return folder() / f"{when}-{size}x{size}-{secrets.token_hex(2)}.json"


def saved() -> list[Path]:
    """Return the files of saved games, the latest first."""
    files = []
    for file in folder().glob("*.json"):
        with contextlib.suppress(OSError):  # a link to nowhere, or deleted meanwhile
            files.append((file.stat().st_mtime, file))
    return [file for _, file in sorted(files, reverse=True)]


def chosen(which: str) -> Path:
    """Return the file of a saved game by its number in the list (1 is the latest) or path."""
    if re.fullmatch("[0-9]+", which) is None:
        return Path(which)
    files = saved()
    number = read_whole(which, 1, len(files))
    if number is None:
        there = f"there are 1 to {len(files)}" if files else "there are none"
        raise BadText(f"no saved game {which[:20]}; {there}")
    return files[number - 1]


def listed(most: int = 20) -> Iterator[str]:
    """Yield the latest saved games, a line each, with the number `--resume` takes."""
    for number, file in enumerate(saved()[:most], 1):
        try:
            record = load(file)
        except BadText as error:
            yield f"{number:3d}  {error}"
            continue
        size, outcome = record.rules.size, record.outcome
        sides = f"{shortened(record.black.name)} against {shortened(record.white.name)}"
        # Of moves, which both players count: attempts would tell how often the other was refused.
        moves = counted(sum(step.reason is None for step in record.steps), "move")
        state = moves if outcome.ending is Ending.VOID else outcome.result
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(file.stat().st_mtime))
        yield f"{number:3d}  {when}  {size}x{size}  {sides}: {state}"


def keep(game: TableGame, file: Path) -> None:
    """Write the game in its current state to a file."""
    make_folder(file.parent)
    write_atomically(file, write_record(game.record()) + "\n")


def save(
    game: TableGame, name: str, mine: set[tuple[Path, Colour | None]], seat: Colour | None = None
) -> Path:
    """Write the game to the file that is named, and return it.

    A name that ends in `.sgf` asks for SGF, any other for a record, which is called `NAME.json`.
    A record shows the whole game, so nobody should read it before the game is over.

    Args:
        game: the game.
        name: a file name, or a path.
        mine: files that may be overwritten, each by what it shows: a view, or the whole game. The
            one that is written is added.
        seat: whose view the SGF shows; the whole game if None.
    """
    file, record = _path(name), game.record()
    if file.suffix not in ("", ".json", ".sgf"):
        raise BadText(f"{file.name}: games are saved as .json or .sgf, not {file.suffix}")
    if file.suffix == ".sgf" and game.outcome is None:
        raise BadText("SGF would reveal hidden stones: save it after the game")
    if file.suffix != ".sgf" and seat is not None:
        raise BadText(f"{file.name}: a view is saved as .sgf")
    if file.suffix == ".sgf":
        text = true_sgf(record) if seat is None else view_sgf(record, seat)
    else:
        text = write_record(record) + "\n"
    file = file if file.suffix else file.with_name(f"{file.name}.json")
    if file.exists() and (file.absolute(), seat) not in mine:
        raise BadText(f"{file} exists already")
    write_atomically(file, text)
    mine.add((file.absolute(), seat))
    return file


def _path(name: str) -> Path:
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # no such user
        path = Path(name)
    folder = name.endswith("/") or Path(name).name in ("", "..", "~")
    if folder or not path.name or not name.isprintable():
        raise BadText(f"{name!r} is not the name of a file")
    return path


def load(file: Path) -> Record:
    """Return the record of a saved game."""
    try:
        _, text = next(records(str(file)), (0, ""))
        return read_record(text)
    except BadText as error:
        raise BadText(f"{file}: {error}") from None
