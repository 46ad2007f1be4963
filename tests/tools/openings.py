"""Make a suite of openings: the first moves of games of a bot against itself.

    python -m tests.tools.openings 9 > phantomgo/lab/tournament/suites/9x9.txt

No two are the same up to a symmetry of the board. Attempts that were refused are left out.
"""

import sys
from typing import Final

import bots
from phantomgo.points import vertex
from phantomgo.referee import Referee
from phantomgo.rules import Rules
from phantomgo.symmetry import SYMMETRIES, map_move

SPEC: Final = "phantom:playouts=2000,book=none"
MOVES: Final = 4
LINES: Final = 24


def opening(size: int, seed: int) -> tuple[int, ...]:
    referee = Referee(Rules(size=size))
    players = {
        side: bots.make(SPEC, 2 * seed + (side is not referee.to_move))
        for side in type(referee.to_move)
    }
    moves: list[int] = []
    while len(moves) < MOVES:
        side = referee.to_move
        move = players[side].decide(referee.view(side)).move
        referee.attempt(side, move)
        if referee.to_move is not side:
            moves.append(move)
    return tuple(moves)


def main() -> None:
    size = int(sys.argv[1])
    print(f"# The first {MOVES} moves of games of {SPEC} against itself on {size}x{size}.")
    seen: set[tuple[int, ...]] = set()
    seed = 0
    while len(seen) < LINES:
        moves = opening(size, seed)
        seed += 1
        key = min(tuple(map_move(g, move, size) for move in moves) for g in SYMMETRIES)
        if key not in seen:
            seen.add(key)
            print(" ".join(vertex(move, size) for move in moves))


if __name__ == "__main__":
    main()
