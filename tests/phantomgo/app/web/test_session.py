"""What people do at one table, by requests: bots, adjournments, questions, seats, rematches."""

import asyncio
import re
from concurrent.futures import Future
from typing import Any

import pytest

from phantomgo.app.web import bot_workers
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.points import BLACK, WHITE
from tests.support.web_tools import (
    Inline,
    Site,
    answered,
    buttons,
    get_advice_ready,
    heading,
    lefts,
    said,
    two,
)


async def test_a_bot_answers():
    get_advice_ready(5)
    site = Site()
    white = await site.lay(opponent="novice", colour="white", size="5")
    await site.settle()
    game = site.session(white).game
    assert game.to_move is WHITE
    assert game.name(BLACK) == "random"
    await site.do(white, "hint")
    assert answered((await site.get(white)).text).startswith("A strong bot would attempt ")
    await site.do(white, "belief")
    page = (await site.get(white)).text
    assert 'class="heat"' in page
    assert 'class="legend"' in page
    await site.do(white, "mark", point="A1")
    assert "A1: your guess" in (await site.get(white)).text
    await site.do(white, "clear")
    page = (await site.get(white)).text
    assert "your guess" not in page
    assert "adjourn" not in buttons(page)  # there is no clock to stop
    await site.do(white, "resign")
    file = await site.get(white + "/game.sgf")
    assert file.header("content-disposition").endswith("''novice%20bot-White-1970-01-01-game.sgf")
    assert ("PB[novice bot]" in file.text, "None" in file.text) == (True, False)


async def test_a_hint_where_a_stone_probably_is_advises_a_free_probe(monkeypatch):
    site = Site()
    black, _ = await two(site, helped="on")
    for share, words in ((0.4, ""), (0.5, " It costs nothing: a stone is probably there.")):
        monkeypatch.setattr(bot_workers, "hint", lambda _view, share=share: (0, share))
        await site.do(black, "hint")
        assert answered((await site.get(black)).text) == f"A strong bot would attempt A1.{words}"


class Failing(Inline):
    def __init__(self, *errors):
        super().__init__()
        self.errors = list(errors)

    def ask(self, task, *arguments, **fair):
        if self.errors:
            return super().ask(self._fail, self.errors.pop(0))
        return super().ask(task, *arguments, **fair)

    def _fail(self, error):
        raise error


async def test_a_bot_that_fails_can_be_asked_again_and_one_at_fault_loses():
    site = Site(bots=Failing(ZeroDivisionError("secret")))
    white = await site.lay(opponent="novice", colour="white", size="5")
    await site.settle()
    page = (await site.get(white)).text
    assert answered(page).startswith("The bot failed.")
    assert "secret" not in page
    await site.do(white, "ask")
    await site.settle()
    assert site.session(white).game.to_move is WHITE
    site = Site(bots=Failing(Fault(Ending.TIME, "ran out of time")))
    white = await site.lay(opponent="novice", colour="white", size="5", minutes="1")
    await site.settle()
    assert heading((await site.get(white)).text) == "You won on time."


async def test_nobody_moves_before_both_have_sat_down():
    site = Site()
    white = await site.lay(opponent="person", colour="white", size="5", name="Ann")
    page = (await site.get(white)).text
    assert heading(page) == "Waiting for Black to sit down"
    assert buttons(page) == ["cancel"]
    assert "board n5" not in page
    black = await site.lay(opponent="person", size="5", name="Ann")
    await site.attempt(black, "C3")
    page = (await site.get(black)).text
    assert answered(page) == "It is not your turn."
    assert "Your turn" not in page
    bob = await site.invited(black, name="Bob")
    page = (await site.get(black)).text
    assert (heading(page), said(page)) == ("Your turn", "Bob has sat down.")
    assert answered(page) == ""  # an answer is about the position that it was given in
    assert "sat down" not in (await site.get(bob)).text  # Ann was there already
    assert 'data-sound="joined"' in page
    await site.attempt(black, "C3")
    assert "sat down" not in (await site.get(black)).text


