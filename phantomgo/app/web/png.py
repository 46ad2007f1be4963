"""The full board at the end of a game as a PNG picture: chats preview a link with no other kind."""

import struct
import zlib
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from phantomgo.app.table.scene import stars
from phantomgo.game.board import Board
from phantomgo.game.points import PointSet

SIDE: Final = 480
"""Pixels of a side."""
WOOD: Final = (220, 176, 106)
INK: Final = (74, 53, 16)
BLACK: Final = (27, 27, 27)
WHITE: Final = (246, 244, 238)

Mask: TypeAlias = npt.NDArray[np.bool_]
"""Points of the board, by row from the top and column."""
Distances: TypeAlias = npt.NDArray[np.float32]
"""For each pixel its distance from the nearest line or point, in pixels."""


@lru_cache(100)
def board_png(board: Board, areas: bool) -> bytes:
    """Return the picture of a full board: lines, stones and, if wanted, the areas that count."""
    counted = board.areas() if areas else (0, 0)
    return _png(_pixels(board, counted))


def _pixels(board: Board, areas: tuple[PointSet, PointSet]) -> npt.NDArray[np.uint8]:
    """The colours of all pixels: whatever lies near enough to a line or a point is painted over."""
    size, cell = board.size, SIDE / (board.size + 0.4)
    along = (np.arange(SIDE, dtype=np.float32) + 0.5 - SIDE / 2) / cell + (size - 1) / 2
    nearest = along.round().clip(0, size - 1).astype(int)
    away = cell * np.abs(along - nearest)
    across, down = np.meshgrid(away, away)
    inside = (along > -1 / cell) & (along < size - 1 + 1 / cell)
    lines = np.minimum(np.where(inside[:, None], across, SIDE), np.where(inside, down, SIDE))
    circles, squares = np.hypot(across, down), np.maximum(across, down)
    everywhere = np.ones((size, size), dtype=bool)
    pixels = np.empty((3, SIDE, SIDE), dtype=np.float32)  # red, green and blue
    pixels[:] = np.reshape(WOOD, (3, 1, 1))

    def paint(ink: tuple[int, int, int], places: Mask, distance: Distances, radius: float) -> None:
        """Paint what lies within this many pixels of these places, with smooth edges."""
        cover = np.clip(radius - distance + 0.5, 0, 1) * places[nearest[:, None], nearest]
        for number, share in enumerate(ink):
            pixels[number] += cover * (share - pixels[number])

    paint(INK, everywhere, lines, 1)
    paint(INK, _mask(stars(size), size), circles, cell / 9)
    for stones, area, ink in ((board.black, areas[0], BLACK), (board.white, areas[1], WHITE)):
        placed = _mask(stones, size)
        paint(ink, _mask(area & ~stones, size), squares, cell / 6)
        paint(BLACK, placed, circles, 0.47 * cell)
        paint(ink, placed, circles, 0.47 * cell - 1.5)
    return np.moveaxis(pixels.round().astype(np.uint8), 0, -1)


def _mask(points: PointSet, size: int) -> Mask:
    """These points as rows, the top one first."""
    flags = [bool(points >> point & 1) for point in range(size * size)]
    return np.array(flags).reshape(size, size)[::-1]


def _png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Write rows of colours as a PNG file (https://www.w3.org/TR/png)."""
    height, width, _ = pixels.shape
    unfiltered = np.zeros((height, 1), dtype=np.uint8)  # the filter of each row
    rows = np.hstack((unfiltered, pixels.reshape(height, 3 * width)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits each, RGB
    chunks = {b"IHDR": header, b"IDAT": zlib.compress(rows.tobytes()), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks.items())


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
