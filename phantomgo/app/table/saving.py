"""Games on disk: kept as they go, saved by name, resumed."""

import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from phantomgo.app.table.facts import shortened
from phantomgo.app.table.game import Game
from phantomgo.errors import BadText
from phantomgo.files import state_folder, write_whole
from phantomgo.lab.records import refuse_sgf
from phantomgo.outcome import Ending
from phantomgo.points import Colour
from phantomgo.record import Record
from phantomgo.record_json import MAX_CHARACTERS, read_record, write_record
from phantomgo.record_sgf import true_sgf, view_sgf

_SUFFIXES: Final = (".json", ".sgf")


def folder() -> Path:
    """Where games are kept as they go."""
    return state_folder() / "games"


def new_file(size: int) -> Path:
    """Where a new game is to be kept: a file of its own, whatever goes on in other terminals."""
    when = time.strftime("%Y-%m-%d-%H%M%S")
    return folder() / f"{when}-{size}x{size}-{secrets.token_hex(2)}.json"


def kept() -> list[Path]:
    """The games that are kept, the latest first."""
    try:
        files = [(file.stat().st_mtime, file) for file in folder().glob("*.json")]
    except OSError:
        return []
    return [file for _, file in sorted(files, reverse=True)]


def chosen(which: str) -> Path:
    """The file of a kept game by its number in the list, 1 being the latest, or any by its path.

    Raises:
        BadText: no game has this number.
    """
    if not (which.isascii() and which.isdecimal()):
        return Path(which)
    files = kept()
    if not 1 <= int(which[:9]) <= len(files):
        there = f"there are 1 to {len(files)}" if files else "none is kept yet"
        raise BadText(f"no kept game {which[:20]}; {there}")
    return files[int(which) - 1]


def listed(most: int = 20) -> Iterator[str]:
    """The latest games that are kept, a line each, with the number `--resume` takes."""
    for number, file in enumerate(kept()[:most], 1):
        try:
            record = load(file)
        except BadText as error:
            yield f"{number:3d}  {error}"
            continue
        size, outcome = record.rules.size, record.outcome
        sides = f"{shortened(record.black.name)} against {shortened(record.white.name)}"
        state = f"{len(record.steps)} attempts" if outcome.ending is Ending.VOID else outcome.result
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(file.stat().st_mtime))
        yield f"{number:3d}  {when}  {size}x{size}  {sides}: {state}"


def keep(game: Game, file: Path) -> None:
    """Write the game as it stands.

    Raises:
        OSError: it cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, write_record(game.record()) + "\n")


def save(game: Game, name: str, mine: set[Path]) -> list[Path]:
    """Write the game under a name: `NAME.json`, and when it is over `NAME.sgf` and both views.

    A name that ends in `.json` or `.sgf` asks for that alone. The record is the truth: it is not
    to be read before the game is over.

    Args:
        game: the game.
        name: a file name, or a path.
        mine: files that may be overwritten; what is written is added.

    Returns:
        the files.

    Raises:
        BadText: it is not a file name, the file is there already, or SGF was asked for too early.
        OSError: a file cannot be written.
    """
    path, record = _path(name), game.record()
    suffix = path.suffix if path.suffix in _SUFFIXES else ""
    base = path.with_suffix("") if suffix else path
    if suffix == ".sgf" and game.outcome is None:
        raise BadText("SGF shows the truth: it can be written when the game is over")
    texts: dict[Path, str] = {}
    if suffix != ".sgf":
        texts[base.with_name(base.name + ".json")] = write_record(record) + "\n"
    if suffix != ".json" and game.outcome is not None:
        texts[base.with_name(base.name + ".sgf")] = true_sgf(record)
        for colour in Colour:
            file = base.with_name(f"{base.name}-{colour}.sgf".lower())
            texts[file] = view_sgf(record, colour)
    for file in texts:
        if file.exists() and file.absolute() not in mine:
            raise BadText(f"{file} is there already")
    for file, text in texts.items():
        write_whole(file, text)
        mine.add(file.absolute())
    return list(texts)


def _path(name: str) -> Path:
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # no such user
        path = Path(name)
    if not path.name or not name.isprintable():
        raise BadText(f"{name!r} is not the name of a file")
    return path


def load(file: Path) -> Record:
    """The record of a saved game.

    Raises:
        OSError: the file cannot be read.
        BadText: it does not hold a record.
    """
    refuse_sgf(file)
    with file.open(encoding="utf-8", errors="replace") as lines:
        text = lines.readline(MAX_CHARACTERS + 1)
    try:
        return read_record(text)
    except BadText as error:
        raise BadText(f"{file}: {error}") from None
