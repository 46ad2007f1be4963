"""Sentences next to a board: pure functions of a view, or of a game that may be seen."""

from typing import Final

from phantomgo.app.table.game import TableGame
from phantomgo.game.messages import Accepted, Moved, Passed, Refused
from phantomgo.game.outcome import Ending, Outcome
from phantomgo.game.points import PASS, Colour, attempt_text
from phantomgo.game.record import RecordedAttempt
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.game.wording import REASONS, sentence
from phantomgo.phrase import Phrase, sentences

NAME: Final = 40
"""Length to which the name of a player is shortened."""
HOW: Final = {
    Ending.RESIGN: Phrase("by resignation"),
    Ending.TIME: Phrase("on time"),
    Ending.ATTEMPTS: Phrase("by too many refused attempts"),
    Ending.PROTOCOL: Phrase("by a fault"),
    Ending.CRASH: Phrase("by a crash"),
    Ending.STALL: Phrase("by forfeit"),
    Ending.ADJUDICATION: Phrase("by adjudication"),
}
"""Endings of games that were not scored."""
ABANDONED: Final = "to move, the game was abandoned"
"""The reason why an abandoned game ended; a colour goes before it."""
CANCELLED: Final = "to move, the table was cancelled"
"""The reason why a game ended that nobody joined, likewise."""


def shortened(name: str) -> str:
    """Return a player's name, shortened to `NAME` characters."""
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
    said = sentences(heard(view, max(answers, default=0)))
    return said or Phrase("Nothing has been said yet.")


def told(game: TableGame, number: int, colour: Colour) -> str:
    """Return what a player heard about an attempt, counted from 1."""
    before = len(game.moments[number - 1].view(colour).events)
    return sentences(heard(game.moments[number].view(colour), before))


def ending(outcome: Outcome, colour: Colour | None = None) -> str:
    """Return who won, in words: to a player of this colour, or to anybody."""
    if outcome.winner is None:
        void = outcome.ending is Ending.VOID
        return Phrase("There is no result.") if void else Phrase("The game is drawn.")
    margin = outcome.margin
    how = (
        HOW[outcome.ending] if margin is None else Phrase("by {points}", points=f"{abs(margin):g}")
    )
    if colour is None:
        return Phrase("{winner} wins {how}.", winner=outcome.winner, how=how)
    if outcome.winner is colour:
        return Phrase("You won {how}.", how=how)
    return Phrase("You lost {how}.", how=how)


def score(game: TableGame) -> str:
    """Return how a finished game ended, with the areas if it was scored."""
    outcome, rules = game.outcome, game.rules
    assert outcome is not None
    words = Phrase("{how} ({result}).", how=ending_words(outcome, rules), result=outcome.result)
    if outcome.margin is None:
        return words
    black, white = (area.bit_count() for area in game.moments[-1].board.areas())
    areas = Phrase(
        "Black has {black} points, White {white} and {komi} komi.",
        black=black,
        white=white,
        komi=f"{rules.komi:g}",
    )
    return sentences((words, areas))


def ending_words(outcome: Outcome, rules: Rules) -> str:
    """Return the ending of a game in words; a program's fault is given as it was noted."""
    loser, margin = outcome.winner and outcome.winner.other, outcome.margin or 0.0
    points = f"{abs(margin):g}"
    wins = Phrase("{winner} wins by {points}", winner=outcome.winner, points=points)
    won = wins if margin else Phrase("the game is drawn")
    reason = outcome.sentence.partition(" ")[2]
    match outcome.ending:
        case Ending.SCORE:
            return Phrase("Both players passed; {won}", won=won)
        case Ending.MOVE_LIMIT:
            return Phrase("{count} moves were played; {won}", count=rules.moves_limit, won=won)
        case Ending.REPETITION:
            return Phrase("The position is repeated; the game is drawn")
        case Ending.RESIGN:
            return Phrase("{player} resigns", player=loser)
        case Ending.TIME:
            return Phrase("{loser} ran out of time", loser=loser)
        case Ending.ATTEMPTS:
            count = rules.tries_limit
            return Phrase(
                "{loser} had {count} attempts refused in one turn", loser=loser, count=count
            )
        case Ending.VOID if reason == ABANDONED:
            return Phrase("The game was abandoned")
        case Ending.VOID if reason == CANCELLED:
            return Phrase("The table was cancelled before anybody joined")
    return f"{outcome.sentence[:1].upper()}{outcome.sentence[1:]}"


def clock_text(seconds: float) -> str:
    """Return a clock as `4:31 left`."""
    return Phrase("{clock} left", clock=clock_digits(seconds))


def clock_digits(seconds: float) -> str:
    """Return a clock as `4:31`."""
    minutes, rest = divmod(max(int(seconds), 0), 60)
    return f"{minutes}:{rest:02}"


def attempt_words(step: RecordedAttempt, size: int) -> str:
    """Return an attempt with its answer: `Black: D4 is refused (occupied)`."""
    player, point, reason = step.colour, attempt_text(step.move, size), step.reason
    if step.move < 0:
        resigns = Phrase("{player} resigns", player=player)
        return Phrase("{player} passes", player=player) if step.move == PASS else resigns
    if reason is None:
        return Phrase("{player}: {point} is accepted", player=player, point=point)
    return Phrase(
        "{player}: {point} is refused ({reason})",
        player=player,
        point=point,
        reason=REASONS[reason],
    )


def attempt_line(step: RecordedAttempt, size: int) -> str:
    """Return the same with its time: `Black: D4 is refused (occupied), 0.012 s`."""
    attempt, seconds = attempt_words(step, size), f"{step.seconds:.3f}"
    return Phrase("{attempt}, {seconds} s", attempt=attempt, seconds=seconds)
