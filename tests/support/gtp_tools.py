"""Doubles and a transcript reader for the tests of the GTP server."""

import errno
import math
import os
import re
from dataclasses import dataclass
from typing import ClassVar

from bots import Bot, make
from gtp.host import Host
from gtp.seat import Seat
from gtp.session import Session
from gtp.thinker import Services, Settings, no_files
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Accepted, Refused
from phantomgo.game.player import Decision
from phantomgo.game.points import PASS, RESIGN, Colour, Move, parse_move
from phantomgo.game.rules import Rules

GAME = Game(Rules())


@dataclass(frozen=True)
class Scripted(Bot):
    """Plays down a list of moves per colour, refused or not, then passes."""

    kind: ClassVar[str] = "scripted"
    moves: dict[Colour, list[Move]]

    def decide(self, view, _seconds=math.inf):
        moves = self.moves.get(view.colour, [])
        done = sum(isinstance(event, Accepted | Refused) for event in view.events)
        return Decision(moves[done] if done < len(moves) else PASS)


def session(
    moves: dict[Colour, list[Move]] | None = None,
    *,
    bot: Bot | str | None = None,
    read_file=no_files,
    rules: Rules | None = None,
    wall_time=lambda: 0.0,
    analyst=None,
    program=lambda _line: None,
    **settings,
) -> Session:
    """A session with a bot that plays these moves, any bot, or the bot of a spec."""

    def make_scripted(spec, game, seed):
        if spec not in ("scripted", "random"):
            raise BadText(f"no bot {spec!r}")
        return bot or Scripted(game, seed, moves)

    if isinstance(bot, str):
        settings["bot"], bot = bot, None
    make_bot = make if moves is None and bot is None else make_scripted
    services = Services(
        make_bot, read_file, lambda: 1.5, wall_time, analyst=analyst, program=program
    )
    return Session(Settings(rules or Rules(size=5), **settings), services)


def run(server: Session, *lines: str) -> list[str | None]:
    """The responses, without the empty line that ends them."""
    responses = [server.run(line) for line in lines]
    assert all(r is None or (r.endswith("\n\n") and "\n\n" not in r[:-2]) for r in responses)
    return [
        None if r is None else "\n".join(x.rstrip() for x in r.split("\n"))[:-2] for r in responses
    ]


def hosting(server: Session) -> Host:
    """The role of a server that knows the whole game."""
    assert isinstance(server.role, Host)
    return server.role


def seated(server: Session) -> Seat:
    """The role of a server that plays one seat of a game whose referee is elsewhere."""
    assert isinstance(server.role, Seat)
    return server.role


def said(server: Session, line: str) -> str:
    """The response to a line and all that follows it."""
    response = server.run(line)
    return response + "\n".join([] if server.stream is None else server.stream.lines)


# Every command that looks and does not change anything, with arguments of every kind; whatever
# is added to the server and only looks is found by tests/gtp/test_no_leak.py.
_LOOKS = """
name; version; protocol_version; list_commands; help; known_command undo; showboard; final_score
final_status_list alive; final_status_list dead; cputime; gomill-cpu_time; gomill-describe_engine
gogui-analyze_commands; kata-list_time_settings; undo; loadsgf nothing.sgf; phantom-get_rules
phantom-protocol_version; phantom-param; phantom-param seed; phantom-param hide off
phantom-param seed 3; phantom-rules sensei; phantom-rule ko simple; phantom-reveal_board
phantom-record; printsgf; get_komi; is_legal b A1; is_legal w B2; set_random_seed 3
fixed_handicap 2; place_free_handicap 2; set_free_handicap A1 B2; komi 6.5; time_left b 10 0
time_settings 10 0 0; kata-time_settings none
kata-analyze b 10 ownership true; kata-analyze w 10 maxmoves 3; phantom-candidates; gogui-interrupt
phantom-shown; phantom-shown b A1; phantom-shown b A1 w pass; phantom-shown w A1 b pass
gogui-rules_game_id; gogui-rules_board_size; gogui-rules_board; gogui-rules_side_to_move
gogui-rules_legal_moves; gogui-rules_captured_count; gogui-rules_board_gfx; gogui-rules_final_result
"""
LOOKS = re.split("; |\n", _LOOKS.strip()) + [
    f"phantom-{what}{side}"
    for what in ("view", "belief", "gfx", "last", "log")
    for side in ("", " b", " w")
]


def analyst(_spec: str, _game: Game) -> Bot:
    return make("flatmc:playouts=10", GAME, 0)


# A transcript: on each line a command, two spaces or more, and the response to it; further lines
# of the response are indented by four. `#` begins a comment, and these two are obeyed:
#     # The bot plays w: D4 E5 pass
#     # The file game.sgf: (;SZ[5];B[cc])
BOT = re.compile(r"# The bot plays ([bw]): (.*)")
FILE = re.compile(r"# The file ([^:]+): (.*)")
LINE = re.compile(r"(\S.*?)(?: {2,}([=?(].*))?")
NOTHING = "(nothing)"


def transcript(text: str) -> list[tuple[str, str, str]]:
    """Run a transcript: command, expected and actual response of every line of it."""
    moves: dict[Colour, list[Move]] = {}
    files: dict[str, bytes] = {}

    def read_file(name: str) -> bytes:
        if name not in files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        return files[name]

    steps: list[tuple[str, str]] = []
    for line in text.splitlines():
        if bot := BOT.match(line):
            colour = Colour.BLACK if bot[1] == "b" else Colour.WHITE
            moves[colour] = [
                RESIGN if word == "resign" else parse_move(word, 5) for word in bot[2].split()
            ]
        elif file := FILE.match(line):
            files[file[1]] = file[2].encode()
        elif line.startswith("    "):
            command, expected = steps.pop()
            steps.append((command, f"{expected}\n{line[4:]}"))
        elif line and not line.startswith("#"):
            step = LINE.fullmatch(line)
            assert step is not None
            assert step[2], f"no response beside {line!r}"
            steps.append((step[1], step[2]))
    server = session(moves, read_file=read_file, seed=1)
    found = []
    for command, expected in steps:
        (response,) = run(server, command)
        found.append((command, expected, NOTHING if response is None else response))
    return found
