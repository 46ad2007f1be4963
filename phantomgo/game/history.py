"""Draw whole games in which one player receives the messages of a given view.

The player's own attempts and their answers are known. The opponent's moves are searched, depth
first and in random order, until every message is reproduced. A pass from the last message to the
first finds the points where a stone would contradict later messages (`barred`), and the points that
need a stone by some message (`wanted`), which are tried first once the opponent has no moves to
spare. The referee judges each attempt. A search that takes too long starts again in another order:
many short searches find more than a few long ones.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from phantomgo.errors import BadText
from phantomgo.game.messages import Accepted, Message, Moved, Note, Placed, Refused
from phantomgo.game.points import PASS, Move, PointSet, grid, members
from phantomgo.game.referee import Referee
from phantomgo.game.view import View
from phantomgo.rng import Purpose, Stream, purpose_key

SEARCHES: Final = 1000
"""The largest number of searches."""
ATTEMPTS: Final = 2
"""The number of attempts per message in a search."""
SPARE: Final = 5
"""Messages added to the count, so that searches for short games are not over at once."""


class _Need(NamedTuple):
    """Demands of later messages on the opponent's next move.

    Attributes:
        barred: points where a stone would contradict them.
        wanted: points that need an enemy stone at a later message, with the number of that message.
    """

    barred: PointSet
    wanted: dict[int, int]


def drawn_game(view: View, seed: int) -> list[Move] | None:
    """The attempts of a whole game, by both players in turn, in which the view's owner is told the
    same, message by message.

    The opponent's attempts are refused only where the rules announce it. Each such game can be
    drawn, but not with equal probability, nor in proportion to how likely an opponent is to play
    it.

    Args:
        view: the view, of a game that began with an empty board.
        seed: the number that the game is drawn by.

    Returns:
        The attempts; None if no search has found a game, as for one that no attempt has ended.

    Raises:
        BadText: there are handicap stones.
    """
    events, colour = view.events, view.colour
    if any(isinstance(event, Placed) for event in events):
        raise BadText("games with handicap stones are not drawn")
    stream, needs = Stream(purpose_key(Purpose.HISTORY, seed, colour)), _needs(view)
    searches = (_found(view, needs, stream) for _ in range(SEARCHES))
    return next((moves for moves in searches if moves is not None), None)


def _found(view: View, needs: Sequence[_Need], stream: Stream) -> list[Move] | None:
    """The attempts of the game that a search finds; None if it finds none in its time."""
    events = view.events
    left = ATTEMPTS * (len(events) + SPARE)
    stack = [iter([Referee(view.rules)])]
    while stack and left > 0:
        left -= 1
        referee = next(stack[-1], None)
        if referee is None:
            stack.pop()
            continue
        told = referee.view(view.colour).events
        if told[:] != events[: len(told)]:
            continue
        if len(told) == len(events):
            return [attempt.move for attempt in referee.log]
        if referee.outcome is None:
            stack.append(_after(referee, view, needs[len(told)], len(told), stream))
    return None


def _needs(view: View) -> list[_Need]:
    """For each number of messages heard, the demands of the later ones."""
    geometry = grid(view.rules.size)
    views = [View(view.rules, view.colour)]
    for event in view.events:
        views.append(views[-1].after(event))
    barred, wanted = 0, dict[int, int]()
    needs = [_Need(barred, wanted)]
    for number in range(len(view.events) - 1, -1, -1):
        own = views[number + 1].own
        match view.events[number]:
            case Accepted(move, captured, taken) if move != PASS:
                if taken is None:  # some stones within reach are gone
                    barred &= ~views[number].within_reach(1 << move, own, captured)
                taken = taken or 0
                wanted = wanted | dict.fromkeys(members(taken), number)
                wanted.pop(move, None)
                barred = barred & ~taken | 1 << move
            case Refused(move) if 0 <= move < geometry.points and not (barred | own) >> move & 1:
                wanted = wanted | {move: number}
            case Moved(lost) if lost:
                beside = geometry.border(lost) & ~(own | barred)
                wanted = wanted | dict.fromkeys(members(beside), number)
        needs.append(_Need(barred, wanted))
    return needs[::-1]


def _after(
    referee: Referee, view: View, need: _Need, heard: int, stream: Stream
) -> Iterator[Referee]:
    """The game after each attempt that may be followed by the player's next message."""
    event, mover = view.events[heard], referee.to_move
    if mover is not view.colour:
        moves = _drawn(referee, view.events, need, heard, stream)
    else:
        moves = [event.move] if isinstance(event, Accepted | Refused) else []
    for move in moves:
        twin = referee.copy()
        twin.attempt(mover, move)
        yield twin


def _drawn(
    referee: Referee, events: Sequence[Message], need: _Need, heard: int, stream: Stream
) -> list[Move]:
    """Attempts of the opponent, in the order in which they are tried."""
    mover, board, geometry = referee.to_move, referee.board, grid(referee.rules.size)
    own, enemy = board.stones(mover), board.stones(mover.other)
    empty, event = geometry.full & ~(own | enemy), events[heard]
    if isinstance(event, Note):  # of a refused attempt
        return _shuffled(own or enemy or geometry.full, stream)
    if not isinstance(event, Moved):
        return [PASS]
    if event.lost:
        return _shuffled(geometry.border(event.lost) & empty, stream)
    points = _shuffled(empty & ~need.barred, stream)
    left = {point: by for point, by in need.wanted.items() if empty >> point & 1}
    if not left:
        return points
    moves, urgent = 0, 0
    for by in range(heard, max(left.values()) + 1):
        moves += isinstance(events[by], Moved)
        soon = sum(when <= by for when in left.values())
        if by in left.values() and soon >= moves:
            urgent = by
            break
    if urgent:
        return sorted(points, key=lambda point: left.get(point, len(events)) > urgent)
    if stream.below(moves) < len(left):
        return sorted(points, key=lambda point: point not in left)
    return points


def _shuffled(points: PointSet, stream: Stream) -> list[Move]:
    return sorted(members(points), key=lambda _: stream.below(1 << 32))
