"""Players by name on the command line: `--players-file FILE`, or `phantomgo.toml` in the folder."""

import argparse
from pathlib import Path

from phantomgo.lab.roster import FILE, Roster, read_roster


def add_players_file(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the file."""
    parser.add_argument(
        "--players-file", metavar="FILE", help=f"TOML with players by name (default: {FILE})"
    )


def roster(arguments: argparse.Namespace) -> Roster:
    """The players of the file that the command line names, or of the one in this folder.

    Raises:
        BadText: the file is wrong; the message names it, the table and the key.
        OSError: it cannot be read.
    """
    named: str | None = arguments.players_file
    return read_roster(Path(named or FILE)) if named or Path(FILE).is_file() else Roster()


def put_specs(arguments: argparse.Namespace, *options: str) -> dict[str, str]:
    """Replace names by specs, in options of one or several words.

    Returns:
        The labels of those that have one, by spec.

    Raises:
        BadText: as `Roster.player`.
    """
    named, labels = roster(arguments), dict[str, str]()
    for option in options:
        given = getattr(arguments, option)
        words = [given] if isinstance(given, str) else given or []
        found = [named.player(word) for word in words]
        labels |= {spec: label for spec, label in found if label is not None}
        if given is not None:
            specs = [entry.spec for entry in found]
            setattr(arguments, option, specs[0] if isinstance(given, str) else specs)
    return labels
