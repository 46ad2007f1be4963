"""Short descriptions of books, books of moves and matrices."""

import math
import shlex
from collections.abc import Sequence
from typing import Any, Final

from phantomgo.estimates import wilson
from phantomgo.game.points import Colour, vertex
from phantomgo.game.symmetry import SYMMETRIES
from phantomgo.game.wording import counted
from phantomgo.lab.api.exploiting import Exploited
from phantomgo.lab.measure.best_response import POLICY
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.evaluation import BestResponse, Evaluation, Score
from phantomgo.portfolio.exploiter import CERTAINTY, hoeffding
from phantomgo.portfolio.line import Side, moves_of
from phantomgo.portfolio.movebook import MoveBook
from phantomgo.portfolio.packed import Packed
from phantomgo.terminal import columns

SITUATIONS: Final = 24
"""The most situations of a colour that are shown."""
MOVES: Final = 5
"""The most moves of a situation that are shown."""


def book_summary(book: Book) -> str:
    """A book in a few lines."""
    training = book.training
    games, won, drawn = training.games, training.black_wins, training.draws
    seeds = counted(training.seeds, "seed")
    if training.survivors is not None:
        seeds = f"{training.survivors} that halving left of {seeds}"
    lines = [
        f"{book.name}: {training.method} over {seeds}, {book.setup.words}",
        f"  {counted(games, 'game')}, of which Black won {100 * won / games:.1f} %"
        f" and {100 * drawn / games:.1f} % were drawn",
    ]
    for colour in Colour:
        side = book.side(colour)
        if not side.lines:
            lines.append(f"  {colour} {book.player(colour)} plays without the book")
            continue
        lines.append(
            f"  {colour} {book.player(colour)}: {counted(len(side.lines), 'line')},"
            f" at least {100 * side.value:.1f} % against each training seed"
        )
        if math.isfinite(side.moves):
            lines.append(f"    each plays the {moves_in_words(side)} of a game")
    bound = hoeffding(training.seeds, training.opponent_seeds)
    if training.is_complete and bound < 1 / 2:  # otherwise it says nothing
        lines.append(
            f"  the win rates it was learned from are known to within {100 * bound:.1f} points"
            f" ({100 * CERTAINTY:.0f} % for all at once)"
        )
    if book.trial is not None:
        rate, low, high = (100 * x for x in wilson(book.trial.won, book.trial.games))
        lines.append(
            f"  against its bot with fresh seeds it won {rate:.1f} % ({low:.1f} to {high:.1f},"
            f" 95 %) of {counted(book.trial.games, 'game')}"
        )
    if book.evaluation is not None:
        lines += _evaluation(book.evaluation, len(book.setup.symmetries))
    if book.best_response is not None:
        lines += _best_response(book.best_response)
    return "\n".join(lines)


def moves_in_words(*sides: Side) -> str:
    """The number of own moves that lines decide: `first 6 own moves`."""
    counts = sorted({moves_of(line) for side in sides for line in side.lines})
    least, most = counts[0], counts[-1]
    number = f"{least:g}" if least == most else f"{least:g} to {most:g}"
    return f"first {number} own moves"


def _evaluation(evaluation: Evaluation, most: int) -> list[str]:
    """The figures of an evaluation in lines; `most` is the number of the board's symmetries."""
    fresh, drawn = counted(evaluation.seeds, "fresh seed"), evaluation.symmetries
    what = f"  against the most dangerous of K' of {fresh} per colour, in % ± standard error"
    what += " (Black, White)"
    if drawn == 0:
        lines = [f"{what}:", *_scores(evaluation.plain)]
    else:
        there = "eight" if most == len(SYMMETRIES) else str(most)
        which = f"all {there}" if drawn == most else f"{drawn} drawn of the {there}"
        under = f"  as it is played (each pair under {which} symmetries), and without symmetries:"
        lines = [f"{what},", under, *_scores(evaluation.played, evaluation.plain)]
    if evaluation.without:
        own = f"  its bot without a book, estimated from {evaluation.own_seeds} seeds:"
        lines += [own, *_scores(evaluation.without)]
    return lines


def _scores(*scores: Sequence[Score]) -> list[str]:
    """A table with a line for each K'."""
    rows = zip(*scores, strict=True)
    return columns([[f"    K'={row[0].exploiter}", *map(_score, row)] for row in rows])


def _score(score: Score) -> str:
    rate, error, black, white = (
        100 * x for x in (score.rate, score.error, score.black, score.white)
    )
    return f"{rate:5.1f} ± {error:4.1f} ({black:5.1f}, {white:5.1f})"


def _best_response(response: BestResponse) -> list[str]:
    """The figures against a best response in lines."""
    sides = []
    for colour, rate in zip(Colour, (response.black, response.white), strict=True):
        value, low, high = (100 * x for x in wilson(rate * response.games, response.games))
        sides.append(f"{value:.1f} % ({low:.1f} to {high:.1f}, 95 %) as {colour}")
    who = effort_in_words(response.responder, response.responders, response.attempts)
    return [f"  against the best of {who} it wins", f"    {' and '.join(sides)}"]


