"""What is learned, before any game is played."""

import pytest

from phantomgo.errors import BadText
from phantomgo.lab.api import learning
from phantomgo.lab.api.learning import learn, learn_moves
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.workers import Run
from tests.support.phantom_books import looked_for_anew


class Notes(Progress):
    def __init__(self):
        self.said = []

    def note(self, text):
        self.said.append(text)


@pytest.fixture
def learned(monkeypatch):
    """Whose seeds are learned on 5x5, where a book for `phantom` is shipped."""

    def stop(black, white, *_):
        raise BadText(f"{black} and {white}")

    monkeypatch.setattr(learning, "make_setup", stop)

    def ask(verb, bot, **more):
        notes = Notes()
        with pytest.raises(BadText) as caught:
            verb(bot, size=5, komi=2.5, run=Run(progress=notes), **more)
        return str(caught.value), notes.said

    with looked_for_anew():  # that book is not really checked
        yield ask


def test_phantom_learns_without_its_own_book(learned):
    spec = "phantom:playouts=5000"
    bare = f"{spec},book=none"
    note = f"{spec} would use an opening book; learning seeds of {bare}"
    assert learned(learn, spec) == (f"{bare} and {bare}", [note])
    assert learned(learn, spec, white_bot="random") == (f"{bare} and random", [note])
    assert learned(learn_moves, spec) == (f"{bare} and {bare}", [note])


@pytest.mark.parametrize(
    ("bot", "handicap"),
    [
        ("phantom:net=stones1", ()),
        ("phantom:book=none", ()),
        ("flatmc", ()),
        ("phantom:playouts=5000", ["2"]),
    ],
)
def test_bots_that_open_from_no_book_learn_as_they_are(bot, handicap, learned):
    assert learned(learn, bot, handicap=handicap) == (f"{bot} and {bot}", [])
