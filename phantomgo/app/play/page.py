"""The picture of a console, of a given size: boards, facts and the latest news."""

from typing import Final

from gtp.display import counts
from phantomgo.app.play.console import Console
from phantomgo.app.play.draw import Look, Picture, beside, draw_board, legend, text, width
from phantomgo.app.table.facts import attempt_line, clock_text, news, told
from phantomgo.app.table.scene import Scene
from phantomgo.app.table.viewer import Phase
from phantomgo.game.points import Colour
from phantomgo.game.view import View
from phantomgo.game.wording import counted

GAP: Final = 2
"""Columns between boards."""
MARGIN: Final = 3
"""Columns between a board and words."""
NARROWEST: Final = 26
"""Columns that the text next to a board needs; with fewer it is below the board."""
ENOUGH: Final = 8
"""Lines that a long reply needs; with fewer it replaces the boards."""


def boards(scenes: list[tuple[str, Scene]], look: Look, columns: int = 10**6) -> Picture:
    """Return boards with their titles, side by side, as many as there is room for."""
    fitting = (columns + GAP) // (scenes[0][1].size + 3 + GAP)
    scenes = scenes[: max(fitting, 1)]
    each = (columns - GAP * (len(scenes) - 1)) // len(scenes)
    blocks = [
        [*text(title, each, "class:title"), *draw_board(scene, look, each)]
        for title, scene in scenes
    ]
    return beside(blocks, GAP)


def page(console: Console, look: Look, columns: int = 80, rows: int = 10**6) -> Picture:
    """Return the picture, with at most this many lines."""
    if console.phase is Phase.CURTAIN:
        title = text(f"{console.game.to_move}, take your seat.", columns, "class:title")
        return [[], *title, *text("Press Enter when nobody else sees the screen.", columns)]
    if console.facing is None or console.phase is Phase.OVER:
        return _everything(console, look, columns, rows)
    [(_, scene)] = console.scenes()
    drawn = draw_board(scene, look, columns)
    room = columns - width(drawn) - MARGIN
    if room < NARROWEST and len(drawn) + ENOUGH > rows:
        drawn = draw_board(scene, look, 0)
        room = columns - width(drawn) - MARGIN
    if room < NARROWEST:
        drawn = [] if console.page and rows - len(drawn) < ENOUGH else drawn
        return _cut([*drawn, *_words(console, look, columns, rows - len(drawn))], columns, rows)
    notes = text(legend(scene, look), room)
    words = _words(console, look, room, rows - len(notes) - 1)
    words += [[], *notes] if notes[0][0][1] else []
    return _cut(beside([drawn, words], MARGIN), columns, rows)


def _cut(picture: Picture, columns: int, rows: int) -> Picture:
    """As many lines as fit; the last one says how many do not."""
    if len(picture) <= rows:
        return picture
    missing = len(picture) - rows + 1
    words = f"{counted(missing, 'line')} more; the screen is too small"
    return [*picture[: rows - 1], *text(words, columns, "class:news")[:1]]


def _everything(console: Console, look: Look, columns: int, rows: int) -> Picture:
    """The full board and both views, for watchers and after the game."""
    game, moment = console.game, console.moment
    drawn = boards(console.scenes(), look, columns)
    if console.page:
        crowded = rows - len(drawn) < min(len(console.page), ENOUGH)
        drawn = [] if crowded else drawn
        return _cut([*drawn, *_scrolled(console, columns, rows - len(drawn))], columns, rows)
    size, count = game.rules.size, len(game.moments) - 1
    number = console.at if console.phase is Phase.OVER else count
    head = "The beginning." if moment.step is None else attempt_line(moment.step, size)
    if console.chances is not None:
        head += f"   Black wins {100 * console.chances[number]:.0f} % of playouts"
    lines = text(f"{number}/{count}  {head}", columns, "class:news")
    truth = console.scenes()[0][1]
    if truth.black_area or truth.white_area:
        lines += text(legend(truth, look).replace("\n", ", "), columns)
    for colour in Colour if number else ():
        if heard := told(game, number, colour):
            lines += text(f"   to {colour}: {heard}", columns)
    for view in moment.views:
        stones = f"{counted(view.own.bit_count(), 'stone')}, {view.lost} lost"
        facts = f"{stones}, {view.hidden} of the enemy's hidden{_clock(console, view.colour)}"
        named = f"{view.colour} ({console.name(view.colour)})"
        lines += text(f"{named}: {facts}", columns)
    crowded = rows < len(drawn) + len(lines)  # what is said is seen at least
    return _cut([*lines, *drawn] if crowded else [*drawn, *lines], columns, rows)


