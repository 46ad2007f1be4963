"""The duration of a bot's turn, planned before its first attempt so that it reveals no refusal.

The plan follows from what everybody at the table knows: the clock at the beginning of the turn and
the number of the turn. The turn is charged what was planned and ends when the plan says, however
often the bot is refused. A turn that takes longer, as on an overloaded machine, ends after twice,
three times ... the planned time.
"""

from typing import Final, NamedTuple, Self

from gtp.clock import Clock, Limit
from phantomgo.game.points import grid
from phantomgo.game.view import View

LONGEST: Final = 5.0
"""Seconds of processor time after which a thought ends with its process."""
PROBES: Final = 50
"""A bot's longest thought, in multiples of a probe (`Bot.with_budget`): 10,000 playouts."""


def probes(refusals: int) -> int:
    """Return the length of a bot's thought after this many refusals in its turn.

    Each refusal halves it, so that a turn takes no more than twice its first attempt and a probe
    for each later one. The levels reach this bound after several refusals only.
    """
    return max(PROBES >> refusals, 1)


class TurnPlan(NamedTuple):
    """The plan of a turn.

    Attributes:
        seconds: the turn ends after a multiple of them; the first one, if nothing goes wrong.
        charge: seconds taken from the clock.
    """

    seconds: float
    charge: float

    @classmethod
    def of(cls, view: View, left: float | None, beat: float) -> Self:
        """Plan a turn of a bot, which thinks much less than a beat.

        Args:
            view: of the bot; only its colour and turn matter.
            left: seconds on its clock at the beginning of the turn; None without a clock.
            beat: seconds that a turn takes. With little time left, less is charged.
        """
        if left is None:
            return cls(beat, beat)
        clock = Clock(Limit(left)).asked(view.colour, view.turn)
        share = clock.budget(view.colour, grid(view.rules.size).points, view.turn) or 0.0
        return cls(beat, min(beat, share))

    def rest(self, passed: float) -> float:
        """Return the seconds until the turn may end, when this many have passed."""
        return self.seconds - passed % self.seconds if self.seconds else 0.0
