"""The pages of an evening: for its organiser, players, those who join, and a projector."""

from collections.abc import Mapping, Sequence
from typing import Final

from phantomgo.app.web.board import board
from phantomgo.app.web.evening import BYE, PAIRINGS, Evening, Seating
from phantomgo.app.web.example import example
from phantomgo.app.web.front import (
    check,
    clock_fields,
    komi_field,
    name_field,
    number,
    plain_page,
    select,
)
from phantomgo.app.web.markup import Markup, form, hidden, join, tag
from phantomgo.app.web.page import beside, living, results
from phantomgo.app.web.sight import Sight
from phantomgo.app.web.state import path
from phantomgo.app.web.terms import MAX_DELAY, WATCHING, called
from phantomgo.match.standings import TIE_BREAK
from phantomgo.phrase import Phrase, enumerated
from phantomgo.points import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from phantomgo.rules import PROFILES

RESULTS: Final = {
    "black": (Phrase("Black wins"), (1.0, 0.0)),
    "white": (Phrase("White wins"), (0.0, 1.0)),
    "draw": (Phrase("a draw"), (0.5, 0.5)),
    "neither": (Phrase("a loss for both"), (0.0, 0.0)),
}
"""Results that the organiser may decide: their labels, and the points of Black and White."""
TITLE: Final = Phrase("Phantom Go this evening")


def begin_page(levels: Mapping[str, str]) -> str:
    """Return the page with the form for an evening; `levels` are the bots and engines."""
    odd: dict[str, str] = {BYE: Phrase("a bye, for one point")}
    for level, spec in levels.items():
        odd[level] = Phrase("a game against: {name}", name=called(level, spec))
    shown = {**WATCHING, "nothing": Phrase("results")}
    usual = tag(
        "fieldset",
        tag("legend", Phrase("An evening")),
        select("pairing", Phrase("Pairings"), PAIRINGS, "swiss"),
        select("odd", Phrase("Left over, players get"), odd, BYE),
        number("size", Phrase("Board"), 9, MIN_SIZE, MAX_SIZE),
        select("rules", Phrase("Rules"), {name: name for name in PROFILES}, "olympiad"),
        *clock_fields(15),
        komi_field(),
        select("watching", Phrase("The projector shows"), shown, "nothing"),
        number("delay", Phrase("delayed by this many moves"), 0, 0, MAX_DELAY),
        check("even", Phrase("Handicap by ratings")),
        check("rated", Phrase("Rated, by the names of the players")),
        check("unlisted", Phrase("Keep the games out of the list of earlier games")),
    )
    button = tag("button", Phrase("Begin the evening"), class_="main")
    words = Phrase(
        "You are the organiser and the referee. Players join with their phones; you start the"
        " rounds, and results come from the tables."
    )
    lay = form("/evenings", usual, button, class_="lay")
    return plain_page(Phrase("An evening"), tag("p", words), lay)


def join_page(evening: Evening, base: str) -> str:
    """Return the page where somebody gives a name and takes part."""
    if evening.closed:
        return plain_page(TITLE, tag("p", evening.closed))
    button = tag("button", Phrase("Join"), class_="main")
    name = name_field(required=True)
    fields = form(f"{base}/do", name, hidden("do", "join"), button, class_="lay")
    return plain_page(TITLE, tag("p", rules_of(evening)), fields)


def again_page(evening: Evening, player: int, base: str) -> str:
    """Return the page where a player takes their new link."""
    name = evening.players[player].name
    button = tag("button", Phrase("I am {name}", name=name), class_="main")
    return plain_page(
        Phrase("Back to the evening"),
        form(f"{base}/do", hidden("do", "again"), button, class_="lay"),
    )


# A player's page


def player_page(evening: Evening, player: int, base: str) -> str:
    """Return a player's page, which says where they have to be."""
    heading, words, buttons = _place(evening, player)
    row = (tag("button", label, name="do", value=do, class_=kind) for do, label, kind in buttons)
    content = (
        tag(
            "p", tag("strong", evening.players[player].name), " ", rules_of(evening), class_="rules"
        ),
        tag("h1", heading, aria_live="polite"),
        tag("p", words) if words else None,
        form(f"{base}/do", *row, class_="actions"),
        beside(_games(evening), _table_of_results(evening, player) or example()),
    )
    return living(*content)


