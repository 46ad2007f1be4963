"""`phantomgo train`: lessons, nets, best responses, and curves of winning.

Training needs the extra `train` (PyTorch); playing does not.
"""

import argparse

from phantomgo.app.command import add_actions

ACTIONS = {
    "lessons": ("lessons", "label positions with a full-information search"),
    "net": ("net", "train a belief net, or a judge of candidates"),
    "response": ("response", "train a best response to one bot, and measure what it wins"),
    "value": ("value", "calibrate playout share to winning probability"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, __name__, ACTIONS)
