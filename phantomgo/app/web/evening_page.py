"""The pages of an evening: for its organiser, players, those who join, and a projector."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from phantomgo.app.web.board import board
from phantomgo.app.web.evening import BYE, PAIRINGS, Evening, Seating
from phantomgo.app.web.front import check, clock_fields, field, number, plain_page, select
from phantomgo.app.web.markup import Markup, form, hidden, join, tag
from phantomgo.app.web.page import document
from phantomgo.app.web.sight import Sight
from phantomgo.app.web.state import path
from phantomgo.app.web.terms import MAX_DELAY, NAME, WATCHING, called
from phantomgo.match.standings import TIE_BREAK
from phantomgo.points import MAX_SIZE, MIN_SIZE
from phantomgo.rules import PROFILES

RESULTS: Final = {
    "black": "Black wins",
    "white": "White wins",
    "draw": "a draw",
    "neither": "a loss for both",
}
"""Results that the organiser may decide, and their labels."""
POINTS: Final = {
    "black": (1.0, 0.0),
    "white": (0.0, 1.0),
    "draw": (0.5, 0.5),
    "neither": (0.0, 0.0),
}
"""The points of Black and White for each of `RESULTS`."""


def begin_page(levels: Mapping[str, str]) -> str:
    """Return the page with the form for an evening; `levels` are the bots and engines."""
    odd = {BYE: "a bye, for one point"}
    odd |= {name: f"play the {called(name, spec)}" for name, spec in levels.items()}
    usual = tag(
        "fieldset",
        tag("legend", "An evening"),
        select("pairing", "Pairings", PAIRINGS, "swiss"),
        select("odd", "Left over, players get", odd, BYE),
        number("size", "Board", 9, MIN_SIZE, MAX_SIZE),
        select("rules", "Rules", {name: name for name in PROFILES}, "olympiad"),
        *clock_fields(15),
        field("Komi", name="komi", inputmode="decimal", placeholder="7.5; 2.5 up to 5x5"),
        select("watching", "The projector shows", {**WATCHING, "nothing": "results"}, "nothing"),
        number("delay", "delayed by this many moves", 0, 0, MAX_DELAY),
        check("unlisted", "Keep the games out of the list of earlier games"),
    )
    button = tag("button", "Begin the evening", class_="main")
    words = (
        "You are the organiser and the referee. Players join with their phones; you start the"
        " rounds, and results come from the tables."
    )
    return plain_page("An evening", tag("p", words), form("/evenings", usual, button, class_="lay"))


def join_page(evening: Evening, base: str) -> str:
    """Return the page where somebody gives a name and takes part."""
    if evening.closed:
        return plain_page("Phantom Go this evening", tag("p", evening.closed))
    name = field("Your name", name="name", maxlength=NAME, autocomplete="nickname", required=True)
    button = tag("button", "Join", class_="main")
    fields = form(f"{base}/do", name, hidden("do", "join"), button, class_="lay")
    return plain_page("Phantom Go this evening", tag("p", rules_of(evening)), fields)


def again_page(evening: Evening, player: int, base: str) -> str:
    """Return the page where a player takes their new link."""
    name = evening.players[player].name
    button = tag("button", f"I am {name}", class_="main")
    return plain_page(
        "Back to the evening", form(f"{base}/do", hidden("do", "again"), button, class_="lay")
    )


# A player's page


def player_page(evening: Evening, player: int, base: str) -> str:
    """Return a player's page, which says where they have to be."""
    heading, words, buttons = _place(evening, player)
    row = (tag("button", label, name="do", value=do, class_=kind) for do, label, kind in buttons)
    content = (
        tag("p", f"{evening.players[player].name}. {rules_of(evening)}.", class_="rules"),
        tag("h1", heading, aria_live="polite"),
        tag("p", words) if words else None,
        form(f"{base}/do", *row, class_="actions"),
        _games(evening),
        _table_of_results(evening, player),
    )
    return _living(*content)


def _place(evening: Evening, player: int) -> tuple[str, str, list[tuple[str, str, str | None]]]:
    """Return where a player has to be: a heading, a sentence and buttons."""
    them, game = evening.players[player], evening.seat(player)
    leave = ("leave", "I have to leave", None)
    if game is not None:
        colour = "Black" if game.black == player else "White"
        opponent = evening.players[game.opponent(player)].name
        heading = f"Table {game.place}: you play {colour} against {opponent}"
        if evening.result(game):
            return heading, "The game has no result. Ask the organiser.", []
        return heading, "", [("sit", f"Take your seat at table {game.place}", "main")]
    last = _last_words(evening, player)
    if not them.here:
        return "You have left", last, [("return", "I am back", "main")]
    if evening.free:
        if them.ready:
            return "Wait: you play the next one who is ready", last, [leave]
        return "Are you ready for a game?", last, [("ready", "I am ready", "main"), leave]
    if evening.rests and player in evening.rests[-1]:
        return f"Wait: you have a bye in round {len(evening.rounds)}", last, [leave]
    return f"Wait for round {len(evening.rounds) + 1}", last, [leave]


def _last_words(evening: Evening, player: int) -> str:
    """Return the result of a player's last game in words."""
    game = evening.latest(player)
    points = None if game is None else evening.points(game)
    if game is None or points is None:
        return ""
    own = points[0] if game.black == player else points[1]
    words = {1.0: "You won", 0.5: "You drew"}.get(own, "You lost")
    return f"{words} against {evening.players[game.opponent(player)].name}."


# The organiser's page


