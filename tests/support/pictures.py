"""`python -m tests.support.pictures` draws docs/pictures/play.svg again: `phantomgo play`.

A game against `flatmc`, with the belief map on the board: the terminal's own picture and colours,
character by character.
"""

from html import escape
from typing import Final

from phantomgo.app.play.draw import DRAWN, Picture
from phantomgo.app.play.page import page
from phantomgo.app.play.screen import STYLE
from tests.support.places import ROOT
from tests.support.play_tools import new_game, say, settle, sit

FILE: Final = ROOT / "docs" / "pictures" / "play.svg"
TYPED: Final = ("d4", "e5", "f4", "d6", "c5", "e3", "mark g6", "belief")
WIDE: Final = 9
HIGH: Final = 18
"""Pixels of a character."""


def svg(picture: Picture) -> str:
    """A picture of characters as SVG: each run of one style with its background."""
    columns = max(sum(len(words) for _, words in line) for line in picture)
    size = f'width="{(columns + 4) * WIDE}" height="{(len(picture) + 2) * HIGH}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="15">',
        '<rect width="100%" height="100%" rx="8" fill="#1c1c1c"/>',
    ]
    for row, line in enumerate(picture, 1):
        column = 2
        for style, words in line:
            look = STYLE.get_attrs_for_style_str(style)
            x, y, length = column * WIDE, row * HIGH, len(words) * WIDE
            column += len(words)
            if look.bgcolor:
                box = f'x="{x}" y="{y}" width="{length}" height="{HIGH}"'
                parts.append(f'<rect {box} fill="#{look.bgcolor}"/>')
            if words.strip():
                bold = ' font-weight="bold"' if look.bold else ""
                where = f'x="{x}" y="{y + 14}" textLength="{length}" xml:space="preserve"'
                ink = f'fill="#{look.color or "d0d0d0"}"{bold}'
                parts.append(f"<text {where} {ink}>{escape(words)}</text>")
    return "\n".join([*parts, "</svg>", ""])


def drawn() -> str:
    """The picture of the game."""
    console = sit(new_game(size=9, white="flatmc", komi=7.5))
    say(console, *TYPED)
    settle(console)
    return svg(page(console, DRAWN, 100, 30))


if __name__ == "__main__":
    FILE.write_text(drawn())
