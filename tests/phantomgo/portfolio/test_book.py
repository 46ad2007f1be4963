"""Books: written and read back, and refused with the field's name when something is wrong."""

import json
import math
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.errors import BadBook, PhantomGoError
from phantomgo.files import NAME
from phantomgo.game.points import BLACK, Colour
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.identity import Identity
from phantomgo.library import books_folder
from phantomgo.portfolio import book as books
from phantomgo.portfolio.book import Book, Training, book_names, dumps, loads, read_book, write_book
from phantomgo.portfolio.evaluation import BestResponse, Evaluation, Score, Trial
from phantomgo.portfolio.line import MAX_MOVES, Side, Step
from phantomgo.portfolio.movebook import read_moves, write_moves
from phantomgo.portfolio.packed import read_matrix
from phantomgo.portfolio.setup import Setup
from tests.support.json_texts import changed
from tests.support.move_books import MOVES
from tests.support.places import ROOT
from tests.support.strategies import json_values

BOOK = Book(
    name="nash5",
    setup=Setup(
        Identity("random", "0123456789abcdef", ("01234567",), {"net x": "ab"}),
        Identity("random", "fedcba9876543210"),
        "olympiad",
        Rules(size=5, komi=6.5),
    ),
    black=Side(tuple((Step("random", seed),) for seed in (3, 5, 8)), (0.25, 0.5, 0.25), 0.5),
    white=Side(((Step("random", 0),),), (1.0,), 0.4375),
    games=("89abcdef",),
    training=Training(
        "sparse:alpha=0.5",
        0,
        10,
        10,
        None,
        100,
        51,
        2,
        "ab" * 32,
        {"phantomgo": "0.1.0", "numpy": "2.0"},
    ),
    evaluation=Evaluation(
        10,
        20,
        8,
        (Score(1, 0.625, 0.125, 0.75, 0.5), Score(2, 0.5, 0.25, 0.625, 0.375)),
        (Score(1, 0.5, 0.125, 0.5, 0.5), Score(2, 0.25, 0.25, 0.5, 0.0)),
    ),
)
LINES = ((Step("flatmc", 5, 2), Step("random", 9, 4)), (Step("random", 6, 3),))
STEPS = replace(
    BOOK,
    black=Side(LINES, (0.5, 0.5), 0.5),
    evaluation=None,
    openers=(Identity("flatmc", "0" * 16),),
)
"""A book of lines that end, of several bots."""
TEXT = dumps(BOOK)
SCHEMA = json.loads((ROOT / "books" / "schema.json").read_text())


def refusal(text):
    """Why a text is not a book; empty if it is one."""
    try:
        loads(text)
    except BadBook as error:
        return str(error)
    return ""


RESPONSE = BestResponse("tree", 0.5, 4, 200, 0.5, 0.25)


def accepted_by_schema(value):
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(value)


def test_a_book_is_read_back():
    beside = replace(BOOK.evaluation, without=BOOK.evaluation.plain, own_seeds=6)
    others = [
        replace(BOOK, evaluation=beside),
        replace(BOOK, trial=Trial(9, 20, 12.5)),
        replace(BOOK, games=("0" * 8,) * 100, evaluation=replace(BOOK.evaluation, seeds=2)),
        replace(BOOK, best_response=RESPONSE),
        STEPS,
        replace(BOOK, black=Side((), (), 0.5)),
    ]
    for book in (BOOK, *others):
        text = dumps(book)
        assert loads(text) == book
        assert dumps(loads(text)) == text
        jsonschema.validate(json.loads(text), SCHEMA)
    assert '\n      [["random", 3, null]],\n' in TEXT
    assert '\n      [["flatmc", 5, 2], ["random", 9, 4]],\n' in dumps(STEPS)


