"""Players who fail: the games they forfeit, and when they are set aside.

A failure is a game that a player could not begin, or lost by a crash, a stall or illegal protocol.
A player who fails in several games in a row, in the order of the schedule, is set aside: the rest
of their games are forfeited. Forfeited games are neither scored nor rated.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from phantomgo.game.outcome import Ending
from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Schedule, ScheduledGame

FAILURES: Final = frozenset({Ending.VOID, Ending.CRASH, Ending.STALL, Ending.PROTOCOL})
"""The endings that count as failures of the player who lost."""


def first_failures(games: Iterable[MatchGame]) -> list[MatchGame]:
    """The first game that each player lost by each kind of failure."""
    found: dict[tuple[int | None, str], MatchGame] = {}
    for game in games:
        if game.ending in FAILURES:
            found.setdefault((game.loser, game.ending), game)
    return list(found.values())


class Attendance:
    """Follows the games of a schedule in its order."""

    def __init__(self, failures: int | None) -> None:
        """Set a player aside after this many failures in a row; with None, never."""
        self._failures = failures
        self._streaks: Counter[int] = Counter()
        self.aside: set[int] = set()

    def absent(self, scheduled: ScheduledGame) -> bool:
        """True if a player of this game has been set aside."""
        return not self.aside.isdisjoint((scheduled.black, scheduled.white))

    def see(self, game: MatchGame) -> None:
        """Count the result of the next game, unless a player was absent."""
        failed = game.loser if game.ending in FAILURES else None
        for player in (game.black, game.white):
            if game.ending == Ending.VOID and player != failed:
                continue  # they were ready, which shows neither strength nor failure
            self._streaks[player] = self._streaks[player] + 1 if player == failed else 0
            if self._failures is not None and self._streaks[player] >= self._failures:
                self.aside.add(player)


class ClassifiedGames(NamedTuple):
    """The games of a schedule, played, forfeited or open.

    Attributes:
        counted: the games that were played, to the end or until a player failed.
        forfeits: by player, the games that they did not begin or were set aside for.
        aside: the players set aside.
        open: the numbers of the games that have still to be played.
    """

    counted: Sequence[MatchGame]
    forfeits: Mapping[int, int]
    aside: frozenset[int]
    open: Sequence[int]


def classify(
    schedule: Schedule, results: Mapping[int, MatchGame], failures: int | None
) -> ClassifiedGames:
    """Sort games into played, forfeited and open ones.

    Games that a player finished after being set aside, as several run at once, don't count, so the
    outcome doesn't depend on how many run at once.
    """
    attendance, left = Attendance(failures), dict(results)
    counted, open_numbers, forfeits = list[MatchGame](), list[int](), Counter[int]()
    for number in schedule.numbers():
        game = left.pop(number, None)
        if game is None and not attendance.aside:  # most games of a long match
            open_numbers.append(number)
            continue
        scheduled = schedule.game(number)
        if attendance.absent(scheduled):
            forfeits.update({scheduled.black, scheduled.white} & attendance.aside)
        elif game is None:
            open_numbers.append(number)
        else:
            attendance.see(game)
            if game.ending != Ending.VOID:
                counted.append(game)
            elif game.loser is not None:
                forfeits[game.loser] += 1
    more = (game for number, game in left.items() if schedule.counts(number))
    counted += [game for game in more if game.ending != Ending.VOID]
    return ClassifiedGames(counted, forfeits, frozenset(attendance.aside), open_numbers)
