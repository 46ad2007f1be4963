"""Tests that are coroutines, and fixtures of those in a real browser."""

import asyncio
import inspect

import pytest

from phantomgo.app.table import chances
from tests.support.browsing import CHROMIUM, DRAWING, FLAGS, Serving
from tests.support.waiting import PATIENCE
from tests.support.web_tools import get_advice_ready


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """A coroutine function runs in an event loop of its own."""
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        names = pyfuncitem._fixtureinfo.argnames
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
        return True
    return None


@pytest.fixture(scope="module")
def server():
    for size in (5, 9) if DRAWING else (5,):
        get_advice_ready(size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chances, "GAMES", 0)  # reviews are worked out where pages are served
        serving = Serving()
        yield serving
        serving.stop()


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser):
    """Open an address as another person: with a browser of their own."""
    contexts, faults = [], []

    def open_page(address, **options):
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
        page.goto(address)
        contexts.append(context)
        return page

    yield open_page
    for context in contexts:
        context.close()
    killed = ("ERR_CONNECTION", "ERR_INTERNET", "ERR_CONTENT_LENGTH", "ERR_EMPTY", "404")
    assert [fault for fault in faults if not any(word in fault for word in killed)] == []
