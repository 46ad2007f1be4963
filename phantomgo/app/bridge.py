"""`phantomgo bridge`: a phantom engine as an ordinary GTP engine, or a bot on another platform."""

import logging
import os
import sys
import time
from collections.abc import Sequence

from bots import make
from gtp.adapter import adapter
from gtp.channel import ChannelError, ProcessChannel
from gtp.engine import PATIENT, EnginePlayer, Patience
from gtp.limits import NO_LIMITS
from gtp.sau import Bridge
from phantomgo.app.command import of_actions, of_command
from phantomgo.app.gtp import pipes, serve_pipes
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.lab.admission import Named, admitted_bot
from phantomgo.rng import checked_seed, fresh_seed


def adapt(engine: Sequence[str], *, rules: str = "olympiad", patience: float = PATIENT.move) -> int:
    """Serve ordinary GTP on stdin and stdout by a phantom engine; return the exit code.

    Args:
        engine: the engine's command line.
        rules: rules profile, which sets the announcements.
        patience: seconds for an engine's move without a clock, and for its start if fewer than 60.
    """
    patient = Patience.of(patience)
    profile = Rules.profile(rules)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    player = EnginePlayer(
        lambda: ProcessChannel(engine), os.path.basename(engine[0]), patience=patient
    )
    try:
        player.check()
    except ChannelError as error:
        print(f"phantomgo bridge: the engine {error}", file=sys.stderr)
        return 1
    try:
        return serve_pipes(adapter(player, profile, time.process_time, time.monotonic))
    finally:
        player.close()


def sau(
    *, bot: Named = NO_LIMITS.bot, seed: int | None = None, name: str = "phantomgo", size: int = 9
) -> int:
    """Play on the platform of the China Computer Games Championship until it quits.

    Args:
        bot: the bot that plays.
        seed: the seed the bot plays in every game (default: a fresh one for each).
        name: the name given to the platform.
        size: points per side.
    """
    if seed is not None:
        checked_seed(seed)
    if not (name.strip() and name.isprintable()):
        raise BadText(f"name {name[:40]!r} is not printable text")
    rules = Rules.profile("ccgc", size=size)
    spec = admitted_bot(bot, rules)
    logging.basicConfig(stream=sys.stderr, format="phantomgo bridge: %(message)s")
    served = Bridge(
        lambda: make(spec, Game(rules), fresh_seed() if seed is None else seed),
        rules,
        name,
    )
    try:
        with pipes() as (lines, answers):
            for line in lines:
                answer = served.run(line.decode("utf-8-sig", "replace"))
                if answer is not None:
                    answers.write(f"{answer}\n".encode())
                    answers.flush()
                if served.closed:
                    break
    except (KeyboardInterrupt, BrokenPipeError):
        pass
    return 0


configure = of_actions(
    {
        "gtp": (of_command(adapt), "an engine that sees only its view, for ordinary match runners"),
        "sau": (of_command(sau), "our bot on the China Computer Games Championship's platform"),
    }
)
