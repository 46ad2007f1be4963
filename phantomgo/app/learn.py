"""`phantomgo learn`: play the seed matrix, choose a distribution over the seeds, write a book."""

import argparse
import platform
from dataclasses import replace
from functools import partial
from pathlib import Path

import bots
import phantomgo
from bots.fingerprint import fingerprint
from phantomgo.app.heldout import held_out, play_missing
from phantomgo.app.numbers import komi, natural, whole
from phantomgo.app.workers import cores
from phantomgo.errors import BadText
from phantomgo.portfolio import book as books
from phantomgo.portfolio.book import Book, Side, Training
from phantomgo.portfolio.matrix import cells
from phantomgo.portfolio.methods import METHODS, Method, Portfolio, parse_method
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.packed import MAX_SEEDS
from phantomgo.portfolio.shelf import NAME
from phantomgo.portfolio.store import Setup, Store
from phantomgo.rules import PROFILES, Rules
from phantomgo.wording import counted


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bot", required=True, metavar="SPEC", help="the bot whose seeds to learn")
    parser.add_argument("--white-bot", metavar="SPEC", help="another bot for White")
    parser.add_argument("--size", required=True, type=natural, help="points per side")
    parser.add_argument("--komi", type=komi, help="default: the rules profile's")
    parser.add_argument("--rules", default="olympiad", metavar="PROFILE", help=", ".join(PROFILES))
    parser.add_argument(
        "--seeds", required=True, type=natural, metavar="K", help="own seeds per colour"
    )
    parser.add_argument(
        "--opponent-seeds", type=natural, metavar="KT", help="default: as many as own seeds"
    )
    parser.add_argument(
        "--method", default="nash", help=f"{', '.join(METHODS)}; sparse:alpha=0.5 (default: nash)"
    )
    parser.add_argument(
        "--method-seed", type=whole, default=0, metavar="S", help="breaks the method's ties"
    )
    parser.add_argument(
        "--test-seeds",
        type=whole,
        default=100,
        metavar="T",
        help="fresh seeds per colour to measure the book on (default: 100; 0: do not)",
    )
    parser.add_argument(
        "--store", required=True, metavar="FILE", help="where the games are kept; made if missing"
    )
    parser.add_argument("--out", required=True, metavar="BOOK", help="the book to write, NAME.json")
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")


def run(arguments: argparse.Namespace) -> int:
    # Everything that can be wrong is found before the games are played.
    own, opponents = arguments.seeds, arguments.opponent_seeds or arguments.seeds
    if own > MAX_SEEDS:
        raise BadText(f"--seeds {own} is more than {MAX_SEEDS}")
    if opponents > own:
        raise BadText(f"--opponent-seeds {opponents} is more than --seeds {own}")
    method = parse_method(arguments.method)
    out = _book_path(arguments.out)
    rules = Rules.profile(arguments.rules, size=arguments.size, komi=arguments.komi)
    setup = make_setup(arguments.bot, arguments.white_bot or arguments.bot, arguments.rules, rules)
    with Store(arguments.store, setup) as store:
        play_missing(store, cells(own, opponents), arguments.jobs)
        book = learned(store, method, arguments.method_seed, (own, opponents), out.stem)
        if arguments.test_seeds:
            tests = range(own, own + arguments.test_seeds)
            evaluation = held_out(store, (book.black, book.white), tests, arguments.jobs)
            book = replace(book, evaluation=evaluation)
    books.write(book, out)
    print(summary(book))
    return 0


def make_setup(black: str, white: str, profile: str, rules: Rules) -> Setup:
    """The setup of games between two bot specs, with their fingerprints of today."""
    for spec in (black, white):
        if spec.startswith("book:"):
            raise BadText(f"{spec} is a book already; learn the bot it is for")
    black, white = (bots.make(spec, 0).name for spec in (black, white))
    black_print = fingerprint(partial(bots.make, black), rules)
    white_print = fingerprint(partial(bots.make, white), rules)
    return Setup(black, white, black_print, white_print, profile, rules)


def summary(book: Book) -> str:
    """A book in a few lines."""
    lines = [
        f"{book.name}: {book.training.method} over {counted(book.training.seeds, 'seed')},"
        f" {book.size}x{book.size}, komi {book.komi:g}, {book.rules}"
    ]
    games, won, drawn = book.training.games, book.training.black_wins, book.training.draws
    lines.append(
        f"  {counted(games, 'game')}, of which Black won {100 * won / games:.1f} %"
        f" and {100 * drawn / games:.1f} % were drawn"
    )
    for colour, side in (("Black", book.black), ("White", book.white)):
        lines.append(
            f"  {colour} {side.bot}: {counted(len(side.seeds), 'seed')},"
            f" at least {100 * side.value:.1f} % against each training seed"
        )
    if book.evaluation is not None:
        fresh = counted(book.evaluation.seeds, "fresh seed")
        lines.append(f"  against {fresh} per colour, winning rate in %")
        for score in book.evaluation.scores:
            lines.append(
                f"    K'={score.exploiter:<3d} {100 * score.rate:5.1f}"
                f"   (standard deviation over their draws {100 * score.deviation:.1f})"
            )
    return "\n".join(lines)


def learned(store: Store, method: Method, ties: int, sizes: tuple[int, int], name: str) -> Book:
    """The book that a method makes of the games in a store, not evaluated yet."""
    own, opponents = sizes
    matrix = store.matrix(own, opponents)
    portfolio = method.learn(matrix, ties)
    setup = store.setup
    secured = Portfolio(portfolio.black @ matrix.black, 1 - matrix.white @ portfolio.white)
    return Book(
        name=name,
        size=setup.rules.size,
        komi=setup.rules.komi,
        rules=setup.profile,
        black=_side(setup.black, setup.black_fingerprint, portfolio.black, secured.black),
        white=_side(setup.white, setup.white_fingerprint, portfolio.white, secured.white),
        training=Training(
            method=method.text,
            method_seed=ties,
            seeds=own,
            opponent_seeds=opponents,
            **store.tally(own, opponents)._asdict(),
            matrix=matrix.digest(),
            versions=_versions(),
        ),
        evaluation=None,
    )


def _versions() -> dict[str, str]:
    """The versions of what took part in learning."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  (0.1 s)

    found = {"phantomgo": phantomgo.__version__, "python": platform.python_version()}
    for package in ("numpy", "numba", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a place without the packages' metadata
            found[package] = "unknown"
    return found


def _side(bot: str, fingerprint: str, distribution: FloatArray, rates: FloatArray) -> Side:
    value = round(min(1.0, max(0.0, float(rates.min()))), books.DIGITS)
    return Side.of(bot, fingerprint, distribution, value)


def _book_path(text: str) -> Path:
    path = Path(text)
    if path.suffix != ".json" or not NAME.fullmatch(path.stem):
        raise BadText(f"--out {text!r} is not NAME.json with a plain name")
    if not path.parent.is_dir():
        raise BadText(f"--out: there is no folder {path.parent}")
    return path
