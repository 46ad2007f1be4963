"""The lines that can be typed: points and moves, and the table of commands."""

import difflib
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from phantomgo.app.play.console import Console
from phantomgo.app.table import advice, saving
from phantomgo.app.table.facts import attempt_line, log_lines
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.players import ADVISER
from phantomgo.app.table.review import Review, decisive, review, study, summary
from phantomgo.app.table.viewer import Phase
from phantomgo.errors import PhantomGoError
from phantomgo.game.player import Decision
from phantomgo.game.points import COLUMNS, PASS, RESIGN, Colour, Move, PointSet, parse_move, vertex
from phantomgo.records.record_json import write_record
from phantomgo.values import read_whole

MAX_LINE: Final = 400

ALIASES: Final = {"?": "help", "exit": "quit"}
"""Aliases of commands."""
NOT_HERE: Final = {"undo": "Nothing can be undone: what the referee has said cannot be unheard."}
"""Commands of other programs, with the answers to them."""
WATCHING: Final = "That is for players; you are watching."
MOVES: Final = ("pass", "resign")
"""Attempts other than points; they are typed in full."""
_VERTEX: Final = re.compile(r"[a-zA-Z][0-9]+")


class PlayCommand(NamedTuple):
    """A command.

    Attributes:
        words: its name and its arguments, as `help` shows them.
        meaning: what it does.
        run: executes it, with its arguments.
        most: the maximum number of arguments, or None for any number.
        during: whether it can be given during the game.
        after: whether it can be given after the game.
        question: what is asked before it is done; it is typed again, in full, to confirm.
    """

    words: str
    meaning: str
    run: Callable[[Console, list[str]], None]
    most: int | None = 0
    during: bool = True
    after: bool = True
    question: str = ""

    @property
    def name(self) -> str:
        return self.words.split()[0]


def run(console: Console, line: str) -> None:
    """Execute a typed line; an unknown one gets a helpful answer."""
    console.table.tick()
    if console.leaving:
        console.leaving = False
        console.closed = line.strip().lower() in ("y", "yes")
        console.answer = ""
        return
    asked, console.asked = console.asked, ""
    console.answer = ""
    words, had_page = line.split(), bool(console.page)
    if words:
        words[0] = ALIASES.get(words[0].lower(), words[0])
    if len(line) > MAX_LINE:
        console.answer = f"Only lines of up to {MAX_LINE} characters are read."
    elif not words or (console.phase is Phase.CURTAIN and words[0].lower() != "quit"):
        console.enter()
    else:
        console.page, console.scroll = [], 0
        console.changed |= had_page
        try:
            _run_words(console, words, asked)
        except PhantomGoError as error:
            console.answer = f"{error}."


def _run_words(console: Console, words: list[str], asked: str) -> None:
    """Do what the words say; `asked` is the word that the line before has to be confirmed by."""
    if console.phase is Phase.OVER and read_whole(words[0]) is not None:
        words = ["goto", *words]
    word = words[0].lower()
    if word in MOVES or _VERTEX.fullmatch(word):
        move = RESIGN if word == "resign" else parse_move(word, console.game.rules.size)
        if len(words) == 1:
            _attempt(console, word, move, asked)
        else:
            console.answer = f"One attempt at a time: type {words[0]} alone."
    else:
        begun = [command for command in available(console) if _names(word, command)]
        exact = [command for command in begun if command.name == word]
        if len(exact or begun) == 1:
            _do(console, (exact or begun)[0], words, asked)
        else:
            console.answer = _unknown(console, words[0], [command.name for command in begun])


def _do(console: Console, command: PlayCommand, words: list[str], asked: str) -> None:
    """Execute a command, unless there are too many words or it has to be confirmed first."""
    word, *arguments = words
    if command.most is not None and len(arguments) > command.most:
        console.answer = f"Type `{command.words}`, without {arguments[command.most][:20]!r}."
    elif not command.question or _confirmed(console, word.lower(), command.question, asked):
        command.run(console, arguments)


def _names(word: str, command: PlayCommand) -> bool:
    """Return whether a word is a command's name, or the beginning of one that asks nothing."""
    return command.name == word or (not command.question and command.name.startswith(word))


def _confirmed(console: Console, word: str, question: str, asked: str) -> bool:
    """Return whether a word is typed for the second time in a row; if not, ask the question."""
    if word == asked:
        return True
    console.asked, console.answer = word, question
    return False


