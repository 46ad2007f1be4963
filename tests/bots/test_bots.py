"""Every bot in the table keeps the contract, and a little more."""

import hashlib
from itertools import chain, islice

import pytest

from bots import BOTS, make
from bots.belief import candidates, presume_refused
from bots.bot import parameters
from bots.deployed import LEVELS
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Accepted, Message, Moved, Passed, Placed, Refused
from phantomgo.game.points import BLACK, PASS, RESIGN, WHITE, point_set, vertices
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.game.view import View
from phantomgo.lab.players import contract
from phantomgo.lab.players.contract import CHECKS, attempts_in, views
from tests.support.commands import python
from tests.support.strategies import at, played

GAME = Game(Rules())

# A spec of each bot that plays a game in well under a second.
SPECS = {
    "random": "random",
    "flatmc": "flatmc:playouts=60",
    "phantom": "phantom:playouts=60",
    "imperfect": "imperfect:worlds=1,inner=1,horizon=1",
    "twolevel": "twolevel:playouts=3,inner=1,horizon=3",
    "hybrid": "hybrid:playouts=2,inner=1,horizon=3,flat=60,hidden=2",
    "policy": "policy:temperature=1",
}

# More of what the contract has to hold for.
VARIANTS = [
    *SPECS.values(),
    "flatmc:playouts=60,allocation=ucb",
    "flatmc:playouts=20",  # goes on capturing on 2x2
    pytest.param("phantom", marks=pytest.mark.slow),  # from a book: a thousand playouts
]


def test_every_bot_has_a_spec_here():
    assert SPECS.keys() == BOTS.keys()


@pytest.mark.parametrize(
    ("spec", "profile"),
    [(spec, profile) for spec in SPECS.values() for profile in ("olympiad", "hamburg")]
    + [("flatmc:playouts=20", profile) for profile in sorted(PROFILES)],
)
def test_attempts_are_candidates_of_the_view(spec, profile):
    asked = list(views(Rules.profile(profile, size=5)))
    for view, move in zip(asked, attempts_in(spec, 3, asked), strict=True):
        assert move == PASS or candidates(view, presume_refused(view)) >> move & 1


@pytest.mark.parametrize("spec", VARIANTS)
@pytest.mark.parametrize("what", sorted(set(CHECKS) - {"in another process, too"}))
def test_the_contract_is_kept(spec, what, monkeypatch):
    if spec.startswith(("imperfect", "twolevel")):  # whole games on 9x9 take them seconds
        monkeypatch.setattr(contract, "SIZES", (3, 5))
    CHECKS[what](spec)


@pytest.mark.parametrize("spec", VARIANTS)
def test_another_seed_is_another_player(spec):
    asked = list(views(Rules(size=7)))
    assert attempts_in(spec, 11, asked) != attempts_in(spec, 12, asked)


SAID = {
    "random": "e0080677",
    "flatmc:playouts=700,allocation=ucb": "67888997",
    "flatmc:per_candidate=5": "38a7be1a",
    "phantom:playouts=300,book=none": "7530b7ee",
    "phantom:playouts=99,net=none": "cc34cda7",
    "imperfect:worlds=2,inner=2,horizon=1": "acce95b5",
    "twolevel:playouts=12,inner=1,horizon=3": "a52bf950",
    "hybrid:playouts=5,inner=1,horizon=3,flat=60,hidden=4": "fd301fef",
    "policy:net=policy5": "bb51b884",
    "policy:net=policy5,temperature=1": "5863860a",
}


@pytest.mark.parametrize(("spec", "digest"), SAID.items())
def test_a_bot_attempts_thinks_and_believes_what_it_did(spec, digest):
    """Where that is to change, seeds learned before are worthless and figures have to be new."""
    forms = [
        (f.name, f.default, f.metadata["form"].allowed)
        for f in parameters(type(make(spec, GAME, 0)))
    ]
    said = hashlib.sha256(repr(forms).encode())
    asked = chain(views(Rules(size=5, komi=0.5)), views(Rules.profile("cazenave", size=7)))
    for view in islice(asked, 0, None, 3):
        decision = make(spec, Game.of(view), 11).decide(view)
        thoughts = [one._replace(value=round(one.value, 6)) for one in decision.candidates]
        where = sorted(make(spec, Game.of(view), 11).stone_probabilities(view).items())
        said.update(repr((decision.move, thoughts, where)).encode())
    assert said.hexdigest()[:8] == digest


def test_a_name_has_the_parameters_that_differ_from_their_defaults():
    spec = "flatmc:time=0.25,allocation=ucb,exploration=1.414"
    assert make(spec, GAME, 1).name == spec
    assert make("flatmc:time=2.0,playouts=1000,allocation=uniform", GAME, 1).name == "flatmc:time=2"


def test_a_level_is_the_bot_of_its_spec():
    assert [make(level, GAME, 5) for level in LEVELS] == [
        make(spec, GAME, 5) for spec in LEVELS.values()
    ]
    assert all(make(spec, GAME, 5).deterministic for spec in LEVELS.values())
    with pytest.raises(
        BadText, match=r"no bot .hard.; there are .* novice, easy, .* default, or your own"
    ):
        make("hard:playouts=3", GAME, 5)


