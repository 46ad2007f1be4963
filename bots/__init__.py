"""Players. Each sees a view and has a seed, nothing else; each file holds one idea.

`BOTS` is the table of names. `make(spec, game, seed)` creates the bot of a spec for a game; its
nets and the lines of its books are chosen then, and nothing is chosen later. A spec `book:NAME`
names a bot that plays a book, `online:...` one that learns from game to game; any other name is a
foreign bot's (bots/foreign.py).
"""

import re
from typing import Final

from bots.bot import Bot, BotTable, build, parameters
from bots.deployed import NONE
from bots.spec import BookSpec, BotSpec, EngineSpec, OnlineSpec, learns, parse, played_by
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.library import looks_like_file

__all__ = ["BOTS", "Bot", "make", "make_installed", "needs_code", "parameters"]

BOTS: Final = BotTable(
    {
        "random": "bots.random_bot:RandomBot",
        "flatmc": "bots.flatmc:FlatMC",
        "phantom": "bots.phantom:Phantom",
        "imperfect": "bots.imperfect:Imperfect",
        "twolevel": "bots.twolevel:TwoLevel",
        "hybrid": "bots.hybrid:Hybrid",
        "policy": "bots.policy:PolicyBot",
    }
)


def make(spec: str, game: Game, seed: int) -> Bot:
    """The bot of a spec, for a game and with a seed.

    A spec `MODULE:CLASS` runs that module's code, so it must come from the person at this machine;
    specs from anywhere else go to `make_installed`.

    Raises:
        phantomgo.errors.BadText: no such bot or parameter, or a value out of range.
        phantomgo.errors.BadBook: no such book, its bot has changed since it was learned, or it is
            for another board.
    """
    match parse(spec):
        case BookSpec() as book:
            from bots.book import book_bot  # noqa: PLC0415  (it takes time; so the next two)

            return book_bot(book, game, seed, make if book.code else make_installed)
        case OnlineSpec() as learner:
            from bots.online import make_online  # noqa: PLC0415

            return make_online(learner, game, seed, make)
        case BotSpec(name, options, book):
            kind, _, rest = name.partition(":")
            if kind in BOTS:  # so `policy:Main` runs no module policy.py
                tail = ",".join(filter(None, (rest, options)))
                bot = build(BOTS[kind], kind, tail, game, seed)
            else:
                from bots.foreign import class_path, make_foreign  # noqa: PLC0415

                bot = make_foreign(name, class_path(name, BOTS), options, game, seed)
            source = bot.default_book if book is None else book
            if source == NONE:
                return bot
            from bots.book import with_opening  # noqa: PLC0415

            return with_opening(bot, source, make_installed)
        case EngineSpec():
            raise BadText(f"{spec[:60]} is an engine, not a bot")


def make_installed(spec: str, game: Game, seed: int, *, files: bool = False) -> Bot:
    """As `make`, but only for installed bots, ours among them: for specs found in files.

    With `files`, the spec's options may name files, as `net=FILE` does.

    Raises:
        phantomgo.errors.BadText: as `make`, and if the spec would run a module's code, read a
            file as a net or a book, or write a file with what the bot learns.
        phantomgo.errors.BadBook: as `make`.
    """
    if learns(spec):
        raise BadText(f"{spec[:60]} writes a file, and plays only where you say so")
    values = (item.rpartition("=")[2] for item in re.split(r"[,:|]", spec))
    if not files and any(map(looks_like_file, values)):
        raise BadText(f"{spec[:60]} names a file, which is read only where you say so")
    if needs_code(spec):
        raise BadText(f"{spec[:60]} is a module's bot, whose code is run only where you say so")
    return make(spec, game, seed)


def needs_code(spec: str) -> bool:
    """True if a spec runs code that is not installed: a module's, or that of a book with `code=on`.

    Raises:
        phantomgo.errors.BadText: a book has no such option.
    """
    if spec.partition(":")[0] in BOTS:
        return False
    return any(
        bot.code if isinstance(bot, BookSpec) else isinstance(bot, BotSpec) and ":" in bot.name
        for bot in played_by(spec)
    )
