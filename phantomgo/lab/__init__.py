"""The laboratory: plays games, counts them, and learns from them.

It prints nothing and reads no command line. All games are played for a study of a contest, by the
loop of `run` and the workers that it is given.

Importing it has every book checked by whole games before it is played from.
"""

from bots.seeded import CHECKS
from bots.spec import Make
from phantomgo.portfolio.movebook import AnyBook


def _whole_games(book: AnyBook, make: Make) -> list[str]:
    from phantomgo.lab.identity import changes_in_games  # noqa: PLC0415  (only with a book)

    return changes_in_games(book, make)


CHECKS.append(_whole_games)
