"""Play a game or a match, or ask for one decision."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

import bots
from bots import Bot
from bots.foreign import installed
from gtp.clock import Limit
from gtp.engine import PATIENT, Patience
from phantomgo.errors import Abandoned, Interrupted
from phantomgo.game import playing
from phantomgo.game.beginning import Game
from phantomgo.game.player import Decision
from phantomgo.game.points import Colour, members
from phantomgo.game.record import Record
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.lab.admission import (
    After,
    Named,
    admitted,
    beginning_of,
    check_books,
    game_of,
    spec_of,
)
from phantomgo.lab.matches.match import MatchPlan
from phantomgo.lab.matches.match_run import (
    MatchObserver,
    MatchStore,
    Standing,
    complete_match,
    report,
)
from phantomgo.lab.matches.sgf_folder import SgfFolder
from phantomgo.lab.measure.calibration import MOST_MILLISECONDS, at_equal_time
from phantomgo.lab.players.compliance import player_breaches
from phantomgo.lab.players.seating import Conditions, check_program, close_engines, seat_player
from phantomgo.lab.run.workers import HERE, Run
from phantomgo.match.report import Report
from phantomgo.match.stats import Sprt
from phantomgo.portfolio.nash import FloatArray
from phantomgo.records.record_json import MAX_SECONDS
from phantomgo.rng import checked_seed
from phantomgo.values import checked_int, checked_number

BELIEVER: Final = "phantom:book=none"
"""The bot whose belief is shown by default."""


def make_bot(player: Named, game: Game | Rules, seed: int = 0) -> Bot:
    """The bot of a spec, made for a game and playing this seed.

    Args:
        player: the bot.
        game: the rules and the beginning of the game, or its rules if it begins as usual.
        seed: the number that determines its attempts.

    Raises:
        BadText: no bot has this spec, or the seed is out of range.
        BadBook: its book is not valid, or is for another board.
    """
    spec = spec_of(player)
    check_books(spec)
    return bots.make(spec, Game(game) if isinstance(game, Rules) else game, seed)


def bot_names() -> list[str]:
    """Our bots, and those that installed packages offer."""
    return [*sorted(bots.BOTS), *installed(bots.BOTS)]


def check_bot(player: Named) -> list[str]:
    """A sentence for each breach of the contract by a bot or an engine."""
    found = player_breaches(spec_of(player))
    return [f"{what}: {wrong}" for what, wrong in found if wrong]


def decide(view: View, bot: Named | Bot = BELIEVER, seed: int = 0) -> Decision:
    """A bot's decision in a view: the move and its candidates."""
    return _bot(bot, view, seed).decide(view)


def _bot(bot: Named | Bot, view: View, seed: int) -> Bot:
    return bot if isinstance(bot, Bot) else make_bot(bot, Game.of(view), seed)


def belief_map(view: View, bot: Named | Bot = BELIEVER, seed: int = 0) -> FloatArray:
    """The probability of an enemy stone on each point, by a bot's belief.

    Shape (size, size), rows from the bottom and columns from the left, so A1 is `[0, 0]`. Located
    stones are 1.
    """
    size = view.rules.size
    shares = _bot(bot, view, seed).stone_probabilities(view)
    odds = np.zeros(size * size)
    odds[list(shares)] = list(shares.values())
    odds[list(members(view.located))] = 1
    return odds.reshape(size, size)


def play_game(
    black: Named,
    white: Named,
    *,
    size: int = 9,
    komi: float | None = None,
    rules: str | Rules = "olympiad",
    seeds: tuple[int, int] = (0, 1),
    handicap: Sequence[str] = (),
) -> Record:
    """Play a game.

    Args:
        black: who plays Black.
        white: who plays White.
        size: points per side.
        komi: points for White (default: even on this board, or the profile's; 0.5 with handicap).
        rules: a profile, or rules, which say size and komi themselves.
        seeds: Black's and White's seed; the same seeds play the same game.
        handicap: handicap stones: their vertices or their number.

    Raises:
        BadText: a spec or a vertex is invalid.
        BadRules: there are no such rules.
        Fault: an engine does not take part.
    """
    if isinstance(rules, Rules):
        game = Game(rules, beginning_of(handicap, None, rules))
    else:
        game = game_of(rules, size, komi, handicap)
    specs = admitted((black, white), *game)
    drawn = tuple(map(checked_seed, seeds))
    conditions = Conditions(game)
    try:
        sides = [
            seat_player(spec, place, seed, colour, conditions)
            for place, (spec, seed, colour) in enumerate(zip(specs, drawn, Colour, strict=True))
        ]
        black_seed, white_seed = drawn
        return playing.play_game(
            game.rules, sides[0], sides[1], game.beginning, (black_seed, white_seed)
        )
    finally:
        close_engines()


