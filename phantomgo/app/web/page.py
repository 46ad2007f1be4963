"""The page of a table: a pure function of a state, its base path and the age of the turn."""

from functools import cache, lru_cache
from typing import Final

from phantomgo.app.table.facts import clock_digits
from phantomgo.app.table.viewer import VIEWS
from phantomgo.app.web.board import LESSON, board, definitions, graph, legend, summary
from phantomgo.app.web.client_state import BUTTONS, SIDES, ClientState, PlayerLine
from phantomgo.app.web.markup import Markup, form, hidden, join, tag
from phantomgo.app.web.reader import LANGUAGES, LOOKS, READER
from phantomgo.game.points import BLACK, WHITE
from phantomgo.phrase import Phrase, sentences

HEAD: Final = join(
    tag("meta", charset="utf-8"),
    tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
    tag("meta", name="color-scheme", content="light dark"),
    tag("link", rel="stylesheet", href="/static/style.css"),
    tag("link", rel="icon", href="/static/icon.svg"),
    tag("link", rel="apple-touch-icon", href="/static/icon.png"),
    tag("link", rel="manifest", href="/static/manifest.json"),
)
LEARN: Final = Phrase("Learn in 60 seconds")
REFRESH: Final = tag("noscript", tag("meta", http_equiv="refresh", content="3"))
"""Reloads a page that waits for somebody else, where scripts are off."""
FILES: Final = {
    "game.json": Phrase("Record"),
    "game.sgf": "SGF",
    "black.sgf": VIEWS[BLACK],
    "white.sgf": VIEWS[WHITE],
}
RARER: Final = ("takeback", "mark", "clear", "belief", "adjourn", "abandon")
"""Actions that small screens show only when they are asked for."""
KEYS: Final = {
    "truth": Phrase("Black's win probability on the full board"),
    "black": Phrase("as Black saw it"),
    "white": Phrase("as White saw it"),
}
"""The lines of the graph."""
ATTEMPTS: Final = Phrase("Every attempt")
SAID: Final = Phrase("Everything the referee has said")
"""Titles of the log: of who sees the full board, and of a player."""
OVERLAP: Final = 10
"""Lines of the log that are sent again: attempts may have been taken back meanwhile."""
STEPS: Final = {
    "first": ("«", Phrase("First")),
    "back": ("\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", Phrase("Back")),
    "next": ("\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}", Phrase("Next")),
    "last": ("»", Phrase("Last")),
}
"""The steps through a finished game: their signs and names."""


def document(
    content: Markup,
    title: str,
    *,
    table: int = 0,
    waits: bool = False,
    meta: Markup | None = None,
) -> str:
    """Return a whole page. Its title says nothing about a game that is not over.

    Args:
        content: its main part.
        title: the name of the page.
        table: the size of the board of a table, whose page a script keeps up to date.
        waits: somebody else is to move, so the browser reloads it where scripts are off.
        meta: more for its head.
    """
    reader = READER.get()
    home = tag("a", "phantomgo", href="/", class_="home")
    lost = Phrase("No connection. What you press is sent when it is back.")
    away = tag("p", lost, class_="connecting", role="status")
    header = tag("header", home, away, tag("nav", _settings()))
    body = tag("body", definitions(table or LESSON), header, content)
    scripts = ("settings.js", "table.js") if table else ("settings.js",)
    code = (tag("script", src=f"/static/{name}", defer=True) for name in scripts)
    titled = tag("title", title, " - phantomgo")
    head = tag("head", titled, HEAD, meta, *code, REFRESH if waits else None)
    html = tag("html", head, body, lang=reader.language, class_=reader.look)
    return f"<!doctype html>\n{html}\n"


def preview(title: str, description: str, picture: str) -> Markup:
    """Return what chats show of a link (the Open Graph protocol, ogp.me), with a picture's URL."""
    shown = {"title": title, "description": description, "image": picture}
    return join(*(tag("meta", property=f"og:{key}", content=it) for key, it in shown.items()))


def game_in_words(state: ClientState) -> tuple[str, str]:
    """Return who played a finished game, and how it ended on which board."""
    black, white = (side.name for side in state.sides)
    played = Phrase("{black} against {white}", black=black, white=white)
    return played, sentences((state.heading, Phrase("{words}.", words=state.rules)))


