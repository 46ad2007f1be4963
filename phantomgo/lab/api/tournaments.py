"""Tournaments, from their files."""

from pathlib import Path

from phantomgo.lab.api.games import play_planned
from phantomgo.lab.matches.match_run import Standing
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.workers import Run
from phantomgo.lab.tournament.plan import Files
from phantomgo.lab.tournament.setup import read_setup
from phantomgo.match.report import Report


def play_tournament(file: str | Path, *, code: bool = False, progress: Progress = SILENT) -> Report:
    """Play the tournament of a file, or its remaining games.

    Args:
        file: the tournament, in TOML (docs/tournament.md).
        code: run the engines, and the code of bots MODULE:CLASS, that the file names.
        progress: receives reports of progress.

    Raises:
        BadText: the file is wrong; the message names the line and the key.
        BadStore: the games in the folder are of another tournament, or it is being played.
        Breach: a foreign bot is not a function of its view.
        Stopped: the games cannot be finished.
        Interrupted: by Ctrl-C, with the report so far; games that were being played are saved.
        OSError: a file cannot be read or written.
    """
    setup = read_setup(Path(file), code=code)
    files = Files(setup)
    files.make()
    run = Run(setup.tournament.jobs, progress=progress, store=files.store)
    return play_planned(files.plan, [Standing(files.plan, progress.note), *files.observers], run)
