"""Play one game between two players under a referee."""

from dataclasses import dataclass

from phantomgo.outcome import Outcome
from phantomgo.player import Player
from phantomgo.points import BLACK, WHITE
from phantomgo.referee import Attempt, Referee
from phantomgo.rules import Rules


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game: the rules, who played, every attempt, and how it ended."""

    rules: Rules
    black: str
    white: str
    attempts: tuple[Attempt, ...]
    outcome: Outcome


def play_game(rules: Rules, black: Player, white: Player) -> GameRecord:
    """Play a game from the empty board to its end."""
    referee = Referee(rules)
    players = {BLACK: black, WHITE: white}
    while referee.outcome is None:
        colour = referee.to_move
        referee.attempt(colour, players[colour].propose(referee.view(colour)))
    return GameRecord(rules, black.name, white.name, tuple(referee.log), referee.outcome)
