"""JSON files shipped with the program and found by name: books and matrices."""

import os
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Protocol, TypeVar

from phantomgo.fields import Kind
from phantomgo.files import NAME, write_whole


class Named(Protocol):
    """The content of such a file, which knows its own name."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


def folder() -> Traversable:
    """The folder: inside an installed package, else beside it in the checkout."""
    inside = files("phantomgo") / "_data" / "books"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "books"


def names(place: Traversable) -> list[str]:
    """The names in a folder, sorted."""
    if not place.is_dir():
        return []
    found = [entry.name for entry in place.iterdir() if entry.name != "schema.json"]
    return sorted(name.removesuffix(".json") for name in found if name.endswith(".json"))


def is_file(name_or_file: str) -> bool:
    """True if a text is taken for a file: it ends in `.json` or has a slash in it."""
    return name_or_file.endswith(".json") or "/" in name_or_file or os.sep in name_or_file


def read(
    name_or_file: str, place: Traversable, kind: Kind, most: int, loads: Callable[[str], T]
) -> T:
    """The content of this name in a folder, or of this file.

    Args:
        name_or_file: the name, or a file as `is_file` has it.
        place: the folder of shipped.
        kind: what it is.
        most: bytes that are read, and one more.
        loads: reads and checks it; refuses what is longer than that.

    Raises:
        kind.error: it is not there, or `loads` refuses it, or its name is not the file's.
    """
    noun = kind.noun
    if is_file(name_or_file):
        source: Traversable = Path(name_or_file)
    elif NAME.fullmatch(name_or_file):
        source = place / f"{name_or_file}.json"
    else:
        raise kind.error(f"{name_or_file[:60]!r} is neither the name of a {noun} nor a .json file")
    if not source.is_file():
        known = ", ".join(names(place)) or "none"
        raise kind.error(f"there is no {noun} {name_or_file}; shipped: {known}")
    try:
        with source.open("rb") as file:
            raw = file.read(most + 1)
        found = loads(raw.decode())
    except OSError as error:
        raise kind.error(f"{noun} {name_or_file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise kind.error(f"{noun} {name_or_file} is not UTF-8 text") from error
    except kind.error as error:
        raise kind.error(f"{noun} {name_or_file}: {error}") from error
    stem = source.name.removesuffix(".json")
    if found.name != stem:
        raise kind.error(f"{noun} {name_or_file}: name {found.name!r} is not the file's, {stem!r}")
    return found


def write(path: Path, text: str, kind: Kind) -> None:
    """Write a file that is whole at every moment, or not there.

    Raises:
        kind.error: it cannot be written.
    """
    try:
        write_whole(path, text)
    except OSError as error:
        raise kind.error(f"{kind.noun} {path} cannot be written: {error.strerror}") from error
