"""The identity of a player: digests of its whole games against itself.

Comparing attempts in a few views would be quick, but most changes of a bot show only later in a
game: after a pass, a capture, or a refusal in an earlier turn. Whole games reach these. They are
played with bounded budgets, whatever the spec, and the digests are cached under a digest of all
sources. An identity is always complete: the number of its games depends on the board alone, never
on the speed of a machine.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from time import process_time
from typing import Final

import bots
from bots import Bot
from bots.book import unchecked_book_bot
from bots.book_checks import change_sentence
from bots.bot import BotBySeed
from bots.fingerprint import fingerprint
from bots.spec import is_engine
from phantomgo.files import cache_folder, make_folder, write_atomically
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Fault
from phantomgo.game.points import BLACK, WHITE, vertex
from phantomgo.game.recording import begin
from phantomgo.game.rules import Rules
from phantomgo.identity import DIGITS, Identity
from phantomgo.lab.players.contract import check_pure
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.matrix import shell
from phantomgo.portfolio.movebook import AnyBook

SHELLS: Final = {5: 12, 7: 7, 9: 4, 13: 2, 19: 1}
"""Shells of its seeds' matrix that make an identity, on boards up to these sizes.

The squares of them are the games. Some changes alter one game of a hundred on 5x5.
"""
OPENING_ATTEMPTS: Final = 20
"""Attempts of one more game, with up to `OPENING_BUDGET` times the budget of a probe."""
OPENING_BUDGET: Final = 25
OWN_ATTEMPTS: Final = 8
"""Attempts of one more game at the bot's own budget, up to `OWN_BUDGET` times that of a probe, if
that is more than `OPENING_BUDGET` times."""
OWN_BUDGET: Final = 500
SLOW: Final = 5.0
"""Seconds of processor time after which the log says what takes so long."""

_log = logging.getLogger(__name__)


def identify(spec: str, game: Game) -> Identity:
    """The identity of a player in a game.

    Args:
        spec: a bot or an engine; an engine is known by its command only.
        game: its rules decide what the bot is told, and most bots read komi.

    Raises:
        BadText: no player has this spec, or no game by these rules begins like this.
        Breach: it is a foreign bot and not a function of its view.
    """
    if is_engine(spec):
        return Identity(spec)
    bot = bots.make(spec, game, 0)
    name = bot.name
    make = partial(bots.make, name, game)
    if not bot.with_budget(1).deterministic:  # by its own account it repeats nothing
        return Identity(name, data=bot.data())
    if bot.foreign:
        check_pure(make)
    return Identity(name, fingerprint(make), games_of(make), bot.data(), _own(make))


def games_of(make: BotBySeed) -> tuple[str, ...]:
    """The digests of a bot's games against itself, as in its identity; it has the game."""
    return _remembered(make, 1 + _shells(make(0).game.rules), partial(_games, make))


def book_games(book: Book) -> tuple[str, ...]:
    """The digests of a book's games against itself, played now."""
    game = book.setup.game
    return games_of(lambda seed: unchecked_book_bot(book.name, book, game, seed, bots.make))


def changes_in_games(book: AnyBook) -> list[str]:
    """A sentence for each way in which a book or one of its bots plays other games against itself
    than when the book was learned.
    """
    sentences, game = [], book.setup.game
    look = cache(lambda name: identify(name, game))
    for whose, player in book.players:
        if player.games and (difference := player.difference(look(player.name))):
            sentences.append(change_sentence(book, whose, player.name, difference))
    if sentences or not isinstance(book, Book) or not book.games:
        return sentences
    was, now = Identity(book.name, games=book.games), Identity(book.name, games=book_games(book))
    difference = was.difference(now)
    if difference is not None:
        sentences.append(f"book {book.name}: its seeds play differently now: {difference}")
    return sentences


def _own(make: BotBySeed) -> str | None:
    """The digest of a beginning at the bot's own budget; None if the opening had this budget."""
    black, white = (make(seed).with_budget(OWN_BUDGET) for seed in (0, 1))
    if black == make(0).with_budget(OPENING_BUDGET):
        return None

    def played() -> Iterator[str]:
        yield digest_of(islice(attempts_of(black, white), OWN_ATTEMPTS))

    return _remembered(make, 1, played)[0]


def _remembered(make: BotBySeed, number: int, play: Callable[[], Iterator[str]]) -> tuple[str, ...]:
    """This many digests, from the cache or computed now.

    The games are played once until a source changes. Digests of a foreign bot are not cached, as
    its sources are unknown.
    """
    bot = make(0)
    if bot.foreign:
        return tuple(play())
    rules, beginning = bot.game
    game = [rules.as_dict(), beginning.as_dict(rules.size), number]
    words = json.dumps([sources(), bot.name, dict(bot.data()), *game])
    file = cache_folder() / "identities" / hashlib.sha256(words.encode()).hexdigest()
    with suppress(OSError, ValueError):
        kept = file.read_text(encoding="ascii").split()
        if len(kept) == number and all(len(digest) == DIGITS for digest in kept):
            return tuple(kept)
    bot.warm_up()
    digests = tuple(play())
    with suppress(OSError):
        make_folder(file.parent)
        write_atomically(file, " ".join(digests) + "\n")
    return digests


def games_to_know(rules: Rules) -> int:
    """About how many games, with small budgets, make an identity."""
    return _shells(rules) ** 2 + 1


def _shells(rules: Rules) -> int:
    return next(count for size, count in SHELLS.items() if rules.size <= size)


def _games(make: BotBySeed) -> Iterator[str]:
    """The digests of the opening and of each shell."""
    began, warned = process_time(), False
    opening = attempts_of(make(0).with_budget(OPENING_BUDGET), make(1).with_budget(OPENING_BUDGET))
    yield digest_of(islice(opening, OPENING_ATTEMPTS))
    shells = _shells(make(0).game.rules)
    for number in range(shells):
        if not warned and process_time() - began > SLOW:
            warned = True
            _log.warning(
                "%s plays %d games against itself, to be recognised later; the result is kept",
                make(0).name,
                shells**2,
            )
        games = [
            attempts_of(make(black).with_budget(1), make(white).with_budget(1))
            for black, white in shell(number, number + 1)
        ]
        yield digest_of(chain.from_iterable(games))


def attempts_of(black: Bot, white: Bot) -> Iterator[str]:
    """The attempts of a game, including refused ones, and its outcome."""
    rules, beginning = black.game
    referee, players = begin(rules, beginning)[0], {BLACK: black, WHITE: white}
    while referee.outcome is None:
        colour = referee.to_move
        try:
            move = players[colour].decide(referee.view(colour)).move
        except Fault as fault:
            yield str(fault)
            return
        referee.attempt(colour, move)
        yield vertex(move, rules.size)
    yield referee.outcome.result


def digest_of(words: Iterator[str]) -> str:
    """The digest of a game, or of several, in words."""
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:DIGITS]


@cache
def sources() -> str:
    """A digest of everything that may decide an attempt: our sources, compiler and interpreter.

    The app is left out: no player may import it.
    """
    from bots.kernels.jit import kernel_digest  # noqa: PLC0415  (the compiler, half a second)

    digest = hashlib.sha256()
    package = Path(__file__).parents[2]
    for folder in (Path(bots.__file__).parent, package):
        for source in sorted(folder.rglob("*.py")):
            if not source.is_relative_to(package / "app"):
                digest.update(source.read_bytes())
    digest.update(kernel_digest().encode())
    return digest.hexdigest()
