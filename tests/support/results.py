"""Results of games that nobody played."""

from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Schedule


def result(
    schedule: Schedule, number: int, winner: str | None, digest: str | None = None
) -> MatchGame:
    """The game of this number, won by Black (`b`), White (`w`) or nobody."""
    scheduled = schedule.game(number)
    return MatchGame(
        number, scheduled.black, scheduled.white, winner, "?", "score", 10 + number, number % 3, 2,
        5, 5, 0.5, 0.25, digest or str(number),
    )  # fmt: skip