def available(console: Console) -> list[PlayCommand]:
    """Return the commands that can be given now."""
    over = console.phase is Phase.OVER
    return [command for command in COMMANDS if (command.after if over else command.during)]


def _unknown(console: Console, word: str, begun: list[str]) -> str:
    if word.lower() in NOT_HERE:
        return NOT_HERE[word.lower()]
    if begun:
        return f"{word[:20]!r} may be {', '.join(begun)}."
    if any(command.name == word.lower() for command in COMMANDS):
        when = "after" if console.phase is not Phase.OVER else "during"
        return f"`{word.lower()}` is for {when} the game."
    names = [command.name for command in available(console)] + [*MOVES]
    near = difflib.get_close_matches(word.lower(), names, 1)
    size = console.game.rules.size
    meant = f"; did you mean `{near[0]}`?" if near else "; `help` lists them."
    return (
        f"{word[:20]!r} is neither a point (A1 to {COLUMNS[size - 1]}{size}) nor a command{meant}"
    )


def _attempt(console: Console, word: str, move: Move, asked: str) -> None:
    """Make an attempt, after a question if it would end the game."""
    if console.phase is Phase.OVER:
        console.answer = "The game is over; `next` and `back` step through it."
    elif not console.their_turn:
        console.answer = f"{console.turn()}; Enter continues."
    elif objection := console.objection(move):
        console.answer = objection
    else:
        question = ""
        if move == RESIGN:
            question = "`resign` again gives the game up."
        elif move == PASS and console.pass_ends_game:
            question = f"{console.game.to_move.other} has passed: `pass` again ends the game."
        if not question or _confirmed(console, word, question, asked):
            console.table.attempt(move)


# During the game


def _mark(console: Console, words: list[str], *, clear: bool = False) -> None:
    """Add marks, or take them off; all of them if no points are named."""
    points: PointSet = 0
    for word in words:
        move = parse_move(word, console.game.rules.size)
        points |= 1 << move if move >= 0 else 0
    if console.facing is None:
        console.answer = WATCHING
        return
    marks = console.marks[console.facing]
    if clear:
        console.marks[console.facing] = marks & ~points if words else 0
    else:
        console.marks[console.facing] = marks | points
        console.answer = "" if words else "Mark which points? As in: mark D4 E5"
    console.changed = True


def _belief(console: Console, _words: list[str]) -> None:
    if console.facing is None:
        console.answer = WATCHING
        return
    view = console.game.view(console.facing)

    def take(heat: dict[int, float]) -> None:
        if console.phase is not Phase.CURTAIN and console.facing is view.colour:
            console.heat, console.changed = heat, True

    console.start("sampling worlds", lambda: advice.belief(view), take)


def _hint(console: Console, _words: list[str]) -> None:
    if console.facing is None or not console.their_turn:
        console.answer = WATCHING if console.facing is None else f"{console.turn()}."
        return
    view = console.game.view(console.facing)

    def take(decision: Decision) -> None:
        if console.game.view(view.colour) == view:
            move, chance = decision.move, decision.value
            console.hint, console.changed = move if move >= 0 else None, True
            would = f"{ADVISER} would attempt {vertex(move, view.rules.size)}"
            console.answer = would + (f"; your chance is {100 * chance:.0f} %." if chance else ".")

    console.start(f"{ADVISER} thinks for you", lambda: advice.hint(view), take)


# After the game


def _step(console: Console, words: list[str], sign: int) -> None:
    number = read_whole(words[0]) if words else 1
    if number is None:
        console.answer = f"{words[0][:20]!r} is not a whole number of steps."
    else:
        console.show(console.at + sign * number)


def _goto(console: Console, words: list[str]) -> None:
    number = read_whole(words[0]) if words else None
    if number is None:
        console.answer = f"Go to which attempt? 0 to {len(console.game.steps)}"
    else:
        console.show(number)


def _review(console: Console, _words: list[str]) -> None:
    game = console.game

    def work_out() -> tuple[Review, list[str]]:
        reviewed = Review.read(review(write_record(game.record())))
        return reviewed, [*_lessons(game, reviewed)]

    def take(judged: tuple[Review, list[str]]) -> None:
        reviewed, lines = judged
        console.chances = [*reviewed.chances.truth]
        console.reply(lines)

    console.start("judging every position", work_out, take)


