r"""The engine side of GTP: one line in, one response out, without input or output of its own.

    session = Session(Settings(Rules()), services)
    session.run("7 boardsize 9")   ->   "=7 \n\n"
    session.run("# a comment")     ->   None

Every command runs on a copy of the role (gtp/role.py), which replaces it if the command succeeds.
"""

import logging
from typing import Final

from gtp import analysis, host, looking, params, ruler, seat, setup, syntax
from gtp.handlers import Handler, Reply, table
from gtp.host import Host, IllegalMove
from gtp.role import LineStream, Role
from gtp.ruler import Ruler
from gtp.seat import Seat
from gtp.syntax import CommandLine, Failure
from gtp.thinker import Services, Settings, Thinker
from phantomgo.version import __version__

log = logging.getLogger(__name__)

SHARED: Final = setup.COMMANDS | params.COMMANDS | analysis.COMMANDS | looking.COMMANDS
"""The commands of the roles that play a game."""
ROLES: Final[dict[type[Role], dict[str, Handler]]] = {
    Host: SHARED | host.COMMANDS,
    Seat: SHARED | seat.COMMANDS,
    Ruler: ruler.COMMANDS,
}
"""The commands of each role, in the order in which a failure names the role of a command."""


class Session:
    """A conversation with one controller.

    Attributes:
        role: a Host, or another role after `phantom-seat`.
        closed: whether the controller sent `quit`.
        ruled: whether a ruler has asked for the game.
        stream: the lines that follow the last response until the next command, if any.
    """

    def __init__(self, settings: Settings, services: Services) -> None:
        self.role: Role = Host(Thinker(settings, services))
        self.closed = self.ruled = False
        self.stream: LineStream | None = None

    @property
    def settings(self) -> Settings:
        return self.role.thinker.settings

    @property
    def services(self) -> Services:
        return self.role.thinker.services

    def run(self, line: bytes | str) -> str | None:
        """Run a line; returns the response, None if GTP wants none.

        The beginning of a line longer than `syntax.MAX_LINE` is enough: the answer is `line too
        long`, unless the rest is a comment.
        """
        if isinstance(line, str):
            line = line.encode("utf-8", "replace")
        parsed = syntax.parse(line)
        if parsed is None:
            return None
        if len(line) > syntax.MAX_LINE and b"#" not in line:
            return syntax.failure(parsed.id, "line too long")
        try:
            return syntax.success(parsed.id, self._answer(parsed) or "")
        except Failure as failure:
            return syntax.failure(parsed.id, str(failure))
        except Exception as error:
            # Only the kind of error is sent, as its text may contain hidden information.
            log.exception("%s failed", parsed.name)
            return syntax.failure(parsed.id, f"internal error: {type(error).__name__}")

    def _answer(self, parsed: CommandLine) -> Reply:
        """Run a command on a copy of the role, which replaces the role unless the command fails."""
        self.stream = None
        handler = self._handler(parsed)
        if parsed.name in COMMANDS:
            return handler.run(self, *parsed.arguments)
        role = self.role.copy()
        role.ruled = self.ruled
        try:
            reply = handler.run(role, *parsed.arguments)
        except IllegalMove:
            self.role = role
            if role.ruled:
                return None  # the ruler shows it
            raise
        self.role, self.stream, role.stream = role, role.stream, None
        return reply

    def _handler(self, parsed: CommandLine) -> Handler:
        """The handler of a command; raises Failure if it cannot be run with these arguments."""
        name, count = parsed.name, len(parsed.arguments)
        handler = COMMANDS.get(name) or ROLES[type(self.role)].get(name)
        if handler is None:
            way = next((role.way for role, handlers in ROLES.items() if name in handlers), None)
            raise Failure("unknown command" if way is None else f"not in this role: {way}")
        if count < handler.least or (handler.most is not None and count > handler.most):
            raise Failure("syntax error")
        return handler

    def show(self, line: bytes) -> str:
        """Answer a ruler's `phantom-shown`, from any thread.

        The answer is from the role after the last command, never from the middle of one.
        """
        parsed, role = syntax.parse(line), self.role
        try:
            if parsed is None or parsed.name != "phantom-shown" or not isinstance(role, Host):
                raise Failure("unknown command")
            self.ruled = True
            return syntax.success(None, host.phantom_shown(role, *parsed.arguments))
        except Failure as failure:
            return syntax.failure(None, str(failure))

    @staticmethod
    def commands() -> list[str]:
        """The commands of all roles, in alphabetical order."""
        return sorted(COMMANDS.keys() | {name for handlers in ROLES.values() for name in handlers})

    def offered(self) -> list[str]:
        """The commands, without `undo` while bots are hidden, as it fails then.

        Without it a GUI takes back by repeating the game, which works.
        """
        return [name for name in self.commands() if name != "undo" or not self.settings.hide]


def known_command(session: Session, name: str | None = None) -> str:
    """Without a name the answer is `false`, as GNU Go and gomill have it."""
    return "true" if name in session.offered() else "false"


def list_commands(session: Session) -> str:
    return "\n".join(session.offered())


def close(session: Session) -> None:
    session.closed = True


def phantom_seat(session: Session, word: str) -> None:
    """Take another role, and start a new game in it."""
    thinker = session.role.thinker
    match word.lower():
        case "none":
            session.role = Host(thinker)
        case "ruler":
            session.role = Ruler(thinker)
        case _:
            session.role = Seat(thinker, syntax.colour(word))


COMMANDS: Final = table(
    {
        "protocol_version": lambda _session: "2",
        "name": lambda session: session.services.name,
        "version": lambda _session: __version__,
        "known_command": known_command,
        "list_commands": list_commands,
        "help": list_commands,
        "quit": close,
        "phantom-protocol_version": lambda _session: "1",
        "phantom-seat": phantom_seat,
    }
)
