"""Each purpose has random numbers of its own."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from phantomgo import rng
from phantomgo.game.points import BLACK, WHITE, Colour
from phantomgo.portfolio.book import read_book
from phantomgo.rng import GAMMA, Purpose, Stream, decision_key, mix, purpose_key

MASK = (1 << 64) - 1


def numbers(key: int, count: int = 32) -> set[int]:
    """The key of a stream and the first numbers that are drawn by it, all 64 bits of them."""
    return {key, *(mix((key + i * GAMMA) & MASK) for i in range(1, count + 1))}


@given(
    seed=st.one_of(st.integers(0, 300), st.integers(0, rng.MAX_SEED)),
    turn=st.integers(0, 400),
    refusals=st.integers(0, 362),
)
def test_no_two_purposes_share_a_number(seed, turn, refusals):
    """For a seed: both colours' first decisions and another one, and all else drawn in a game."""
    streams: dict[object, int] = {
        **{("attempt", c, *at): decision_key(seed, c, *at)
           for c in Colour for at in {(0, 0), (0, 1), (turn, refusals)}},
        **{(purpose, c): purpose_key(purpose, seed, c) for purpose in Purpose for c in Colour},
        **{(purpose, c, turn): purpose_key(purpose, seed, c, turn, refusals)
           for purpose in (Purpose.BELIEF, Purpose.REVIEW) for c in Colour},
        "start": mix(seed),
        # A number of a match is a seed: what is drawn comes from the keys of that.
        "match": decision_key(rng.game_seed(seed, turn, 0, 1), BLACK, 0, 0),
    }  # fmt: skip
    drawn = [number for key in streams.values() for number in numbers(key)]
    assert len(set(drawn)) == len(drawn)


def test_purposes_are_no_colours():
    """A seed's branches for attempts are the numbers of the colours."""
    assert {*Purpose} & {*map(int, Colour)} == set()


def test_the_draw_of_a_line_does_not_decide_its_first_move():
    """In the games in which a book draws one line, the first number of the game's bot is anything.

    When one stream drew both, that number was in the line's own part of the range.
    """
    book = read_book("mixed5")
    for colour in (BLACK, WHITE):
        lines = book.side(colour)
        line = lines.lines[max(range(len(lines.lines)), key=lines.probabilities.__getitem__)]
        games = (seed for seed in range(100_000) if book.line(seed, colour) == line)
        tenths = [0] * 10
        for seed in islice(games, 2000):
            tenths[Stream(decision_key(seed, colour, 0, 0)).below(10)] += 1
        chi_square = sum((count - 200) ** 2 / 200 for count in tenths)
        assert chi_square < 33.7  # of nine degrees of freedom; 1 of 10,000 is above
