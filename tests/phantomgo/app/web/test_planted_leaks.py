"""The search for leaks can fail: it finds one of every kind that other servers had."""

import pytest
from starlette.responses import Response

from phantomgo.app.web import client as clients
from phantomgo.app.web import server
from phantomgo.app.web.client import Client, SpectatorClient
from phantomgo.app.web.client_state import ClientState
from phantomgo.app.web.registry import TableRegistry
from phantomgo.app.web.session import TableSession
from phantomgo.points import Colour
from tests.support.leaks import bots, seats, spectators


def planted(monkeypatch, change):
    """Have `change(state, game)` alter what clients see during the game."""
    for kind in (Client, SpectatorClient):
        honest = kind._meanwhile
        monkeypatch.setattr(
            kind, "_meanwhile", lambda self, honest=honest: change(honest(self), self.game)
        )


def _last_move(state: ClientState, game):
    step = game.moments[-1].step
    title, scene = state.boards[0]
    return state._replace(boards=((title, scene._replace(last=step and abs(step.move))),))


LEAKS = {
    "move list": lambda state, game: state._replace(log=tuple(map(str, game.steps))),
    "last-move marker": _last_move,
    "a counter of the true board": lambda state, game: state._replace(
        news=str([len(game.moments[-1].board.chains(colour)) for colour in Colour])
    ),
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


async def test_an_offer_that_tells_of_the_board_is_found(monkeypatch):
    honest = Client._offer
    monkeypatch.setattr(
        Client, "_offer", lambda self: honest(self) and f"{honest(self)} {len(self.game.steps)}"
    )
    with pytest.raises(AssertionError, match="leak: "):
        await seats(range(3, 60))


async def test_a_version_that_counts_the_table_is_found(monkeypatch):
    def look(self):
        self.notice()
        self.state = self.see()
        self.version = str(len(self.game.steps))
        for page in self.pages:
            page.set()

    monkeypatch.setattr(Client, "look", look)
    with pytest.raises(AssertionError, match="leak: frames"):
        await seats(range(3, 60))


async def test_a_frame_too_many_is_found(monkeypatch):
    honest = Client.look

    def look(self):
        honest(self)
        for page in self.pages:
            page.set()

    monkeypatch.setattr(Client, "look", look)
    with pytest.raises(AssertionError, match="leak: frames"):
        await seats(range(3, 60))


async def test_a_tag_of_the_table_in_a_header_is_found(monkeypatch):
    honest = server.Server.part

    async def part(self, request):
        answer = await honest(self, request)
        session, _ = await self._client(request)
        answer.headers["etag"] = str(len(session.game.steps))
        return answer

    monkeypatch.setattr(server.Server, "part", part)
    with pytest.raises(AssertionError, match="leak: bytes"):
        await seats(range(3, 60))


async def test_a_record_given_out_early_is_found(monkeypatch):
    async def download(self, request):
        session, _ = await self._client(request)
        return Response(repr(session.game.steps))

    monkeypatch.setattr(server.Server, "download", download)
    with pytest.raises(AssertionError, match="leak: bytes"):
        await seats(range(3, 60))


async def test_a_socket_of_another_role_is_found(monkeypatch):
    honest = TableRegistry.enter

    def enter(self, number, role, token, who=""):
        found = honest(self, number, role, token, who)
        return found and (found[0], found[0].client("white" if role == "watch" else role))

    monkeypatch.setattr(TableRegistry, "enter", enter)
    with pytest.raises(AssertionError, match="leak: "):
        await spectators("black", 0, range(1, 60))


async def test_a_delay_that_is_forgotten_is_found(monkeypatch):
    monkeypatch.setattr(SpectatorClient, "_delayed", lambda self: len(self.game.steps))
    with pytest.raises(AssertionError, match="leak: "):
        await spectators("all", 4, range(1, 60))


async def test_an_adviser_who_sees_the_board_is_found(monkeypatch):
    honest = clients.Client.scenes

    def scenes(self):
        found = honest(self)
        if self.facing is None or len(found) > 1:
            return found
        hidden = self.game.moments[-1].board.stones(self.facing.other)
        return [(title, replace_heat(scene, hidden)) for title, scene in found]

    def replace_heat(scene, hidden):
        return scene._replace(heat={n: 0.5 for n in range(4) if hidden >> n & 1})

    monkeypatch.setattr(clients.Client, "scenes", scenes)
    with pytest.raises(AssertionError, match="leak: "):
        await seats(range(3, 60))


async def test_a_spectators_page_that_shows_a_seat_is_found(monkeypatch):
    honest = TableSession.client
    monkeypatch.setattr(
        TableSession,
        "client",
        lambda self, role: honest(self, "referee" if role == "watch" else role),
    )
    with pytest.raises(AssertionError, match="leak: "):
        await spectators("black", 0, range(1, 20))
