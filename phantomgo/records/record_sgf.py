"""Records as SGF (FF[4]): the whole game, and each player's view of it.

A refused attempt is never written as a move: a viewer program would put the stone on top of the one
that is there. In the whole game the refused attempts of a turn are marked on the move that ends it,
and listed in the private property PGI; with a clock, BL and WL are the seconds left. In a player's
file the opponent's moves are passes marked PGH[1], and wherever a viewer's board would differ from
the view, stones are added and removed.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from phantomgo.game.board import Board
from phantomgo.game.messages import Accepted, Ended, Message, Moved, Note, Passed, Refused
from phantomgo.game.points import (
    BLACK,
    PASS,
    RESIGN,
    WHITE,
    Colour,
    Move,
    PointSet,
    attempt_text,
    grid,
)
from phantomgo.game.record import Record, RecordedAttempt
from phantomgo.game.recording import replay
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.game.wording import sentence
from phantomgo.records.sgf import Node, sgf_point, sgf_points, viewer_plays, write_sgf
from phantomgo.version import __version__

NOBODY: Final[Mapping[str, str]] = MappingProxyType({})
"""No player has a label."""


def true_sgf(record: Record, called: Mapping[str, str] = NOBODY) -> str:
    """The game as the referee saw it, with these labels of players by their names in the record."""
    size = record.rules.size
    nodes = [_root(record, "The whole game.", called)]
    if record.handicap:
        nodes[0]["AB"] = sgf_points(record.handicap, size)
    tried: list[RecordedAttempt] = []
    used = dict.fromkeys(Colour, 0.0)
    for step, referee in replay(record):
        used[step.colour] += step.seconds
        if step.reason is not None:
            tried.append(step)
            if referee.to_move is step.colour:
                continue
            node = _turn(step.colour, PASS, tried, size)  # the tries ran out
        elif step.move != RESIGN:
            node = _turn(step.colour, step.move, [*tried, step], size)
        else:
            continue
        if record.time is not None:
            left = max(0.0, record.time - used[step.colour])
            node[f"{step.colour.letter.upper()}L"] = [f"{left:.3f}"]
        nodes.append(node)
        tried = []
    if tried:
        nodes.append(_tries(tried, size))
    _say(nodes[-1], record.outcome.sentence)
    return write_sgf(nodes)


def view_sgf(record: Record, colour: Colour, called: Mapping[str, str] = NOBODY) -> str:
    """The game from one player's messages; `called` as of `true_sgf`."""
    events = Referee(record.rules, black=record.handicap).view(colour).events
    for _, referee in replay(record):
        events = referee.view(colour).events
    nodes = _told(_root(record, f"What {colour} was told.", called), record.rules, colour, events)
    if not events or not isinstance(events[-1], Ended):
        _say(nodes[-1], sentence(Ended(record.outcome.result), colour, record.rules.size))
    return write_sgf(nodes)


def seen_sgf(view: View) -> str:
    """The game so far, made from one player's view alone."""
    what = f"What {view.colour} was told."
    root = _header(view.rules, what) | ({} if view.result is None else {"RE": [view.result]})
    return write_sgf(_told(root, view.rules, view.colour, view.events))


def _header(rules: Rules, *comments: str) -> Node:
    return {
        "GM": ["1"],
        "FF": ["4"],
        "CA": ["UTF-8"],
        "AP": [f"phantomgo:{__version__}"],
        "SZ": [str(rules.size)],
        "KM": [f"{rules.komi:g}"],
        "RU": [f"Phantom Go {rules.profile_name or ''}".rstrip()],
        "C": ["\n".join([comments[0], f"Rules: {json.dumps(rules.as_dict())}", *comments[1:]])],
    }


