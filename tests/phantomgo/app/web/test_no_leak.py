"""Law 3 on the web: what a guest is sent depends on nothing but what they may know.

Two servers run side by side, with the same secret key, the same clock, and at their tables two
games whose hidden attempts differ. As long as a guest may know the same of both, every byte sent to
them has to be the same: frames, headers, pages, their number and their order.
"""

import asyncio
import re
import sys

import pytest
from starlette.responses import Response

from phantomgo.app.web import evening_page, server
from phantomgo.app.web import guest as guests
from phantomgo.app.web.guest import Guest, Spectator
from phantomgo.app.web.hall import Hall
from phantomgo.app.web.room import Room
from phantomgo.app.web.sight import Sight
from phantomgo.points import PASS, Colour, vertex
from phantomgo.rng import Stream
from phantomgo.rules import PROFILES
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


class Evening:
    """An evening of a site, and what its organiser's page leads to."""

    def __init__(self, site):
        self.site, self.page = site, ""

    async def begin(self, *names, **fields):
        """Begin it with these players, and its first round; their pages."""
        site = self.site
        self.organiser = (await site.post("/evenings", **fields)).header("location")
        await self.look()
        join = self.link("join") + "/do"
        players = [
            (await site.post(join, do="join", name=name)).header("location") for name in names
        ]
        await site.post(self.organiser + "/do", do="start", known="0")
        return players

    async def look(self):
        self.page = (await self.site.get(self.organiser)).text

    def link(self, role):
        """The path of a role that the organiser's page links to."""
        return next(one for one in addresses(self.page) if one.split("/")[-2] == role)

    async def sit(self, player):
        """The seat of a player in this round."""
        return (await self.site.post(player + "/do", do="sit")).header("location")


class World:
    """A server with one table, and all that one guest of it is sent."""

    def __init__(self, role, thinkers=None):
        self.role, self.sent, self.home = role, [], ""
        self.site = Site(key=KEY, thinkers=thinkers)

    async def begin(self, kind="person", **fields):
        """Lay a table of a kind, and take both seats."""
        site, self.kind = self.site, kind
        if kind == "referee":
            self.host = await site.lay(opponent="referee", **fields)
            black = await site.invited(self.host)
            white = await site.invited(self.host)
        elif kind == "evening":
            black, white = await self.begin_an_evening(**fields)
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

    async def begin_an_evening(self, **fields):
        """An evening's first round of two players; their seats."""
        self.evening = Evening(self.site)
        pages = await self.evening.begin("Ann", "Bob", **fields)
        black, white = [await self.evening.sit(page) for page in pages]
        homes = {"black": pages[0], "white": pages[1], "watch": self.evening.link("projector")}
        self.home = homes[self.role]
        return black, white

    async def sit(self):
        """Open this guest's page."""
        black, white = self.seats.values()
        room = self.site.room(black)
        paths = {"black": black, "white": white, "watch": room.link("watch")}
        self.path = paths[self.role]
        self.game = room.game
        self.socket = Socket(self.site, self.path)
        await self.site.settle()

    async def begin_against_a_bot(self, colour, **fields):
        """Lay a table against the bot of this site."""
        own = str(colour).lower()
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
                    await self.site.do(other, answer)
                await self.site.settle()
                await self.look()

    async def next_of(self, seat):
        """Where the page of a seat leads to the rematch."""
        page = (await self.site.get(seat)).text
        return re.search(r'class="next".*?href="(/table/[^"]*)"', page)[1]

    async def happening(self, turn, other, seconds):
        """What happens to the other player before a turn, beside attempts."""
        if self.kind == "referee" and turn == 6:
            await self.new_link(other)
        if turn == 2:
            await self.be_away(other, seconds)

    async def be_away(self, colour, seconds):
        """This player closes their page, and so much time passes; they attempt without it."""
        other = Socket(self.site, self.seats[colour])
        await self.site.settle()
        other.leave()
        await self.site.settle()
        self.site.time += seconds
        self.site.hall.tick()
        await self.site.settle()

    async def new_link(self, colour):
        """The referee gives a player a new link."""
        name = str(colour).lower()
        await self.site.do(self.host, f"free-{name}")
        await self.site.settle()
        self.seats[colour] = await self.site.invited(self.host)
        await self.site.settle()

    async def look(self):
        """Fetch every address that pages and frames lead to."""
        files = (
            "",
            "/part",
            "/game.json",
            "/black.sgf",
            "/card.svg",
            "?at=1&side=white",
            "/nothing",
        )
        known = [self.path + file for file in files] + [self.home] * bool(self.home)
        frames = "".join(self.socket.frames)
        found = await self.site.crawl(*known, *addresses(frames), "/games", "/games/1", "/lobby")
        self.sent += [(path, answer.bytes) for path, answer in found.items()]
        assert not others(found, self.path, home=self.home), "leak: links"

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
            site.time = began + TURN if ends else site.time + TRY
            point = vertex(move, self.game.rules.size)
            known = str(site.room(self.path).guest(str(colour).lower()).sight.known)
            what = {"do": "pass"} if move == PASS else {"do": "attempt", "point": point}
            before = len(self.game.steps)
            await self.site.post(self.seats[colour] + "/do", known=known, **what)
            if what == {"do": "pass"}:  # the last one is asked about
                await self.site.post(self.seats[colour] + "/do", known=known, do="yes")
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
    fields = {"size": str(size), "rules": profile, "helped": "on", "rated": "on", "open": "on"}
    return fields | CLOCKS[stream.below(len(CLOCKS))]


