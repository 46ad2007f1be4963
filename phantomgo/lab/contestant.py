"""A player of a match with their name and conditions, and one game between two of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from bots.naming import is_engine
from gtp.clock import Limit
from phantomgo.beginning import Beginning
from phantomgo.game import play_game
from phantomgo.identity import Identity
from phantomgo.lab.identity import identify
from phantomgo.lab.players import Conditions, learned_data, player
from phantomgo.outcome import Fault
from phantomgo.player import Decision, Player
from phantomgo.points import Colour
from phantomgo.record import PlayerInfo, Record
from phantomgo.referee import Attempt
from phantomgo.view import View


@dataclass(frozen=True)
class Contestant:
    """A player of a match.

    Attributes:
        spec: the player.
        name: the name in records, which no other contestant has.
        label: the name in tables, which no other contestant has.
        conditions: those of the player; rules and beginning are the same for all contestants.
        table: the name of the player's table in the file of a tournament.
    """

    spec: str
    name: str
    label: str
    conditions: Conditions
    table: str = ""

    @property
    def engine(self) -> bool:
        """True if another program plays."""
        return is_engine(self.spec)

    @cached_property
    def identity(self) -> Identity:
        """The identity, computed now."""
        return identify(self.spec, self.conditions.rules, self.conditions.beginning)

    @cached_property
    def data(self) -> tuple[tuple[str, str], ...]:
        """The learned data that the player uses, with digests."""
        return tuple(learned_data(self.spec).items())

    @property
    def seconds(self) -> int | None:
        """The seconds for a game, as records keep them; None for other clocks or none."""
        limit = self.conditions.limit
        simple = limit is not None and limit == Limit(limit.main) and limit.main == int(limit.main)
        return int(limit.main) if limit is not None and simple else None


Seating: TypeAlias = tuple[Contestant, int, int]
"""A contestant in a game: the player, the place in the match, and the seed."""


def play_contestants(
    seats: tuple[Seating, Seating], beginning: Beginning, known: Sequence[Attempt] | None
) -> tuple[Record, Colour | None]:
    """The record of a game, and the side that could not begin it, if any.

    Args:
        seats: Black and White.
        beginning: how the game begins.
        known: the attempts, if the game has been played in lock step.
    """
    rules, seated = seats[0][0].conditions.rules, list[Player]()
    times = {contestant.seconds for contestant, _, _ in seats}
    seconds = times.pop() if len(times) == 1 else None
    black, white = (PlayerInfo(one.name, seed, one.data) for one, _, seed in seats)
    for colour, (contestant, place, seed) in zip(Colour, seats, strict=True):
        if known is not None:
            seated.append(_Repeating(contestant.name, colour, known))
            continue
        try:
            seated.append(player(contestant.spec, place, seed, colour, contestant.conditions))
        except Fault as fault:  # an engine that does not even begin
            outcome, stones = fault.outcome(colour), beginning.handicap
            return Record(rules, black, white, (), outcome, stones, seconds), colour
    played = play_game(rules, seated[0], seated[1], beginning)
    if known is not None:
        played = replace(played, steps=tuple(s._replace(seconds=0.0) for s in played.steps))
    return replace(played, black=black, white=white, time=seconds), None


class _Repeating:
    """A player who repeats the attempts of a played game."""

    def __init__(self, name: str, colour: Colour, attempts: Sequence[Attempt]) -> None:
        self.name = name
        self._moves = iter([attempt.move for attempt in attempts if attempt.colour is colour])

    def decide(self, view: View, seconds: float = math.inf) -> Decision:  # noqa: ARG002
        return Decision(next(self._moves))
