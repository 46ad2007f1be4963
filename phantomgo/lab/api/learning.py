"""Learning books: of seeds, and of moves."""

import math
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import bots
from bots.book import without_opening
from bots.spec import BotSpec, parse
from phantomgo.errors import BadBook, BadText
from phantomgo.files import output_file
from phantomgo.game.beginning import Game
from phantomgo.game.points import Colour
from phantomgo.game.recording import begin
from phantomgo.game.symmetry import SYMMETRIES
from phantomgo.game.view import View
from phantomgo.identity import Identity
from phantomgo.lab.admission import After, Named, game_of, spec_of
from phantomgo.lab.learners.catalog import LearningMethod, parse_learning_method
from phantomgo.lab.learners.learner import SeedTerms
from phantomgo.lab.learning import growth
from phantomgo.lab.learning.learn import (
    LearningPlan,
    of_colours,
    with_games,
    with_opening_lines,
)
from phantomgo.lab.learning.timetable import TRIALS, Timetable, check_minutes
from phantomgo.lab.measure.fresh import LEAST_TEST_SEEDS, held_out, play_trial, scores_of_bot
from phantomgo.lab.players.contract import PASS_IT_ON, ignores_its_seed
from phantomgo.lab.players.ready import get_ready
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.run.workers import HERE, Run
from phantomgo.lab.seeds.contest import make_setup
from phantomgo.lab.seeds.lines import LinesToLearn
from phantomgo.lab.seeds.seed_store import SeedStore
from phantomgo.portfolio.book import Book, read_book, write_book
from phantomgo.portfolio.evaluation import Evaluation
from phantomgo.portfolio.line import MAX_STEPS
from phantomgo.portfolio.movebook import MAX_DEPTH, USAGES, MoveBook, read_moves, write_moves
from phantomgo.portfolio.packed import MAX_SEEDS
from phantomgo.portfolio.setup import Setup
from phantomgo.rng import MAX_SEED, checked_seed
from phantomgo.values import checked_int, checked_number

SEEDS: Final = 100
"""The default number of own seeds per colour; `minutes` replaces it."""
TESTS: Final = 100
"""The default number of fresh seeds per colour that measure a book; `minutes` replaces it."""
MAX_MINUTES: Final = 100_000


