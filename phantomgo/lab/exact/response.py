"""The best response to a portfolio of players, exactly.

The responder knows the portfolio, but not which of its players was drawn. At each decision they
face a group of games: one against each player who would have acted as observed. A move splits the
group by what is observed next, and its value is the sum over the parts. So the search visits only
positions that the portfolio can bring about, however large the game is. It is a branch and bound:
a move's bound is what it would win if the opponent were known. Groups that continue alike are
searched once.

What a best response wins is the exploitability of the portfolio. Pruned best responses are from
Johanson, Waugh, Bowling and Zinkevich, Accelerating best response calculation in large extensive
games (IJCAI 2011).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from phantomgo.lab.games.state import WON, Position
from phantomgo.points import BLACK, RESIGN, Colour, Move

DUST: Final = 1e-12
"""Differences below it are rounding."""


Decide: TypeAlias = Callable[[Position], Move]
"""A deterministic player: their move as a function of what the mover knows."""
Policy: TypeAlias = Callable[[Position], Mapping[Move, float]]
"""Any player: the chances of their moves as a function of what the mover knows."""


class Member(NamedTuple):
    """A player of a portfolio, and how likely they are drawn."""

    weight: float
    policy: Policy


def pure(decide: Decide) -> Policy:
    """A deterministic player as a policy."""
    return lambda position: {decide(position): 1.0}


class Response(NamedTuple):
    """A best response.

    Attributes:
        rate: the share of games it wins; White wins drawn ones, as in seed matrices.
        groups: how many groups of games were looked at.
        moves: the response, by what the responder knows, in all positions they can meet.
    """

    rate: float
    groups: int
    moves: Mapping[Hashable, Move]

    def decide(self, position: Position) -> Move:
        """The responder's strategy: the first move where no member can bring them."""
        return self.moves.get(position.known, position.moves[0])


class _Game(NamedTuple):
    """A game against one of the members, at the responder's decision, and its weight."""

    weight: float
    member: int
    position: Position


_Group: TypeAlias = tuple[_Game, ...]
"""Games that the responder cannot tell apart."""


class _Known(NamedTuple):
    """Bounds of the weight that is won of a group, and the move that wins `low`."""

    low: float
    high: float
    move: Move


class _After(NamedTuple):
    """The consequences of a move: the weight won at once, and the groups of games that continue."""

    won: float
    groups: list[_Group]


def won(result: str, colour: Colour) -> bool:
    """True if a side has won; White has won a draw."""
    return (result == WON[BLACK]) == (colour is BLACK)


def best_response(start: Position, colour: Colour, members: Sequence[Member]) -> Response:
    """The best response as `colour` to members, of whom one is drawn by weight before the game."""
    search = _Search(colour, [member for member in members if member.weight > 0])
    begun = search.begin(start)
    value = begun.won + sum(search.value(group) for group in begun.groups)
    total = sum(member.weight for member in search.members)
    return Response(value / total, len(search.known), search.strategy(begun))


class _Search:
    """One search; `known` has the groups that were looked at."""

    def __init__(self, colour: Colour, members: Sequence[Member]) -> None:
        self.colour, self.members = colour, members
        self.known: dict[Hashable, _Known] = {}

    def begin(self, start: Position) -> _After:
        return self._split(
            _Game(member.weight, number, start) for number, member in enumerate(self.members)
        )

    def value(self, group: _Group, least: float = 0.0) -> float:
        """The weight that the responder wins of a group, if that is more than `least`.

        Otherwise a part of it.
        """
        total, key = _weight(group), _key(group)
        found = self.known.get(key) or _Known(0.0, total, group[0].position.moves[0])
        if found.low >= found.high - DUST or found.high <= least + DUST:
            return found.low
        best, choice = found.low, found.move
        for hope, move, after in self._by_hope(group, total):
            if hope <= max(best, least) + DUST:
                break
            got, hoped = after.won, hope - after.won
            for then in after.groups:
                bar = max(best, least)
                if got + hoped <= bar + DUST:
                    break
                hoped -= self._hope(then, alone=len(group) == 1)
                got += self.value(then, bar - got - hoped)
            if got > best + DUST:
                best, choice = got, move
            if best >= total - DUST:
                break
        high = best if best > least + DUST else min(found.high, least)
        self.known[key] = _Known(best, max(best, high), choice)
        return best

    def _by_hope(self, group: _Group, total: float) -> Iterator[tuple[float, Move, _After]]:
        """The moves with a bound of what each wins, those with the highest first."""
        found = []
        for move in group[0].position.moves:
            after = self.after(group, move)
            hope = after.won + sum(self._hope(then, alone=len(group) == 1) for then in after.groups)
            if hope >= total - DUST:
                yield hope, move, after  # no other bound is higher
            else:
                found.append((hope, move, after))
        yield from sorted(found, key=lambda one: -one[0])

    def _hope(self, group: _Group, *, alone: bool) -> float:
        """A bound of what is won of a group: as if it were known who the opponent is.

        Of games against a single opponent all may be won.
        """
        return _weight(group) if alone else sum(self.value((game,)) for game in group)

    def after(self, group: _Group, move: Move) -> _After:
        """The consequences of a move in all games of a group."""
        return self._split(game._replace(position=game.position.after(move)) for game in group)

    def _split(self, games: Iterable[_Game]) -> _After:
        """The games, once the members have answered, by what the responder has observed."""
        gained, groups = 0.0, dict[Hashable, list[_Game]]()
        for begun in games:
            for game, result in self._answered(begun):
                if result is None:
                    groups.setdefault(game.position.known, []).append(game)
                elif won(result, self.colour):
                    gained += game.weight
        heaviest = sorted(groups.values(), key=lambda group: -_weight(group))
        return _After(gained, [tuple(group) for group in heaviest])

    def _answered(self, begun: _Game) -> Iterator[tuple[_Game, str | None]]:
        """The games when the responder is to move again, and the result of those that are over."""
        todo = [begun]
        while todo:
            game = todo.pop()
            weight, member, position = game
            result = position.result
            if result is not None or position.mover is self.colour:
                yield game, result
                continue
            for move, chance in self.members[member].policy(position).items():
                if move == RESIGN or not position.allows(move):
                    yield game._replace(weight=weight * chance), WON[self.colour]
                else:
                    todo.append(_Game(weight * chance, member, position.after(move)))

    def strategy(self, begun: _After) -> dict[Hashable, Move]:
        """The responder's moves in all positions that the members can lead to."""
        moves: dict[Hashable, Move] = {}
        todo = list(begun.groups)
        while todo:
            group = todo.pop()
            position = group[0].position
            found = self.known.get(_key(group))
            moves[position.known] = position.moves[0] if found is None else found.move
            todo += self.after(group, moves[position.known]).groups
        return moves


def _weight(group: Iterable[_Game]) -> float:
    return sum(game.weight for game in group)


def _key(group: _Group) -> Hashable:
    return tuple((game.weight, game.member, game.position.future) for game in group)
