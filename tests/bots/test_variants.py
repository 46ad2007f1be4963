"""One of several bots, whichever the seed says; and a portfolio over bots and their seeds."""

import json

import pytest

import bots
from bots.naming import variant, variants
from bots.variants import Variants
from phantomgo.app.cli import main
from phantomgo.errors import BadText
from phantomgo.game import play_game
from phantomgo.lab.seeds import SeedGames, make_setup
from phantomgo.points import BLACK
from phantomgo.rules import Rules
from phantomgo.view import View

THREE = "variants:random|flatmc:playouts=20|flatmc:playouts=30"
RULES = Rules(size=4, komi=0.5)


def test_the_seed_says_who_plays():
    view = View(RULES, BLACK)
    for seed in range(9):
        bot, spec = bots.make(THREE, seed), variants(THREE)[seed % 3]
        assert isinstance(bot, Variants)
        assert variant(THREE, seed) == (spec, seed // 3)
        assert bot.playing == bots.make(spec, seed // 3)
        assert bot.propose(view) == bot.playing.propose(view)
        decision = bot.decide(view)
        assert (decision.bot, decision.move) == (bot, bot.playing.propose(view))
        assert decision.stone_shares == bot.playing.stone_shares(view)
    assert variant("random", 7) == ("random", 7)


def test_it_is_one_bot_with_one_name():
    spec = "variants:flatmc:playouts=200,policy=mogo|phantom:amaf=200"
    bot = bots.make(spec, 3)
    assert isinstance(bot, Variants)
    assert bots.make(bot.name, 3) == bot
    assert (bot.pure, bot.foreign) == (True, False)
    assert bot.data() == bots.make("phantom", 0).data()
    assert not bots.make("variants:random|flatmc:time=1", 0).pure
    assert bot.within(1).bots == tuple(one.within(1) for one in bot.bots)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("variants:random", "does not name two bots: variants:SPEC|SPEC"),
        ("variants:random||flatmc", "does not name two bots"),
        ("variants:random|nobody", "no bot 'nobody'"),
        ("variants:random|book:top5", "'book:top5' cannot be a variant"),
        ("variants:random|variants:random", "cannot be a variant: it is several bots itself"),
        ("online:variants:random|flatmc,state=a", "'variants:random' cannot be an arm"),
    ],
)
def test_wrong_specs(spec, message):
    with pytest.raises(BadText, match=message.replace("|", r"\|")):
        bots.make(spec, 0)


def test_a_module_among_them_is_code():
    assert bots.needs_code("variants:random|some.module:Bot")
    assert not bots.needs_code(THREE)
    with pytest.raises(BadText, match="run only where you say so"):
        bots.make_installed("variants:random|some.module:Bot", 0)


def test_lock_step_plays_the_same_games():
    setup = make_setup(THREE, "variants:flatmc:playouts=20|random", "olympiad", RULES)
    games = [(black, white) for black in range(5) for white in range(4)]
    together = SeedGames(setup, together=True)
    assert SeedGames.many(setup, 10**6) == together
    assert together.play(games) == SeedGames(setup).play(games)
    played = [
        play_game(RULES, bots.make(setup.black.name, black), bots.make(setup.white.name, white))
        for black, white in games
    ]
    assert [result.text for result in together.play(games)] == [
        game.outcome.result for game in played
    ]


def test_a_book_of_them_says_how_often_each_plays(tmp_path, capsys):
    words = ["learn", "--bot", "variants:random|flatmc:playouts=20", "--size", "3", "--komi", "0.5"]
    words += ["--seeds", "8", "--method", "topk:k=4", "--test-seeds", "4"]
    assert main([*words, "--store", f"{tmp_path}/m.db", "--out", f"{tmp_path}/mix3.json"]) == 0
    told = capsys.readouterr().out
    book = json.loads((tmp_path / "mix3.json").read_text())
    share = 25 * sum(seed % 2 == 1 for seed in book["black"]["seeds"])
    first, *_ = (line for line in told.splitlines() if line.startswith("    "))
    assert share >= 50  # who thinks does better than who does not
    assert f"flatmc:playouts=20 {share:.1f} %" in first
    game = play_game(
        Rules(size=3, komi=0.5), bots.make(f"book:{tmp_path}/mix3.json", 1), bots.make("random", 1)
    )
    assert game.outcome.result
