"""The tables of a tournament's file: its fields, with their defaults."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gtp.clock import Limit
from gtp.player import PATIENT
from phantomgo.lab.match import FAILURES
from phantomgo.match.stats import Sprt

FORMATS: Final = ("round robin", "gauntlet", "swiss")
SWISS: Final = "swiss"
"""The formats whose later rounds follow from earlier ones."""


@dataclass(frozen=True)
class TimeControl:
    """The time of a player in a game, in seconds. A number alone is the main time.

    Attributes:
        main: for the whole game.
        increment: added after each move.
        period: after the main time, for each `moves` moves (Canadian byo-yomi).
        moves: moves to make in a period.
        move: for each move, and nothing else.
    """

    main: float = 0.0
    increment: float = 0.0
    period: float = 0.0
    moves: int = 1
    move: float = 0.0

    @property
    def limit(self) -> Limit:
        """The same as the clock has it."""
        if self.move:
            return Limit(0, self.move)
        return Limit(self.main, self.period, self.moves, self.increment)


@dataclass(frozen=True)
class Contender:
    """A player of a tournament.

    Attributes:
        spec: a bot, a book or a class of your own, as docs/players.md has them.
        command: the command line of an engine, or a list of words, instead of a spec.
        label: the name in tables, records and files; by default the name of the table.
        env: of an engine: variables that its environment has besides yours.
        folder: of an engine: where it is started, seen from the file.
        time: the time control of this player, instead of the tournament's.
        setup: of an engine: GTP commands that it is sent after each start, as `level 5`.
        patience: of an engine: seconds for a move without a clock, after which it is killed.
        start: of an engine: seconds to start, and for each command that sets up a game.
    """

    spec: str
    command: str | None = None
    label: str = ""
    env: Mapping[str, str] | None = None
    folder: str | None = None
    time: TimeControl | None = None
    setup: tuple[str, ...] = ()
    patience: float = PATIENT.move
    start: float = PATIENT.start


@dataclass(frozen=True)
class Tournament:
    """The table `[tournament]`.

    Attributes:
        name: of the tournament; by default the name of the file.
        format: `round robin`, in which every two players meet; `gauntlet`, in which the
            challengers meet all others; or `swiss`.
        challengers: in a gauntlet: how many of the first players of the file challenge the others.
        rounds: of a Swiss tournament; 0 for enough to leave one player unbeaten.
        games: of every two players who meet; an even number, as each pair of games is played with
            colours swapped.
        size: points per side.
        komi: points for White; by default the profile's.
        rules: the profile that says who is told what.
        max_moves: accepted moves after which a game is scored as it stands; 0 for four times the
            number of points.
        handicap: Black's stones on the board from the start: how many, or a list of vertices.
        openings: a file of openings, seen from the file, or `standard` for ours. Each pair of
            games begins with the next one, and each of them is played with colours swapped.
        time: the time control of all players who have none of their own.
        seed: all others are derived from it.
        jobs: games at a time.
        failures: games in a row that a player may fail to begin, or lose by a crash, a stall or
            illegal protocol, before they are set aside.
        sprt: a sequential test between two players, which ends the tournament.
        output: the folder of all files of the tournament, seen from the file; by default the name
            of the file.
        sgf: whether SGF files of each game and of each side's view of it are written.
    """

    name: str = ""
    format: str = FORMATS[0]
    challengers: int = 1
    rounds: int = 0
    games: int = 2
    size: int = 9
    komi: float | None = None
    rules: str = "olympiad"
    max_moves: int = 0
    handicap: int | tuple[str, ...] = 0
    openings: str = ""
    time: TimeControl | None = None
    seed: int = 0
    jobs: int = 1
    failures: int = FAILURES
    sprt: Sprt | None = None
    output: str = ""
    sgf: bool = False