def learn(
    bot: Named,
    *,
    white_bot: Named | None = None,
    size: int,
    komi: float | None = None,
    rules: str = "olympiad",
    handicap: Sequence[str] = (),
    after: After | None = None,
    seeds: int | None = None,
    minutes: float | None = None,
    opponent_seeds: int | None = None,
    method: str | None = None,
    method_seed: int = 0,
    moves: Sequence[int] | None = None,
    movers: Sequence[Named] = (),
    start: str | None = None,
    test_seeds: int | None = None,
    symmetries: int | None = None,
    out: str | Path | None = None,
    run: Run = HERE,
) -> Book:
    """Learn which seeds a bot should play, and write a book of them.

    Args:
        bot: the bot whose seeds are learned; `phantom` without its shipped opening book.
        white_bot: another bot for White (default: the same).
        size: points per side.
        komi: points for White (default: even on this board, or the profile's; 0.5 with handicap).
        rules: rules profile, which sets the announcements.
        handicap: handicap stones, which both players know: their vertices or their number.
        after: begin every game with the first moves of a recorded game: its file and their number.
        seeds: own seeds per colour (default 100).
        minutes: time limit, in place of a number of seeds: four fifths of it for learning, the
            rest for games of the book against its bot. Stored games cost no time.
        opponent_seeds: opponent seeds per colour (default: as many as own seeds).
        method: a method that learns from the whole matrix (`nash`, `sparse:alpha=0.5`, `bestseed`
            ...), or one that asks for the games it needs (`halving`, `ucb:games=3200` ...; default:
            `besttop:turned=on`, for play with symmetries).
        method_seed: seed of the method's ties and draws.
        moves: learn opening lines of this many own moves, or of Black's and White's; afterwards the
            bot continues with the game's seed, on any clock (default: seeds play whole games).
            Each training game continues with seeds of its own.
        movers: bots that play the lines' moves, in rotation; seeds of weak bots differ more.
            Without `moves` each of them is a line, and plays whole games with the game's seed.
        start: append a step to this book's lines; training opponents start without the book. The
            new book's lines contain both.
        test_seeds: fresh seeds per colour to measure the book against; 0 to skip (default: 100,
            without minutes).
        symmetries: play each pair of seeds under this many of the eight board symmetries in the
            test (default: 8, fewer for many seeds).
        out: write the book to this file, NAME.json, and update it as learning proceeds.
        run: the workers, the store of the games, and the receiver of progress.

    Raises:
        BadText: a spec, method, name or number is invalid, or the bot's seeds cannot be learned.
        BadRules: there are no such rules.
        BadStore: the store cannot be used, or is of other games.
        Stopped: the games cannot be finished.
        Interrupted: by Ctrl-C; games that were being played are saved.
        OSError: a file cannot be written.
    """
    # Everything that can be wrong is found before the games are played.
    began = time.monotonic()
    own_moves = None if moves is None else of_colours(moves, 1)
    whole_games = len(movers) if moves is None else 0  # bots that are lines themselves
    if minutes is not None:
        checked_number("minutes", minutes, 0.01, MAX_MINUTES)
        _refuse_numbers(seeds, opponent_seeds, test_seeds)
    terms = _terms(seeds, opponent_seeds, method_seed, whole_games)
    tests = _tests(0 if minutes is not None else test_seeds, symmetries)
    usual = "rates:rounds=0" if whole_games else "besttop:turned=on"
    learning_method = parse_learning_method(method or usual)
    file = None if out is None else output_file("book", out)
    name = "learned" if file is None else file.stem
    plan = LearningPlan(name, learning_method, terms, minutes is not None)
    players = spec_of(bot), spec_of(white_bot or bot)
    setup = _setup(players, rules, size, komi, handicap, after, run.progress, minutes)
    if file is not None:
        _refuse_other_book(file, setup)
    openings = _openings(start, own_moves, movers, setup, learning_method, terms)
    openers = _openers(openings, movers, setup, run.progress)
    if openings is None or not openers:
        _check_seeds(setup)
    else:
        openings = replace(openings, movers=tuple(bot.name for bot in openers))
    with run.begin() as workers, SeedStore(run.store, setup, openings) as store:
        timetable = (
            None if minutes is None else Timetable.of(minutes, began, store, workers, run.progress)
        )
        deadline = math.inf if timetable is None else timetable.learned
        for learned in plan.books(store, workers, run.progress, deadline):
            book = learned if openings is None else with_opening_lines(learned, openings, openers)
            _write(book, file)
        book = with_games(book)
        _write(book, file)
        if timetable is not None and test_seeds != 0:
            trial = play_trial(store, book, TRIALS, workers, run.progress, timetable.over)
            book = replace(book, trial=trial)
        elif tests:
            evaluation = _evaluated(store, book, tests, symmetries, workers, run)
            book = replace(book, evaluation=evaluation)
        _write(book, file)
    return book


def _refuse_numbers(*given: int | None) -> None:
    """Refuse numbers of seeds together with minutes."""
    for what, seeds in zip(("seeds", "opponent seeds", "test seeds"), given, strict=True):
        if seeds:
            raise BadText(f"minutes cannot be combined with {what}: it sets their number")


def _tests(seeds: int | None, symmetries: int | None) -> int:
    """The fresh seeds per colour that measure a book."""
    tests = checked_int("test seeds", TESTS if seeds is None else seeds, 0, MAX_SEEDS)
    if 0 < tests < LEAST_TEST_SEEDS:
        raise BadText(f"test seeds {tests} is not 0 or from {LEAST_TEST_SEEDS} to {MAX_SEEDS}")
    if symmetries is not None:
        checked_int("symmetries", symmetries, 1, len(SYMMETRIES))
        if not tests:
            raise BadText("symmetries are for test games, and 0 test seeds play none")
    return tests


def _refuse_other_book(file: Path, setup: Setup) -> None:
    """Refuse to overwrite the book of another bot or game."""
    with suppress(BadBook):  # `write_book` refuses other files
        there = read_book(file) if file.exists() else None
        if there is not None and there.setup.title != setup.title:
            raise BadText(f"{file} is a book of {there.setup.title}: name another file")


def _write(book: Book, file: Path | None) -> None:
    """Write a book, if it has a file."""
    if file is not None:
        write_book(book, file)


