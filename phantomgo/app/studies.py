"""The studies of `phantomgo reproduce`: experiments of the papers, and our questions.

The papers' figures are printed beside the tables.
"""

from collections.abc import Callable, Iterator
from typing import Final

from phantomgo.app.published import printed
from phantomgo.app.questions import QUESTIONS
from phantomgo.app.steps import FLAT, SECONDS, Step, Study, Terms
from phantomgo.portfolio.book import read_book


def _games(terms: Terms) -> Iterator[Step]:
    """Play the seed matrix, unless the shipped one is used."""
    if terms.seeds is not None:
        games, seconds = f"--bot {FLAT} {terms.board}", terms.seeds**2 * SECONDS[terms.size]
        yield terms.learn(terms.name, games, terms.seeds, seconds, store=f"flat{terms.size}")


def _evaluated(terms: Terms, name: str, words: str, sizes: int = 1) -> Step:
    """Cross-validate on these games, for `sizes` different numbers of training seeds."""
    kept = f"--store flat{terms.size}.db --seeds {terms.seeds}"
    source = kept if terms.seeds else f"--matrix flat{terms.size}"
    learned = (terms.seeds or 400) / 400
    seconds = 2 + 0.1 * terms.repeats * sizes * learned**2
    return Step(
        f"{name}-{terms.name}",
        f"evaluate methods {source} --repeats {terms.repeats} {words}",
        seconds,
    )


def _table1(terms: Terms) -> Iterator[Step]:
    yield from _games(terms)
    methods = "oneseed bestseed nash sparse:alpha=0.5 sparse:alpha=0.75 sparse:alpha=1"
    plot = terms.plot(f"table1-{terms.name}")
    yield _evaluated(terms, "table1", f"--methods {methods} --jobs {terms.jobs}{plot}", 4)


def _portfolios(terms: Terms) -> Iterator[Step]:
    yield from _games(terms)
    yield _evaluated(terms, "uniform", "--methods nash bestseed besthalf --against uniform")
    yield _evaluated(terms, "bestarm", "--methods nash --against bestseed")


def _learning(terms: Terms) -> Iterator[Step]:
    name = f"learning-{terms.name}"
    yield Step(name, f"evaluate online flat{terms.size}{terms.plot(name)}", 100)


def _transfer(terms: Terms) -> Iterator[Step]:
    rules = "gtp:gnugo --mode gtp --chinese-rules"
    bot = f"{rules} --monte-carlo --mc-games-per-level 400 --level 1 --seed {{seed}}"
    games = f'--game go:size=5,komi=6.5 --bot "{bot}"'
    yield terms.learn("gnugo5", games, 100, 1200, method="bestseed")
    for level in range(1, 11):
        yield Step(
            f"transfer-level{level}",
            f"evaluate transfer gnugo5.json --code --games 100 --store level{level}.db"
            f' --opponent "{rules} --level {level} --seed {{seed}}"',
            30 + 20 * level,
        )


def _exp3(terms: Terms) -> Iterator[Step]:
    for name, game in (("nim", "nim"), ("ttt", "phantom_ttt"), ("pig", '"pig(winscore=20)"')):
        games = f"--game openspiel:{game} --bot random"
        yield terms.learn(
            f"exp3-{name}", games, 400, 20, method="exp3:games=800", tests=100, store=name
        )


def _rectangles(terms: Terms) -> Iterator[Step]:
    seeds = terms.seeds or 400
    for game, title, seconds in (("domineering", "domineering", 4), ("atarigo", "atari-go", 26)):
        store = f"{title}{terms.size}"
        name, cost = f"{store}-{seeds}", seconds * (terms.size / 5) ** 4 * (seeds / 100) ** 2
        games = f"--game {game}:size={terms.size} --bot flatmc:playouts=100"
        yield terms.learn(name, games, seeds, cost, store=store)
        yield Step(
            name,
            f"evaluate methods --store {store}.db --seeds {seeds}"
            f" --methods uniform bestseed topk nash --repeats {terms.repeats}",
            10,
        )


def _moves(terms: Terms) -> Iterator[Step]:
    for method in ("mbm", "mvbm"):
        name = f"{method}{terms.size}"
        yield Step(
            f"{name}-games",
            f"book grow --bot {FLAT} {terms.board} --method {method} --games 3000"
            f" --jobs {terms.jobs} --store {name}.db --out {name}.json",
            30 * SECONDS[terms.size] / SECONDS[5],
        )
        yield Step(
            name,
            f"evaluate moves {name}.json --test-seeds 48 --own-seeds 24 --jobs {terms.jobs}",
            20 * SECONDS[terms.size] / SECONDS[5],
        )


