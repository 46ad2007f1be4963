"""Checks that an engine does what a game over GTP needs.

`phantomgo bots --check 'gtp:COMMAND'` and `phantomgo tournament FILE --check` run them. Each check
sends commands to the engine or plays games with it, and reports what is wrong.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeAlias

import bots
from gtp.channel import Channel, ChannelError, CommandRefused, ProcessChannel
from gtp.drivers import PHANTOM
from gtp.player import EnginePlayer, Patience
from phantomgo.beginning import START, Beginning
from phantomgo.errors import PhantomGoError
from phantomgo.game import play_game
from phantomgo.lab.players import program
from phantomgo.outcome import FAULTS, Fault
from phantomgo.points import BLACK, WHITE, Colour, attempt_text, grid
from phantomgo.record import Record
from phantomgo.rules import Rules
from phantomgo.view import View
from phantomgo.wording import counted

PATIENCE: Final = Patience(start=60.0, message=10.0, move=60.0)
"""Seconds to wait for an answer, fewer than in a game."""
MOVES: Final = 60
"""Moves after which a test game is ended."""
COMMANDS: Final = ("boardsize", "clear_board", "komi", "genmove", "quit")
"""Commands that every engine is sent."""
PLAIN: Final = "play"
"""Commands that engines without the phantom commands are sent too."""
UNKNOWN: Final = "phantomgo-no_such_command"


class Wrong(PhantomGoError):
    """An engine fails a check."""


@dataclass
class CheckedEngine:
    """An engine that is being checked.

    Attributes:
        start: opens a channel to a new process of the engine.
        rules: the rules of its games.
        patience: how long it may take.
        beginning: how its games begin.
        setup: commands that it is sent after each start.
        commands: the commands that it lists.
        games: the games it has played so far, with its colour.
    """

    start: Callable[[], Channel]
    rules: Rules
    patience: Patience
    beginning: Beginning
    setup: tuple[str, ...] = ()
    commands: frozenset[str] = frozenset()
    games: list[tuple[Colour, Record]] = field(default_factory=list)

    def player(self) -> EnginePlayer:
        """The engine as a player, not started yet."""
        return EnginePlayer(self.start, "the engine", patience=self.patience, setup=self.setup)


Check: TypeAlias = Callable[[CheckedEngine], None]


def starts(subject: CheckedEngine) -> None:
    """Ask for its commands and store them."""
    with subject.start() as channel:
        text = channel.ask("list_commands", subject.patience.start)
    subject.commands = frozenset(text.split())


def lists_commands(subject: CheckedEngine) -> None:
    """Check that it lists the commands that every game needs."""
    needed = COMMANDS if subject.commands >= PHANTOM else (*COMMANDS, PLAIN)
    if missing := [name for name in needed if name not in subject.commands]:
        raise Wrong(f"does not list {', '.join(missing)}")


def refuses_unknown_commands(subject: CheckedEngine) -> None:
    """Send an unknown command, then a known one."""
    with subject.start() as channel:
        try:
            channel.ask(UNKNOWN, subject.patience.start)
        except CommandRefused:
            channel.ask("list_commands", subject.patience.message)
        else:
            raise Wrong(f"accepted `{UNKNOWN}`")


def sets_up(subject: CheckedEngine) -> None:
    """Set up a game as Black."""
    with closing(subject.player()) as player:
        player.join(View(subject.rules, BLACK))


def plays(subject: CheckedEngine) -> None:
    """Play a game with each colour in one process."""
    opponent, rules = bots.make("random", 1), replace(subject.rules, max_moves=MOVES)
    with closing(subject.player()) as player:
        for colour in (BLACK, WHITE):
            player.new_game(1)
            player.join(View(rules, colour))
            black, white = (player, opponent) if colour is BLACK else (opponent, player)
            record = play_game(rules, black, white, subject.beginning)
            subject.games.append((colour, record))
            if record.outcome.ending in FAULTS:
                raise Wrong(record.outcome.sentence.removeprefix(f"{colour} "))


def names_points(subject: CheckedEngine) -> None:
    """Check those games for answers that are not points of the board."""
    points = grid(subject.rules.size).points
    beside = sum(
        step.colour is colour and step.move >= points and step.reason is not None
        for colour, record in subject.games
        for step in record.steps
    )
    if beside:
        raise Wrong(f"gave {counted(beside, 'answer')} other than a vertex of the board")


def tries_other_points(subject: CheckedEngine) -> None:
    """Check those games for a refused point that was tried again in the same turn."""
    for colour, record in subject.games:
        tried: set[int] = set()
        for step in record.steps:
            if step.colour is not colour or step.reason is None:
                tried.clear()  # the turn has passed on, or ends here
            elif step.move in tried:
                raise Wrong(f"tried {attempt_text(step.move, subject.rules.size)} twice in a turn")
            else:
                tried.add(step.move)


def ends(subject: CheckedEngine) -> None:
    """Send `quit` and check that the process ends."""
    with subject.start() as channel:
        channel.ask("list_commands", subject.patience.start)
        channel.ask("quit", subject.patience.message)
        try:
            channel.ask("name", subject.patience.message)
        except ChannelError as error:
            if "ended" in str(error) or "closed" in str(error):
                return
        raise Wrong("runs on after `quit`")


CHECKS: Final[dict[str, Check]] = {
    "it starts, and answers with the ids that it is sent": starts,
    "it lists the commands that a game needs": lists_commands,
    "it refuses a command that it does not know, and continues": refuses_unknown_commands,
    "it sets up a game on this board": sets_up,
    "it plays a game with each colour": plays,
    "it answers genmove with points, pass or resign": names_points,
    "it tries no point twice in a turn": tries_other_points,
    "it ends after quit": ends,
}


def engine_breaches(
    spec: str,
    rules: Rules = Rules(),  # noqa: B008  (a constant)
    patience: Patience = PATIENCE,
    beginning: Beginning = START,
    setup: tuple[str, ...] = (),
) -> Iterator[tuple[str, str | None]]:
    """Each requirement with what was found wrong, if anything; `gtp:COMMAND LINE` is the spec.

    If the engine does not start or cannot set up a game, the other checks are skipped.

    Raises:
        BadText: the command line cannot be read.
    """
    subject = CheckedEngine(
        partial(ProcessChannel, *program(spec)), rules, patience, beginning, setup
    )
    for what, check in CHECKS.items():
        try:
            check(subject)
        except (Wrong, Fault, ChannelError) as error:
            yield what, str(error)
            if check in (starts, sets_up):
                return
        else:
            yield what, None
