"""Fingerprints: a quick test of whether a bot has changed.

A learned seed is worthless once the bot uses its random numbers differently. The fingerprint is a
digest of the bot's attempts in a few fixed views with a few fixed seeds. The views never change, so
a different digest means a different bot. An equal digest doesn't prove that the bot is the same;
only whole games do, and they need a referee (phantomgo/lab/players/identity.py).
"""

import hashlib
from collections.abc import Iterator
from typing import Final

from bots.bot import Bot, BotBySeed
from phantomgo.game.messages import Accepted, Message, Moved, Reason, Refused
from phantomgo.game.outcome import Fault
from phantomgo.game.points import PASS, Colour, vertex
from phantomgo.game.rules import Rules
from phantomgo.game.view import View

SEEDS: Final = (0, 1, 2**40)
DIGITS: Final = 16


def fingerprint(make: BotBySeed) -> str:
    """The digest of a bot's behaviour in views of its game: 16 hexadecimal digits."""
    bots = [make(seed).with_budget(1) for seed in SEEDS]
    attempts = [_attempt(bot, view) for view in views(bots[0].game.rules) for bot in bots]
    return hashlib.sha256(" ".join(attempts).encode()).hexdigest()[:DIGITS]


def _attempt(bot: Bot, view: View) -> str:
    try:
        return vertex(bot.decide(view).move, view.rules.size)
    except Fault as fault:  # a crash is part of how a foreign bot behaves
        return str(fault)


def views(rules: Rules) -> Iterator[View]:
    """The fixed views on this board: both colours at the opening, after a refusal, after a loss,
    and with a quarter of the board in own stones.
    """
    for colour in Colour:
        first: list[Message] = [] if colour is Colour.BLACK else [Moved()]
        for messages in _stories(rules):
            yield View.replay(rules, colour, [*first, *messages])


def _stories(rules: Rules) -> Iterator[list[Message]]:
    """A player's first turns, possible on any board and for either side."""
    size, points = rules.size, rules.size * rules.size
    corner, centre = 0, size // 2 * size + size // 2
    opening: list[Message] = [_moved(corner, rules), Moved()]
    refused = Refused(centre, None if rules.reason == "none" else Reason.OCCUPIED)
    yield []
    yield opening
    yield [*opening, refused]
    # The corner stone dies: both points next to it are now known to be the enemy's.
    yield [*opening, Accepted(PASS), Moved(1 << corner)]
    # Every third point, so that no stone is surrounded yet.
    story: list[Message] = []
    for point in range(0, 3 * (points // 4), 3):
        story += [_moved(point, rules), Moved()]
    yield story


def _moved(point: int, rules: Rules) -> Accepted:
    """The message of an own move that captured nothing, under these rules."""
    if rules.captures_to_capturer == "none":
        return Accepted(point, None, None)
    return Accepted(point)
