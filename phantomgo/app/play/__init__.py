"""`phantomgo play`: Phantom Go in a terminal, against a bot, an engine or a person.

The game, its players and clocks are a table (phantomgo/app/table). Start reading at console.py (who
types, and what they wait for) and commands.py (what can be typed). draw.py and page.py draw
the page; screen.py shows it on a terminal, lines.py where there is none.
"""

import argparse
import logging
import os
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from bots.spec import is_engine, learned_in, remembering
from gtp.limits import NO_LIMITS
from phantomgo.app.command import SPECS, add_options, call, options
from phantomgo.app.play import lines
from phantomgo.app.play.console import Console
from phantomgo.app.play.draw import ASCII, DRAWN
from phantomgo.app.table import saving
from phantomgo.app.table.facts import score
from phantomgo.app.table.game import ADJOURNED, TableGame
from phantomgo.app.table.players import HUMAN, ThreadedPlayers
from phantomgo.app.table.table import Table
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.game.points import BLACK, Colour, parse_colour
from phantomgo.game.record import PlayerInfo, Record
from phantomgo.lab.admission import Named, admitted, from_book, game_of, spec_of
from phantomgo.lab.players.seating import close_engines, program, runs_code
from phantomgo.records.record_json import LONGEST_TEXT, MAX_SECONDS
from phantomgo.rng import checked_seed, fresh_seed
from phantomgo.terminal import redraws
from phantomgo.values import checked_int

