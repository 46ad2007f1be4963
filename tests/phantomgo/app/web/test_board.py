"""A scene as a picture, and in words."""

import re
from xml.etree import ElementTree

import pytest

from phantomgo.app.table.scene import Scene
from phantomgo.app.web.board import board, picture

POINT = 7
MARKS = (
    {"white": 1 << POINT},
    {"refused": 1 << POINT},
    {"gone": 1 << POINT},
    {"marks": 1 << POINT},
    {"last": POINT},
    {"hint": POINT},
    {"heat": {POINT: 0.9}},
    {"black_area": 1 << POINT},
    {"white_area": 1 << POINT},
    {"bounced": POINT},
)


def centres(shape, x=0.0, y=0.0):
    """The centres of the shapes that make up a shape, which is moved by x and y."""

    def number(name):
        return float(shape.get(name, 0))

    if moved := re.findall(r"-?[\d.]+", shape.get("transform", "")):
        x, y = x + float(moved[0]), y + float(moved[1])
    match shape.tag:
        case "g":
            for part in shape:
                yield from centres(part, x, y)
        case "rect":
            yield x + number("x") + number("width") / 2, y + number("y") + number("height") / 2
        case "circle":
            yield x + number("cx"), y + number("cy")
        case "path":
            ends = [float(end) for end in re.findall(r"-?[\d.]+", shape.get("d"))]
            yield x + 2 * sum(ends[::2]) / len(ends), y + 2 * sum(ends[1::2]) / len(ends)
        case "text" | "use":
            yield x + number("x"), y + number("y")


def places(scene):
    """The centres of all that a picture has on its points."""
    _, *drawn = ElementTree.fromstring(picture(scene))
    return {place for shape in drawn for place in centres(shape)}


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: next(iter(mark)))
def test_every_mark_lies_where_a_stone_does(mark):
    (stone,) = places(Scene(5, black=1 << POINT))
    assert places(Scene(5, **mark)) == {stone}


@pytest.mark.parametrize("press", [True, False])
def test_a_board_is_either_pressed_or_read(press):
    """Each button is read with its point, and a board without buttons in one paragraph."""
    page = board(Scene(5, black=1 << POINT), "Black's view", press=press)
    assert ('value="C2"' in page) is press
    assert ("Black: C2. White: no stones." in page) is not press


def test_maps_print_the_tens_of_the_scene():
    scene = Scene(5, heat={12: 0.447})  # 45 % when rounded, which is not rounded again
    assert scene.tens(12) == 4
    assert re.findall(r"<text>(\d+)</text>", picture(scene)) == ["4"]
