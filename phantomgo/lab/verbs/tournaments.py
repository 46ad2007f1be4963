"""Tournaments, from their files."""

from pathlib import Path

from phantomgo.errors import PhantomGoError
from phantomgo.lab.match_run import MatchStore
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.workers import Run
from phantomgo.lab.tournament.plan import Checked, Files, checked
from phantomgo.lab.tournament.setup import read_setup
from phantomgo.lab.verbs.games import played
from phantomgo.match.report import Report


def play_tournament(file: str | Path, *, progress: Progress = SILENT) -> Report:
    """Play the tournament of a file, or what is left of it.

    Whenever the file changes, it is read again once the games being played have ended.

    Args:
        file: the tournament, in TOML (docs/tournament.md).
        progress: receives reports of progress.

    Raises:
        BadText: the file is wrong; the message names the line and the key.
        BadStore: the games in the folder are of another tournament, or it is being played.
        Breach: a foreign bot is not a function of its view.
        Stopped: the games cannot be finished.
        Interrupted: by Ctrl-C, with the report so far; games that were being played are saved.
        OSError: a file cannot be read or written.
    """
    file = Path(file)
    known, files = _version(file), _made(file)
    changed = False

    def over() -> bool:
        nonlocal changed
        changed = changed or _version(file) != known
        return changed

    while True:
        run = Run(files.setup.tournament.jobs, progress=progress, store=files.store)
        report = played(files.plan, files.following, run, over)
        if not over():
            return report
        known, changed = _version(file), False
        try:
            newer = _made(file)
            with MatchStore(str(newer.store), newer.plan):
                files = newer
        except (PhantomGoError, OSError) as error:
            progress.note(f"{error}; the tournament continues as it was")
        else:
            progress.note(f"{file} has been read again")


def _made(file: Path) -> Files:
    """The folder of a tournament, made unless it is there."""
    files = Files(read_setup(file))
    files.make()
    return files


def _version(file: Path) -> tuple[int, ...]:
    """A value that changes whenever the file is written; empty if there is no file."""
    try:
        status = file.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def check_tournament(file: str | Path, *, progress: Progress = SILENT) -> Checked:
    """Read a tournament's file, try its output folder and check each engine.

    Args:
        file: the tournament, in TOML (docs/tournament.md).
        progress: receives reports of progress.

    Raises:
        BadText: the file is wrong; the message says where.
        BadStore: the games in the folder cannot be read.
        OSError: a file cannot be read or written.
    """
    setup = read_setup(Path(file))
    files = Files(setup)
    files.check()
    return checked(setup, files.plan, progress.note)
