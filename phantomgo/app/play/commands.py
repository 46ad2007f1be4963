"""What can be typed: points and moves, and the table of commands."""

import difflib
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from phantomgo.app.play import saving
from phantomgo.app.play.draw import attempt_line
from phantomgo.app.play.sitting import ADVISER, Phase, Sitting
from phantomgo.errors import PhantomGoError
from phantomgo.points import COLUMNS, PASS, RESIGN, Colour, Move, PointSet, parse_move, vertex
from phantomgo.wording import sentence

MAX_LINE: Final = 400
TURNING_POINTS: Final = 6

_VERTEX: Final = re.compile(r"[a-zA-Z][0-9]+")


class Command(NamedTuple):
    """A command.

    Attributes:
        words: it and its arguments, as `help` shows them.
        meaning: what it does.
        run: does it, with the words after it.
        during: it can be given during the game.
        after: it can be given after the game.
    """

    words: str
    meaning: str
    run: Callable[[Sitting, list[str]], None]
    during: bool = True
    after: bool = True

    @property
    def name(self) -> str:
        return self.words.split()[0]


def run(sitting: Sitting, line: str) -> None:
    """Do what was typed. Whatever it is, the worst that comes of it is a friendly answer."""
    sitting.tick()
    if sitting.leaving:
        sitting.leaving = False
        sitting.closed = line.strip().lower() in ("y", "yes")
        sitting.answer = ""
        return
    sitting.answer = ""
    words, had_page = line.split(), bool(sitting.page)
    if len(line) > MAX_LINE:
        sitting.answer = f"That is {len(line)} characters long; at most {MAX_LINE} are read."
    elif not words or (sitting.phase is Phase.CURTAIN and words[0] != "quit"):
        sitting.enter()
    else:
        sitting.page, sitting.scroll = [], 0
        sitting.changed |= had_page
        try:
            _run_words(sitting, words)
        except PhantomGoError as error:
            sitting.answer = f"{error}."


def _run_words(sitting: Sitting, words: list[str]) -> None:
    word = words[0].lower()
    size = sitting.game.rules.size
    if word in ("pass", "resign") and len(words) == 1:
        _attempt(sitting, PASS if word == "pass" else RESIGN)
    elif _VERTEX.fullmatch(word) and len(words) == 1:
        _attempt(sitting, parse_move(word, size))
    elif word.isascii() and word.isdecimal() and sitting.phase is Phase.OVER:
        _goto(sitting, words)
    else:
        found = [command for command in available(sitting) if command.name.startswith(word)]
        exact = [command for command in found if command.name == word]
        if len(exact or found) == 1:
            (exact or found)[0].run(sitting, words[1:])
        else:
            sitting.answer = _unknown(sitting, words[0], [command.name for command in found])


def available(sitting: Sitting) -> list[Command]:
    """The commands that can be given now."""
    over = sitting.phase is Phase.OVER
    return [command for command in COMMANDS if (command.after if over else command.during)]


def _unknown(sitting: Sitting, word: str, begun: list[str]) -> str:
    if begun:
        return f"{word[:20]!r} may be {', '.join(begun)}."
    if any(command.name == word.lower() for command in COMMANDS):
        when = "after" if sitting.phase is not Phase.OVER else "during"
        return f"`{word.lower()}` is for {when} the game."
    names = [command.name for command in available(sitting)] + ["pass", "resign"]
    near = difflib.get_close_matches(word.lower(), names, 1)
    size = sitting.game.rules.size
    meant = f"; did you mean `{near[0]}`?" if near else "; `help` lists them."
    return f"{word[:20]!r} is no point (A1 to {COLUMNS[size - 1]}{size}) and no command{meant}"


# Moves


def _attempt(sitting: Sitting, move: Move) -> None:
    view = None if sitting.facing is None else sitting.game.view(sitting.facing)
    if sitting.phase is Phase.OVER:
        sitting.answer = "The game is over; `next` and `back` step through it."
    elif view is None or not sitting.his_turn:
        sitting.answer = f"{sitting.turn()}; Enter goes on."
    elif move >= 0 and view.own >> move & 1:
        sitting.answer = f"Your own stone stands at {sitting.point_name(move)}."
    elif move >= 0 and view.located >> move & 1:
        sitting.answer = f"{view.colour.other} certainly stands at {sitting.point_name(move)}."
    else:
        sitting.attempt(move)


