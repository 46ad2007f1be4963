"""Check that a player does what a game needs: a bot by its contract, an engine by GTP.

`phantomgo bots --check` and `pg.check_bot` run them. Each check of an engine sends commands to it
or plays games with it, and reports what is wrong.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

import bots
from bots.spec import is_engine
from gtp.channel import Channel, ChannelError, CommandRefused, ProcessChannel
from gtp.drivers import PHANTOM
from gtp.engine import EnginePlayer, Patience
from phantomgo.errors import PhantomGoError
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import FAULTS, Fault
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, WHITE, Colour, attempt_text, grid
from phantomgo.game.record import Record
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.game.wording import counted
from phantomgo.lab.players.contract import breaches
from phantomgo.lab.players.seating import program

PATIENCE: Final = Patience(start=60.0, message=10.0, move=60.0)
"""Seconds to wait for an answer, fewer than in a game."""
MOVES: Final = 60
"""Moves after which a test game is ended."""
COMMANDS: Final = ("boardsize", "clear_board", "komi", "genmove", "quit")
"""Commands sent to every engine."""
PLAIN: Final = "play"
"""Commands also sent to engines without the phantom commands."""
UNKNOWN: Final = "phantomgo-no_such_command"
STARTS: Final = "it starts, and lists the commands that a game needs"
PLAYS: Final = "it plays a game with each colour on this board"


class Wrong(PhantomGoError):
    """An engine fails a check."""


Start: TypeAlias = Callable[[], Channel]
"""Opens a channel to a new process of the engine."""
Games: TypeAlias = Sequence[tuple[Colour, Record]]
"""Games that the engine has played, with its colour in each."""


def lists_commands(start: Start, patience: Patience) -> None:
    """Check that it starts, and lists the commands that every game needs."""
    with start() as channel:
        listed = frozenset(channel.ask("list_commands", patience.start).split())
    needed = COMMANDS if listed >= PHANTOM else (*COMMANDS, PLAIN)
    if missing := [name for name in needed if name not in listed]:
        raise Wrong(f"does not list {', '.join(missing)}")


def refuses_unknown_commands(start: Start, patience: Patience) -> None:
    """Send an unknown command, then a known one."""
    with start() as channel:
        try:
            channel.ask(UNKNOWN, patience.start)
        except CommandRefused:
            channel.ask("list_commands", patience.message)
        else:
            raise Wrong(f"accepted `{UNKNOWN}`")


def plays(engine: EnginePlayer, rules: Rules) -> Games:
    """The games that it plays, one with each colour in one process."""
    opponent = bots.make("random", Game(rules), 1)
    rules = replace(rules, max_moves=MOVES)
    games = []
    with closing(engine):
        for colour in (BLACK, WHITE):
            engine.new_game(1)
            engine.join(View(rules, colour))
            black, white = (engine, opponent) if colour is BLACK else (opponent, engine)
            record = play_game(rules, black, white)
            if record.outcome.ending in FAULTS:
                raise Wrong(record.outcome.sentence.removeprefix(f"{colour} "))
            games.append((colour, record))
    return games


def names_points(games: Games) -> None:
    """Check its games for answers that are not points of the board."""
    beside = sum(
        step.colour is colour
        and step.move >= grid(record.rules.size).points
        and step.reason is not None
        for colour, record in games
        for step in record.steps
    )
    if beside:
        raise Wrong(f"gave {counted(beside, 'answer')} other than a vertex of the board")


def tries_other_points(games: Games) -> None:
    """Check its games for a refused point that was attempted again in the same turn."""
    for colour, record in games:
        tried: set[int] = set()
        for step in record.steps:
            if step.colour is not colour or step.reason is None:
                tried.clear()  # the turn has passed on, or ends here
            elif step.move in tried:
                raise Wrong(f"tried {attempt_text(step.move, record.rules.size)} twice in a turn")
            else:
                tried.add(step.move)


def ends(start: Start, patience: Patience) -> None:
    """Send `quit` and check that the process ends."""
    with start() as channel:
        channel.ask("list_commands", patience.start)
        channel.ask("quit", patience.message)
        try:
            channel.ask("name", patience.message)
        except ChannelError as error:
            if "ended" in str(error) or "closed" in str(error):
                return
        raise Wrong("runs on after `quit`")


def player_breaches(spec: str) -> Iterator[tuple[str, str | None]]:
    """Each requirement of a bot or an engine, with the problem found, if any."""
    return engine_breaches(spec) if is_engine(spec) else breaches(spec)


def engine_breaches(
    spec: str,
    rules: Rules = Rules(),  # noqa: B008  (a constant)
    patience: Patience = PATIENCE,
) -> Iterator[tuple[str, str | None]]:
    """Each requirement with the problem found, if any; the spec is `gtp:COMMAND LINE`.

    If the engine does not start or cannot play, the other checks are skipped.
    """
    start = partial(ProcessChannel, *program(spec))
    engine = EnginePlayer(start, "the engine", patience=patience)
    games: list[tuple[Colour, Record]] = []
    checks: dict[str, Callable[[], None]] = {
        STARTS: lambda: lists_commands(start, patience),
        "it refuses a command that it does not know, and continues": lambda: (
            refuses_unknown_commands(start, patience)
        ),
        PLAYS: lambda: games.extend(plays(engine, rules)),
        "it answers genmove with points, pass or resign": lambda: names_points(games),
        "it attempts no point twice in a turn": lambda: tries_other_points(games),
        "it ends after quit": lambda: ends(start, patience),
    }
    for what, check in checks.items():
        try:
            check()
        except (Wrong, Fault, ChannelError) as error:
            yield what, str(error)
            if what in (STARTS, PLAYS):
                return
        else:
            yield what, None
