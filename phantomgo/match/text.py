"""The report of a match as text.

Two players are compared by their pairs of games; more than two have one list of ratings.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from phantomgo.estimates import Interval, wilson
from phantomgo.game.outcome import Ending
from phantomgo.game.wording import counted
from phantomgo.match.scores import Scores, mean
from phantomgo.match.stats import elo_interval, superiority
from phantomgo.terminal import clean, columns

AT_FAULT: Final = (Ending.TIME, Ending.CRASH, Ending.STALL, Ending.PROTOCOL, Ending.ATTEMPTS)
"""Endings that say nothing about playing strength; the report names who lost by them."""
MOST: Final = 20
"""Players with a crosstable and a matrix of LOS."""
_LEFT: Final = ("player", "points", "LOS in %")
"""Columns of names, which are aligned left."""


def headline(report: Scores) -> str:
    """The standing on one line."""
    done = counted(len(report.results), "game")
    if len(report.names) > 2:
        ratings = report.ratings
        shown = ", ".join(f"{report.names[i]} {_rating(ratings.elo[i])}" for i in ratings.order)
        return f"after {done}: {shown}"
    tally, counts = report.tally(0), report.between
    rate = wilson(tally.points, tally.games)
    interval = f"{_percent(rate.low)} to {_percent(rate.high)}"
    line = f"after {done}: {report.names[0]} wins {_percent(rate.value)} % ({interval})"
    if any(counts):
        line += f", Elo {_difference(elo_interval(counts))}"
    return line if report.sprt is None else f"{line}; {report.sprt.sentence(counts)}"


def tables(report: Scores) -> str:
    """The whole report, without a line end."""
    parts = [f"{report.what}: {len(report.results)} of {report.scheduled} games"]
    if len(report.names) > 2:
        for table in (rating_list, cross_table, los_matrix, faults):
            rows = table(report)
            parts += ["", *columns(rows, _LEFT)] if rows else []
    elif report.results:
        parts += ["", *columns(_standing(report), _LEFT), "", *_comparison(report)]
    if report.results and len(report.names) > 2:
        parts.append("")
    return "\n".join([*parts, *totals(report)])


# Many players


def rating_list(report: Scores) -> list[list[str]]:
    """The players by rating: the rows of a table, its head first."""
    if not report.results:
        return []
    head = ["#", "player", "Elo", "95 %", "LOS", "games", "rate", "won", "drawn", "lost"]
    rows = [[*head, "as Black", "as White", "refused"]]
    ratings = report.ratings
    for place, player in enumerate(ratings.order):
        tally, below = report.tally(player), ratings.order[place + 1 : place + 2]
        los = ratings.superiority(player, below[0]) if below else math.nan
        played = [f"{_percent(tally.points / tally.games)} %"] if tally.games else ["-"]
        played += [str(number) for number in (tally.won, tally.drawn, tally.lost)]
        played += [str(report.tally(player, black=black)) for black in (True, False)]
        rows.append(
            [
                str(place + 1),
                report.names[player],
                _rating(ratings.elo[player]),
                f"±{ratings.error(player):.0f}" if tally.games else "-",
                "-" if math.isnan(los) else f"{_percent(los)} %",
                str(tally.games),
                *played,
                f"{report.tries(player):.2f}" if tally.games else "-",
            ]
        )
    return rows


def cross_table(report: Scores) -> list[list[str]]:
    """The points of each player against each other, with the number of games, by rating."""

    def cell(player: int, other: int) -> str:
        tally = report.tally(player, opponent=other)
        return f"{tally.points:g}/{tally.games}" if tally.games else "-"

    return _square(report, "points", cell)


def los_matrix(report: Scores) -> list[list[str]]:
    """The likelihood that each player is stronger than each other one, in percent, by rating."""

    def cell(player: int, other: int) -> str:
        los = report.ratings.superiority(player, other)
        return "-" if math.isnan(los) else f"{100 * los:.0f}"

    return _square(report, "LOS in %", cell)


def _square(report: Scores, head: str, cell: Callable[[int, int], str]) -> list[list[str]]:
    """A table with a row and a column for each player, by rating; no rows for too many players."""
    order = report.ratings.order
    if not report.results or len(order) > MOST:
        return []
    rows = [["", head, *(str(place) for place in range(1, len(order) + 1))]]
    for place, player in enumerate(order, 1):
        cells = ("-" if other == player else cell(player, other) for other in order)
        rows.append([str(place), report.names[player], *cells])
    return rows


def faults(report: Scores) -> list[list[str]]:
    """The games that players lost by faults or forfeited; no rows if there are none."""
    found = report.faults
    rows = [["lost by", *AT_FAULT, "forfeited"]]
    for player in report.ratings.order:
        numbers = [found[player][ending] for ending in AT_FAULT]
        forfeits = report.forfeits.get(player, 0)
        if any(numbers) or forfeits:
            aside = ", set aside" if player in report.aside else ""
            name = report.names[player] + aside
            rows.append([name, *(str(number or "-") for number in (*numbers, forfeits))])
    return rows if len(rows) > 1 else []


# Two players


def _standing(report: Scores) -> list[list[str]]:
    head = ["player", "games", "won", "drawn", "lost", "rate", "95 %"]
    rows = [[*head, "as Black", "as White", "refused"]]
    for number, name in enumerate(report.names):
        tally = report.tally(number)
        rate = wilson(tally.points, tally.games)
        row = [name, *map(str, (tally.games, tally.won, tally.drawn, tally.lost))]
        row += [_percent(rate.value), f"{_percent(rate.low)} to {_percent(rate.high)}"]
        row += [str(report.tally(number, black=black)) for black in (True, False)]
        rows.append([*row, f"{report.tries(number):.2f}"])
    return rows


def _comparison(report: Scores) -> Iterator[str]:
    counts = report.between
    yield f"Elo            {_difference(elo_interval(counts))} for {report.names[0]}"
    yield f"LOS            {_percent(superiority(counts))} %"
    shown = ", ".join(map(str, counts))
    yield f"pentanomial    {shown} (pairs that scored 0, 0.5, 1, 1.5, 2)"
    if report.sprt is not None:
        yield f"SPRT           {report.sprt.sentence(counts)}"


# All


def totals(report: Scores) -> Iterator[str]:
    """Lines about all games."""
    if report.forfeits and len(report.names) == 2:
        shown = ", ".join(
            f"{report.names[player]} {count}" + " (set aside)" * (player in report.aside)
            for player, count in sorted(report.forfeits.items())
        )
        yield f"forfeited      {shown}; neither scored nor rated"
    if not report.results:
        return
    if len(report.names) > 2:
        yield f"Black's Elo    {_difference(report.ratings.advantage)}"
    black = sum(game.winner == "b" for game in report.results)
    white = sum(game.winner == "w" for game in report.results)
    moves = [game.moves for game in report.results]
    duplicates = report.duplicates
    shown = " ".join(map(str, duplicates[:10])) + (" ..." if len(duplicates) > 10 else "")
    yield f"colours        Black won {black}, White {white}, drawn {len(moves) - black - white}"
    yield f"moves per game {mean(moves):.1f}, from {min(moves)} to {max(moves)}"
    yield f"endings        {', '.join(_endings(report))}"
    for number, why in report.reasons.items():
        yield f"  game {number:<7} {' '.join(clean(why).split())}"
    yield f"duplicates     {f'{len(duplicates)}: games {shown}' if duplicates else 'none'}"
    if report.voids:
        yield f"void games     {report.voids}, played again"


def _endings(report: Scores) -> Iterator[str]:
    """The number of games by ending, for faults with the player: `stall 2 (gtp:x)`."""
    for ending, count in sorted(Counter(game.ending for game in report.results).items()):
        losers = {
            player: found[ending]
            for player, found in enumerate(report.faults)
            if ending in AT_FAULT and found[ending]
        }
        named = [
            report.names[player] + (f" {times}" if len(losers) > 1 else "")
            for player, times in losers.items()
        ]
        yield f"{ending} {count}" + (f" ({', '.join(named)})" if named else "")


def _rating(value: float) -> str:
    """A rating in Elo, `-` if there is none."""
    return "-" if math.isnan(value) else "0" if abs(value) < 0.5 else f"{value:+.0f}"


def _difference(elo: Interval) -> str:
    """An Elo difference with its interval."""
    value, low, high = ("+0" if abs(number) < 0.5 else f"{number:+.0f}" for number in elo)
    return f"{value} ({low} to {high})"


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}"
