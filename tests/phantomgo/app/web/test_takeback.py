"""One takeback a game, against bots only; the record tells of it."""

import pytest

from phantomgo.game.messages import Accepted, Refused
from phantomgo.game.points import BLACK
from phantomgo.game.recording import verify
from phantomgo.records.record_json import read_record
from tests.support.web_tools import Inline, Site, answered, buttons, heading


class Replies(Inline):
    """A bot that attempts these points, and is right to say the same to the same view."""

    def __init__(self, *moves):
        super().__init__()
        self.moves = moves

    def ask(self, task, *arguments, **fair):  # noqa: ARG002
        _, _, view, *_ = arguments
        tried = sum(isinstance(event, Accepted | Refused) for event in view.events)
        return super().ask(lambda: (self.moves[tried], 0.5))


async def test_against_a_bot_a_move_is_taken_back_once_and_the_record_says_so(tmp_path):
    replies = Replies(12, 18, 19, 6)  # C3 is refused, then D4, E4, B2
    site = Site(tmp_path / "tables.db", bots=replies)
    black = await site.lay(opponent="novice", size="5", minutes="1")
    game = site.session(black).game
    assert "takeback" not in buttons((await site.get(black)).text)  # nothing is there yet
    await site.press(black, "takeback")
    assert answered((await site.get(black)).text) == "That is not possible now."
    await site.attempt(black, "C3")
    await site.settle()
    before = site.session(black).game.record()
    await site.attempt(black, "D4")  # refused
    await site.attempt(black, "A1")
    await site.settle()
    await site.do(black, "mark", point="E5")
    await site.attempt(black, "E4")  # refused
    assert [step.reason is None for step in game.steps] == [
        *(True, False, True),
        *(False, True, True, False),
    ]
    await site.press(black, "takeback")
    page = (await site.get(black)).text
    assert "the record will say that" in answered(page)
    assert buttons(page) == ["no", "yes"]
    await site.press(black, "yes")
    game = site.session(black).game
    assert game.steps == [*before.steps, game.steps[3]]  # D4 was tried before that move
    assert site.session(black).marks[BLACK] == 1 << 24
    page = (await site.get(black)).text
    assert "played with a takeback" in page
    assert heading(page) == "Your turn"
    assert "takeback" not in buttons(page)
    await site.do(black, "takeback")
    assert site.session(black).game is game
    site.journal.close()  # as if it had been killed
    site = Site(tmp_path / "tables.db", bots=replies, numbers=range(2, 9))
    assert site.registry.session(1).game.record() == game.record()
    await site.do(black, "takeback")
    await site.attempt(black, "A2")
    await site.settle()  # the bot answers another move as it is told of it
    assert len(site.session(black).game.steps) == 6
    await site.do(black, "resign")
    assert "played with a takeback" in (await site.get(site.session(black).link("watch"))).text
    record = read_record((await site.get(black + "/game.json")).text)
    verify(record)
    assert record.takebacks == 1
    await site.do(black, "rematch")
    assert site.registry.session(site.session(black).rematch).game.start.takebacks == 0
    site.journal.close()


@pytest.mark.parametrize("opponent", ["person", "here", "referee"])
async def test_no_takeback_against_a_person(opponent):
    site = Site()
    host = await site.lay(opponent=opponent, size="5")
    paths = [host] if opponent == "here" else [host, await site.invited(host)]
    for path in paths:
        await site.attempt(path, "C3")
        await site.do(path, "seats")
        await site.do(path, "seats")
        await site.attempt(path, "D4")
        before = list(site.session(path).game.steps)
        assert "takeback" not in buttons((await site.get(path)).text)
        await site.do(path, "takeback")
        assert site.session(path).game.steps == before
