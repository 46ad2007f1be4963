"""JSON files shipped with the program and found by name: books and matrices."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from phantomgo.checks import unknown
from phantomgo.errors import BadText
from phantomgo.fields import Kind
from phantomgo.files import NAME, check_same_kind, encoding_of, write_atomically


class HasName(Protocol):
    """The content of a file, which includes its name."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=HasName)


def books_folder() -> Traversable:
    """The folder of books: inside an installed package, else next to it in the checkout."""
    inside = files("phantomgo") / "_data" / "books"
    return inside if inside.is_dir() else Path(__file__).parents[1] / "books"


def looks_like_file(name_or_file: str) -> bool:
    """True if a text is taken for a file: it ends in `.json` or contains a slash."""
    return name_or_file.endswith(".json") or "/" in name_or_file or os.sep in name_or_file


@dataclass
class Library(Generic[T]):
    """Files of one kind, of which some are shipped.

    Attributes:
        kind: what they are.
        folder: the folder of those that are shipped.
        most: the most bytes that are read.
        loads: reads and checks a text; refuses a longer one.
        dumps: the text of what is kept, where files are written.
    """

    kind: Kind
    folder: Callable[[], Traversable]
    most: int
    loads: Callable[[str], T]
    dumps: Callable[[T], str] = str

    def names(self) -> list[str]:
        """The names of those that are shipped, sorted."""
        folder = self.folder()
        entries = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
        files = {name for name in entries if name.endswith(".json")} - {"schema.json"}
        return sorted(name.removesuffix(".json") for name in files)

    def read(self, name_or_file: str | Path) -> T:
        """The content of a shipped file, by its name, or of any file (`looks_like_file`).

        Raises:
            PhantomGoError: of the kind: it does not exist, or is damaged.
        """
        noun, error_of = self.kind
        name_or_file = str(name_or_file)
        if looks_like_file(name_or_file):
            source: Traversable = Path(name_or_file)
        elif NAME.fullmatch(name_or_file):
            source = self.folder() / f"{name_or_file}.json"
        else:
            raise error_of(
                f"{name_or_file[:60]!r} is neither the name of a {noun} nor a .json file"
            )
        if not os.path.isfile(str(source)):  # False of a name that is too long, too
            if looks_like_file(name_or_file):
                raise error_of(f"there is no {noun} {name_or_file}")
            raise BadText(unknown(noun, name_or_file, self.names()))
        try:
            with source.open("rb") as file:
                raw = file.read(self.most + 1)
            content = self.loads(raw.decode(encoding_of(raw)))
        except OSError as error:
            raise error_of(f"{noun} {name_or_file} cannot be read: {error.strerror}") from error
        except UnicodeError as error:
            raise error_of(f"{noun} {name_or_file} is not UTF-8 text") from error
        except error_of as error:
            raise error_of(f"{noun} {name_or_file}: {error}") from error
        if not looks_like_file(name_or_file) and content.name != name_or_file:
            raise error_of(f"{noun} {name_or_file}: name {content.name!r} is not the file's")
        return content

    def write(self, content: T, file: str | Path) -> None:
        """Write a file NAME.json atomically, where NAME is the name of what is written.

        Raises:
            PhantomGoError: of the kind: it would not be read back, cannot be written, or the file
                holds something else.
        """
        noun, error_of = self.kind
        path = Path(file)
        if path.name != f"{content.name}.json":
            raise error_of(f"{noun} {content.name} is written to {content.name}.json, not {path}")
        text = self.dumps(content)
        self.loads(text)
        try:
            check_same_kind(noun, path)
            write_atomically(path, text)
        except OSError as error:
            raise error_of(f"{noun} {path} cannot be written: {error.strerror}") from error
