"""The pages that are not of one table: the front page with its form, and invitations."""

from collections.abc import Mapping
from typing import Final

from bots.deployed import LEVELS
from phantomgo.app.web.markup import Markup, form, hidden, join, tag
from phantomgo.app.web.page import LEARN, WELCOME, document, preview
from phantomgo.app.web.terms import (
    COLOURS,
    MAX_MINUTES,
    MAX_SECONDS,
    NAME,
    OPPONENTS,
    WATCHING,
    called,
)
from phantomgo.game.points import MAX_SIZE, MIN_SIZE, Colour
from phantomgo.game.rules import PROFILES
from phantomgo.phrase import Phrase, sentences

DESCRIBED: Final = {
    "novice": Phrase("plays anywhere at random: for a first game"),
    "easy": Phrase("plays out 100 random games an attempt, so it overlooks much"),
    "medium": Phrase("plays out 1000 random games an attempt"),
    "skilled": Phrase("has learned where hidden stones are, and plays out 20 games an attempt"),
    "hard": Phrase("the same with 500 games"),
    "expert": Phrase("the same with 5000 games"),
}
"""The bots of `LEVELS`, in a line each."""
RULES: Final = {
    "olympiad": Phrase("you hear only that an attempt is refused, and which stones are captured"),
    "cazenave": Phrase("as olympiad, but the player who captures hears only how many stones"),
    "sensei": Phrase("as olympiad, and each new atari is announced to both players"),
    "hamburg": Phrase(
        "you hear why an attempt is refused; attempts and ataris are announced to both, and the"
        " player who captures hears only how many stones"
    ),
    "openspiel": Phrase(
        "you hear whether a stone is where you are refused; attempts are announced to both, and the"
        " player who captures hears only how many stones"
    ),
    "ccgc": Phrase("as olympiad; in tournaments with 6.5 komi"),
}
"""The announcements of each profile, in a line (docs/rules.md)."""
USUAL: Final = {
    "olympiad": Phrase("usual (olympiad)"),
    "sensei": Phrase("atari announced (sensei)"),
}
"""The profiles to begin with, and their labels."""


def front_page(levels: Mapping[str, str], board: Markup) -> str:
    """Return the page with a board, three ways to begin, and a form for tables with these bots."""
    learn = tag("a", LEARN, href="/lesson", class_="main")
    friend = start(Phrase("Invite a friend"), opponent="person", size=9)
    opponents = {name: called(name) for name in levels} | OPPONENTS
    rarer = (name for name in PROFILES if name not in USUAL)
    usual = tag(
        "fieldset",
        tag("legend", Phrase("A new table")),
        select("opponent", Phrase("Against"), opponents, "easy"),
        select("colour", Phrase("You play"), COLOURS, "black"),
        number("size", Phrase("Board"), 7, MIN_SIZE, MAX_SIZE),
        select("rules", Phrase("Rules"), USUAL, "olympiad", *rarer),
        name_field(),
    )
    helped = Phrase("Players may ask where stones probably are, and for hints")
    box = tag("input", type="checkbox", name="helped")
    more = tag(
        "details",
        tag("summary", Phrase("Komi, handicap, clock, spectators")),
        field(
            Phrase("Komi"),
            name="komi",
            inputmode="decimal",
            placeholder=Phrase("even, 3.5 on 7x7"),
            maxlength=10,
        ),
        number("handicap", Phrase("Handicap stones"), 0, 0, 9),
        number("minutes", Phrase("Minutes each"), 0, 0, MAX_MINUTES),
        number("increment", Phrase("Increment, seconds"), 0, 0, MAX_SECONDS),
        number("period", Phrase("Byo-yomi, seconds"), 0, 0, MAX_SECONDS),
        select("watching", Phrase("Spectators see"), WATCHING, "nothing"),
        tag("label", box, tag("span", helped), class_="check"),
    )
    described = tag(
        "details",
        tag("summary", Phrase("About the bots and the rules")),
        meanings({called(name): _described(name, spec) for name, spec in levels.items()}),
        meanings(RULES),
    )
    button = tag("button", Phrase("Set up the table"), class_="main")
    lay = form("/tables", usual, described, more, button, class_="lay")
    own = tag(
        "section", tag("h2", Phrase("Your tables")), tag("ul", tabindex=0), id="tables", hidden=True
    )
    begin = tag("div", learn, play_novice(), friend, class_="begin")
    folded = tag("details", tag("summary", Phrase("More")), lay, class_="more")
    return plain_page(Phrase("Phantom Go"), tag("p", WELCOME), board, begin, own, folded)


def play_novice() -> Markup:
    """Return the button that begins a small game against the weakest bot."""
    return start(Phrase("Play a novice bot"), opponent="novice", size=7)


def start(words: str, **fields: str | int) -> Markup:
    """Return a button that lays a table with these fields."""
    hiding = (hidden(name, value) for name, value in fields.items())
    return form("/tables", *hiding, tag("button", words, class_="main"), class_="start")


def _described(name: str, spec: str) -> str:
    return DESCRIBED[name] if spec == LEVELS.get(name) else Phrase("the bot {spec}", spec=spec)


def meanings(words: Mapping[str, str]) -> Markup:
    """Return a list of terms and what they mean."""
    rows = (join(tag("dt", name), tag("dd", meaning)) for name, meaning in words.items())
    return tag("dl", *rows)


def invitation(colour: Colour, inviter: str, rules: str, path: str, address: str) -> str:
    """Return the page of an invitation, which chats preview; only its button takes the seat."""
    name, learn = name_field(), tag("a", LEARN, href="/lesson", target="_blank")
    button = tag("button", Phrase("Sit down as {player}", player=colour), class_="main")
    sit = form(path, name, button, class_="lay")
    heading = Phrase("You are invited to play {player}", player=colour)
    if inviter:
        heading = Phrase("{name} invites you to play {player}", name=inviter, player=colour)
    meta = preview(heading, sentences((Phrase("{words}.", words=rules), WELCOME)), address)
    words = tag("p", WELCOME), tag("p", rules, class_="rules")
    return plain_page(heading, *words, sit, tag("p", learn, class_="next"), meta=meta)


def message(text: str) -> str:
    """Return a page that says one thing."""
    home = tag("a", Phrase("To the front page"), href="/")
    return plain_page(text, tag("p", home, class_="next"))


def plain_page(heading: str, *content: Markup, meta: Markup | None = None) -> str:
    """Return a page of text and forms."""
    main = tag("main", tag("h1", heading), *content, class_="front")
    return document(main, heading, meta=meta)


def select(name: str, words: str, options: Mapping[str, str], chosen: str, *rarer: str) -> Markup:
    """Return a choice of a form, by keys and labels, and by rarer keys in a group of their own."""
    rows = (tag("option", text, value=key, selected=key == chosen) for key, text in options.items())
    others = (tag("option", key) for key in rarer)
    group = tag("optgroup", *others, label=Phrase("rarer")) if rarer else None
    return tag("label", tag("span", words), tag("select", *rows, group, name=name))


def field(words: str, **attributes: str | int | bool) -> Markup:
    """Return a field of a form with its label."""
    return tag("label", tag("span", words), tag("input", **attributes))


def number(name: str, words: str, value: int, low: int, high: int) -> Markup:
    """Return a field for a whole number."""
    return field(words, type="number", name=name, value=value, min=low, max=high, required=True)


def name_field() -> Markup:
    """Return the field for the name of a player."""
    return field(Phrase("Your name"), name="name", maxlength=NAME, autocomplete="nickname")