def _words(console: Console, look: Look, columns: int, rows: int) -> Picture:
    """The text next to the board: a long reply, or the facts and the latest news."""
    if console.page:
        return _scrolled(console, columns, rows)
    assert console.facing is not None
    view = console.game.view(console.facing)
    rules = view.rules
    title = f"{rules.size}x{rules.size}, komi {rules.komi:g}, {rules.profile_name or 'own rules'}"
    lines = text(title, columns, "class:title")
    for colour in Colour:
        lines += [[], *_player(console, view, colour, look, columns)]
    tries = f"; {view.refusals} refused this turn" if view.refusals else ""
    lines += [[], *text(f"Move {view.turn + view.opponent_turn + 1}{tries}.", columns)]
    lines += [[], *text(news(view), columns, "class:news")]
    if console.phase is Phase.HANDOVER:
        lines += [[], *text("Your turn is over: Enter hides the board.", columns)]
    return lines


def _player(console: Console, view: View, colour: Colour, look: Look, columns: int) -> Picture:
    turn = ">" if console.game.to_move is colour else " "
    stone = f"class:{colour.word}", f" {look.stone(colour)} "
    head = f"{colour} ({console.name(colour)}){_clock(console, colour)}"
    first, *rest = text(head, columns - 5, "class:title" if turn == ">" else "")
    lines: Picture = [[("class:title", turn), stone, ("", " "), *first]]
    rest += text(counts(view, colour), columns - 5)
    return lines + [[("", "     "), *line] for line in rest]


def _clock(console: Console, colour: Colour) -> str:
    """`, 4:31 left`, or nothing without a clock."""
    left = console.table.clock(colour)
    return "" if left is None else f", {clock_text(left)}"


def _scrolled(console: Console, columns: int, rows: int) -> Picture:
    """The long reply, from the line scrolled to; where it is cut, the last line says so.

    The size of the screen is known only here, so the console's scrolling is bounded here.
    """
    lines = [row for line in console.page for row in text(line, columns)]
    if len(lines) <= rows:
        return lines
    room = max(rows - 1, 1)
    first = max(0, min(console.scroll, len(lines) - room))
    console.scroll, console.leaf = first, room
    shown = lines[first : first + room]
    place = f"{first + 1}-{first + len(shown)} of {len(lines)}: PgUp, PgDn"
    return [*shown, *text(place, columns, "class:coordinate")[:1]]


def status(console: Console, spinner: str = "") -> str:
    """Return the line above the prompt: the work in progress, or the answer to what was typed."""
    work = console.work
    if work is None:
        return console.answer
    seconds = console.table.now() - work.began
    note = f" ({console.note})" if console.note else ""
    words = f"{work.what} {seconds:.0f} s{note} (Ctrl-C: back to the prompt)"
    return f"{spinner} {words}".strip()


def prompt(console: Console) -> str:
    """Return the prompt."""
    if console.leaving:
        return "leave? "
    if console.phase is Phase.OVER:
        return "over> "
    if console.phase is Phase.CURTAIN:
        return "(Enter) "
    if console.their_turn:
        return f"{console.facing}> "
    return "(Enter: continue) " if console.work is None else ""
