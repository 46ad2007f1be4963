"""The games of an evening as those of a match: rated, shown and written as a tournament's are."""

import asyncio

from phantomgo.app.web.evening import Evening, Seating
from phantomgo.app.web.journal import Journal
from phantomgo.app.web.state import State
from phantomgo.match.attendance import Meeting, Round
from phantomgo.match.report import Report
from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Fixtures, Ticket
from phantomgo.outcome import Ending

LETTERS = {(1.0, 0.0): "b", (0.0, 1.0): "w", (0.5, 0.5): None}
"""The winner, by the points of Black and White; there is none if both lost."""


async def report(evening: Evening, journal: Journal, title: str) -> Report:
    """The results of an evening so far; the title heads them."""
    found = []
    for number, game in enumerate([*evening.games]):
        found.append(_game(evening, journal, number, game))
        await asyncio.sleep(0)  # games are replayed the first time; others need not wait
    return Report(
        [player.name for player in evening.players],
        title,
        Fixtures(max(2, len(evening.players)), 2, 0),
        [game for game in found if game is not None],
        rounds=() if evening.free else _rounds(evening),
    )


def _rounds(evening: Evening) -> list[Round]:
    found = []
    for number, (games, rest) in enumerate(zip(evening.rounds, evening.rests, strict=True), 1):
        meetings = [
            Meeting(game.black, game.white, *(evening.points(game) or (0.0, 0.0))) for game in games
        ]
        meetings += [Meeting(player, None, 1, 0) for player in rest]
        found.append(Round(f"round {number}", meetings))
    return found


def _game(evening: Evening, journal: Journal, number: int, seating: Seating) -> MatchGame | None:
    """The evening's game as a match's game; None if it doesn't count yet.

    Games of a match come in pairs, those of an evening do not: their numbers are even.
    """
    points, terms = evening.points(seating), journal.terms(seating.table)
    if points not in LETTERS or terms is None:
        return None
    if seating.table not in evening.recorded:
        ticket = Ticket(2 * number, seating.black, seating.white, 0, 0, number)
        record = State(seating.table, terms, journal).record()
        evening.recorded[seating.table] = MatchGame.of(ticket, record)
    found = evening.recorded[seating.table]
    if seating.table in evening.corrected:
        found = found._replace(winner=LETTERS[points], ending=Ending.ADJUDICATION.value)
    return found
