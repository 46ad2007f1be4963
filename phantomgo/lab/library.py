"""What `import phantomgo` offers, as functions of few words: bots, games, matches, books.

A player is a spec (`flatmc:playouts=200`, `book:nash5`, `mybots:Corner`, `gtp:gnugo --mode gtp`) or
a class derived from `Bot`. Nothing here prints. Whoever asks for more than one job from a script
has to guard it by `if __name__ == "__main__":`, as other processes import it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

import bots
from bots import Bot
from bots.decision import Decision
from bots.foreign import installed
from bots.seeded import check_rules
from phantomgo import game
from phantomgo.beginning import Beginning
from phantomgo.errors import BadText
from phantomgo.lab import match, strength
from phantomgo.lab.contract import breaches
from phantomgo.lab.learn import asked, halved, held_out, learned, shells
from phantomgo.lab.learners.learner import Terms
from phantomgo.lab.learners.table import parse_learner
from phantomgo.lab.players import Conditions, close_engines, player
from phantomgo.lab.progress import SILENT, Progress
from phantomgo.lab.seeds import SeedStore, make_setup
from phantomgo.lab.store import MEMORY
from phantomgo.lab.workers import checked_jobs, workers
from phantomgo.match.report import Report
from phantomgo.match.stats import Sprt
from phantomgo.points import Colour, members, parse_points
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.exploit import FRESH, METHODS, Table, cross_validate
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.portfolio.methods import parse_method
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.packed import Packed, read_matrix
from phantomgo.record import Record
from phantomgo.rules import EVEN_KOMI, Rules
from phantomgo.view import View

Named: TypeAlias = str | type[Bot]
"""A player: a spec, or the class of a bot with all parameters at their defaults."""
BELIEVER: Final = "phantom"
"""The bot whose belief is shown unless another is asked for."""


def spec_of(player: Named) -> str:
    """The spec of a player."""
    if isinstance(player, str):
        return player
    ours = next((kind for kind in bots.BOTS if bots.BOTS[kind] is player), None)
    return ours or f"{player.__module__}:{player.__qualname__}"


def make_bot(player: Named, seed: int = 0) -> Bot:
    """The bot of a spec, playing this seed.

    Raises:
        BadText: no bot has this spec, or the seed is out of range.
    """
    return bots.make(spec_of(player), seed)


def bot_names() -> list[str]:
    """Our bots, and those that installed packages offer."""
    return [*sorted(bots.BOTS), *installed(bots.BOTS)]


def check_bot(player: Named) -> list[str]:
    """How a bot breaks the contract, a sentence for each part of it; empty if it keeps it."""
    return [f"{what}: {wrong}" for what, wrong in breaches(spec_of(player)) if wrong]


def decide(view: View, bot: Named | Bot = BELIEVER, seed: int = 0) -> Decision:
    """What a bot does in a view: the move, and the candidates and beliefs it came from."""
    return (bot if isinstance(bot, Bot) else make_bot(bot, seed)).decide(view)


def belief_map(view: View, bot: Named | Bot = BELIEVER, seed: int = 0) -> FloatArray:
    """How likely an enemy stone stands on each point, as a bot sees it.

    Shape (size, size), rows from the bottom and columns from the left, so A1 is `[0, 0]`. Located
    stones are 1.
    """
    size = view.rules.size
    shares = decide(view, bot, seed).stone_shares
    found = np.zeros(size * size)
    found[list(shares)] = list(shares.values())
    found[list(members(view.located))] = 1
    return found.reshape(size, size)


def rules_of(rules: str | Rules, size: int, komi: float | None) -> Rules:
    """The rules of a profile on a board of this size, or rules as they are.

    Raises:
        BadRules: no profile has this name, or a value is not allowed.
    """
    return rules if isinstance(rules, Rules) else Rules.profile(rules, size=size, komi=komi)


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
        komi: points White is given; None is the profile's.
        rules: the name of a profile, or rules, which say size and komi themselves.
        seeds: Black's and White's. The same ones play the same game.
        handicap: vertices of Black's stones on the board from the start.

    Raises:
        BadText: a spec or a vertex is not one.
        BadRules: there are no such rules.
        Fault: an engine does not take part.
    """
    terms = rules_of(rules, size, komi)
    specs = spec_of(black), spec_of(white)
    beginning = Beginning(parse_points(handicap, terms.size))
    for spec in specs:
        check_rules(spec, terms, beginning)
    conditions = Conditions(terms, beginning=beginning)
    try:
        seated = [
            player(spec, place, seed, colour, conditions)
            for place, (spec, seed, colour) in enumerate(zip(specs, seeds, Colour, strict=True))
        ]
        return game.play_game(terms, seated[0], seated[1], beginning, seeds)
    finally:
        close_engines()


