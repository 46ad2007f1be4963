"""`phantomgo learn`: play the seed matrix, choose a distribution over the seeds, write a book."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from phantomgo.app.beginnings import add_beginning, beginning
from phantomgo.app.crew import add_dask, crew
from phantomgo.app.numbers import EVEN, add_symmetries, hint_at_komi, komi, natural, whole
from phantomgo.app.options import add_rules
from phantomgo.app.roster import add_players_file, roster
from phantomgo.app.summaries import book_summary
from phantomgo.errors import BadText
from phantomgo.lab.games.contest import make_other_setup
from phantomgo.lab.learn import asked, halved, held_out, learned, shells
from phantomgo.lab.learners.learner import Terms
from phantomgo.lab.learners.table import LEARNERS, parse_learner
from phantomgo.lab.seeds import SeedStore, make_setup
from phantomgo.lab.workers import cores
from phantomgo.portfolio.book import Book, write_book
from phantomgo.portfolio.methods import METHODS, parse_method
from phantomgo.portfolio.packed import MAX_SEEDS, Packed, write_matrix
from phantomgo.portfolio.setup import AnySetup
from phantomgo.portfolio.shelf import NAME
from phantomgo.rules import Rules


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bot", required=True, metavar="SPEC", help="the bot whose seeds to learn")
    parser.add_argument(
        "--game",
        metavar="GAME",
        help="another game than Phantom Go, and its player (docs/learning.md)",
    )
    parser.add_argument("--white-bot", metavar="SPEC", help="another bot for White")
    add_players_file(parser)
    parser.add_argument("--size", type=natural, help="points per side")
    parser.add_argument(
        "--komi", type=komi, help=f"default: the rules profile's; games are even with {EVEN}"
    )
    add_rules(parser, None)
    add_beginning(parser)
    parser.add_argument(
        "--seeds", required=True, type=natural, metavar="K", help="own seeds per colour"
    )
    parser.add_argument(
        "--opponent-seeds", type=natural, metavar="KT", help="default: as many as own seeds"
    )
    parser.add_argument(
        "--halving",
        action="store_true",
        help="play the whole matrix only of the seeds that keep winning (books/README.md)",
    )
    parser.add_argument(
        "--method",
        default="nash",
        help=f"of the whole matrix: {', '.join(METHODS)}; that ask for a part of it:"
        f" {', '.join(LEARNERS)}; with parameters, exp3:games=51200 (default: nash)",
    )
    parser.add_argument(
        "--method-seed",
        type=whole,
        default=0,
        metavar="S",
        help="breaks the method's ties and makes its draws",
    )
    parser.add_argument(
        "--test-seeds",
        type=whole,
        default=100,
        metavar="T",
        help="fresh seeds per colour to measure the book on (default: 100; 0: do not)",
    )
    add_symmetries(parser)
    parser.add_argument(
        "--store", required=True, metavar="FILE", help="where the games are kept; made if missing"
    )
    parser.add_argument("--out", required=True, metavar="BOOK", help="the book to write, NAME.json")
    parser.add_argument(
        "--matrix", metavar="FILE", help="NAME.json: write the results it was learned from, too"
    )
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")
    add_dask(parser)


def run(arguments: argparse.Namespace) -> int:
    # Everything that can be wrong is found before the games are played.
    own, opponents = arguments.seeds, arguments.opponent_seeds or arguments.seeds
    if own > MAX_SEEDS:
        raise BadText(f"--seeds {own} is more than {MAX_SEEDS}")
    if opponents > own and not arguments.halving:
        raise BadText(f"--opponent-seeds {opponents} is more than --seeds {own}")
    chosen = parse_learner(arguments.method)
    if chosen.kind is not None and (arguments.halving or arguments.matrix is not None):
        option = "--halving" if arguments.halving else "--matrix"
        raise BadText(f"{option} is for a method of a whole matrix, not {arguments.method}")
    terms = Terms(own, opponents, arguments.method_seed)
    chosen.begin(terms)
    out = _path("--out", arguments.out)
    matrix = None if arguments.matrix is None else _path("--matrix", arguments.matrix)
    if arguments.game is None:  # other games have other players
        roster(arguments).settle(arguments, "bot", "white_bot")
    setup = _setup(arguments)
    with (
        SeedStore(arguments.store, setup) as store,
        crew(arguments.jobs, arguments.dask) as (workers, shown),
    ):
        if chosen.kind is None:
            results = halved if arguments.halving else shells
            grown = results(store, out.stem, own, opponents, workers, shown)
            books = _of_matrices(grown, chosen.text, terms.seed, matrix)
        else:
            books = asked(store, out.stem, chosen, terms, workers, shown)
        for book in books:
            write_book(book, out)
        if arguments.test_seeds:
            first = book.training.fresh
            tests = range(first, first + arguments.test_seeds)
            sides, number = (book.black, book.white), arguments.symmetries
            evaluation = held_out(store, sides, tests, workers, number=number, progress=shown)
            book = replace(book, evaluation=evaluation)
            write_book(book, out)
    print(book_summary(book))
    return 0


def _of_matrices(
    results: Iterator[Packed], method: str, ties: int, matrix: Path | None
) -> Iterator[Book]:
    """The books that a method makes of growing matrices, which are kept in a file, too."""
    for packed in results:
        yield learned(packed, parse_method(method), ties)
        if matrix is not None:
            write_matrix(replace(packed, name=matrix.stem), matrix)


def _setup(arguments: argparse.Namespace) -> AnySetup:
    """Who plays whom, and what."""
    black, white = arguments.bot, arguments.white_bot or arguments.bot
    if arguments.game is not None:
        for option in ("size", "komi", "rules", "handicap", "after", "symmetries"):
            if getattr(arguments, option) not in (None, ()):
                raise BadText(f"--{option} is for Phantom Go, not for {arguments.game[:60]}")
        return make_other_setup(arguments.game, black, white)
    if arguments.size is None:
        raise BadText("--size is missing: the points per side")
    profile = arguments.rules or "olympiad"
    rules = Rules.profile(profile, size=arguments.size, komi=arguments.komi)
    setup = make_setup(black, white, profile, rules, beginning(arguments, rules))
    hint_at_komi(rules, arguments.komi)
    return setup


def _path(option: str, text: str) -> Path:
    path = Path(text)
    if path.suffix != ".json" or not NAME.fullmatch(path.stem):
        raise BadText(f"{option} {text!r} is not NAME.json with a plain name")
    if not path.parent.is_dir():
        raise BadText(f"{option}: there is no folder {path.parent}")
    return path
