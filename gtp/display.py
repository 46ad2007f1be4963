"""Views as text: boards, sentences, GoGui graphics. Everything here is read from one view."""

from collections.abc import Callable, Mapping

from bots.decision import Decision
from gtp.gogui import Shown
from phantomgo.messages import Ended, Message, Moved, Note, Placed
from phantomgo.points import (
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
from phantomgo.referee import Referee
from phantomgo.view import View
from phantomgo.wording import sentence


def rows(size: int, mark: Callable[[Point], str]) -> list[str]:
    """The board as lines, top row first, `mark` giving the text of each point."""
    return [
        " ".join(mark(row * size + column) for column in range(size))
        for row in reversed(range(size))
    ]


def framed(size: int, mark: Callable[[Point], str]) -> str:
    """The board as lines within its coordinates."""
    letters = "   " + " ".join(COLUMNS[:size])
    lines = [f"{size - i:2d} {text} {size - i}" for i, text in enumerate(rows(size, mark))]
    return "\n".join([letters, *lines, letters])


def marks(black: PointSet, white: PointSet, refused: PointSet = 0) -> Callable[[Point], str]:
    """`X` Black, `O` White, `?` refused, `.` anything else."""

    def mark(point: Point) -> str:
        if black >> point & 1:
            return "X"
        if white >> point & 1:
            return "O"
        return "?" if refused >> point & 1 else "."

    return mark


def view_marks(view: View) -> Callable[[Point], str]:
    """The stones a player knows of, and the points refused to them."""
    return marks(view.stones(BLACK), view.stones(WHITE), view.refused_points)


def view_rows(view: View) -> str:
    return "\n".join(rows(view.rules.size, view_marks(view)))


def view_board(view: View) -> str:
    """The view as `showboard` has it: board, counts, and the last thing that was said."""
    me, enemy = view.colour, view.colour.other
    lines = [
        f"{me}'s view",
        framed(view.rules.size, view_marks(view)),
        f"{me}: {counts(view, me)}",
        f"{enemy}: {counts(view, enemy)}",
        f"Moves: {me} {view.turn}, {enemy} {view.opponent_turn};"
        f" tries refused this turn: {view.refusals}",
        f"Last: {last(view)}",
    ]
    return "\n".join(lines)


def counts(view: View, colour: Colour) -> str:
    """The stones of a side in words, as far as a player knows."""
    if colour is view.colour:
        return f"{view.own.bit_count()} on the board, {view.lost} lost"
    bound = "at most " if view.rules.captures_to_capturer == "none" else ""
    return (
        f"{bound}{view.enemies} on the board, {bound}{view.hidden} of them hidden,"
        f" {view.taken} captured"
    )


def belief_rows(view: View, shares: Mapping[Point, float]) -> str:
    """How likely a stone of the enemy stands on each point, negative where they are White.

    The sign is that of GoGui's `dboard`: Black positive, White negative.

    Args:
        view: whose enemy; located stones are certain.
        shares: how likely one stands on each point where one may be hidden.
    """
    values = _belief(view, shares)
    return "\n".join(rows(view.rules.size, lambda point: f"{values.get(point, 0.0):.2f}"))


def _belief(view: View, shares: Mapping[Point, float]) -> dict[Point, float]:
    sign = 1.0 if view.colour.other is BLACK else -1.0
    values = dict.fromkeys(members(view.located), sign)
    return values | {point: sign * share for point, share in shares.items() if share}


def graphics(view: View, shares: Mapping[Point, float]) -> str:
    """The view as GoGui's graphics lines: belief, located stones, refusals, losses, the news."""
    size, values = view.rules.size, _belief(view, shares)
    influence = [f"{vertex(point, size)} {value:.2f}" for point, value in values.items()]
    lines = [
        " ".join(["INFLUENCE", *influence]) if influence else "",
        f"CIRCLE {vertices(view.located, size)}" if view.located else "",
        *_news(view),
    ]
    return "\n".join(line for line in lines if line)


def candidates(decision: Decision) -> str:
    """What a bot considers, for GoGui: shares of wins as INFLUENCE, visits as LABEL.

    The best candidate is 1, and what wins half as often is 0.
    """
    size, best = decision.view.rules.size, decision.share
    if best is None:
        return (
            f"TEXT {decision.bot.name} does not search: it would play {vertex(decision.move, size)}"
        )
    told = [one for one in decision.candidates if one.visits > 1]
    shade = [max(2 * one.share / best - 1, 0.0) if best else 0.0 for one in told]
    words = zip((vertex(one.point, size) for one in told), told, shade, strict=True)
    influence, labels = ["INFLUENCE"], ["LABEL"]
    for where, one, value in words:
        influence += [where, f"{value:.2f}"]
        labels += [where, str(one.visits)]
    chance = f"TEXT {vertex(decision.move, size)}: wins {best:.0%} of its playouts"
    return "\n".join([" ".join(influence), " ".join(labels), chance])


def _news(view: View) -> list[str]:
    """Refused points, the stones just lost, and what the referee said last."""
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
    """The last thing the referee said, in words."""
    news = " ".join(sentence(message, view.colour, view.rules.size) for message in _latest(view))
    return news or "Nothing has been said yet."


def _latest(view: View) -> tuple[Message, ...]:
    """The last answer or announcement and what was noted after it."""
    start = len(view.events)
    for message in reversed(view.events):
        start -= 1
        if not isinstance(message, Note | Ended):
            break
    return view.events[start:]


PAST = "TEXT An earlier position: a move here begins a new game"


def shown(view: View, to_move: Colour, *, past: bool) -> Shown:
    """What GoGui's ruler shows of a view: stones where they are certain, marks where they are not.

    Every point can be tried that is not known to hold a stone: else what is missing would tell of
    hidden ones. What is tried in the past begins a new game, which is said.
    """
    size = view.rules.size
    black, white = view.stones(BLACK), view.stones(WHITE)
    lost = {view.colour: view.lost, view.colour.other: view.taken}
    free = grid(size).full & ~(black | white | view.refused_now)
    legal = f"{vertices(free, size)} pass".lstrip() if to_move is view.colour else "pass"
    return Shown(
        board="\n" + "\n".join(rows(size, marks(black, white))),
        to_move=to_move.name.lower(),
        legal=legal,
        captured=f"{lost[WHITE]} {lost[BLACK]}",
        graphics="\n" + (PAST if past else "\n".join(_news(view))),
        result="",
    )


def shown_public(view: View, to_move: Colour) -> Shown:
    """What a ruler shows of a game between two hidden bots: handicap, and the number of moves."""
    return Shown(
        board="\n" + "\n".join(rows(view.rules.size, marks(*_handicap(view)))),
        to_move=to_move.name.lower(),
        legal="pass",
        captured="0 0",
        graphics=f"\nTEXT Moves: {view.turn + view.opponent_turn}",
        result="",
    )


def shown_end(referee: Referee) -> Shown:
    """What a ruler shows after the end: the true board."""
    board, outcome = referee.board, referee.outcome
    assert outcome is not None
    view = referee.view(BLACK)
    return Shown(
        board="\n" + "\n".join(rows(board.size, marks(board.black, board.white))),
        to_move=referee.to_move.name.lower(),
        legal="",
        captured=f"{referee.view(BLACK.other).lost} {view.lost}",
        graphics=f"\nTEXT {outcome.sentence}",
        result=f"{outcome.result} ({outcome.sentence})",
    )


def truth_board(size: int, black: PointSet, white: PointSet) -> str:
    return framed(size, marks(black, white))


def public_board(view: View) -> str:
    """What anyone may see of a game between two hidden bots: handicap and the number of moves."""
    board = framed(view.rules.size, marks(*_handicap(view)))
    return f"{board}\nMoves: {view.turn + view.opponent_turn}"


def _handicap(view: View) -> tuple[PointSet, PointSet]:
    """Black's and White's stones placed in the open."""
    stones = dict.fromkeys(Colour, 0)
    for message in view.events[:2]:  # they come first, one message for each side at most
        if isinstance(message, Placed):
            stones[message.colour] |= message.points
    black, white = (stones[side] for side in Colour)
    return black, white