def _root(record: Record, what: str, called: Mapping[str, str]) -> Node:
    handicap = record.handicap.bit_count()
    names = [record.side(colour).name for colour in Colour]
    labels = [called.get(name, name) for name in names]
    seeds = [
        f"{colour}'s seed: {record.side(colour).seed}"
        for colour in Colour
        if record.side(colour).seed is not None
    ]
    players = [
        f"{colour}: {name}"
        for colour, name, label in zip(Colour, names, labels, strict=True)
        if name != label
    ]
    takebacks = [f"Takebacks: {record.takebacks}"] if record.takebacks else []
    header = _header(record.rules, what, *players, *seeds, *takebacks)
    comment = header.pop("C")
    return {
        **header,
        "PB": [labels[0]],
        "PW": [labels[1]],
        "RE": [record.outcome.result],
        **({"HA": [str(handicap)]} if handicap > 1 else {}),
        **({} if record.time is None else {"TM": [str(record.time)]}),
        "C": comment,
    }


def _say(node: Node, text: str) -> None:
    node["C"] = ["\n".join([*node.get("C", []), text])]


# The true game


def _turn(colour: Colour, move: Move, steps: Sequence[RecordedAttempt], size: int) -> Node:
    """The move that ended a turn; `steps` are all attempts of the turn."""
    node: Node = {colour.letter.upper(): [sgf_point(move, size)]}
    node.update(_tries([step for step in steps if step.reason is not None], size))
    captured = [text for text in steps[-1].lines(colour.other) if " captured " in text]
    if captured and not captured[0].endswith(" captured 0"):
        _say(node, "takes " + captured[0].partition(" captured ")[2].partition(" ")[2])
    return node


def _tries(tried: Sequence[RecordedAttempt], size: int) -> Node:
    if not tried:
        return {}
    on_board = [sgf_point(s.move, size) for s in tried if s.move < size * size]
    words = [f"{attempt_text(s.move, size)} ({s.reason})" for s in tried]
    node: Node = {"C": ["refused: " + ", ".join(words)]}
    if on_board:
        node |= {"PGI": on_board, "MA": list(dict.fromkeys(on_board))}
    return node


# A player's view


def _told(root: Node, rules: Rules, colour: Colour, events: Iterable[Message]) -> list[Node]:
    """The file of a player with these messages."""
    nodes, view, shown = [root], View(rules, colour), Board(rules.size)
    for message in events:
        view = view.after(message)
        shown = _tell(nodes, view, message, shown)
    return nodes


def _tell(nodes: list[Node], view: View, message: Message, shown: Board) -> Board:
    """Add a node that shows a message, after which a player has this view.

    Takes the board that a viewer of the file has before it, and returns the one they have then.
    """
    size, enemy = view.rules.size, view.colour.other.letter.upper()
    node: Node | None = None
    match message:
        case Accepted(move):
            node = {view.colour.letter.upper(): [sgf_point(move, size)]}
            shown = viewer_plays(shown, view.colour, move)
        case Refused(move):
            node = {"TR": [sgf_point(move, size)]} if move < grid(size).points else {}
        case Moved():
            node = {enemy: [""], "PGH": ["1"]}
        case Passed():
            node = {enemy: [""]}
        case _:
            pass
    if node is not None:
        nodes.append(node)
    _say(nodes[-1], sentence(message, view.colour, size))
    if isinstance(message, Note | Ended):
        return shown
    setup = _difference(shown, view)
    if setup:
        # Stones may not be set up in the node of a move.
        if {"B", "W"} & nodes[-1].keys():
            nodes.append(setup)
        else:
            nodes[-1].update(setup)
    return _board(view)


def _board(view: View) -> Board:
    """The stones a player knows of."""
    return Board(view.rules.size, view.stones(BLACK), view.stones(WHITE))


def _difference(shown: Board, view: View) -> Node:
    """The set-up that makes the shown board that of the view."""
    wanted, size = _board(view), view.rules.size
    gone: PointSet = (shown.black | shown.white) & ~(wanted.black | wanted.white)
    sets = {"AE": gone, "AB": wanted.black & ~shown.black, "AW": wanted.white & ~shown.white}
    return {name: sgf_points(points, size) for name, points in sets.items() if points}
