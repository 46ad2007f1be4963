"""Views as text: boards, sentences, GoGui graphics."""

from collections.abc import Callable, Mapping
from typing import Final

from gtp.ruler import RulerBoard
from phantomgo.game.messages import Ended, Message, Moved, Note, Placed
from phantomgo.game.player import Decision
from phantomgo.game.points import (
    BLACK,
    COLUMNS,
    WHITE,
    Colour,
    Point,
    PointSet,
    grid,
    members,
    vertex,
    vertices,
)
from phantomgo.game.referee import Referee
from phantomgo.game.view import View
from phantomgo.game.wording import sentence
from phantomgo.phrase import Phrase


def rows(size: int, mark: Callable[[Point], str]) -> list[str]:
    """The board as lines from the top; `mark` gives the text of a point."""
    return [
        " ".join(mark(row * size + column) for column in range(size))
        for row in reversed(range(size))
    ]


def framed(size: int, mark: Callable[[Point], str]) -> str:
    """The board with its coordinates."""
    letters = "   " + " ".join(COLUMNS[:size])
    lines = [f"{size - i:2d} {text} {size - i}" for i, text in enumerate(rows(size, mark))]
    return "\n".join([letters, *lines, letters])


def marks(black: PointSet, white: PointSet, refused: PointSet = 0) -> Callable[[Point], str]:
    """`X` for Black, `O` for White, `?` for refused points, `.` for the rest."""

    def mark(point: Point) -> str:
        if black >> point & 1:
            return "X"
        if white >> point & 1:
            return "O"
        return "?" if refused >> point & 1 else "."

    return mark


def view_marks(view: View) -> Callable[[Point], str]:
    """The stones that a player knows of, and the points where they were refused."""
    return marks(view.stones(BLACK), view.stones(WHITE), view.refused_points)


def view_rows(view: View) -> str:
    return "\n".join(rows(view.rules.size, view_marks(view)))


def view_board(view: View) -> str:
    """The text of `showboard`: board, counts, and the referee's latest message."""
    me, enemy = view.colour, view.colour.other
    lines = [
        f"{me}'s view",
        framed(view.rules.size, view_marks(view)),
        f"{me}: {counts(view, me)}",
        f"{enemy}: {counts(view, enemy)}",
        f"Moves: {me} {view.turn}, {enemy} {view.opponent_turn};"
        f" attempts refused this turn: {view.refusals}",
        f"Last: {last(view)}",
    ]
    return "\n".join(lines)


def counts(view: View, colour: Colour) -> str:
    """The numbers of a side's stones in words, as far as a player knows."""
    if colour is view.colour:
        count = view.own.bit_count()
        return Phrase("{count} on the board, {lost} lost", count=count, lost=view.lost)
    known = {"count": view.enemies, "hidden": view.hidden, "taken": view.taken}
    if view.rules.captures_to_capturer == "none":
        return Phrase(
            "at most {count} on the board, at most {hidden} of them hidden, {taken} captured",
            **known,
        )
    return Phrase("{count} on the board, {hidden} of them hidden, {taken} captured", **known)


def belief_rows(view: View, shares: Mapping[Point, float]) -> str:
    """Rows of the probability of an enemy stone, with the sign of GoGui's `dboard`.

    Black stones are positive, white ones negative.

    Args:
        view: the player's view; located stones are certain.
        shares: the probability of a stone on each point where one may be hidden.
    """
    values = _signed(view, shares)
    return "\n".join(rows(view.rules.size, lambda point: f"{values.get(point, 0.0):.2f}"))


def _signed(view: View, shares: Mapping[Point, float]) -> dict[Point, float]:
    sign = 1.0 if view.colour.other is BLACK else -1.0
    values = dict.fromkeys(members(view.located), sign)
    return values | {point: sign * share for point, share in shares.items() if share}


def graphics(view: View, shares: Mapping[Point, float]) -> str:
    """The view as GoGui's graphics lines: belief, located stones, refusals, losses, news."""
    size, values = view.rules.size, _signed(view, shares)
    influence = [f"{vertex(point, size)} {value:.2f}" for point, value in values.items()]
    lines = [
        " ".join(["INFLUENCE", *influence]) if influence else "",
        f"CIRCLE {vertices(view.located, size)}" if view.located else "",
        *_news(view),
    ]
    return "\n".join(line for line in lines if line)


