"""Whatever strangers send: no fault of the server, no traceback, no table that is stuck."""

import logging
from urllib.parse import quote

from phantomgo.app.web.registry import ServerLimits
from phantomgo.rng import Stream
from tests.support.web_tools import Site, Socket

WORDS = str.split("""
    / /tables /qr /static /static/../server.py /static/%2e%2e/session.py part do
    live game.json game.sgf table 1 2 0 -1 99999999999999999999 black white both watch referee
    invite-black invite-white ? ?at=1 ?at=-1 ?at=999999999999 .. . // %00 %ff é <script>
""")
FIELDS = str.split("""
    do point known name size komi rules opponent colour handicap minutes watching helped
""")
PLAIN = str.split("""
    attempt pass resign mark clear belief hint seats adjourn resume stop start ask undo abandon
    rematch free-black free-white A1 B2 C3 J9 Z99 pass 0 1 2 3 4 5 9 19 20 -1 1e9 nan inf
    person here novice yes no accept decline withdraw takeback
    referee black white either all nothing olympiad hamburg <b> ' " gtp:rm ../../etc
""")
VALUES = [*PLAIN, "\x00", "\ud800", "\U0001f600"]
METHODS = ("GET", "GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "FOO")


def pick(stream, things):
    return things[stream.below(len(things))]


def path_of(stream, known):
    """A path: one that is good, one with a piece changed, or noise."""
    kind = stream.below(4)
    if kind < 2:
        return pick(stream, known) + pick(stream, ("", "/part", "/do", "/game.json", "?at=1", "/x"))
    if kind == 2:
        pieces = pick(stream, known).split("/")
        pieces[stream.below(len(pieces))] = quote(pick(stream, WORDS), safe="/%?=&")
        return "/" + "/".join(pieces).lstrip("/")
    pieces = (pick(stream, WORDS) for _ in range(1 + stream.below(5)))
    return "/" + quote("/".join(pieces), safe="/%?=&")


def body_of(stream):
    if stream.below(6) == 0:
        return bytes(stream.below(256) for _ in range(stream.below(200)))
    if stream.below(20) == 0:
        return b"x" * 5000
    pairs = (
        f"{pick(stream, FIELDS)}={pick(stream, VALUES)}".encode("utf-8", "surrogatepass")
        for _ in range(stream.below(6))
    )
    return b"&".join(pairs)


HEADERS = (
    *({},) * 3,
    {"origin": "http://evil.example"},
    {"host": "evil.example"},
    {"host": ""},
    {"x-part": "1"},
    {"content-type": "multipart/form-data; boundary=x"},
    {"content-length": "-1"},
    {"accept-encoding": "x" * 3000},
)


async def test_random_requests_are_answered(caplog):
    """Random requests at a few tables."""
    site = Site(limits=ServerLimits(new_tables=10**6, requests=10**6, share=10**6, tables=40))
    stream, statuses = Stream(1), set()
    black = await site.lay(opponent="person", size="5")
    white = await site.invited(black)
    referee = await site.lay(opponent="referee", size="4")
    bot = await site.lay(opponent="novice", size="3")
    both = await site.lay(opponent="here", size="3")
    known = [black, white, referee, bot, both, site.session(black).link("watch")]
    known += [site.session(referee).link("invite-black"), "/tables", "/qr" + black]
    for number in range(1500):
        method, path = pick(stream, METHODS), path_of(stream, known)
        headers = pick(stream, HEADERS)
        if stream.below(10) == 0:
            page = Socket(site, path.removesuffix("/live"), **headers)
            await site.settle()
            if stream.below(2):
                page.say("\ud800 hello")
            await site.settle()
            page.leave()
            continue
        answer = await site.request(method, path, body_of(stream), **headers)
        statuses.add(answer.status)
        assert answer.status < 500 or answer.status == 503, (method, path)
        assert "Traceback" not in answer.body.decode(errors="replace")
        if number % 50 == 0:
            site.time += 700
            site.registry.tick()
            site.registry.close_idle()
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    fresh = await site.lay(opponent="person", size="5")  # the server is as good as new
    other = await site.invited(fresh)
    for path, point in ((fresh, "C3"), (other, "B2")):
        await site.attempt(path, point)
    assert [step.reason for step in site.session(fresh).game.steps] == [None, None]
    for base in (black, referee, both):
        assert (await site.get(base)).status == 200
    assert {200, 303, 403, 404, 405, 413} <= statuses  # it reaches all there is