def play_match(
    *players: Named,
    games: int = 100,
    size: int = 9,
    komi: float | None = None,
    rules: str = "olympiad",
    seed: int = 0,
    seconds: int | None = None,
    sprt: tuple[float, float] | None = None,
    jobs: int = 1,
    store: str | Path | None = None,
    progress: Progress = SILENT,
) -> Report:
    """Play a match: every two players meet in pairs of games with colours swapped.

    Args:
        players: two or more.
        games: games of every two players; even.
        size: points per side.
        komi: points White is given; None is the profile's.
        rules: the name of a profile.
        seed: gives all seeds. The same one plays the same match.
        seconds: of each side for a game; None for no clock.
        sprt: two Elo differences; the match of two players ends as soon as a sequential test tells
            which of them holds.
        jobs: games at a time.
        store: a file that keeps the games; the same call goes on from there.
        progress: told how far it is.

    Raises:
        BadText: a player or a number is not one.
        BadRules: there are no such rules.
        BadStore: the store cannot be used, or is of another match.
        Broken: a foreign bot is not a function of its view.
        Stopped: games do not come about.
        KeyboardInterrupt: Ctrl-C; what was being played has been saved.
    """
    terms = rules_of(rules, size, komi)
    specs = [spec_of(who) for who in players]
    for spec in specs:
        check_rules(spec, terms)
    test = None if sprt is None else Sprt(*sprt)
    plan = match.Plan.of(specs, games, seed, Conditions(terms, seconds), rules, test)
    path = MEMORY if store is None else str(store)
    with match.MatchStore(path, plan) as kept, workers(checked_jobs(jobs)) as crew:
        match.play(plan, kept, crew, progress)
        return match.report(plan, kept)


def learn(
    bot: Named,
    *,
    white: Named | None = None,
    size: int,
    komi: float | None = None,
    rules: str = "olympiad",
    seeds: int = 100,
    opponent_seeds: int | None = None,
    method: str = "nash",
    halving: bool = False,
    test_seeds: int = 0,
    name: str = "learned",
    jobs: int = 1,
    store: str | Path | None = None,
    progress: Progress = SILENT,
    handicap: Sequence[str] = (),
) -> Book:
    """Learn which seeds a bot should play: a book, which `write_book` keeps.

    Args:
        bot: whose seeds.
        white: another bot for White.
        size: points per side.
        komi: points White is given; None is the profile's.
        rules: the name of a profile.
        seeds: own seeds per colour.
        opponent_seeds: those they are tried against; None is as many.
        method: what makes a distribution of results (`nash`, `sparse:alpha=0.5`, `bestseed` ...),
            or asks for the games it needs (`exp3:games=800`, `oracle` ...).
        halving: whether to drop the worse half of the seeds again and again, instead of playing
            all against all.
        test_seeds: fresh seeds per colour that the book is measured on; 0 leaves it unmeasured.
        name: of the book.
        jobs: games at a time.
        store: a file that keeps the games; the same call goes on from there.
        progress: told how far it is.
        handicap: vertices of Black's stones on the board from the start.

    Raises:
        BadText: a spec, method or number is not one, or the bot's seeds cannot be learned.
        BadRules: there are no such rules.
        BadStore: the store cannot be used, or is of other games.
        Stopped: games do not come about.
        KeyboardInterrupt: Ctrl-C; what was being played has been saved.
    """
    opponents = seeds if opponent_seeds is None else opponent_seeds
    if seeds < 1 or opponents < 1 or (opponents > seeds and not halving):
        raise BadText(f"{opponents} opponent seeds are not from 1 to the {seeds} own seeds")
    chosen, both = parse_learner(method), (spec_of(bot), spec_of(white or bot))
    if halving and chosen.kind is not None:
        raise BadText(f"halving is for a method of a whole matrix, not {method}")
    terms = Terms(seeds, opponents)
    chosen.begin(terms)
    named = rules_of(rules, size, komi)
    setup = make_setup(*both, rules, named, Beginning(parse_points(handicap, size)))
    path = MEMORY if store is None else store
    results = halved if halving else shells
    with SeedStore(path, setup) as kept, workers(checked_jobs(jobs)) as crew:
        if chosen.kind is None:
            *_, packed = results(kept, name, seeds, opponents, crew, progress)
            book = learned(packed, parse_method(chosen.text), 0)
        else:
            *_, book = asked(kept, name, chosen, terms, crew, progress)
        if not test_seeds:
            return book
        tests = range(book.training.fresh, book.training.fresh + test_seeds)
        sides = book.black, book.white
        return replace(book, evaluation=held_out(kept, sides, tests, crew, progress=progress))


