"""A `Scene` as HTML: an SVG picture, and a button on every point where one may be pressed.

The picture is only visual; a screen reader reads the labels of the buttons, or the summary of a
board without buttons. Parts that boards share are defined once per page (`definitions`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain
from typing import Final

from phantomgo.app.table.review import Chances
from phantomgo.app.table.scene import Scene, stars
from phantomgo.app.web.markup import Markup, join, tag
from phantomgo.app.web.reader import READER, translated
from phantomgo.game.points import COLUMNS, Point, PointSet, members, vertex, vertices
from phantomgo.phrase import Phrase, enumerated, sentences

CELL: Final = 20
FIRST: Final = 24
"""In units of the picture: between two lines, and the place of the first of them."""
STONE: Final = 9.3
"""The radius of a stone."""

LESSON: Final = 5
"""The size of boards outside of tables."""
LIKELY: Final = 0.5
"""Least probability of a stone at which the board in words names the point."""
HATCH: Final = "M-6 -6L6 6M-8.5 -2L2 8.5M-2 -8.5L8.5 2"
"""The hatching of white stones in the look with patterns."""


def _stone(name: str, middle: str, edge: str, rim: str) -> Markup:
    stops = join(*(tag("stop", offset=n, stop_color=c) for n, c in enumerate((middle, edge))))
    shade = tag("radialGradient", stops, id=f"{name}-shade", cx="0.36", cy="0.3", r="0.75")
    shadow = tag("circle", cx=0.7, cy=1.1, r=STONE, fill="#000", fill_opacity=0.28)
    body = tag("circle", r=STONE, fill=f"url(#{name}-shade)", stroke=rim, class_="body")
    hatch = tag("path", d=HATCH, class_="hatch") if name == "white" else None
    return join(shade, tag("g", shadow, body, hatch, id=name))


STONES: Final = join(
    _stone("black", "#6b6b6b", "#0b0b0b", "#000"), _stone("white", "#ffffff", "#c9c5bb", "#77736a")
)


@cache
def definitions(size: int) -> Markup:
    """Return the definitions that boards of a size refer to: the empty board, and stones."""
    first, last = FIRST, FIRST + CELL * (size - 1)
    beside = (STONE + _margin(size)) / 2  # between a stone on the first line and the edge
    lines, texts = "", list[Markup]()
    for n, at in enumerate(range(first, last + 1, CELL)):
        lines += f"M{first} {at}H{last}M{at} {first}V{last}"
        for edge in (first - beside, last + beside):
            texts.append(tag("text", COLUMNS[n], x=at, y=edge))
            texts.append(tag("text", str(size - n), x=edge, y=at))
    dots = (tag("circle", cx=x, cy=y, r=1.9) for x, y in _places(stars(size), size))
    grid = tag("g", tag("path", d=lines), *dots, class_="grid")
    empty = tag("g", grid, tag("g", *texts, class_="letters"), id="empty")
    drawn = tag("defs", STONES, empty)
    return tag("svg", drawn, class_="definitions", width=0, height=0, aria_hidden="true")


def board(scene: Scene, title: str, *, press: bool = False, small: bool = False) -> Markup:
    """Return a board with its title.

    Args:
        scene: the state to draw.
        title: its heading.
        press: its points are buttons named `point`, with the vertex as value.
        small: one of several.
    """
    words = f"board n{scene.size}" + (" small" if small else "")
    drawn = tag("div", picture(scene), _buttons(scene) if press else None, class_=words)
    spoken = None if press else tag("p", summary(scene), class_="unseen")
    return tag("section", tag("h2", title), drawn, spoken)


def summary(scene: Scene) -> str:
    """Return the board in words."""
    parts = {
        Phrase("Black"): vertices(scene.black, scene.size) or Phrase("no stones"),
        Phrase("White"): vertices(scene.white, scene.size) or Phrase("no stones"),
        Phrase("Refused"): vertices(scene.refused, scene.size),
        Phrase("Your guesses"): vertices(scene.marks, scene.size),
        Phrase("Likely {player}", player=scene.enemy): " ".join(
            vertex(point, scene.size) for point, share in scene.heat.items() if share >= LIKELY
        ),
        Phrase("A bot would attempt"): "" if scene.hint is None else vertex(scene.hint, scene.size),
    }
    return sentences(
        Phrase("{what}: {points}.", what=what, points=points)
        for what, points in parts.items()
        if points
    )


LABEL: Final = Phrase("{point}: {state}")
EMPTY: Final = Phrase("empty")
STATES: Final = (
    Phrase("Black stone"),
    Phrase("White stone"),
    Phrase("refused"),
    Phrase("your guess"),
    Phrase("captured here"),
    Phrase("last move"),
    Phrase("refused just now"),
    Phrase("hint"),
)
"""Words for the state of a point, in the order in which they are said."""


def states(scene: Scene) -> Iterator[tuple[Point, str]]:
    """Yield each point that has anything on it, with what that is in words."""
    bounced = _bit(scene.bounced)
    sets = (
        scene.black,
        scene.white,
        scene.refused & ~(scene.black | scene.white | bounced),
        scene.marks,
        scene.gone,
        _bit(scene.last),
        bounced,
        _bit(scene.hint),
    )
    words_at: defaultdict[Point, list[str]] = defaultdict(list)
    for points, words in zip(sets, STATES, strict=True):
        for point in members(points):
            words_at[point].append(words)
    for point, chance in scene.heat.items():
        share = f"{100 * chance:.0f}"
        words_at[point].append(Phrase("{share} % likely {player}", share=share, player=scene.enemy))
    for point, parts in words_at.items():
        yield point, enumerated(parts)


def _bit(point: Point | None) -> PointSet:
    return 0 if point is None else 1 << point


def _buttons(scene: Scene) -> Markup:
    """Top row first, as they are read and walked through."""
    size, stones, label = scene.size, scene.black | scene.white, translated(LABEL)
    empty = label.replace("{state}", translated(EMPTY))
    told = None if scene.hint is None else vertex(scene.hint, size)
    if READER.get().script:
        content = _groups(scene, label)
    else:
        buttons = [*_empty(size, empty)]
        for point, words in states(scene):
            where = vertex(point, size)
            spoken = label.format(point=where, state=translated(words))
            buttons[point] = _button(where, spoken, bool(stones >> point & 1))
        rows = (buttons[row * size : (row + 1) * size] for row in reversed(range(size)))
        content = chain.from_iterable(rows)
    return tag("div", *content, class_="points", data_empty=empty, data_told=told)


def _groups(scene: Scene, label: str) -> Iterator[Markup]:
    """Yield the points of each state, of which the script of a page makes buttons."""
    alike: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
    for point, words in states(scene):
        taken = bool((scene.black | scene.white) >> point & 1)
        alike[words, taken].append(vertex(point, scene.size))
    for (words, taken), where in alike.items():
        spoken = label.replace("{state}", translated(words))
        yield tag("span", spoken, class_="taken" if taken else None, data_points=" ".join(where))


@lru_cache(100)
def _empty(size: int, label: str) -> tuple[Markup, ...]:
    """The buttons of an empty board, by point."""
    places = (vertex(point, size) for point in range(size * size))
    return tuple(_button(where, label.format(point=where), False) for where in places)


@lru_cache(10_000)
def _button(point: str, words: str, taken: bool) -> Markup:
    chosen = "taken" if taken else None
    return tag("button", name="point", value=point, aria_label=words, class_=chosen)


# The picture

Drawn = Callable[[int, int], Markup]
"""A function that draws a mark around a place of the picture."""


def picture(scene: Scene) -> Markup:
    """Return the picture of a board, which refers to `definitions`."""
    layers = tag("use", href="#empty"), *_marks(scene)
    margin = _margin(scene.size)
    corner, side = FIRST - margin, CELL * (scene.size - 1) + 2 * margin
    box = f"{corner:g} {corner:g} {side:g} {side:g}"
    return tag("svg", *layers, viewBox=box, aria_hidden="true")


def _margin(size: int) -> float:
    """From the edge of a board to its first line: small boards have small coordinates there.

    style.css places the buttons by it.
    """
    return 14 + size / 2


def _places(points: PointSet, size: int) -> Iterator[tuple[int, int]]:
    """The coordinates of points."""
    for point in members(points):
        row, column = divmod(point, size)
        yield FIRST + CELL * column, FIRST + CELL * (size - 1 - row)


def _marks(scene: Scene) -> Iterator[Markup]:
    """Everything drawn on the points, from the lowest layer up."""
    stones = scene.black | scene.white
    shades = (
        (_bit(point) & ~stones, round(100 * share), scene.tens(point))
        for point, share in scene.heat.items()
    )
    last = _bit(scene.last)
    under = "black" if scene.black & last else "white" if scene.white & last else "board"
    layers: tuple[tuple[PointSet, Drawn], ...] = (
        *(
            (point, partial(_heat, percent=percent, tens=tens))
            for point, percent, tens in shades
            if percent
        ),
        (scene.black_area & ~scene.black, partial(_area, name="black")),
        (scene.white_area & ~scene.white, partial(_area, name="white")),
        (scene.refused & ~stones, _refused),
        (scene.gone & ~stones, _gone),
        (scene.black, partial(_use, name="black")),
        (scene.white, partial(_use, name="white")),
        (scene.marks & ~stones, partial(_ring, r=7.5, class_=_guess(scene))),
        (last, partial(_ring, r=4.2, class_=f"last on-{under}")),
        (_bit(scene.hint), partial(_ring, r=8, class_="hint")),
        (_bit(scene.bounced), _bounced),
    )
    for points, draw in layers:
        for x, y in _places(points, scene.size):
            yield draw(x, y)


@lru_cache(2000)
def _use(x: int, y: int, name: str) -> Markup:
    return tag("use", href=f"#{name}", x=x, y=y)


def _ring(x: int, y: int, r: float, class_: str) -> Markup:
    return tag("circle", cx=x, cy=y, r=r, class_=class_)


def _guess(scene: Scene) -> str:
    return f"guess-{scene.enemy.word}"


def _area(x: int, y: int, name: str) -> Markup:
    return tag("rect", x=x - 3.5, y=y - 3.5, width=7, height=7, class_=f"area-{name}")


def _refused(x: int, y: int) -> Markup:
    back = tag("circle", cx=x, cy=y, r=7)
    return tag("g", back, tag("text", "?", x=x, y=y), class_="refused")


def _bounced(x: int, y: int) -> Markup:
    return tag("rect", x=x - 9.5, y=y - 9.5, width=19, height=19, rx=3, class_="bounced")


def _gone(x: int, y: int) -> Markup:
    cross = f"M{x - 5} {y - 5}L{x + 5} {y + 5}M{x - 5} {y + 5}L{x + 5} {y - 5}"
    return tag("path", d=cross, class_="gone")


@lru_cache(10_000)
def _heat(x: int, y: int, percent: int, tens: int) -> Markup:
    return tag("g", _shade(percent, tens), class_="heat", transform=f"translate({x} {y})")


@lru_cache(128)
def _shade(percent: int, tens: int) -> Markup:
    """A point in the shade of a probability, with its tens of per cent."""
    dark = round(0.09 * percent**0.5, 2)
    back = tag("rect", x=-9, y=-9, width=18, height=18, rx=3, fill_opacity=dark)
    return join(back, tag("text", str(tens)) if tens else None)


def legend(scene: Scene) -> Markup | None:
    """Return what the unusual marks on this board mean; nothing if there are none."""
    stones = scene.black | scene.white
    marks: tuple[tuple[object, Markup, str], ...] = (
        (scene.refused & ~stones, _refused(10, 10), Phrase("refused")),
        (scene.bounced is not None, _bounced(10, 10), Phrase("refused just now")),
        (scene.marks & ~stones, _ring(10, 10, 7.5, _guess(scene)), Phrase("your guess")),
        (scene.hint is not None, _ring(10, 10, 8, "hint"), Phrase("what a bot would attempt")),
        (scene.gone & ~stones, _gone(10, 10), Phrase("captured")),
        (scene.black_area & ~stones, _area(10, 10, "black"), Phrase("Black's area")),
        (scene.white_area & ~stones, _area(10, 10, "white"), Phrase("White's area")),
    )
    notes = [_note(mark, words) for shown, mark, words in marks if shown]
    if scene.heat:
        likely = Phrase("How likely {player} is there: 4 means 40 %", player=scene.enemy)
        notes.append(tag("span", likely))
    return tag("p", *notes, class_="legend") if notes else None


def _note(mark: Markup, words: str) -> Markup:
    return tag("span", tag("svg", mark, viewBox="0 0 20 20", aria_hidden="true"), words)


def graph(chances: Chances, at: int, marked: Sequence[int]) -> Markup:
    """Return Black's chances over the game, with axes, and marks at some moments and this one."""
    width, height = 300, 80
    last = max(len(chances.truth) - 1, 1)
    here, chance = width * at / last, chances.truth[min(at, len(chances.truth) - 1)]

    def line(shares: Sequence[float]) -> str:
        points = (f"{width * n / last:.1f} {height * (1 - c):.1f}" for n, c in enumerate(shares))
        return "L".join(points)

    paths = {
        "area": f"M0 {height}L{line(chances.truth)}L{width} {height}Z",
        "middle": f"M0 {height / 2}H{width}",
        "black": f"M{line(chances.black)}",
        "white": f"M{line(chances.white)}",
        "here": f"M{here:.1f} 0V{height}",
    }
    dots = (
        tag(
            "path",
            d=f"M{width * number / last:.1f} {height * (1 - chances.truth[number]):.1f}h0",
            class_="dot",
            data_at=number,
        )
        for number in marked
        if number < len(chances.truth)
    )
    drawn = tag(
        "svg",
        *(tag("path", d=path, class_=name) for name, path in paths.items()),
        *dots,
        viewBox=f"0 -4 {width} {height + 8}",
        preserveAspectRatio="none",
        role="img",
        aria_label=Phrase("Black's win probability: {share} %", share=f"{100 * chance:.0f}"),
    )
    axes = {"shares": ("100 %", "50 %", "0 %"), "numbers": ("0", "", str(last))}
    ticks = (
        tag("div", *(tag("span", text) for text in texts), class_=axis, aria_hidden="true")
        for axis, texts in axes.items()
    )
    return tag("div", drawn, *ticks, class_="graph")