def test_what_a_book_decides():
    assert (BOOK.moves, STEPS.white.moves, STEPS.black.moves) == (math.inf, math.inf, 6)
    assert (BOOK.colours, replace(BOOK, white=Side((), (), 0.5)).colours) == ([*Colour], [BLACK])
    ended = replace(BOOK.white, lines=((Step("random", 0, 3),),))
    assert len({BOOK.digest, STEPS.digest, replace(BOOK, white=ended).digest}) == 3
    assert [whose for whose, _ in STEPS.players] == ["Black's bot", "White's bot", "the opener"]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("black.lines", 7, "black.lines: 7 is not a list"),
        ("black.lines.0", [["a", 1, 2]] * 9, "black.lines[0]: is not a list of up to 8 steps"),
        ("black.lines.0.1", ["random", 9], "black.lines[0][1]: is not [bot, seed, own moves]"),
        ("black.lines.0.0.0", "", "black.lines[0][0]: names no bot of 1 to 4000 printable"),
        (
            "black.lines.0.0.0",
            "hybrid",
            "black.lines: hybrid is neither a player nor one of the opene",
        ),
        ("black.lines.0.0.1", -1, "black.lines[0][0]: has no seed, a whole number from 0"),
        ("black.lines.0.0.2", None, "black.lines[0][0]: has no number of own moves from 1 to 127"),
        ("black.lines.0.1.2", MAX_MOVES + 1, "black.lines[0][1]: has no number of own moves"),
        ("black.lines.1", [["random", 10, 3]], "black.lines: seed 10 is not below training.seeds"),
        ("black.lines.0", [["random", 6, 3]], "black.lines: has a line twice"),
        ("black.lines", [], "black.probabilities: has 2 numbers for 0 lines"),
        ("black.probabilities", [0.5], "black.probabilities: has 1 numbers for 2 lines"),
        ("black.probabilities", [1, 0], "black.probabilities: has a number that is not above 0"),
        ("black.probabilities", [0.3, 0.3], "black.probabilities: sums to 0.6, not to 1"),
        ("black.luck", 1, "black.luck: is not a field of a book"),
        ("openers.0.name", 7, "openers[0].name: 7 is not printable text"),
    ],
)
def test_lines_that_are_none(path, value, message):
    assert refusal(changed(dumps(STEPS), path, value)).startswith(message)


def test_a_book_has_a_line():
    nothing = {"lines": [], "probabilities": [], "value": 0}
    fields = json.loads(TEXT) | {"black": nothing, "white": nothing}
    assert "one of them has to have a line" in refusal(json.dumps(fields))


def test_the_schema_itself_is_good():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["rules"]["enum"] == list(PROFILES)
    assert SCHEMA["properties"]["name"]["pattern"] == f"^{NAME.pattern}$"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", 1, "format: 1 is not 4"),
        ("name", "../nash5", "name: '../nash5' does not match [A-Za-z0-9][A-Za-z0-9_.-]{0,63}"),
        ("size", 20, "size: 20 is not a whole number from 2 to 19"),
        ("komi", 1001, "komi: 1001 is not a number from -1000 to 1000"),
        ("rules", "chess", f"rules: 'chess' is not one of {', '.join(PROFILES)}"),
        ("game", "go", "game: is not a field of a book"),
        ("players.black.name", "\t", r"players.black.name: '\t' is not printable text"),
        (
            "players.white.fingerprint",
            "xyz",
            "players.white.fingerprint: 'xyz' does not match [0-9a-f]{16}",
        ),
        ("players.black.games", ["x"], "players.black.games: 'x' is not 8 hexadecimal digits"),
        ("games", ["0" * 8] * 101, "games: has 101 entries, more than 100"),
        ("white.value", 1.5, "white.value: 1.5 is not a number from 0 to 1"),
        ("evaluation.tails", 1, "evaluation.tails: 1 is not a whole number from 2 to 1000"),
        ("training.games", 101, "training.games: 101 is more than the 100 of the matrix"),
        ("training.opponent_seeds", 11, "training.opponent_seeds: 11 is more than seeds, 10"),
        (
            "training.draws",
            50,
            "training.draws: 50 and 51 black_wins are more than the games",
        ),
        ("training.versions.numpy", 2, "training.versions.numpy: 2 is not printable text"),
        ("evaluation", ..., "evaluation: is missing"),
        (
            "evaluation.first_seed",
            9,
            "evaluation.first_seed: 9 is below 10: those seeds were learned on",
        ),
        (
            "evaluation.plain",
            [{"exploiter": 21, "rate": 0, "error": 0, "black": 0, "white": 0}],
            "evaluation.plain[0].exploiter: 21 is more than seeds, 20",
        ),
        ("evaluation.plain", [], "evaluation.plain: is empty"),
        ("evaluation.played", [], "evaluation.played: has other values of K' than plain"),
        (
            "training.survivors",
            4,
            "training.games: 100 is not the 80 of this matrix",
        ),
    ],
)
def test_what_is_wrong_is_named(path, value, message):
    assert refusal(changed(TEXT, path, value)) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value in line 1, column 1"),
        ("{", "not JSON: Expecting property name enclosed in double quotes in line 1, column 2"),
        ('{"size": NaN}', "not JSON: NaN is not a number"),
        ('{"size": 1, "size": 2}', "size: is given twice"),
        ("[" * 100_000, "not a book: nested too deeply"),
        ("9" * 5000, "not JSON: Exceeds the limit (4300 digits) for integer string conversio"),
        (" " * ((4 << 20) + 1), "longer than 4194304 characters"),
        (TEXT.replace("6.5", "1e999"), "komi: inf is not a number from -1000 to 1000"),
    ],
    ids=range(8),
)
def test_what_is_no_book_is_refused(text, message):
    assert refusal(text) == message


