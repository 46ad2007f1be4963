"""What a sitting shows: boards, facts and the latest news, as a picture of a given width."""

from phantomgo.app.play import large
from phantomgo.app.play.draw import (
    Look,
    Picture,
    Scene,
    attempt_line,
    beside,
    draw_board,
    legend,
    text,
    true_scene,
    view_scene,
    width,
)
from phantomgo.app.play.sitting import Phase, Sitting
from phantomgo.board import Board
from phantomgo.messages import Accepted, Refused
from phantomgo.points import Colour
from phantomgo.record import Told
from phantomgo.view import View
from phantomgo.wording import sentence

GAP = 2
MARGIN = 3
"""Columns between boards, and between a board and words."""
NARROWEST = 26
"""Columns that words beside a board need; with fewer they stand below it."""
ENOUGH = 8
"""Lines that a long reply needs; with fewer it takes the place of the boards."""


def board(scene: Scene, look: Look, columns: int, rows: int, beside_it: int = 0) -> Picture:
    """The board as large as it fits: large, with space between the points, or close.

    It is large only if so many columns beside it stay free.
    """
    if look.lines and large.fits(scene.size, columns - beside_it, rows):
        return large.draw_large(scene)
    return draw_board(scene, look, close=width(draw_board(scene, look)) > columns)


def three_boards(
    truth: Board,
    views: tuple[View, View],
    step: Told | None,
    look: Look,
    columns: int = 10**6,
    rows: int = 10**6,
) -> Picture:
    """The true board and both views, side by side."""
    scenes = true_scene(truth, step), *(view_scene(view) for view in views)
    each = (columns - 2 * GAP) // 3
    blocks = [
        [*text(title, each, "class:title"), *board(scene, look, each, rows - 1)]
        for title, scene in zip(("True board", "Black's view", "White's view"), scenes, strict=True)
    ]
    return beside(blocks, GAP)


def page(sitting: Sitting, look: Look, columns: int = 80, rows: int = 10**6) -> Picture:
    """The picture, at most so many lines of it."""
    if sitting.phase is Phase.CURTAIN:
        return _curtain(sitting, columns)
    if sitting.facing is None or sitting.phase is Phase.OVER:
        return _everything(sitting, look, columns, rows)
    view = sitting.game.view(sitting.facing)
    scene = view_scene(view, sitting.marks[sitting.facing], sitting.heat, sitting.hint)
    drawn = board(scene, look, columns, rows, NARROWEST + MARGIN)
    room = columns - width(drawn) - MARGIN
    if room < NARROWEST:
        return [*drawn, *_words(sitting, look, columns, rows - len(drawn))][:rows]
    notes = text(legend(scene, look), room)
    words = _words(sitting, look, room, rows - len(notes) - 1)
    if notes[0][0][1]:
        words += [[], *notes]
    return beside([drawn, words], MARGIN)[:rows]


def _curtain(sitting: Sitting, columns: int) -> Picture:
    who = sitting.game.to_move
    return [
        [],
        *text(f"{who}, take your seat.", columns, "class:title"),
        *text("Press Enter when nobody else sees the screen.", columns),
    ]


def _everything(sitting: Sitting, look: Look, columns: int, rows: int) -> Picture:
    """The truth and both views, for watchers and after the game."""
    moment = sitting.moment
    boards = three_boards(moment.board, moment.views, moment.step, look, columns, rows - ENOUGH)
    size = sitting.game.rules.size
    words: Picture = []
    if sitting.page and rows - len(boards) < min(len(sitting.page), ENOUGH):
        return _scrolled(sitting, columns, rows)
    if sitting.page:
        words = _scrolled(sitting, columns, rows - len(boards))
    else:
        count = len(sitting.game.moments) - 1
        number = sitting.at if sitting.phase is Phase.OVER else count
        head = f"{number}/{count}  "
        head += "The beginning." if moment.step is None else attempt_line(moment.step, size)
        if sitting.chances is not None:
            head += f"   Black wins {100 * sitting.chances[number]:.0f} % of playouts"
        words += text(head, columns, "class:news")
        if moment.step is not None:
            for colour in Colour:
                if told := _told(sitting, number, colour):
                    words += text(f"   to {colour}: {told}", columns)
        for colour in Colour:
            words += text(_side(sitting, moment.view(colour)), columns)
    return [*boards, *words][:rows]


def _side(sitting: Sitting, view: View) -> str:
    colour, stones = view.colour, view.own.bit_count()
    counts = f"{stones} stones, {view.lost} lost, {view.hidden} of the enemy's hidden"
    return f"{colour} ({sitting.name(colour)}): {counts}{_clock(sitting, colour)}"


