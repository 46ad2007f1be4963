"""Play one game between two players under a referee."""

import time
from typing import Protocol, runtime_checkable

from phantomgo.game.beginning import START, Beginning
from phantomgo.game.outcome import Fault
from phantomgo.game.player import Player
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.record import PlayerInfo, Record
from phantomgo.game.recording import begin, recorded_attempt
from phantomgo.game.rules import Rules
from phantomgo.game.view import View


@runtime_checkable
class Listener(Protocol):
    """A player who is told how the game ended, such as an engine in another process.

    All earlier information is in the views they are asked with. Nothing is sent to a player while
    the other one thinks, so they cannot measure how often the other's attempts are refused.
    """

    def hear_end(self, view: View) -> None:
        """The game is over; `view` is the last one."""


def play_game(
    rules: Rules,
    black: Player,
    white: Player,
    beginning: Beginning = START,
    seeds: tuple[int | None, int | None] = (None, None),
) -> Record:
    """Play a game to its end, from the empty board or another beginning.

    A player's `Fault` loses the game. `seeds` are recorded, and nothing else.

    Raises:
        BadText: a game with these rules cannot begin like this.
    """
    referee, steps = begin(rules, beginning)
    players = {BLACK: black, WHITE: white}
    while referee.outcome is None:
        colour = referee.to_move
        began = time.perf_counter()
        try:
            move = players[colour].decide(referee.view(colour)).move
        except Fault as fault:
            referee.end(fault.outcome(colour))
            break
        steps.append(recorded_attempt(referee, move, time.perf_counter() - began))
    for side, player in players.items():
        if isinstance(player, Listener):
            player.hear_end(referee.view(side))
    assert referee.outcome is not None
    sides = PlayerInfo(black.name, seeds[0]), PlayerInfo(white.name, seeds[1])
    return Record(rules, *sides, tuple(steps), referee.outcome, beginning.handicap)