def _settings() -> Markup:
    """The menu of languages and looks, with the switches of the device."""
    reader = READER.get()
    languages = (
        _choice("language", code, name, reader.language, lang=code)
        for code, name in LANGUAGES.items()
    )
    looks = (_choice("look", key, label, reader.look) for key, label in LOOKS.items())
    sound = _switchable("sound", Phrase("Sound: on"), Phrase("Sound: off"))
    notices = _switchable("notices", Phrase("Notices: on"), Phrase("Notices: off"))
    mark = tag("span", "文A", aria_hidden="true", lang="zh")
    summary = tag("summary", mark, tag("span", Phrase("Language and look")))
    choices = tag("ul", *languages), tag("ul", *looks), sound, notices
    return tag("details", summary, tag("div", *choices), class_="settings")


def _switchable(name: str, on: str, off: str) -> Markup:
    """Return a switch, which a script shows if the device can do it."""
    return tag("button", type="button", id=name, hidden=True, data_on=on, data_off=off)


def _choice(key: str, value: str, label: str, chosen: str, lang: str | None = None) -> Markup:
    path, current = READER.get().choosing(key, value), _current(value == chosen)
    return tag("li", tag("a", label, href=path, lang=lang, aria_current=current))


def part(
    state: ClientState,
    base: str,
    version: str,
    turn_seconds: float,
    address: str,
    heard: int,
) -> Markup:
    """Return what is sent again whenever the state changes.

    Args:
        state: what is seen.
        base: the path of the client.
        version: of the state.
        turn_seconds: how long the side to move has been at its turn.
        address: the URL of this server.
        heard: how many lines of the log the page has.
    """
    over = bool(state.moments)
    invites = any("/invite-" in path for _, path in state.links)
    alone = state.role != "referee" and invites  # the invitation matters
    links = _links(state, address, large=alone) if state.links else None
    three = " three" if len(state.boards) > 1 else ""
    rematch = tag("a", Phrase("The rematch has begun: take your seat"), href=state.next)
    beside = tag(
        "aside",
        tag("h1", state.heading),
        tag("p", rematch, class_="next") if state.next else None,
        tag("p", state.answer, class_="answer", role="status"),
        tag("p", state.offer, class_="offer", role="status"),
        tag("p", state.news, class_="news", aria_live="polite"),
        _study(state, base) if state.study else None,
        _decided(state, base) if state.moments > 1 else None,
        links if alone else None,
        tag("div", *(_side(side, turn_seconds) for side in state.sides), class_="sides"),
        _actions(state, base) if state.actions else None,
        tag("p", state.rules, class_="rules"),
        None if alone else links,
        _whole_log(state, over, heard) if state.log else None,
        _downloads(base) if over else None,
    )
    return tag(
        "div",
        _boards(state, base),
        beside,
        class_=f"table {'over' if over else 'waiting' if alone else 'play'} {state.role}{three}",
        data_version=version,
        data_base=base,
        data_sound=state.sound or None,
        data_heard=len(state.log),
        data_chosen=_chosen(state),
        data_title=state.notice or None,
        data_final=over and state.role == "watch" and bool(state.chances.truth),
    )


def _chosen(state: ClientState) -> str | None:
    """Return what is said of a point that is chosen and not attempted yet."""
    if state.press:
        return Phrase("Tap the point again to attempt it.")
    kept = Phrase("Kept for your turn. Press the point again to drop it.")
    return kept if "mark" in state.actions else None


def _boards(state: ClientState, base: str) -> Markup:
    many, marks = len(state.boards) > 1, state.press or "mark" in state.actions
    tries = bool(state.moments and state.known and state.chances.truth)
    drawn = [
        board(scene, title, press=(marks or tries) and number == 0, small=many)
        for number, (title, scene) in enumerate(state.boards)
    ]
    if not drawn:
        drawn = [tag("div", tag("p", Phrase("The board is hidden.")), class_="curtain")]
    if marks:
        colour = next(side.colour for side in state.sides if side.to_move)
        what = "attempt" if state.press else "mark"
        known = hidden("known", state.known), hidden("do", what)
        drawn[0] = form(f"{base}/do", *known, drawn[0], class_=f"{what} {colour.word}")
    if tries:
        at, side = hidden("at", state.known), hidden("side", state.side)
        fields = at, side, hidden("line", state.line)
        spoken = tag("p", summary(state.boards[0][1]), class_="unseen")
        drawn[0] = join(tag("form", *fields, drawn[0], action=base, class_="try", id="try"), spoken)
    switch = _switch(state, base) if state.moments else None
    steps = _stepper(state, base) if state.moments else None
    notes = [legend(scene) for _, scene in state.boards[:1]]
    zoom = _zoom(READER.get().language) if marks and not many else None
    row = tag("div", *drawn, class_="row")
    chances = _chances(state) if state.moments > 1 and state.chances.truth else None
    return tag("div", switch, row, steps, chances, zoom, *notes, class_="boards")


