"""Phantom Go in 60 seconds: a short game that one plays, with the words of the referee.

The learner plays Black and is told where; White's moves are fixed. So a page follows from the
number of the step alone, and nothing is kept.
"""

from typing import Final, NamedTuple

from phantomgo.app.table.facts import news, score
from phantomgo.app.table.game import Game
from phantomgo.app.table.scene import view_scene
from phantomgo.app.table.viewer import three_scenes
from phantomgo.app.web.board import board, legend
from phantomgo.app.web.front import RULES, meanings
from phantomgo.app.web.markup import Markup, hidden, join, tag
from phantomgo.app.web.page import document
from phantomgo.app.web.terms import Terms
from phantomgo.points import BLACK, parse_attempt

SIZE: Final = 5
TITLE: Final = "Phantom Go in 60 seconds"


class Step(NamedTuple):
    """A step of the lesson.

    Attributes:
        words: what the learner is told.
        attempt: the vertex to attempt, or `pass`.
        reply: White's move after it; empty if it is still Black's turn.
    """

    words: str
    attempt: str
    reply: str


STEPS: Final = (
    Step(
        "You are Black. You and White play Go, but each of you sees only your own stones. A referee"
        " knows both. Begin in the middle.",
        "C3",
        "D3",
    ),
    Step(
        "Your move stands. White has moved too, and you do not know where. Try the point beside"
        " your stone.",
        "D3",
        "",
    ),
    Step(
        "Refused: a white stone is there. It is still your turn, and you have learned something;"
        " White does not hear of it. Now surround that stone.",
        "D4",
        "B5",
    ),
    Step("Two sides are taken. Take the third.", "E3", "A1"),
    Step("One side is left.", "D2", "E1"),
    Step(
        "A capture is announced to both players. The cross shows where the stone was. White has"
        " three more stones, somewhere. When you see nothing to gain, pass.",
        "pass",
        "pass",
    ),
)
END: Final = (
    "Both have passed, so the game is over and the truth is shown: all stones, and what each of you"
    " knew. Area counts, as in Chinese Go."
)


def lesson_page(number: int, attempt: str) -> str:
    """Return the page of a step, or of the next one if this was attempted as told.

    Args:
        number: of the step, from 0.
        attempt: the vertex that was attempted, if any.
    """
    told = STEPS[number].attempt if number < len(STEPS) else ""
    if told and attempt == told:
        number, attempt = number + 1, ""
    game = _game(number)
    if number == len(STEPS):
        return _page(*_end(game))
    step, view = STEPS[number], game.view(BLACK)
    scene = view_scene(view)
    where = "Pass." if step.attempt == "pass" else f"Attempt {step.attempt}."
    answer = f"Not there yet: {where[0].lower()}{where[1:]}" if attempt else ""
    passes = tag("button", "Pass", name="point", value="pass", class_="main")
    fields = (
        board(scene, "Your view", press=True),
        hidden("step", number),
        tag("p", passes) if step.attempt == "pass" else None,
    )
    return _page(
        tag("p", step.words, " ", tag("strong", where), role="status"),
        tag("p", answer, class_="answer", role="status"),
        tag("p", "The referee says: ", news(view), class_="news") if number else None,
        tag("form", *fields, method="get", action="/lesson", class_="attempt black"),
        legend(scene),
    )


def _game(number: int) -> Game:
    """The game before a step."""
    game = Game(Terms(size=SIZE, komi=0.5).record)
    for step in STEPS[:number]:
        for move in (step.attempt, step.reply):
            if move:
                game.attempt(parse_attempt(move, SIZE), 0.0)
    return game


def _end(game: Game) -> tuple[Markup, ...]:
    moment = game.moments[-1]
    boards = (board(scene, title, small=True) for title, scene in three_scenes(moment, areas=True))
    return (
        tag("p", END, role="status"),
        tag("p", score(game), class_="news"),
        tag("div", *boards, class_="row"),
        tag("p", tag("a", "Now play a whole game", href="/"), class_="next"),
        join(tag("h2", "Rules differ in what the referee announces"), meanings(RULES)),
    )


def _page(*content: Markup | None) -> str:
    return document(tag("main", tag("h1", TITLE), *content, class_="front lesson"), script="")
