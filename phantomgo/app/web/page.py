"""The page of a table: a pure function of a sight, its base path and the age of the turn."""

from collections.abc import Iterator
from typing import Final

from phantomgo.app.table.facts import clock_text
from phantomgo.app.web.board import DEFINITIONS, board, graph, legend
from phantomgo.app.web.markup import Markup, join, tag
from phantomgo.app.web.sight import Side, Sight

ACTIONS: Final = {
    "pass": ("Pass", ""),
    "resign": ("Resign", "Resign the game?"),
    "takeback": (
        "Take back",
        "Take your last move and the answer to it back? You may once a game. As they have told you"
        " what was hidden, the record will say that the game was played with a takeback.",
    ),
    "mark": ("Mark guesses", ""),
    "clear": ("Clear guesses", ""),
    "belief": ("Where are they?", ""),
    "hint": ("Hint", ""),
    "adjourn": ("Adjourn", ""),
    "accept": ("Agree", ""),
    "decline": ("Decline", ""),
    "withdraw": ("Withdraw", ""),
    "resume": ("Resume", ""),
    "stop": ("Stop the clocks", ""),
    "start": ("Start the clocks", ""),
    "seats": ("Go on", ""),
    "ask": ("Try again", ""),
    "no": ("No", ""),
    "yes": ("Yes", ""),
    "undo": ("Take back the last attempt", "Take the last attempt back? It stays in the log."),
    "abandon": ("End without a result", "End the game without a result?"),
    "free-black": ("New link for Black", "Make Black's present link void?"),
    "free-white": ("New link for White", "Make White's present link void?"),
    "rematch": ("Rematch, colours changed", ""),
    "review": ("Judge every position", ""),
}
"""What a button says, and the question that has to be answered by Yes before it does it."""

LAST_PASS: Final = "Your opponent has passed. Pass too, and end the game?"

HEAD: Final = join(
    tag("meta", charset="utf-8"),
    tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
    tag("meta", name="color-scheme", content="light dark"),
    tag("link", rel="stylesheet", href="/static/style.css"),
    tag("link", rel="icon", href="/static/icon.svg"),
    tag("script", src="/static/table.js", defer=True),
)


REFRESH: Final = tag("noscript", tag("meta", http_equiv="refresh", content="3"))
"""For a page without its script that waits for somebody else."""


def document(content: Markup, title: str = "phantomgo", *, waits: bool = False) -> str:
    """A whole page. Its title never tells anything of a game."""
    home = tag("a", "phantomgo", href="/", class_="home")
    sound = tag("button", "Sound: off", type="button", id="sound", hidden=True)
    top = tag("header", home, tag("nav", tag("a", "Earlier games", href="/games"), sound))
    body = tag("body", DEFINITIONS, top, content)
    head = tag("head", tag("title", title), HEAD, REFRESH if waits else None)
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def table_page(content: Markup, *, waits: bool = False) -> str:
    """The page of a table, around its changing part.

    Args:
        content: that part.
        waits: somebody else is to move, so a page without its script is loaded again and again.
    """
    return document(tag("main", content, id="part"), waits=waits)


def part(sight: Sight, base: str, version: str, turn_seconds: float, address: str) -> Markup:
    """What is sent again whenever the sight changes.

    Args:
        sight: what is seen.
        base: the path of the guest.
        version: of the sight.
        turn_seconds: how long the side to move has been at its turn.
        address: what others call this server.
    """
    boards, links = _boards(sight, base), _links(sight, address)
    alone = _alone(sight)
    beside = tag(
        "aside",
        tag("h1", sight.heading),
        _next(sight),
        tag("p", sight.answer, class_="answer", role="status"),
        tag("p", sight.offer, class_="offer", role="status"),
        tag("p", sight.news, class_="news", aria_live="polite"),
        links if alone else None,
        *(_side(side, turn_seconds) for side in sight.sides),
        _actions(sight, base),
        tag("p", sight.rules, class_="rules"),
        None if alone else links,
        _log(sight),
        _downloads(sight, base),
    )
    return tag(
        "div",
        boards,
        beside,
        class_=f"table {'over' if sight.moments else 'play'} {sight.role}",
        data_version=version,
        data_base=base,
        data_sound=sight.sound or None,
        data_at=sight.known if sight.moments else None,
    )


def _boards(sight: Sight, base: str) -> Markup:
    many = len(sight.boards) > 1
    marks = sight.press or "mark" in sight.actions
    drawn = [
        board(scene, title, press=marks and number == 0, small=many)
        for number, (title, scene) in enumerate(sight.boards)
    ]
    if not drawn:
        drawn = [tag("div", tag("p", "The board is hidden."), class_="curtain")]
    if marks:
        colour = next(side.colour for side in sight.sides if side.to_move)
        known = tag("input", type="hidden", name="known", value=sight.known)
        what = "attempt" if sight.press else "mark"
        attempt = tag("input", type="hidden", name="do", value=what)
        first = tag(
            "form",
            known,
            attempt,
            drawn[0],
            method="post",
            action=f"{base}/do",
            class_=f"{what} {colour}".lower(),
        )
        drawn[0] = first
    steps = _stepper(sight, base) if sight.moments else None
    notes = [legend(scene) for _, scene in sight.boards[:1]]
    return tag("div", tag("div", *drawn, class_="row"), *notes, steps, class_="boards")