def _place(evening: Evening, player: int) -> tuple[str, str, list[tuple[str, str, str | None]]]:
    """Return where a player has to be: a heading, a sentence and buttons."""
    them, game = evening.players[player], evening.seat(player)
    leave = ("leave", Phrase("I have to leave"), None)
    if game is not None:
        heading = Phrase(
            "Table {table}: you play {colour} against {opponent}",
            table=game.place,
            colour=BLACK if game.black == player else WHITE,
            opponent=evening.players[game.opponent(player)].name,
        )
        if evening.result(game):
            return heading, Phrase("The game has no result. Ask the organiser."), []
        sit = Phrase("Take your seat at table {table}", table=game.place)
        return heading, "", [("sit", sit, "main")]
    last = _last_words(evening, player)
    if not them.here:
        return Phrase("You have left"), last, [("return", Phrase("I am back"), "main")]
    if evening.free:
        if them.ready:
            return Phrase("Wait: you play the next one who is ready"), last, [leave]
        ready = ("ready", Phrase("I am ready"), "main")
        return Phrase("Are you ready for a game?"), last, [ready, leave]
    if evening.rests and player in evening.rests[-1]:
        bye = Phrase("Wait: you have a bye in round {round}", round=len(evening.rounds))
        return bye, last, [leave]
    return Phrase("Wait for round {round}", round=len(evening.rounds) + 1), last, [leave]


def _last_words(evening: Evening, player: int) -> str:
    """Return the result of a player's last game in words."""
    game = evening.latest(player)
    points = None if game is None else evening.points(game)
    if game is None or points is None:
        return ""
    own = points[0] if game.black == player else points[1]
    name = evening.players[game.opponent(player)].name
    if own == 1.0:
        return Phrase("You won against {name}.", name=name)
    drawn = Phrase("You drew against {name}.", name=name)
    return drawn if own == 0.5 else Phrase("You lost against {name}.", name=name)


# The organiser's page


def organiser_page(evening: Evening, base: str, address: str) -> str:
    """Return the page of the organiser."""
    content = (
        tag("h1", _title(evening)),
        tag("p", rules_of(evening), class_="rules"),
        beside(
            join(
                _start(evening, base),
                _games(evening, base),
                tag("h2", Phrase("Players")),
                _players(evening, base, address),
            ),
            join(
                _link(
                    Phrase("Players join here"),
                    address,
                    evening.link("join"),
                    opened=not evening.rounds,
                ),
                _link(Phrase("For the projector"), address, evening.link("projector")),
                _table_of_results(evening),
                _downloads(base),
            ),
        ),
    )
    return living(*content, waits=False)  # reloading it would empty its forms


def _downloads(base: str) -> Markup:
    return tag(
        "p",
        Phrase("The games so far:"),
        " ",
        tag("a", Phrase("ratings"), href=f"{base}/ratings"),
        " ",
        tag("a", "PGN", href=f"{base}/games.pgn"),
    )


def _start(evening: Evening, base: str) -> Markup | None:
    """The button of the next round, or why there is none."""
    if evening.free:
        return None
    if evening.waits_for:
        places = ", ".join(str(game.place) for game in evening.waits_for)
        waits = Phrase(
            "The next round can begin when all games are over. Playing: {tables}.", tables=places
        )
        return tag("p", waits)
    here = sum(evening.players[number].here for number in evening.people)
    if here < 2 - (evening.bot is not None):
        return tag("p", Phrase("The first round can begin when two players have joined."))
    known = hidden("known", len(evening.rounds))
    label = Phrase("Start round {round}", round=len(evening.rounds) + 1)
    button = tag("button", label, name="do", value="start", class_="main")
    return form(f"{base}/do", known, button, class_="actions")


def _players(evening: Evening, base: str, address: str) -> Markup:
    rows = []
    for who in evening.people:
        player = evening.players[who]
        name = player.name if player.here else Phrase("{name} (has left)", name=player.name)
        leaves, returns = ("leave", Phrase("Has left")), ("return", Phrase("Is back"))
        do, label = leaves if player.here else returns
        buttons = (
            tag("button", label, name="do", value=do),
            tag("button", Phrase("New link"), name="do", value="renew"),
        )
        actions = form(f"{base}/do", hidden("player", who), *buttons, class_="actions")
        again = evening.link(f"again-{who}")
        renewed = who in evening.renewed
        what = Phrase("New link of {name}", name=player.name)
        link = _link(what, address, again) if renewed else None
        rows.append(tag("li", tag("span", name), actions, link))
    nobody = tag("p", Phrase("Nobody has joined yet."))
    return tag("ul", *rows, class_="people") if rows else nobody


def _link(what: str, address: str, link: str, *, opened: bool = False) -> Markup:
    """A link to hand out, with its QR code."""
    code = tag(
        "img", src=f"/qr{link}", alt=Phrase("QR code: {what}", what=what), width=220, height=220
    )
    shown = tag("p", tag("a", address + link, href=link, class_="invite"))
    return tag(
        "div", tag("details", tag("summary", what), shown, code, open=opened), class_="links"
    )