def test_a_refusal_is_presumed_a_stone_unless_an_eye_explains_it():
    rules = Rules(size=5)
    moved: list[Message] = [Accepted(24), Moved(), Accepted(19), Moved(), Accepted(14), Moved()]
    view = View.replay(rules, BLACK, [*moved, Refused(0)])
    assert vertices(presume_refused(view).enemy, 5) == "A1"
    assert presume_refused(view).hidden == 2
    around: list[Message] = [Accepted(0), Moved(), Accepted(24), Moved(at("A1")), Refused(0)]
    belief = presume_refused(View.replay(rules, BLACK, around))
    assert vertices(belief.enemy, 5) == "B1 A2"
    assert not belief.open & 1


def after_whites_pass(black: str, white: str) -> View:
    """Black's view when White has passed; White's stones stand in the open."""
    told: list[Message] = [Placed(BLACK, at(black)), Placed(WHITE, at(white)), Passed()]
    return View.replay(Rules(size=5, komi=0.5), BLACK, told)


def test_flatmc_passes_after_a_pass_when_the_board_wins():
    wall = "A3 B3 C3 D3 E3"
    assert (
        make("flatmc:playouts=500", Game.of(after_whites_pass(wall, "")), 1)
        .decide(after_whites_pass(wall, ""))
        .move
        == PASS
    )
    assert (
        make("flatmc:playouts=500", Game.of(after_whites_pass(wall, "C4")), 1)
        .decide(after_whites_pass(wall, "C4"))
        .move
        == PASS
    )
    losing = after_whites_pass("A1 B1", "A2 B2 C2")
    assert make("flatmc:playouts=500", Game.of(losing), 1).decide(losing).move != PASS


def test_flatmc_does_not_trust_its_luck_with_hidden_stones():
    view = after_whites_pass("A3 B3 C3 D3 E3", "").after(Moved()).after(Passed())
    assert view.hidden == 1
    assert make("flatmc:playouts=500", Game.of(view), 1).decide(view).move != PASS


def test_flatmc_resigns_only_if_asked_to():
    view = View(Rules(size=5, komi=100), BLACK)
    assert make("flatmc:playouts=100", Game.of(view), 1).decide(view).move != RESIGN
    decision = make("flatmc:playouts=50,resign=5", Game.of(view), 1).decide(view)
    assert (decision.move, len(decision.candidates)) == (RESIGN, 25)


# What a decision says beside its move

POSITIONS = [played(5, 3, count, "olympiad").view(BLACK) for count in (0, 9, 24)]


@pytest.mark.parametrize("view", POSITIONS)
@pytest.mark.parametrize("kind", sorted(BOTS))
def test_a_decision_is_of_its_best_candidate_or_a_pass(kind, view):
    bot = make(SPECS[kind], GAME, 4)
    decision = bot.decide(view)
    assert decision.move == bot.decide(view).move
    if kind in ("random", "policy"):
        assert (decision.candidates, decision.win_rate, decision.value) == ((), None, None)
        return
    allowed = candidates(view, presume_refused(view))
    assert not point_set(c.point for c in decision.candidates) & ~allowed
    best = decision.candidates[0]
    assert decision.move in (PASS, best.point)
    assert decision.win_rate == best.win_rate
    assert 0 <= decision.value <= 1
    assert all(c.visits >= 1 and 0 <= c.win_rate <= 1 for c in decision.candidates)
    assert all(abs(c.lead) <= 25 + 7.5 for c in decision.candidates)


def test_a_decision_without_candidates_has_no_value():
    view = View(Rules(size=2), BLACK)
    nothing = view._replace(own=0b1111)
    decision = make("phantom", Game.of(nothing), 1).decide(nothing)
    assert (decision.move, decision.candidates, decision.value) == (PASS, (), None)


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_book_decides_on_the_board_as_it_is(colour):
    view = played(5, 3, 8, "olympiad").view(colour)._replace(rules=Rules(size=5, komi=2.5))
    bot = make("book:nash5,force=on", Game.of(view), 12)
    decision = bot.decide(view)
    assert decision.move == bot.decide(view).move
    assert decision.candidates[0].point == decision.move
    assert {c.point for c in decision.candidates} <= set(bot.stone_probabilities(view)) | {
        decision.move
    }


COLD = """
import sys
from numba.core.registry import CPUDispatcher
from bots import make
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK
from phantomgo.game.rules import Rules
from phantomgo.game.view import View

def loaded():
    values = [v for m in [*sys.modules.values()] for v in [*vars(m).values()]]
    return {v.__name__ for v in values if isinstance(v, CPUDispatcher) and v.signatures}

bot = make(sys.argv[1], Game(Rules(size=5)), 1)
bot.warm_up()
warm = loaded()
bot.decide(View(bot.game.rules, BLACK, enemies=1))
print(sorted(loaded() - warm))
"""


@pytest.mark.parametrize(
    "spec",
    [
        "phantom:playouts=60,book=none",
        "flatmc:playouts=60,allocation=ucb",
        "twolevel:playouts=2,inner=1",
    ],
)
def test_a_warm_bot_waits_for_no_kernel(spec):
    assert python("-c", COLD, spec, check=True).stdout == "[]\n"
