"""A view as a short text, the same for its mirror images.

    C3 . D4! D3xE3 .B2

means: C3 was accepted, the opponent moved, D4 was refused, D3 took E3, the opponent moved and took
B2. `-` is a pass of the opponent's. Of the eight images of a view, the one whose words sort first
is used.
"""

from functools import lru_cache
from typing import NamedTuple

from phantomgo.game.messages import Accepted, Ended, Message, Moved, Note, Passed, Placed, Refused
from phantomgo.game.points import Move, PointSet, vertex, vertices
from phantomgo.game.symmetry import SYMMETRIES, Symmetry, inverse, map_move
from phantomgo.game.view import View, map_message


class InformationState(NamedTuple):
    """A view in words, which describe one of its eight images.

    Attributes:
        words: the messages of that image.
        symmetries: those that map the view to it; several where it is its own mirror image.
        size: points per side.
    """

    words: tuple[str, ...]
    symmetries: tuple[Symmetry, ...]
    size: int

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def canonical(self, move: Move) -> Move:
        """A move of the view's owner on the board of the words; the same for all its images.

        Of several it is the one whose word sorts first, so that the words of the view after it
        begin with these.
        """
        images = {map_move(symmetry, move, self.size) for symmetry in self.symmetries}
        return min(images, key=lambda image: vertex(image, self.size))

    def actual(self, move: Move, draw: int = 0) -> Move:
        """The move on the owner's board of a canonical one; `draw` chooses among its images."""
        symmetry = self.symmetries[draw % len(self.symmetries)]
        return map_move(inverse(symmetry), move, self.size)


def information_state(view: View) -> InformationState:
    """A view in words."""
    size, words, left = view.rules.size, list[str](), list(SYMMETRIES)
    events = iter(view.events)
    for event in events:
        images = [_word(event, symmetry, size) for symmetry in left]
        words.append(min(images))
        left = [
            symmetry for symmetry, image in zip(left, images, strict=True) if image == words[-1]
        ]
        if len(left) == 1:  # the words that follow are its own
            break
    words += [_word(event, left[0], size) for event in events]
    return InformationState(tuple(words), tuple(left), size)


@lru_cache(maxsize=1 << 16)
def _word(message: Message, symmetry: Symmetry, size: int) -> str:
    match map_message(symmetry, message, size):
        case Accepted(move, captured, taken):
            which = _list(taken, size) if taken else str(captured)
            return vertex(move, size) + (f"x{which}" if captured else "")
        case Refused(move, reason):
            return f"{vertex(move, size)}!{reason or ''}"
        case Moved(lost):
            return f".{_list(lost, size)}"
        case Passed():
            return "-"
        case Placed(colour, points):
            return f"+{colour.letter}{_list(points, size)}"
        case Note(key, colour, count):
            return f"{key}:{colour.letter}{count}"
        case Ended(result):
            return f"={result}"


def _list(points: PointSet, size: int) -> str:
    return vertices(points, size).replace(" ", ",")
