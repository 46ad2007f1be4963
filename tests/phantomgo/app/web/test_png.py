"""The picture of a final position, read by a decoder that shares no code with the writer."""

import struct
import zlib

import numpy as np
import pytest

from phantomgo.app.web.png import BLACK, SIDE, WHITE, WOOD, board_png
from phantomgo.game.board import Board
from phantomgo.game.points import parse_move, parse_points


def decoded(png):
    """The rows of colours of a PNG file, whose checksums are checked."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    place, chunks = 8, {}
    while place < len(png):
        (length,), kind = struct.unpack_from(">I", png, place), png[place + 4 : place + 8]
        data = png[place + 8 : place + 8 + length]
        (crc,) = struct.unpack_from(">I", png, place + 8 + length)
        assert crc == zlib.crc32(kind + data)
        chunks[kind], place = data, place + 12 + length
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [8, 2, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not rows[:, 0].any()  # no filter
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    return rows[:, 1:].reshape(height, width, 3)


def colour(pixels, where, size, across=0.0):
    """The colour at a vertex, or so many cells to its right."""
    row, column = divmod(parse_move(where, size), size)
    cell, middle = SIDE / (size + 0.4), (size - 1) / 2
    x = SIDE / 2 + cell * (column + across - middle)
    y = SIDE / 2 - cell * (row - middle)
    return tuple(pixels[int(y), int(x)])


@pytest.mark.parametrize("size", [2, 5, 19])
def test_stones_lie_where_they_are_on_the_board(size):
    board = Board(size, parse_points(["A1"], size), parse_points(["B2"], size))
    pixels = decoded(board_png(board, False))
    assert pixels.shape == (SIDE, SIDE, 3)
    assert colour(pixels, "A1", size, 0.3) == BLACK
    assert colour(pixels, "B2", size, 0.3) == WHITE
    assert colour(pixels, "A2", size, 0.3) not in (BLACK, WHITE, WOOD)  # a line
    assert tuple(pixels[0, 0]) == WOOD


def test_areas_are_shown_where_they_count():
    board = Board(3, parse_points(["B1", "B2", "B3"], 3), 0)
    assert colour(decoded(board_png(board, True)), "A1", 3) == BLACK
    assert colour(decoded(board_png(board, False)), "A1", 3) != BLACK
