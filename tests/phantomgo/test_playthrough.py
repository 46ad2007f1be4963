"""Whole games written out: the full board and both views after every attempt.

The files in tests/data/playthroughs are read by people and compared line by line. After a change
that is meant, `UPDATE_PLAYTHROUGHS=1 make test` writes them again; the difference is to be read.
"""

import os

import pytest

from bots import make
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Accepted, Ended, Message, Moved, Note, Passed, Placed, Refused
from phantomgo.game.points import Colour, vertex, vertices
from phantomgo.game.referee import Referee
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.game.view import View
from tests.support.places import TESTS

GAME = Game(Rules())

FOLDER = TESTS / "data" / "playthroughs"
SIZE = 4


def sentence(message: Message) -> str:
    match message:
        case Accepted(move, captured, taken):
            told = "" if captured is None else f", {captured} captured"
            where = f" at {vertices(taken, SIZE)}" if taken else ""
            return f"{vertex(move, SIZE)} stands{told}{where}"
        case Refused(move, reason):
            return f"{vertex(move, SIZE)} refused" + (f": {reason}" if reason else "")
        case Moved(lost):
            return "opponent has moved" + (f", you lost {vertices(lost, SIZE)}" if lost else "")
        case Passed():
            return "opponent passes"
        case Note(key, colour, count):
            return f"{key} {colour} {count}"
        case Placed() | Ended():
            return str(message)


def cell(view: View, point: int) -> str:
    if view.own >> point & 1:
        return "X" if view.colour is Colour.BLACK else "O"
    if view.located >> point & 1:
        return "O" if view.colour is Colour.BLACK else "X"
    if any(r.point == point for r in view.refused):
        return "?"
    return "-" if view.vacant >> point & 1 else "."


def rows(view: View) -> list[str]:
    across = range(SIZE)
    return [" ".join(cell(view, r * SIZE + c) for c in across) for r in reversed(across)]


def playthrough(profile: str) -> str:
    referee = Referee(Rules.profile(profile, size=SIZE, komi=0.5))
    bots = {colour: make("random", GAME, 40 + colour) for colour in Colour}
    lines = [f"{SIZE}x{SIZE}, {profile} rules, random against random.", ""]
    lines += ["X Black, O White, ? refused for a cause uncertain, - certainly empty, . unknown", ""]
    told = dict.fromkeys(Colour, 0)
    while referee.outcome is None:
        colour = referee.to_move
        move = bots[colour].decide(referee.view(colour)).move
        referee.attempt(colour, move)
        lines.append(f"{colour} attempts {vertex(move, SIZE)}")
        for side in Colour:
            view = referee.view(side)
            news = "; ".join(map(sentence, view.events[told[side] :])) or "(hears nothing)"
            told[side] = len(view.events)
            lines.append(f"  {side}: {news}; {view.hidden} hidden")
        boards = [referee.board.diagram().splitlines(), *(rows(referee.view(c)) for c in Colour)]
        lines += [
            "    true      Black     White",
            *(f"    {'   '.join(r)}" for r in zip(*boards, strict=True)),
        ]
        lines.append("")
    return "\n".join([*lines, referee.outcome.sentence, ""])


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_playthrough(profile):
    file, text = FOLDER / f"{profile}.txt", playthrough(profile)
    if os.environ.get("UPDATE_PLAYTHROUGHS"):
        file.write_text(text)
    assert file.read_text() == text
