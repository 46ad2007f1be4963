"""Engines as opponents at tables of the web: named by the server alone, bounded, ended."""

import asyncio
import re

import pytest

from bots.naming import LEVELS
from gtp.clock import Limit
from gtp.player import Patience
from phantomgo.app.web.engines import EnginePool
from phantomgo.app.web.serving import opponent
from phantomgo.app.web.terms import ENGINE
from phantomgo.errors import PhantomGoError
from phantomgo.lab.players import Program, program
from phantomgo.record import verify
from phantomgo.record_json import read_record
from tests.support.engines import argv, processes
from tests.support.waiting import until
from tests.support.web_tools import Site, answered, heading

PATIENT = Patience(start=60, message=60, move=60, overrun=0.1)


class Place:
    """A server with one engine, which is called Gus."""

    def __init__(self, *kind, command=None, path=":memory:", patience=PATIENT):
        self.site, self.command = Site(path), command or argv(*kind)
        self.engine = EnginePool("Gus", Program(self.command, {}, None), 1, patience)
        self.site.registry.services.engines = {"Gus": self.engine}
        self.site.registry.levels = {**LEVELS, "Gus": ENGINE + "Gus"}

    async def lay(self, **fields):
        base = await self.site.lay(**{"opponent": "Gus", "size": "5"} | fields)
        await self.site.settle()
        return base

    async def text(self, base):
        return (await self.site.get(base)).text

    def running(self):
        """The processes of the engine."""
        return [line for _, line in processes() if " ".join(self.command) in line]

    def close(self):
        self.engine.close()
        self.site.journal.close()


def run(test, *kind, **options):
    """Run a test at a place, and see that no process of it is left."""
    place = Place(*kind, **options)
    try:
        asyncio.run(test(place))
    finally:
        place.close()
    until(lambda: not place.running(), "the end of the engine")


@pytest.mark.parametrize("kind", [("fine",), ("phantom", "fine")], ids=["plain", "phantom"])
def test_a_game_against_an_engine(kind):
    async def test(place):
        assert '<option value="Gus">Gus</option>' in await place.text("/")
        white = await place.lay(colour="white")
        assert "<strong>Gus</strong>" in await place.text(white)
        for point in ("A1", "E5"):
            await place.site.attempt(white, point)
            await place.site.settle()
        game = place.site.session(white).game
        assert [step.reason is None for step in game.steps] == [True, False, True, True]
        await place.site.do(white, "resign")
        await place.site.settle()
        record = read_record((await place.site.get(white + "/game.json")).text)
        verify(record)
        assert record.black.name == "Gus"

    run(test, *kind)


def test_two_tables_share_a_process():
    """Each is played as if the engine knew no other: its points in order, from A1 on."""

    async def test(place):
        tables = [await place.lay(colour="white") for _ in range(2)]
        for point in ("E5", "E4", "E3"):
            for base in tables:
                await place.site.attempt(base, point)
                await place.site.settle()
        for base in tables:
            stood = [step for step in place.site.session(base).game.steps if step.reason is None]
            assert [step.move for step in stood[::2]] == [0, 1, 2, 3]
        assert len(place.running()) == 1

    run(test, "phantom", "fine")


@pytest.mark.parametrize(
    ("kind", "seconds", "words"),
    [("dies", 60, "ended with exit code 3"), ("silent at move", 1, "did not answer in 1 s")],
)
def test_an_engine_that_fails_in_its_third_move_has_lost(kind, seconds, words):
    async def test(place):
        white = await place.lay(colour="white")
        for point in ("E5", "E4"):
            await place.site.attempt(white, point)
            await place.site.settle()
        page = await place.text(white)
        assert heading(page).startswith("You won")
        outcome = place.site.session(white).game.outcome
        assert words in outcome.sentence

    run(test, "phantom", kind, patience=PATIENT._replace(move=seconds))


def test_an_engine_that_overruns_its_clock_has_lost_on_time():
    async def test(place):
        white = await place.lay(colour="white", minutes="1")
        game = place.site.session(white).game
        game.limit = Limit(1)
        for point in ("E5", "E4"):
            await place.site.attempt(white, point)
            await place.site.settle()
        assert heading(await place.text(white)) == "You won on time."

    run(test, "phantom", "silent at move")


def test_an_engine_that_cannot_be_started_can_be_asked_again(tmp_path):
    program = tmp_path / "engine"

    async def test(place):
        white = await place.lay(colour="white")
        page = await place.text(white)
        assert answered(page).startswith("The bot failed.")
        assert str(program) not in page
        program.write_text(f"#!/bin/sh\nexec {' '.join(argv('fine'))}\n")
        program.chmod(0o700)
        await place.site.do(white, "ask")
        await place.site.settle()
        assert heading(await place.text(white)) == "Your turn"

    run(test, command=[str(program)])


def test_a_command_is_told_to_nobody_and_taken_from_nobody(tmp_path):
    async def test(place):
        black = await place.lay(colour="black")
        await place.site.do(black, "resign")
        await place.site.settle()
        for path in ("/", black, black + "/game.json", black + "/game.sgf", "/games"):
            assert "bad.py" not in await place.text(path)
        for name in ("gtp:rm", "engine:Gus", "engine:rm"):
            answer = await place.site.post("/tables", opponent=name)
            assert answer.status == 400

    run(test, "fine", path=tmp_path / "tables.db")
    assert b"bad.py" not in (tmp_path / "tables.db").read_bytes()


def test_an_engine_is_tried_at_the_start():
    name, spec = opponent("Gus=gtp:/no/such --mode gtp")
    assert (name, spec) == ("Gus", "gtp:/no/such --mode gtp")
    with pytest.raises(PhantomGoError, match=re.escape("/no/such --mode gtp: cannot be started")):
        EnginePool("Gus", program(spec)).check()
    engine = EnginePool("Gus", Program(argv("fine"), {}, None))
    engine.check()
    engine.close()
