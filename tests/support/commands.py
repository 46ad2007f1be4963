"""Commands, run as from a shell."""

from phantomgo.app.cli import main


def exit_code(*words):
    """What a command ends with, whether it returns or its parser leaves."""
    try:
        return main([*map(str, words)])
    except SystemExit as left:
        return left.code
