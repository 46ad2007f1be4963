"""The value of a game of hidden information, by sequence-form double oracle.

Each player may first choose only among the moves of a small tree, and plays a default elsewhere.
The equilibrium of that tree is a linear program over sequences of own moves. Best responses to its
strategies in the whole game bound the value from both sides, and their moves join the tree. It ends
when no best response wins more than the equilibrium, often with a small part of the game.

Sources: Koller, Megiddo and von Stengel, Efficient computation of equilibria for extensive
two-person games (GEB 1996); Bosansky, Kiekintveld, Lisy and Pechoucek, An exact double-oracle
algorithm for zero-sum extensive-form games with imperfect information (JAIR 2014).
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import coo_array, csr_array, hstack

from phantomgo.lab.exact.response import Decide, Member, Policy, best_response, won
from phantomgo.lab.games.state import Position
from phantomgo.points import BLACK, WHITE, Colour, Move
from phantomgo.portfolio.nash import FloatArray

GAP: Final = 1e-6
"""Bounds closer than this count as equal."""
NEVER: Final = 1e-9
"""Chances below it are rounding errors of the solver."""

Sequences: TypeAlias = Mapping[Colour, int]
"""The number of the sequence of own moves that each player has made."""


class Bounds(NamedTuple):
    """Bounds of the value, the share of games that Black wins; White wins drawn ones.

    Attributes:
        low: what Black's best strategy so far wins at least.
        high: what White's best strategy so far concedes at most.
        sequences: the number of move sequences of each side in the tree.
        leaves: the number of ends of games in the tree.
    """

    low: float
    high: float
    sequences: tuple[int, int]
    leaves: int

    @property
    def found(self) -> bool:
        """True if the bounds are equal, but for rounding."""
        return self.high - self.low < GAP

    @property
    def middle(self) -> float:
        """The value, or the best guess."""
        return (self.low + self.high) / 2


@dataclass(eq=False)
class _Known:
    """The knowledge of a player at one of their decisions, within the tree.

    Attributes:
        parent: the number of the sequence of own moves that leads here.
        moves: those in the tree, with the number of the sequence that each ends.
        places: where in the tree it is known: a position, and the opponent's sequence there.
    """

    parent: int
    moves: dict[Move, int]
    places: list[tuple[Position, int]]


class Tree:
    """The part of a game that the players may choose from."""

    def __init__(self, start: Position, defaults: Mapping[Colour, Decide]) -> None:
        """Begin with the defaults alone: the players' moves where nothing else has been found."""
        self.start, self._defaults = start, defaults
        self._known: dict[Colour, dict[Hashable, _Known]] = {BLACK: {}, WHITE: {}}
        self._sequences = {BLACK: 1, WHITE: 1}
        self._joined: dict[Colour, dict[Hashable, Move]] = {BLACK: {}, WHITE: {}}
        self._black: list[int] = []
        self._white: list[int] = []
        self._won: list[bool] = []
        self._grow([(start, {BLACK: 0, WHITE: 0})])

    def join(self, colour: Colour, moves: Mapping[Hashable, Move]) -> int:
        """Let a player choose these moves, too; return how many are new."""
        new = 0
        for known, move in moves.items():
            here = self._known[colour].get(known)
            if here is None:
                new += known not in self._joined[colour]
                self._joined[colour][known] = move
            elif move not in here.moves:
                new += 1
                self._grow(list(self._choose(colour, here, move)))
        return new

    def _choose(
        self, colour: Colour, here: _Known, move: Move
    ) -> Iterator[tuple[Position, Sequences]]:
        """Add a move; yield the positions after it."""
        here.moves[move] = number = self._sequences[colour]
        self._sequences[colour] += 1
        for position, other in here.places:
            yield position.after(move), {colour: number, colour.other: other}

    def _grow(self, todo: list[tuple[Position, Sequences]]) -> None:
        """Follow the moves of the tree from these positions to the ends of the games."""
        while todo:
            position, sequences = todo.pop()
            result = position.result
            if result is not None:
                self._black.append(sequences[BLACK])
                self._white.append(sequences[WHITE])
                self._won.append(won(result, BLACK))
                continue
            colour = position.mover
            own, other = sequences[colour], sequences[colour.other]
            here = self._known[colour].get(position.known)
            if here is None:
                here = self._known[colour][position.known] = _Known(own, {}, [(position, other)])
                first = self._joined[colour].get(position.known)
                move = self._defaults[colour](position) if first is None else first
                todo += self._choose(colour, here, move)
                continue
            here.places.append((position, other))
            for move, number in here.moves.items():
                todo.append((position.after(move), {colour: number, colour.other: other}))

    @property
    def size(self) -> tuple[tuple[int, int], int]:
        """The number of sequences of each side, and of ends of games."""
        return (self._sequences[BLACK], self._sequences[WHITE]), len(self._won)

    def solve(self) -> tuple[Policy, Policy]:
        """Both players' strategies in an equilibrium of the tree."""
        wins = [np.array(side)[self._won] for side in (self._black, self._white)]
        shape = self._sequences[BLACK], self._sequences[WHITE]
        payoff = coo_array((np.ones(len(wins[0])), tuple(wins)), shape)
        plans = _linear_program(payoff.tocsr(), self._flow(BLACK), self._flow(WHITE))
        return self._policy(BLACK, plans[0]), self._policy(WHITE, plans[1])

    def _flow(self, colour: Colour) -> csr_array:
        """The flow constraints: row 0 is the empty sequence; each other row has the sequences that
        follow a decision, minus the one that leads to it.
        """
        rows, columns, values = [0], [0], [1.0]
        for row, here in enumerate(self._known[colour].values(), 1):
            rows += [row] * (1 + len(here.moves))
            columns += [here.parent, *here.moves.values()]
            values += [-1.0, *[1.0] * len(here.moves)]
        shape = 1 + len(self._known[colour]), self._sequences[colour]
        return coo_array((values, (rows, columns)), shape).tocsr()

    def _policy(self, colour: Colour, plan: FloatArray) -> Policy:
        chances: dict[Hashable, dict[Move, float]] = {}
        for known, here in self._known[colour].items():
            weights = {m: plan[n] for m, n in here.moves.items() if plan[n] > NEVER}
            total = sum(weights.values())
            if total:
                chances[known] = {m: w / total for m, w in weights.items()}
        joined, default = self._joined[colour], self._defaults[colour]

        def policy(position: Position) -> Mapping[Move, float]:
            known = position.known
            found = chances.get(known)
            if found is None:
                move = joined.get(known)
                found = chances[known] = {default(position) if move is None else move: 1.0}
            return found

        return policy


