"""Phrases in other languages."""

from phantomgo.game.points import BLACK
from phantomgo.phrase import Phrase, enumerated, sentences

GERMAN = {"{who} plays {what}": "{who} spielt {what}", "Black": "Schwarz", "a stone": "einen Stein"}


def test_phrases_and_colours_in_a_phrase_are_translated_and_other_values_are_not():
    phrase = Phrase("{who} plays {what}", who=BLACK, what=Phrase("a stone"))
    assert phrase == "Black plays a stone"
    assert phrase.translated(GERMAN) == "Schwarz spielt einen Stein"
    plain = Phrase("{who} plays {what}", who="Ann", what=3)
    assert plain.translated(GERMAN) == "Ann spielt 3"


def test_what_a_catalogue_lacks_stays_english():
    listed = enumerated([Phrase("a stone"), "", "Ann"])
    assert isinstance(listed, Phrase)
    assert listed.translated(GERMAN) == "einen Stein, Ann"


def test_sentences_leave_out_what_is_empty():
    joined = sentences(["", Phrase("A."), "", "B.", Phrase("C.")])
    assert joined == "A. B. C."
    assert isinstance(joined, Phrase)
    assert joined.translated({"A.": "X.", "{a} {b}": "{a}{b}"}) == "X.B.C."
    assert sentences([]) == ""
