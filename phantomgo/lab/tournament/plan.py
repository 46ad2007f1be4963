"""Plan a tournament as a match, and write its output files."""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Final

from gtp.engine import Patience
from phantomgo.errors import BadStore, BadText
from phantomgo.files import check_replaceable, check_writable, make_folder, write_atomically
from phantomgo.game.beginning import Game
from phantomgo.identity import Identity
from phantomgo.lab.matches.match import Contestant, MatchPlan
from phantomgo.lab.matches.match_run import MatchObserver, MatchStore, report
from phantomgo.lab.matches.sgf_folder import SgfFolder
from phantomgo.lab.players.seating import Conditions
from phantomgo.lab.tournament.setup import TournamentSetup
from phantomgo.match.schedule import Fixtures

NAME: Final = "name"
"""The key of a tournament's player in the data of an identity."""
STORE: Final = "games.db"
RESULTS: Final = "results.json"
SGF: Final = "sgf"
WRITE_SECONDS: Final = 5.0
"""The shortest time between two updates of the files next to the store."""
WRITE_SHARE: Final = 20
"""The shortest time between them as a multiple of the time that writing takes."""


@dataclass(frozen=True)
class TournamentPlan(MatchPlan):
    """The match of a tournament; its players' identities include their tables and time controls."""

    joining: ClassVar[bool] = True

    @cached_property
    def players(self) -> tuple[Identity, ...]:
        identities = []
        for one in self.contestants:
            identity = one.identity
            control = str(one.conditions.limit or "none")
            terms = {NAME: one.table, "time control": control}
            identities.append(replace(identity, data={**identity.data, **terms}))
        return tuple(identities)

    @property
    def terms(self) -> dict[str, object]:
        terms = {key: value for key, value in super().terms.items() if key != "time"}
        return terms | {"game": "tournament", "openings": None}  # as stores of 0.4 have it


def plan_of(setup: TournamentSetup, known: Sequence[str]) -> TournamentPlan:
    """The match that a file asks for.

    `known` are the players who have played already, in the order of their numbers.
    """
    table, rules = setup.tournament, setup.rules
    if gone := [name for name in known if name not in setup.players]:
        raise BadText(f"players.{gone[0]}: is in {STORE}; put it back, or name another output")
    names = [*known, *(name for name in setup.players if name not in known)]
    board = f"{rules.size}x{rules.size}, komi {rules.komi:g}, {table.rules}"
    most = f"at most {table.max_moves} moves" if table.max_moves else ""
    clock = str(table.time.limit) if table.time else ""
    parts = table.format, board, most, clock, f"seed {table.seed}", setup.beginning.text(rules.size)
    what = f"{table.name}: {', '.join(filter(None, parts))}"
    pairs = (sorted(map(names.index, pair)) for pair in setup.meetings)
    meetings = tuple((one, other) for one, other in pairs)
    return TournamentPlan(
        tuple(_contestant(setup, name) for name in names),
        Fixtures(len(names), table.games, table.seed, meetings),
        table.sprt,
        what,
        failures=table.failures,
    )


def _contestant(setup: TournamentSetup, name: str) -> Contestant:
    """The player of a table."""
    contender, table = setup.players[name], setup.tournament
    control = contender.time or table.time
    conditions = Conditions(
        Game(setup.rules, setup.beginning),
        None if control is None else control.limit,
        Patience.of(contender.patience),
    )
    return Contestant(contender.spec, contender.label, contender.label, conditions, name)


class Files:
    """The folder of a tournament."""

    def __init__(self, setup: TournamentSetup) -> None:
        """Plan the tournament, given the games that are in its folder."""
        self.setup, self.folder = setup, setup.folder
        self.store = self.folder / STORE
        known: list[str] = []
        with suppress(BadStore), MatchStore(self.store) as there:  # it is opened again, to write
            played = there.players if there.games() else ()
            known = [player.data.get(NAME, player.name) for player in played]
        with setup.located():
            self.plan = plan_of(setup, known)

    def make(self) -> None:
        """Create the folder if it is missing, and check that every file can be written."""
        with self.setup.located("tournament.output"):
            make_folder(self.folder, parents=False)
            # A start that was interrupted may have left the SGF folder, which checks its own games.
            others = sorted(file for file in self.folder.iterdir() if file.name != SGF)
            if others and not self.store.exists():
                raise BadText(f"{self.folder} has {others[0].name}, but no {STORE}")
            check_writable(self.folder / STORE)
            check_replaceable(self.folder / RESULTS)

    @property
    def observers(self) -> list[MatchObserver]:
        """The observers that write the files next to the store."""
        found: list[MatchObserver] = [Results(self.plan, self.folder / RESULTS)]
        if self.setup.tournament.sgf:
            found.append(SgfFolder(self.folder / SGF, self.plan.terms, self.store))
        return found


class Results(MatchObserver):
    """Writes the report of a match as JSON, now and then and at the end."""

    def __init__(self, plan: MatchPlan, file: Path) -> None:
        self._plan, self._file = plan, file
        self._due = 0.0

    def begin(self, store: MatchStore) -> None:
        self._store = store
        self.see(())

    def see(self, records: Sequence[tuple[int, str]]) -> None:  # noqa: ARG002
        if (began := time.monotonic()) >= self._due:
            self.end()
            ended = time.monotonic()  # of a large tournament the file takes long itself
            self._due = ended + max(WRITE_SECONDS, WRITE_SHARE * (ended - began))

    def end(self) -> None:
        text = json.dumps(report(self._plan, self._store).as_dict(), indent=2) + "\n"
        write_atomically(self._file, text)
