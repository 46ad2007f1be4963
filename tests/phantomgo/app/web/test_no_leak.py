"""Law 3 on the web: what a guest is sent depends on nothing but what they may know.

Two servers run side by side, with the same secret key, the same clock, and at their tables two
games whose hidden attempts differ. As long as a guest may know the same of both, every byte sent to
them has to be the same: frames, headers, pages, their number and their order.
"""

import asyncio

import pytest

from phantomgo.app.web import guest as guests
from phantomgo.app.web import server
from phantomgo.app.web.guest import Guest, Spectator
from phantomgo.app.web.hall import Hall
from phantomgo.app.web.sight import Sight
from phantomgo.points import PASS, Colour, vertex
from phantomgo.rng import Stream
from phantomgo.rules import PROFILES
from tests.support.strategies import script, variant
from tests.support.web_tools import Site, Socket

KEY = bytes(32)
TURN = 16.0
"""Seconds every hidden turn takes, however often it is refused."""


class World:
    """A server with one table, and all that one guest of it is sent."""

    def __init__(self, role):
        self.role, self.sent = role, []
        self.site = Site(key=KEY)

    async def begin(self, **fields):
        black = await self.site.lay(opponent="person", colour="black", **fields)
        white = await self.site.invited(black)
        self.seats = {Colour.BLACK: black, Colour.WHITE: white}
        room = self.site.room(black)
        paths = {"black": black, "white": white, "watch": room.link("watch")}
        self.path = paths[self.role]
        self.game = room.game
        self.socket = Socket(self.site, self.path)
        await self.site.settle()

    async def look(self):
        """Ask for everything there is to ask for."""
        files = ("", "/part", "/game.json", "/black.sgf", "?at=1", "/nothing")
        for path in [*(self.path + file for file in files), "/games", "/games/1"]:
            self.sent.append((path, (await self.site.get(path)).bytes))

    async def act(self, **fields):
        """Ask for something to be done, as this guest."""
        answer = await self.site.post(self.path + "/do", known=str(self.known), **fields)
        self.sent.append(("do", answer.bytes))
        await self.site.settle()

    @property
    def known(self):
        return self.site.room(self.path).guest(self.role).sight.known

    async def hidden_turn(self, moves):
        """The other side attempts until it stands; that is at the same time in every world."""
        site, began = self.site, self.site.time
        colour = self.game.to_move
        while self.game.to_move is colour and self.game.outcome is None:
            move = moves.pop(0) if moves else PASS
            ends = self.game.ends_turn(move)
            site.time = began + TURN if ends else site.time + 0.25
            point = vertex(move, self.game.rules.size)
            known = str(site.room(self.path).guest(str(colour).lower()).sight.known)
            what = {"do": "pass"} if move == PASS else {"do": "attempt", "point": point}
            before = len(self.game.steps)
            await self.site.post(self.seats[colour] + "/do", known=known, **what)
            if len(self.game.steps) == before:  # a stone that was certain is not tried
                continue
            await self.site.settle()

    async def leave(self):
        for guest in self.site.room(self.path).guests.values():
            for screen in list(guest.screens):
                screen.set()
        self.socket.leave()
        await self.site.settle()


def fields_of(stream, profile, size):
    minutes = "5" if stream.below(2) else "0"
    return {"size": str(size), "rules": profile, "minutes": minutes, "helped": "on"}


async def compare_seat(profile, seed, size):
    """Two games in which one seat's own attempts are the same and the other's are not.

    Returns how often both worlds were looked at with equal views after different games.
    """
    stream = Stream(seed)
    own = Colour.BLACK if stream.below(2) else Colour.WHITE
    moves = script(stream, size, 40)
    worlds = World(str(own).lower()), World(str(own).lower())
    scripts = moves, variant(moves, stream, size)
    fields = fields_of(stream, profile, size)
    pairs = 0
    for world in worlds:
        await world.begin(**fields)
    for _ in range(14):
        if worlds[0].game.to_move is own:
            point = vertex(stream.below(size * size), size)
            where = {"do": "attempt", "point": point} if stream.below(12) else {"do": "pass"}
            for world in worlds:
                world.site.time += 1
                await world.act(**where)
        else:
            for world, attempts in zip(worlds, scripts, strict=True):
                await world.hidden_turn(attempts)
        if worlds[0].game.view(own) != worlds[1].game.view(own):
            break
        if worlds[0].game.outcome is not None:
            break  # everything is shown
        mark = vertex(stream.below(size * size), size)
        for world in worlds:
            await world.act(do="mark", point=mark)
            await world.look()
        same(*worlds)
        pairs += worlds[0].game.steps != worlds[1].game.steps
    for world in worlds:
        await world.leave()
    return pairs