def effort_in_words(kind: str, responders: int, attempts: float) -> str:
    """An effort in words: `4 responders (tree) of 0.5 million attempts`."""
    return f"{counted(responders, 'responder')} ({kind}) of {attempts:g} million attempts"


def moves_summary(book: MoveBook) -> str:
    """A book's provenance and its most frequent situations.

    Each is indented below the one it follows; the move that is played has a star.
    """
    growth = book.growth
    lines = [
        f"{book.name}: moves for {book.setup.title}",
        f"  {growth.method}, share above {growth.threshold:g}, first {growth.depth} moves;"
        f" {counted(growth.games, 'game')}, {growth.batch} at a time"
        + (f", Black won {100 * growth.black_wins / growth.games:.1f} %" if growth.games else "")
        + (f"; begun with a book {growth.start}" if growth.start else ""),
    ]
    for colour in Colour:
        situations = book.side(colour)
        known = sum(book.move(colour, told) is not None for told in situations)
        lines.append(f"  {colour}: {counted(len(situations), 'situation')}, a move for {known}")
        lines += _tree(book, colour)
    return "\n".join(lines)


def _tree(book: MoveBook, colour: Colour) -> list[str]:
    situations = book.side(colour)
    games = {told: sum(t.games for t in moves.values()) for told, moves in situations.items()}
    most = sorted(games, key=lambda told: (-games[told], told))[:SITUATIONS]
    return [_situation(book, colour, told) for told in sorted(most, key=str.split)]


def _situation(book: MoveBook, colour: Colour, told: str) -> str:
    """`C3 .: B3* 23/40, B2 4/11, 3 more`: the messages, and the moves with wins and games."""
    size, played = book.setup.rules.size, book.move(colour, told)
    moves = sorted(book.side(colour)[told].items(), key=lambda item: (-item[1].games, item[0]))
    shown = ", ".join(
        f"{vertex(move, size)}{'*' if move == played else ''} {tried.won:g}/{tried.games}"
        for move, tried in moves[:MOVES]
    )
    more = f", {len(moves) - MOVES} more" if len(moves) > MOVES else ""
    return f"    {'  ' * len(told.split())}{told or 'at first'}: {shown}{more}"


def matrix_summary(packed: Packed) -> str:
    """A matrix on one line."""
    counts, seeds = packed.counts, counted(packed.won.own, "seed")
    if packed.won.opponents != packed.won.own:
        seeds += f" against {packed.won.opponents}"
    drawn = f", {100 * counts.draws / counts.games:.1f} % drawn" if counts.draws else ""
    won = f"Black won {100 * counts.black_wins / counts.games:.1f} %{drawn}"
    games = counted(counts.games, "game")
    return f"{packed.name}: {packed.setup.title}; {seeds}, {games}, {won}"


def exploited_json(found: Exploited) -> dict[str, Any]:
    """The fields for JSON: for each effort its best responder, and all of them."""
    return {
        "player": found.player,
        "base": found.setup.black.name,
        "responder": found.responder,
        "efforts": [
            {
                "attempts": effort.attempts,
                "best": effort.best.seed,
                "rate": effort.best.rate()._asdict(),
                **{colour.word: effort.best.rate(colour)._asdict() for colour in Colour},
                "spread": effort.spread,
                "responders": [
                    {"seed": one.seed, "share": one.share, "games": one.games}
                    for one in effort.responses
                ],
            }
            for effort in found.efforts
        ],
    }


def exploited_text(found: Exploited) -> str:
    """A summary: the win rate of the best responder of each effort, and how to play it."""
    who = effort_in_words(
        found.responder, len(found.efforts[0].responses), found.efforts[0].attempts
    )
    rows = [["million attempts", "won %", "95 %", "games", *map(str, Colour), "all responders"]]
    for effort in found.efforts:
        best, shares = effort.best, sorted(one.share for one in effort.responses)
        rate, low, high = (f"{100 * value:.1f}" for value in best.rate())
        colours = [f"{100 * best.rate(colour).value:.1f}" for colour in Colour]
        each = " ".join(f"{100 * share:.1f}" for share in shares)
        number = str(best.games // 2)
        rows.append([f"{effort.attempts:g}", rate, f"{low} to {high}", number, *colours, each])
    left = 100 * (1 - found.rate.value)
    lines = [
        f"{found.player}: {found.setup.words}, against the best of {who}",
        *columns(rows),
        f"{found.player} is left at most {left:.1f} %: a true best response wins as much or more",
    ]
    if found.file is not None:
        plays = "policy:net=" if found.responder == POLICY else "book:"
        lines.append(f"to play it: phantomgo gtp --bot {shlex.quote(f'{plays}{found.file}')}")
    if found.measured is not None:
        lines.append(f"to see both: phantomgo book show {shlex.quote(str(found.measured))}")
    return "\n".join(lines)