def others(found, path, *allowed, home=""):
    """The addresses of others than who sits at `path`, and whose page in an evening is `home`."""
    _, _, number, role, _ = path.split("/")
    own = re.compile(rf"(/qr)?/table/{number}/({'|'.join((role, *allowed))})/")
    links = [one for one in found if "/table/" in one or "/evening/" in one]
    return [one for one in links if not own.match(one) and not (home and one.startswith(home))]


async def compare_seat(profile, seed, size, kind="person"):
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
    worlds = [World(str(own).lower(), Hidden(list(attempts))) for attempts in scripts]
    fields = fields_of(stream, "olympiad", size)
    pairs = 0
    for world in worlds:
        await world.begin_against_a_bot(own, **fields)
    for turn in range(14):
        games = [world.site.room(world.path).game for world in worlds]
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


def public(game):
    """What a spectator who is shown nothing hears: whose turn ended, and whether by a pass."""
    return [(game.moments[n].step.colour, game.moments[n].step.move < 0) for n in game.turn_ends()]


def allowed(game, policy, delay):
    """What the policy lets a spectator know."""
    ends = [0, *game.turn_ends()]
    shown = ends[max(len(ends) - 1 - delay, 0)] if delay else len(game.steps)
    if policy == "nothing":
        return public(game)[: max(len(ends) - 1 - delay, 0)], len(ends)
    if policy in ("black", "white"):
        view = game.moments[shown].view(Colour.BLACK if policy == "black" else Colour.WHITE)
        return view, len(ends)
    return game.steps[:shown], len(ends)


async def compare_spectator(policy, delay, seed, size, kind="person"):
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
        await world.begin(kind, **fields)
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


def many(search, least):
    """Run a search for leaks, and print how many pairs it looked at."""
    pairs = asyncio.run(search)
    sys.stderr.write(f"{pairs} times looked at after different games with equal views\n")
    assert pairs >= least


async def seats(seeds, profile="olympiad", kind="person"):
    return sum([await compare_seat(profile, seed, 3 + seed % 3, kind) for seed in seeds])


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_equal_views_get_equal_bytes(profile):
    assert asyncio.run(seats(range(5), profile)) >= 4, "too few pairs to say anything"


@pytest.mark.parametrize("kind", ["referee", "rematch", "evening"])
def test_equal_views_get_equal_bytes_at_other_tables(kind):
    assert asyncio.run(seats(range(5), kind=kind)) >= 4


@pytest.mark.slow
def test_equal_views_get_equal_bytes_in_many_games_of_evenings():
    many(seats(range(5, 105), kind="evening"), 300)


async def bots(seeds):
    return sum([await compare_bots(seed, 3 + seed % 3) for seed in seeds])


def test_equal_views_get_equal_bytes_against_bots():
    assert asyncio.run(bots(range(12))) >= 4


@pytest.mark.slow
def test_equal_views_get_equal_bytes_in_many_games_against_bots():
    many(bots(range(12, 200)), 300)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["referee", "rematch"])
def test_equal_views_get_equal_bytes_in_many_games_at_other_tables(kind):
    many(seats(range(5, 155), kind=kind), 300)


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_equal_views_get_equal_bytes_in_many_games(profile):
    many(seats(range(5, 105), profile), 150)


