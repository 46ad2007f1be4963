"""The line level of GTP: ids, comments, control characters, responses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp import syntax
from gtp.syntax import CommandLine, Failure


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (b"name", CommandLine(None, "name", ())),
        (b"play b D4\r\n", CommandLine(None, "play", ("b", "D4"))),
        (b"  play\t b   D4  ", CommandLine(None, "play", ("b", "D4"))),
        (b"0 name", CommandLine(0, "name", ())),
        (b"007 name", CommandLine(7, "name", ())),
        (b"1name", CommandLine(1, "name", ())),
        (b"-5 name", CommandLine(None, "name", ())),
        (b"2147483647 name", CommandLine(2147483647, "name", ())),
        (b"2147483648 name", CommandLine(2147483647, "name", ())),
        (b"9" * 10000 + b" name", CommandLine(2147483647, "name", ())),
        (b"0" * 10000 + b"5 name", CommandLine(5, "name", ())),
        (b"na\x00me\x07 \x7f\x01x", CommandLine(None, "name", ("x",))),
        (b"name # a comment", CommandLine(None, "name", ())),
        (b"play b D4# a comment", CommandLine(None, "play", ("b", "D4"))),
        (b"na\rme", CommandLine(None, "name", ())),
        (b"\xff\xfe name", CommandLine(None, "\ufffd\ufffd", ("name",))),
        ("4 naïve \uff15".encode(), CommandLine(4, "naïve", ("\uff15",))),
        (b"- name", CommandLine(None, "-", ("name",))),
    ],
)
def test_lines_are_read_as_gtp_has_them(line, command):
    assert syntax.parse(line) == command


def test_lines_that_want_no_response():
    lines = b"", b"\n", b" \t \r\n", b"# comment", b"  # 5 name", b"\x00\x01", b"12", b"-7 \n"
    assert [syntax.parse(line) for line in lines] == [None] * len(lines)


@pytest.mark.parametrize(
    ("response", "text"),
    [
        (syntax.success(None), "= \n\n"),
        (syntax.success(0), "=0 \n\n"),
        (syntax.success(7, "D4"), "=7 D4\n\n"),
        (syntax.failure(None, "illegal move"), "? illegal move\n\n"),
        (syntax.success(None, "a\n\n \n\nb\n\n"), "= a\nb\n\n"),
        (syntax.success(None, "\n\nboard"), "= \nboard\n\n"),
        (syntax.success(None, "a\tb\r\x00c\x85\u2028d"), "= a bcd\n\n"),
    ],
)
def test_responses(response, text):
    assert response == text


@given(st.text(), st.none() | st.integers(0, syntax.MAX_ID))
def test_a_response_ends_with_its_only_empty_line(text, number):
    response = syntax.success(number, text)
    assert response.endswith("\n\n")
    assert all(line.strip(" ") for line in response[:-2].split("\n"))


def test_finite_numbers():
    texts = ("6.5", "-0.5", "+3", "1e2", ".5", "7.")
    assert [syntax.decimal(text) for text in texts] == [6.5, -0.5, 3, 100, 0.5, 7]
    for text in ("nan", "inf", "1e400", "", "1,5", "0x10", "1_0", "५", "+-1", "."):
        with pytest.raises(Failure, match="syntax error"):
            syntax.decimal(text)
