"""Identities: always complete, whatever the machine; and every door looks at them."""

import logging
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

import bots
import phantomgo as pg
from phantomgo.app.cli import main
from phantomgo.errors import BadBook, BadNet
from phantomgo.fields import Fields
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.identity import Identity
from phantomgo.lab.players import identity
from phantomgo.lab.run.store import KIND
from phantomgo.portfolio.book import dumps, read_book
from tests.support.places import ROOT

RULES = Rules(size=5, komi=2.5)
GAME = Game(RULES)
OWN = "flatmc:playouts=6000"


@pytest.fixture
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setattr(identity, "cache_folder", lambda: tmp_path)
    return tmp_path / "identities"


def test_a_slow_machine_makes_the_same_identity_and_says_what_takes_so_long(
    empty_cache, monkeypatch, caplog
):
    known = identity.identify("random", GAME)
    assert len(known.games) == 13
    for file in empty_cache.iterdir():
        file.unlink()
    clock = count(step=1000.0)
    monkeypatch.setattr(identity, "process_time", lambda: next(clock))
    with caplog.at_level(logging.WARNING):
        assert identity.identify("random", GAME) == known
    (said,) = caplog.messages
    assert said.startswith("random plays 144 games against itself")


def test_a_file_of_the_cache_that_is_cut_short_is_not_an_identity(empty_cache):
    known = identity.identify("random", GAME)
    (file,) = empty_cache.iterdir()
    file.write_text(" ".join(known.games[:3]) + "\n")
    assert identity.identify("random", GAME) == known


@pytest.mark.usefixtures("empty_cache")
def test_the_sources_are_those_of_players_and_referees(monkeypatch):
    """No player may import the app, so a changed page keeps all identities."""
    seen = []
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: seen.append(path) or read(path))
    assert identity.sources.__wrapped__() == identity.sources()
    names = {path.relative_to(ROOT).as_posix() for path in seen if path.is_relative_to(ROOT)}
    assert {
        "bots/flatmc.py",
        "phantomgo/game/referee.py",
        "phantomgo/lab/seeds/contest.py",
    } <= names
    assert not any(name.startswith("phantomgo/app/") for name in names)


def test_a_bot_that_thinks_longer_is_known_by_a_game_at_its_own_budget():
    default, longer = (identity.identify(spec, GAME) for spec in ("flatmc", OWN))
    assert default.own is None  # the opening is played with more than its 1000 playouts
    assert longer.own is not None
    assert Identity.read(Fields(longer.as_dict(), KIND, "")) == longer
    assert identity.identify(OWN, GAME) == longer  # from the cache
    changed = longer.difference(replace(longer, own="00000000"))
    assert changed == f"a game at its own budget is 00000000, was {longer.own}"
    older = replace(longer, own=None)
    assert older.difference(longer) is None  # an older record does not say


def learned_otherwise(folder) -> str:
    """A book that was learned with a bot whose games went another way late in the game."""
    book = read_book("ucb5")
    games = (*book.setup.black.games[:-1], "00000000")
    setup = replace(book.setup, black=replace(book.setup.black, games=games))
    path = folder / "changed.json"
    path.write_text(dumps(replace(book, name="changed", setup=setup)))
    return f"book:{path}"


def test_a_book_whose_bot_plays_other_games_is_refused(tmp_path, capsys):
    """At every other door, too: tests/phantomgo/test_doors.py."""
    spec = learned_otherwise(tmp_path)
    said = "Black's bot flatmc:playouts=200 has changed since it was learned: shell 12 of its games"
    with pytest.raises(BadBook, match=said):
        pg.play_match(spec, "random", games=2, size=5, komi=2.5)
    assert main(["book", "check", spec.removeprefix("book:")]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "bot",
    ["phantom:net={}", "phantom:net=stones1,judge={}"],
)
def test_a_book_opens_no_file(bot, tmp_path, capsys):
    secret = tmp_path / "secret"
    secret.write_text("not a net")
    book = read_book("ucb5")
    named = replace(book.setup.black, name=bot.format(secret))
    lines = tuple((step._replace(bot=named.name),) for (step,) in book.black.lines)
    book = replace(book, name="stranger", black=replace(book.black, lines=lines))
    path = tmp_path / "stranger.json"
    path.write_text(dumps(replace(book, setup=replace(book.setup, black=named))))
    with pytest.raises(BadBook, match="names a file, which is read only where you say so"):
        bots.make(f"book:{path}", GAME, 0)
    assert main(["book", "check", str(path)]) == 1
    assert "names a file" in capsys.readouterr().err
    with pytest.raises(BadNet):
        bots.make(bot.format(secret), GAME, 0)  # who types it may