STATED = {"value": 0.5, "error": 0.1, "gap": 1.5, "black_gain": 0, "white_gain": -0.5, "games": 7}
MEASURED = changed(dumps(replace(BOOK, best_response=RESPONSE)), "equilibrium", STATED)
LEAVES = [
    *json.loads(MEASURED),
    *(
        f"{part}.{key}"
        for part in ("black", "training", "evaluation", "best_response", "equilibrium")
        for key in json.loads(MEASURED)[part]
    ),
    "black.lines.0",
    "black.lines.0.0.1",
]


@given(st.sampled_from(LEAVES), json_values)
@settings(max_examples=200)
def test_fuzzed_books_never_crash_and_the_schema_agrees(path, value):
    text = changed(MEASURED, path, value)
    if refused := refusal(text):
        # The field, or one that no longer agrees with it.
        named = (path.split(".")[0], "not JSON", "those seeds were learned on")
        assert any(words in refused for words in named)
    else:
        book = loads(text)
        assert loads(dumps(book)) == book
        assert accepted_by_schema(json.loads(text))


@pytest.mark.parametrize("value", [-2, -1, 0, 1, 2, 3, 9])
def test_numbers_have_the_bounds_of_the_schema(value):
    """A book within them may still be refused for fields that do not agree."""
    for path in LEAVES:
        text = changed(MEASURED, path, value)
        refused, good = refusal(text), accepted_by_schema(json.loads(text))
        assert f"{path}: {value} is not " not in refused if good else refused, path


@given(st.text(max_size=60) | st.builds(json.dumps, json_values))
@settings(max_examples=100)
def test_fuzzed_text_never_crashes(text):
    assert refusal(text)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40).filter(lambda weights: sum(weights) > 0))
def test_distributions_become_sides(weights):
    total = math.fsum(weights)
    lines = [(Step("random", seed),) for seed in range(len(weights))]
    side = Side.of(lines, [w / total for w in weights], 0.5)
    assert math.fsum(side.probabilities) == pytest.approx(1, abs=1e-11)
    for (step,), probability in zip(side.lines, side.probabilities, strict=True):
        assert probability == pytest.approx(weights[step.seed] / total, abs=1e-10)
        assert probability > 0


def test_files(tmp_path, monkeypatch):
    path = tmp_path / "nash5.json"
    write_book(BOOK, path)
    assert path.read_text() == TEXT
    assert [entry.name for entry in tmp_path.iterdir()] == ["nash5.json"]
    assert read_book(str(path)) == read_book(path) == BOOK
    write_book(BOOK, str(path))
    with pytest.raises(BadBook, match=r"book nash5 is written to nash5\.json, not .*other\.json"):
        write_book(BOOK, tmp_path / "other.json")
    assert [entry.name for entry in tmp_path.iterdir()] == ["nash5.json"]
    monkeypatch.setattr(books.LIBRARY, "folder", lambda: tmp_path)
    (tmp_path / "schema.json").write_text("{}")
    assert book_names() == ["nash5"]
    assert read_book("nash5") == BOOK
    monkeypatch.setattr(books.LIBRARY, "folder", lambda: tmp_path / "nothing")
    assert book_names() == []


def test_files_that_are_no_books(tmp_path, monkeypatch):
    monkeypatch.setattr(books.LIBRARY, "folder", lambda: tmp_path)
    path = tmp_path / "other.json"

    def message(name):
        with pytest.raises(BadBook) as caught:
            read_book(name)
        return str(caught.value).replace(str(tmp_path), "DIR")

    assert message(str(path)) == "there is no book DIR/other.json"
    assert message("a b") == "'a b' is neither the name of a book nor a .json file"
    assert message("..") == "'..' is neither the name of a book nor a .json file"
    path.write_text(TEXT)
    assert message("other") == "book other: name 'nash5' is not the file's"
    assert read_book(str(path)) == read_book(str(path).replace("other", "./other"))
    path.write_bytes(b"\xff")
    assert message("other") == "book other is not UTF-8 text"
    path.write_text("{}")
    assert message("other") == "book other: format: is missing"


@pytest.mark.parametrize(("read", "most"), [(read_book, 4), (read_moves, 16), (read_matrix, 4)])
def test_files_too_long_or_of_another_kind(read, most, tmp_path):
    """Books of moves have a lower format than those of lines, so "format: 1 is not 4" misled."""
    (tmp_path / "long.json").write_text(" " * ((most << 20) + 1))
    with pytest.raises(PhantomGoError, match=f"longer than {most << 20} characters"):
        read(f"{tmp_path}/long.json")
    write_moves(MOVES, tmp_path / "moves.json")
    files = {
        books_folder() / "nash5.json": "book",
        books_folder() / "matrices/flat5.json": "matrix",
    }
    files |= {tmp_path / "moves.json": "book of moves"}
    ours = read.__self__.kind.noun
    for file, noun in files.items():
        path = str(file)
        if noun == ours:
            assert read(path).name == Path(path).stem
        else:
            with pytest.raises(PhantomGoError, match=rf"{path}: it is a {noun}, not a {ours}$"):
                read(path)
