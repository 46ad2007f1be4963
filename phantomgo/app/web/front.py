"""The pages that are not of one table: the front page with its form, invitations, earlier games."""

import time
from collections.abc import Mapping
from typing import Final

from bots.naming import LEVELS
from phantomgo.app.web.markup import Markup, form, join, tag
from phantomgo.app.web.page import document
from phantomgo.app.web.terms import (
    COLOURS,
    ENGINE,
    MAX_DELAY,
    MAX_MINUTES,
    MAX_SECONDS,
    NAME,
    OPPONENTS,
    WATCHING,
    called,
)
from phantomgo.points import MAX_SIZE, MIN_SIZE
from phantomgo.rules import PROFILES

DESCRIBED: Final = {
    "novice": "plays anywhere at random: for a first game",
    "easy": "plays out 100 random games an attempt, so it overlooks much",
    "medium": "plays out 1000 random games an attempt",
    "hard": "has learned where hidden stones are, and plays out 500 games an attempt",
    "expert": "the same with 5000 games",
}
"""The bots of `LEVELS`, in a line each."""
RULES: Final = {
    "olympiad": "you hear only that an attempt is refused, and which stones are captured",
    "cazenave": "as olympiad, but the player who captures hears only how many stones",
    "sensei": "as olympiad, and each new atari is announced to both players",
    "hamburg": "you hear why an attempt is refused; attempts and ataris are announced to both, and"
    " the player who captures hears only how many stones",
    "openspiel": "you hear whether a stone is where you are refused; attempts are announced to"
    " both, and the player who captures hears only how many stones",
    "ccgc": "as olympiad; in tournaments with 6.5 komi",
}
"""The announcements of each profile, in a line (docs/rules.md)."""
WELCOME: Final = (
    "Go in which each player sees only their own stones. The referee says whether an attempt "
    "stands, and announces captures."
)


def front_page(levels: Mapping[str, str], *, tournament: bool = False) -> str:
    """Return the page with the form for a new table.

    Args:
        levels: the bots and engines.
        tournament: whether there is the page of one.
    """
    opponents = OPPONENTS | {name: called(name, spec) for name, spec in levels.items()}
    usual = tag(
        "fieldset",
        tag("legend", "A new table"),
        select("opponent", "Against", opponents, "medium"),
        select("colour", "You play", COLOURS, "black"),
        number("size", "Board", 9, MIN_SIZE, MAX_SIZE),
        select("rules", "Rules", {name: name for name in PROFILES}, "olympiad"),
        field("Your name", name="name", maxlength=NAME, autocomplete="nickname"),
    )
    usually = "7.5; 2.5 up to 5x5"
    more = tag(
        "details",
        tag("summary", "Komi, handicap, clock, spectators"),
        field("Komi", name="komi", inputmode="decimal", placeholder=usually, maxlength=10),
        number("handicap", "Handicap stones", 0, 0, 9),
        *clock_fields(0),
        select("watching", "Spectators (the referee has their link) see", WATCHING, "nothing"),
        number("delay", "delayed by this many moves", 0, 0, MAX_DELAY),
        check("helped", "Players may ask where stones probably are, and for hints"),
        check("unlisted", "Keep it out of the list of earlier games"),
    )
    described = tag(
        "details",
        tag("summary", "About the bots and the rules"),
        meanings({called(name, spec): _described(name, spec) for name, spec in levels.items()}),
        meanings(RULES),
    )
    button = tag("button", "Lay the table", class_="main")
    lay = form("/tables", usual, described, more, button, class_="lay")
    club = tag(
        "p", "With more than two: ", tag("a", "an evening for a club", href="/evenings"), "."
    )
    lesson = tag(
        "p", tag("a", "Phantom Go in 60 seconds", href="/lesson"), ", the first of ten lessons"
    )
    list_page = tag("p", tag("a", "The tournament of this server", href="/tournament"))
    more_pages = (club, list_page) if tournament else (club,)
    return plain_page("Phantom Go", tag("p", WELCOME), lesson, lay, *more_pages)


def _described(name: str, spec: str) -> str:
    """An opponent in a line. The command of an engine is shown to nobody."""
    if spec == LEVELS.get(name):
        return DESCRIBED[name]
    return "an engine of this server" if spec.startswith(ENGINE) else f"the bot {spec}"


def meanings(words: Mapping[str, str]) -> Markup:
    """Return a list of terms and what they mean."""
    rows = (join(tag("dt", name), tag("dd", meaning)) for name, meaning in words.items())
    return tag("dl", *rows)


def invitation(colour: str, rules: str, path: str) -> str:
    """Return the page of an invitation; only its button takes the seat."""
    name = field("Your name", name="name", maxlength=NAME, autocomplete="nickname")
    button = tag("button", f"Sit down as {colour}", class_="main")
    sit = form(path, name, button, class_="lay")
    return plain_page(f"You are invited to play {colour}", tag("p", rules), sit)


def message(text: str) -> str:
    """Return a page that says one thing."""
    return plain_page("phantomgo", tag("p", text))


def earlier_games(games: list[tuple[int, float, str]]) -> str:
    """Return the page of finished games: number, time of the end, title."""
    rows = [
        tag("li", tag("a", title, href=f"/games/{number}"), tag("time", _date(when)))
        for number, when, title in games
    ]
    found = tag("ol", *rows, class_="games") if rows else tag("p", "No game has ended yet.")
    return plain_page("Earlier games", found)


def plain_page(heading: str, *content: Markup) -> str:
    """Return a page of text and forms."""
    return document(tag("main", tag("h1", heading), *content, class_="front"))


def _date(when: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(when))


def select(name: str, words: str, options: Mapping[str, str], chosen: str) -> Markup:
    """Return a choice of a form, by keys and labels."""
    rows = (tag("option", text, value=key, selected=key == chosen) for key, text in options.items())
    return tag("label", tag("span", words), tag("select", *rows, name=name))


def field(words: str, **attributes: str | int | bool) -> Markup:
    """Return a field of a form with its label."""
    return tag("label", tag("span", words), tag("input", **attributes))


def number(name: str, words: str, value: int, low: int, high: int) -> Markup:
    """Return a field for a whole number."""
    return field(words, type="number", name=name, value=value, min=low, max=high, required=True)


def clock_fields(minutes: int) -> tuple[Markup, ...]:
    """Return the fields for the time of each side."""
    return (
        number("minutes", "Minutes each", minutes, 0, MAX_MINUTES),
        number("increment", "Increment, seconds", 0, 0, MAX_SECONDS),
        number("period", "Byo-yomi, seconds", 0, 0, MAX_SECONDS),
    )


def check(name: str, words: str) -> Markup:
    """Return a box to tick."""
    box = tag("input", type="checkbox", name=name)
    return tag("label", box, tag("span", words), class_="check")
