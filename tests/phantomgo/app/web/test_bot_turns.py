"""Law 3 at tables of bots: nothing that a player receives tells how often a bot was refused."""

import asyncio
import sys
from concurrent.futures import Future

import numpy as np
import pytest

from phantomgo.app.web.session import TableSession
from phantomgo.app.web.turn_time import TurnPlan
from phantomgo.game.points import vertex
from phantomgo.rng import Stream
from tests.support.guessing import accuracy
from tests.support.web_tools import Inline, Site, Socket, known_of, lefts

TURNS = 400
CHANCE = 0.06
"""By how much a guess at random may be luckier than the base rate, on half of the turns."""


class Stubborn(Inline):
    """A bot that draws how often it is refused, and takes a while for each attempt."""

    def __init__(self, seed):
        super().__init__()
        self.stream, self.site, self.wanted = Stream(seed), None, {}

    def ask(self, task, *arguments, **fair):  # noqa: ARG002
        view, [session] = arguments[2], self.site.registry.sessions.values()
        board = session.game.moments[-1].board
        hidden = [n for n in range(view.rules.size**2) if board.stones(view.colour.other) >> n & 1]
        wanted = self.wanted.setdefault((session.number, view.turn), self.stream.below(5))
        move = hidden[self.stream.below(len(hidden))] if hidden else None
        if view.refusals >= wanted or move is None:
            move = legal(session.game, self.stream)
        answer = Future()
        self.thinking = asyncio.create_task(self.think(answer, move))
        return answer

    async def think(self, answer, move):
        seconds = 0.02 + 0.01 * self.stream.below(1000) / 1000
        await self.site.sleep(seconds)
        answer.set_result((move, seconds))


def legal(game, stream):
    """An attempt at random that stands."""
    while True:
        move = stream.below(game.rules.size**2)
        if game.ends_turn(move):
            return move


class Timed(Socket):
    """A socket that notes when each frame arrives."""

    def __init__(self, site, path):
        self.site, self.arrived = site, []
        super().__init__(site, path)

    async def _send(self, message):
        self.arrived.append(self.site.time)
        await super()._send(message)


class Received:
    """What a player receives in one turn of the bot, as numbers."""

    def __init__(self, site, path):
        self.site, self.path, self.socket = site, path, Timed(site, path)

    async def turn(self, point):
        """Attempt, and see everything until it is one's turn again."""
        site = self.site
        before, began = (await site.get(self.path + "/part")).text, site.time
        self.socket.arrived.clear()
        frames = len(self.socket.frames)
        fields = {"do": "attempt", "point": point, "known": known_of(before)}
        await site.post(self.path + "/do", **fields)
        await site.settle()
        after, sent = (await site.get(self.path + "/part")).text, self.socket.frames[frames:]
        left, now = (lefts(page)[0] for page in (before, after))
        spent = [a - b for a, b in zip(left, now, strict=True)]
        arrived = [then - began for then in self.socket.arrived]
        times = [arrived[0], arrived[-1], site.time - began]
        sizes = [len(sent), sum(map(len, sent)), len(after) - len(before)]
        return np.round([*spent, *times, *sizes], 6)


async def watched(turns, clock, seed=1):
    """What a player received in so many turns of a bot, and how often it was refused in each."""
    stream, bot, features, labels = Stream(seed), Stubborn(seed + 1), [], []
    while len(labels) < turns:
        site = bot.site = Site(bots=bot, beat=0.5)
        fields = {"opponent": "novice", "colour": "black", "size": "9"} | clock
        black = await site.lay(**fields)
        game, received = site.session(black).game, Received(site, black)
        await site.settle()
        for _ in range(25):
            site.time += 0.25 + stream.below(100) / 100
            made = len(game.steps)
            features.append(await received.turn(vertex(legal(game, stream), 9)))
            labels.append(sum(step.reason is not None for step in game.steps[made:]))
        received.socket.leave()
        await site.settle()
        site.journal.close()
        bot.wanted.clear()
    return np.array(features[:turns]), np.array(labels[:turns])


@pytest.mark.parametrize(
    ("clock", "turns"),
    [
        ({"minutes": "10"}, TURNS // 2),
        ({}, TURNS // 4),
        ({"minutes": "1"}, TURNS // 4),
        ({"minutes": "1", "increment": "1"}, TURNS // 4),
        ({"minutes": "0", "period": "5"}, TURNS // 4),
    ],
)
def test_refusals_of_a_bot_cannot_be_told(clock, turns):
    features, labels = asyncio.run(watched(turns, clock))
    assert np.bincount(labels).min() >= turns // 20, "refusals of every number"
    guessed, base = accuracy(features, labels)
    sys.stderr.write(f"{clock}: {guessed:.2f} right, base rate {base:.2f}\n")
    assert guessed <= base + CHANCE


LEAKS = {
    "a turn that ends at once": (TurnPlan, "rest", lambda _turn, _passed: 0.0),
    "a turn that ends on the next tenth": (
        TurnPlan,
        "rest",
        lambda _turn, passed: 0.1 - passed % 0.1,
    ),
    "a charge of what was thought": (
        TableSession,
        "_take",
        lambda session, _charge: session.table.take(),
    ),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak, monkeypatch):
    monkeypatch.setattr(*LEAKS[leak])
    guessed, base = accuracy(*asyncio.run(watched(TURNS // 4, {"minutes": "10"})))
    assert guessed > base + 2 * CHANCE
