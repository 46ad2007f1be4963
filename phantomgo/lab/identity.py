"""The identity of a player: what it does in whole games against itself.

A few views are asked in no time, but most changes of a bot show only later in a game: after a
pass, a capture, a refusal of an earlier turn. Whole games reach all of it. They are played with a
bounded budget, so that no spec can make this long, and the results are kept in the cache folder
under a digest of all sources.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from time import process_time
from typing import Final

import bots
from bots import Bot
from bots.fingerprint import fingerprint
from phantomgo.beginning import START, Beginning
from phantomgo.files import cache_folder, write_whole
from phantomgo.identity import DIGITS, Identity
from phantomgo.lab.contract import check_pure
from phantomgo.lab.players import ENGINE
from phantomgo.outcome import Fault
from phantomgo.points import BLACK, WHITE, vertex
from phantomgo.portfolio.matrix import cells
from phantomgo.record import begin
from phantomgo.rules import Rules

SHELLS: Final = {5: 12, 7: 7, 9: 4, 13: 2, 19: 1}
"""How many shells of its seeds' matrix make an identity, on boards up to these sizes.

The squares of them are the games. Some changes alter one game of a hundred on 5x5.
"""
SECONDS: Final = 5.0
"""Processor time after which no further shell is begun, unless all are asked for."""
OPENING: Final = 20
"""Attempts of one game more, for which a bot may think `LONGER` times as long."""
LONGER: Final = 25


def identify(
    spec: str, rules: Rules, beginning: Beginning = START, *, whole: bool = False
) -> Identity:
    """The identity of a player under these rules.

    Args:
        spec: a bot or an engine; of an engine nothing is known but its command.
        rules: of the games; they decide what the bot is told, and most bots read komi.
        beginning: how its games begin.
        whole: play all shells, however long it takes. Else none is begun after `SECONDS`: then
            the identity of a slow bot has fewer of them.

    Raises:
        BadText: no player has this spec, or by these rules no game begins so.
        Broken: it is a foreign bot and not a function of its view.
    """
    if spec.startswith(ENGINE):
        return Identity(spec)
    bot = bots.make(spec, 0)
    name = bot.name
    make = partial(bots.make, name)
    if not bot.within(1).pure:  # it says so of itself: nothing it does will come again
        return Identity(name, data=bot.data())
    if bot.foreign:
        check_pure(make, rules)
    games = games_of(make, rules, beginning, whole=whole)
    return Identity(name, fingerprint(make, rules), games, bot.data())


def games_of(
    make: Callable[[int], Bot], rules: Rules, beginning: Beginning = START, *, whole: bool = True
) -> tuple[str, ...]:
    """The digests of a bot's games against itself, as `identify` has them.

    They are remembered, so they are played once for as long as no source changes; those of a
    foreign bot are not, as nobody knows what its sources are.
    """
    bot = make(0)
    cache = _Cache(bot, rules, beginning)
    games = () if bot.foreign else cache.read()
    if not games or (whole and len(games) < 1 + _shells(rules)):
        games = tuple(_games(make, rules, beginning, None if whole else SECONDS))
        if not bot.foreign:
            cache.write(games)
    return games


def _shells(rules: Rules) -> int:
    return next(count for size, count in SHELLS.items() if rules.size <= size)


def _games(
    make: Callable[[int], Bot], rules: Rules, beginning: Beginning, seconds: float | None
) -> Iterator[str]:
    """A digest of the opening, and of each shell that is begun before so much time has passed."""
    began = process_time()
    opening = _attempts(rules, beginning, make(0).within(LONGER), make(1).within(LONGER))
    yield _digest(islice(opening, OPENING))
    for shell in range(_shells(rules)):
        if seconds is not None and process_time() - began > seconds:
            return
        games = [
            _attempts(rules, beginning, make(black).within(1), make(white).within(1))
            for black, white in islice(cells(shell + 1, shell + 1), shell**2, None)
        ]
        yield _digest(chain.from_iterable(games))


def _attempts(rules: Rules, beginning: Beginning, black: Bot, white: Bot) -> Iterator[str]:
    """The attempts of a game, refused ones too, and at last how it ended."""
    referee, players = begin(rules, beginning)[0], {BLACK: black, WHITE: white}
    while referee.outcome is None:
        colour = referee.to_move
        try:
            move = players[colour].propose(referee.view(colour))
        except Fault as fault:
            yield str(fault)
            return
        referee.attempt(colour, move)
        yield vertex(move, rules.size)
    yield referee.outcome.result


def _digest(words: Iterator[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:DIGITS]


class _Cache:
    """The games of a player, kept from run to run for as long as no source changes."""

    def __init__(self, bot: Bot, rules: Rules, beginning: Beginning) -> None:
        game = [rules.as_dict(), beginning.as_dict(rules.size)]
        words = json.dumps([sources(), bot.name, dict(bot.data()), *game])
        self._file = cache_folder() / "identities" / hashlib.sha256(words.encode()).hexdigest()

    def read(self) -> tuple[str, ...]:
        """The games that are kept; none if there are none, or the file is not ours."""
        try:
            found = self._file.read_text(encoding="ascii").split()
        except (OSError, ValueError):
            return ()
        return tuple(found) if all(len(game) == DIGITS for game in found) else ()

    def write(self, games: tuple[str, ...]) -> None:
        """Keep them, where that can be done."""
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, " ".join(games) + "\n")


@cache
def sources() -> str:
    """A digest of all that may decide an attempt: our sources, and what compiles and runs them."""
    from bots.kernels.jit import kernel_digest  # noqa: PLC0415  (the compiler, half a second)

    digest = hashlib.sha256()
    for package in (Path(bots.__file__).parent, Path(__file__).parents[1]):
        for source in sorted(package.rglob("*.py")):
            digest.update(source.read_bytes())
    digest.update(kernel_digest().encode())
    return digest.hexdigest()
