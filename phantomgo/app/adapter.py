"""`phantomgo adapter -- ENGINE`: gtp/adapter.py on stdin and stdout."""

import logging
import os
import sys
import time
from collections.abc import Sequence

from gtp.adapter import adapter
from gtp.channel import ChannelError, ProcessChannel
from gtp.player import PATIENT, EnginePlayer, Patience
from phantomgo.app.command import of_command
from phantomgo.app.gtp import serve_pipes
from phantomgo.rules import Rules


def adapt(engine: Sequence[str], *, rules: str = "olympiad", patience: float = PATIENT.move) -> int:
    """Serve GTP on stdin and stdout with a phantom engine behind it; returns the exit code.

    Args:
        engine: the engine's command line.
        rules: rules profile, which sets the announcements.
        patience: seconds that an engine may take to move where there is no clock, and to start if
            fewer than 60.

    Raises:
        BadText: the patience is out of range.
        BadRules: there are no such rules.
    """
    patient = Patience.of(patience)
    profile = Rules.profile(rules)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    player = EnginePlayer(
        lambda: ProcessChannel(engine),
        os.path.basename(engine[0]),
        patience=patient,
    )
    try:
        player.check()
    except ChannelError as error:
        print(f"phantomgo adapter: the engine {error}", file=sys.stderr)
        return 1
    try:
        return serve_pipes(adapter(player, profile, time.process_time, time.monotonic))
    finally:
        player.close()


configure = of_command(adapt)
