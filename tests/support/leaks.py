"""Two web servers whose games differ in what is hidden, and all that one client of each is sent."""

import re

from phantomgo.game.points import PASS, Colour, parse_colour, vertex
from phantomgo.rng import Stream
from tests.support.strategies import script, variant
from tests.support.web_tools import Inline, Site, Socket, addresses

KEY = bytes(32)
TURN = 16.37
"""Seconds every hidden turn takes, however often it is refused."""
TRY = 0.123
"""Seconds of each refused attempt: sums of such floats differ in their last bits."""


CLOCKS = (
    *({},) * 3,
    {"minutes": "5"},
    {"minutes": "5", "increment": "3"},
    {"minutes": "1", "period": "20"},
)
"""Fields of tables without and with clocks."""
OTHERS = ("/game.json", "/black.sgf", "?at=1&side=white", "/nothing")
"""Below the address of a page, what it does not lead to while the game is played."""
BARGAINS = (
    ("adjourn---accept", "-accept-resume-"),
    ("-decline", "adjourn-"),
    ("adjourn-", "-decline"),
    ("-", "adjourn-withdraw"),
    ("resign-no", "-"),
)
"""What one player and the other press in turn; the game goes on after each."""


class Hidden(Inline):
    """A bot that attempts these points, then passes."""

    def __init__(self, moves):
        super().__init__()
        self.moves = moves

    def ask(self, task, *arguments, **fair):  # noqa: ARG002
        return super().ask(lambda: (self.moves.pop(0) if self.moves else PASS, 0.5))


class World:
    """A server with one table, all that one client of it is sent, and the other's cookie."""

    def __init__(self, role, bots=None, cookie=""):
        self.role, self.sent, self.cookie = role, [], cookie
        self.site = Site(key=KEY, bots=bots)

    async def begin(self, kind="person", **fields):
        """Lay a table of a kind, and take both seats."""
        site, self.kind = self.site, kind
        if kind == "referee":
            self.host = await site.lay(opponent="referee", **fields)
            black = await site.invited(self.host)
            white = await site.invited(self.host)
        else:
            fields |= {"colour": "black", "name": "Ann"}
            black = self.host = await site.lay(opponent="person", **fields)
            white = await site.invited(black, name="Bob")
        if kind == "rematch":
            await site.do(black, "resign")
            await site.do(black, "rematch")
            await site.settle()
            black, white = [await self.next_of(seat) for seat in (white, black)]
        self.seats = {Colour.BLACK: black, Colour.WHITE: white}
        await self.sit()

    async def sit(self):
        """Open this client's page."""
        black, white = self.seats.values()
        session = self.site.session(black)
        paths = {"black": black, "white": white, "watch": session.link("watch")}
        self.path = paths[self.role]
        self.game = session.game
        self.socket = Socket(self.site, self.path)
        await self.site.settle()

    async def begin_against_a_bot(self, colour, **fields):
        """Lay a table against the bot of this site."""
        own = colour.word
        path = await self.site.lay(opponent="novice", colour=own, **fields)
        self.seats = dict.fromkeys(Colour, path)
        await self.sit()

    async def bargain(self, own, number):
        """Talk about adjourning in one of these ways, if there are so many."""
        other = self.seats[own.other]
        for mine, theirs in BARGAINS[number : number + 1]:
            for what, answer in zip(mine.split("-"), theirs.split("-"), strict=True):
                if what:
                    await self.act(do=what)
                if answer:
                    self.site.cookie = self.cookie
                    await self.site.do(other, answer)
                    self.site.cookie = ""
                await self.site.settle()
                await self.look()

    async def next_of(self, seat):
        """Where the page of a seat leads to the rematch."""
        page = (await self.site.get(seat)).text
        return re.search(r'class="next".*?href="(/table/[^"]*)"', page)[1]

    async def happening(self, turn, colour, seconds):
        """Before turn 2 this player closes their page for so many seconds, and attempts nothing;
        before turn 6 the referee gives them a new link.
        """
        site = self.site
        if turn == 2:
            page = Socket(site, self.seats[colour])
            await site.settle()
            page.leave()
            await site.settle()
            site.time += seconds
            site.registry.tick()
            await site.settle()
        if turn == 6 and self.kind == "referee":
            await site.do(self.host, f"free-{colour.word}")
            await site.settle()
            self.seats[colour] = await site.invited(self.host)
            await site.settle()

    async def look(self):
        """Fetch every address that pages and frames lead to, and others."""
        known = [self.path, self.path + "/part", "/"]
        known += [self.path + other for other in OTHERS]
        frames = "".join(self.socket.frames)
        found = await self.site.crawl(*known, *addresses(frames))
        self.sent += [(path, answer.bytes) for path, answer in found.items()]
        assert not others(found, self.path), "leak: links"

    async def act(self, **fields):
        """Ask for something to be done, as this client."""
        answer = await self.site.post(self.path + "/do", known=str(self.known), **fields)
        self.sent.append(("do", answer.bytes))
        await self.site.settle()

    @property
    def known(self):
        return self.site.session(self.path).client(self.role).state.known

    async def hidden_turn(self, moves):
        """The other side attempts until it stands; that is at the same time in every world."""
        site, began, self.site.cookie = self.site, self.site.time, self.cookie
        colour = self.game.to_move
        while self.game.to_move is colour and self.game.outcome is None:
            move = moves.pop(0) if moves else PASS
            ends = self.game.ends_turn(move)
            site.time = began + TURN if ends else site.time + TRY
            point = vertex(move, self.game.rules.size)
            known = str(site.session(self.path).client(colour.word).state.known)
            what = {"do": "pass"} if move == PASS else {"do": "attempt", "point": point}
            before = len(self.game.steps)
            await self.site.post(self.seats[colour] + "/do", known=known, **what)
            if what == {"do": "pass"}:  # the last one is asked about
                await self.site.post(self.seats[colour] + "/do", known=known, do="yes")
            if len(self.game.steps) == before:  # a stone that was certain is not tried
                continue
            await self.site.settle()
        site.cookie = ""

    async def leave(self):
        for client in self.site.session(self.path).clients.values():
            for screen in list(client.pages):
                screen.set()
        self.socket.leave()
        await self.site.settle()


