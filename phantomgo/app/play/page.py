"""What a console has to show: boards, facts and the latest news, as a picture of a given width."""

from typing import Final

from gtp.display import counts
from phantomgo.app.play import large
from phantomgo.app.play.console import Console
from phantomgo.app.play.draw import Look, Picture, beside, draw_board, legend, text, width
from phantomgo.app.table.facts import attempt_line, clock_text, news, told
from phantomgo.app.table.scene import Scene
from phantomgo.app.table.viewer import Phase
from phantomgo.points import Colour
from phantomgo.view import View

GAP: Final = 2
"""Columns between boards."""
MARGIN: Final = 3
"""Columns between a board and words."""
NARROWEST: Final = 26
"""Columns that words beside a board need; with fewer they stand below it."""
ENOUGH: Final = 8
"""Lines that a long reply needs; with fewer it takes the place of the boards."""


def board(scene: Scene, look: Look, columns: int, rows: int, beside_it: int = 0) -> Picture:
    """The board as large as it fits: large, with space between the points, or close.

    It is large only if so many columns beside it stay free.
    """
    if look.lines and large.fits(scene.size, columns - beside_it, rows):
        return large.draw_large(scene)
    return draw_board(scene, look, close=width(draw_board(scene, look)) > columns)


def boards(
    scenes: list[tuple[str, Scene]],
    look: Look,
    columns: int = 10**6,
    rows: int = 10**6,
) -> Picture:
    """Boards with their titles, side by side."""
    each = (columns - GAP * (len(scenes) - 1)) // len(scenes)
    blocks = [
        [*text(title, each, "class:title"), *board(scene, look, each, rows - 1)]
        for title, scene in scenes
    ]
    return beside(blocks, GAP)


def page(console: Console, look: Look, columns: int = 80, rows: int = 10**6) -> Picture:
    """The picture, at most so many lines of it."""
    if console.phase is Phase.CURTAIN:
        return _curtain(console, columns)
    if console.facing is None or console.phase is Phase.OVER:
        return _everything(console, look, columns, rows)
    [(_, scene)] = console.scenes()
    drawn = board(scene, look, columns, rows, NARROWEST + MARGIN)
    room = columns - width(drawn) - MARGIN
    if room < NARROWEST:
        return [*drawn, *_words(console, look, columns, rows - len(drawn))][:rows]
    notes = text(legend(scene, look), room)
    words = _words(console, look, room, rows - len(notes) - 1)
    if notes[0][0][1]:
        words += [[], *notes]
    return beside([drawn, words], MARGIN)[:rows]


def _curtain(console: Console, columns: int) -> Picture:
    who = console.game.to_move
    return [
        [],
        *text(f"{who}, take your seat.", columns, "class:title"),
        *text("Press Enter when nobody else sees the screen.", columns),
    ]


def _everything(console: Console, look: Look, columns: int, rows: int) -> Picture:
    """The truth and both views, for watchers and after the game."""
    moment = console.moment
    drawn = boards(console.scenes(), look, columns, rows - ENOUGH)
    size = console.game.rules.size
    words: Picture = []
    if console.page and rows - len(drawn) < min(len(console.page), ENOUGH):
        return _scrolled(console, columns, rows)
    if console.page:
        words = _scrolled(console, columns, rows - len(drawn))
    else:
        count = len(console.game.moments) - 1
        number = console.at if console.phase is Phase.OVER else count
        head = f"{number}/{count}  "
        head += "The beginning." if moment.step is None else attempt_line(moment.step, size)
        if console.chances is not None:
            head += f"   Black wins {100 * console.chances[number]:.0f} % of playouts"
        words += text(head, columns, "class:news")
        truth = console.scenes()[0][1]
        if truth.black_area or truth.white_area:
            words += text(legend(truth, look).replace("\n", ", "), columns)
        if moment.step is not None:
            for colour in Colour:
                if heard := told(console.game, number, colour):
                    words += text(f"   to {colour}: {heard}", columns)
        for colour in Colour:
            words += text(_side(console, moment.view(colour)), columns)
    return [*drawn, *words][:rows]


def _side(console: Console, view: View) -> str:
    colour, stones = view.colour, view.own.bit_count()
    facts = f"{stones} stones, {view.lost} lost, {view.hidden} of the enemy's hidden"
    return f"{colour} ({console.name(colour)}): {facts}{_clock(console, colour)}"


def _words(console: Console, look: Look, columns: int, rows: int) -> Picture:
    """Beside the board: a long reply, or the facts and what was said last."""
    if console.page:
        return _scrolled(console, columns, rows)
    assert console.facing is not None
    view = console.game.view(console.facing)
    rules = view.rules
    lines = text(
        f"{rules.size}x{rules.size}, komi {rules.komi:g}, {rules.profile_name or 'own rules'}",
        columns,
        "class:title",
    )
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
    stone = f"class:{colour}".lower(), f" {look.stone(colour)} "
    head = f"{colour} ({console.name(colour)}){_clock(console, colour)}"
    first, *rest = text(head, columns - 5, "class:title" if turn == ">" else "")
    lines: Picture = [[("class:title", turn), stone, ("", " "), *first]]
    for line in [*rest, *text(counts(view, colour), columns - 5)]:
        lines.append([("", "     "), *line])
    return lines


def _clock(console: Console, colour: Colour) -> str:
    """`, 4:31 left`, or nothing without a clock."""
    left = console.table.clock(colour)
    return "" if left is None else f", {clock_text(left)}"


def _scrolled(console: Console, columns: int, rows: int) -> Picture:
    """The long reply, from the line scrolled to; where it is cut, the last line says so."""
    lines: Picture = []
    for line in console.page:
        lines += text(line, columns)
    if len(lines) <= rows:
        return lines
    room = max(rows - 1, 1)
    first = max(0, min(console.scroll, len(lines) - room))
    shown = lines[first : first + room]
    place = f"lines {first + 1} to {first + len(shown)} of {len(lines)}"
    more = text(f"{place}; PageUp, PageDown", columns, "class:coordinate")
    return [*shown, *more[:1]]


def status(console: Console, spinner: str = "") -> str:
    """The line above the prompt: what is being waited for, or the answer to what was typed."""
    work = console.work
    if work is None:
        return console.answer
    seconds, share = console.table.now() - work.began, work.share()
    bar = ""
    if share is not None:
        full = round(20 * share)
        bar = " [" + "#" * full + "." * (20 - full) + "]"
    note = f" ({console.note})" if console.note else ""
    words = f"{work.what}{bar} {seconds:.0f} s{note} (Ctrl-C: back to the prompt)"
    return f"{spinner} {words}".strip()


def prompt(console: Console) -> str:
    """What stands before what is typed."""
    if console.leaving:
        return "leave? "
    if console.phase is Phase.OVER:
        return "over> "
    if console.phase is Phase.CURTAIN:
        return "(Enter) "
    if console.their_turn:
        return f"{console.facing}> "
    return "(Enter: go on) " if console.work is None else ""
