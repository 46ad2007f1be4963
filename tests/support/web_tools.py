"""A web server without a network: requests go straight to the application, in this process.

`serve` starts the command itself.
"""

import asyncio
import re
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from typing import cast
from urllib.parse import urlencode

from phantomgo.app.web import bot_workers
from phantomgo.app.web.bot_workers import BotWorkers
from phantomgo.app.web.journal import Journal
from phantomgo.app.web.registry import ServerLimits, TableRegistry
from phantomgo.app.web.server import application
from phantomgo.app.web.session import SharedServices
from phantomgo.game.points import BLACK
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from tests.support.commands import started

ADDRESS = re.compile(r"/(?:table|qr)(?:/[\w.-]+)*(?:\?[\w=&-]+)?")
HOST = "localhost:8080"
ORIGIN = f"http://{HOST}"


def done(task, *arguments):
    """A future with the task's result, or the error that it raised."""
    future = Future()
    try:
        future.set_result(task(*arguments))
    except Exception as error:
        future.set_exception(error)
    return future


class Inline(BotWorkers):
    """BotWorkers who answer at once, in this process."""

    def __init__(self):
        super().__init__(0)

    def ask(self, task, *arguments, who="", since=0.0):  # noqa: ARG002
        return done(task, *arguments)

    def close(self):
        pass


class Busy(Inline):
    """BotWorkers who decline: most tests end games that nobody wants to have reviewed."""

    def ask(self, task, *arguments, who="", since=0.0):  # noqa: ARG002
        declined = Future()
        declined.cancel()
        return declined


class Here:
    """Runs what it is given at once: a thread of its own costs more than most tests' requests."""

    def submit(self, task, /, *arguments):
        return done(task, *arguments)

    def shutdown(self):
        pass


def get_advice_ready(size):
    """Compile what hints and beliefs need: a request would not wait for it on a slow machine."""
    view = View(Rules(size=size), BLACK)
    bot_workers.hint(view)


class Answer:
    """What came back, to the byte."""

    def __init__(self, messages):
        start, *rest = messages
        self.status = start["status"]
        self.headers = [(k.decode().lower(), v.decode()) for k, v in start["headers"]]
        self.body = b"".join(message.get("body", b"") for message in rest)

    @property
    def text(self):
        return self.body.decode()

    @property
    def bytes(self):
        return self.status, self.headers, self.body

    def header(self, name):
        return dict(self.headers).get(name)


class Socket:
    """An open page's socket, and every frame it was sent."""

    def __init__(self, site, path, **headers):
        self.frames, self.closed, self.accepted = [], None, False
        self._inbox = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        scope = site.scope("websocket", path + "/live", headers)
        self.task = asyncio.create_task(site.app(scope, self._inbox.get, self._send))

    async def _send(self, message):
        if message["type"] == "websocket.accept":
            self.accepted = True
        elif message["type"] == "websocket.close":
            self.closed = message["code"]
        else:
            self.frames.append(message["text"])

    def say(self, text):
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self):
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1001})


