"""A match as a contest: games between two or more contestants."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Self

from bots import make
from bots.spec import is_engine
from gtp.clock import Limit
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Ending, Fault, Outcome
from phantomgo.game.player import Player
from phantomgo.game.playing import play_game
from phantomgo.game.points import Colour, vertices
from phantomgo.game.record import Attempt, PlayerInfo, Record, RecordedAttempt
from phantomgo.game.recording import recorded_attempt
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.identity import Identity
from phantomgo.lab.players.identity import identify
from phantomgo.lab.players.seating import Conditions, player_name, seat_player
from phantomgo.lab.run.contest import GameNumber, Result
from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Schedule, ScheduledGame
from phantomgo.match.stats import Sprt
from phantomgo.portfolio.line import Step
from phantomgo.records.record_json import write_record

FAILURES_IN_A_ROW: Final = 5
"""Failures after which one of several players is set aside (phantomgo/match/attendance.py)."""


def to_pair(number: int) -> GameNumber:
    """A game of the schedule as stores have it: its pair, and 0 or 1 for the first or second."""
    return divmod(number, 2)


def to_number(game: GameNumber) -> int:
    """The number in the schedule of a game in a store."""
    pair, second = game
    return 2 * pair + second


@dataclass(frozen=True)
class Contestant:
    """A player of a match.

    Attributes:
        spec: the player.
        name: the name in records, which no other contestant has.
        label: the name in tables, which no other contestant has.
        conditions: those of the player; the game is the same for all contestants.
        table: the name of the player's table in the file of a tournament.
    """

    spec: str
    name: str
    label: str
    conditions: Conditions
    table: str = ""

    @property
    def engine(self) -> bool:
        """True if another program plays."""
        return is_engine(self.spec)

    @cached_property
    def identity(self) -> Identity:
        """The identity, computed now."""
        return identify(self.spec, self.conditions.game)

    @cached_property
    def data(self) -> tuple[tuple[str, str], ...]:
        """The learned data that the player uses, with digests."""
        return () if self.engine else tuple(make(self.spec, self.conditions.game, 0).data().items())

    @property
    def seconds(self) -> int | None:
        """The seconds for a game, as records keep them; None for other clocks or none."""
        limit = self.conditions.limit
        if limit is None or limit != Limit(limit.main) or limit.main % 1:
            return None
        return int(limit.main)


@dataclass(frozen=True)
class MatchPlan:
    """A match.

    Attributes:
        contestants: the players.
        schedule: the games.
        sprt: the test that may end the match early.
        what: the board, rules and seed, in words.
        milliseconds: processor time per decision, if budgets were calibrated to it.
        failures: consecutive failures after which a player is set aside; a game that a player
            can't begin is then forfeited. If None, it is void and played again.
    """

    contestants: tuple[Contestant, ...]
    schedule: Schedule
    sprt: Sprt | None
    what: str
    milliseconds: float | None = None
    failures: int | None = None

    joining: ClassVar[bool] = False
    """True if players may be added to those in the store."""

    @classmethod
    def of(
        cls,
        specs: Sequence[str],
        games: int,
        seed: int,
        conditions: Conditions,
        profile: str,
        sprt: Sprt | None = None,
        milliseconds: float | None = None,
    ) -> Self:
        """Plan a match of these players, in which every two of them meet in `games` games.

        `profile` is the name of the rules.
        """
        rules, begun = conditions.game
        board = f"{rules.size}x{rules.size}, komi {rules.komi:g}, {profile}"
        clock = "" if conditions.limit is None else str(conditions.limit)
        pace = "" if milliseconds is None else f"{milliseconds:g} ms per decision"
        parts = board, clock, pace, f"seed {seed}", begun.text(rules.size)
        what = ", ".join(filter(None, parts))
        schedule = Schedule(len(specs), games, seed)
        if sprt is not None and len(specs) != 2:
            raise BadText(f"a sequential test is for two players, not {len(specs)}")
        names = [player_name(spec, conditions.game) for spec in specs]
        for place in range(len(names) - 1, 0, -1):  # the second of the same name becomes `NAME #2`
            if earlier := names[:place].count(names[place]):
                names[place] += f" #{earlier + 1}"
        contestants = tuple(
            Contestant(spec, name, name, conditions)
            for spec, name in zip(specs, names, strict=True)
        )
        # A match of two could not go on without one of them.
        failures = FAILURES_IN_A_ROW if len(specs) > 2 else None
        return cls(contestants, schedule, sprt, what, milliseconds, failures)

    @property
    def rules(self) -> Rules:
        """The rules of all games."""
        return self.game.rules

    @property
    def game(self) -> Game:
        """The rules and the beginning of all games."""
        return self.contestants[0].conditions.game

    # As a contest

    @cached_property
    def players(self) -> tuple[Identity, ...]:
        """The players' identities, computed now."""
        return tuple(contestant.identity for contestant in self.contestants)

    @property
    def terms(self) -> Mapping[str, object]:
        rules, beginning = self.game
        return {
            "game": "match",
            **rules.as_dict(),
            **beginning.as_dict(rules.size),
            "handicap": vertices(beginning.handicap, rules.size),
            "seed": self.schedule.seed,
            "time": self.contestants[0].seconds,
            **({} if self.milliseconds is None else {"milliseconds": self.milliseconds}),
        }

    @property
    def engines(self) -> bool:
        return any(contestant.engine for contestant in self.contestants)

    def play(self, games: Sequence[GameNumber]) -> list[Result]:
        wanted = [self.schedule.game(to_number(game)) for game in games]
        known = self._play_together(wanted) if len(wanted) > 1 else {}
        return [self._play(scheduled, known.get(scheduled)) for scheduled in wanted]

    def _play_together(
        self, wanted: Sequence[ScheduledGame]
    ) -> dict[ScheduledGame, Sequence[Attempt]]:
        """The attempts of the games played in lock step, which are not timed."""
        from phantomgo.lab.lockstep.batch import (  # noqa: PLC0415  (the compiler)
            can_play,
            pays,
            play_batch,
        )

        clock = any(contestant.conditions.limit for contestant in self.contestants)
        timed = clock or self.milliseconds is not None
        if timed or not pays(self.schedule.total):
            return {}
        rules, found = self.rules, dict[ScheduledGame, Sequence[Attempt]]()
        handicap, attempts = self.game.beginning
        alike = defaultdict[tuple[int, int], list[ScheduledGame]](list)
        for scheduled in wanted:
            alike[scheduled.black, scheduled.white].append(scheduled)
        for places, these in alike.items():
            black, white = (self.contestants[place] for place in places)
            if attempts or black.engine or white.engine:
                continue
            if can_play(rules, black.spec, white.spec, handicap):
                lines = [
                    ((Step(black.spec, game.black_seed),), (Step(white.spec, game.white_seed),))
                    for game in these
                ]
                played = play_batch(rules, black.spec, white.spec, handicap, lines, attempts=True)
                found |= zip(these, (game.attempts for game in played), strict=True)
        return found

    def _play(self, scheduled: ScheduledGame, known: Sequence[Attempt] | None) -> Result:
        absent: Colour | None = None
        if known is None:
            record, absent = self._played(scheduled)
        else:
            record = self._replayed(scheduled, known)
        game = MatchGame.of(scheduled, record)
        why = None
        if record.outcome.ending is Ending.VOID:
            black, white = record.black.name, record.white.name
            why = f"{record.outcome.sentence} (Black is {black}, White is {white})"
        if self.failures is not None and absent is not None:
            game, why = game._replace(winner=absent.other.letter), None
        return Result(game.text, write_record(record), why)

    def _played(self, scheduled: ScheduledGame) -> tuple[Record, Colour | None]:
        """The record of a game played now, and the side that could not begin it, if any."""
        players = list[Player]()
        for colour, seed in zip(Colour, (scheduled.black_seed, scheduled.white_seed), strict=True):
            place = scheduled.player(colour)
            one = self.contestants[place]
            try:
                players.append(seat_player(one.spec, place, seed, colour, one.conditions))
            except Fault as fault:  # an engine that does not even begin
                return self._record(scheduled, (), fault.outcome(colour)), colour
        played = play_game(self.rules, players[0], players[1], self.game.beginning)
        return self._record(scheduled, played.steps, played.outcome), None

    def _replayed(self, scheduled: ScheduledGame, attempts: Sequence[Attempt]) -> Record:
        """The record of a game that was played in lock step."""
        referee = Referee(self.rules, black=self.game.beginning.handicap)
        steps = tuple(recorded_attempt(referee, attempt.move, 0.0) for attempt in attempts)
        assert referee.outcome is not None
        return self._record(scheduled, steps, referee.outcome)

    def _record(
        self, scheduled: ScheduledGame, steps: tuple[RecordedAttempt, ...], outcome: Outcome
    ) -> Record:
        black, white = (self.contestants[scheduled.player(colour)] for colour in Colour)
        return Record(
            self.rules,
            PlayerInfo(black.name, scheduled.black_seed, black.data),
            PlayerInfo(white.name, scheduled.white_seed, white.data),
            steps,
            outcome,
            self.game.beginning.handicap,
            black.seconds if black.seconds == white.seconds else None,
        )