def _told(sitting: Sitting, number: int, colour: Colour) -> str:
    """What a player was told at an attempt."""
    moments = sitting.game.moments
    heard = len(moments[number - 1].view(colour).events)
    messages = moments[number].view(colour).events[heard:]
    return " ".join(sentence(message, colour, sitting.game.rules.size) for message in messages)


def _news(view: View) -> str:
    """The answer to the player's last attempt and what was said after it."""
    latest: list[str] = []
    for message in reversed(view.events):
        latest.insert(0, sentence(message, view.colour, view.rules.size))
        if isinstance(message, Accepted | Refused):
            break
    return " ".join(latest) or "Nothing has been said yet."


def _words(sitting: Sitting, look: Look, columns: int, rows: int) -> Picture:
    """Beside the board: a long reply, or the facts and what was said last."""
    if sitting.page:
        return _scrolled(sitting, columns, rows)
    assert sitting.facing is not None
    view = sitting.game.view(sitting.facing)
    rules = view.rules
    lines = text(
        f"{rules.size}x{rules.size}, komi {rules.komi:g}, {rules.profile_name or 'own rules'}",
        columns,
        "class:title",
    )
    for colour in Colour:
        lines += [[], *_player(sitting, view, colour, look, columns)]
    tries = f"; {view.refusals} refused this turn" if view.refusals else ""
    lines += [[], *text(f"Move {view.turn + view.opponent_turn + 1}{tries}.", columns)]
    lines += [[], *text(_news(view), columns, "class:news")]
    if sitting.phase is Phase.HANDOVER:
        lines += [[], *text("Your turn is over: Enter hides the board.", columns)]
    return lines


def _player(sitting: Sitting, view: View, colour: Colour, look: Look, columns: int) -> Picture:
    turn = ">" if sitting.game.to_move is colour else " "
    stone = f"class:{colour}".lower(), f" {look.stone(colour)} "
    head = f"{colour} ({sitting.name(colour)}){_clock(sitting, colour)}"
    if colour is view.colour:
        counts = f"{view.own.bit_count()} on the board, {view.lost} lost"
    else:
        bound = "at most " if view.rules.captures_to_capturer == "none" else ""
        counts = (
            f"{bound}{view.enemies} on the board, {view.hidden} of them hidden,"
            f" {view.taken} captured"
        )
    first, *rest = text(head, columns - 5, "class:title" if turn == ">" else "")
    lines: Picture = [[("class:title", turn), stone, ("", " "), *first]]
    for line in [*rest, *text(counts, columns - 5)]:
        lines.append([("", "     "), *line])
    return lines


def _clock(sitting: Sitting, colour: Colour) -> str:
    """`, 4:31 left`, or nothing without a clock."""
    left = sitting.clock(colour)
    if left is None:
        return ""
    minutes, seconds = divmod(max(int(left), 0), 60)
    return f", {minutes}:{seconds:02} left"


def _scrolled(sitting: Sitting, columns: int, rows: int) -> Picture:
    """The long reply, from the line scrolled to; where it is cut, the last line says so."""
    lines: Picture = []
    for line in sitting.page:
        lines += text(line, columns)
    if len(lines) <= rows:
        return lines
    room = max(rows - 1, 1)
    first = max(0, min(sitting.scroll, len(lines) - room))
    shown = lines[first : first + room]
    place = f"lines {first + 1} to {first + len(shown)} of {len(lines)}"
    more = text(f"{place}; PageUp, PageDown", columns, "class:coordinate")
    return [*shown, *more[:1]]


def status(sitting: Sitting, spinner: str = "") -> str:
    """The line above the prompt: what is being waited for, or the answer to what was typed."""
    work = sitting.work
    if work is None:
        return sitting.answer
    seconds, share = sitting.now() - work.began, work.share()
    bar = ""
    if share is not None:
        full = round(20 * share)
        bar = " [" + "#" * full + "." * (20 - full) + "]"
    note = f" ({sitting.note})" if sitting.note else ""
    words = f"{work.what}{bar} {seconds:.0f} s{note} (Ctrl-C: back to the prompt)"
    return f"{spinner} {words}".strip()


def prompt(sitting: Sitting) -> str:
    """What stands before what is typed."""
    if sitting.leaving:
        return "leave? "
    if sitting.phase is Phase.OVER:
        return "over> "
    if sitting.phase is Phase.CURTAIN:
        return "(Enter) "
    if sitting.his_turn:
        return f"{sitting.facing}> "
    return "(Enter: go on) " if sitting.work is None else ""