def _stepper(sight: Sight, base: str) -> Markup:
    """Stepping through the game: links that work by themselves, a slider, and the graph."""
    last, at = sight.moments - 1, sight.known
    steps = (("First", 0), ("Back", max(at - 1, 0)), ("Next", min(at + 1, last)), ("Last", last))
    links = (
        tag("a", name, href=f"{base}?at={number}", data_at=number, rel=name.lower())
        for name, number in steps
    )
    slider = tag(
        "input", type="range", min=0, max=last, value=at, aria_label="Attempt", class_="slider"
    )
    place = tag("span", f"{at} of {last}", class_="place")
    row = tag("div", *links, place, class_="steps")
    return join(
        tag("div", row, slider, class_="stepper"),
        tag("div", *_chances(sight, base), class_="chances"),
    )


def _chances(sight: Sight, base: str) -> Iterator[Markup]:
    """The graph, what its lines are, and the moments that decided the game."""
    if not sight.chances.truth:
        return
    yield graph(sight.chances, sight.known)
    words = (
        ("truth", "Black's winning chance on the true board"),
        ("black", "as Black saw it"),
        ("white", "as White saw it"),
    )
    keys = (join(tag("span", class_=f"key {name}"), f" {what} ") for name, what in words)
    yield tag("p", *keys, class_="keys")
    if sight.decided:
        moments = (
            tag("li", tag("a", what, href=f"{base}?at={number}", data_at=number))
            for number, what in sight.decided
        )
        yield tag("div", tag("h2", "What decided it"), tag("ul", *moments), class_="decided")


def _side(side: Side, turn_seconds: float) -> Markup:
    left = side.clock
    if left is not None and side.to_move:
        left -= turn_seconds
    clock = None
    if left is not None:
        clock = tag(
            "span",
            clock_text(left),
            class_="clock",
            data_left=round(left, 1),
            data_running=side.running,
        )
    stone = tag("span", class_=f"stone {side.colour}".lower(), aria_hidden="true")
    name = tag("strong", side.name)
    colour = tag("span", f"{side.colour}{', to move' if side.to_move else ''}", class_="colour")
    counts = tag("span", side.counts, class_="counts") if side.counts else None
    return tag(
        "div", stone, tag("div", name, colour, counts), clock,
        class_="side to-move" if side.to_move else "side",
    )  # fmt: skip


def _actions(sight: Sight, base: str) -> Markup | None:
    if not sight.actions:
        return None
    buttons = (tag("button", ACTIONS[name][0], name="do", value=name) for name in sight.actions)
    known = tag("input", type="hidden", name="known", value=sight.known)
    return tag("form", known, *buttons, method="post", action=f"{base}/do", class_="actions")


def _next(sight: Sight) -> Markup | None:
    if not sight.next:
        return None
    return tag(
        "p", tag("a", "The rematch has begun: take your seat", href=sight.next), class_="next"
    )


def _alone(sight: Sight) -> bool:
    """Whether a player waits for the other one: then the invitation is what matters."""
    return sight.role in ("black", "white") and any("Invitation" in what for what, _ in sight.links)


def _links(sight: Sight, address: str) -> Markup | None:
    """Invitations; the QR code of each is a picture of its own path."""
    if not sight.links:
        return None
    rows = (
        tag(
            "details",
            tag("summary", what),
            tag(
                "p",
                tag("a", address + path, href=path, class_="invite"),
                " ",
                tag("button", "Copy", type="button", class_="copy", hidden=True),
            ),
            tag(
                "img",
                src=f"/qr{path}",
                alt=f"QR code: {what}",
                width=180,
                height=180,
                loading="lazy",
            ),
            open=_alone(sight) and "Invitation" in what,
        )
        for what, path in sight.links
    )
    return tag("div", *rows, class_="links")


def _log(sight: Sight) -> Markup | None:
    if not sight.log:
        return None
    lines = (tag("li", line) for line in sight.log)
    summary = tag("summary", "All the referee has said")
    return tag("details", summary, tag("ol", *lines), class_="log", open=True)


def _downloads(sight: Sight, base: str) -> Markup | None:
    if not sight.moments:
        return None
    files = (
        ("Record", "game.json"),
        ("SGF", "game.sgf"),
        ("Black's view", "black.sgf"),
        ("White's view", "white.sgf"),
    )
    links = (tag("a", name, href=f"{base}/{file}", download=True) for name, file in files)
    return tag("p", "Download: ", *links, class_="downloads")
