"""The whole picture of a console."""

import pytest

from phantomgo.app.play.draw import ASCII, DRAWN, draw_board, plain, width
from phantomgo.app.play.page import page, prompt, status
from phantomgo.app.table.players import HUMAN
from tests.support.play_tools import Scripted, Slow, new_game, say, seen, sit


def test_what_is_shown_depends_on_the_view_alone():
    pictures = []
    for hidden in ("E5 A1", "E4 A2"):
        chair = sit(new_game(), Scripted(hidden))
        say(chair, "c3", "c2", "belief", "hint")
        pictures.append([seen(chair), chair.answer, status(chair), prompt(chair)])
        say(chair, "log")
        pictures[-1].append(seen(chair))
    assert pictures[0] == pictures[1]


def test_a_board_to_read():
    chair = sit(new_game(size=9), Scripted("J9 H9 J8 pass"))
    say(chair, "c3", "d3", "e3", "j9", "mark g7", "e5")
    assert seen(chair).splitlines() == [
        "   A B C D E F G H J     9x9, komi 7.5, olympiad",
        " 9 . . . . . . . . ? 9",
        " 8 . . . . . . . . . 8   > X  Black (you)",
        " 7 . . + . . . o . . 7        4 on the board, 0 lost",
        " 6 . . . . . . . . . 6",
        " 5 . . . .(X). . . . 5     O  White (random)",
        " 4 . . . . . . . . . 4        3 on the board, 3 of them hidden, 0 captured",
        " 3 . . X X X . + . . 3",
        " 2 . . . . . . . . . 2   Move 9.",
        " 1 . . . . . . . . . 1",
        "   A B C D E F G H J     Black's move E5 is accepted. White has passed.",
        "",
        "                         ? refused",
        "                         o your guess",
    ]


def test_colours_differ_without_colour():
    chair = sit(new_game(size=9), Scripted("D5 pass"))
    say(chair, "d4", "e5", "c5", "d5")  # refused: White certainly stands there
    [(_, scene)] = chair.scenes()
    parts = [part for line in draw_board(scene, DRAWN) for part in line]
    black, white = (
        {text for style, text in parts if style == f"class:{colour}"}
        for colour in ("black", "white")
    )
    assert (len(black), len(white), black & white) == (1, 1, set())


@pytest.mark.parametrize("size", [2, 9, 19])
def test_pages_keep_to_the_screen(size):
    chair = sit(new_game(size=size), Scripted())
    say(chair, "a1", "b1")
    for typed_line in ("help", "log", "", "pass", "pass", "", "help", "log", "review"):
        say(chair, typed_line)
        for columns, rows in ((80, 24), (120, 40), (40, 10), (10, 3), (300, 100)):
            for look in (ASCII, DRAWN):
                picture = page(chair, look, columns, rows)
                assert len(picture) <= rows
                if columns >= 80:
                    assert width(picture) <= columns


def test_a_small_screen_shows_all_lines_or_says_so():
    chair, shown = sit(new_game(size=19), Scripted("C3 A1")), ""
    say(chair, "help")
    for _ in chair.page:
        shown += plain(page(chair, ASCII, 60, 18))
        chair.scroll += chair.leaf
    assert all(line.split()[0] in shown for line in chair.page)
    say(chair, "", "c4", "c3")
    shown = plain(page(chair, ASCII, 60, 18))
    assert shown.index("is refused") < shown.index("the screen is too small")


def test_text_of_a_file_cannot_reach_the_terminal():
    game = new_game("\x1b[31mred", HUMAN)
    chair = sit(game, Slow())
    chair.interrupt()
    assert "\x1b" not in seen(chair)
    assert "?[31mred" in seen(chair)
