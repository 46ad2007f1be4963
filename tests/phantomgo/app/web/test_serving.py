"""The command `phantomgo web`: its options, and what they are told when they are wrong."""

import asyncio
import contextlib
import errno
import gc
import logging
import os
import re
import signal
import socket
import subprocess

import pytest
import uvicorn

from phantomgo.app.cli import main
from phantomgo.app.web.addresses import place, proxies
from phantomgo.app.web.registry import ServerLimits
from phantomgo.app.web.server import application
from phantomgo.app.web.serving import FIELDS, TimeoutProtocol, config, fields, set_up
from tests.support.commands import started
from tests.support.waiting import PATIENCE, free_port, until
from tests.support.web_tools import Site, heading


def test_a_port_that_is_taken(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["web", "--port", str(port), "--data", str(tmp_path / "x.db")]) == 1
    error = f"cannot listen at 127.0.0.1, port {port}: {os.strerror(errno.EADDRINUSE)}\n"
    assert error in capsys.readouterr().err


async def test_a_table_is_laid_by_the_fields_of_the_front_page():
    page = (await Site().get("/")).text
    named = re.findall(r'<(?:input|select)[^>]* name="(\w+)"', page)
    assert {*FIELDS} == {*named} - {"step"}  # of the lesson on its board


@pytest.mark.parametrize("sent", ["go.example.org", "GO.example.org:8080", "xn--bcher-kva.example"])
async def test_a_host_is_known_by_its_name_in_any_case(sent):
    """Browsers send names in lower case, and without letters beyond ASCII."""
    found = place(None, 80, lan=False, address="https://Bücher.example", names=["Go.Example.ORG"])
    site = Site()
    site.app = application(site.registry, found.names)
    assert (await site.request("GET", "/", host=sent)).status == 200
    assert (await site.request("GET", "/", host="org")).status == 403


async def test_a_table_is_laid_at_the_start(capsys):
    site = Site()
    await set_up(site.registry, fields("opponent=referee,size=5"), "http://club:8080")
    links = re.findall(r"^(.*?): http://club:8080(\S+)$", capsys.readouterr().out, re.M)
    assert [what for what, _ in links] == [
        "Seat: referee",
        "Invitation to play Black",
        "Invitation to play White",
        "For spectators",
    ]
    assert heading((await site.get(links[0][1])).text) == "Black is to move"
    assert heading((await site.get(links[2][1])).text) == "You are invited to play White"


PROXY, STRANGER = "10.0.0.1", "192.0.2.7"


async def ask(site, method, path, body=b"", *, sender, scheme="https", client="198.51.100.1"):
    """A request as it reaches the server from `sender`, who says whom it is for."""
    uvicorns = config(site.app, 10, proxies(["10.0.0.1, 10.1.0.0/16", "::1"]))
    uvicorns.load()

    async def app(scope, receive, send):
        await uvicorns.loaded_app(scope | {"client": (sender, 5)}, receive, send)

    inner, site.app = site.app, app
    try:
        sent = {"x_forwarded_proto": scheme, "x_forwarded_for": client}
        return await site.request(method, path, body, **sent)
    finally:
        site.app = inner


@pytest.mark.parametrize(
    ("sender", "scheme"), [(PROXY, "https"), ("10.1.2.3", "https"), (STRANGER, "http")]
)
async def test_invitations_have_the_scheme_that_a_trusted_proxy_names(sender, scheme):
    site = Site()
    black = await site.lay(opponent="person")
    page = (await ask(site, "GET", black, sender=sender)).text
    assert re.search(r"(https?)://localhost:8080/table/1/invite-white", page)[1] == scheme


async def test_behind_a_proxy_limits_count_the_address_of_the_client():
    async def laid(site, sender, client):
        return (
            await ask(site, "POST", "/tables", b"opponent=here", sender=sender, client=client)
        ).status

    site = Site(limits=ServerLimits(new_tables=1))
    assert await laid(site, PROXY, "198.51.100.1") == 303
    assert await laid(site, PROXY, "198.51.100.2") == 303
    assert await laid(site, PROXY, "198.51.100.1") == 429
    # What a client says of itself comes before what the proxy adds, and is not believed.
    assert await laid(site, PROXY, "203.0.113.9, 198.51.100.1") == 429
    assert await laid(site, STRANGER, "203.0.113.1") == 303
    assert await laid(site, STRANGER, "203.0.113.2") == 429


