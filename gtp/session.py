r"""The engine side of GTP: one line in, one response out, without input or output of its own.

    session = Session(Settings(Rules()), services)
    session.run("7 boardsize 9")   ->   "=7 \n\n"
    session.run("# a comment")     ->   None

Every command runs on a copy of the role (gtp/role.py), which is kept if the command succeeds.
"""

import logging
from dataclasses import replace
from typing import Final

from gtp import syntax
from gtp.gogui import Ruler
from gtp.host import Host, IllegalMove
from gtp.role import Role, Services, Settings, Stream
from gtp.seat import Seat
from gtp.syntax import Command, Failure
from gtp.table import Entry, Reply, command, table
from phantomgo.version import __version__

log = logging.getLogger(__name__)

ROLES: Final[tuple[type[Role], ...]] = (Host, Seat, Ruler)
"""In the order in which a failure names the role of a command."""
OPEN_ONLY: Final = frozenset({"undo", "lz-genmove_analyze", "kata-genmove_analyze"})
"""Commands that fail while bots are hidden."""


class Session:
    """A conversation with one controller.

    Attributes:
        role: a Host, or another role after `phantom-seat`.
        closed: whether the controller sent `quit`.
        ruled: whether a ruler has asked for the game.
        stream: the lines that follow the last response until the next command, if any.
    """

    def __init__(self, settings: Settings, services: Services) -> None:
        self.role: Role = Host(settings, services)
        self.closed = self.ruled = False
        self.stream: Stream | None = None

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

    def _answer(self, parsed: Command) -> Reply:
        """Run a command on a copy of the role, which is kept unless it fails."""
        self.stream = None
        entry = self._entry(parsed)
        if parsed.name in table(Session):
            return entry.handler(self, *parsed.arguments)
        role = self.role.copy()
        if role.settings.ruled is not self.ruled:
            role.settings = replace(role.settings, ruled=self.ruled)
        try:
            reply = entry.handler(role, *parsed.arguments)
        except IllegalMove:
            self.role = role
            if role.settings.ruled:
                return None  # the ruler shows it
            raise
        self.role, self.stream, role.stream = role, role.stream, None
        return reply

    def _entry(self, parsed: Command) -> Entry:
        """The entry of a command; raises Failure if it cannot be run with these arguments."""
        entry = table(Session).get(parsed.name) or table(type(self.role)).get(parsed.name)
        if entry is None:
            way = next((role.way for role in ROLES if parsed.name in table(role)), None)
            raise Failure("unknown command" if way is None else f"not in this role: {way}")
        count = len(parsed.arguments)
        if count < entry.least or (entry.most is not None and count > entry.most):
            raise Failure("syntax error")
        return entry

    def show(self, line: bytes) -> str:
        """Answer a ruler's `phantom-shown`, from any thread.

        The answer is from the role after the last command, never from the middle of one.
        """
        parsed, role = syntax.parse(line), self.role
        try:
            if parsed is None or parsed.name != "phantom-shown" or not isinstance(role, Host):
                raise Failure("unknown command")
            self.ruled = True
            return syntax.success(None, role.phantom_shown(*parsed.arguments))
        except Failure as failure:
            return syntax.failure(None, str(failure))

    @staticmethod
    def commands() -> list[str]:
        """The commands of all roles, in alphabetical order."""
        return sorted({name for owner in (Session, *ROLES) for name in table(owner)})

    @command("protocol_version")
    def protocol_version(self) -> str:
        return "2"

    @command("name")
    def name(self) -> str:
        return self.role.services.name

    @command("version")
    def version(self) -> str:
        return __version__

    @command("known_command")
    def known_command(self, *names: str) -> str:
        """Never fails: without a name the answer is `false`, as GNU Go and gomill have it."""
        return "true" if names[:1] and names[0] in self._offered() else "false"

    @command("list_commands")
    def list_commands(self) -> str:
        return "\n".join(self._offered())

    def _offered(self) -> list[str]:
        """The commands, without those that fail while bots are hidden.

        Without `undo` a GUI takes back by repeating the game, and without `kata-genmove_analyze`
        it sends `genmove`; both work.
        """
        hidden = OPEN_ONLY if self.role.settings.hide else ()
        return [name for name in self.commands() if name not in hidden]

    @command("quit")
    def quit(self) -> None:
        self.closed = True

    @command("phantom-protocol_version")
    def phantom_protocol_version(self) -> str:
        return "1"

    @command("phantom-seat")
    def seat(self, word: str) -> None:
        """Take another role, and start a new game in it."""
        given = self.role.settings, self.role.services
        match word.lower():
            case "none":
                self.role = Host(*given)
            case "ruler":
                self.role = Ruler(*given)
            case _:
                self.role = Seat(*given, syntax.colour(word))