def _correction(evening: Evening, game: Seating, base: str) -> Markup:
    """Return the row with which the organiser looks at a game and decides it."""
    referee = path(evening.journal.key, game.table, "referee", 0)
    rows = (tag("option", text, value=key) for key, (text, _) in RESULTS.items())
    result = Phrase("Result of table {table}", table=game.place)
    choice = tag("select", *rows, name="result", aria_label=result)
    button = tag("button", Phrase("Decide"), name="do", value="correct")
    decide = form(f"{base}/do", hidden("table", game.table), choice, button, class_="actions")
    words = Phrase("Decide table {table}", table=game.place)
    link = tag("a", Phrase("Referee"), href=referee)
    inside = tag("div", link, tag("details", tag("summary", words), decide), class_="decide")
    return tag("tr", tag("td"), tag("td", inside, colspan=3))


# The projector


def projector_page(evening: Evening, sights: Sequence[tuple[Seating, Sight]]) -> str:
    """Return the page that everybody sees; the sights are those of spectators."""
    boards = [
        tag(
            "section",
            tag("h2", f"{game.place}. {_versus(evening, game)}"),
            *(board(scene, title, small=True) for title, scene in sight.boards[:1]),
            tag("p", sight.heading),
        )
        for game, sight in sights
    ]
    shown = tag("div", *boards, class_="boards-of-all") if boards else None
    listed = join(_games(evening), _table_of_results(evening))
    return living(tag("h1", _title(evening)), beside(shown, listed), wide=True)


# What several pages have


def _title(evening: Evening) -> str:
    if evening.free:
        return TITLE
    begun = Phrase("Round {round}", round=len(evening.rounds))
    return begun if evening.rounds else Phrase("Before the first round")


def rules_of(evening: Evening) -> str:
    """Return the terms of the tables and the pairings, in a line."""
    table = evening.programme.table
    kind = PAIRINGS[evening.programme.pairing]
    return enumerated((table.board, table.profile, table.clock, kind))


def _versus(evening: Evening, game: Seating) -> str:
    return f"{evening.players[game.black].name} - {evening.players[game.white].name}"


def _shown_games(evening: Evening) -> Sequence[Seating]:
    """The games of this round; where there are no rounds, those being played and the latest."""
    if not evening.free:
        return evening.rounds[-1] if evening.rounds else ()
    over = [game for game in evening.games if evening.is_over(game)]
    return [*evening.waits_for, *over[:-6:-1]]


def shown_on_projector(evening: Evening) -> Sequence[Seating]:
    """Return the games whose boards the projector shows, as far as anything may be shown."""
    if evening.programme.table.watching == "nothing":
        return ()
    if evening.free:
        return evening.waits_for
    return [game for game in _shown_games(evening) if evening.result(game) != "Void"]


def _games(evening: Evening, base: str = "") -> Markup | None:
    """The games of this round, each with the organiser's actions if `base` is their path."""
    games = _shown_games(evening)
    rows = []
    for game in games:
        names = (evening.players[player].name for player in (game.black, game.white))
        cells = str(game.place), *names, _result(evening, game)
        rows.append(tag("tr", *(tag("td", cell) for cell in cells)))
        if base:
            rows.append(_correction(evening, game, base))
    byes = evening.rests[-1] if evening.rests else []
    resting = ", ".join(evening.players[number].name for number in byes)
    rest = tag("p", Phrase("A bye: {names}", names=resting)) if resting else None
    heads = (Phrase("Table"), Phrase("Black"), Phrase("White"), Phrase("Result"))
    return join(results(heads, rows) if rows else None, rest)


def _result(evening: Evening, game: Seating) -> str:
    """The result of a game as people read it."""
    if game.table in evening.corrected:
        black, white = evening.corrected[game.table]
        return Phrase("{black} : {white} (decided)", black=f"{black:g}", white=f"{white:g}")
    return evening.result(game) or Phrase("playing")


def _table_of_results(evening: Evening, own: int | None = None) -> Markup | None:
    """Everybody's points, with the tie-break; one row may be the reader's own."""
    if not evening.rounds:
        return None
    rows = [
        tag(
            "tr",
            tag("td", str(row.rank)),
            tag("td", evening.players[row.player].name),
            *(tag("td", f"{value:g}") for value in (row.points, row.sos, row.sodos)),
            class_="own" if row.player == own else None,
        )
        for row in evening.standings()
    ]
    heads = (Phrase("Rank"), Phrase("Name"), Phrase("Points"), "SOS", "SODOS")
    return join(
        tag("h2", Phrase("Results")), results(heads, rows), tag("p", TIE_BREAK, class_="rules")
    )