def play_match(
    *players: Named,
    games: int = 100,
    size: int = 9,
    komi: float | None = None,
    rules: str = "olympiad",
    handicap: Sequence[str] = (),
    after: After | None = None,
    seed: int = 0,
    milliseconds: float | None = None,
    time: int | None = None,
    patience: float = PATIENT.move,
    sprt: tuple[float, float] | None = None,
    sgf: str | Path | None = None,
    run: Run = HERE,
) -> Report:
    """Play a match: every two players meet in pairs of games with colours swapped.

    Args:
        players: two or more players.
        games: games between every two players; must be even.
        size: points per side.
        komi: points for White (default: even on this board, or the profile's; 0.5 with handicap).
        rules: rules profile, which sets the announcements.
        handicap: handicap stones, which both players know: their vertices or their number.
        after: begin every game with the first moves of a recorded game: its file and their number.
        seed: seed from which all others are derived; the same seed plays the same match.
        milliseconds: give each bot as many playouts as fit this processor time per decision
            (default: the playouts of the specs).
        time: main time of each side, in whole seconds (default: no clock).
        patience: seconds for an engine's move without a clock, and for its start if fewer than 60.
        sprt: stop a match of two players as soon as a sequential test decides between these two Elo
            differences.
        sgf: write each game, and each side's view of it, as SGF into this folder.
        run: the workers, the store of the games, and the receiver of progress.

    Raises:
        BadText: a player or a number is invalid.
        BadRules: there are no such rules.
        BadStore: the store cannot be used, or is of another match.
        Breach: a foreign bot is not a function of its view.
        Stopped: the games cannot be finished.
        Interrupted: by Ctrl-C, with the report so far; games that were being played are saved.
        OSError: a file cannot be written.
    """
    game = game_of(rules, size, komi, handicap, after)
    limit = None if time is None else Limit(checked_int("time", time, 1, MAX_SECONDS))
    conditions = Conditions(game, limit, Patience.of(patience))
    specs = admitted(players, *game)
    test = None if sprt is None else Sprt(*sprt)
    if milliseconds is not None:
        checked_number("milliseconds", milliseconds, 0.001, MOST_MILLISECONDS)
    planned = partial(
        MatchPlan.of, games=games, seed=seed, conditions=conditions, profile=rules, sprt=test,
        milliseconds=milliseconds,
    )  # fmt: skip
    plan = planned(specs)
    for spec in specs if isinstance(run.workers, int) else ():  # a cluster has its own programs
        check_program(spec)
    if milliseconds is not None:
        plan = planned(at_equal_time(specs, game.rules, milliseconds, run.store, run.progress))
    observers: list[MatchObserver] = [Standing(plan, run.progress.note)]
    if sgf is not None:
        called = {one.name: one.label for one in plan.contestants}
        observers.append(SgfFolder(sgf, {"players": list(called), **plan.terms}, run.store, called))
    return play_planned(plan, observers, run)


def play_planned(plan: MatchPlan, observers: Sequence[MatchObserver], run: Run) -> Report:
    """Play the missing games of a match, which observers see."""
    with run.begin() as workers, MatchStore(run.store, plan) as store:
        try:
            complete_match(plan, store, workers, run.progress, observers)
        except Abandoned:
            raise
        except KeyboardInterrupt:
            raise Interrupted(report(plan, store), saved=run.store is not None) from None
        return report(plan, store)