class Site:
    """A server with a clock that stands until it is moved, asked with a cookie."""

    cookie = ""

    def __init__(
        self,
        path=":memory:",
        *,
        limits=None,
        bots=None,
        reviewers=None,
        key=None,
        numbers=None,
        beat=0.0,
    ):
        self.time = 1000.0
        self.journal = Journal(path, now=lambda: self.time)
        weakref.finalize(self, self.journal._file.close)  # most tests leave it open
        if path == ":memory:":
            self.journal._thread = cast(ThreadPoolExecutor, Here())
        if key is not None:
            self.journal.key = key
        counted = iter(numbers or range(1, 10**6))
        bots = bots or Inline()
        services = SharedServices(
            self.journal, bots, reviewers or Busy(), beat, lambda: self.time, self.sleep
        )
        limits = limits or ServerLimits(requests=10**6, new_tables=10**6, share=10**6)
        self.registry = TableRegistry(services, limits, number=lambda: next(counted))
        self.app = application(self.registry, frozenset({"localhost"}))

    async def sleep(self, seconds):
        """Let time pass on this site's clock, after all that happens at this moment."""
        for _ in range(12):
            await asyncio.sleep(0)
        while any(session.unsettled for session in self.registry.sessions.values()):
            await asyncio.sleep(0)
        for _ in range(12):
            await asyncio.sleep(0)
        self.time += seconds

    def scope(self, kind, path, headers, method="GET"):
        path, _, query = path.partition("?")
        sent = {"host": HOST, "origin": ORIGIN, "cookie": self.cookie} | headers
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http" if kind == "http" else "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in sent.items()],
            "client": ("127.0.0.1", 5),
            "server": ("localhost", 8080),
            "subprotocols": [],
        }

    async def request(self, method, path, body=b"", **headers):
        messages = []
        inbox = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive():
            return inbox.pop(0) if inbox else {"type": "http.disconnect"}

        async def send(message):
            messages.append(message)

        named = {key.replace("_", "-"): value for key, value in headers.items()}
        await self.app(self.scope("http", path, named, method), receive, send)
        return Answer(messages)

    async def get(self, path, **headers):
        return await self.request("GET", path, **headers)

    async def crawl(self, *starts):
        """Every address that these pages lead to, directly or not, and what it answered."""
        found, waiting = {}, list(starts)
        while waiting:
            path = waiting.pop(0)
            if path not in found:
                script = {"x_part": "1"} if path.endswith("/part") else {}
                found[path] = await self.get(path, **script)
                waiting += addresses(found[path].body.decode("utf-8", "replace"))
        return found

    async def post(self, path, **fields):
        return await self.request("POST", path, urlencode(fields).encode())

    async def lay(self, **fields):
        """Lay a table; the path of whoever laid it."""
        answer = await self.post("/tables", **fields)
        assert answer.status == 303, answer.text
        return answer.header("location")

    async def invited(self, host, **fields):
        """Take the first seat that the page of the host invites to; its path."""
        found = re.search(r'href="(/table/\d+/invite-[^"]*)"', (await self.get(host)).text)
        assert found is not None
        return (await self.post(found[1], **fields)).header("location")

    async def do(self, base, what, **fields):
        """Do something, and say yes where the page asks."""
        answer = await self.press(base, what, **fields)
        asks = 'value="yes"' in (await self.get(base + "/part")).text
        return await self.press(base, "yes") if asks else answer

    async def press(self, base, what, **fields):
        """Do something as the script of the page does it, knowing what the page knows."""
        page = (await self.get(base + "/part")).text
        known = re.search(r'name="known" value="(\d+)"', page)
        fields |= {"do": what} | ({"known": known[1]} if known else {})
        body = urlencode(fields).encode()
        return await self.request("POST", base + "/do", body, x_part="1")

    async def attempt(self, base, point):
        return await self.do(base, "attempt", point=point)

    async def settle(self):
        """Until everything has happened that will happen by itself."""
        for _ in range(12):
            await asyncio.sleep(0)
        while any(
            session.unsettled or session._driver for session in self.registry.sessions.values()
        ):
            await asyncio.sleep(0.001)
        for _ in range(12):
            await asyncio.sleep(0)

    def session(self, base):
        return self.registry.session(int(base.split("/")[2]))


async def two(site, **fields):
    """A table of two persons; the paths of Black and White."""
    black = await site.lay(**{"opponent": "person", "size": "5", "name": "Ann"} | fields)
    return black, await site.invited(black, name="Bob")


def addresses(text):
    """The addresses of this server in a page or a frame, each once."""
    return list(dict.fromkeys(ADDRESS.findall(text)))


def heading(page):
    return re.search(r"<h1[^>]*>(.*?)</h1>", page)[1]


def said(page):
    found = re.search(r'class="news"[^>]*>(.*?)</p>', page)
    return found[1] if found else ""


def answered(page):
    found = re.search(r'class="answer"[^>]*>(.*?)</p>', page)
    return found[1] if found else ""


def buttons(page):
    """What may be done, by the names of the buttons."""
    return re.findall(r'<button name="do" value="([\w-]+)"', page)


def lefts(page):
    """What the clocks show, in seconds, and how many of them run."""
    found = re.findall(r'data-left="([\d.-]+)"', page)
    return [float(left) for left in found], page.count("data-running")


def known_of(page):
    """How much the client of a page knows, as its form sends it back."""
    return re.search(r'name="known" value="(\d+)"', page)[1]


def serve(port, data, errors=None):
    """Start the server's command; its process."""
    process = started("-m", "phantomgo", "web", "--port", port, "--data", data, stderr=errors)
    assert "Tables are at" in process.stdout.readline()  # it listens already
    return process


def end(process):
    """Kill a server."""
    process.kill()
    process.communicate()