# During the game


def _seated(sitting: Sitting) -> Colour | None:
    """The colour of the person who asks; without one there is no view to answer from."""
    if sitting.facing is None:
        sitting.answer = "That is for who plays; you watch."
    return sitting.facing


def _points(sitting: Sitting, words: list[str]) -> PointSet:
    points = 0
    for word in words:
        move = parse_move(word, sitting.game.rules.size)
        if move >= 0:
            points |= 1 << move
    return points


def _mark(sitting: Sitting, words: list[str]) -> None:
    colour = _seated(sitting)
    if colour is not None:
        if not words:
            sitting.answer = "Mark which points? As in: mark D4 E5"
        sitting.marks[colour] |= _points(sitting, words)
        sitting.changed = True


def _clear(sitting: Sitting, words: list[str]) -> None:
    colour = _seated(sitting)
    if colour is not None:
        sitting.marks[colour] &= ~_points(sitting, words) if words else 0
        sitting.changed = True


def _belief(sitting: Sitting, _words: list[str]) -> None:
    colour = _seated(sitting)
    if colour is None:
        return
    view = sitting.game.view(colour)

    def count() -> dict[int, float]:
        from bots.heat import stone_shares  # noqa: PLC0415  (compiled code, half a second)

        return stone_shares(view)

    def take(heat: dict[int, float]) -> None:
        if sitting.phase is not Phase.CURTAIN and sitting.facing is colour:
            sitting.heat, sitting.changed = heat, True

    sitting.start("dealing hidden stones", count, take)


def _hint(sitting: Sitting, _words: list[str]) -> None:
    colour = _seated(sitting)
    if colour is None:
        return
    if not sitting.his_turn:
        sitting.answer = f"{sitting.turn()}."
        return
    view = sitting.game.view(colour)

    def think() -> Move:
        from phantomgo.app.play import advice  # noqa: PLC0415  (compiled code, half a second)

        return advice.hint(view, ADVISER)

    def take(move: Move) -> None:
        if sitting.game.view(colour) == view:
            sitting.hint = move if move >= 0 else None
            sitting.answer = f"{ADVISER} would attempt {vertex(move, view.rules.size)}."
            sitting.changed = True

    sitting.start(f"{ADVISER} thinks for you", think, take)


def _go(sitting: Sitting, _words: list[str]) -> None:
    sitting.go()


def _abandon(sitting: Sitting, _words: list[str]) -> None:
    sitting.abandon()


# After the game


def _step(sitting: Sitting, words: list[str], sign: int) -> None:
    sitting.show(sitting.at + sign * _number(words, 1))


def _goto(sitting: Sitting, words: list[str]) -> None:
    if not words or not (words[0].isascii() and words[0].isdecimal() and len(words[0]) < 10):
        sitting.answer = f"Go to which attempt? 0 to {len(sitting.game.steps)}"
    else:
        sitting.show(int(words[0]))


def _number(words: list[str], otherwise: int) -> int:
    good = words and words[0].isascii() and words[0].isdecimal() and len(words[0]) < 10
    return int(words[0]) if good else otherwise


def _end(sitting: Sitting, _words: list[str], *, first: bool) -> None:
    sitting.show(0 if first else len(sitting.game.moments))


def _review(sitting: Sitting, _words: list[str]) -> None:
    game, done = sitting.game, [0]

    def judge() -> list[float]:
        from phantomgo.app.play import advice  # noqa: PLC0415  (compiled code, half a second)

        return advice.chances(game, lambda number: done.__setitem__(0, number))

    def take(shares: list[float]) -> None:
        sitting.chances = shares
        sitting.page, sitting.scroll, sitting.changed = list(_turning_points(sitting)), 0, True

    sitting.start("judging every position", judge, take, lambda: done[0] / len(game.moments))