async def test_where_one_client_fails_the_others_are_told_once(monkeypatch):
    site, told = Site(), []
    black, white = await two(site)
    for path in (black, white):
        await site.get(path)
    clients = site.session(black).clients
    monkeypatch.setattr(clients["white"], "state_at", lambda: 1 // 0)
    monkeypatch.setattr(clients["black"], "wake", lambda: told.append(clients["black"].state))
    site.session(black).table.attempt(12)
    await site.settle()
    [state] = told
    assert state.heading == "Bob is to move"
    assert state.answer.startswith("Something went wrong")


async def test_a_table_that_nobody_joined_is_cancelled():
    site = Site()
    black = await site.lay(opponent="person", size="5")
    invitation = re.search(r'href="(/table/\d+/invite-[^"]*)"', (await site.get(black)).text)[1]
    await site.do(black, "cancel")
    page = (await site.get(black)).text
    assert heading(page) == "There is no result."
    assert said(page) == "The table was cancelled before anybody joined (Void)."
    assert buttons(page) == []
    for answer in (await site.get(invitation), await site.post(invitation)):
        assert (answer.status, heading(answer.text)) == (410, "This invitation is void.")
    black, _ = await two(site)
    await site.do(black, "cancel")
    assert answered((await site.get(black)).text) == "That is not possible now."


def offered(page):
    """What is asked of whom, and which answers there are."""
    found = re.search(r'class="offer"[^>]*>(.*?)</p>', page)
    answers = {"adjourn", "resume", "accept", "decline", "withdraw"}
    return found[1], [name for name in buttons(page) if name in answers]


async def test_adjourning_is_an_offer_that_survives_a_kill(tmp_path):
    site = Site(tmp_path / "tables.db")
    black, white = await two(site, minutes="1")
    await site.attempt(black, "C3")

    async def states():
        return [offered((await site.get(path)).text) for path in (black, white)]

    asked = [
        ("You have asked Bob to adjourn the game.", ["withdraw"]),
        ("Ann asks you to adjourn the game.", ["accept", "decline"]),
    ]
    await site.do(black, "accept")  # nothing is asked yet
    assert await states() == [("", ["adjourn"])] * 2
    await site.do(black, "adjourn")
    await site.do(black, "adjourn")
    await site.do(black, "accept")  # nobody agrees with themselves
    assert await states() == asked
    site.time += 5
    assert lefts((await site.get(black)).text) == ([60, 55], 1)
    await site.do(white, "decline")
    assert await states() == [("", ["adjourn"])] * 2
    assert answered((await site.get(black)).text) == "Bob has declined."
    await site.do(black, "adjourn")
    await site.attempt(white, "C3")  # a refusal changes nothing about it
    assert await states() == asked
    await site.do(black, "withdraw")
    assert await states() == [("", ["adjourn"])] * 2
    assert answered((await site.get(black)).text) == ""
    await site.do(black, "adjourn")
    for answer, adjourned in (("accept", True), ("resume", True), ("accept", False)):
        site.journal.close()  # as if it had been killed
        site = Site(tmp_path / "tables.db")
        await site.do(white if answer != "accept" or adjourned else black, answer)
        assert site.session(black).adjourned is adjourned
        assert lefts((await site.get(black)).text)[1] == (not adjourned)
    assert await states() == [("", ["adjourn"])] * 2
    site.journal.close()


async def test_a_pass_that_ends_the_game_is_confirmed():
    site = Site()
    black, white = await two(site)
    game = site.session(black).game
    await site.press(black, "pass")  # the first pass ends nothing
    assert len(game.steps) == 1
    for _ in range(3):  # also if the button is pressed again
        await site.press(white, "pass")
        page = (await site.get(white)).text
        assert answered(page) == "Your opponent has passed. Pass too, and end the game?"
        assert buttons(page) == ["no", "yes"]
        assert "end the game" not in (await site.get(black)).text
    await site.press(white, "no")
    page = (await site.get(white)).text
    assert (answered(page), "yes" in buttons(page)) == ("", False)
    await site.press(white, "yes")  # nothing is asked any more
    assert len(game.steps) == 1
    await site.press(white, "pass")
    await site.attempt(white, "C3")  # drops the question
    await site.press(black, "pass")
    await site.press(white, "pass")
    assert game.outcome is None
    await site.press(white, "yes")
    assert game.outcome is not None


async def test_a_curtain_between_two_people_at_one_device():
    site = Site()
    both = await site.lay(opponent="here", size="5")
    await site.attempt(both, "C3")
    assert heading((await site.get(both)).text) == "Your turn is over"
    for _ in range(2):  # sent twice it is done once
        await site.post(both + "/do", do="seats", known="1")
    page = (await site.get(both)).text
    assert heading(page) == "White, take your seat"
    # A seat's own link is random letters, which may well spell C3.
    assert "C3" not in re.sub(r"/table/[^\"]*", "", page)
    await site.do(both, "seats")
    page = (await site.get(both)).text
    assert heading(page) == "White: your turn"
    assert "C3: empty" in page
    await site.do(both, "resign")
    assert heading((await site.get(both)).text) == "Black wins by resignation."


async def test_a_referee_enters_attempts_takes_them_back_and_frees_a_seat():
    site = Site()
    referee = await site.lay(opponent="referee", size="5")
    page = (await site.get(referee)).text
    assert page.count("/invite-") >= 2
    await site.attempt(referee, "C3")
    await site.attempt(referee, "C3")
    page = (await site.get(referee)).text
    assert said(page) == "To White: White's move C3 is refused."
    assert "White: C3 is refused (occupied)" in page
    await site.do(referee, "undo")
    await site.do(referee, "undo")
    assert site.session(referee).game.steps == []
    events = site.journal.events(1)
    assert [next(iter(event)) for event in events] == ["attempt", "attempt", "undo", "undo"]
    white = await site.invited(referee, name="Bob")  # the first invitation is Black's
    assert "/black/" in white
    await site.do(referee, "free-black")
    assert (await site.get(white)).status == 404
    await site.do(referee, "abandon")
    assert heading((await site.get(referee)).text) == "There is no result."


async def test_a_rematch_changes_colours_and_keeps_the_players():
    site = Site()
    black, white = await two(site)
    await site.do(black, "resign")
    await site.do(white, "rematch")
    again = await site.do(black, "rematch")  # asked for twice is one
    nexts = [
        re.search(r'class="next"><a href="([^"]*)"', (await site.get(path)).text)[1]
        for path in (black, white)
    ]
    assert ["/white/" in nexts[0], "/black/" in nexts[1]] == [True, True]
    assert again.header("location") == nexts[0]  # who presses sits down
    watching = site.session(black).link("watch")  # of everybody, players of the rematch too
    assert (await site.post(watching + "/do", do="rematch")).header("location") == watching
    assert heading((await site.get(nexts[1])).text) == "Your turn"
    assert not any(["sat down" in (await site.get(path)).text for path in nexts])
    for path, words in (
        (black, "You lost by resignation."),
        (white, "You won by resignation."),
    ):
        page = (await site.get(path)).text  # the address of a game stays that of this game
        assert (heading(page), f'data-base="{path}"' in page) == (words, True)
        assert "/table/1/" in path
        assert 'class="points"' not in page
    assert "Ann is to move" not in (await site.get(nexts[0])).text
    assert "Bob is to move" in (await site.get(nexts[0])).text
    assert site.journal.terms(2) is not None
    assert site.journal.terms(3) is None


async def test_advice_on_an_earlier_position_is_not_shown():
    asked: list[Future[Any]] = []

    class Later(Inline):
        def ask(self, task, *arguments, who="", since=0.0):  # noqa: ARG002
            asked.append(Future())
            return asked[-1]

    site = Site(bots=Later())
    black, white = await two(site, helped="on")
    waits = asyncio.create_task(site.press(black, "belief"))
    while not asked:
        await asyncio.sleep(0)
    await site.attempt(black, "C3")
    await site.attempt(white, "D3")
    asked[0].set_result({0: 1.0})
    await waits
    assert site.session(black).client("black").heat == {}


@pytest.mark.parametrize("what", ["undo", "free-white"])
async def test_irreversible_actions_are_confirmed(what):
    site = Site()
    referee = await site.lay(opponent="referee", size="5")
    for _ in range(2):
        await site.invited(referee)
    await site.attempt(referee, "C3")
    await site.settle()
    events = site.journal.events(1)
    for word in (what, what, "no", "yes", what, "mark", "yes", what):
        await site.press(referee, word)
        assert site.journal.events(1) == events
    assert "?" in answered((await site.get(referee)).text)
    await site.press(referee, "yes")
    await site.settle()
    assert site.journal.events(1) != events


@pytest.mark.parametrize(
    ("watching", "boards"),
    [
        ("nothing", []),
        ("black", ["C3"]),
        ("white", ["no stones"]),
        ("all", ["C3", "C3", "no stones"]),  # the full board and both views
    ],
)
async def test_spectators_see_the_boards_that_the_table_allows(watching, boards):
    site = Site()
    black, _ = await two(site, watching=watching)
    await site.attempt(black, "C3")
    page = (await site.get(site.session(black).link("watch"))).text
    assert re.findall(r'class="unseen">Black: (.*?)\.', page) == boards