POLICIES = [
    *(("nothing", delay) for delay in (0, 3)),
    *(("black", delay) for delay in (0, 2)),
    *(("white", delay) for delay in (0, 1)),
    *(("all", delay) for delay in (0, 1, 4)),
]


async def spectators(policy, delay, seeds, kind="person"):
    found = [await compare_spectator(policy, delay, seed, 3 + seed % 3, kind) for seed in seeds]
    return sum(found)


@pytest.mark.parametrize(("policy", "delay"), POLICIES)
def test_spectators_get_what_the_policy_lets_them_know(policy, delay):
    pairs = asyncio.run(spectators(policy, delay, range(5)))
    assert pairs >= 3 or (policy, delay) == ("all", 0)  # who sees all now sees every difference


@pytest.mark.parametrize(("policy", "delay"), [POLICIES[1], POLICIES[3], POLICIES[8]])
def test_a_projector_shows_what_the_policy_lets_spectators_know(policy, delay):
    pairs = asyncio.run(spectators(policy, delay, range(3), "evening"))
    assert pairs >= 1


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "delay"), POLICIES)
def test_projectors_of_many_games(policy, delay):
    many(spectators(policy, delay, range(6, 56), "evening"), 0)


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "delay"), POLICIES)
def test_spectators_of_many_games(policy, delay):
    many(spectators(policy, delay, range(6, 106)), 0)


# Where the pages of players lead


async def crawl_seats(**fields):
    """Lay a table, play at it, and see where its players' pages lead, before and after its end."""
    site = Site()
    host = await site.lay(size="4", **fields)
    role = host.split("/")[3]
    seats = [host] if role != "referee" else []
    if role != "both" and fields["opponent"] in ("person", "referee"):
        waiting = await site.crawl(host)
        invited = [path for path in waiting if "/invite-" in path and not path.startswith("/qr")]
        assert len(invited) == (2 if role == "referee" else 1)
        if seats:
            assert not others(waiting, host, "invite-white", "invite-black")
        seats += [await site.invited(host) for _ in range(len(invited))]
    room, sockets = site.room(host), [Socket(site, seat) for seat in seats]

    async def look():
        await site.settle()
        for seat, socket in zip(seats, sockets, strict=True):
            frames = addresses("".join(socket.frames))
            assert others(await site.crawl(seat, *frames), seat) == []

    await look()
    for point in ("B2", "B2", "C3", "D1", "A4", "C2"):
        for seat in seats:
            await site.attempt(seat, point)
        await look()
    for what in ("adjourn", "resume", "takeback", "yes", "pass", "no"):
        for seat in seats:  # where both ask for the same, they agree
            await site.press(seat, what)
            await look()
    if role == "referee":
        await site.do(host, "free-white")
        await look_after(site, seats)
        seats[1] = await site.invited(host)
        sockets[1] = Socket(site, seats[1])
        await look()
    while room.game.outcome is None:
        for seat in seats:
            await site.do(seat, "seats")
            await site.do(seat, "resign")
        await site.settle()
    # Now all may be seen; the rematch has seats that are somebody else's again.
    await site.do(seats[0], "rematch")
    await site.settle()
    for seat in seats:
        found = await site.crawl(seat)
        again = [path for path in others(found, seat, "watch") if not path.startswith("/qr")]
        numbers = {path.split("/")[2] for path in again}
        assert numbers == {str(room.rematch)}, again
        assert len({path.split("/")[3] for path in again if "/invite-" not in path}) == 1, again


async def look_after(site, seats):
    """The pages of players who stay lead nowhere while another seat has a new link."""
    await site.settle()
    assert others(await site.crawl(seats[0]), seats[0]) == []


WATCHED = (("nothing", "0"), ("black", "0"), ("white", "2"), ("all", "0"), ("all", "3"))


@pytest.mark.parametrize(
    ("opponent", "watching", "delay"),
    [(kind, *watched) for kind in ("person", "referee") for watched in WATCHED]
    + [(kind, *watched) for kind in ("here", "easy") for watched in WATCHED[::3]],
)
def test_a_seat_leads_to_no_address_of_another_role(opponent, watching, delay):
    colour = "white" if delay == "2" else "black"
    fields = {"watching": watching, "delay": delay, "minutes": "10" if delay == "3" else "0"}
    asyncio.run(crawl_seats(opponent=opponent, colour=colour, **fields))