def _linear_program(
    payoff: csr_array, black: csr_array, white: csr_array
) -> tuple[FloatArray, FloatArray]:
    """Both players' realisation plans in an equilibrium: the chance that a player makes their own
    moves of each sequence.

    Black's plan x maximises the value of White's first decision, where a decision is worth at most
    each of the sequences that continue it.
    """
    from scipy.optimize import linprog  # noqa: PLC0415  (half a second)

    plans, decisions = black.shape[1], white.shape[0]
    answer = linprog(
        c=-np.eye(1, plans + decisions, plans)[0],
        A_ub=hstack([-payoff.T, white.T], format="csr"),
        b_ub=np.zeros(payoff.shape[1]),
        A_eq=hstack([black, csr_array((black.shape[0], decisions))], format="csr"),
        b_eq=np.eye(1, black.shape[0])[0],
        bounds=[(0, None)] * plans + [(None, None)] * decisions,
        method="highs",
    )
    if answer.x is None:
        raise ArithmeticError(f"no equilibrium of the tree found: {answer.message}")
    return np.maximum(answer.x[:plans], 0), np.maximum(-answer.ineqlin.marginals, 0)


def find_value(
    start: Position,
    defaults: Mapping[Colour, Decide],
    stop: Callable[[Bounds], bool] = lambda _: False,
) -> Bounds:
    """Bounds of the value of a game, equal unless `stop` ended the search.

    Args:
        start: the start of the game.
        defaults: the players' moves where nothing else has been found.
        stop: called with the bounds after each round.

    Raises:
        ArithmeticError: the solver found no equilibrium.
    """
    tree, low, high = Tree(start, defaults), 0.0, 1.0
    while True:
        black, white = tree.solve()
        as_black = best_response(start, BLACK, [Member(1, white)])
        as_white = best_response(start, WHITE, [Member(1, black)])
        low, high = max(low, float(1 - as_white.rate)), min(high, float(as_black.rate))
        bounds = Bounds(low, high, *tree.size)
        new = tree.join(BLACK, as_black.moves) + tree.join(WHITE, as_white.moves)
        if bounds.found or not new or stop(bounds):
            return bounds
