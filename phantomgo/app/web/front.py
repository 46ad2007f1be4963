"""The pages that are not of one table: the front page with its form, and invitations."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from bots.deployed import LEVELS
from phantomgo.app.web.markup import Markup, form, hidden, join, tag
from phantomgo.app.web.page import LEARN, document, preview
from phantomgo.app.web.terms import (
    COLOURS,
    MAX_MINUTES,
    MAX_SECONDS,
    NAME,
    OPPONENTS,
    WATCHING,
    Form,
    bot_name,
)
from phantomgo.game.points import MAX_SIZE, MIN_SIZE, Colour
from phantomgo.game.rules import PROFILES
from phantomgo.phrase import Phrase, sentences

WELCOME: Final = Phrase(
    "Go in which each player sees only their own stones. The referee accepts or refuses each"
    " attempt, and announces captures."
)
DESCRIBED: Final = {
    "novice": Phrase("plays anywhere at random: for a first game"),
    "easy": Phrase("plays out 100 random games per attempt, so it overlooks much"),
    "medium": Phrase("plays out 1000 random games per attempt"),
    "skilled": Phrase("has learned where hidden stones are, and plays out 20 games per attempt"),
    "hard": Phrase("the same with 500 games"),
    "expert": Phrase("the same with 5000 games"),
}
"""The bots of `LEVELS`, in a line each."""
RULES: Final = {
    "olympiad": Phrase(
        "as at the Computer Olympiad: you hear only that an attempt is refused, and which stones"
        " are captured"
    ),
    "cazenave": Phrase("like olympiad, but the player who captures hears only how many stones"),
    "sensei": Phrase("like olympiad, and each new atari is announced to both players"),
    "hamburg": Phrase(
        "you hear why an attempt is refused; attempts and ataris are announced to both, and the"
        " player who captures hears only how many stones"
    ),
    "openspiel": Phrase(
        "you hear whether a stone is where you are refused; attempts are announced to both, and the"
        " player who captures hears only how many stones"
    ),
    "ccgc": Phrase("like olympiad; in tournaments with 6.5 komi"),
}
"""The announcements of each profile, in a line (docs/rules.md)."""
USUAL: Final = {
    "olympiad": Phrase("usual (olympiad)"),
    "sensei": Phrase("atari announced (sensei)"),
}
"""The profiles to begin with, and their labels."""


class Filled(NamedTuple):
    """A form as it was sent, if it has to be filled in once more.

    Attributes:
        values: its fields; those that are missing have their usual values.
        field: the one that cannot be used, if any.
        error: why not.
    """

    values: Form = MappingProxyType({})
    field: str = ""
    error: str = ""


EMPTY: Final = Filled()


def front_page(levels: Mapping[str, str], board: Markup, filled: Filled = EMPTY) -> str:
    """Return the page with a board, the ways to begin, and a form for tables with these bots."""
    learn = tag("a", LEARN, href="/lesson", class_="main")
    friend = start(Phrase("Invite a friend"), opponent="person", size=9)
    watch = start(Phrase("Watch two bots"), opponent="bots", size=9)
    opponents = {name: bot_name(name) for name in levels} | OPPONENTS
    rarer = (name for name in PROFILES if name not in USUAL)
    usual = tag(
        "fieldset",
        tag("legend", Phrase("A new table")),
        select("opponent", Phrase("Against"), opponents, "easy", filled=filled),
        select("colour", Phrase("You play"), COLOURS, "black", filled=filled),
        number("size", Phrase("Board"), 7, MIN_SIZE, MAX_SIZE, filled),
        select("rules", Phrase("Rules"), USUAL, "olympiad", *rarer, filled=filled),
        name_field(filled),
    )
    helped = Phrase("Players may ask where stones probably are, and for hints")
    box = tag("input", type="checkbox", name="helped", checked="helped" in filled.values)
    more = tag(
        "details",
        tag("summary", Phrase("Komi, handicap, clock, spectators")),
        field(
            Phrase("Komi"),
            "komi",
            filled,
            inputmode="decimal",
            placeholder=Phrase("even; 0.5 with handicap"),
            maxlength=10,
        ),
        number("handicap", Phrase("Handicap stones"), 0, 0, 9, filled),
        number("minutes", Phrase("Minutes each"), 0, 0, MAX_MINUTES, filled),
        number("increment", Phrase("Increment, seconds"), 0, 0, MAX_SECONDS, filled),
        number("period", Phrase("Byo-yomi, seconds"), 0, 0, MAX_SECONDS, filled),
        select("watching", Phrase("Spectators see"), WATCHING, "nothing", filled=filled),
        tag("label", box, tag("span", helped), class_="check"),
        open=bool(filled.error),
    )
    described = tag(
        "details",
        tag("summary", Phrase("About the bots and the rules")),
        meanings({bot_name(name): _described(name, spec) for name, spec in levels.items()}),
        meanings(RULES),
    )
    button = tag("button", Phrase("Set up the table"), class_="main")
    lay = form("/tables", usual, described, more, button, class_="lay")
    own = tag(
        "section", tag("h2", Phrase("Your tables")), tag("ul", tabindex=0), id="tables", hidden=True
    )
    begin = tag("div", learn, friend, watch, _strengths(levels), class_="begin")
    folded = tag(
        "details", tag("summary", Phrase("More")), lay, class_="more", open=bool(filled.error)
    )
    return plain_page(Phrase("Phantom Go"), tag("p", WELCOME), board, begin, own, folded)


def _strengths(levels: Mapping[str, str]) -> Markup:
    """The buttons that begin a small game against a bot, the weakest first."""
    buttons = (
        tag(
            "button",
            str(place),
            name="opponent",
            value=name,
            aria_label=Phrase("Strength {number}: {name}", number=place, name=bot_name(name)),
            title=bot_name(name),
        )
        for place, name in enumerate(levels, 1)
    )
    title = tag("h2", Phrase("Play a bot, from weak to strong"))
    row = tag("div", *buttons, class_="strengths")
    return form("/tables", title, hidden("size", 7), row, class_="bots")


def play_novice() -> Markup:
    """Return the button that begins a small game against the weakest bot."""
    return start(Phrase("Play a novice bot"), class_="main", opponent="novice", size=7)


def start(words: str, class_: str | None = None, **fields: str | int) -> Markup:
    """Return a button that sets up a table with these fields."""
    hiding = (hidden(name, value) for name, value in fields.items())
    return form("/tables", *hiding, tag("button", words, class_=class_), class_="start")


def _described(name: str, spec: str) -> str:
    return DESCRIBED[name] if spec == LEVELS.get(name) else Phrase("the bot {spec}", spec=spec)


def meanings(words: Mapping[str, str]) -> Markup:
    """Return a list of terms and what they mean."""
    rows = (join(tag("dt", name), tag("dd", meaning)) for name, meaning in words.items())
    return tag("dl", *rows)


def invitation(
    colour: Colour, inviter: str, rules: str, path: str, address: str, filled: Filled
) -> str:
    """Return the page of an invitation, which chats preview; only its button takes the seat."""
    name, learn = name_field(filled), tag("a", LEARN, href="/lesson", target="_blank")
    button = tag("button", Phrase("Sit down as {player}", player=colour), class_="main")
    sit = form(path, name, button, class_="lay")
    heading = Phrase("You are invited to play {player}", player=colour)
    if inviter:
        heading = Phrase("{name} invites you to play {player}", name=inviter, player=colour)
    said = sentences((Phrase("{words}.", words=rules), WELCOME))
    meta = preview(heading, said, f"{address}/static/icon.png")
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


def select(
    name: str,
    words: str,
    options: Mapping[str, str],
    chosen: str,
    *rarer: str,
    filled: Filled,
) -> Markup:
    """Return a choice of a form, by keys and labels, and by rarer keys in a group of their own."""
    chosen = filled.values.get(name, chosen)
    rows = (tag("option", text, value=key, selected=key == chosen) for key, text in options.items())
    others = (tag("option", key, selected=key == chosen) for key in rarer)
    group = tag("optgroup", *others, label=Phrase("rarer")) if rarer else None
    says, error = _wrong(name, filled)
    return tag("label", tag("span", words), tag("select", *rows, group, name=name, **says), error)


def field(words: str, name: str, filled: Filled, **attributes: str | int | bool | None) -> Markup:
    """Return a field of a form with its label, and what is wrong with its value, if anything."""
    says, error = _wrong(name, filled)
    if name in filled.values:
        attributes["value"] = filled.values[name]
    return tag("label", tag("span", words), tag("input", name=name, **attributes, **says), error)


def _wrong(name: str, filled: Filled) -> tuple[dict[str, str | bool], Markup | None]:
    """The attributes of a field, and the words after it, that say why it cannot be used."""
    if filled.field != name:
        return {}, None
    said = f"{name}-error"
    says: dict[str, str | bool] = {"aria_invalid": "true", "aria_describedby": said}
    return says | {"autofocus": True}, tag("em", filled.error, id=said)


def number(name: str, words: str, value: int, low: int, high: int, filled: Filled) -> Markup:
    """Return a field for a whole number."""
    bounds = {"min": low, "max": high}
    return field(words, name, filled, type="number", value=value, **bounds, required=True)


def name_field(filled: Filled) -> Markup:
    """Return the field for the name of a player."""
    return field(Phrase("Your name"), "name", filled, maxlength=NAME, autocomplete="nickname")
