"""`phantomgo play`: Phantom Go by hand, against a bot, an engine or a person at the same terminal.

The game, its players and clocks are a table (phantomgo/app/table). Start reading at console.py (who
types, and what they wait for) and commands.py (what can be typed). draw.py, large.py and page.py
make pictures of what is to be seen, screen.py shows them on a terminal, lines.py where there is
none.
"""

import argparse
import logging
import os
import secrets
import sys
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from bots.naming import is_engine
from bots.seeded import check_rules
from gtp.handicap import most, star_points
from gtp.role import NO_BOOK
from phantomgo.app.gtp import DEFAULT_BOT, from_book
from phantomgo.app.options import add_rules
from phantomgo.app.play import lines
from phantomgo.app.play.console import Console
from phantomgo.app.play.draw import ASCII, DRAWN
from phantomgo.app.roster import add_players_file, roster
from phantomgo.app.table import saving
from phantomgo.app.table.facts import score
from phantomgo.app.table.game import ADJOURNED, Game
from phantomgo.app.table.players import HUMAN, ThreadedPlayers
from phantomgo.app.table.table import Table
from phantomgo.beginning import Beginning
from phantomgo.checks import whole
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.lab.players import close_engines, program, runs_code
from phantomgo.lab.seat import komi_hint
from phantomgo.points import BLACK, Colour, parse_colour, point_set
from phantomgo.record import Record, Side
from phantomgo.record_json import MAX_SECONDS, MAX_TEXT
from phantomgo.rng import MAX_SEED, checked_seed
from phantomgo.rules import Rules

