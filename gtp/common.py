"""The themes of every role that plays a game."""

from typing import Final

from gtp.analysis import Analysis
from gtp.handicap import Handicap
from gtp.looking import Looking
from gtp.params import Params
from gtp.role import Theme
from gtp.setup import Setup
from gtp.timing import Timing

COMMON: Final[tuple[type[Theme], ...]] = (
    Setup,
    Handicap,
    Timing,
    Looking,
    Params,
    Analysis,
)