def public(game):
    """What a spectator who is shown nothing hears: whose turn ended, and whether by a pass."""
    return [(game.moments[n].step.colour, game.moments[n].step.move < 0) for n in game.turn_ends()]


def allowed(game, policy, delay):
    """What the policy lets a spectator know."""
    if policy == "nothing":
        return public(game)
    if policy in ("black", "white"):
        return game.view(Colour.BLACK if policy == "black" else Colour.WHITE)
    ends = [0, *game.turn_ends()]
    shown = ends[max(len(ends) - 1 - delay, 0)] if delay else len(game.steps)
    return game.steps[:shown], len(ends)


async def compare_spectator(policy, delay, seed, size):
    """Two games that differ only in what this policy hides."""
    stream = Stream(seed)
    moves = {colour: script(stream, size, 40) for colour in Colour}
    hidden = {"black": Colour.WHITE, "white": Colour.BLACK}.get(policy, Colour(1 + stream.below(2)))
    worlds = World("watch"), World("watch")
    later = 2 + stream.below(8) if policy == "all" else 0
    changed = variant(moves[hidden][later:], stream, size)
    scripts = {c: list(m) for c, m in moves.items()}, {c: list(m) for c, m in moves.items()}
    scripts[1][hidden][later:] = changed
    fields = fields_of(stream, "olympiad", size) | {"watching": policy, "delay": str(delay)}
    pairs = 0
    for world in worlds:
        await world.begin(**fields)
    for _ in range(14):
        for world, attempts in zip(worlds, scripts, strict=True):
            await world.hidden_turn(attempts[world.game.to_move])
        first, second = (world.game for world in worlds)
        if first.outcome is not None or second.outcome is not None:
            break
        if allowed(first, policy, delay) != allowed(second, policy, delay):
            break
        for world in worlds:
            await world.look()
        same(*worlds)
        pairs += first.steps != second.steps
    for world in worlds:
        await world.leave()
    return pairs


def same(first, second):
    assert first.socket.frames == second.socket.frames, "leak: frames"
    assert first.sent == second.sent, "leak: bytes"
    for world in (first, second):
        world.sent.clear()


async def seats(seeds, profile="olympiad"):
    return sum([await compare_seat(profile, seed, 3 + seed % 3) for seed in seeds])


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_equal_views_get_equal_bytes(profile):
    assert asyncio.run(seats(range(5), profile)) >= 4, "too few pairs to say anything"


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_equal_views_get_equal_bytes_in_many_games(profile):
    assert asyncio.run(seats(range(5, 105), profile)) >= 100


POLICIES = [("nothing", 0), ("black", 0), ("white", 0), ("all", 0), ("all", 1), ("all", 4)]


async def spectators(policy, delay, seeds):
    return sum([await compare_spectator(policy, delay, seed, 3 + seed % 3) for seed in seeds])


@pytest.mark.parametrize(("policy", "delay"), POLICIES)
def test_spectators_get_what_the_policy_lets_them_know(policy, delay):
    pairs = asyncio.run(spectators(policy, delay, range(7)))
    assert pairs >= 3 or (policy, delay) == ("all", 0)  # who sees all now sees every difference


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "delay"), POLICIES)
def test_spectators_of_many_games(policy, delay):
    asyncio.run(spectators(policy, delay, range(6, 106)))


# The property can fail: leaks of every kind that other servers had are found


def planted(monkeypatch, change):
    """Have `change(sight, game)` alter what guests see during the game."""
    for kind in (Guest, Spectator):
        honest = kind._meanwhile
        monkeypatch.setattr(
            kind, "_meanwhile", lambda self, honest=honest: change(honest(self), self.game)
        )


