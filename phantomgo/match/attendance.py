"""Players who fail: which games they forfeit, and when they are set aside.

A failure is a game that a player could not begin, or lost by a crash, a stall or illegal protocol.
A player who fails in several games in a row, in the order of the schedule, is set aside: the rest
of their games are forfeited. Forfeited games are neither scored nor rated.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Schedule, Seen, Stage, Ticket
from phantomgo.outcome import Ending

FAILURES: Final = frozenset({Ending.VOID, Ending.CRASH, Ending.STALL, Ending.PROTOCOL})
"""The endings that are failures of the player who lost."""


class Attendance:
    """Follows the games of a schedule in its order."""

    def __init__(self, failures: int | None) -> None:
        """Set a player aside after this many failures in a row; with None, never."""
        self._failures = failures
        self._streaks: Counter[int] = Counter()
        self.aside: set[int] = set()

    def absent(self, ticket: Ticket) -> bool:
        """True if a player of this game has been set aside."""
        return not self.aside.isdisjoint((ticket.black, ticket.white))

    def see(self, game: MatchGame) -> None:
        """Count the result of the next game, unless a player was absent."""
        failed = game.loser if game.ending in FAILURES else None
        for player in (game.black, game.white):
            if game.ending == Ending.VOID and player != failed:
                continue  # they were ready, which shows neither strength nor failure
            self._streaks[player] = self._streaks[player] + 1 if player == failed else 0
            if self._failures is not None and self._streaks[player] >= self._failures:
                self.aside.add(player)


class Meeting(NamedTuple):
    """The scores of two players against each other in a stage; `other` is None for a bye."""

    one: int
    other: int | None
    points: float
    others: float


class Round(NamedTuple):
    """A stage that has been played, or is being played: its name and its meetings."""

    name: str
    meetings: Sequence[Meeting]


class Sifted(NamedTuple):
    """The games of a schedule.

    Attributes:
        counted: the games that were played, to the end or until a player failed.
        forfeits: by player, the games that they did not begin or were set aside for.
        aside: the players who have been set aside.
        open: the numbers of the games that are known and have still to be played.
        rounds: the rounds so far; none where all games are known from the start.
    """

    counted: Sequence[MatchGame]
    forfeits: Mapping[int, int]
    aside: frozenset[int]
    open: Sequence[int]
    rounds: Sequence[Round]


def sift(schedule: Schedule, results: Mapping[int, MatchGame], failures: int | None) -> Sifted:
    """Sort games into played, forfeited and open ones.

    Games that a player finished after being set aside, as several run at once, don't count, so the
    outcome doesn't depend on how many run at once.
    """
    walk = _Walk(schedule, results, failures)
    stages = schedule.stages()
    try:
        stage = next(stages)
        while walk.take(stage):
            stage = stages.send(Seen(walk.points, frozenset(walk.attendance.aside)))
    except StopIteration:
        pass
    more = [game for number, game in walk.left.items() if schedule.counts(number)]
    walk.counted += [game for game in more if game.ending != Ending.VOID]
    aside = frozenset(walk.attendance.aside)
    return Sifted(walk.counted, walk.forfeits, aside, walk.open, walk.rounds)


class _Walk:
    """Goes through a schedule, stage by stage, with the results so far."""

    def __init__(
        self, schedule: Schedule, results: Mapping[int, MatchGame], failures: int | None
    ) -> None:
        self.attendance = Attendance(failures)
        self.left = dict(results)
        self.counted: list[MatchGame] = []
        self.forfeits: Counter[int] = Counter()
        self.open: list[int] = []
        self.rounds: list[Round] = []
        self.points: dict[int, dict[int, float]] = {}
        self._schedule = schedule

    def take(self, stage: Stage) -> bool:
        """Go through a stage; returns whether all its games have been played or forfeited."""
        self.points = {}
        for number in stage.numbers:
            game = self.left.pop(number, None)
            if game is None and not self.attendance.aside:  # most games of a long match
                self.open.append(number)
                continue
            ticket = self._schedule.ticket(number)
            players = {ticket.black, ticket.white}
            if self.attendance.absent(ticket):
                self._forfeit(number, players, players & self.attendance.aside)
            elif game is None:
                self.open.append(number)
            else:
                self.attendance.see(game)
                if game.ending == Ending.VOID:
                    self._forfeit(number, players, {p for p in players if p == game.loser})
                else:
                    self.counted.append(game)
                    score = game.black_score
                    self.points[number] = {game.black: score, game.white: 1 - score}
        if stage.name:
            self.rounds.append(self._round(stage))
        return not self.open

    def _forfeit(self, number: int, players: set[int], absent: set[int]) -> None:
        self.forfeits.update(absent)
        self.points[number] = dict.fromkeys(players - absent, 1.0) if absent else {}

    def _round(self, stage: Stage) -> Round:
        scores: dict[tuple[int, int], Counter[int]] = {}
        for number in stage.numbers:
            ticket = self._schedule.ticket(number)
            pair = min(ticket.black, ticket.white), max(ticket.black, ticket.white)
            scores.setdefault(pair, Counter()).update(self.points.get(number, {}))
        meetings = [Meeting(a, b, found[a], found[b]) for (a, b), found in scores.items()]
        if stage.bye is not None:
            meetings.append(Meeting(stage.bye, None, self._schedule.games, 0))
        return Round(stage.name, meetings)
