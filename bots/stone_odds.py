"""The belief net: odds of hidden enemy stones, learned from games of our own players.

A small convolutional net (bots/kernels/net.py) reads the board as one player knows it and says of
every open point how likely a stone is there. It has learned how opponents play around the known
stones: the middle before the edge, no answers to stones that they cannot see, and nothing inside a
shape that has just refused them. Worlds then draw hidden stones by the odds. Given the net's
output, whether two points are occupied is close to independent (measured), so drawing stones one by
one gives likely worlds.

Knowing where the stones are is worth more than anything else, as Buron found (A Study of Monte
Carlo Methods for Phantom Go, 2013). All arithmetic is on integers, so an attempt is the same on
every machine.
"""

from bots.features import planes
from bots.kernels.net import evaluate
from bots.nets import Net
from bots.worlds import UNIFORM, Ints
from phantomgo.view import View


def log_odds(view: View, net: Net) -> Ints:
    """The net's output for every point, in units of 1 / VALUE; empty if no stone is hidden."""
    if not view.hidden or not view.unknown:
        return UNIFORM
    said: Ints = evaluate(planes(view, len(net.planes)), net.channels, net.pairs, view.rules.size)
    return said
