"""The search for leaks can fail: it finds one of every kind that other servers had."""

import pytest
from starlette.responses import Response

from phantomgo.app.web.client import Client, SpectatorClient
from phantomgo.app.web.registry import TableRegistry
from phantomgo.app.web.server import Server
from phantomgo.app.web.session import TableSession
from tests.support.leaks import bots, seats, spectators


def planted(monkeypatch, change):
    """Have `change(state, game)` alter what clients see during the game."""
    for kind in (Client, SpectatorClient):
        honest = kind._meanwhile
        monkeypatch.setattr(
            kind, "_meanwhile", lambda self, honest=honest: change(honest(self), self.game)
        )


LEAKS = {
    "move list": lambda state, game: state._replace(log=tuple(map(str, game.steps))),
    "a sound for what is hidden": lambda state, game: state._replace(
        sound="refused" if game.steps and game.steps[-1].reason else ""
    ),
    "number of tries": lambda state, game: state._replace(heading=f"Attempt {len(game.steps)}"),
    "known counts the table": lambda state, game: state._replace(known=len(game.steps)),
    "thinking time": lambda state, game: state._replace(
        sides=tuple(s._replace(clock=game.left(s.colour)) for s in state.sides)
    ),
    "size": lambda state, game: state._replace(
        log=state.log + ("",) * (hash(game.moments[-1].board) % 7)
    ),
}


@pytest.mark.parametrize("leak", LEAKS)
async def test_a_planted_leak_is_found(leak, monkeypatch):
    planted(monkeypatch, LEAKS[leak])
    with pytest.raises(AssertionError, match="leak: "):
        await seats(range(3, 60))


async def test_a_takeback_that_tells_how_often_the_bot_was_refused_is_found(monkeypatch):
    planted(monkeypatch, LEAKS["number of tries"])
    with pytest.raises(AssertionError, match="leak: "):
        await bots(range(60))


OFFER, SHOW, SCENES = Client._offer, Client.show_state, Client.scenes
PART, ENTER, CLIENT = Server.part, TableRegistry.enter, TableSession.client
"""The honest methods, which those below change."""


def offer(self):
    return OFFER(self) and f"{OFFER(self)} {len(self.game.steps)}"


def look_by_the_table(self, state):
    self.state, self.version = state, str(len(self.game.steps))
    self.wake()


def look_and_wake(self, state):
    SHOW(self, state)
    self.wake()


async def part_with_a_tag(self, request):
    answer = await PART(self, request)
    session, _ = await self._client(request)
    answer.headers["etag"] = str(len(session.game.steps))
    return answer


async def download_early(self, request):
    session, _ = await self._client(request)
    return Response(repr(session.game.steps))


def scenes_with_the_board(self):
    found = SCENES(self)
    if self.facing is None or len(found) > 1:
        return found
    hidden = self.game.moments[-1].board.stones(self.facing.other)
    heat = {n: 0.5 for n in range(4) if hidden >> n & 1}
    return [(title, scene._replace(heat=heat)) for title, scene in found]


def enter_as_white(self, number, role, token, who=""):
    found = ENTER(self, number, role, token, who)
    return found and (found[0], found[0].client("white" if role == "watch" else role))


def client_of_the_referee(self, role):
    return CLIENT(self, "referee" if role == "watch" else role)


TO_SEATS = {
    "an offer that tells of the board": (Client, "_offer", offer, "leak: "),
    "a version that counts the table": (Client, "show_state", look_by_the_table, "leak: frames"),
    "a frame too many": (Client, "show_state", look_and_wake, "leak: frames"),
    "a tag of the table in a header": (Server, "part", part_with_a_tag, "leak: bytes"),
    "a record given out early": (Server, "download", download_early, "leak: bytes"),
    "an adviser who sees the board": (Client, "scenes", scenes_with_the_board, "leak: "),
}
TO_SPECTATORS = {
    "a socket of another role": (TableRegistry, "enter", enter_as_white),
    "a page that shows a seat": (TableSession, "client", client_of_the_referee),
}


@pytest.mark.parametrize("leak", TO_SEATS)
async def test_a_leak_to_a_seat_is_found(leak, monkeypatch):
    *planted_at, found = TO_SEATS[leak]
    monkeypatch.setattr(*planted_at)
    with pytest.raises(AssertionError, match=found):
        await seats(range(3, 60))


@pytest.mark.parametrize("leak", TO_SPECTATORS)
async def test_a_leak_to_spectators_is_found(leak, monkeypatch):
    monkeypatch.setattr(*TO_SPECTATORS[leak])
    with pytest.raises(AssertionError, match="leak: "):
        await spectators("black", range(1, 60))