async def talk(port, *pieces, pause=0.05):
    """Send bytes piece by piece; what comes back until the server ends it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(pause)
        return await asyncio.wait_for(reader.read(), PATIENCE)
    except ConnectionError:  # a slow machine sends a piece to who has hung up
        return b""
    finally:
        writer.close()


async def test_a_slow_request_head_is_disconnected(monkeypatch):
    monkeypatch.setattr(TimeoutProtocol, "head_seconds", 0.2)
    head = b"GET /lesson HTTP/1.1\r\nHost: localhost\r\n"
    site = Site()
    config = uvicorn.Config(site.app, port=0, http=TimeoutProtocol, lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    assert await talk(port) == b"", "who says nothing"
    assert await talk(port, *[b"G", b"E", b"T", b" ", b"/"]) == b"", "who says it slowly"
    assert b"200 OK" in await talk(port, head + b"Connection: close\r\n\r\n")
    again = await talk(port, head + b"\r\n", head)
    assert again.count(b"200 OK") == 1, "also after an answer"
    body = b"POST /tables HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    long = (body + b"Content-Length: 6\r\nConnection: close\r\n\r\n", *[b"x"] * 5, b"y")
    assert b"303" in await talk(port, *long), "a head in time is all that is asked for"
    server.should_exit = True
    await serving


ABSORBED = "tests.support.bad_bots:Absorbed"


FRAMES = {
    "text that is not UTF-8": "81 82 00000000 ff fe",
    "the same in two pieces": "01 81 00000000 ff 80 81 00000000 fe",
    "bytes": "82 82 00000000 ff fe",
    "an unknown kind": "83 80 00000000",
    "no mask": "81 01 ff",
    "a rest of nothing": "80 80 00000000",
    "a reserved bit": "f1 80 00000000",
    "a bad goodbye": "88 84 00000000 ff ff ff ff",
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
async def test_a_malformed_frame_ends_its_socket_and_is_nobodys_fault(frame, caplog):
    site = Site()
    base = await site.lay(opponent="person", size="5")
    settings = config(site.app, 10)
    settings.port = 0
    server = uvicorn.Server(settings)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    logging.getLogger("uvicorn").propagate = True  # to where this test reads it
    port = server.servers[0].sockets[0].getsockname()[1]
    opening = [
        f"GET {base}/live HTTP/1.1",
        *("Host: localhost", "Origin: http://localhost", "Connection: Upgrade"),
        *("Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {'A' * 22}=="),
    ]
    head = "".join(f"{line}\r\n" for line in [*opening, ""]).encode()
    said = await talk(port, head, bytes.fromhex(frame), bytes.fromhex("88 80 00000000"))
    assert said.startswith(b"HTTP/1.1 101")
    gc.collect()  # asyncio tells of errors that nobody asked for
    assert [record for record in caplog.records if record.exc_info] == []
    server.should_exit = True
    await serving


@pytest.mark.parametrize("pressed", [(signal.SIGINT,), (signal.SIGTERM,), (signal.SIGINT,) * 2])
def test_a_server_that_is_stopped_waits_for_no_bot(tmp_path, pressed):
    """By Ctrl-C, at once again, or by a service manager; stderr is what a journal would show."""
    port = free_port()
    words = ["web", "--port", str(port), "--data", "x.db", "--opponents", f"a={ABSORBED}"]
    words += ["--lay", "opponent=a,colour=white"]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    server = started("-m", "phantomgo", *words, cwd=tmp_path, **pipes)
    until((tmp_path / "begun").exists, "the bot's thought")
    for one in pressed:
        with contextlib.suppress(ProcessLookupError):
            server.send_signal(one)
        until(lambda: not connects(port), "the end of the server")
    _, said = server.communicate(timeout=PATIENCE)
    assert (server.returncode, said) in ((0, ""), (130, "phantomgo web: interrupted\n"))
    assert server.returncode == 0 or len(pressed) == 2


def connects(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
