"""A `Scene` as HTML: an SVG picture, and a button on every point where one may be pressed.

The picture is for the eye alone; what a screen reader says of a point is its button's label, or the
summary of a board without buttons. Stones and marks are defined once a page (`DEFINITIONS`).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from phantomgo.app.table.scene import SHADES, Scene, stars
from phantomgo.app.web.markup import Markup, join, tag
from phantomgo.app.web.sight import Chances
from phantomgo.points import BLACK, COLUMNS, WHITE, Point, PointSet, members, vertex, vertices

CELL: Final = 20
MARGIN: Final = 24
"""In units of the picture: between two lines, and from the edge of the board to its first line."""


def _stone(name: str, middle: str, edge: str, rim: str) -> Markup:
    stops = join(
        tag("stop", offset="0", stop_color=middle),
        tag("stop", offset="1", stop_color=edge),
    )
    shade = tag("radialGradient", stops, id=f"{name}-shade", cx="0.36", cy="0.3", r="0.75")
    body = join(
        tag("circle", cx=0.7, cy=1.1, r=9.3, fill="#000", fill_opacity=0.28),
        tag("circle", r=9.3, fill=f"url(#{name}-shade)", stroke=rim, stroke_width=0.4),
    )
    return join(shade, tag("g", body, id=name))


DEFINITIONS: Final = tag(
    "svg",
    tag(
        "defs",
        _stone("black", "#6b6b6b", "#0b0b0b", "#000"),
        _stone("white", "#ffffff", "#c9c5bb", "#77736a"),
    ),
    class_="definitions",
    width=0,
    height=0,
    aria_hidden="true",
)
"""Once in every page that shows boards."""


def board(
    scene: Scene,
    title: str,
    *,
    press: bool = False,
    small: bool = False,
) -> Markup:
    """A board.

    Args:
        scene: what is to be seen.
        title: its heading.
        press: its points are buttons named `point`, with the vertex as value.
        small: one of several.
    """
    words = f"board n{scene.size}" + (" small" if small else "")
    buttons = _buttons(scene) if press else None
    told = None if press else tag("p", summary(scene), class_="unseen")
    heading = tag("h2", title)
    return tag("section", heading, tag("div", _picture(scene), buttons, class_=words), told)


def summary(scene: Scene) -> str:
    """The board in words, for who cannot see it."""
    parts = [
        f"Black: {vertices(scene.black, scene.size) or 'no stones'}",
        f"White: {vertices(scene.white, scene.size) or 'no stones'}",
    ]
    for name, points in (("Refused", scene.refused), ("Your guesses", scene.marks)):
        if points:
            parts.append(f"{name}: {vertices(points, scene.size)}")
    return ". ".join(parts) + "."


def label(scene: Scene, point: Point) -> str:
    """A point in words: `D4: refused`."""
    bit = 1 << point
    words = [
        text
        for points, text in (
            (scene.black, "Black stone"),
            (scene.white, "White stone"),
            (scene.refused & ~(scene.black | scene.white), "refused"),
            (scene.marks, "your guess"),
            (scene.gone, "captured here"),
        )
        if points & bit
    ]
    if point == scene.last:
        words.append("last move")
    if point == scene.hint:
        words.append("hint")
    if point in scene.heat:
        words.append(f"{100 * scene.heat[point]:.0f} % likely {scene.enemy}")
    return f"{vertex(point, scene.size)}: {', '.join(words) or 'empty'}"


def _buttons(scene: Scene) -> Markup:
    """Top row first, as they are read and walked through."""
    size = scene.size
    points = (row * size + column for row in reversed(range(size)) for column in range(size))
    stones = scene.black | scene.white
    buttons = (
        _button(vertex(point, size), label(scene, point), bool(stones >> point & 1))
        for point in points
    )
    return tag("div", *buttons, class_="points")


@lru_cache(10_000)
def _button(point: str, words: str, taken: bool) -> Markup:
    chosen = "taken" if taken else None
    return tag("button", name="point", value=point, aria_label=words, class_=chosen)


# The picture


def _picture(scene: Scene) -> Markup:
    size = scene.size
    side = CELL * (size - 1) + 2 * MARGIN
    layers = join(
        _grid(size),
        _letters(size, side),
        *_marks(scene),
    )
    return tag("svg", layers, viewBox=f"0 0 {side} {side}", aria_hidden="true")


def _place(point: Point, size: int) -> tuple[int, int]:
    """Where a point is: x, y."""
    row, column = divmod(point, size)
    return MARGIN + CELL * column, MARGIN + CELL * (size - 1 - row)


@cache
def _grid(size: int) -> Markup:
    first, last = MARGIN, MARGIN + CELL * (size - 1)
    lines = "".join(
        f"M{first} {first + CELL * n}H{last}M{first + CELL * n} {first}V{last}" for n in range(size)
    )
    dots = (tag("circle", cx=x, cy=y, r=1.9) for x, y in _places(stars(size), size))
    return tag("g", tag("path", d=lines), *dots, class_="grid")


def _places(points: PointSet, size: int) -> Iterator[tuple[int, int]]:
    return (_place(point, size) for point in members(points))


@cache
def _letters(size: int, side: int) -> Markup:
    texts: list[Markup] = []
    for n in range(size):
        at = MARGIN + CELL * n
        for edge in (7.5, side - 7.5):
            texts.append(tag("text", COLUMNS[n], x=at, y=edge))
            texts.append(tag("text", str(size - n), x=edge, y=at))
    return tag("g", *texts, class_="letters")


def _marks(scene: Scene) -> Iterator[Markup]:
    """What stands on the points, lowest first."""
    size, stones = scene.size, scene.black | scene.white
    for point in scene.heat:
        level = scene.shade(point)
        if level and not stones >> point & 1:
            x, y = _place(point, size)
            yield _heat(x, y, level)
    layers: tuple[tuple[PointSet, Callable[[int, int], Markup]], ...] = (
        (scene.black_area & ~scene.black, lambda x, y: _area("black", x, y)),
        (scene.white_area & ~scene.white, lambda x, y: _area("white", x, y)),
        (scene.refused & ~stones, _refused),
        (scene.gone & ~stones, _gone),
        (scene.black, lambda x, y: _use("black", x, y)),
        (scene.white, lambda x, y: _use("white", x, y)),
        (scene.marks & ~stones, lambda x, y: _guess(scene, x, y)),
        (0 if scene.last is None else 1 << scene.last, lambda x, y: _last(scene, x, y)),
        (0 if scene.hint is None else 1 << scene.hint, _hint),
    )
    for points, draw in layers:
        for x, y in _places(points, size):
            yield draw(x, y)


@lru_cache(2000)
def _use(name: str, x: int, y: int) -> Markup:
    return tag("use", href=f"#{name}", x=x, y=y)


def _area(name: str, x: int, y: int) -> Markup:
    return tag("rect", x=x - 3.5, y=y - 3.5, width=7, height=7, class_=f"area-{name}")


def _heat(x: int, y: int, level: int) -> Markup:
    back = tag("rect", x=x - 9, y=y - 9, width=18, height=18, rx=3, fill_opacity=level / 11)
    return tag("g", back, tag("text", str(level), x=x, y=y), class_="heat")


def _refused(x: int, y: int) -> Markup:
    back = tag("circle", cx=x, cy=y, r=7)
    return tag("g", back, tag("text", "?", x=x, y=y), class_="refused")


def _gone(x: int, y: int) -> Markup:
    cross = f"M{x - 5} {y - 5}L{x + 5} {y + 5}M{x - 5} {y + 5}L{x + 5} {y - 5}"
    return tag("path", d=cross, class_="gone")


def _guess(scene: Scene, x: int, y: int) -> Markup:
    name = "guess-black" if scene.enemy is BLACK else "guess-white"
    return tag("circle", cx=x, cy=y, r=7.5, class_=name)


def _last(scene: Scene, x: int, y: int) -> Markup:
    assert scene.last is not None
    colour = next(
        (c for c in (BLACK, WHITE) if (scene.black, scene.white)[c - 1] >> scene.last & 1), None
    )
    return tag("circle", cx=x, cy=y, r=4.2, class_=f"last on-{colour or 'board'}".lower())


def _hint(x: int, y: int) -> Markup:
    return tag("circle", cx=x, cy=y, r=8, class_="hint")


def legend(scene: Scene) -> Markup | None:
    """What the unusual marks on this board mean; nothing if there are none."""
    stones = scene.black | scene.white
    guess = "guess-black" if scene.enemy is BLACK else "guess-white"
    known: tuple[tuple[object, Markup, str], ...] = (
        (scene.refused & ~stones, _refused(10, 10), "refused"),
        (scene.marks & ~stones, tag("circle", cx=10, cy=10, r=7.5, class_=guess), "your guess"),
        (scene.hint is not None, _hint(10, 10), "hint"),
        (scene.gone & ~stones, _gone(10, 10), "captured"),
        (scene.black_area & ~stones, _area("black", 10, 10), "Black's area"),
        (scene.white_area & ~stones, _area("white", 10, 10), "White's area"),
    )
    notes = [_note(mark, words) for shown, mark, words in known if shown]
    return tag("p", *notes, *_scale(scene), class_="legend") if notes or scene.heat else None


def _note(mark: Markup, words: str) -> Markup:
    return tag("span", tag("svg", mark, viewBox="0 0 20 20", aria_hidden="true"), words)


def _scale(scene: Scene) -> Iterator[Markup]:
    """What the shades of the heat map mean; the same on every map."""
    if scene.heat:
        yield tag("span", f"How likely {scene.enemy} is there, from:")
        for level, share in enumerate(SHADES, 1):
            yield _note(_heat(10, 10, level), f"{100 * share:g} %")


def graph(chances: Chances, at: int) -> Markup:
    """Black's winning chances over the game; the moment shown is marked."""
    width, height = 300, 80

    def line(shares: Sequence[float]) -> str:
        last = max(len(shares) - 1, 1)
        return "L".join(
            f"{width * n / last:.1f} {height * (1 - chance):.1f}" for n, chance in enumerate(shares)
        )

    here = width * at / max(len(chances.truth) - 1, 1)
    chance = chances.truth[min(at, len(chances.truth) - 1)]
    return tag(
        "svg",
        tag("path", d=f"M0 {height}L{line(chances.truth)}L{width} {height}Z", class_="area"),
        tag("path", d=f"M0 {height / 2}H{width}", class_="middle"),
        tag("path", d=f"M{line(chances.black)}", class_="black"),
        tag("path", d=f"M{line(chances.white)}", class_="white"),
        tag("path", d=f"M{here:.1f} 0V{height}", class_="here"),
        viewBox=f"0 -4 {width} {height + 8}",
        preserveAspectRatio="none",
        class_="graph",
        role="img",
        aria_label=f"Black's winning chance: {100 * chance:.0f} %",
    )
