"""Players who fail: which games they forfeit, and from when on they are set aside.

A failure is a game that a player could not begin, or lost by a crash, a stall or illegal protocol.
A player who fails in several games in a row, in the order of the schedule, is set aside: the rest
of their games are forfeited. Forfeited games are neither scored nor rated.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Schedule, Ticket
from phantomgo.outcome import Ending

FAILURES: Final = frozenset({Ending.VOID, Ending.CRASH, Ending.STALL, Ending.PROTOCOL})
"""The endings that are failures of the player who lost."""


class Attendance:
    """Follows the games of a schedule in its order."""

    def __init__(self, failures: int | None) -> None:
        """`failures` in a row set a player aside; None sets nobody aside."""
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
                continue  # they were ready, and have shown nothing
            self._streaks[player] = self._streaks[player] + 1 if player == failed else 0
            if self._failures is not None and self._streaks[player] >= self._failures:
                self.aside.add(player)


class Sifted(NamedTuple):
    """The games of a schedule.

    Attributes:
        counted: the games that were played, to the end or until a player failed.
        forfeits: by player, the games that they did not begin or were set aside for.
        aside: the players who have been set aside.
    """

    counted: Sequence[MatchGame]
    forfeits: Mapping[int, int]
    aside: frozenset[int]


def sift(schedule: Schedule, results: Mapping[int, MatchGame], failures: int | None) -> Sifted:
    """Tell games that were played from those that were forfeited.

    What was played although a player had been set aside by then, as games run at the same time,
    does not count. So the outcome is the same for any number of games at a time.
    """
    attendance = Attendance(failures)
    counted: list[MatchGame] = []
    forfeits: Counter[int] = Counter()
    left = dict(results)
    for number in schedule.numbers():
        ticket = schedule.ticket(number)
        game = left.pop(number, None)
        if attendance.absent(ticket):
            forfeits.update(attendance.aside & {ticket.black, ticket.white})
        elif game is not None:
            attendance.see(game)
            if game.ending == Ending.VOID:
                forfeits.update(() if game.loser is None else (game.loser,))
            else:
                counted.append(game)
    more = [game for number, game in left.items() if schedule.counts(number)]
    counted += [game for game in more if game.ending != Ending.VOID]
    return Sifted(counted, forfeits, frozenset(attendance.aside))
