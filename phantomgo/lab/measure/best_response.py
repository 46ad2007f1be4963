"""A best response, approximated: a responder learns against a book or bot, and is measured.

The responder (responder.py) learns against draws of the opponent, and its policy is a book of
moves. Games against fresh draws measure the policy, so its rate is a lower bound on what a best
response wins.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import bots
from bots import Bot
from bots.book import moves_bot, usual_game
from phantomgo.errors import BadBook
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, Colour, Move
from phantomgo.lab.measure.responder import Position, Responder, faced
from phantomgo.lab.run.progress import MOST_MINUTES, Progress, clock
from phantomgo.match.stats import Interval, wilson
from phantomgo.portfolio.movebook import (
    MAX_DEPTH,
    Growth,
    MoveBook,
    Response,
    Situations,
    best,
    read_moves,
    write_moves,
)
from phantomgo.portfolio.setup import Setup
from phantomgo.rng import MAX_SEED
from phantomgo.values import number, whole
from phantomgo.version import __version__

MOST_DRAWS: Final = 100_000
MANY: Final = 4
"""A bot counts as a few players if there are at least this many draws for each."""
LEAST: Final = 16
"""If a bot has endlessly many players, a view is improved only if this many reach it."""
SAVED_EACH: Final = 30.0
"""Seconds of learning between two saves of a policy."""
_FRESH: Final = 1 << 32
"""The distance between the seeds to learn on and those to measure on."""
Drawn: TypeAlias = Callable[[int], Bot]
"""Makes the opponent in the game of a seed."""


class Effort(NamedTuple):
    """The effort with which a responder is learned and measured.

    Attributes:
        base: the spec of the base player, which decides where nothing better was found.
        minutes: processor time to learn.
        draws: how many draws of the opponent it learns on.
        games: how many games against fresh draws measure it.
        seed: the seed from which all others are derived.
    """

    base: str
    minutes: float
    draws: int
    games: int
    seed: int

    @property
    def first(self) -> int:
        """The seed of the first draw that is learned on."""
        return 2 * self.seed * _FRESH

    def checked(self) -> "Effort":
        """The same, its numbers checked, with the base by its full name."""
        base = bots.make(self.base, usual_game(self.base), 0).name
        number("minutes", self.minutes, 0, MOST_MINUTES)
        whole("draws", self.draws, 1, MOST_DRAWS)
        whole("games", self.games, 1, MAX_SEED)
        whole("seed", self.seed, 0, 1 << 20)
        return self._replace(base=base)


class Exploitation(NamedTuple):
    """A responder's result as one colour.

    Attributes:
        opponent: the opponent's spec.
        response: what was learned, and against how many different opponents.
        played: games played to learn, many of them from the middle.
        won: the score in the games against fresh draws.
        games: the number of those games.
    """

    opponent: str
    response: Response
    played: int
    won: float
    games: int

    @property
    def rate(self) -> Interval:
        """The share that the responder wins, with its 95 % interval."""
        return wilson(self.won, self.games)


def learn_response(
    name: str,
    setup: Setup,
    effort: Effort,
    colour: Colour,
    drawn: Drawn,
    identifier: str,
    folder: Path | None,
    progress: Progress,
) -> MoveBook:
    """The policy of a responder that has learned to beat a player as one colour.

    Args:
        name: the policy's name; in the folder it is NAME.json.
        setup: the games, with the base player on both sides.
        effort: the effort.
        colour: the responder's colour.
        drawn: makes the opponents.
        identifier: identifies the player that they are drawn from.
        folder: keeps the policy as it is learned, to continue from; None to keep nothing.
        progress: receives reports of progress.

    Raises:
        BadBook: the folder's policy is damaged, or was learned against another player or otherwise.
    """
    words = json.dumps([identifier, effort.base, effort.draws, effort.seed])
    against, file = hashlib.sha256(words.encode()).hexdigest()[:16], None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{name}.json"
    before, most = _saved(file, against), 60 * effort.minutes
    known, games = dict[str, Move](), 0
    spent = Response(against, 1, 0.0, 0, 0.0, ended=False)
    if before is not None:
        spent, games = before.growth.response or spent, before.growth.games
        if spent.ended or spent.seconds >= most:
            return before
        moves = ((told, best(tried, -1.0)) for told, tried in before.side(colour).items())
        known = {told: move for told, move in moves if move is not None}
    with progress.stage(f"seconds of learning as {colour}", int(most)) as advance:
        advance(int(spent.seconds))
        over = clock(most - spent.seconds, advance)
        began = saved = time.thread_time()
        draws = range(effort.first, effort.first + effort.draws)
        opponents = faced(drawn, colour.other, draws)
        responder = Responder(
            Position.start(setup.rules, setup.beginning),
            colour,
            lambda seed: bots.make(effort.base, setup.game, seed),
            opponents,
            least=1 if effort.draws >= MANY * len(opponents) else LEAST,
            seed=effort.seed,
            known=known,
        )

        def policy(*, ended: bool) -> MoveBook:
            response = Response(
                against,
                len(responder.plays),
                responder.rate,
                spent.views + responder.nodes,
                spent.seconds + time.thread_time() - began,
                ended,
            )
            sides, played = {colour: responder.situations()}, games + responder.games
            return policy_book(name, setup, sides, played, effort.seed, response)

        def stop() -> bool:
            nonlocal saved
            if file is not None and time.thread_time() - saved >= SAVED_EACH:
                write_moves(policy(ended=False), file)
                saved = time.thread_time()
            return over()

        responder.learn(stop)
        learned = policy(ended=not over())
    if file is not None:
        write_moves(learned, file)
    return learned


def _saved(file: Path | None, against: str) -> MoveBook | None:
    """The policy in a file, if there is one."""
    if file is None or not file.exists():
        return None
    policy = read_moves(str(file))
    response = policy.growth.response
    if response is None or response.against != against:
        raise BadBook(f"{file} is a policy against another player; name another folder")
    return policy


def measure_response(
    policy: MoveBook, effort: Effort, colour: Colour, drawn: Drawn, progress: Progress
) -> float:
    """The score of a policy as one colour in games against fresh draws of a player."""
    first, won, setup = effort.first + _FRESH, 0.0, policy.setup
    with progress.stage(f"games as {colour}", effort.games) as advance:
        for seed in range(first, first + effort.games):
            other = drawn(seed)
            mine = moves_bot(policy, bots.make(effort.base, setup.game, seed), bots.make)
            black, white = (mine, other) if colour is BLACK else (other, mine)
            outcome = play_game(setup.rules, black, white, setup.beginning).outcome
            won += outcome.score(colour)
            advance(1)
    return won


def policy_book(
    name: str,
    setup: Setup,
    sides: Mapping[Colour, Situations],
    games: int,
    seed: int,
    response: Response | None = None,
) -> MoveBook:
    """A policy as a book of moves, after this many games."""
    growth = Growth(
        method="responder",
        threshold=0.0,
        depth=MAX_DEPTH,
        least=1,
        start=None,
        games=games,
        batch=1,
        seed=seed,
        black_wins=0,
        versions={"phantomgo": __version__},
        response=response,
    )
    black, white = (sides.get(colour, {}) for colour in Colour)
    return MoveBook(name, setup, black, white, growth)
