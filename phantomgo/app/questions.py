"""Our own questions about seeds, which no paper answers, as studies of `phantomgo reproduce`."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from phantomgo.app.steps import FLAT, KOMI, SECONDS, Step, Study, Terms

SQUARE: Final = ("uniform", "bestseed", "besthalf", "topk", "besttop", "sparse", "nash", "bagged",
                 "quantal")  # fmt: skip
"""Methods that learn from the whole matrix."""
BANDITS: Final = ("nash", "halving", "halving:k=16", "ucb", "ucb:k=16", "exp3", "exp3:share=0.2")
POPULATIONS: Final = ("nash", "sublinear", "oracle", "psro", "apsro", "selfplay", "window")
FAMILIES: Final = {"square": SQUARE, "bandits": BANDITS, "populations": POPULATIONS}
"""The learners that share a figure, each with `nash`."""
MATRICES: Final = {"flat5": (1.1, 1), "phantom5-square": (14.0, 4)}
"""Matrices, with milliseconds of processor time per game, and deals for at least 20 repetitions."""
EXACT: Final = ("uniform", "bestseed", "besthalf", "topk", "sparse", "nash", "bagged", "quantal",
                "exp3", "ucb:k=16", "halving:k=16", "sublinear", "oracle", "psro", "apsro",
                "selfplay", "window")  # fmt: skip
SHOWN: Final = "uniform bestseed topk nash"
"""Methods that represent one seed, several, and an equilibrium."""


def _exact(terms: Terms) -> Iterator[Step]:
    """Portfolios against best responses in the two games that are small enough."""
    for name, games, seeds, most, minutes in (
        ("flat2", "--size 2 --komi 0.5 --bot flatmc:playouts=20", 148, 16384, 0.5),
        ("ttt", "--game openspiel:phantom_ttt --bot random", 220, 40000, 6),
    ):
        yield terms.learn(name, games, seeds, 30)
        yield Step(
            f"exact-{name}",
            f"evaluate exact --store {name}.db --learners {' '.join(EXACT)} --budgets {most}"
            f" --responder {minutes} --jobs {terms.jobs}",
            900,
        )


def _learners(terms: Terms) -> Iterator[Step]:
    """Every learner at equal games and at equal processor time."""
    for matrix, (milliseconds, deals) in MATRICES.items():
        for family, learners in FAMILIES.items():
            for by, words in (("games", ""), ("time", f" --milliseconds {milliseconds}")):
                name = f"{family}-{by}"
                yield Step(
                    f"{name}-{matrix}",
                    f"evaluate learners {matrix} --learners {' '.join(learners)} --deals {deals}"
                    f"{words} --jobs {terms.jobs}{terms.plot(name)}",
                    120,
                )


def _noise(terms: Terms) -> Iterator[Step]:
    for noise in (0, 0.05, 0.1, 0.2, 0.3):
        yield Step(
            f"noise-{noise}",
            f"evaluate learners flat{terms.size} --learners {' '.join(SQUARE)} --noise {noise}"
            f" --budgets 12800 144400 --deals 1 --jobs {terms.jobs}",
            60,
        )


def _symmetries(terms: Terms) -> Iterator[Step]:
    games = 2 * 8 * 100 * 200
    yield Step(
        f"symmetries{terms.size}",
        f"evaluate fresh flat{terms.size} --methods bestseed topk:k=2 topk nash --test-seeds 100"
        f" --symmetries 8 --store symmetries{terms.size}.db --jobs {terms.jobs}",
        games * SECONDS[terms.size],
    )


def _leave(terms: Terms) -> Iterator[Step]:
    games, cost = f"--bot {FLAT} {terms.board}", SECONDS[terms.size]
    topk = partial(terms.learn, method="topk:k=16", tests=100)
    for moves in (2, 4, 6, 8):
        yield topk(f"leave{terms.size}-{moves}", f"{games} --leave {moves}", 200, 80_000 * cost)
    yield topk(f"leave{terms.size}-never", games, 200, 60_000 * cost)


def _boards(terms: Terms) -> Iterator[Step]:
    for size in KOMI:
        yield Step(
            f"board{size}",
            f"evaluate methods --matrix flat{size} --methods {SHOWN} --repeats {terms.repeats}"
            f" --jobs {terms.jobs}{terms.plot(f'board{size}')}",
            60,
        )


def _strength(terms: Terms) -> Iterator[Step]:
    for playouts in (200, 1000, 5000):
        name = f"strength{terms.size}-{playouts}"
        bot, seconds = f"--bot flatmc:playouts={playouts}", 50 * playouts * SECONDS[terms.size]
        yield terms.learn(name, f"{bot} {terms.board}", 100, seconds)
        yield Step(
            name,
            f"evaluate methods --store {name}.db --methods {SHOWN} --repeats {terms.repeats}",
            10,
        )


def _phantoms(terms: Terms) -> Iterator[Step]:
    """Other games with hidden information."""
    games = {"phantom-ttt": "phantom_ttt", "phantom-hex": '"dark_hex(board_size=3)"'}
    for name, game in games.items():
        yield terms.learn(name, f"--game openspiel:{game} --bot random", 400, 60)
        yield Step(
            name,
            f"evaluate methods --store {name}.db --methods {SHOWN} --repeats {terms.repeats}",
            20,
        )


QUESTIONS: Final = {
    "exact": Study("How far are fresh seeds from a best response?", (2,), _exact),
    "learners": Study("Which learner is best at equal games, and at equal time?", (5,), _learners),
    "noise": Study("What if some results of the matrix are wrong?", (5, 7, 9), _noise),
    "symmetries": Study(
        "What do the board's symmetries do to a portfolio?", (5, 7, 9), _symmetries
    ),
    "leave": Study("What if a book is left early?", (5, 7, 9), _leave),
    "boards": Study("What do seeds win as boards grow?", (5,), _boards),
    "strength": Study("What do seeds win as bots think longer?", (5, 7), _strength),
    "phantoms": Study("Do seeds matter in other phantom games?", (3,), _phantoms),
}
"""Studies by the names that `phantomgo reproduce` takes."""
