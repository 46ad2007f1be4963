"""The lessons: short games that one plays, in which White's moves are fixed (lessons.toml).

The learner plays Black and is told where. So a page depends only on the numbers of the lesson and
the step, and on its reader: the server stores nothing about learners, and caches the pages.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from gtp.display import counts
from phantomgo.app.table.facts import news, score
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.scene import view_scene
from phantomgo.app.table.viewer import three_scenes
from phantomgo.app.web.board import LESSON, board, legend
from phantomgo.app.web.front import play_novice
from phantomgo.app.web.markup import Markup, hidden, tag
from phantomgo.app.web.page import document
from phantomgo.app.web.reader import READER
from phantomgo.app.web.terms import TableTerms
from phantomgo.game.points import BLACK, PASS, WHITE, parse_attempt
from phantomgo.game.view import View
from phantomgo.phrase import Phrase


class LessonStep(NamedTuple):
    """A step of a lesson.

    Attributes:
        words: the text next to the board.
        attempt: the vertex to attempt, or `pass`.
        reply: White's move after it; empty if it is still Black's turn, or the lesson ends.
    """

    words: str
    attempt: str
    reply: str


class Lesson(NamedTuple):
    """A lesson, on a board of 5x5 with a komi of 0.5.

    Attributes:
        title: its name.
        before: the moves before it, Black's first, of which the learner knows their own.
        steps: the attempts to make.
        end: the text next to the full board.
    """

    title: str
    before: str
    steps: tuple[LessonStep, ...]
    end: str


def _read(lesson: dict[str, Any]) -> Lesson:
    title, end, *words = map(
        Phrase, (lesson["title"], lesson["end"], *(step["words"] for step in lesson["steps"]))
    )
    steps = (
        LessonStep(said, step["attempt"], step.get("reply", ""))
        for said, step in zip(words, lesson["steps"], strict=True)
    )
    return Lesson(title, lesson["before"], tuple(steps), end)


_FILE: Final = Path(__file__).with_name("lessons.toml")
LESSONS: Final = [_read(it) for it in tomllib.loads(_FILE.read_text("utf-8"))["lessons"]]
SAYS: Final = Phrase("The referee says:")


def lesson_page(lesson: int, number: int, attempt: str) -> str:
    """Return the page of a step, or of the next one if this was attempted as told.

    Args:
        lesson: its number, from 1.
        number: of the step, from 0.
        attempt: the vertex that was attempted, if any.
    """
    shown = LESSONS[lesson - 1]
    told = shown.steps[number].attempt if number < len(shown.steps) else ""
    if told and attempt == told:
        number, attempt = number + 1, ""
    return document(_main(lesson, number, bool(attempt), *_reader()), shown.title)


def _reader() -> tuple[str, bool]:
    """The language and the kind of reader that boards and words are written for."""
    reader = READER.get()
    return reader.language, reader.script


@cache
def _main(lesson: int, number: int, missed: bool, _language: str, _script: bool) -> Markup:
    """The page of a step, once something else was attempted if `missed`; for this reader."""
    shown = LESSONS[lesson - 1]
    game = _game(shown, number)
    if number == len(shown.steps):
        return _framed(lesson, *_end(game, lesson))
    step, view = shown.steps[number], game.view(BLACK)
    passing = Phrase("Pass.")
    where = passing if step.attempt == "pass" else Phrase("Attempt {point}.", point=step.attempt)
    answer = Phrase("Not there yet.") if missed else ""
    return _framed(
        lesson,
        tag("p", step.words, " ", tag("strong", where), role="status"),
        tag("p", answer, class_="answer", role="status"),
        tag("p", SAYS, " ", news(view), class_="news") if number else None,
        _form(lesson, number, view, Phrase("Your view")),
        tag("p", Phrase("White: {counts}.", counts=counts(view, WHITE)), class_="counts"),
        legend(view_scene(view)),
    )


def first_board() -> Markup:
    """Return the board of the first step of all."""
    return _first_board(*_reader())


@cache
def _first_board(_language: str, _script: bool) -> Markup:
    view = _game(LESSONS[0], 0).view(BLACK)
    return _form(1, 0, view, Phrase("You are Black. Attempt the middle."))


def _form(lesson: int, number: int, view: View, title: str) -> Markup:
    """The board of a step, on which the point to attempt is marked, or the button to pass."""
    target = parse_attempt(LESSONS[lesson - 1].steps[number].attempt, LESSON)
    passes = tag("button", Phrase("Pass"), name="point", value="pass", class_="main")
    scene = view_scene(view, hint=None if target == PASS else target)
    fields = (
        board(scene, title, press=True),
        hidden("step", number),
        tag("p", passes) if target == PASS else None,
    )
    return tag("form", *fields, method="get", action=_address(lesson), class_="attempt black")


def _address(lesson: int) -> str:
    return f"/lesson/{lesson}"


def _game(lesson: Lesson, number: int) -> TableGame:
    """The game before a step."""
    game = TableGame(TableTerms(size=LESSON, komi=0.5).record)
    moves = [move for step in lesson.steps[:number] for move in (step.attempt, step.reply)]
    for move in filter(None, (*lesson.before.split(), *moves)):
        game.attempt(parse_attempt(move, LESSON), 0.0)
    return game


def _end(game: TableGame, lesson: int) -> tuple[Markup | None, ...]:
    moment, over = game.moments[-1], game.outcome is not None
    boards = (board(scene, title, small=True) for title, scene in three_scenes(moment, areas=over))
    following = (
        tag("a", Phrase("Next: {title}", title=LESSONS[lesson].title), href=_address(lesson + 1))
        if lesson < len(LESSONS)
        else None
    )
    return (
        tag("p", LESSONS[lesson - 1].end, role="status"),
        tag("p", SAYS, " ", news(game.view(BLACK)), class_="news"),
        tag("p", score(game), class_="news") if over else None,
        tag("div", *boards, class_="row"),
        tag("p", following, class_="next", data_lesson=lesson),
        play_novice(),
    )


def _framed(lesson: int, *content: Markup | None) -> Markup:
    others = (
        tag("li", shown.title if number == lesson else tag("a", shown.title, href=_address(number)))
        for number, shown in enumerate(LESSONS, 1)
    )
    contents = tag(
        "nav", tag("h2", Phrase("Lessons")), tag("ol", *others), aria_label=Phrase("Lessons")
    )
    title = tag("h1", LESSONS[lesson - 1].title)
    return tag("main", title, *content, contents, class_="front lesson")
