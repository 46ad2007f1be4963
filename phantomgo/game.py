"""Play one game between two players under a referee."""

import time
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from phantomgo.messages import Message
from phantomgo.outcome import Fault, Outcome
from phantomgo.player import Player
from phantomgo.points import BLACK, WHITE, Move, PointSet
from phantomgo.referee import Attempt, Referee
from phantomgo.rules import Rules
from phantomgo.view import View


@dataclass(frozen=True, slots=True)
class Step:
    """One attempt, and what each player was told of it.

    How long it took to find is not compared: games that went alike are equal.
    """

    attempt: Attempt
    black: tuple[Message, ...]
    white: tuple[Message, ...]
    seconds: float = field(compare=False)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game: the rules, who played, every attempt, and how it ended.

    `handicap` are Black's stones on the board before the first move.
    """

    rules: Rules
    black: str
    white: str
    steps: tuple[Step, ...]
    outcome: Outcome
    handicap: PointSet = 0

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        return tuple(step.attempt for step in self.steps)


@runtime_checkable
class Listener(Protocol):
    """A player who wants to hear how the game ended, as an engine in another process does.

    Everything before that they find in the view they are asked with. Nothing is sent to a player
    while the other one thinks, so they cannot measure how often the other one tries.
    """

    def hear_end(self, view: View) -> None:
        """The game is over; `view` is the last one."""


def take_step(referee: Referee, move: Move, seconds: float) -> Step:
    """Make an attempt of the side to move, which took `seconds` to find.

    Raises:
        GameOver: the game has ended.
    """
    black_knew, white_knew = len(referee.view(BLACK).events), len(referee.view(WHITE).events)
    referee.attempt(referee.to_move, move)
    black_heard = referee.view(BLACK).events[black_knew:]
    white_heard = referee.view(WHITE).events[white_knew:]
    return Step(referee.log[-1], black_heard, white_heard, seconds)


def play_game(rules: Rules, black: Player, white: Player, handicap: PointSet = 0) -> GameRecord:
    """Play a game to its end, from the empty board or from Black's handicap stones in the open.

    A player's `Fault` loses the game.
    """
    referee = Referee(rules, black=handicap)
    players = {BLACK: black, WHITE: white}
    steps: list[Step] = []
    while referee.outcome is None:
        colour = referee.to_move
        began = time.perf_counter()
        try:
            move = players[colour].propose(referee.view(colour))
        except Fault as fault:
            referee.end(fault.outcome(colour))
            break
        steps.append(take_step(referee, move, time.perf_counter() - began))
    for side, player in players.items():
        if isinstance(player, Listener):
            player.hear_end(referee.view(side))
    assert referee.outcome is not None
    return GameRecord(rules, black.name, white.name, tuple(steps), referee.outcome, handicap)