def _thesis(terms: Terms) -> Iterator[Step]:
    yield Step(
        "twolevel7",
        "match --black twolevel:playouts=3 --white flatmc:playouts=31000 --size 7 --komi 3.5"
        f" --games 100 --seed 73001 --jobs {terms.jobs} --store twolevel7.db",
        3000,
    )


def _books(terms: Terms) -> Iterator[Step]:
    for kind in ("nash", "top", "ucb")[: 2 if terms.size == 9 else 3]:  # there is no ucb9
        name = f"{kind}{terms.size}"
        book = read_book(name)
        measured = book.evaluation
        assert measured is not None
        games = measured.seeds * measured.symmetries
        games *= len(book.black.seeds) + len(book.white.seeds)
        yield Step(
            f"played-{name}",
            f"evaluate book {name} --test-seeds {measured.seeds} --symmetries"
            f" {measured.symmetries} --jobs {terms.jobs} --store {name}.db",
            games * SECONDS[terms.size],
        )


def _text(text: str) -> Callable[[int], str]:
    return lambda _size: text


STUDIES: Final = {
    "table1": Study(
        "Cazenave et al., Learning opening books (CIG 2016): Table I, figures 1 and 2",
        (5, 7, 9), _table1, printed, own=True,
    ),
    "portfolios": Study(
        "St-Pierre et al., Automatically reinforcing a game AI: Table I",
        (5, 7, 9), _portfolios,
        _text("Go 9x9, 32 seeds of GNU Go. The first player wins 54.16 % (the value of the game);"
              " Nash against uniform 68.51 % as the first player, and concedes 38.80 % as the"
              " second; Nash against the best arm 66.62 %, and concedes 55.76 %."),
        own=True,
    ),
    "learning": Study(
        "St-Pierre et al.: figures 6 to 8",
        (5, 7, 9), _learning,
        _text("Games until every single seed is beaten for good, as Black and as White: Go 9x9"
              " fewer than 128, 32; chess fewer than 128, 64; Havannah fewer than 32, 32; Batoo"
              " fewer than 128, 128. Against Nash the learner reaches the value of the game."),
    ),
    "transfer": Study(
        "St-Pierre et al.: Table II; Liu et al., Fast seed-learning algorithms: Table 2",
        (5,), _transfer,
        _text("The best seed and random seeds win 100 % and 99 to 100 % against levels 1 to 6,"
              " 73 ± 1.3 % and 6.1 ± 0.4 % against level 7, 10.6 ± 0.6 % against level 8,"
              " 9.5 ± 0.6 % against level 9 and 7.0 ± 0.4 % against level 10."),
    ),
    "exp3": Study(
        "Liu et al.: Table 1",
        (5,), _exp3,
        _text("Against one try and against 16: Nim 50 and 0.0 %, learned 73.5 and 3.0 %; phantom"
              " tic-tac-toe 50 and 0.5 %, learned 65.5 and 15.3 %; PigStupid 50 and 40.8 %,"
              " learned 50.0 and 41.3 %."),
    ),
    "rectangles": Study(
        "Liu et al.: Table 3",
        (5, 7), _rectangles,
        lambda size: {
            5: "Against one try, 9000 seeds against 900: Domineering uniform 49.0 %, best seed"
               " 86 %, Nash 78.5 %; Atari-Go uniform 50.0 %, best seed 73.5 %.",
            7: "Against one try, 9000 seeds against 900: Domineering uniform 53.3 %, best seed"
               " 71.5 %; Atari-Go best seed 67.5 %.",
        }[size],
        own=True,
    ),
    "moves": Study(
        "Audouard et al., Grid coevolution for adaptive simulations (2009)",
        (5, 7, 9), _moves,
        _text("9x9, MoGo: MBM wins 48.0 ± 1.9 % as Black and 64.3 ± 1.9 % as White, MVBM 64.6 ±"
              " 2.4 % and 74.5 ± 2.3 %, the handmade book 49.7 ± 3.8 % and 62.9 ± 3.8 %."),
    ),
    "thesis": Study(
        "Buron, A study of Monte Carlo methods for Phantom Go (2013): Table 1",
        (7,), _thesis,
        _text("The two-level player wins 1 of 20 games as Black and 0 of 20 as White at 60 s a"
              " move, 0 and 1 at 120 s, and 3 and 1 at 240 s."),
    ),
    "books": Study(
        "our books as they are played (books/README.md)",
        (5, 7, 9), _books,
        _text("The books hold the figures that they were shipped with: `phantomgo book list`."),
    ),
    **QUESTIONS,
}  # fmt: skip
"""Studies by the names that `phantomgo reproduce` takes."""
