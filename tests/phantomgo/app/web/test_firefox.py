"""A game in Firefox, driven by WebDriver BiDi, which it speaks by itself."""

import asyncio
import contextlib
import json
import shutil
import subprocess

import pytest
from websockets.asyncio.client import connect

from tests.support.waiting import PATIENCE, free_port
from tests.support.web_load import serving

FIREFOX = next(filter(None, map(shutil.which, ("firefox", "firefox-esr"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FIREFOX is None, reason="there is no Firefox on this machine"),
]


class Firefox:
    """A browser with one page."""

    def __init__(self, socket):
        self._socket, self._count = socket, 0

    async def command(self, method, **parameters):
        self._count += 1
        words = {"id": self._count, "method": method, "params": parameters}
        await self._socket.send(json.dumps(words))
        while (answer := json.loads(await self._socket.recv())).get("id") != self._count:
            pass  # an event
        assert answer["type"] == "success", answer
        return answer["result"]

    async def begin(self):
        await self.command("session.new", capabilities={})
        tree = await self.command("browsingContext.getTree")
        self.page = tree["contexts"][0]["context"]

    async def go(self, address):
        await self.command(
            "browsingContext.navigate", context=self.page, url=address, wait="complete"
        )

    async def evaluate(self, expression):
        words = {"expression": expression, "target": {"context": self.page}, "awaitPromise": False}
        found = await self.command("script.evaluate", **words)
        assert found["type"] == "success", found
        return found["result"].get("value")

    async def wait(self, expression):
        """Until an expression is true; the page may be another one meanwhile."""
        while True:
            with contextlib.suppress(AssertionError):
                if await self.evaluate(f"!!({expression})"):
                    return
            await asyncio.sleep(0.05)

    async def click(self, selector):
        await self.wait(f"document.querySelector({selector!r})")
        await self.evaluate(f"document.querySelector({selector!r}).click()")


async def connected(port):
    while True:
        try:
            return await connect(f"ws://127.0.0.1:{port}/session", max_size=None)
        except OSError:
            await asyncio.sleep(0.1)


async def game(address, port):
    async with asyncio.timeout(PATIENCE), await connected(port) as socket:
        it = Firefox(socket)
        await it.begin()
        await it.go(address)
        for name, value in {"opponent": "novice", "size": "5"}.items():
            await it.evaluate(f"document.querySelector('[name={name}]').value = {value!r}")
        await it.click("button.main")
        for point in ("C3", "B2", "D4"):
            await it.wait("document.querySelector('form.attempt')")
            said = "document.querySelector('aside').textContent"
            before = await it.evaluate(said)
            await it.click(f".points button[value={point}]")
            await it.wait(f"{said} !== {before!r} && {said}.includes({point!r})")
        await it.click("button[value=resign]")
        await it.click("button[value=yes]")
        await it.wait("document.querySelector('h1').textContent === 'You lost by resignation.'")
        await it.wait("document.querySelector('.graph')")
        assert await it.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await it.click(".switch [data-side=black]")
        await it.wait("document.querySelector('.switch [aria-current]').dataset.side === 'black'")
        assert await it.evaluate("document.body.classList.contains('offline')") is False


def test_a_game_in_firefox_from_the_front_page_to_its_review(tmp_path):
    own = free_port()
    words = [FIREFOX, "--headless", "--no-remote", "--profile", tmp_path / "profile"]
    (tmp_path / "profile").mkdir()
    words.append(f"--remote-debugging-port={own}")
    silent = subprocess.DEVNULL
    with (
        serving(tmp_path) as port,
        subprocess.Popen(words, stdout=silent, stderr=silent) as firefox,
    ):
        try:
            asyncio.run(game(f"http://127.0.0.1:{port}", own))
        finally:
            firefox.kill()
