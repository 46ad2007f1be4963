"""The contract that every bot has to keep, as checks of a spec.

Each check asks the spec's bot for attempts or plays games with it, at the budget of the spec, and
reports what is wrong. `phantomgo bots --check SPEC` and the tests of our own bots run them.
"""

import gc
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import bots
from bots import Bot
from bots.book_checks import usual_game
from bots.bot import BotBySeed
from bots.spec import OnlineSpec, parse
from phantomgo.errors import PhantomGoError
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, PASS, Colour, Move, grid, members, vertex
from phantomgo.game.referee import Referee
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.game.view import View
from phantomgo.game.wording import counted
from phantomgo.lab.processes import spawned
from phantomgo.rng import Stream
from phantomgo.system import signals_delayed

SEED: Final = 11
OPENING: Final = 20
"""The number of a game's attempts that are compared with those made from views only."""
SIZES: Final = (3, 5, 9)

SEEDS: Final = 4
"""The number of seeds compared, to find out whether the seed changes anything."""
PASS_IT_ON: Final = (
    "draw random numbers from self.stream(view), or pass the seed on, as in"
    " pg.decide(view, SPEC, self.seed)"
)
"""The remedy for a bot that ignores its seed."""

Check: TypeAlias = Callable[[str], None]
"""Checks the bot of a spec; raises Breach if it breaks a promise."""


class Breach(PhantomGoError):
    """A bot breaks the contract; the message says how."""


def views(rules: Rules) -> Iterator[View]:
    """Every fifth view of both sides in a game of random attempts."""
    referee, stream, number = Referee(rules), Stream(7), count()
    while referee.outcome is None:
        colour = referee.to_move
        choices = list(members(grid(rules.size).full & ~referee.view(colour).own))
        random = stream.below(len(choices)) if choices else 0
        referee.attempt(colour, choices[random] if choices and stream.below(12) else PASS)
        yield from (referee.view(side) for side in Colour if next(number) % 5 == 0)


def attempts_in(spec: str, seed: int, asked: list[View]) -> list[Move]:
    """The attempts of a bot that is created again for each view."""
    return [bots.make(spec, Game.of(view), seed).decide(view).move for view in asked]


def ignores_its_seed(spec: str, rules: Rules) -> bool:
    """True if a bot attempts the same with every seed in the views of a game by these rules."""
    for view in views(rules):
        first = attempts_in(spec, 0, [view])
        if any(attempts_in(spec, seed, [view]) != first for seed in range(1, SEEDS)):
            return False
    return True


def answers(spec: str) -> None:
    """Check that it answers every view with a move, under all kinds of announcements."""
    bot = bots.make(spec, Game(Rules(size=5)), SEED)
    bot.warm_up()
    bot.data()
    for profile in PROFILES:
        for view in views(Rules.profile(profile, size=5)):
            try:
                bots.make(spec, Game.of(view), SEED).decide(view)
            except Fault as fault:
                raise Breach(f"{view.colour} {fault}, {_where(view)}, rules {profile}") from fault


def repeats(spec: str) -> None:
    """Check that seed and view determine the attempt, in any order and from any instance."""
    game = Game(Rules(size=7))
    bot, asked = bots.make(spec, game, SEED), list(views(game.rules))
    first = attempts_in(spec, SEED, asked)
    backwards = [bot.decide(view).move for view in reversed(asked)][::-1]
    for again in (attempts_in(spec, SEED, asked), backwards):
        _same("the second time", asked, first, again)


def repeats_elsewhere(spec: str) -> None:
    """Check that seed and view give the same attempt in another process."""
    asked = list(views(Rules(size=7)))
    with spawned(1) as elsewhere:
        with signals_delayed():
            answer = elsewhere.submit(attempts_in, spec, SEED, asked)
        there = answer.result()
    _same("in another process", asked, attempts_in(spec, SEED, asked), there)


def sees_only_views(spec: str) -> None:
    """Check that it attempts the same during a game as it does given only the view."""
    check_pure(partial(bots.make, spec, Game(Rules(size=5))), attempts=200)


def check_pure(make: BotBySeed, attempts: int = OPENING) -> None:
    """Play the beginning of a bot's game against itself, and ask again given only the views.

    Args:
        make: makes the bot with a given seed, for the game.
        attempts: the number of attempts to compare.

    Raises:
        Breach: its attempts depend on something other than view and seed.
    """
    asked, there = _in_game(make, attempts)
    gc.collect()  # the referee is gone for good
    bare = [_attempt(make(view.colour).with_budget(1), view) for view in asked]
    again = [_attempt(make(view.colour).with_budget(1), view) for view in asked]
    _same("the second time", asked, bare, again)
    _same("with the game at hand", asked, bare, there, "it must not look at the game")


