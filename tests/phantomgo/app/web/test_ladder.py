"""Ratings from finished games, handicaps from ratings, and the lobby that shows both."""

import re
from typing import Any

import pytest

from phantomgo.app.table.players import HUMAN
from phantomgo.app.web.evening import Evening
from phantomgo.app.web.ladder import DAY, RUNGS, STONE, Ladder, of_stone
from phantomgo.app.web.terms import Terms
from phantomgo.match.glicko import Rating
from tests.support.web_tools import Site, Socket


async def play(site, winner, rated=True, names=("Ann", "Bob"), **fields):
    """A game between two people that one of them resigns."""
    black = await site.lay(
        opponent="person", name=names[0], size="5", **({"rated": "on"} if rated else {}), **fields
    )
    white = await site.invited(black, name=names[1])
    await site.attempt(black, "C3")
    if winner == "w":
        await site.attempt(white, "D4")
    await site.do(black if winner == "w" else white, "resign")
    await site.settle()


def ratings(journal):
    """Everybody's rating, by a ladder of its own: what is known is in the journal."""
    ladder = Ladder(journal)
    ladder.look()
    return {one.name: one for one in ladder.standings() if one.games}


async def test_ratings_follow_rated_games_and_are_the_same_after_a_restart(tmp_path):
    path = tmp_path / "tables.db"
    site = Site(path)
    await play(site, "b")
    await play(site, "b", names=("ANN", "Bob"))
    await play(site, "w", rated=False)
    await play(site, "w", unlisted="on")
    await play(site, "w", names=("", "Bob"))
    await play(site, "w", names=("Bob", "bob"))
    site.time += 3 * DAY
    await play(site, "w")
    site.hall.ladder.look()
    live = {one.name: one for one in site.hall.ladder.standings() if one.games}
    assert live.keys() == {"Ann", "Bob"}
    assert live["Ann"].games == live["Bob"].games == 3
    assert live["Ann"].rating.value > live["Bob"].rating.value
    assert ratings(site.journal) == live
    site.journal.close()
    again = Site(path)
    again.time = site.time
    assert ratings(again.journal) == live
    again.journal.close()


async def test_a_rating_becomes_less_certain_with_each_day():
    site = Site()
    site.time += DAY
    await play(site, "b")
    rating = ratings(site.journal)["Ann"].rating
    for _ in range(3):
        site.time += DAY
        rating = rating.after([])
        assert ratings(site.journal)["Ann"].rating == rating


async def test_games_of_a_day_are_one_period():
    site = Site()
    for winner in "bbw":
        await play(site, winner)
    expected = Rating().after([(Rating(), 1.0), (Rating(), 1.0), (Rating(), 0.0)])
    assert ratings(site.journal)["Ann"].rating == pytest.approx(expected)


async def test_levels_are_rungs_and_a_handicap_counts():
    site = Site()
    for handicap in ("0", "2"):
        table = await site.lay(
            opponent="novice", name=f"Ann{handicap}", size="9", rated="on", handicap=handicap
        )
        await site.settle()
        await site.do(table, "resign")
        await site.settle()
    novice = RUNGS["random"]
    lost = ratings(site.journal)
    assert lost["Ann0"].rating == pytest.approx(Rating().after([(novice, 0.0)]))
    weaker = novice._replace(value=novice.value - 2 * STONE)
    assert lost["Ann2"].rating == pytest.approx(Rating().after([(weaker, 0.0)]))


async def test_the_weaker_player_takes_black_and_stones():
    ladder = Site().hall.ladder
    terms = Terms(size=9, black=HUMAN, black_name="Ann", white="random", white_name="novice bot")
    even, role = ladder.even(terms, "black")
    assert (role, even.black, even.white_name) == ("white", "random", "Ann")
    stones = round((1500 - RUNGS["random"].value) / STONE)
    assert (even.handicap, even.komi) == (min(stones, 9), 0.5)
    same, role = ladder.even(Terms(black_name="Ann", white_name="Bob"), "white")
    assert (role, same.handicap, same.komi) == ("white", 0, 7.5)
    assert of_stone(19) == pytest.approx(STONE * 81 / 361)


async def test_an_even_table_against_a_bot_is_laid_with_the_handicap():
    site = Site()
    table = await site.lay(opponent="medium", name="Ann", colour="white", size="9", even="on")
    assert "/black/" in table
    terms = site.room(table).terms
    assert terms.handicap == round((RUNGS["flatmc:playouts=1000"].value - 1500) / STONE)


async def test_an_evening_with_handicaps():
    site = Site()
    await play(site, "w", names=("Ann", "Bob"))
    for _ in range(3):
        await play(site, "b", names=("Bob", "Ann"))
    fields = {"size": "9", "pairing": "swiss", "even": "on", "rated": "on"}
    host = (await site.post("/evenings", **fields)).header("location")
    page = (await site.get(host)).text
    join = re.search(r'href="(/evening/\d+/join/[^"]*)"', page)[1]
    for name in ("Bob", "Ann"):
        await site.post(join + "/do", do="join", name=name)
    await site.post(host + "/do", do="start", known="0")
    app: Any = site.app
    server = next(r for r in app._app.routes if r.path == "/evenings").endpoint.__self__
    _, _, number, role, token = host.split("/")
    evening: Evening = await server._club.enter(int(number), role, token)
    [game] = evening.games
    assert [evening.players[n].name for n in (game.black, game.white)] == ["Ann", "Bob"]
    terms = site.journal.terms(game.table)
    assert terms.handicap >= 2
    assert (terms.komi, terms.black_name) == (0.5, "Ann")
    assert terms.black_home == evening.link(f"player-{game.black}")


async def test_the_lobby_offers_a_seat_as_long_as_somebody_waits_there():
    site = Site()
    secret = await site.lay(opponent="person", name="Cat", size="5")
    table = await site.lay(opponent="person", name="Ann", size="5", open="on", watching="all")
    screens = [Socket(site, path) for path in (secret, table)]
    await site.settle()
    page = (await site.get("/lobby")).text
    assert "Ann: 5x5" in page
    assert "Cat" not in page
    [invitation] = re.findall(r'href="(/table/[^"]*)"', page)
    screens[1].leave()
    await site.settle()
    assert "Ann" not in (await site.get("/lobby")).text
    bob = (await site.post(invitation, name="Bob")).header("location")
    await site.attempt(table, "C3")
    page = (await site.get("/lobby")).text
    assert "● Ann - ○ Bob: 5x5" in page
    assert "/table/" not in page, "spectators see what players may not"
    await site.do(bob, "resign")
    await site.settle()
    assert "Bob" not in (await site.get("/lobby")).text
    screens[0].leave()


async def test_a_rematch_of_players_without_names_has_none():
    site = Site()
    black = await site.lay(opponent="person", size="5", rated="on")
    white = await site.invited(black, name="Bob")
    await site.do(black, "resign")
    await site.do(black, "rematch")
    await site.settle()
    terms = site.journal.terms(site.room(white).rematch)
    assert (terms.black_name, terms.white_name) == ("Bob", "")
