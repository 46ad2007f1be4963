"""Whatever strangers send: no fault of the server, no traceback, no table that is stuck."""

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


async def test_random_requests_are_answered(caplog):
    """Random requests at a few tables."""
    site = Site(limits=ServerLimits(new_tables=10**6, requests=10**6, tables=40))
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


# Bytes to the command itself


def talk(port, data, *, wait=PATIENCE):
    """Send bytes; what comes back before so many silent seconds."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        answer = b""
        try:
            connection.sendall(data)
            while chunk := connection.recv(65536):
                answer += chunk
        except (TimeoutError, ConnectionError):
            pass
        return answer


def head(method, path, port, *more):
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    return "\r\n".join([*lines, f"Origin: http://127.0.0.1:{port}", *more, "", ""]).encode()


def asked(method, path, port, body=b""):
    length = f"Content-Length: {len(body)}"
    return talk(port, head(method, path, port, "Connection: close", length) + body)


def test_random_bytes_are_answered(tmp_path):
    port, random_bytes = free_port(), random.Random(1).randbytes
    with (tmp_path / "stderr").open("w") as errors:
        process = serve(port, tmp_path / "tables.db", errors)
    try:
        answer = asked("POST", "/tables", port, b"opponent=person&size=5")
        path = answer.partition(b"location: ")[2].partition(b"\r\n")[0].decode()
        assert path.startswith("/table/")
        key = f"Sec-WebSocket-Key: {base64.b64encode(random_bytes(16)).decode()}"
        words = ("Upgrade: websocket", "Connection: Upgrade", key, "Sec-WebSocket-Version: 13")
        upgrade = head("GET", f"{path}/live", port, *words)
        assert b"101 Switching" in talk(port, upgrade, wait=0.5)
        for noise in (
            upgrade + b"\x81\x05hello",
            upgrade + b"\x82\xfe\xff\xff",
            upgrade + random_bytes(300),
            b"\0" * 100,
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET " + b"x" * 100_000,
            b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5000,
            head("POST", "/tables", port, "Transfer-Encoding: chunked") + b"zz\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            random_bytes(1000),
        ):
            assert b"Traceback" not in talk(port, noise, wait=0.5)
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
        for connection in slow:  # each begins a form and never ends it
            connection.sendall(head("POST", f"{path}/do", port, "Content-Length: 4000") + b"do=")
        page = asked("GET", path + "/part", port)
        assert b"Waiting for" in page
        known = page.partition(b'name="known" value="')[2].partition(b'"')[0]
        body = b"do=attempt&point=C3&known=" + known
        assert b"303" in asked("POST", path + "/do", port, body).partition(b"\r\n")[0]
        assert b"move C3 stands" in asked("GET", path + "/part", port)
        for connection in slow:
            connection.close()
    finally:
        end(process)
    errors = (tmp_path / "stderr").read_text()
    assert "Traceback" not in errors
    assert path.rpartition("/")[2] not in errors, "the secret of a link"
