"""`phantomgo bridge PLATFORM`: a bot of ours on the protocol of another platform."""

import logging
import secrets
import sys
from typing import Final

from bots import make
from gtp.limits import NO_LIMITS
from gtp.sau import Bridge
from phantomgo.app.command import of_command
from phantomgo.app.pipes import pipes
from phantomgo.errors import BadText
from phantomgo.lab.seat import Named, seated_bot
from phantomgo.rng import MAX_SEED, checked_seed
from phantomgo.rules import Rules

PLATFORM: Final = "sau"


def bridge(
    platform: str,
    *,
    bot: Named = NO_LIMITS.bot,
    seed: int | None = None,
    name: str = "phantomgo",
    size: int = 9,
) -> int:
    """Play on a platform, on stdin and stdout, until it quits; returns the exit code.

    Args:
        platform: sau, the platform of the China Computer Games Championship.
        bot: the bot that plays.
        seed: the seed the bot plays in every game (default: a fresh one for each).
        name: the name given to the platform.
        size: points per side.

    Raises:
        BadText: a value is not allowed, or no bot has this spec.
        BadBook: the book of the bot is for other games, or its bot has changed.
    """
    if platform != PLATFORM:
        raise BadText(f"no platform {platform[:40]!r}; there is {PLATFORM}")
    if seed is not None:
        checked_seed(seed)
    if not (name.strip() and name.isprintable()):
        raise BadText(f"name {name[:40]!r} is not printable text")
    rules = Rules.profile("ccgc", size=size)
    spec = seated_bot(bot, rules)
    logging.basicConfig(stream=sys.stderr, format="phantomgo bridge: %(message)s")
    served = Bridge(
        lambda: make(spec, secrets.randbelow(MAX_SEED + 1) if seed is None else seed), rules, name
    )
    try:
        with pipes() as (lines, answers):
            for line in lines:
                answer = served.run(line.decode(errors="replace"))
                if answer is not None:
                    answers.write(f"{answer}\n".encode())
                    answers.flush()
                if served.closed:
                    break
    except (KeyboardInterrupt, BrokenPipeError):
        pass
    return 0


configure = of_command(bridge)
