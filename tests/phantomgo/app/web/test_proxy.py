"""The server behind a proxy with TLS, as docs/web.md has it: Debian's caddy."""

import asyncio
import os
import re
import shutil
import ssl
import subprocess
import urllib.request

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from tests.support.places import ROOT
from tests.support.waiting import PATIENCE, free_port, until
from tests.support.web_load import serving

CADDY = shutil.which("caddy")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CADDY is None, reason="there is no caddy on this machine"),
]


def documented():
    """The Caddyfile of docs/web.md."""
    text = (ROOT / "docs" / "web.md").read_text()
    return re.search(r"```\n(go\.example\.org \{.*?)```", text, re.S)[1]


@pytest.fixture
def proxied(tmp_path):
    """The address of a server behind a proxy, with a certificate of its own authority."""
    outer = free_port()
    address = f"https://localhost:{outer}"
    with serving(tmp_path, "--address", address, "--proxy", "127.0.0.1") as inner:
        site = documented().replace("go.example.org", f"localhost:{outer}")
        site = site.replace("127.0.0.1:8080", f"127.0.0.1:{inner}").replace(
            "{\n", "{\ntls internal\n", 1
        )
        options = "{\nadmin off\nskip_install_trust\nauto_https disable_redirects\n}\n"
        (tmp_path / "Caddyfile").write_text(options + site)
        words = [CADDY, "run", "--config", tmp_path / "Caddyfile", "--adapter", "caddyfile"]
        homes = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        with subprocess.Popen(words, env=os.environ | homes, stderr=subprocess.DEVNULL) as caddy:
            try:
                yield address
            finally:
                caddy.kill()


UNCHECKED = ssl._create_unverified_context()


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirection."""

    def redirect_request(self, *_args):
        return None


def asked(address, path, data=None, forwarded=""):
    """The answer to a request: status, location and text."""
    handlers = urllib.request.HTTPSHandler(context=UNCHECKED), Stay()
    headers = {"Origin": address} | ({"X-Forwarded-For": forwarded} if forwarded else {})
    request = urllib.request.Request(address + path, data, headers)
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=PATIENCE) as answer:
            return answer.status, None, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get("location"), error.read().decode()


def answers(address):
    try:
        return asked(address, "/")[0] == 200
    except OSError:
        return False


def test_links_and_sockets_work_behind_the_proxy_of_the_document(proxied):
    until(lambda: answers(proxied))
    status, seat, _ = asked(proxied, "/tables", b"opponent=person&size=5&colour=black")
    assert status == 303
    page = asked(proxied, seat)[2]
    assert f"{proxied}/table/" in page, "the invitation is for the outside"

    async def version():
        live = proxied.replace("https", "wss") + seat + "/live"
        async with connect(live, ssl=UNCHECKED, origin=Origin(proxied)) as socket:
            return await socket.recv()

    assert f'data-version="{asyncio.run(version())}"' in page


def test_limits_apply_to_the_client_that_the_proxy_names(proxied):
    until(lambda: answers(proxied))
    laid = [asked(proxied, "/tables", b"opponent=novice&size=5")[0] for _ in range(21)]
    assert laid == [303] * 20 + [429]
    # What a client says of itself changes nothing: the proxy does not pass it on as it is.
    assert asked(proxied, "/tables", b"opponent=novice&size=5", forwarded="192.0.2.7")[0] == 429
