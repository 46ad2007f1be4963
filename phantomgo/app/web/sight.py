"""What one guest of a table sees, as a value: the page is drawn from a `Sight` and nothing else.

Two true games that give a guest the same sights send them the same bytes: whether anything leaks is
decided here. A guest is told that there is something new exactly when their sight has changed.
"""

from typing import NamedTuple

from phantomgo.app.table.scene import Scene
from phantomgo.points import Colour


class Side(NamedTuple):
    """A player, as one line of the page.

    Attributes:
        colour: theirs.
        name: what they are called.
        counts: their stones, as far as the guest may know.
        clock: seconds left when the turn began; None without a clock.
        to_move: it is their turn.
        running: their clock runs.
    """

    colour: Colour
    name: str
    counts: str
    clock: float | None
    to_move: bool
    running: bool


class Chances(NamedTuple):
    """Black's winning chance at each moment of a finished game; empty before it is judged.

    Attributes:
        truth: in playouts from the true board.
        black: as Black had to see it.
        white: as White had to see it.
    """

    truth: tuple[float, ...] = ()
    black: tuple[float, ...] = ()
    white: tuple[float, ...] = ()


NO_CHANCES = Chances()


class Sight(NamedTuple):
    """A page of a table.

    Attributes:
        role: who looks: `black`, `white`, `both`, `watch`, `referee`.
        rules: the board and the rules, in words.
        boards: titles and scenes; none behind a curtain.
        sides: Black and White.
        heading: whose turn it is, or who won.
        news: what the referee said last.
        log: all it said, oldest first.
        offer: what one player asks of the other.
        answer: the reply to what the guest did last, or the question whether they are sure.
        known: how much the guest knows; an attempt made from an older page is not taken.
        press: the guest may attempt now, on the last board.
        actions: what else they may do, by name.
        links: invitations to hand out: what for, and the path.
        moments: after the game, how many there are to step through; 0 before.
        chances: after the game, Black's winning chances, once judged.
        decided: the moments that decided it: number, and what happened in words.
        sound: what has just happened, for the ear: `turn`, `refused`, `capture`, `end` or nothing.
        next: the path of the rematch, for this guest.
    """

    role: str
    rules: str
    boards: tuple[tuple[str, Scene], ...]
    sides: tuple[Side, ...]
    heading: str
    news: str
    log: tuple[str, ...]
    answer: str
    known: int
    press: bool
    actions: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()
    moments: int = 0
    chances: Chances = NO_CHANCES
    decided: tuple[tuple[int, str], ...] = ()
    sound: str = ""
    next: str = ""
    offer: str = ""