def candidates(decision: Decision, name: str, size: int, book: str | None) -> str:
    """A bot's candidates as GoGui's graphics lines: win rates as INFLUENCE, visits as LABEL.

    If the bot uses an opening book, the text names it.
    """
    best = decision.win_rate
    move, plays = vertex(decision.move, size), f"; book {book} plays" if book else ""
    if best is None:
        return f"TEXT {name} does not search: it would play {move}{plays}"
    influence, labels = ["INFLUENCE"], ["LABEL"]
    for one in decision.candidates:
        if one.visits > 1:
            influence += [vertex(one.point, size), f"{one.win_rate:.2f}"]
            labels += [vertex(one.point, size), str(one.visits)]
    chance = f"TEXT {move}: wins {best:.0%} of its playouts{plays}"
    return "\n".join([" ".join(influence), " ".join(labels), chance])


def _news(view: View) -> list[str]:
    """GoGui lines of refused points, the stones just lost, and the referee's latest message."""
    size = view.rules.size
    refused, lost = [vertex(refusal.point, size) for refusal in view.refused], 0
    for message in _latest(view):
        if isinstance(message, Moved):
            lost |= message.lost
    lines = [
        " ".join(["MARK", *refused]) if refused else "",
        f"SQUARE {vertices(lost, size)}" if lost else "",
        f"TEXT {last(view)}",
    ]
    return [line for line in lines if line]


def last(view: View) -> str:
    """The referee's latest message."""
    news = " ".join(sentence(message, view.colour, view.rules.size) for message in _latest(view))
    return news or "Nothing has been said yet."


def _latest(view: View) -> tuple[Message, ...]:
    """The last answer or announcement, and the notes after it."""
    start = len(view.events)
    for message in reversed(view.events):
        start -= 1
        if not isinstance(message, Note | Ended):
            break
    return view.events[start:]


PAST: Final = "TEXT An earlier position: a move here begins a new game"
"""GoGui's graphics line for a position that is not the present one."""


def ruler_board(view: View, to_move: Colour, *, past: bool) -> RulerBoard:
    """A view as GoGui's ruler shows it: stones where they are certain, marks where they are not.

    Every point that is not known to have a stone can be attempted; excluding points with hidden
    stones would reveal them. A move in the past begins a new game, and a text says so.
    """
    black, white = view.stones(BLACK), view.stones(WHITE)
    free = grid(view.rules.size).full & ~(black | white | view.refused_now)
    own_turn = to_move is view.colour
    return RulerBoard(
        _ruler_rows(view.rules.size, black, white),
        to_move.word,
        legal=f"{vertices(free, view.rules.size)} pass".lstrip() if own_turn else "pass",
        captured=_captured(view),
        graphics="\n" + (PAST if past else "\n".join(_news(view))),
    )


def public_ruler_board(view: View, to_move: Colour) -> RulerBoard:
    """A game between hidden bots as GoGui's ruler shows it: handicap and the number of moves."""
    return RulerBoard(
        _ruler_rows(view.rules.size, *_handicap(view)),
        to_move.word,
        graphics=f"\nTEXT Moves: {view.turn + view.opponent_turn}",
    )


def final_ruler_board(referee: Referee) -> RulerBoard:
    """The full board after the end as GoGui's ruler shows it."""
    board, outcome = referee.board, referee.outcome
    assert outcome is not None
    return RulerBoard(
        _ruler_rows(board.size, board.black, board.white),
        referee.to_move.word,
        legal="",
        captured=f"{referee.view(WHITE).lost} {referee.view(BLACK).lost}",
        graphics=f"\nTEXT {outcome.sentence}",
        result=f"{outcome.result} ({outcome.sentence})",
    )


def _ruler_rows(size: int, black: PointSet, white: PointSet) -> str:
    """The rows of a ruler's board, from a line of their own."""
    return "\n" + "\n".join(rows(size, marks(black, white)))


def _captured(view: View) -> str:
    """White's and Black's losses, as far as a player knows."""
    white, black = (view.taken, view.lost) if view.colour is BLACK else (view.lost, view.taken)
    return f"{white} {black}"


def public_board(view: View) -> str:
    """The public part of a game between two hidden bots: handicap and the number of moves."""
    board = framed(view.rules.size, marks(*_handicap(view)))
    return f"{board}\nMoves: {view.turn + view.opponent_turn}"


def _handicap(view: View) -> tuple[PointSet, PointSet]:
    """The stones of Black and White that were placed before the game."""
    placed = [m for m in view.events[:2] if isinstance(m, Placed)]  # at most one for each side
    black, white = (sum(m.points for m in placed if m.colour is side) for side in Colour)
    return black, white
