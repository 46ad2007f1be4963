"""`policy`: a policy of views, learned by playing against itself; it searches nothing."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots.features import SEEN as FEATURES
from bots.features import planes
from bots.kernels.net import VALUE
from phantomgo.points import BLACK, members
from phantomgo.view import View

SEEN: Final = (*FEATURES, "tried", "passed", "black", "lead")
"""What a policy sees at each point: `bots.features.SEEN`; whether the point was refused since the
last own move, the opponent has just passed, and the player is Black; and by how much the own stones
exceed the enemy's and komi, per point of the board, 1 being even.
"""


def sight(view: View) -> NDArray[np.uint8]:
    """What a policy sees, in units of 1 / VALUE, shape (channels, points)."""
    seen = planes(view, len(SEEN)).astype(np.uint8)
    own = len(FEATURES)
    seen[own, list(members(view.refused_now))] = VALUE
    lead = view.own.bit_count() - view.enemies - int(view.rules.komi_for(view.colour) // 1)
    lead = VALUE + VALUE * lead // view.rules.size**2
    seen[own + 1 :] = np.array(
        [[VALUE * view.opponent_passed], [VALUE * (view.colour is BLACK)], [min(max(lead, 0), 2 * VALUE)]]
    )
    return seen
