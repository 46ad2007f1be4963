"""Recording a game attempt by attempt, beginning one, and replaying a record to check it."""

from collections.abc import Iterator

from phantomgo.errors import BadRecord, BadText
from phantomgo.game.beginning import Beginning
from phantomgo.game.outcome import FAULTS, Ending, Outcome
from phantomgo.game.points import BLACK, RESIGN, WHITE, Colour, Move, attempt_text
from phantomgo.game.record import Record, RecordedAttempt
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.game.wording import line


def recorded_attempt(referee: Referee, move: Move, seconds: float) -> RecordedAttempt:
    """Make an attempt of the side to move, which took `seconds` to find; return it as recorded."""
    black, white = len(referee.view(BLACK).events), len(referee.view(WHITE).events)
    referee.attempt(referee.to_move, move)
    lines = _lines(referee.view(BLACK), black), _lines(referee.view(WHITE), white)
    return RecordedAttempt(*referee.log[-1], round(seconds, 4), *lines)


def _lines(view: View, heard: int) -> tuple[str, ...]:
    """The lines to a player after those they have heard."""
    return tuple([line(each, view.colour, view.rules.size) for each in view.events[heard:]])


def beginning_after(record: Record, moves: int) -> Beginning:
    """The beginning of a game that continues a recorded one after a number of moves.

    Raises:
        BadText: there are fewer.
    """
    accepted = [
        number
        for number, step in enumerate(record.steps, 1)
        if step.reason is None and step.move != RESIGN
    ]
    if not 0 <= moves <= len(accepted):
        raise BadText(f"the game has {len(accepted)} moves, not {moves}")
    steps = record.steps[: accepted[moves - 1] if moves else 0]
    return Beginning(record.handicap, tuple((step.colour, step.move) for step in steps))


def begin(rules: Rules, beginning: Beginning) -> tuple[Referee, list[RecordedAttempt]]:
    """The referee of a game that begins like this, and the attempts until then.

    Raises:
        BadText: by these rules no game does: an attempt is made out of turn, the last one is
            refused, or the game is over.
    """
    referee, steps = Referee(rules, black=beginning.handicap), list[RecordedAttempt]()
    for number, (colour, move) in enumerate(beginning.attempts, 1):
        what = f"attempt {number}, {colour}'s {attempt_text(move, rules.size)},"
        if colour is not referee.to_move:
            raise BadText(f"{what} is out of turn: by these rules {referee.to_move} is to move")
        steps.append(recorded_attempt(referee, move, 0))
        if referee.outcome is not None:
            raise BadText(f"{what} ends the game")
    if steps and steps[-1].reason is not None:
        raise BadText(f"{what} is refused by these rules: {steps[-1].reason}")
    return referee, steps


def replay(record: Record) -> Iterator[tuple[RecordedAttempt, Referee]]:
    """Yield each step of a record and the referee after it.

    Raises:
        BadRecord: an attempt is judged otherwise than the record says, is made out of turn or after
            the end, or a player was told something else.
    """
    referee = Referee(record.rules, black=record.handicap)
    for number, step in enumerate(record.steps, 1):
        if referee.outcome is not None:
            raise BadRecord(f"attempt {number} is made after the end: {referee.outcome.sentence}")
        if step.colour is not referee.to_move:
            raise BadRecord(
                f"attempt {number} is {step.colour}'s, but {referee.to_move} is to move"
            )
        again = recorded_attempt(referee, step.move, step.seconds)
        if again.reason is not step.reason:
            judged, recorded = again.reason or "legal", step.reason or "legal"
            raise BadRecord(f"attempt {number} is {judged}, the record has {recorded}")
        for side in Colour:
            lines, recorded_lines = again.lines(side), step.lines(side)
            if lines != recorded_lines:
                raise BadRecord(
                    f"attempt {number}: {side} is told {list(lines)},"
                    f" the record has {list(recorded_lines)}"
                )
        yield step, referee


def verify(record: Record) -> Referee:
    """Replay a record and check every answer, every announcement and the ending.

    Returns the referee at the end of the game.

    Raises:
        BadRecord: something in it is inconsistent.
    """
    referee = Referee(record.rules, black=record.handicap)
    for _, after in replay(record):
        referee = after
    if referee.outcome is None:
        _check_fault(record.outcome, referee.to_move)
        referee.end(record.outcome)
    elif referee.outcome != record.outcome:
        ended, recorded = map(_words, (referee.outcome, record.outcome))
        raise BadRecord(f"the game ends with {ended}, the record has {recorded}")
    return referee


def _words(outcome: Outcome) -> str:
    """Everything that an outcome says, on one line, as a record may come from anywhere."""
    words = f"{outcome.result} ({outcome.ending}: {outcome.sentence})"
    return " ".join(words.splitlines())


def _check_fault(outcome: Outcome, to_move: Colour) -> None:
    """Check an ending that the moves do not show: adjudication, or a fault of the side to move."""
    if outcome.ending is Ending.ADJUDICATION and outcome.winner and outcome.margin is None:
        return
    if outcome.ending not in FAULTS:
        raise BadRecord(f"the last attempt does not end the game, the record has {outcome.ending}")
    winner = None if outcome.ending is Ending.VOID else to_move.other
    if outcome.winner is not winner or outcome.margin is not None:
        raise BadRecord(f"{outcome.ending} while {to_move} is to move is not {outcome.result}")
