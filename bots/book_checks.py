"""Checks that a book fits a game, and that its bots have not changed since it was learned."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Final

from bots.bot import Make
from bots.fingerprint import fingerprint
from bots.spec import book_specs, is_book
from phantomgo.errors import BadBook, BadText
from phantomgo.game.beginning import START, Beginning, Game
from phantomgo.game.rules import Rules
from phantomgo.identity import Identity
from phantomgo.portfolio.movebook import AnyBook, MoveBook, read_any

_log = logging.getLogger(__name__)
read_once: Final = cache(read_any)
"""The book, of seeds or of moves, of a name or in a file; read once per process."""


def check_size(text: str, size: int) -> None:
    """Check that the books of a bot spec, if it names any, are for boards of this size."""
    for spec in book_specs(text):
        read_any(spec.source).setup.check_size(spec.text, size)


def check_rules(text: str, rules: Rules, beginning: Beginning | None = START) -> None:
    """Check that the books of a bot spec, if it names any, are for games by these rules.

    Komi may differ, which is logged when the bot plays; with `force=on`, all but the size may. The
    beginning is None if it is unknown yet.
    """
    check_size(text, rules.size)
    given = rules.as_dict()
    for spec in book_specs(text):
        if spec.force:
            continue
        setup = read_any(spec.source).setup
        for key, value in setup.rules.as_dict().items():
            if key != "komi" and given[key] != value:
                raise _for_others(spec.text, f"{key} {value}", given[key])
        if beginning not in (None, setup.beginning):
            both = setup.beginning, beginning or START
            learned, asked = (one.text(rules.size) or "an empty board" for one in both)
            raise _for_others(spec.text, learned, "others" if asked == learned else asked)


def usual_game(text: str) -> Game:
    """A game that a spec's player plays: that of its book, else on an empty 9x9 board."""
    books = (read_any(spec.source).setup.game for spec in book_specs(text))
    return next(books, Game(Rules()))


def _for_others(played: str, learned: str, given: object) -> BadBook:
    return BadBook(
        f"{played} was learned with {learned}, not {given}; {played},force=on plays it anyway"
    )


def quick_changes(book: AnyBook, make: Make) -> list[str]:
    """A sentence for each bot of a book that has changed since the book was learned.

    Bots are compared by their attempts in a few fixed views and by their learned data. Whole games
    show more, but take a referee, which no bot may import (phantomgo/lab/learning/book_changes.py).

    Raises:
        BadBook: the book is for a bot that does not exist, that plays by the clock, or for
            another book.
    """
    return _changes(book, book.players, make)


@cache
def opener_changes(source: str, make: Make) -> list[str]:
    """A sentence for each bot in a book's lines that has changed since the book was learned."""
    book = read_once(source)
    players = {learned.name: (role, learned) for role, learned in book.players}
    return _changes(book, [players[name] for name in line_specs(book)], make)


def line_specs(book: AnyBook) -> list[str]:
    """The specs of the bots in a book's lines; a book of moves has none."""
    return [] if isinstance(book, MoveBook) else sorted(book.black.bots | book.white.bots)


def _changes(book: AnyBook, players: Sequence[tuple[str, Identity]], make: Make) -> list[str]:
    changes, game = [], book.setup.game
    look: Callable[[str], str] = cache(lambda name: fingerprint(partial(make, name, game)))
    for role, learned in players:
        if is_book(learned.name):
            raise BadBook(f"book {book.name}: {role} {learned.name} is a book itself")
        try:
            bot = make(learned.name, game, 0)
        except BadText as error:
            raise BadBook(f"book {book.name}: {role}: {error}") from error
        if not bot.deterministic:
            raise BadBook(f"book {book.name}: {role} {bot.name} plays by the clock")
        now = replace(learned, fingerprint=look(learned.name), data=bot.data())
        difference = learned.difference(now)
        if difference is not None:
            changes.append(change_sentence(book, role, learned.name, difference))
    return changes


def change_sentence(book: AnyBook, role: str, spec: str, difference: str) -> str:
    """A sentence that says how a bot has changed since the book was learned."""
    return f"book {book.name}: {role} {spec} has changed since it was learned: {difference}"


def refuse_changed(changes: list[str], *, force: bool) -> None:
    """Refuse a book whose bots have changed since it was learned."""
    if changes and not force:
        raise BadBook("; ".join(changes) + "; learn it again, or override by force")
    for sentence in changes:
        _log.warning("%s; playing it anyway, but its seeds are worthless now", sentence)


@cache
def verified(source: str, make: Make, force: bool) -> AnyBook:
    """The book, checked once per process."""
    book = read_any(source)
    refuse_changed(quick_changes(book, make), force=force)
    return book
