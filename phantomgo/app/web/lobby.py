"""The lobby: tables with a free seat, games being played, and everybody's rating.

It shows a table's terms and whether its seats are taken, and nothing of a game.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from phantomgo.app.web.ladder import STONE, Standing
from phantomgo.app.web.markup import Markup, join, tag
from phantomgo.app.web.page import beside, living, results
from phantomgo.app.web.room import Room
from phantomgo.phrase import Phrase
from phantomgo.points import Colour

SHOWN: Final = 50
"""Tables, games and players of each list."""


def lobby_page(rooms: Iterable[Room], standings: Sequence[Standing]) -> str:
    """Return the page of the lobby, with these tables, and with ratings from the strongest down."""
    listed = [room for room in rooms if room.terms.listed and room.game.outcome is None]
    free = [room for room in listed if room.terms.open and room.free_seats and room.attended]
    played = [room for room in listed if not room.free_seats and room.in_progress]
    return living(
        tag("h1", Phrase("The lobby")),
        tag("p", tag("a", Phrase("A new table"), href="/")),
        beside(
            join(
                _section(Phrase("Open tables"), [_offer(room) for room in free[:SHOWN]]),
                _section(Phrase("Being played"), [_game(room) for room in played[:SHOWN]]),
            ),
            join(
                tag("h2", Phrase("Ratings")),
                _ratings(standings[:SHOWN]),
                tag("p", EXPLAINED, class_="rules"),
            ),
        ),
    )


EXPLAINED: Final = Phrase(
    "Glicko-2, from rated games of players with names; the number behind ± is twice the deviation."
    " Bots are rungs that stay where they are. A handicap stone counts {points} points on 9x9.",
    points=f"{STONE:g}",
)


def _section(title: str, rows: Sequence[Markup]) -> Markup:
    shown = tag("ul", *rows, class_="people") if rows else tag("p", Phrase("None at the moment."))
    return join(tag("h2", title), shown)


def _offer(room: Room) -> Markup:
    """A table with a free seat: who waits there, the rules, and a link."""
    [(_, path)] = room.invitations()
    [free] = room.free_seats
    link = tag("a", Phrase("Sit down as {player}", player=free), href=path, class_="button")
    return tag("li", tag("span", room.names[free.other], ": ", room.rules), link)


def _game(room: Room) -> Markup:
    black, white = (room.names[colour] for colour in Colour)
    return tag("li", tag("span", f"● {black} - ○ {white}: ", room.rules))


def _ratings(standings: Sequence[Standing]) -> Markup:
    rows = [
        tag(
            "tr",
            tag("td", one.name),
            tag("td", f"{one.rating.value:.0f} ± {2 * one.rating.deviation:.0f}"),
            tag("td", str(one.games) if one.games else Phrase("fixed")),
        )
        for one in standings
    ]
    return results((Phrase("Name"), Phrase("Rating"), Phrase("Games")), rows)