def evaluate(
    matrix: str | Packed | None = None,
    *,
    store: str | Path | None = None,
    methods: Sequence[str] = METHODS,
    train: int | None = None,
    exploiters: Sequence[int] = EXPLOITERS,
    repeats: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> Table:
    """Cross-validate methods: how seeds learned on part of a matrix do against all others.

    Args:
        matrix: a packed matrix, by name, file or value.
        store: the file of a `learn`, instead.
        methods: the rows of the table.
        train: seeds to learn on; None keeps 20 for testing.
        exploiters: the columns: the numbers K' of seeds that the opponent tries.
        repeats: how often training and test seeds are drawn.
        seed: makes the draws.
        jobs: processes.
        progress: told how far it is.

    Raises:
        BadText: there are too few seeds for this or only those that halving left, or a method is
            not one.
        BadStore: the matrix or store cannot be read.
    """
    if (matrix is None) == (store is None):
        raise BadText("evaluate takes either a matrix or a store")
    if store is not None:
        with SeedStore(store) as kept:
            won = kept.matrix(*kept.sizes(None, None))
    else:
        won = (matrix if isinstance(matrix, Packed) else read_matrix(str(matrix))).whole
    opponents = max(1, won.opponents - FRESH) if train is None else train
    with workers(checked_jobs(jobs)) as crew, progress.stage("resamplings", repeats) as advance:
        return cross_validate(
            won,
            methods,
            opponents=opponents,
            exploiters=exploiters,
            repeats=repeats,
            seed=seed,
            spread=crew.map,
            advance=advance,
        )


def measure_strength(
    *players: Named,
    against: Named = "flatmc",
    size: int = 9,
    komi: float | None = None,
    rules: str = "olympiad",
    milliseconds: float = 2,
    games: int = 200,
    seed: int = 0,
    jobs: int = 1,
    folder: str | Path | None = None,
    progress: Progress = SILENT,
    done: Callable[[strength.Row], None] = lambda _: None,
) -> list[strength.Row]:
    """Match bots whose decisions take the same processor time: a row for each match.

    Args:
        players: the bots that are measured.
        against: the bot that all of them play.
        size: points per side.
        komi: points White is given; None is where our bots win as often with either colour.
        rules: the name of a profile.
        milliseconds: processor time of a decision.
        games: of each match; even.
        seed: gives all seeds.
        jobs: games at a time.
        folder: keeps budgets and games; the same call goes on from there.
        progress: told how far it is.
        done: told each row as soon as it is there.

    Raises:
        BadText: a spec or a number is not one.
        BadStore: the folder has budgets or games of other bots.
    """
    given = EVEN_KOMI.get(size) if komi is None else komi
    terms = rules_of(rules, size, given)
    named = strength.players(spec_of(against), [spec_of(who) for who in players])
    place = None if folder is None else Path(folder)
    tour = strength.Tour(named, (terms,), rules, milliseconds, games, seed, place)
    if place is not None:
        place.mkdir(parents=True, exist_ok=True)
    with workers(checked_jobs(jobs)) as crew:
        return strength.board(tour, terms, crew, progress, done)