PACE: Final = 0.3
"""The least seconds between two attempts when a game is watched on a terminal."""
SEATS: Final = ("bot", "black", "white")
"""The options that also apply to a saved game."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        f"{SPECS} Or any engine, 'gtp:COMMAND LINE', or human."
        " Without options you play Black against the strongest bot on 9x9; `help` lists what you"
        " can type."
    )
    add_options(parser, new_game)
    # Not from a signature: these say which game to open instead of a new one.
    parser.add_argument(
        "--resume",
        metavar="GAME",
        nargs="?",
        const="1",
        help="continue a saved game, or review one that is over: its number in the list of --games,"
        " or a file (default: the latest)",
    )
    parser.add_argument("--games", action="store_true", help="list the saved games")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.games:
        _refuse_terms(arguments, "games, which lists them")
        print("\n".join(saving.listed()) or "There are no saved games.")
        return 0
    game, own_file = _opened(arguments)
    on_terminal = sys.stdin.isatty() and redraws(sys.stdout)
    pace = PACE if on_terminal and HUMAN not in (game.name(c) for c in Colour) else 0
    named, seated = _named(game, arguments), list[ThreadedPlayers]()

    def set_up(game: TableGame, file: Path | None = None) -> Table:
        """A table that saves its game to this file, or to one of its own."""
        _refuse_strangers(game, named)
        seated.append(ThreadedPlayers(game, pace=pace))
        keep = partial(saving.keep, file=file or saving.new_file(game.rules.size))
        return Table(game, seated[-1], keep=keep)

    console = Console(set_up(game, own_file), resumable=True, set_up=set_up)
    logging.getLogger("bots").setLevel(logging.INFO)  # says when kernels are compiled
    try:
        _play(console, on_terminal)
    except (PhantomGoError, KeyboardInterrupt):
        for players in seated:
            players.warm_up.wait()
        raise
    if on_terminal:
        outcome = console.game.outcome
        print(score(console.game) if outcome is not None else console.resume_hint or "Goodbye.")
    if any(players.busy for players in seated):  # engines end with this process (gtp/reaper.py)
        end_process()
        return 0
    close_engines()
    return 0


def _opened(arguments: argparse.Namespace) -> tuple[TableGame, Path | None]:
    """The new or saved game, and the file it is saved to again, if it comes from one of ours."""
    if arguments.resume is None:
        return call(new_game, arguments), None
    _refuse_terms(arguments, "resume: the saved game has its own", {*SEATS, "remember", "resume"})
    file = saving.chosen(arguments.resume)
    return _resumed(file, arguments), file if file.parent == saving.folder() else None


def end_process() -> None:
    """Exit at once, even if threads are still working."""
    sys.stdout.flush()
    os._exit(0)


def _play(console: Console, on_terminal: bool) -> None:
    if not on_terminal:
        logging.basicConfig(stream=sys.stderr, format="phantomgo play: %(message)s")
        lines.play(console, prompting=sys.stdin.isatty())
        return
    from phantomgo.app.play.screen import Screen  # noqa: PLC0415  (a fifth of a second)

    colours = not os.environ.get("NO_COLOR")
    drawn = colours and "utf" in sys.stdout.encoding.lower()
    # Without colours only letters tell black stones from white ones.
    Screen(console, DRAWN if drawn else ASCII, colours=colours).run()


# A new game


def new_game(
    *,
    bot: Named | None = None,
    book: str | None = None,
    remember: str | None = None,
    colour: str | None = None,
    black: Named | None = None,
    white: Named | None = None,
    size: int | None = None,
    komi: float | None = None,
    rules: str | None = None,
    handicap: Sequence[str] = (),
    time: int | None = None,
    seed: int | None = None,
) -> TableGame:
    """Return a game on these terms, before its first attempt.

    Args:
        bot: the opponent (default: `default`, the strongest bot).
        book: give the opponent this opening book, on its board and by its rules, the best book of
            FOLDER/, or `none` (default: the shipped book that fits, if any).
        remember: keep in this file which lines of its book have won against you, and draw those
            more often.
        colour: your colour, b or w (default b).
        black: the player of Black, instead of you or the bot.
        white: the player of White; with two bots you watch.
        size: points per side (default 9).
        komi: points for White (default: even on this board, or the profile's; 0.5 with handicap).
        rules: rules profile, which sets the announcements (default olympiad).
        handicap: handicap stones: their vertices or their number.
        time: main time of each side.
        seed: the seed the bots play (default: a fresh one).
    """
    pair = {BLACK: black, BLACK.other: white}
    if any(pair.values()):
        for name, given in (
            ("bot", bot), ("book", book), ("remember", remember), ("colour", colour),
        ):  # fmt: skip
            if given is not None:
                raise BadText(f"{name} cannot be combined with black or white")
    else:
        if book is not None:
            bot, size, komi, rules = from_book(bot, NO_LIMITS.bot, book, size, komi, rules)
        if remember is not None:
            bot = remembering(NO_LIMITS.bot if bot is None else spec_of(bot), remember)
        yours = BLACK if colour is None else parse_colour(colour)
        pair = {yours: None, yours.other: NO_LIMITS.bot if bot is None else bot}
    if time is not None:
        checked_int("time", time, 1, MAX_SECONDS)
    chosen = fresh_seed() if seed is None else checked_seed(seed)
    terms, beginning = game_of(rules or "olympiad", 9 if size is None else size, komi, handicap)
    sides = {
        side: _side(HUMAN if player is None else player, chosen) for side, player in pair.items()
    }
    admitted([side.name for side in sides.values()], terms, beginning)
    stones = beginning.handicap
    return TableGame(Record(terms, sides[BLACK], sides[BLACK.other], (), ADJOURNED, stones, time))


def _side(player: Named, seed: int) -> PlayerInfo:
    spec = spec_of(player)
    if len(spec) > LONGEST_TEXT:
        raise BadText(
            f"player {spec[:40]!r}... has {len(spec)} characters, more than {LONGEST_TEXT}"
        )
    if is_engine(spec):
        program(spec)
    return PlayerInfo(spec, None if spec == HUMAN else seed)


# A saved one


def _resumed(file: Path, arguments: argparse.Namespace) -> TableGame:
    """The game saved in a file, with other players if the command line names any."""
    game = TableGame.resumed(saving.load(file))
    if game.outcome is not None:
        return game
    seats = {colour: getattr(arguments, colour.word) for colour in Colour}
    if arguments.bot is not None:
        bots = [colour for colour in Colour if game.name(colour) != HUMAN]
        if len(bots) != 1 or any(seats.values()):
            raise BadText("bot names the one opponent; name both players by black and white")
        seats[bots[0]] = arguments.bot
    for colour, spec in seats.items():
        if spec is not None:
            start = game.start
            saved = start.side(colour).seed
            side = _side(spec, fresh_seed() if saved is None else saved)
            black, white = (side if c is colour else start.side(c) for c in Colour)
            game.start = replace(start, black=black, white=white)
    return game


def _refuse_terms(arguments: argparse.Namespace, beside: str, but: Collection[str] = ()) -> None:
    for name in ("resume", *(option.name for option in options(new_game))):
        if name not in but and getattr(arguments, name) is not None:
            raise BadText(f"{name} cannot be combined with {beside}")


def _named(game: TableGame, arguments: argparse.Namespace) -> set[str]:
    """The players that the command line names, who may run code and write files."""
    if arguments.resume is None:
        return {game.name(colour) for colour in Colour}
    named = {spec for option in SEATS if (spec := getattr(arguments, option)) is not None}
    if arguments.remember is not None:
        specs = {game.name(colour) for colour in Colour}
        learners = {spec for spec in specs if learned_in(spec) == arguments.remember}
        if not learners:
            raise BadText(f"remember: no bot of the saved game keeps {arguments.remember}")
        named |= learners
    return named


def _refuse_strangers(game: TableGame, named: Collection[str]) -> None:
    """Check that no player runs code, or writes a file, that only a saved game names: anybody may
    have written it.
    """
    for colour in Colour if game.outcome is None else ():
        spec = game.name(colour)
        if spec not in named and runs_code(spec):
            state = learned_in(spec)
            harm, remedy = "run a program", f"--{colour.word} SPEC"
            if state is not None:
                harm, remedy = f"write {state}", f"--remember {state}"
            raise BadText(
                f"{colour} is {spec[:60]!r} in the saved game, which would {harm};"
                f" if it is to play, name it again, with {remedy}"
            )