def _lessons(game: TableGame, reviewed: Review) -> Iterator[str]:
    yield "What decided the game:"
    for number, what in decisive(game, reviewed):
        yield f"{number:4d}  {what}"
        if what.startswith(f"{number}. "):  # an attempt
            for words in list(study(game, reviewed, number))[1:]:
                yield f"      {words}"
    for what, black, white in summary(game, reviewed):
        yield f"      {what}: Black {black}, White {white}"
    yield "A number shows the game there; Enter returns to the boards."


# Any time


def _log(console: Console, _words: list[str]) -> None:
    size, facing = console.game.rules.size, console.facing
    if console.phase is Phase.OVER or facing is None:
        steps = enumerate(console.game.steps, 1)
        lines = [f"{number:4d}  {attempt_line(step, size)}" for number, step in steps]
    else:
        lines = log_lines(console.game.view(facing))
    console.reply(lines or ["Nothing has been said yet."])
    console.scroll = max(len(lines) - 1, 0)  # the latest is what is asked for


def _save(console: Console, words: list[str]) -> None:
    seats = {colour.word: colour for colour in Colour}
    seat = seats.get(words[-1].lower()) if len(words) > 1 else None
    name = " ".join(words if seat is None else words[:-1])
    if not name:
        console.answer = "Save under which name? As in: save game1"
        return
    if seat is None and len(words) > 1 and words[-2].lower().endswith(".sgf"):
        console.answer = f"{words[-1]} is not black or white."
        return
    try:
        file = saving.save(console.game, name, console.files, seat)
    except OSError as error:
        console.answer = f"{name}: {error.strerror}."
        return
    unread = "" if console.phase is Phase.OVER else " It shows the hidden stones: no peeking."
    console.answer = f"Saved {file}.{unread}"


def _help(console: Console, words: list[str]) -> None:
    commands, over = available(console), console.phase is Phase.OVER
    if words:
        word = words[0].lower()
        begun = ALIASES.get(word, word)
        commands = [c for c in COMMANDS if c.name.startswith(begun)] or commands
    moves = [("D4, pass, resign", "attempt a move, in your turn"), ("Enter", "continue")]
    lines = [] if over or words else moves
    lines += [(command.words, command.meaning) for command in commands]
    keys = "Tab completes, the arrows recall; Ctrl-C stops waiting, Ctrl-D leaves."
    console.reply([f"{left:<18} {right}" for left, right in lines] + ([] if words else [keys]))


COMMANDS: Final = (
    PlayCommand("mark POINT ...", "note guesses of enemy stones", _mark, most=None, after=False),
    PlayCommand(
        "clear [POINT ...]",
        "remove these, or all",
        partial(_mark, clear=True),
        most=None,
        after=False,
    ),
    PlayCommand("belief", "where enemy stones probably are", _belief, after=False),
    PlayCommand("hint", f"what {ADVISER} would attempt for you", _hint, after=False),
    PlayCommand(
        "go", "let the bots continue (Enter: one move)", lambda it, _: it.go(), after=False
    ),
    PlayCommand(
        "abandon",
        "end the game without a result",
        lambda it, _: it.table.abandon(),
        after=False,
        question="`abandon` again ends the game without a result.",
    ),
    PlayCommand("next [N]", "a step forward, or N", partial(_step, sign=1), most=1, during=False),
    PlayCommand("back [N]", "a step back, or N", partial(_step, sign=-1), most=1, during=False),
    PlayCommand("first", "to the beginning", lambda it, _: it.show(0), during=False),
    PlayCommand("last", "to the end", lambda it, _: it.show(len(it.game.moments)), during=False),
    PlayCommand(
        "goto N", "to attempt N; the number on its own does so too", _goto, most=1, during=False
    ),
    PlayCommand("review", "the moments that decided the game", _review, during=False),
    PlayCommand(
        "rematch", "another game, colours changed", lambda it, _: it.rematch(), during=False
    ),
    PlayCommand("log", "what the referee has said", _log),
    PlayCommand(
        "save NAME", "write NAME.json; at the end also NAME.sgf [COLOUR]", _save, most=None
    ),
    PlayCommand("board", "the board again", lambda it, _: it.reply([])),
    PlayCommand("help [COMMAND]", "this", _help, most=1),
    PlayCommand("quit", "leave", lambda it, _: it.ask_to_leave()),
)
"""All commands except moves, in the order of `help`."""