@cache
def _zoom(_language: str) -> Markup:
    """The button that enlarges the board, which a script shows where it is small."""
    return tag("button", Phrase("Larger board"), type="button", class_="zoom", hidden=True)


def _moment(
    state: ClientState, base: str, words: str, number: int, side: str = "", **attributes: str | None
) -> Markup:
    """Return a link to a moment of the finished game, from the side that is shown or another.

    With `data_line` it leads to where this line leads from there.
    """
    side = side or state.side
    line = attributes.get("data_line")
    path = f"{base}?at={number}&side={side}" + (f"&line={line}" if line else "")
    return tag("a", words, href=path, data_at=number, data_side=side, **attributes)


def _switch(state: ClientState, base: str) -> Markup:
    """The boards to choose from: the full board, and each player's view."""
    links = (
        _moment(state, base, label, state.known, side, aria_current=_current(side == state.side))
        for side, label in SIDES.items()
    )
    return tag("nav", *links, class_="switch", aria_label=Phrase("Board"))


def _current(shown: bool) -> str | None:
    """The attribute aria-current of a link; None leaves it out."""
    return "true" if shown else None


def _stepper(state: ClientState, base: str) -> Markup:
    """Steps through the game, by links that need no script and a slider."""
    last, at = state.moments - 1, state.known
    steps = {"first": 0, "back": max(at - 1, 0), "next": min(at + 1, last), "last": last}
    links = (
        _moment(state, base, sign, steps[rel], rel=rel, aria_label=name, title=name)
        for rel, (sign, name) in STEPS.items()
    )
    place = Phrase("{number} of {last}", number=at, last=last)
    row = tag("div", *links, tag("span", place, class_="place"), class_="steps")
    words = Phrase("Attempt")
    slider = tag(
        "input", type="range", min=0, max=last, value=at, aria_label=words, class_="slider"
    )
    return tag("div", row, slider, class_="stepper")


def _study(state: ClientState, base: str) -> Markup:
    """The lessons of the attempt shown, or of the line that is tried in its place."""
    what, *lessons = state.study
    steps = None
    if state.line:
        shorter = state.line.rpartition(".")[0]
        places = ({Phrase("One back"): shorter} if shorter else {}) | {Phrase("End"): ""}
        links = (
            _moment(state, base, label, state.known, data_line=line)
            for label, line in places.items()
        )
        passes = tag("button", Phrase("Pass"), name="point", value="pass", form="try")
        steps = tag("p", passes, " ", *links, class_="steps")
    elif state.chances.truth:
        more = Phrase(
            "Press points to try a line in place of this attempt, for both players in turn."
        )
        lessons.append(more)
    told = (tag("p", words) for words in lessons)
    return tag("div", tag("h2", what), *told, steps, class_="study")


def _moments(state: ClientState, base: str, moments: tuple[tuple[int, str], ...]) -> Markup:
    """A list of moments, of which the one that is shown is marked."""
    rows = (
        _moment(state, base, what, at, aria_current=_current(at == state.known))
        for at, what in moments
    )
    return tag("ol", *(tag("li", row) for row in rows), tabindex=0)


def _chances(state: ClientState) -> Markup:
    """The graph, with the moments that decided the game, and its key."""
    keys = (tag("span", tag("span", class_=f"key {name}"), what) for name, what in KEYS.items())
    marked = [number for number, _ in state.decided]
    drawn = graph(state.chances, state.known, marked)
    return tag("div", drawn, tag("p", *keys, class_="keys"), class_="chances")


def _decided(state: ClientState, base: str) -> Markup:
    """The moments that decided the game, the costliest moves, and the numbers of both players."""
    if not state.chances.truth:
        words = Phrase("Every position is being evaluated. This takes up to a minute.")
        return tag("p", words, class_="decided", role="status")
    named = {
        Phrase("What decided it"): state.decided,
        Phrase("Costly moves, by their players' views"): state.mistakes,
    }
    lists = [join(tag("h2", title), _moments(state, base, it)) for title, it in named.items() if it]
    return tag("div", *lists[:1], _summary(state), *lists[1:], class_="decided")


def _summary(state: ClientState) -> Markup | None:
    """The numbers of both players, as a table."""
    if not state.summary:
        return None
    players = (tag("th", SIDES[side], scope="col") for side in ("black", "white"))
    rows = (
        tag("tr", tag("th", what, scope="row"), tag("td", str(black)), tag("td", str(white)))
        for what, black, white in state.summary
    )
    return tag("table", tag("tr", tag("td"), *players), *rows)


