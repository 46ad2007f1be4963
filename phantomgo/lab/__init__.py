"""The laboratory: games played, counted and learned from.

It prints nothing and reads no command line. Whatever plays games is a study of a contest, run by
the loop of `run` with workers that are handed in.

Importing it has every book checked by whole games before it is played from.
"""

from bots.seeded import CHECKS
from bots.spec import Make
from phantomgo.portfolio.movebook import AnyBook


def _whole_games(book: AnyBook, make: Make) -> list[str]:
    from phantomgo.lab.identity import changes_in_games  # noqa: PLC0415  (only with a book)

    return changes_in_games(book, make)


CHECKS.append(_whole_games)
