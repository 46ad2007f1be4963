"""A tournament as a match, and the files around it."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final

from gtp.player import Patience
from phantomgo.beginning import Game
from phantomgo.errors import Abandoned, BadStore, BadText
from phantomgo.files import try_file, try_target, write_whole
from phantomgo.identity import Identity
from phantomgo.lab.match import Contestant, MatchPlan
from phantomgo.lab.match_run import Kept, MatchStore, report
from phantomgo.lab.players import Conditions
from phantomgo.lab.sgf_folder import SgfFolder
from phantomgo.lab.tournament.setup import TournamentSetup
from phantomgo.match.schedule import Fixtures

NAME: Final = "name"
"""The key of a tournament's player in the data of an identity."""
STORE: Final = "games.db"
RESULTS: Final = "results.json"
SGF: Final = "sgf"
WRITE_SECONDS: Final = 5.0
"""The shortest time between two updates of the files beside the store."""
WRITE_SHARE: Final = 20
"""The same, as a multiple of the time that writing them takes."""


@dataclass(frozen=True)
class TournamentPlan(MatchPlan):
    """The match of a tournament: its players are known by their tables and times, too."""

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
    what = f"{table.name}: {table.format}, {rules.size}x{rules.size}, komi {rules.komi:g}"
    beginning = setup.beginning.text(rules.size)
    clock = str(table.time.limit) if table.time else ""
    most = f"at most {table.max_moves} moves" if table.max_moves else ""
    parts = (what, table.rules, most, clock, f"seed {table.seed}", beginning)
    what = ", ".join(filter(None, parts))
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
            self.folder.mkdir(exist_ok=True)
            if not self.store.exists() and (others := sorted(self.folder.iterdir())):
                raise BadText(f"{self.folder} has {others[0].name}, but no {STORE}")
            try_file(self.folder / STORE)
            try_target(self.folder / RESULTS)

    @contextmanager
    def following(self, store: MatchStore) -> Iterator[Kept]:
        """Write the files beside the store, now and then and at the end."""
        due = 0.0
        folder = None
        if self.setup.tournament.sgf:
            folder = SgfFolder(self.folder / SGF, self.plan.terms, store.numbered())

        def keep(records: Sequence[tuple[int, str]]) -> None:
            nonlocal due
            if folder is not None:
                folder.write(records)
            if (began := time.monotonic()) >= due:
                self._write(store)
                ended = time.monotonic()  # of a large tournament the files take long themselves
                due = ended + max(WRITE_SECONDS, WRITE_SHARE * (ended - began))

        keep(store.numbered_records() if folder is not None else ())
        try:
            yield keep
        finally:
            if not isinstance(sys.exception(), Abandoned):
                self._write(store)

    def _write(self, store: MatchStore) -> None:
        text = json.dumps(report(self.plan, store).as_dict(), indent=2) + "\n"
        write_whole(self.folder / RESULTS, text)
