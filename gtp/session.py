r"""The engine side of GTP: one line in, one response out, no input or output of its own.

    session = Session(Settings(Rules()), services)
    session.run("7 boardsize 9")   ->   "=7 \n\n"
    session.run("# a comment")     ->   None

Every command runs on a copy of the role (gtp/role.py), which is kept if the command succeeds.
"""

import logging
from dataclasses import replace
from typing import Final

from gtp import syntax
from gtp.host import Host, IllegalMove
from gtp.role import Role, Services, Settings, Stream
from gtp.roles import ROLES
from gtp.syntax import Command, Failure
from gtp.table import Entry, Reply, command, table
from phantomgo.version import __version__

log = logging.getLogger(__name__)


OPEN_ONLY: Final = frozenset({"undo", "lz-genmove_analyze", "kata-genmove_analyze"})
"""Commands that a bot's hidden seat forbids."""


class Session:
    """A conversation with one controller.

    Attributes:
        role: the game and what it is to the controller: Host, or another after `phantom-seat`.
        closed: the controller has said `quit`.
        ruled: a ruler has asked for the game.
        stream: what follows the last response, until the next line; None for most commands.
    """

    def __init__(self, settings: Settings, services: Services) -> None:
        self.role: Role = Host(settings, services)
        self.closed = self.ruled = False
        self.stream: Stream | None = None

    def run(self, line: bytes | str) -> str | None:
        """Carry out a line; returns the response, None where GTP wants none.

        Of a line longer than `syntax.MAX_LINE` the beginning is enough: unless the rest is a
        comment, it is answered `line too long`.
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
            # Only the kind of error is told: its text may hold what the controller may not know.
            log.exception("%s failed", parsed.name)
            return syntax.failure(parsed.id, f"internal error: {type(error).__name__}")

    def _answer(self, parsed: Command) -> Reply:
        """Run a command on a copy of the role, which is kept unless it fails."""
        self.stream = None
        entry = table(Session).get(parsed.name)
        if entry is not None:
            _check_count(entry, len(parsed.arguments))
            return entry.handler(self, *parsed.arguments)
        role = self.role.copy()
        if role.settings.ruled is not self.ruled:
            role.settings = replace(role.settings, ruled=self.ruled)
        entry = self._entry(parsed)
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
        entry = table(type(self.role)).get(parsed.name)
        if entry is not None:
            _check_count(entry, len(parsed.arguments))
            return entry
        for other in ROLES:
            if parsed.name in table(other):
                raise Failure(f"not in this role: {other.way}")
        raise Failure("unknown command")

    def show(self, line: bytes) -> str:
        """Answer a ruler's `phantom-shown`, from any thread; the game is one that is shown then.

        It is answered from the role as the last command has left it, never from the midst of one.
        """
        parsed, role = syntax.parse(line), self.role
        try:
            if parsed is None or parsed.name != "phantom-shown" or not isinstance(role, Host):
                raise Failure("unknown command")
            self.ruled = True
            return syntax.success(None, role.shown_after(*parsed.arguments))
        except Failure as failure:
            return syntax.failure(None, str(failure))

    @staticmethod
    def commands() -> list[str]:
        """The commands of all roles, in order: what `list_commands` answers."""
        return sorted(
            {
                name
                for owner in (Session, *ROLES)
                for name, entry in table(owner).items()
                if entry.listed
            }
        )

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

        A GUI that finds no `undo` takes back by telling the game again, and one that finds no
        `kata-genmove_analyze` asks for `genmove`; both work.
        """
        settings = getattr(self.role, "settings", None)
        hidden = OPEN_ONLY if settings is not None and settings.hide else frozenset[str]()
        return [name for name in self.commands() if name not in hidden]

    @command("quit")
    def quit(self) -> None:
        self.closed = True

    @command("phantom-protocol_version")
    def phantom_protocol_version(self) -> str:
        return "1"

    @command("phantom-seat")
    def seat(self, word: str) -> None:
        """Take another role, and begin a new game in it."""
        for kind in ROLES:
            role = kind.asked_for(word, self.role.settings, self.role.services)
            if role is not None:
                self.role = role
                return
        raise Failure("syntax error")


def _check_count(entry: Entry, count: int) -> None:
    if count < entry.least or (entry.most is not None and count > entry.most):
        raise Failure("syntax error")