def _in_game(make: BotBySeed, most: int) -> tuple[list[View], list[Move | str]]:
    """The first views of a game, with the bot's attempts in them."""
    players = {colour: make(colour).with_budget(1) for colour in Colour}
    referee = Referee(players[BLACK].game.rules)
    asked: list[View] = []
    attempts: list[Move | str] = []
    while referee.outcome is None and len(asked) < most:
        view = referee.view(referee.to_move)
        asked.append(view)
        attempts.append(move := _attempt(players[view.colour], view))
        if isinstance(move, str):
            break
        referee.attempt(view.colour, move)
    return asked, attempts


def _attempt(bot: Bot, view: View) -> Move | str:
    """The bot's attempt, or the fault that it raises."""
    try:
        return bot.decide(view).move
    except Fault as fault:
        return str(fault)


def ends_games(spec: str) -> None:
    """Check that its games against itself end by two passes, within three moves per point.

    Not on 2x2, where sensible players may capture each other's stones for ever.
    """
    for size in SIZES:
        game = Game(Rules(size=size))
        record = play_game(game.rules, bots.make(spec, game, 1), bots.make(spec, game, 2))
        moves = sum(attempt.reason is None for attempt in record.attempts)
        if record.outcome.ending is not Ending.SCORE or moves > 3 * size * size:
            raise Breach(f"on {size}x{size} after {moves} moves: {record.outcome.sentence}")


def keeps_its_name(spec: str) -> None:
    """Check that its spec recreates the same bot, and that a pickled copy is equal."""
    game = Game(Rules(size=4))
    bot = bots.make(spec, game, 9)
    if bots.make(bot.name, game, 9) != bot:
        raise Breach(f"the spec {bot.name} does not make the bot of {spec}")
    twin = pickle.loads(pickle.dumps(bot))
    asked = list(views(game.rules))
    if twin != bot:
        raise Breach(f"a pickled copy of {bot.name} is not equal to it")
    first = [bot.decide(view).move for view in asked]
    again = [twin.decide(view).move for view in asked]
    _same("from a pickled copy", asked, first, again)


def believes(spec: str) -> None:
    """Check that its beliefs are probabilities of points where an enemy stone may be."""
    for view in views(Rules(size=5)):
        bot = bots.make(spec, Game.of(view), SEED)
        for point, share in bot.stone_probabilities(view).items():
            if not (view.unknown >> point & 1 and 0 <= share <= 1):
                raise Breach(f"believes {share:g} of {_shown(point, view)}, {_where(view)}")


CHECKS: Final[Mapping[str, Check]] = {
    "answers every view with a move": answers,
    "the same seed and view give the same attempt": repeats,
    "in another process, too": repeats_elsewhere,
    "sees only its view": sees_only_views,
    "its games end": ends_games,
    "its spec recreates the same bot": keeps_its_name,
    "its beliefs are probabilities": believes,
}
"""Each check with the requirement that it tests."""


def breaches(spec: str) -> Iterator[tuple[str, str | None]]:
    """Each promise of the contract, with the breach that was found, if any.

    A bot on a clock isn't asked to repeat itself. One that learns online is checked as if it had
    not played yet, and learns nothing from the checks.
    """
    with TemporaryDirectory() as folder:
        named, asked = parse(spec), spec
        if isinstance(named, OnlineSpec):
            asked = named._replace(state=f"{folder}/state.db").text
        repeats_itself = bots.make(asked, usual_game(asked), 0).deterministic
        for what, check in CHECKS.items():
            try:
                if check not in (answers, ends_games) and not repeats_itself:
                    continue
                check(asked)
            except (Breach, Fault) as error:
                yield what, str(error)
            else:
                yield what, None


def _same(
    when: str,
    asked: list[View],
    first: Sequence[Move | str],
    then: Sequence[Move | str],
    remedy: str = "its random numbers have to come from self.stream(view)",
) -> None:
    for view, one, other in zip(asked, first, then, strict=True):
        if one != other:
            raise Breach(
                f"attempts {_shown(one, view)}, and {when} {_shown(other, view)}, {_where(view)};"
                f" {remedy}"
            )


def _shown(move: Move | str, view: View) -> str:
    return move if isinstance(move, str) else vertex(move, view.rules.size)


def _where(view: View) -> str:
    moves, refusals = counted(view.turn, "move"), counted(view.refusals, "refusal")
    return f"as {view.colour} after {moves} and {refusals}"