async def crawl_evening(**fields):
    """Play a round of four players, and see where every page that is not the organiser's leads."""
    site = Site()
    evening = Evening(site)
    players = await evening.begin("Ann", "Bob", "Cho", "Dai", size="3", **fields)
    seats = {player: await evening.sit(player) for player in players}
    sockets = {player: Socket(site, seat) for player, seat in seats.items()}
    public = [evening.link("join"), evening.link("projector")]

    async def look():
        await site.settle()
        for player, seat in seats.items():
            frames = addresses("".join(sockets[player].frames))
            over = ("watch",) * (site.room(seat).game.outcome is not None)
            found = await site.crawl(player, seat, *frames)
            assert others(found, seat, *over, home=player) == []
        for page in public:
            assert not others(await site.crawl(page), page, home=page)

    await look()
    for point in ("B2", "B2", "C3", "A1"):
        for seat in seats.values():
            await site.attempt(seat, point)
        await look()
    for what in ("adjourn", "pass", "resign"):  # some games end
        for seat in seats.values():
            await site.do(seat, what)
        await look()
    await evening.look()
    tables = {one.split("/")[2] for one in addresses(evening.page) if "/referee/" in one}
    for table in tables:
        await site.post(evening.organiser + "/do", do="correct", table=table, result="black")
    await site.post(evening.organiser + "/do", do="start", known="1")
    await site.post(evening.organiser + "/do", do="renew", player="1")
    assert (await site.get(players[1])).status == 404
    del seats[players[1]]
    seats = {player: await evening.sit(player) for player in seats}
    sockets = {player: Socket(site, seat) for player, seat in seats.items()}
    await look()


@pytest.mark.parametrize(("watching", "delay"), WATCHED[::2])
def test_a_players_page_leads_to_nobody_elses(watching, delay):
    minutes = "10" if delay == "3" else "0"
    asyncio.run(crawl_evening(watching=watching, delay=delay, minutes=minutes))


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


def test_a_takeback_that_tells_how_often_the_bot_was_refused_is_found(monkeypatch):
    planted(monkeypatch, LEAKS["number of tries"])
    with pytest.raises(AssertionError, match="leak: "):
        asyncio.run(bots(range(60)))


def test_a_presence_that_tells_of_attempts_is_found(monkeypatch):
    honest = Room._absent
    monkeypatch.setattr(
        Room, "_absent", lambda self: honest(self) if len(self.game.steps) % 2 else iter(())
    )
    with pytest.raises(AssertionError, match="leak: "):
        asyncio.run(seats(range(60)))


def test_an_offer_that_tells_of_the_board_is_found(monkeypatch):
    honest = Guest._offer
    monkeypatch.setattr(
        Guest, "_offer", lambda self: honest(self) and f"{honest(self)} {len(self.game.steps)}"
    )
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
        room, _ = await self._guest(request)
        answer.headers["etag"] = str(len(room.game.steps))
        return answer

    monkeypatch.setattr(server.Server, "part", part)
    with pytest.raises(AssertionError, match="leak: bytes"):
        asyncio.run(seats(range(60)))


def test_a_record_given_out_early_is_found(monkeypatch):
    async def download(self, request):
        room, _ = await self._guest(request)
        return Response(repr(room.game.steps))

    monkeypatch.setattr(server.Server, "download", download)
    with pytest.raises(AssertionError, match="leak: bytes"):
        asyncio.run(seats(range(60)))


def test_a_socket_of_another_role_is_found(monkeypatch):
    honest = Hall.enter

    def enter(self, number, role, token, who=""):
        found = honest(self, number, role, token, who)
        return found and (found[0], found[0].guest("white" if role == "watch" else role))

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


def test_a_players_page_that_leads_to_a_referee_is_found(monkeypatch):
    monkeypatch.setattr(
        evening_page, "player_page", lambda it, _, base: evening_page.organiser_page(it, base, "")
    )
    with pytest.raises(AssertionError):
        asyncio.run(crawl_evening())


def test_a_projector_that_shows_a_seat_is_found(monkeypatch):
    honest = Room.guest
    monkeypatch.setattr(
        Room, "guest", lambda self, role: honest(self, "referee" if role == "watch" else role)
    )
    with pytest.raises(AssertionError, match="leak: "):
        asyncio.run(spectators("black", 0, range(20), "evening"))