def _check_seeds(setup: Setup) -> None:
    """Check that different seeds of each bot play differently."""
    for spec in dict.fromkeys((setup.black.name, setup.white.name)):
        if ignores_its_seed(spec, setup.rules):
            raise BadText(
                f"{spec} plays the same with every seed, so there is nothing to learn: {PASS_IT_ON}"
            )


def _evaluated(
    store: SeedStore, book: Book, tests: int, symmetries: int | None, workers: Workers, run: Run
) -> Evaluation:
    """The scores of a book on fresh seeds, and those of its bot, if the store has its matrix."""
    training, sides = book.training, (book.black, book.white)
    fresh = range(training.first_fresh_seed, training.first_fresh_seed + tests)
    found = held_out(store, sides, fresh, workers, symmetries=symmetries, progress=run.progress)
    if store.lines is not None or not training.is_complete:
        return found
    matrix = store.matrix(training.seeds, training.opponent_seeds)
    without = scores_of_bot(store.setup, matrix, [score.exploiter for score in found.plain])
    return replace(found, without=without, own_seeds=training.seeds if without else 0)


def _terms(seeds: int | None, opponents: int | None, method_seed: int, movers: int) -> SeedTerms:
    """The seeds of both colours, or in their place this many bots that play whole games."""
    if movers and seeds is not None:
        raise BadText(
            "seeds cannot be combined with movers without moves: these bots are the lines"
        )
    own = movers or (SEEDS if seeds is None else seeds)
    terms = SeedTerms(own, own if opponents is None else opponents, method_seed)
    checked_int("seeds", own, 1, MAX_SEEDS)
    checked_int("opponent seeds", terms.opponents, 1, own)
    checked_int("method seed", method_seed, 0, MAX_SEED)
    return terms


def _setup(
    players: tuple[str, str],
    profile: str,
    size: int,
    komi: float | None,
    handicap: Sequence[str],
    after: After | None,
    progress: Progress,
    minutes: float | None = None,
) -> Setup:
    """The setup of these players, without the shipped opening books that they would use.

    Both players are identified by their games, which have to fit into the minutes.
    """
    game = game_of(profile, size, komi, handicap, after, progress)
    for spec in players:
        if isinstance(parse(spec), BotSpec):  # others are refused below
            get_ready(spec, game)
    bare = {spec: _without_book(spec, game, progress) for spec in dict.fromkeys(players)}
    for spec in bare.values():
        if minutes is not None and isinstance(parse(spec), BotSpec):
            check_minutes(minutes, spec, game)
    return make_setup(bare[players[0]], bare[players[1]], profile, game)


def _without_book(spec: str, game: Game, progress: Progress) -> str:
    """The spec without the shipped opening book that `phantom` would use."""
    if not isinstance(parse(spec), BotSpec):
        return spec
    bot = bots.make(spec, game, 0)
    if not any(bot.opens_from(View(game.rules, colour)) for colour in Colour):
        return spec
    bare = without_opening(bot).name
    progress.note(f"{spec} would use an opening book; learning seeds of {bare}")
    return bare


def _openings(
    start: str | None,
    moves: tuple[int, int] | None,
    movers: Sequence[Named],
    setup: Setup,
    method: LearningMethod,
    terms: SeedTerms,
) -> LinesToLearn | None:
    """The opening lines to learn, without their bots; None if seeds play whole games."""
    rates = method.name == "rates"
    if start is None and (moves is not None or movers):
        if moves is None and not rates:
            raise BadText(f"movers without moves need the method rates, not {method.text}")
        return LinesToLearn(moves)
    for what, given in (("movers", movers), ("rates", rates)):
        if given:
            raise BadText(f"{what} needs opening lines: give moves, without start")
    return None if start is None else _continued(start, setup, moves, terms)