def _side(side: PlayerLine, turn_seconds: float) -> Markup:
    """A player's card; the stone and its border show what only a screen reader says."""
    clock = None
    if side.clock is not None:
        left = side.clock - turn_seconds if side.to_move else side.clock
        ticking = {"data_left": round(left, 1), "data_running": side.running}
        digits = tag("span", clock_digits(left), class_="clock", **ticking)
        clock = join(tag("span", Phrase("Time left"), class_="unseen"), digits)
    colour = side.colour.word
    named = tag(
        "div",
        tag("strong", side.name),
        tag("span", Phrase("to move"), class_="unseen") if side.to_move else None,
        tag("span", side.counts, class_="counts"),
    )
    hidden = None
    if side.hidden:
        hidden = tag("span", tag("b", side.hidden), " ", Phrase("hidden"), class_="hidden")
    stone = tag("span", class_=f"stone {colour}", role="img", aria_label=SIDES[colour])
    kind = "side to-move" if side.to_move else "side"
    return tag("div", stone, named, hidden, clock, class_=kind)


def _actions(state: ClientState, base: str) -> Markup:
    language = READER.get().language
    buttons = [_action(name, language) for name in state.actions]
    if not set(RARER).isdisjoint(state.actions):
        buttons.append(_others(language))
    return form(f"{base}/do", hidden("known", state.known), *buttons, class_="actions")


@cache
def _action(name: str, _language: str) -> Markup:
    """The button of an action, made once in each language."""
    kind = "rarer" if name in RARER else None
    again = Phrase("Tap again to pass.") if name == "pass" else None
    return tag("button", BUTTONS[name].label, name="do", value=name, class_=kind, data_again=again)


@cache
def _others(_language: str) -> Markup:
    """The button that shows the rarer actions where they are hidden."""
    says = {"aria_label": Phrase("More"), "aria_expanded": "false"}
    return tag("button", "...", type="button", class_="others", hidden=True, **says)


def _links(state: ClientState, address: str, *, large: bool) -> Markup:
    """Links to hand out; the QR code of each is a picture of its own path.

    Args:
        state: what is seen.
        address: the URL of this server.
        large: the invitation is unfolded, with the lesson.
    """
    answers = {"data_copied": Phrase("Copied"), "data_selected": Phrase("Selected")}
    copy, share = (
        tag("button", words, type="button", class_=name, hidden=True, **more)
        for words, name, more in ((Phrase("Copy"), "copy", answers), (Phrase("Share"), "share", {}))
    )
    learn = tag("a", LEARN, href="/lesson", target="_blank")
    rows = []
    for what, path in state.links:
        unfolded = large and "/invite-" in path
        code = {"src": f"/qr{path}", "alt": Phrase("QR code: {what}", what=what)}
        size = {"width": 180, "height": 180}
        told = tag(
            "div",
            tag("p", tag("a", address + path, href=path, class_="invite")),
            tag("p", copy, " ", share),
            tag("p", learn, class_="next") if unfolded else None,
        )
        both = tag("div", told, tag("img", **code, **size, loading="lazy"), class_="link")
        rows.append(tag("details", tag("summary", what), both, open=unfolded))
    return tag("div", *rows, class_="links")


def _whole_log(state: ClientState, over: bool, heard: int) -> Markup:
    """The log, without the lines that the page has.

    It is cached only for a finished game: earlier, the time to write it would reveal whether
    somebody else had the same page.
    """
    if over:
        return _kept_log(state.log, READER.get().language)
    alike = state.role != "both"  # two at one device have a log each
    known = max(0, min(heard, len(state.log)) - OVERLAP) if alike else 0
    return _log(state.log, ATTEMPTS if len(state.boards) > 1 else SAID, known)


@lru_cache(50)
def _kept_log(lines: tuple[str, ...], _language: str) -> Markup:
    return _log(lines, ATTEMPTS)


def _log(lines: tuple[str, ...], title: str, known: int = 0) -> Markup:
    rows = (tag("li", line) for line in lines[known:])
    said = tag("ol", *rows, tabindex=0, start=known + 1 if known else None)  # keys scroll it
    return tag("details", tag("summary", title), said, class_="log", open=True)


def _downloads(base: str) -> Markup:
    links = (tag("a", name, href=f"{base}/{file}", download=True) for file, name in FILES.items())
    return tag("p", Phrase("Download:"), " ", *links, class_="downloads")
