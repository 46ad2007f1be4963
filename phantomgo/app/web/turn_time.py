"""The duration of a bot's turn, planned before its first attempt so that it reveals no refusal.

The plan follows from what everybody at the table knows: the clock at the beginning of the turn and
the number of the turn. The turn is charged what was planned and ends when the plan says, however
often the bot is refused. A turn that takes longer, as on an overloaded machine, ends after twice,
three times ... the planned time.
"""

import math
from typing import Final, NamedTuple, Self

from gtp.clock import Clock, Limit
from phantomgo.points import grid
from phantomgo.view import View

LONGEST: Final = 5.0
"""Seconds of thought that end a bot's process, and the longest turn of an engine with a clock."""
GLANCES: Final = 50
"""A bot's longest thought, in multiples of a glance (`Bot.within`): 10,000 playouts."""


def share(view: View, left: float) -> float:
    """Return the seconds for one decision, of those left on a clock."""
    clock = Clock(Limit(left)).asked(view.colour, view.turn)
    return clock.budget(view.colour, grid(view.rules.size).points, view.turn) or 0.0


def glances(refusals: int) -> int:
    """Return the length of a bot's thought after this many refusals in its turn.

    Each refusal halves it, so that a turn takes no more than twice its first attempt and a glance
    for each later one. The levels reach this bound after several refusals only.
    """
    return max(GLANCES >> refusals, 1)


def engine_seconds(view: View, left: float) -> float:
    """Return the seconds an engine is given for an attempt: half of what is left of its turn.

    Args:
        view: everything that the engine is sent.
        left: seconds on its clock at the beginning of the turn.
    """
    return min(share(view, left), LONGEST) * 0.5 ** (view.refusals + 1)


class TurnPlan(NamedTuple):
    """The plan of a turn.

    Attributes:
        seconds: the turn ends after a multiple of them; the first one, if nothing goes wrong.
        fixed: seconds taken from the clock; None takes multiples of `seconds` that were thought.
        left: seconds on the clock, the most that can be taken.
    """

    seconds: float
    fixed: float | None
    left: float = math.inf

    @classmethod
    def of_bot(cls, view: View, left: float | None, beat: float) -> Self:
        """Plan a turn of one of our bots, which think much less than a beat.

        Args:
            view: of the bot; only its colour and turn matter.
            left: seconds on its clock at the beginning of the turn; None without a clock.
            beat: seconds that a turn takes. With little time left, less is charged.
        """
        return cls(beat, beat if left is None else min(beat, share(view, left)))

    @classmethod
    def of_engine(cls, view: View, left: float | None, beat: float) -> Self:
        """Plan a turn of an engine: its share of the clock, in whole beats, up to `LONGEST`."""
        if left is None:
            return cls(beat, None)
        beats = min(share(view, left), LONGEST) // beat if beat else 0
        return cls(beat * max(beats, 1), None, left)

    def rest(self, passed: float) -> float:
        """Return the seconds until the turn may end, when this many have passed."""
        return self.seconds - passed % self.seconds if self.seconds else 0.0

    def charge(self, thought: float) -> float:
        """Return the seconds taken from the clock for a turn with this many seconds of thought."""
        if self.fixed is not None:
            return self.fixed
        turns = max(math.ceil(thought / self.seconds), 1) if self.seconds else 0
        return min(self.seconds * turns or thought, self.left)
