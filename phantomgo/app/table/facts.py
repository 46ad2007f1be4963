"""Sentences beside a board: pure functions of a view, or of a game that may be seen."""

from typing import Final

from phantomgo.app.table.game import Game
from phantomgo.messages import Accepted, Moved, Passed, Refused
from phantomgo.outcome import Ending, Outcome
from phantomgo.points import PASS, Colour, attempt_text
from phantomgo.record import Step
from phantomgo.view import View
from phantomgo.wording import sentence

NAME: Final = 40
"""Characters of a player's name that are shown."""
HOW: Final = {
    Ending.RESIGN: "by resignation",
    Ending.TIME: "on time",
    Ending.ATTEMPTS: "by too many refused attempts",
    Ending.PROTOCOL: "by a fault",
    Ending.CRASH: "by a crash",
    Ending.STALL: "by forfeit",
    Ending.ADJUDICATION: "by adjudication",
}
"""Endings of games that were not scored."""


def shortened(name: str) -> str:
    """Return a player's name, not too long to be shown."""
    return name if len(name) <= NAME else name[: NAME - 3] + "..."


def heard(view: View, since: int = 0) -> list[str]:
    """Return what the referee has said to a player, a sentence each."""
    return [sentence(message, view.colour, view.rules.size) for message in view.events[since:]]


def log_lines(view: View) -> list[str]:
    """Return what the referee has said to a player, with the numbers of the moves it is about."""
    lines, number = [], 0
    for message, words in zip(view.events, heard(view), strict=True):
        number += isinstance(message, Accepted | Moved | Passed)
        about = {Accepted: number, Moved: number, Passed: number, Refused: number + 1}
        lines.append(f"{about.get(type(message), ''):>4}  {words}")
    return lines


def news(view: View) -> str:
    """Return the answer to the player's last attempt and what was announced after it."""
    answers = (n for n, it in enumerate(view.events) if isinstance(it, Accepted | Refused))
    return " ".join(heard(view, max(answers, default=0))) or "Nothing has been said yet."


def told(game: Game, number: int, colour: Colour) -> str:
    """Return what a player heard about an attempt, counted from 1."""
    known = len(game.moments[number - 1].view(colour).events)
    return " ".join(heard(game.moments[number].view(colour), known))


def ending(outcome: Outcome, colour: Colour | None = None) -> str:
    """Return who won, in words: to a player of this colour, or to anybody."""
    if outcome.winner is None:
        return "The game is drawn." if outcome.ending is not Ending.VOID else "There is no result."
    how = f"by {abs(outcome.margin):g}" if outcome.margin is not None else HOW[outcome.ending]
    if colour is None:
        return f"{outcome.winner} wins {how}."
    return f"You {'won' if outcome.winner is colour else 'lost'} {how}."


def score(game: Game) -> str:
    """Return how a finished game ended, with the areas if it was scored."""
    outcome, rules = game.outcome, game.rules
    assert outcome is not None
    words = f"{outcome.sentence[:1].upper()}{outcome.sentence[1:]} ({outcome.result})."
    if outcome.margin is None:
        return words
    black, white = (area.bit_count() for area in game.moments[-1].board.areas())
    return f"{words} Black has {black} points, White {white} and {rules.komi:g} komi."


def clock_text(seconds: float) -> str:
    """Return a clock as `4:31 left`."""
    minutes, rest = divmod(max(int(seconds), 0), 60)
    return f"{minutes}:{rest:02} left"


def attempt_words(step: Step, size: int) -> str:
    """Return an attempt with its answer: `Black: D4 is refused (occupied)`."""
    if step.move < 0:
        return f"{step.colour} {'passes' if step.move == PASS else 'resigns'}"
    answer = "stands" if step.reason is None else f"is refused ({step.reason})"
    return f"{step.colour}: {attempt_text(step.move, size)} {answer}"


def attempt_line(step: Step, size: int) -> str:
    """Return the same with its time: `Black: D4 is refused (occupied), 0.012 s`."""
    return f"{attempt_words(step, size)}, {step.seconds:.3f} s"
