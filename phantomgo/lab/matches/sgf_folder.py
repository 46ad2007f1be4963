"""A folder of SGF files: the games of one match, each with both players' views."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from phantomgo.errors import BadText
from phantomgo.files import make_folder, remove_left_overs, write_atomically
from phantomgo.game.outcome import Ending
from phantomgo.game.points import Colour
from phantomgo.lab.matches.match_run import MatchObserver, MatchStore
from phantomgo.match.result import MatchGame
from phantomgo.records.record_json import read_record
from phantomgo.records.record_sgf import NOBODY, true_sgf, view_sgf

MATCH: Final = "match.json"
"""The file that names the match."""
_GAME: Final = re.compile(r"(\d{6,})(-black|-white)?\.sgf")
_COLOURS: Final = {"-black": Colour.BLACK, "-white": Colour.WHITE}


class SgfFolder(MatchObserver):
    """Writes each game of a match, and each side's view of it, as SGF into a folder.

    The folder never contains the games of two matches.
    """

    def __init__(
        self,
        path: str | Path,
        match: Mapping[str, object],
        store: str | Path | None,
        called: Mapping[str, str] = NOBODY,
    ) -> None:
        """Check the folder at once if there is no store yet; `begin` checks it against the games.

        Args:
            path: the folder.
            match: everything that decides the games, as JSON: it identifies the match.
            store: the store of the match, if it has one.
            called: the players' labels, by their names in records.

        Raises:
            BadText: a match without games cannot be written there.
        """
        self._folder, self._match, self._called = Path(path), match, called
        if store is None or not Path(store).exists():
            self._open({})

    def begin(self, store: MatchStore) -> None:
        self._open(store.numbered())
        self.see(store.numbered_records())

    def see(self, records: Sequence[tuple[int, str]]) -> None:
        """Write the games that began and have no file yet, given by number and record."""
        for number, text in records:
            files = {what: self._folder / f"{number:06}{what}.sgf" for what in ("", *_COLOURS)}
            missing = [what for what, file in files.items() if not file.exists()]
            record = read_record(text) if missing else None
            if record is None or record.outcome.ending is Ending.VOID:
                continue
            true = true_sgf(record, self._called)
            for what in missing:
                sgf = view_sgf(record, _COLOURS[what], self._called) if what else true
                write_atomically(files[what], sgf)

    def _open(self, kept: Mapping[int, MatchGame]) -> None:
        """Create the folder, or check that its games are among those kept of this match.

        Raises:
            BadText: it can't be created, is of another match, or has games that the store lacks.
        """
        folder, match = self._folder, self._match
        try:
            make_folder(folder, parents=False)
            files = [_GAME.fullmatch(file.name) for file in folder.iterdir()]
        except OSError as error:
            raise BadText(f"sgf {folder}: {error.strerror}") from None
        written = {int(name[1]) for name in files if name}
        earlier = None
        with suppress(OSError, ValueError):
            earlier = json.loads((folder / MATCH).read_text(encoding="utf-8"))
        ours = written or (isinstance(earlier, dict) and "game" in earlier)
        if not ours and (folder / MATCH).exists():
            raise BadText(f"sgf {folder}: its {MATCH} is none of ours; name another folder")
        unknown = written - kept.keys()
        known = [kept[number] for number in written - unknown]
        played = {place for game in known for place in (game.black, game.white)}
        if written and earlier != match and (unknown or not _of_others(earlier, match, played)):
            raise BadText(f"sgf {folder} contains the games of another match")
        if unknown:
            raise BadText(
                f"sgf {folder} contains game {min(unknown)}, which this match does not have (yet):"
                " name the store it is from, or another folder"
            )
        remove_left_overs(folder, ".*.part")
        write_atomically(folder / MATCH, json.dumps(match, indent=2) + "\n")


def _of_others(earlier: object, match: Mapping[str, Any], played: Collection[int]) -> bool:
    """True if two matches differ only in players who took no part in the folder's games."""
    if not isinstance(earlier, dict) or {**earlier, "players": match.get("players")} != match:
        return False
    before, now = earlier["players"], match["players"]
    return len(before) == len(now) and all(before[place] == now[place] for place in played)
