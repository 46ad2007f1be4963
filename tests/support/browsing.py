"""What tests in a real browser share: Chromium, a server, and what one does on its pages."""

import asyncio
import contextlib
import os
import shutil
import threading
from pathlib import Path

import pytest

from phantomgo.app.web.journal import Journal
from phantomgo.app.web.registry import ServerLimits, TableRegistry
from phantomgo.app.web.server import application
from phantomgo.app.web.session import SharedServices
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE, free_port, until
from tests.support.web_tools import Inline

uvicorn = pytest.importorskip("uvicorn")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = """
    --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync
""".split()  # noqa: SIM905
PICTURES = ROOT / "docs" / "pictures"
DRAWING = bool(os.environ.get("PICTURES"))
AXE = Path(os.environ.get("AXE", ROOT / "node_modules/axe-core/axe.min.js"))
"""The checker of accessibility, where it is installed: `npm install --no-save axe-core`."""
NEEDS_CHROMIUM = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


class Serving:
    """A server in a thread of this process; what is under way in its `cable` waits while `cut`."""

    cut = False

    def __init__(self):
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(PATIENCE)

    def _run(self, ready):
        journal = Journal(":memory:")
        # Tests of a module share the server, and all come from one address.
        services = SharedServices(journal, Inline(), Inline(), beat=0.0)
        self.registry = TableRegistry(services, ServerLimits(new_tables=1000, share=1000))
        app = application(self.registry, frozenset({"127.0.0.1"}))
        config = uvicorn.Config(
            app,
            port=self.port,
            log_level="error",
            ws="websockets-sansio",
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)

        async def serve():
            self.loop = asyncio.get_running_loop()
            task = asyncio.create_task(self._server.serve())
            while not self._server.started:
                await asyncio.sleep(0.01)
            async with await asyncio.start_server(self._join, "127.0.0.1") as cable:
                self.cable = f"http://127.0.0.1:{cable.sockets[0].getsockname()[1]}"
                ready.set()
                await task

        asyncio.run(serve())
        journal.close()

    async def _join(self, reader, writer):
        far, to_far = await asyncio.open_connection("127.0.0.1", self.port)
        await asyncio.gather(self._carry(reader, to_far), self._carry(far, writer))

    async def _carry(self, source, target):
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                while self.cut:
                    await asyncio.sleep(0.01)
                target.write(data)
        target.close()

    def stop(self):
        self._server.should_exit = True
        self._thread.join(PATIENCE)


class Listener:
    """Somebody who knows a page by its accessibility tree alone."""

    def __init__(self, page):
        self._ask = page.context.new_cdp_session(page).send

    def hear(self, role, words):
        """Wait for a node of this role with these words, and return its id."""
        found = []

        def listen():
            found.extend(
                node["backendDOMNodeId"]
                for node in self._ask("Accessibility.getFullAXTree")["nodes"]
                if not node["ignored"] and node["role"]["value"] == role
                if words in node.get("name", {}).get("value", "")
            )
            return found

        until(listen, f"{role} {words!r}")
        return found[0]

    def press(self, role, words):
        node = self._ask("DOM.resolveNode", {"backendNodeId": self.hear(role, words)})["object"]
        press = {
            "functionDeclaration": "function() { this.click(); }",
            "objectId": node["objectId"],
        }
        self._ask("Runtime.callFunctionOn", press)


def picture(page, name):
    if DRAWING:
        page.screenshot(
            path=PICTURES / f"{name}.jpg", type="jpeg", quality=75, animations="disabled"
        )


def lay(page, more=(), **choices):
    if not page.locator(".lay").is_visible():
        page.click(".more > summary")
    for name, value in choices.items():
        field = page.locator(f".lay [name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    if more:
        page.click(".lay details:has([name=komi]) > summary")
        for name, value in dict(more).items():
            field = page.locator(f".lay [name={name}]")
            filled = {"watching": field.select_option, "helped": field.set_checked}
            filled.get(name, field.fill)(value)
    page.click(".lay button.main")
    page.wait_for_selector(".table")
    page.wait_for_load_state()  # until its script runs, a touch is an attempt


def says(page, words):
    page.wait_for_selector(f"h1:text-is('{words}')")


def news(page, words):
    page.wait_for_selector(f".news:has-text('{words}')")


def press(page, point):
    """Press a point, once it may be attempted: before, it is for guesses."""
    page.click(f".attempt .points button[value={point}]")
