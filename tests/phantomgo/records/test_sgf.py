"""The SGF reader, against sgfmill as an independent writer and reader."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as mill

from phantomgo.errors import BadText
from phantomgo.game.points import BLACK, PASS, WHITE, Colour, members
from phantomgo.records import sgf
from tests.support.strategies import seeds

LETTER = {BLACK: "b", WHITE: "w"}


def games(size):
    points = st.integers(0, size * size - 1)
    return st.fixed_dictionaries(
        {
            "size": st.just(size),
            "komi": st.none() | st.integers(-20, 20).map(lambda half: half / 2),
            "setup": st.dictionaries(points, st.sampled_from(Colour), max_size=8),
            "to_move": st.none() | st.sampled_from(Colour),
            "moves": st.lists(st.tuples(st.sampled_from(Colour), points | st.just(PASS))),
            "comment": st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40),
        }
    )


def written(game) -> bytes:
    """The game as sgfmill writes it, with a comment to be skipped on every node."""
    size = game["size"]
    file = mill.Sgf_game(size)
    root = file.get_root()
    if game["komi"] is not None:
        root.set("KM", game["komi"])
    for name, colour in (("AB", BLACK), ("AW", WHITE)):
        stones = [divmod(p, size) for p, side in game["setup"].items() if side is colour]
        if stones:
            root.set(name, stones)
    if game["to_move"] is not None:
        root.set("PL", LETTER[game["to_move"]])
    for colour, move in game["moves"]:
        node = file.extend_main_sequence()
        node.set_move(LETTER[colour], None if move == PASS else divmod(move, size))
        node.set("C", game["comment"])
    return file.serialise()


@settings(max_examples=50)
@given(st.integers(2, 19).flatmap(games))
def test_what_sgfmill_writes_is_read(game):
    read = sgf.read_sgf(written(game))
    stones = dict.fromkeys(members(read.black), BLACK) | dict.fromkeys(members(read.white), WHITE)
    assert stones == game["setup"]
    assert (read.size, read.komi, read.to_move) == (game["size"], game["komi"], game["to_move"])
    assert [(colour, move) for colour, move, _ in read.moves] == game["moves"]


@pytest.mark.parametrize(
    "text",
    [
        "(;SZ[5]AB[aa:ce];W[ee])",
        r"(;SZ[9]C[a ( ; \] \\];B[ab](;W[bc];B[cd])(;W[dd]))",
        "noise (\n ; SZ [ 9 ] KM[6.5] \r\n ; B [ab] ; W [ba] ) (;SZ[5])",
        "(;;SZ[5];B[aa])",
    ],
)
def test_both_readers_agree(text):
    file = mill.Sgf_game.from_string(text)
    read = sgf.read_sgf(text.encode())
    sequence = [node.get_move() for node in file.get_main_sequence()]
    theirs = [
        (colour, PASS if where is None else where[0] * file.get_size() + where[1])
        for colour, where in sequence
        if colour is not None
    ]
    assert [(LETTER[colour], move) for colour, move, _ in read.moves] == theirs
    assert read.size == file.get_size()


def test_names_with_lower_case_letters_as_old_files_have_them():
    game = sgf.read_sgf(b"(;FF[3]GaMe[1]SiZe[9];Black[aa];White[tt])")
    assert (game.size, game.moves) == (9, ((BLACK, 72, ()), (WHITE, PASS, ())))
    assert sgf.read_sgf(b"(;SZ[13:13])").size == 13


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no game begins"),
        ("(;SZ[5", "cannot be read"),
        ("(B[aa])", "no game begins"),
        ("(;[aa])", "value without a property"),
        ("(;GM[2])", "of game '2'"),
        ("(;SZ[1])", "size '1'"),
        ("(;SZ[9:7])", "size '9:7'"),
        ("(;SZ[5][6])", "2 values"),
        ("(;KM[nan])", "komi 'nan'"),
        ("(;PL[X])", "player 'X'"),
        ("(;SZ[5];B[ff])", "not on a 5x5 board"),
        ("(;SZ[5];B[a])", "not on a 5x5 board"),
        ("(;SZ[5];B[aa][bb])", "2 values"),
        ("(;SZ[5]AB[aa]AW[aa])", "a point twice"),
        ("(" * 500_000, "no game begins"),
        ("(;C[" + "\\" * 500_000, "cannot be read"),
        ("(;C[" + "a" * (1 << 20) + "])", "at most"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_game_says_why(text, message):
    with pytest.raises(BadText, match=message):
        sgf.read_sgf(text.encode())


@pytest.mark.parametrize(
    ("text", "black", "white", "moves"),
    [
        ("(;SZ[5]KM[];B[aa]", "", "", "aa"),
        ("(;SZ[5]KM[6,5]GM[]PL[1]AB[]AE[cc])", "", "", ""),
        ("(;SZ[5]KM[6.5]KM[6.5]AB[cc:aa])", "aa ba ca ab bb cb ac bc cc", "", ""),
        ("(;SZ[5];PL;B[aa];AW[bb]AE[aa];W[ee])", "", "bb", "ee"),
        ("(;SZ[5]AB[aa];B[ab];W[cc];AW[ac]AB[ba])", "aa ab ba", "cc ac", ""),
        ("(;SZ[5];B[ee];W[];B[];W[cc])", "", "", "ee   cc"),
        ("(\nSZ[5]\n;B[ee])", "", "", "ee"),
        ("(;SZ[5]AB[a\na][b\r\nb:c\nc];B[e\ne];W[t\nt];B[\n])", "aa bb cb bc cc", "", "ee  "),
    ],
)
def test_an_odd_property_costs_no_game(text, black, white, moves):
    """Stones that are set up later begin the game anew; GNU Go and Sabaki load all of these."""
    game = sgf.read_sgf(text.encode())
    assert [sorted(sgf.sgf_points(s, 5)) for s in (game.black, game.white)] == [
        sorted(black.split()),
        sorted(white.split()),
    ]
    texts = [sgf.sgf_point(move, 5) for _, move, _ in game.moves]
    assert texts == (moves.split(" ") if moves else [])


CHINESE = "(;SZ[9]{};B[ee]C[成功];W[cc];B[gg])"
"""The second byte of 功 is a backslash in Big5."""


@pytest.mark.parametrize(
    "data",
    [
        CHINESE.format("CA[Big5]").encode("big5"),
        CHINESE.format("").encode("big5"),
        CHINESE.format("").encode("utf-16"),
        CHINESE.format("CA[no-such]").encode("utf-8-sig"),
        "(;SZ[9];B[ee]C[Café];W[cc];B[gg])".encode("latin-1"),
    ],
)
def test_a_comment_moves_no_stone(data):
    assert len(sgf.read_sgf(data).moves) == 3


NAMES = [
    "吴清源", "聂卫平", "柯洁", "马晓春", "芮乃伟",
    "呉清源", "趙治勲", "坂田栄男", "加藤正夫", "橋本宇太郎", "小林光一", "井山裕太",
    "林海峰", "王立誠", "周俊勳", "許功",
    "이세돌", "이창호", "조훈현", "박정환",
]  # fmt: skip
"""Players as they are written in China, in Japan, traditionally and in Korea."""
ENCODINGS = ("utf-8", "gb18030", "shift_jis", "big5", "euc_kr")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("declared", ["", *ENCODINGS, "latin-1", "no-such", "punycode"])
def test_no_encoding_of_a_name_costs_a_move(encoding, declared):
    """Whatever the file says of its encoding, and for each single letter."""
    for name in (part for whole in NAMES for part in (whole, *whole)):
        named = f"CA[{declared}]" if declared else ""
        text = f"(;SZ[9]{named}PB[{name}];B[dd];W[ee]C[{name}];B[cc](;W[gg])(;W[hh]))"
        try:
            data = text.encode(encoding)
        except UnicodeEncodeError:
            continue
        game = sgf.read_sgf(data)
        assert len(game.moves) == 4, (name, encoding, declared)
        if encoding in ("utf-8", declared) and name in NAMES:
            assert game.root["PB"] == [name]


def test_broken_letters_cost_no_move():
    """As where an editor cut a comment after so many bytes."""
    data = "(;SZ[9]CA[Big5]PB[許功];B[dd]C[成功];W[ee])".encode("big5")
    assert len(sgf.read_sgf(data.replace(b"C[", b"C[\xa4 ")).moves) == 2


class Endless(io.RawIOBase):
    """As a pipe, it has no size to ask for."""

    def readable(self):
        return True

    def readinto(self, buffer):
        buffer[:] = bytes(len(buffer))
        return len(buffer)


@pytest.mark.parametrize(
    ("stream", "count"),
    [
        (io.BytesIO(bytes(3_000_000)), "3000000 bytes"),
        (io.BufferedReader(Endless()), "over 1048576 bytes"),
    ],
)
def test_a_file_that_is_too_long_is_refused_by_its_size(stream, count):
    with pytest.raises(BadText, match=f"SGF of {count}; at most 1048576 are read"):
        sgf.bytes_of(stream)


@given(st.binary() | st.text("();[]\\:ABWSZKMabt59 \n").map(str.encode), seeds)
def test_any_bytes_are_a_game_or_bad_text(data, seed):
    whole = b"(;SZ[5]AB[aa];B[bb];W[cc](;B[dd]))"
    for text in (data, whole[: seed % len(whole)] + data + whole[seed % len(whole) :]):
        try:
            game = sgf.read_sgf(text)
        except BadText:
            continue
        assert 2 <= game.size <= 19
