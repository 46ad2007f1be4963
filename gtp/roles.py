"""The roles there are, each a file.

A role more is one class with `way` and `asked_for`, and its name here.
"""

from typing import Final

from gtp.host import Host
from gtp.role import Role
from gtp.ruler import Ruler
from gtp.seat import Seat

ROLES: Final[tuple[type[Role], ...]] = (Host, Seat, Ruler)
"""In the order in which `phantom-seat` is understood, and commands of other roles are named."""