def fields_of(stream, profile, size):
    fields = {"size": str(size), "rules": profile, "helped": "on"}
    return fields | CLOCKS[stream.below(len(CLOCKS))]


def others(found, path, *allowed):
    """The addresses of others than who sits at `path`."""
    _, _, number, role, _ = path.split("/")
    own = re.compile(rf"(/qr)?/table/{number}/({'|'.join((role, *allowed))})/")
    return [one for one in found if "/table/" in one and not own.match(one)]


async def compare_seat(profile, seed, size, kind="person"):
    """Two games in which one seat's own attempts are the same and the other's are not.

    Returns how often both worlds were looked at with equal views after different games.
    """
    stream = Stream(seed)
    own = Colour.BLACK if stream.below(2) else Colour.WHITE
    moves = script(stream, size, 40)
    worlds = World(own.word), World(own.word, cookie="language=ja")
    scripts = moves, variant(moves, stream, size)
    fields = fields_of(stream, profile, size)
    pairs = 0
    for world in worlds:
        await world.begin(kind, **fields)
    for turn in range(14):
        for world in worlds:
            await world.happening(turn, own.other, 40 if "minutes" in fields else 130)
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
        mark, bargain = vertex(stream.below(size * size), size), stream.below(20)
        for world in worlds:
            await world.act(do="mark", point=mark)
            await world.bargain(own, bargain)
            await world.look()
        same(*worlds)
        pairs += worlds[0].game.steps != worlds[1].game.steps
    for world in worlds:
        await world.leave()
    return pairs


async def compare_bots(seed, size):
    """Two games in which bots make different hidden moves, and a person takes a move back."""
    stream = Stream(seed)
    own = Colour.BLACK if stream.below(2) else Colour.WHITE
    moves = script(stream, size, 80)
    scripts = moves, variant(moves, stream, size)
    worlds = [World(own.word, Hidden(list(attempts))) for attempts in scripts]
    fields = fields_of(stream, "olympiad", size)
    pairs = 0
    for world in worlds:
        await world.begin_against_a_bot(own, **fields)
    for turn in range(14):
        games = [world.site.session(world.path).game for world in worlds]
        if games[0].view(own) != games[1].view(own) or games[0].outcome is not None:
            break
        for world in worlds:
            await world.look()
            if turn == 4:
                await world.act(do="takeback")
                await world.look()
                await world.act(do="yes")
                await world.look()
        same(*worlds)
        pairs += games[0].steps != games[1].steps
        where = {"do": "attempt", "point": vertex(stream.below(size * size), size)}
        for world in worlds:
            world.site.time += 1
            await world.act(**where)
    for world in worlds:
        await world.leave()
    return pairs


def allowed(game, policy):
    """What the policy lets a spectator know: one seat's view, or whose turn ended, and whether by
    a pass.
    """
    ends = game.turn_ends()
    steps = [game.moments[n].step for n in ends]
    heard = [(step.colour, step.move < 0) for step in steps]
    return heard if policy == "nothing" else (game.view(parse_colour(policy)), len(ends))


async def compare_spectator(policy, seed, size):
    """Two games that differ only in what this policy hides."""
    stream = Stream(seed)
    moves = {colour: script(stream, size, 40) for colour in Colour}
    hidden = {"black": Colour.WHITE, "white": Colour.BLACK}.get(policy, Colour(1 + stream.below(2)))
    worlds = World("watch"), World("watch")
    scripts = {c: list(m) for c, m in moves.items()}, {c: list(m) for c, m in moves.items()}
    scripts[1][hidden] = variant(moves[hidden], stream, size)
    fields = fields_of(stream, "olympiad", size) | {"watching": policy}
    pairs = 0
    for world in worlds:
        await world.begin(**fields)
    for _ in range(14):
        for world, attempts in zip(worlds, scripts, strict=True):
            await world.hidden_turn(attempts[world.game.to_move])
        first, second = (world.game for world in worlds)
        if first.outcome is not None or second.outcome is not None:
            break
        if allowed(first, policy) != allowed(second, policy):
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


async def seats(seeds, profile="olympiad", kind="person"):
    return sum([await compare_seat(profile, seed, 3 + seed % 3, kind) for seed in seeds])


async def bots(seeds):
    return sum([await compare_bots(seed, 3 + seed % 3) for seed in seeds])


POLICIES = ("nothing", "black", "white")
"""Policies that hide something."""


async def spectators(policy, seeds):
    return sum([await compare_spectator(policy, seed, 3 + seed % 3) for seed in seeds])
