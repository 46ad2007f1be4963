"""The Player protocol: anyone who can be asked for an attempt."""

from typing import Protocol

from phantomgo.points import Move
from phantomgo.view import View


class Player(Protocol):
    """A bot, an engine or a person. All it is ever handed is its view."""

    @property
    def name(self) -> str:
        """Its name in records; for a bot, its spec."""

    def propose(self, view: View) -> Move:
        """The move to attempt: a point, PASS or RESIGN.

        Asked again with the view after the refusal when the referee refuses.
        """
