"""Stores joined: of one contest only, and without contradictions."""

import pytest

from phantomgo.errors import BadStore
from phantomgo.identity import Identity
from phantomgo.lab.match import MatchPlan
from phantomgo.lab.match_run import MatchStore, MatchStudy
from phantomgo.lab.merge import merge
from phantomgo.lab.players import Conditions
from phantomgo.lab.run.contest import Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.workers import Crew
from phantomgo.rules import Rules

PLAYERS = [Identity("random", "0" * 16), Identity("random", "0" * 16)]
TERMS = {"game": "seeds", "size": 5}


def made(path, *found, terms=TERMS, at=1000.0):
    with Store(path, PLAYERS, terms, now=lambda: at) as store:
        store.add(found)
    return path


def test_the_games_of_all(tmp_path):
    one = made(tmp_path / "1.db", ((0, 0), Result("B+R", place="here")), ((0, 1), Result("W+R")))
    two = made(
        tmp_path / "2.db", ((0, 1), Result("W+R")), ((1, 0), Result("0", "record")),
        ((2, 2), Result("", None, "it crashed")), at=2000.0,
    )  # fmt: skip
    assert merge(tmp_path / "all.db", [one, two]) == 3
    assert merge(tmp_path / "all.db", [two, one]) == 0
    with Store(tmp_path / "all.db") as store:
        assert (store.players, store.terms) == (tuple(PLAYERS), TERMS)
        assert store.results() == {(0, 0): "B+R", (0, 1): "W+R", (1, 0): "0"}
        assert list(store.records()) == [((1, 0), "record")]
        assert store.places() == {(0, 0): "here"}
        assert store.times() == {(0, 0): 1000.0, (0, 1): 1000.0, (1, 0): 2000.0}
        assert store.voids() == 1


def test_contradictions_are_named_and_nothing_is_added(tmp_path):
    one = made(tmp_path / "1.db", *(((0, n), Result("W+R")) for n in range(5)))
    two = made(
        tmp_path / "2.db", *(((0, n), Result("B+R")) for n in range(5)), ((1, 1), Result("0"))
    )
    with pytest.raises(BadStore) as caught:
        merge(one, [two])
    assert "1.db and " in str(caught.value)
    assert (
        "2.db contradict each other in 5 games: Black seed 0 against White seed 0: W+R and B+R"
        in str(caught.value)
    )
    assert str(caught.value).endswith(", and 2 more")
    with Store(one) as store:
        assert (1, 1) not in store.games()


def test_a_game_out_of_a_packed_matrix_has_no_margin(tmp_path):
    packed = made(tmp_path / "1.db", ((0, 0), Result("B+")), ((0, 1), Result("W+")))
    played = made(tmp_path / "2.db", ((0, 0), Result("B+2.5")), ((0, 2), Result("W+R")))
    assert merge(tmp_path / "all.db", [packed, played]) == 3
    wrong = made(tmp_path / "3.db", ((0, 1), Result("B+0.5")))
    with pytest.raises(BadStore, match=r"W\+ and B\+0.5"):
        merge(tmp_path / "all.db", [wrong])


def test_another_contest_is_refused(tmp_path):
    one = made(tmp_path / "1.db")
    two = made(tmp_path / "2.db", terms={"game": "seeds", "size": 7})
    with pytest.raises(BadStore, match=r"1\.db was made for size 5, not 7"):
        merge(one, [two])


def test_matches_agree_though_they_took_their_time(tmp_path):
    plan = MatchPlan.of(("random", "random"), 4, 1, Conditions(Rules(size=3)), "olympiad")
    for name in ("1.db", "2.db"):
        with MatchStore(str(tmp_path / name), plan) as store, Crew(1).begin() as crew:
            run(MatchStudy(plan), plan, crew, store)
    assert merge(tmp_path / "1.db", [tmp_path / "2.db"]) == 0
    other = tmp_path / "3.db"
    with Store(tmp_path / "2.db") as played, Store(other, played.players, played.terms) as copy:
        text = played.get((0, 0))
        turned = text.replace('"b"', '"x"').replace('"w"', '"b"').replace('"x"', '"w"')
        copy.add([((0, 0), Result(turned))])
    with pytest.raises(BadStore, match="contradict each other in 1 game: game 0: "):
        merge(tmp_path / "1.db", [other])
