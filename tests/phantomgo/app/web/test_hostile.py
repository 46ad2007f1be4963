"""Whatever strangers send: no fault of the server, no traceback, no table that is stuck."""

import asyncio
import base64
import logging
import random
import socket
from urllib.parse import quote

from phantomgo.app.web.registry import ServerLimits
from phantomgo.rng import Stream
from tests.support.waiting import PATIENCE, free_port
from tests.support.web_tools import Site, Socket, end, serve

# Requests straight to the application


def words(text):
    return text.split()


WORDS = words("""
    / /tables /qr /static /static/../server.py /static/%2e%2e/session.py part do
    live game.json game.sgf table 1 2 0 -1 99999999999999999999 black white both watch referee
    invite-black invite-white ? ?at=1 ?at=-1 ?at=999999999999 .. . // %00 %ff é <script>
""")
FIELDS = words("""
    do point known name size komi rules opponent colour handicap minutes watching helped
""")
PLAIN = words("""
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
    {},
    {},
    {},
    {"origin": "http://evil.example"},
    {"host": "evil.example"},
    {"host": ""},
    {"x-part": "1"},
    {"content-type": "multipart/form-data; boundary=x"},
    {"content-length": "-1"},
    {"accept-encoding": "x" * 3000},
)


async def fuzz(seed, count, caplog):
    """So many requests at a few tables; returns how many were answered by each status."""
    stream, site = (
        Stream(seed),
        Site(limits=ServerLimits(new_tables=10**6, requests=10**6, tables=40)),
    )
    black = await site.lay(opponent="person", size="5")
    white = await site.invited(black)
    referee = await site.lay(opponent="referee", size="4")
    bot = await site.lay(opponent="novice", size="3")
    both = await site.lay(opponent="here", size="3")
    known = [black, white, referee, bot, both, site.session(black).link("watch")]
    known += [site.session(referee).link("invite-black"), "/tables", "/qr" + black]
    statuses = {}
    for number in range(count):
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
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
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
    return statuses


def test_random_requests_are_answered(caplog):
    statuses = asyncio.run(fuzz(1, 1500, caplog))
    assert {200, 303, 403, 404, 405, 413} <= set(statuses)  # it reaches all there is


# Bytes to the command itself

NOISE = random.Random(1)


def talk(port, data, *, wait=PATIENCE, over=True):
    """Send bytes, and no more if it is `over`; what comes back before so many silent seconds."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        answer = b""
        try:
            connection.sendall(data)
            if over:
                connection.shutdown(socket.SHUT_WR)
            while chunk := connection.recv(65536):
                answer += chunk
        except (TimeoutError, ConnectionError):
            pass
        return answer


def asked(port, method, path, body=b"", *more):
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close"]
    lines += [f"Origin: http://127.0.0.1:{port}", f"Content-Length: {len(body)}", *more, "", ""]
    return talk(port, "\r\n".join(lines).encode() + body, over=False)


def test_random_bytes_are_answered(tmp_path):
    port = free_port()
    with (tmp_path / "stderr").open("w") as errors:
        process = serve(port, tmp_path / "tables.db", errors)
    try:
        answer = asked(port, "POST", "/tables", b"opponent=person&size=5")
        path = answer.partition(b"location: ")[2].partition(b"\r\n")[0].decode()
        assert path.startswith("/table/")
        key = base64.b64encode(NOISE.randbytes(16)).decode()
        upgrade = (
            f"GET {path}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Origin: http://127.0.0.1:{port}\r\n\r\n"
        ).encode()
        assert b"101 Switching" in talk(port, upgrade)
        for noise in (b"\x81\x05hello", b"\x82\xfe\xff\xff", NOISE.randbytes(300)):
            talk(port, upgrade + noise, wait=0.5)
        for noise in (
            b"\0" * 100,
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET " + b"x" * 100_000,
            b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5000,
            b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            NOISE.randbytes(1000),
        ):
            assert b"Traceback" not in talk(port, noise, wait=0.5)
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
        for connection in slow:  # each begins a form and never ends it
            head = f"POST {path}/do HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 4000\r\n"
            connection.sendall(f"{head}Origin: http://127.0.0.1:{port}\r\n\r\ndo=".encode())
        page = asked(port, "GET", path + "/part")
        assert b"Waiting for" in page
        known = page.partition(b'name="known" value="')[2].partition(b'"')[0]
        body = b"do=attempt&point=C3&known=" + known
        assert b"303" in asked(port, "POST", path + "/do", body).partition(b"\r\n")[0]
        assert b"move C3 stands" in asked(port, "GET", path + "/part")
        for connection in slow:
            connection.close()
    finally:
        end(process)
    errors = (tmp_path / "stderr").read_text()
    assert "Traceback" not in errors
    token = path.rpartition("/")[2]
    assert token not in errors
