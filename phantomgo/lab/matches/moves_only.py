"""Records of games from files that contain little more than the moves, such as SGF."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from phantomgo.errors import BadText
from phantomgo.game.points import BLACK, PASS, RESIGN, WHITE, Colour, Move, attempt_text
from phantomgo.game.record import PlayerInfo, Record, RecordedAttempt
from phantomgo.game.recording import recorded_attempt
from phantomgo.game.referee import Referee
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.records.sgf import SgfMove, read_sgf
from phantomgo.terminal import clean

MAX_NAME: Final = 200


def read_game(data: bytes) -> Record:
    """Read a whole game in SGF, one of ours or of ordinary Go, as `of_moves` does.

    Raises:
        BadText: it cannot be read, is of what one player was told, or a move is illegal.
    """
    game = read_sgf(data)
    if not game.whole:
        raise BadText("SGF of a position, or of what one player was told, is not of a whole game")
    said = {name: values[0] for name, values in game.root.items() if values}
    profile = said.get("RU", "").removeprefix("Phantom Go ")
    rules = Rules.profile(profile if profile in PROFILES else "olympiad", size=game.size)
    rules = rules if game.komi is None else replace(rules, komi=game.komi)
    winner = {"B": BLACK, "W": WHITE}.get(said.get("RE", "")[:1])
    moves = list(game.moves)
    if winner is not None and said["RE"][1:] in ("+R", "+Resign"):
        moves.append(SgfMove(winner.other, RESIGN))
    black, white = (said.get(name, "") for name in ("PB", "PW"))
    return of_moves(Referee(rules, black=game.black), moves, winner, black, white)


def of_moves(
    referee: Referee,
    moves: Iterable[tuple[Colour, Move, tuple[Move, ...]]],
    winner: Colour | None,
    black: str,
    white: str,
) -> Record:
    """The record of a game given by little more than its moves.

    Missing moves are filled in: a pass where a side moves twice, and at the end two passes, or a
    resignation if the board would be scored for the other side.

    Args:
        referee: before the first move.
        moves: each with its colour and the refused attempts before it.
        winner: None if nobody won or it is unknown.
        black: Black's name.
        white: White's name.

    Raises:
        BadText: a move is illegal, or made after the end of the game.
    """
    start, steps = referee.copy(), list[RecordedAttempt]()
    for number, (colour, move, tried) in enumerate(moves, 1):
        what = f"move {number}, {attempt_text(move, referee.rules.size)},"
        if colour is not referee.to_move and referee.outcome is None:
            steps.append(recorded_attempt(referee, PASS, 0))
        if referee.outcome is not None:
            raise BadText(f"{what} is made after the end of the game")
        for attempt in (*tried, move):
            if colour is referee.to_move and referee.outcome is None:  # else the tries ran out
                steps.append(recorded_attempt(referee, attempt, 0))
        if steps[-1].reason is not None and move != PASS:
            raise BadText(f"{what} is refused: {steps[-1].reason}")
    steps += [recorded_attempt(referee, move, 0) for move in _last(referee, winner)]
    assert referee.outcome is not None
    sides = [PlayerInfo(clean(name.strip())[:MAX_NAME] or "?") for name in (black, white)]
    rules, outcome = referee.rules, referee.outcome
    return Record(rules, sides[0], sides[1], tuple(steps), outcome, start.board.black)


def _last(referee: Referee, winner: Colour | None) -> list[Move]:
    """The attempts that end a game for its winner."""
    if referee.outcome is not None:
        return []
    scored, passes = referee.copy(), list[Move]()
    while scored.outcome is None:
        scored.attempt(scored.to_move, PASS)
        passes.append(PASS)
    if winner is None or scored.outcome.winner is winner:
        return passes
    return [PASS, RESIGN] if referee.to_move is winner else [RESIGN]
