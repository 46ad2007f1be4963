"""What can happen at a table, as the journal keeps it: JSON objects."""

from typing import Any, TypeAlias

from phantomgo.app.table.game import Game
from phantomgo.outcome import FAULTS, Ending, Outcome
from phantomgo.points import attempt_text, parse_attempt, parse_colour
from phantomgo.record import Step

Event: TypeAlias = dict[str, Any]
"""One of

    {"attempt": "D4", "seconds": 1.5}
    {"end": {"winner": "b", "ending": "time", "sentence": "..."}}
    {"undo": 1}                     the last attempt is taken back by a referee
    {"takeback": "black"}           a player's last move is, and all that came after it
    {"sits": "white", "name": ""}   the invitation is used up
    {"link": "white"}               a new link was made for this role; older ones are void
    {"asks": "white"}               to adjourn, or to go on if adjourned; null: no longer
    {"adjourned": true}
    {"guesses": "white", "points": ["D4"]}      a player's marks, all of them
    {"chances": {"truth": [0.5, ...], "black": [...], "white": [...]}}   worked out afterwards
    {"rematch": 123}                the table where the next game is played
"""


def attempted(step: Step, size: int) -> Event:
    """The event of an attempt on a board of this size."""
    return {"attempt": attempt_text(step.move, size), "seconds": step.seconds}


def ended(outcome: Outcome) -> list[Event]:
    """The event of an ending that the attempts do not show, if it is one."""
    if outcome.ending not in FAULTS:
        return []
    winner = None if outcome.winner is None else outcome.winner.letter
    ending = {"winner": winner, "ending": outcome.ending.value, "sentence": outcome.sentence}
    return [{"end": ending}]


def played(game: Game, event: Event) -> Game | None:
    """The game after an event of it; None if the event is no part of the game."""
    if "attempt" in event:
        game.attempt(parse_attempt(event["attempt"], game.rules.size), event["seconds"])
        return game
    if "end" in event:
        values = event["end"]
        winner = None if values["winner"] is None else parse_colour(values["winner"])
        game.end(Outcome(winner, None, Ending(values["ending"]), values["sentence"]))
        return game
    if "takeback" in event:
        return game.taken_back(parse_colour(event["takeback"]))
    return game.before_last() if "undo" in event else None