def _last_move(sight: Sight, game):
    step = game.moments[-1].step
    title, scene = sight.boards[0]
    return sight._replace(boards=((title, scene._replace(last=step and abs(step.move))),))


LEAKS = {
    "move list": lambda sight, game: sight._replace(log=tuple(map(str, game.steps))),
    "last-move marker": _last_move,
    "a counter of the true board": lambda sight, game: sight._replace(
        news=str([len(game.moments[-1].board.chains(colour)) for colour in Colour])
    ),
    "a sound for what is hidden": lambda sight, game: sight._replace(
        sound="refused" if game.steps and game.steps[-1].reason else ""
    ),
    "number of tries": lambda sight, game: sight._replace(heading=f"Attempt {len(game.steps)}"),
    "known counts the table": lambda sight, game: sight._replace(known=len(game.steps)),
    "thinking time": lambda sight, game: sight._replace(
        sides=tuple(s._replace(clock=game.left(s.colour)) for s in sight.sides)
    ),
    "size": lambda sight, game: sight._replace(
        log=sight.log + ("",) * (hash(game.moments[-1].board) % 7)
    ),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak, monkeypatch):
    planted(monkeypatch, LEAKS[leak])
    with pytest.raises(AssertionError, match="leak: "):
        asyncio.run(seats(range(60)))


def test_a_version_that_counts_the_table_is_found(monkeypatch):
    def look(self):
        self.notice()
        self.sight = self.see()
        self.version = str(len(self.game.steps))
        for screen in self.screens:
            screen.set()

    monkeypatch.setattr(Guest, "look", look)
    with pytest.raises(AssertionError, match="leak: frames"):
        asyncio.run(seats(range(60)))


def test_a_frame_too_many_is_found(monkeypatch):
    honest = Guest.look

    def look(self):
        honest(self)
        for screen in self.screens:
            screen.set()

    monkeypatch.setattr(Guest, "look", look)
    with pytest.raises(AssertionError, match="leak: frames"):
        asyncio.run(seats(range(60)))


def test_a_tag_of_the_table_in_a_header_is_found(monkeypatch):
    honest = server.Server.part

    async def part(self, request):
        answer = await honest(self, request)
        guest = await self._guest(request)
        answer.headers["etag"] = str(len(guest.game.steps))
        return answer

    monkeypatch.setattr(server.Server, "part", part)
    with pytest.raises(AssertionError, match="leak: bytes"):
        asyncio.run(seats(range(60)))


def test_a_record_given_out_early_is_found(monkeypatch):
    async def download(self, request):
        return server.Response(repr((await self._guest(request)).game.steps))

    monkeypatch.setattr(server.Server, "download", download)
    with pytest.raises(AssertionError, match="leak: bytes"):
        asyncio.run(seats(range(60)))


def test_a_socket_of_another_role_is_found(monkeypatch):
    honest = Hall.enter

    def enter(self, number, role, token, who=""):
        found = honest(self, number, role, token, who)
        return found and found.room.guest("white" if role == "watch" else role)

    monkeypatch.setattr(Hall, "enter", enter)
    with pytest.raises(AssertionError, match="leak: "):
        asyncio.run(spectators("black", 0, range(60)))


def test_a_delay_that_is_forgotten_is_found(monkeypatch):
    monkeypatch.setattr(Spectator, "_delayed", lambda self: len(self.game.steps))
    with pytest.raises(AssertionError, match="leak: "):
        asyncio.run(spectators("all", 4, range(60)))


def test_an_adviser_who_sees_the_board_is_found(monkeypatch):
    honest = guests.Guest.scenes

    def scenes(self):
        found = honest(self)
        if self.facing is None or len(found) > 1:
            return found
        hidden = self.game.moments[-1].board.stones(self.facing.other)
        return [(title, replace_heat(scene, hidden)) for title, scene in found]

    def replace_heat(scene, hidden):
        return scene._replace(heat={n: 0.5 for n in range(4) if hidden >> n & 1})

    monkeypatch.setattr(guests.Guest, "scenes", scenes)
    with pytest.raises(AssertionError, match="leak: "):
        asyncio.run(seats(range(60)))