def _turning_points(sitting: Sitting) -> Iterator[str]:
    from phantomgo.app.play import advice  # noqa: PLC0415  (compiled code, half a second)

    game, shares = sitting.game, sitting.chances or []
    yield "Where Black's chance to win changed most, by playouts from the true board:"
    for number, change in advice.turning_points(game, shares, TURNING_POINTS):
        step, now = game.steps[number - 1], shares[number]
        what = f"{step.colour} {vertex(step.move, game.rules.size)}"
        yield f"{number:4d}  {what}: {100 * (now - change):.0f} % -> {100 * now:.0f} %"
    yield "A number shows the game there; Enter goes back to the boards."


# Any time


def _log(sitting: Sitting, _words: list[str]) -> None:
    size, facing = sitting.game.rules.size, sitting.facing
    if sitting.phase is Phase.OVER or facing is None:
        lines = [
            f"{number:4d}  {attempt_line(step, size)}"
            for number, step in enumerate(sitting.game.steps, 1)
        ]
    else:
        view = sitting.game.view(facing)
        lines = [sentence(message, facing, size) for message in view.events]
    sitting.page = lines or ["Nothing has been said yet."]
    sitting.scroll = max(len(lines) - 1, 0)  # the latest is what is asked for
    sitting.changed = True


def _save(sitting: Sitting, words: list[str]) -> None:
    name = " ".join(words)
    if not name:
        sitting.answer = "Save under which name? As in: save game1"
        return
    try:
        files = saving.save(sitting.game, name, sitting.files)
    except OSError as error:
        sitting.answer = f"{name}: {error.strerror}."
        return
    unread = "" if sitting.phase is Phase.OVER else " It holds the truth: no peeking."
    sitting.answer = f"Saved {', '.join(map(str, files))}.{unread}"


def _board(sitting: Sitting, _words: list[str]) -> None:
    sitting.page, sitting.changed = [], True


def _quit(sitting: Sitting, _words: list[str]) -> None:
    sitting.ask_to_leave()


def _help(sitting: Sitting, words: list[str]) -> None:
    commands = available(sitting)
    if words:
        commands = [c for c in COMMANDS if c.name.startswith(words[0].lower())] or commands
    moves = [("D4, pass, resign", "attempt a move, in your turn"), ("Enter", "go on")]
    over = sitting.phase is Phase.OVER
    lines = [] if over or words else moves
    lines += [(command.words, command.meaning) for command in commands]
    keys = "" if words else "Tab completes, the arrows recall; Ctrl-C stops waiting, Ctrl-D leaves."
    sitting.page = [f"{left:<18} {right}" for left, right in lines] + ([keys] if keys else [])
    sitting.scroll, sitting.changed = 0, True


COMMANDS: Final = (
    Command("mark POINT ...", "note guesses of enemy stones", _mark, after=False),
    Command("clear [POINT ...]", "take these off, or all", _clear, after=False),
    Command("belief", "where enemy stones probably are", _belief, after=False),
    Command("hint", f"what {ADVISER} would attempt for you", _hint, after=False),
    Command("go", "let the bots play on (Enter: once)", _go, after=False),
    Command("abandon", "end the game without a result", _abandon, after=False),
    Command("next [N]", "a step on, or N", partial(_step, sign=1), during=False),
    Command("back [N]", "a step back, or N", partial(_step, sign=-1), during=False),
    Command("first", "to the beginning", partial(_end, first=True), during=False),
    Command("last", "to the end", partial(_end, first=False), during=False),
    Command("goto N", "to attempt N; the number alone does it too", _goto, during=False),
    Command("review", "the moments that decided the game", _review, during=False),
    Command("log", "what the referee has said", _log),
    Command("save NAME", "write a record; SGF, too, at the end", _save),
    Command("board", "the board again", _board),
    Command("help [COMMAND]", "this", _help),
    Command("quit", "leave", _quit),
)
"""Everything that can be typed beside moves, in the order of `help`."""
