"""Checks that every interface makes: which players may play which games.

A player is a spec (`flatmc:playouts=200`, `book:nash5`, `mybots:Corner`, `gtp:gnugo --mode gtp`) or
a class derived from `Bot`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

import bots
from bots import Bot
from bots.book_checks import check_rules, refuse_changed
from bots.deployed import even_komi
from bots.opening import is_one_book, spec_playing
from bots.spec import DEFAULT, SHORT_NAMES, book_specs, learned_in, with_book
from gtp.handicap import most, star_points
from phantomgo.errors import BadText
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.points import PointSet, grid, parse_points, point_set
from phantomgo.game.recording import begin, beginning_after
from phantomgo.game.rules import Rules
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.portfolio.movebook import read_any
from phantomgo.records.record_json import read_record
from phantomgo.values import checked_int

Named: TypeAlias = str | type[Bot]
"""A player: a spec, or the class of a bot with all parameters at their defaults."""
After: TypeAlias = tuple[str | Path, int]
"""A file with one recorded game, and a number of its moves."""
MOST_MOVES: Final = 9999
HANDICAP_KOMI: Final = 0.5
"""The usual komi of games with handicap stones, which only prevents a draw."""


def spec_of(player: Named) -> str:
    """The spec of a player; for the default bot the full spec, as records outlive the default."""
    if isinstance(player, str):
        return SHORT_NAMES[DEFAULT] if player == DEFAULT else player
    if not isinstance(player, type):
        raise BadText(f"player {repr(player)[:60]} is neither a spec nor a class of bots")
    ours = next((kind for kind in bots.BOTS if bots.BOTS[kind] is player), None)
    if ours is None and "." in player.__qualname__:
        raise BadText(f"player {player.__qualname__} is not defined at the top level of a module")
    return ours or f"{player.__module__}:{player.__qualname__}"


def from_book(
    bot: Named | None,
    default: str,
    book: str,
    size: int | None,
    komi: float | None,
    rules: str | None,
) -> tuple[str, int | None, float | None, str | None]:
    """The spec of a bot with an opening book, or a folder of books, and size, komi and profile.

    Missing values are taken from the book; a missing bot is the default one.
    """
    if bot is None or bot == DEFAULT:
        spec = spec_playing(default, book)
    else:
        spec = with_book(spec_of(bot), book)
    if not is_one_book(book):
        return spec, size, komi, rules
    learned = read_any(book).setup
    return (
        spec,
        learned.rules.size if size is None else size,
        learned.rules.komi if komi is None else komi,
        learned.profile if rules is None else rules,
    )


def usual_komi(profile: str, size: int, *, handicap: bool) -> float:
    """The default komi: 0.5 with handicap, else the profile's own, or one that is about even.

    Args:
        profile: the rules profile.
        size: points per side.
        handicap: whether there are handicap stones.
    """
    if handicap:
        return HANDICAP_KOMI
    usual, even = Rules.profile(profile).komi, even_komi(size)
    return usual if even is None or usual != Rules().komi else even


def game_of(
    profile: str,
    size: int,
    komi: float | None,
    handicap: Sequence[str] = (),
    after: After | None = None,
    progress: Progress = SILENT,
) -> Game:
    """A game by the options that all commands have: rules, and how it begins.

    Without a komi the usual one is used, and noted if games are about even with it.
    """
    if komi is not None:
        rules = Rules.profile(profile, size=size, komi=komi)
        return Game(rules, beginning_of(handicap, after, rules))
    rules = Rules.profile(profile, size=size)
    beginning = beginning_of(handicap, after, rules)
    usual = usual_komi(profile, size, handicap=bool(beginning.handicap))
    if usual == even_komi(size):
        progress.note(f"komi is {usual:g}: games on {size}x{size} are about even with it")
    return Game(replace(rules, komi=usual), beginning)


def beginning_of(handicap: Sequence[str], after: After | None, rules: Rules) -> Beginning:
    """The beginning of games.

    Args:
        handicap: Black's handicap stones: their vertices or their number.
        after: a recorded game and how many of its moves begin each game.
        rules: the rules of the games.
    """
    if after is None:
        return Beginning(_handicap(handicap, rules.size))
    if handicap:
        raise BadText("handicap cannot be combined with after, whose game has its own")
    file, moves = after
    checked_int("after: moves", moves, 0, MOST_MOVES)
    try:
        beginning = _recorded(file, moves, rules.size)
        begin(rules, beginning)
    except BadText as error:
        raise BadText(f"after {file}: {error}") from None
    return beginning


def admitted(players: Iterable[Named], rules: Rules, beginning: Beginning | None) -> list[str]:
    """The specs of players, checked to play such games.

    Args:
        players: the players, in any order.
        rules: the rules of the games.
        beginning: how the games begin; None if unknown yet.

    Raises:
        BadText, BadBook, BadStore: a player cannot play them.
        OSError: the file of a bot that learns cannot be written.
    """
    specs = [spec_of(player) for player in players]
    for spec in specs:
        check_rules(spec, rules, beginning)
        check_books(spec)
        if (state := learned_in(spec)) is not None:
            from bots.online import check_state  # noqa: PLC0415  (numpy, a tenth of a second)

            check_state(state)
    return specs


def check_books(spec: str) -> None:
    """Check by whole games that the bots of a spec's books play as before, unless forced."""
    for book in book_specs(spec):
        if not book.force:
            refuse_changed(_changes(book.source, code=book.code), force=False)


@cache
def _changes(source: str, *, code: bool) -> list[str]:
    """The changes of a book's bots, found once per process."""
    from phantomgo.lab.learning.book_changes import changes  # noqa: PLC0415  (numpy and learning, seldom needed)

    return changes(read_any(source), bots.make if code else bots.make_installed)


def admitted_bot(player: Named, rules: Rules) -> str:
    """The spec of one of our bots, checked, with its book, to play such games."""
    (spec,) = admitted([player], rules, None)
    bots.make(spec, Game(rules), 0)
    return spec


def _recorded(file: str | Path, moves: int, size: int) -> Beginning:
    from phantomgo.lab.matches.game_files import records  # noqa: PLC0415  (numpy, a tenth of a second)

    games = list(islice(records(str(file)), 2))
    if len(games) != 1:
        some = "more than one" if games else "none"
        raise BadText(f"one game is needed, not {some}; replay --game N --json prints one")
    record = read_record(games[0][1])
    if record.rules.size != size:
        raise BadText(f"the game is on {record.rules.size}x{record.rules.size}, not {size}x{size}")
    return beginning_after(record, moves)


def handicap_stones(count: int, size: int) -> PointSet:
    """The usual points of this many handicap stones, as GTP places them."""
    if count and not 2 <= count <= most(size):
        raise BadText(f"handicap {count} is not 0 or from 2 to {most(size)} on {size}x{size}")
    return point_set(star_points(size, count)) if count else 0


def _handicap(stones: Sequence[str], size: int) -> PointSet:
    """The handicap stones by their vertices or number."""
    if len(stones) == 1 and stones[0].isascii() and stones[0].isdecimal():
        return handicap_stones(int(stones[0][:9]), size)
    try:
        points = parse_points(stones, size)
    except BadText as error:
        raise BadText(f"handicap: {error}") from None
    if points == grid(size).full:
        raise BadText("handicap leaves the board full")
    return points