PACE: Final = 0.3
"""Seconds that a watched attempt takes at least on a terminal."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "SPEC is a bot, as flatmc:playouts=1000, any engine: 'gtp:COMMAND LINE', or human."
        " Without options you are Black against the strongest bot on 9x9; `help` tells the rest."
    )
    parser.add_argument("--bot", metavar="SPEC", help=f"the opponent (default {DEFAULT_BOT})")
    parser.add_argument(
        "--book",
        metavar="NAME",
        help=f"it plays from this book, on its board; {NO_BOOK}: from no book"
        " (default: from the shipped one that fits, if there is one)",
    )
    parser.add_argument("--force", action="store_true", help="even if the book's bot has changed")
    parser.add_argument("--colour", metavar="COLOUR", help="yours: b or w (default b)")
    parser.add_argument("--black", metavar="SPEC", help="who plays Black, if not --bot and you")
    parser.add_argument("--white", metavar="SPEC", help="who plays White; two bots: you watch")
    add_players_file(parser)
    parser.add_argument("--size", type=int, help="points per side (default 9)")
    parser.add_argument("--komi", type=float, help="points White is given (default: the rules')")
    add_rules(parser, None)
    parser.add_argument("--handicap", type=int, metavar="N", help="Black begins with N stones")
    parser.add_argument("--time", type=int, metavar="SECONDS", help="of each side for the game")
    parser.add_argument("--seed", type=int, help="the seed the bots play (default: a fresh one)")
    parser.add_argument("--ascii", action="store_true", help="draw the board with letters")
    parser.add_argument(
        "--resume",
        metavar="GAME",
        nargs="?",
        const="1",
        help="go on with a kept game, or look at one that is over: its number in the list of"
        " --games, or a file (default: the last one)",
    )
    parser.add_argument("--games", action="store_true", help="list the games that are kept")


def run(arguments: argparse.Namespace) -> int:
    if arguments.games:
        print("\n".join(saving.listed()) or "No game is kept yet.")
        return 0
    labels = roster(arguments).settle(arguments, "bot", "black", "white")
    game = _resumed(arguments) if arguments.resume is not None else _begun(arguments)
    on_terminal = (
        sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in (None, "dumb")
    )
    pace = PACE if on_terminal and HUMAN not in (game.name(c) for c in Colour) else 0
    laid: list[ThreadedPlayers] = []

    def lay(game: Game, file: Path | None = None) -> Table:
        """A table that keeps its game, in this file or one of its own."""
        _refuse_strangers(game, {arguments.bot, arguments.black, arguments.white})
        laid.append(ThreadedPlayers(game, pace=pace))
        keep = partial(saving.keep, file=file or saving.new_file(game.rules.size))
        return Table(game, laid[-1], keep=keep, labels=labels)

    console = Console(lay(game, _file(arguments)), resumable=True, lay=lay)
    if arguments.resume is None and not arguments.handicap:
        hint = komi_hint(game.rules, arguments.komi)
        console.answer += f" {hint[0].upper()}{hint[1:]}." if hint else ""
    logging.getLogger("bots").setLevel(logging.INFO)  # says when kernels are compiled
    try:
        _play(console, on_terminal, ascii_only=arguments.ascii)
    except (PhantomGoError, KeyboardInterrupt):
        for players in laid:
            players.warm_up.wait()
        raise
    if on_terminal:
        print(_farewell(console))
    if any(players.busy for players in laid):  # engines end with this process (gtp/reaper.py)
        end_process()
        return 0
    close_engines()
    return 0


def _file(arguments: argparse.Namespace) -> Path | None:
    """Where a resumed game goes on being kept, if it was one of those that are kept."""
    if arguments.resume is None:
        return None
    file = saving.chosen(arguments.resume)
    return file if file.parent == saving.folder() else None


def end_process() -> None:
    """Leave at once, whatever threads are still at work."""
    sys.stdout.flush()
    os._exit(0)


def _play(console: Console, on_terminal: bool, *, ascii_only: bool) -> None:
    if not on_terminal:
        logging.basicConfig(stream=sys.stderr, format="phantomgo play: %(message)s")
        lines.play(console, prompting=sys.stdin.isatty())
        return
    from phantomgo.app.play.screen import Screen  # noqa: PLC0415  (a fifth of a second)

    colours = not os.environ.get("NO_COLOR")
    drawn = colours and not ascii_only and "utf" in sys.stdout.encoding.lower()
    # Without colours only letters tell black stones from white ones.
    Screen(console, DRAWN if drawn else ASCII, colours=colours).run()


def _farewell(console: Console) -> str:
    outcome = console.game.outcome
    if outcome is not None:
        return score(console.game)
    return console.kept or "Goodbye."


# A new game


def _begun(arguments: argparse.Namespace) -> Game:
    if arguments.seed is not None:
        checked_seed(arguments.seed)
    if arguments.time is not None:
        whole("time", arguments.time, 1, MAX_SECONDS)
    specs = _specs(arguments)
    size = 9 if arguments.size is None else arguments.size
    rules = Rules.profile(arguments.rules or "olympiad", size=size, komi=arguments.komi)
    stones = _handicap(arguments.handicap, size)
    for spec in specs.values():
        check_rules(spec, rules, Beginning(stones))
    seed = secrets.randbelow(MAX_SEED + 1) if arguments.seed is None else arguments.seed
    black, white = (_side(specs[colour], seed) for colour in Colour)
    return Game(Record(rules, black, white, (), ADJOURNED, stones, arguments.time))


def _specs(arguments: argparse.Namespace) -> dict[Colour, str]:
    """Who plays each colour."""
    pair = {colour: getattr(arguments, str(colour).lower()) for colour in Colour}
    if any(pair.values()):
        for option in ("bot", "book", "colour"):
            if getattr(arguments, option) is not None:
                raise BadText(f"--{option} goes without --black and --white")
        return {colour: spec or HUMAN for colour, spec in pair.items()}
    if arguments.book is not None:
        for option in ("bot",) if arguments.book == NO_BOOK else ("bot", "size"):
            if getattr(arguments, option) is not None:
                raise BadText(f"--{option} goes without --book {arguments.book}")
        given = arguments.size, arguments.komi, arguments.rules
        found = from_book(arguments.book, *given, force=arguments.force)
        arguments.bot, arguments.size, arguments.komi, arguments.rules = found
    yours = BLACK if arguments.colour is None else parse_colour(arguments.colour)
    return {yours: HUMAN, yours.other: arguments.bot or DEFAULT_BOT}


def _side(spec: str, seed: int | None) -> Side:
    if len(spec) > MAX_TEXT:
        raise BadText(f"player {spec[:40]!r}... has {len(spec)} characters, more than {MAX_TEXT}")
    if is_engine(spec):
        program(spec)
    return Side(spec, None if spec == HUMAN else seed)


def _handicap(stones: int | None, size: int) -> int:
    if not stones:
        return 0
    if not 2 <= stones <= most(size):
        raise BadText(f"--handicap {stones} is not 0 or from 2 to {most(size)} on {size}x{size}")
    return point_set(star_points(size, stones))


# A saved one


def _resumed(arguments: argparse.Namespace) -> Game:
    """The saved game. Other players may take the seats."""
    for option in ("colour", "book", "size", "komi", "rules", "handicap", "time", "seed"):
        if getattr(arguments, option) is not None:
            raise BadText(f"--{option} goes without --resume: the saved game has its own")
    game = Game.resumed(saving.load(saving.chosen(arguments.resume)))
    if game.outcome is not None:
        return game
    seats = {colour: getattr(arguments, str(colour).lower()) for colour in Colour}
    if arguments.bot is not None:
        bots = [colour for colour in Colour if game.name(colour) != HUMAN]
        if len(bots) != 1 or any(seats.values()):
            raise BadText("--bot names the one opponent; use --black SPEC and --white SPEC")
        seats[bots[0]] = arguments.bot
    for colour, spec in seats.items():
        if spec is not None:
            saved = game.start.side(colour)
            seed = saved.seed if saved.seed is not None else secrets.randbelow(MAX_SEED + 1)
            game.start = _seated(game.start, colour, _side(spec, seed))
    return game


def _refuse_strangers(game: Game, named: Collection[str | None]) -> None:
    """See that no player runs code that only a file names: anybody may have written it.

    Raises:
        BadText: one would.
    """
    for colour in Colour if game.outcome is None else ():
        spec = game.name(colour)
        if spec not in named and runs_code(spec):
            raise BadText(
                f"{colour} is {spec[:60]!r} in the saved game, which would run a program;"
                f" if it is to play, name it again, with --{str(colour).lower()} SPEC"
            )


def _seated(record: Record, colour: Colour, side: Side) -> Record:
    return replace(record, black=side) if colour is BLACK else replace(record, white=side)
