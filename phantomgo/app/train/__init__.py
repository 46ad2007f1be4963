"""`phantomgo train`: lessons, nets, best responses, and curves of winning.

Training needs the extra `train` (PyTorch); playing does not.
"""

import argparse

from phantomgo.app.command import add_actions

ACTIONS = {
    "lessons": ("lessons", "play games, and ask at every attempt one who knows all stones"),
    "net": ("net", "teach a net where hidden stones stand, or how good candidates are"),
    "response": ("response", "teach a player to beat one bot, and measure what they win"),
    "value": ("value", "fit how often a bot wins where its playouts say so much"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, __name__, ACTIONS)