def organiser_page(evening: Evening, base: str, address: str) -> str:
    """Return the page of the organiser."""
    content = (
        tag("h1", _title(evening)),
        tag("p", rules_of(evening), class_="rules"),
        _start(evening, base),
        _games(evening, base),
        _table_of_results(evening),
        tag("h2", "Players"),
        _players(evening, base, address),
        _link("Players join here", address, evening.link("join"), opened=not evening.rounds),
        _link("For the projector", address, evening.link("projector")),
        tag(
            "p",
            "The games so far: ",
            tag("a", "ratings", href=f"{base}/ratings"),
            ", ",
            tag("a", "PGN", href=f"{base}/games.pgn"),
        ),
    )
    return _living(*content, waits=False)  # a page that is loaded again would empty its forms


def _start(evening: Evening, base: str) -> Markup | None:
    """The button of the next round, or why there is none."""
    if evening.free:
        return None
    if evening.waits_for:
        places = ", ".join(str(game.place) for game in evening.waits_for)
        return tag("p", f"The next round can begin when all games are over. Playing: {places}.")
    here = sum(evening.players[number].here for number in evening.people)
    if here < 2 - (evening.bot is not None):
        return tag("p", "The first round can begin when two players have joined.")
    known = hidden("known", len(evening.rounds))
    label = f"Start round {len(evening.rounds) + 1}"
    button = tag("button", label, name="do", value="start", class_="main")
    return form(f"{base}/do", known, button, class_="actions")


def _players(evening: Evening, base: str, address: str) -> Markup:
    rows = []
    for who in evening.people:
        player = evening.players[who]
        words = None if player.here else " (has left)"
        do, label = ("leave", "Has left") if player.here else ("return", "Is back")
        buttons = (
            tag("button", label, name="do", value=do),
            tag("button", "New link", name="do", value="renew"),
        )
        actions = form(f"{base}/do", hidden("player", who), *buttons, class_="actions")
        again = evening.link(f"again-{who}")
        renewed = who in evening.renewed
        link = _link(f"New link of {player.name}", address, again) if renewed else None
        rows.append(tag("li", tag("span", player.name, words), actions, link))
    return tag("ul", *rows, class_="people") if rows else tag("p", "Nobody has joined yet.")


def _link(what: str, address: str, link: str, *, opened: bool = False) -> Markup:
    """A link to hand out, with its QR code."""
    code = tag("img", src=f"/qr{link}", alt=f"QR code: {what}", width=220, height=220)
    shown = tag("p", tag("a", address + link, href=link, class_="invite"))
    return tag(
        "div", tag("details", tag("summary", what), shown, code, open=opened), class_="links"
    )


def _correction(evening: Evening, game: Seating, base: str) -> Markup:
    """Return the cells with which the organiser decides a game."""
    referee = path(evening.journal.key, game.table, "referee", 0)
    rows = (tag("option", text, value=key) for key, text in RESULTS.items())
    choice = tag("select", *rows, name="result", aria_label=f"Result of table {game.place}")
    button = tag("button", "Decide", name="do", value="correct")
    decide = form(f"{base}/do", hidden("table", game.table), choice, button, class_="actions")
    return join(
        tag("td", tag("a", "Referee", href=referee)),
        tag("td", tag("details", tag("summary", f"Decide table {game.place}"), decide)),
    )


# The projector


def projector_page(evening: Evening, sights: Sequence[tuple[Seating, Sight]]) -> str:
    """Return the page for everybody to see; the sights are those of spectators."""
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
    beside = tag("div", _games(evening), _table_of_results(evening), class_="beside")
    return _living(tag("h1", _title(evening)), tag("div", shown, beside, class_="hall"), wide=True)


# What several pages have


def _living(*content: Markup | None, wide: bool = False, waits: bool = True) -> str:
    """Return a page that its script fetches again every few seconds.

    With `waits`, it is loaded again where there is no script.
    """
    words = "front evening wide" if wide else "front evening"
    main = tag("main", *content, id="evening", class_=words)
    return document(main, waits=waits, script="evening.js")


def _title(evening: Evening) -> str:
    if evening.free:
        return "Phantom Go this evening"
    return f"Round {len(evening.rounds)}" if evening.rounds else "Before the first round"


def rules_of(evening: Evening) -> str:
    """Return the terms of the tables and the pairings, in a line."""
    table = evening.programme.table
    clock = f", {table.clock}" if table.clock else ""
    kind = PAIRINGS[evening.programme.pairing].partition(":")[0]
    return f"{table.size}x{table.size}, komi {table.komi:g}, {table.profile}{clock}; {kind}"


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
    """The games of this round; with what may be done about them, if `base` is the organiser's."""
    games = _shown_games(evening)
    rows = [
        tag(
            "tr",
            tag("td", str(game.place)),
            tag("td", evening.players[game.black].name),
            tag("td", evening.players[game.white].name),
            tag("td", _result(evening, game)),
            _correction(evening, game, base) if base else None,
        )
        for game in games
    ]
    byes = evening.rests[-1] if evening.rests else []
    names = ", ".join(evening.players[number].name for number in byes)
    rest = tag("p", f"A bye: {names}") if names else None
    heads = ("Table", "Black", "White", "Result", *(("Truth", "Decision") if base else ()))
    return join(_table(heads, rows) if rows else None, rest)


def _result(evening: Evening, game: Seating) -> str:
    """The result of a game as people read it."""
    if game.table in evening.corrected:
        black, white = evening.corrected[game.table]
        return f"{black:g} : {white:g} (decided)"
    return evening.result(game) or "playing"


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
    heads = ("Rank", "Name", "Points", "SOS", "SODOS")
    return join(tag("h2", "Results"), _table(heads, rows), tag("p", TIE_BREAK, class_="rules"))


def _table(heads: Iterable[str], rows: Iterable[Markup]) -> Markup:
    top = tag("tr", *(tag("th", head, scope="col") for head in heads))
    return tag("table", tag("thead", top), tag("tbody", *rows), class_="results")
