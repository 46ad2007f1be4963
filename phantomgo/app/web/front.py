"""The pages that are not of one table: the front page with its form, invitations, earlier games."""

import time
from collections.abc import Mapping
from typing import Final

from phantomgo.app.web.markup import Markup, join, tag
from phantomgo.app.web.page import document
from phantomgo.app.web.terms import DESCRIBED, ENGINE, LEVELS, NAME, Opponent, Watching, called
from phantomgo.points import MAX_SIZE, MIN_SIZE
from phantomgo.rules import PROFILES

OPPONENTS: Final = {
    Opponent.PERSON.value: "a person on another device",
    Opponent.HERE.value: "a person at this device",
    Opponent.REFEREE.value: "nobody: I am the referee of two others",
}
WATCHING: Final = {
    Watching.NOTHING.value: "nobody",
    Watching.BLACK.value: "from Black's seat",
    Watching.WHITE.value: "from White's seat",
    Watching.ALL.value: "both views and the true board",
}
RULES: Final = {
    "olympiad": "you hear only that an attempt is refused, and which stones are captured",
    "cazenave": "as olympiad, but who captures hears only how many stones",
    "sensei": "as olympiad, and each new atari is announced to both",
    "hamburg": "you hear why an attempt is refused; attempts and ataris are announced to both, and"
    " who captures hears only how many stones",
    "openspiel": "you hear whether a stone stands where you are refused; attempts are announced to"
    " both, and who captures hears only how many stones",
    "ccgc": "as olympiad; in tournaments with 6.5 komi",
}
"""What the profiles announce, in a line each (docs/rules.md)."""
COLOURS: Final = {"black": "Black", "white": "White", "either": "either"}


def front_page(levels: Mapping[str, str]) -> str:
    """What is asked before a table is laid; `levels` are the bots and engines there are."""
    opponents = OPPONENTS | {name: called(name, spec) for name, spec in levels.items()}
    usual = tag(
        "fieldset",
        tag("legend", "A new table"),
        _select("opponent", "Against", opponents, "medium"),
        _select("colour", "You play", COLOURS, "black"),
        _number("size", "Board", 9, MIN_SIZE, MAX_SIZE),
        _select("rules", "Rules", {name: name for name in PROFILES}, "olympiad"),
        _text("name", "Your name", NAME),
    )
    more = tag(
        "details",
        tag("summary", "Komi, handicap, clock, spectators"),
        tag("label", tag("span", "Komi"), tag("input", name="komi", inputmode="decimal",
            placeholder="7.5; 2.5 up to 5x5", maxlength=10)),
        _number("handicap", "Handicap stones", 0, 0, 9),
        _number("minutes", "Minutes each", 0, 0, 24 * 60),
        _select("watching", "Spectators (the referee has their link) see", WATCHING, "nothing"),
        _number("delay", "so many moves later", 0, 0, 50),
        _check("helped", "Players may ask where stones probably are, and for hints"),
        _check("unlisted", "Keep it out of the list of earlier games"),
    )  # fmt: skip
    described = tag(
        "details",
        tag("summary", "What the bots and the rules are"),
        _meanings({called(name, spec): _described(name, spec) for name, spec in levels.items()}),
        _meanings(RULES),
    )
    button = tag("button", "Lay the table", class_="main")
    form = tag(
        "form", usual, described, more, button, method="post", action="/tables", class_="lay"
    )
    words = tag(
        "p",
        "Go in which each player sees only their own stones. The referee says whether an attempt "
        "stands, and announces captures.",
    )
    return document(tag("main", tag("h1", "Phantom Go"), words, form, class_="front"))


def _described(name: str, spec: str) -> str:
    """What an opponent is, in a line. The command of an engine is told to nobody."""
    if spec == LEVELS.get(name):
        return DESCRIBED[name]
    return "an engine of this server" if spec.startswith(ENGINE) else f"the bot {spec}"


def _meanings(words: Mapping[str, str]) -> Markup:
    rows = (join(tag("dt", name), tag("dd", meaning)) for name, meaning in words.items())
    return tag("dl", *rows)


def invitation(colour: str, rules: str, path: str) -> str:
    """Who opens an invitation is asked to sit down: looking at a link takes no seat."""
    form = tag(
        "form",
        _text("name", "Your name", NAME),
        tag("button", f"Sit down as {colour}", class_="main"),
        method="post",
        action=path,
        class_="lay",
    )
    heading = tag("h1", f"You are invited to play {colour}")
    return document(tag("main", heading, tag("p", rules), form, class_="front"))


def message(text: str, heading: str = "phantomgo") -> str:
    """A page that says one thing."""
    return document(tag("main", tag("h1", heading), tag("p", text), class_="front"))


def earlier_games(games: list[tuple[int, float, str]]) -> str:
    """The finished games that are listed, latest first."""
    rows = [
        tag("li", tag("a", title, href=f"/games/{number}"), tag("time", _date(when)))
        for number, when, title in games
    ]
    found = tag("ol", *rows, class_="games") if rows else tag("p", "No game is over yet.")
    return document(tag("main", tag("h1", "Earlier games"), found, class_="front"))


def _date(when: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(when))


def _select(name: str, words: str, options: dict[str, str], chosen: str) -> Markup:
    rows = (tag("option", text, value=key, selected=key == chosen) for key, text in options.items())
    return tag("label", tag("span", words), tag("select", *rows, name=name))


def _number(name: str, words: str, value: int, low: int, high: int) -> Markup:
    field = tag("input", type="number", name=name, value=value, min=low, max=high, required=True)
    return tag("label", tag("span", words), field)


def _text(name: str, words: str, longest: int) -> Markup:
    field = tag("input", name=name, maxlength=longest, autocomplete="nickname")
    return tag("label", tag("span", words), field)


def _check(name: str, words: str) -> Markup:
    return tag(
        "label", join(tag("input", type="checkbox", name=name), tag("span", words)), class_="check"
    )
