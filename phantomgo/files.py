"""Folders for files, and atomic writing."""

import codecs
import errno
import glob
import importlib.util
import json
import os
import re
import secrets
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from phantomgo.errors import BadText, PhantomGoError

PACKAGE: Final = Path(__file__).parent
"""The folder of this package."""
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
"""Of a book, a matrix or a net: a file's name without `.json`."""
KINDS: Final = {
    "training": "book",
    "growth": "book of moves",
    "won": "matrix",
    "layers": "net",
    "shape": "policy",
}
"""The kinds of JSON files, each by a field that no other kind has."""
SQLITE: Final = b"SQLite format 3\0"
"""The first bytes of a store's file."""


def kind_of(fields: Collection[str]) -> str | None:
    """The kind of a JSON file with these fields; None if it is none of ours."""
    return next((kind for field, kind in KINDS.items() if field in fields), None)


def check_packages() -> None:
    """Raise PhantomGoError if Python finds other code under the name of one of our packages."""
    for package in ("bots", "gtp"):
        spec, ours = importlib.util.find_spec(package), PACKAGE.parent / package / "__init__.py"
        if spec is None or not ours.exists():
            raise PhantomGoError(f"the package {package} is missing next to {PACKAGE}")
        found = spec.origin or str(next(iter(spec.submodule_search_locations or ()), ""))
        if Path(found).resolve() != ours.resolve():
            raise PhantomGoError(
                f"{found} hides our package {package}: rename or uninstall it, or start from"
                " another folder"
            )


def encoding_of(start: bytes) -> str:
    """The encoding of a text by its first bytes: UTF-8, or UTF-16 as Windows writes it.

    A byte order mark at the beginning is not part of the text.
    """
    return "utf-16" if start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"


def cache_folder() -> Path:
    """The folder for replaceable files: NUMBA_CACHE_DIR, or the user's cache. May not exist."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else _home("XDG_CACHE_HOME", ".cache")


def state_folder() -> Path:
    """The folder for games and tables of people. May not exist."""
    return _home("XDG_STATE_HOME", ".local/state")


def _home(variable: str, otherwise: str) -> Path:
    """Our folder in one of the user's XDG base directories.

    As that standard has it, a variable that is not an absolute path is ignored. A user without a
    home has `/`, as in containers and services: no file is kept wherever we happen to be started.
    """
    given = os.environ.get(variable, "")
    home = Path("/", os.path.expanduser("~").removeprefix("~"))
    return Path(given if os.path.isabs(given) else home / otherwise, "phantomgo")


def make_folder(path: Path, *, parents: bool = True) -> None:
    """Create a folder unless it is there; with `parents` also the folders that it is in.

    Raises:
        OSError: it cannot be created, or the path is a file's; the error names it.
    """
    try:
        path.mkdir(parents=parents, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, "it is not a folder", str(path)) from None


def remove_left_overs(folder: Path, pattern: str) -> None:
    """Remove files and folders of killed processes, by a pattern; they end in `PID.TOKEN`."""
    if not Path("/proc/self").exists():
        return
    for path in folder.glob(pattern):
        found = re.search(r"\.(\d+)\.[0-9a-z_]{8}(\.part)?$", path.name)
        if found is None or Path("/proc", found[1]).exists():
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def check_replaceable(path: Path) -> None:
    """Check that `write_atomically` can write a file, before the work of computing its content.

    Raises:
        OSError: it cannot; nothing has changed, and the error names the obstacle.
    """
    check_writable(path)
    _refuse_store(path)


def check_writable(path: Path) -> None:
    """Check that a file, a store for example, can be written; nothing is left there."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    target = _target(path)
    remove_left_overs(target.parent, f".{glob.escape(target.name)}.*.part")
    unfinished = _unfinished(target)
    try:
        unfinished.open("x", encoding="utf-8").close()
        unfinished.unlink()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader sees the old one, or none, until the new one is complete.

    Several processes and threads may write it at once; what the last one writes stays. Of a
    symbolic link the file it leads to is written.

    Raises:
        OSError: it cannot be written, or contains games; nothing has changed then, and the error
            names the file.
    """
    _refuse_store(path)
    target = _target(path)
    unfinished = _unfinished(target)
    try:
        with unfinished.open("xb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:  # after an error, or Ctrl-C
        unfinished.unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """The file that a symbolic link leads to, or the file itself."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def _unfinished(path: Path) -> Path:
    """A temporary file next to it that nobody else writes."""
    return path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.part")


def _refuse_store(path: Path) -> None:
    """Check that a file is not one of SQLite, as stores of games are: it is never replaced."""
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(SQLITE)) == SQLITE:
                raise OSError(errno.EEXIST, "it is a store", str(path))


def check_same_kind(kind: str, path: Path) -> None:
    """Check that a file, if there is one, contains JSON of this kind: nothing else is overwritten.

    `kind` is one of `KINDS`.

    Raises:
        OSError: it contains something else, or cannot be read.
    """
    if not path.is_file() or not path.stat().st_size:
        return
    raw = path.read_bytes()
    content: Any = None
    with suppress(ValueError, RecursionError):
        content = json.loads(raw.decode(encoding_of(raw)))
    ours = isinstance(content, dict) and {"format", "name"} <= content.keys()
    if not ours or kind_of(content) != kind:
        remedy = f"it holds no {kind}: move it away, or name another file"
        raise OSError(errno.EEXIST, remedy, str(path))


def output_file(what: str, file: str | Path) -> Path:
    """The path of a file NAME.json, once it is known that it can be written.

    Raises:
        BadText: the name is not plain, there is no such folder, it cannot be written, or holds
            something else, which would be lost.
    """
    path, named = Path(file), f"{what} {str(file)[:200]!r}"
    if path.suffix != ".json" or not NAME.fullmatch(path.stem):
        raise BadText(f"{named} is not NAME.json with a plain name")
    if not path.parent.is_dir():
        raise BadText(f"{named}: there is no folder {path.parent}")
    try:
        check_replaceable(path)
        check_same_kind(what, path)
    except OSError as error:
        raise BadText(f"{named} cannot be written: {error.strerror}") from None
    return path
