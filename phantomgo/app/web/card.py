"""A finished game as a picture to keep or send: what was true, and what each player saw of it."""

from typing import Final

from phantomgo.app.table.facts import ending
from phantomgo.app.table.viewer import VIEWS, three_scenes
from phantomgo.app.web.board import STONES, picture
from phantomgo.app.web.markup import Markup, join, tag
from phantomgo.app.web.reader import translated
from phantomgo.app.web.state import State
from phantomgo.points import BLACK, Colour

STYLE: Final = """
text { font: 15px system-ui, "DejaVu Sans", sans-serif; fill: #26221c }
.title { font-size: 21px; font-weight: 650 } .small { font-size: 12px; fill: #6a6257 }
.wood { fill: #dcb06a } .grid path { stroke: #4a3510; stroke-width: .8; fill: none }
.grid circle { fill: #4a3510 } .body { stroke-width: .4 } .hatch { display: none }
.letters text { font-size: 7px; fill: #5b431a; text-anchor: middle; dominant-baseline: central }
.last { fill: none; stroke-width: 1.8 } .on-black { stroke: #fff }
.on-white, .on-board { stroke: #111 }
.refused circle { fill: #fff4dd; stroke: #8a1c0c; stroke-width: 1.4 }
.refused text { font-size: 10px; fill: #8a1c0c; text-anchor: middle; dominant-baseline: central }
.gone { stroke: #8a1c0c; stroke-width: 2.2 } .area-black { fill: #111 } .area-white { fill: #fff }
"""
"""The rules of style.css for boards: a picture on its own has no style sheet."""
WIDTH: Final = 720
HEIGHT: Final = 378
NAME: Final = 24
"""The most characters of a name that fit."""


def card(state: State) -> str:
    """Return the SVG of a finished game."""
    outcome, moment = state.game.outcome, state.game.moments[-1]
    assert outcome is not None
    truth, *views = (scene for _, scene in three_scenes(moment, areas=outcome.margin is not None))
    x, small = 394, 146
    seen = (
        join(
            _board(picture(view), x + number * (small + 14), 194, small),
            _text(caption, x + number * (small + 14), 358, "small"),
        )
        for number, (view, caption) in enumerate(zip(views, VIEWS.values(), strict=True))
    )
    players = (
        join(
            tag("use", href=f"#{colour}".lower(), x=x + 10, y=86 + 30 * number),
            _text(_short(state.names[colour]), x + 30, 91 + 30 * number),
        )
        for number, colour in enumerate(Colour)
    )
    words = translated(ending(outcome)), translated(state.rules)
    content = (
        tag("title", f"{state.names[BLACK]} - {state.names[BLACK.other]}: {outcome.result}"),
        tag("style", Markup(STYLE)),
        tag("defs", STONES),
        tag("rect", width=WIDTH, height=HEIGHT, fill="#f4f1ea"),
        _board(picture(truth), 20, 20, 338),
        _text(words[0], x, 48, "title", fit=WIDTH - x - 14),
        *players,
        _text(words[1], x, 154, "small", fit=WIDTH - x - 14),
        _text("phantomgo", x, 176, "small"),
        *seen,
    )
    return tag(
        "svg",
        *content,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        width=WIDTH,
        height=HEIGHT,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
    )


def _board(drawn: Markup, x: int, y: int, side: int) -> Markup:
    wood = tag("rect", x=x, y=y, width=side, height=side, rx=6, class_="wood")
    return join(wood, tag("svg", drawn, x=x, y=y, width=side, height=side))


def _text(words: str, x: int, y: int, class_: str | None = None, fit: int = 0) -> Markup:
    """Return a line, narrowed if it would be wider than `fit`."""
    width = sum(1.0 if ord(letter) > 0x2E7F else 0.56 for letter in words)
    wide = fit and width * {"title": 21, "small": 12}.get(class_ or "", 15) > fit
    length, adjust = (fit, "spacingAndGlyphs") if wide else (None, None)
    return tag("text", words, x=x, y=y, class_=class_, textLength=length, lengthAdjust=adjust)


def _short(name: str) -> str:
    words = translated(name)
    return words if len(words) <= NAME else f"{words[: NAME - 3]}..."
