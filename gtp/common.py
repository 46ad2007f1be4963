"""The commands of every role that plays a game."""

from gtp.analysis import Analysis
from gtp.looking import Looking
from gtp.params import Params
from gtp.setup import Setup


class Common(Setup, Looking, Params, Analysis):
    """The base class of Host and Seat."""
