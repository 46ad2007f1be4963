"""Merging stores of one contest."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from bots.naming import is_engine
from phantomgo.errors import BadStore
from phantomgo.lab.players import plays_otherwise
from phantomgo.lab.run.contest import SEEDS, Game, Result
from phantomgo.lab.run.store import Store
from phantomgo.match.result import MatchGame
from phantomgo.wording import counted

NAMED: Final = 3
"""The most contradictions that a message names."""


def merge(into: str | Path, others: Sequence[str | Path]) -> int:
    """Copy the games of some stores into one, which is created if missing.

    Known games are kept, as another store may have other results where engines play or a clock
    runs.

    Returns:
        The number of new games.

    Raises:
        BadStore: a store is of another contest, or has another result for a game that always ends
            the same way; none of its games have been added.
    """
    return sum(_merge(into, other) for other in others)


def _merge(into: str | Path, other: str | Path) -> int:
    with Store(other) as source, Store(into, source.players, source.terms) as target:
        known, places = target.results(), source.places()
        contradiction = _Contradiction(source)
        new, wrong = [], []
        for game, text in source.results().items():
            earlier = known.get(game)
            if earlier is None:
                record = source.record(game)
                new.append((game, Result(text, record, place=places.get(game))))
            elif contradiction(earlier, text):
                wrong.append(f"{_named(game, source)} {earlier} and {text}")
        if wrong:
            more = f", and {len(wrong) - NAMED} more" if len(wrong) > NAMED else ""
            raise BadStore(
                f"{target.path} and {source.path} contradict each other in"
                f" {counted(len(wrong), 'game')}: {'; '.join(islice(wrong, NAMED))}{more}"
            )
        seen = target.void_games()
        voids = (void for void in source.void_games() if void not in seen)
        target.add([*new, *voids], source.times())
        return len(new)


class _Contradiction:
    """Decides whether two results of one game contradict each other."""

    def __init__(self, store: Store) -> None:
        self._match = store.terms.get("game") != SEEDS
        names = [player.name for player in store.players]
        if "of" in store.terms:  # another game, with players of its own
            self._repeats = not any(map(is_engine, names))
        else:
            self._repeats = store.terms.get("time") is None and not any(map(plays_otherwise, names))

    def __call__(self, one: str, other: str) -> bool:
        if not self._repeats:
            return False
        if self._match:
            return MatchGame.read(one).untimed != MatchGame.read(other).untimed
        # Games from a packed matrix have no margin: `B+` agrees with `B+2.5`.
        bare = {one, other} & {"B+", "W+"}
        return one[:2] != other[:2] if bare else one != other


def _named(game: Game, store: Store) -> str:
    if store.terms.get("game") == SEEDS:
        return f"Black seed {game[0]} against White seed {game[1]}:"
    return f"game {2 * game[0] + game[1]}:"