def _continued(
    start: str, setup: Setup, moves: tuple[int, int] | None, terms: SeedTerms
) -> LinesToLearn:
    """The lines that continue those of a book."""
    book = read_book(start)
    if moves is None or math.isinf(book.moves):
        raise BadText(
            f"start: lines of book {book.name}, and those that continue it, have to end; set moves"
        )
    if book.setup.as_dict() != setup.as_dict():
        raise BadText(
            f"start: book {book.name} is of {book.setup.title}, not of {setup.title} as played now"
        )
    if (least := min(moves)) <= book.moves:
        raise BadText(f"moves: {least} is not after the {book.moves:g} moves of book {book.name}")
    if len(book.colours) < len(Colour):
        raise BadText(f"start: book {book.name} has lines only for {book.colours[0]}")
    if terms.opponents >= terms.own:
        seeds = f"{terms.opponents} of {terms.own} seeds"
        raise BadText(f"opponent seeds: {seeds} leave none that continue {book.name}")
    longest = max(len(line) for side in (book.black, book.white) for line in side.lines)
    if longest > MAX_STEPS - 2:
        raise BadText(
            f"start: lines of book {book.name} have {longest} steps, of {MAX_STEPS - 2} at most"
        )
    return LinesToLearn(moves, (book.black, book.white), terms.opponents)


def _openers(
    openings: LinesToLearn | None, movers: Sequence[Named], setup: Setup, progress: Progress
) -> tuple[Identity, ...]:
    """The identities of the opening bots."""
    specs = [
        spec if getattr(parse(spec), "book", None) else _without_book(spec, setup.game, progress)
        for spec in map(spec_of, movers)
    ]
    known = tuple(make_setup(spec, spec, setup.profile, setup.game).black for spec in specs)
    whole_games = openings is not None and openings.moves is None
    if whole_games and len({bot.name for bot in known}) < len(known):
        raise BadText("movers: one is named twice")
    return known


def learn_moves(
    bot: Named,
    *,
    size: int,
    komi: float | None = None,
    rules: str = "olympiad",
    handicap: Sequence[str] = (),
    after: After | None = None,
    method: str = "mbm",
    games: int = 1000,
    batch: int = 16,
    depth: int = 8,
    least: int = 2,
    start: str | None = None,
    usage: str = "rate",
    seed: int = 0,
    out: str | Path | None = None,
    run: Run = HERE,
) -> MoveBook:
    """Grow a book of moves from games of a bot against itself.

    Args:
        bot: the bot that plays where the book has no move.
        size: points per side.
        komi: points for White (default: even on this board, or the profile's; 0.5 with handicap).
        rules: rules profile, which sets the announcements.
        handicap: handicap stones, which both players know: their vertices or their number.
        after: begin every game with the first moves of a recorded game: its file and their number.
        method: the rule that selects known moves: `mbm` or `mvbm` (books/README.md).
        games: games to play.
        batch: games played between two updates of the book; the last ones may be fewer.
        depth: how many of a player's first moves the book contains.
        least: leave out situations seen in fewer games.
        start: start from this book of moves.
        usage: play the known move with the highest `rate`, or the one with the most `wins`.
        seed: seed from which all others are derived.
        out: write the book to this file, NAME.json, and update it as learning proceeds.
        run: the workers, the store of the games, and the receiver of progress.

    Raises:
        BadText: a spec, name or number is invalid.
        BadRules: there are no such rules.
        BadStore: the store cannot be used, or is of other games.
        Stopped: the games cannot be finished.
        Interrupted: by Ctrl-C; games that were being played are saved.
    """
    file = None if out is None else output_file("book of moves", out)
    for what, text, allowed in (("method", method, growth.THRESHOLDS), ("usage", usage, USAGES)):
        if text not in allowed:
            raise BadText(f"{what} {text[:40]!r} is not one of {', '.join(allowed)}")
    for what, value in {"games": games, "batch": batch, "least": least}.items():
        checked_int(what, value, 1)
    checked_seed(seed)
    known = None if start is None else read_moves(start)
    setup = _setup((spec_of(bot),) * 2, rules, size, komi, handicap, after, run.progress)
    if known is not None and known.setup.game != setup.game:
        raise BadText(f"book {known.name} to start with is of {known.setup.title}")
    referee, _ = begin(*setup.game)
    made = max(referee.view(colour).turn for colour in Colour)
    checked_int("depth", depth, 1, MAX_DEPTH - made)
    plan = growth.GrowthPlan(setup, method, made + depth, batch, seed, known, usage)
    contest = growth.GrowthBatch(plan)
    with run.begin() as workers, Store(run.store, contest.players, contest.terms) as store:
        name = "learned" if file is None else file.stem
        for book in growth.grow(plan, name, games, least, store, workers, run.progress):
            if file is not None:
                write_moves(book, file)
    return book
