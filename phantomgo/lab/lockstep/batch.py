"""Whole games in lock step: many games of two of our bots, compiled from referee to decision.

Each game runs until it waits for playouts; then the playouts of all games fill the lanes of one
call of the kernel (bots/kernels/playouts.py). No Python runs per attempt. A decision that several
games need, with the same seed in the same view, is made once.

The games are the ones that `phantomgo.game.playing.play_game` plays, attempt by attempt; tests
compare them. `can_play` says which bots can; `phantomgo.lab.lockstep.kernels.decide` makes their
decisions.

`ask` asks one bot for its next attempt in many games that others play.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

import bots
from bots.book import without_opening
from bots.bot import Bot
from bots.deployed import NONE
from bots.features import EVALUATOR_PLANES
from bots.flatmc import FlatMC
from bots.kernels.chances import row_length
from bots.kernels.jit import announce, is_compiled
from bots.kernels.net import odds_table
from bots.kernels.playouts import play_out
from bots.kernels.positions import POSITION
from bots.kernels.rows import workspace
from bots.kernels.tasks import TASK
from bots.nets import DEFAULT, Net, read_net
from bots.passing import SURE, WORLDS
from bots.phantom import Phantom
from bots.random_bot import RandomBot
from phantomgo.errors import BadText
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.messages import Reason
from phantomgo.game.outcome import Ending, Outcome
from phantomgo.game.points import BLACK, MAX_SIZE, WHITE, Colour, PointSet
from phantomgo.game.record import Attempt
from phantomgo.game.rules import CHOICES, Rules
from phantomgo.game.symmetry import IDENTITY, Symmetry
from phantomgo.game.view import View
from phantomgo.lab.lockstep.kernels import layout
from phantomgo.lab.lockstep.kernels.advance import advance, begin_game
from phantomgo.lab.lockstep.kernels.decide import KEPT
from phantomgo.lab.lockstep.kernels.desk import Desk, Ints
from phantomgo.lab.lockstep.kernels.sets import ROWS
from phantomgo.portfolio.line import Line, moves_of
from phantomgo.rng import checked_seed

GAMES: Final = 64
"""The most games at once."""
PLAYOUTS: Final = 200_000
"""Approximate playouts per kernel call, few enough to notice Ctrl-C; at least those of a decision.
"""
FEW: Final = 64
"""The least number of games for which lock step pays if its kernels are compiled."""
MANY: Final = 500
"""The least number of games if they are not. Compiling takes longer than 500 games save, but
happens once.
"""
KEPT_DECISIONS: Final = 1 << 18
"""Decisions that a batch caches, a power of two; later ones overwrite earlier ones. 8 MB."""
LOGGED: Final = 256
"""The number of attempts that a game's log can contain before it is read."""
NEVER: Final = 1 << 62
"""More moves or attempts than a game has: where a seed stops that plays the rest of the game."""


class BatchGame(NamedTuple):
    """A game that was played.

    Attributes:
        outcome: how it ended, in the referee's words.
        attempts: every attempt, as in the referee's log; empty unless requested.
    """

    outcome: Outcome
    attempts: tuple[Attempt, ...] = ()


def can_play(rules: Rules, black_spec: str, white_spec: str, handicap: PointSet = 0) -> bool:
    """True if `play_batch` can play such games.

    It can for `random`, for `phantom` without a book, and for `flatmc` with random playouts dealt
    evenly, none of them on a clock; with any handicap, and under all rules, except superko with
    more moves than the largest board allows.

    Raises:
        phantomgo.errors.BadText: there is no such bot or parameter.
    """
    players = (_player(spec, rules, handicap) for spec in (black_spec, white_spec))
    usual = rules.ko == "simple" or rules.moves_limit <= Rules(size=MAX_SIZE).moves_limit
    return usual and all(_numbers(bot) is not None for bot in players)


def can_ask(bot: Bot) -> bool:
    """True if `ask` can ask this bot."""
    return _numbers(bot) is not None


def pays(number: int) -> bool:
    """True if a number of games is played faster in lock step than one by one."""
    return number >= FEW and (number >= MANY or (is_compiled(advance) and is_compiled(play_out)))


def play_batch(
    rules: Rules,
    black_spec: str,
    white_spec: str,
    handicap: PointSet,
    lines: Sequence[tuple[Line, Line]],
    *,
    turns: Sequence[Symmetry] = (),
    attempts: bool = False,
) -> list[BatchGame]:
    """The games of two bot specs with these pairs of lines, Black's and White's, in this order.

    Consecutive games share the most decisions if they share a line, as in a row of a matrix.

    Args:
        rules: the rules.
        black_spec: who plays Black.
        white_spec: who plays White.
        handicap: Black's stones on the board before the first move.
        lines: Black's and White's line in each game, of at most `layout.SEEDS` steps, all by the
            bots of the specs, and the last without an end.
        turns: for each game, the symmetry under which Black sees the board; by default none.
        attempts: whether to return every attempt.
    """
    for pair in set(lines):
        for spec, line in zip((black_spec, white_spec), pair, strict=True):
            for step in line:
                if step.seed is None:
                    raise BadText(f"a step of {spec} has no seed")
                checked_seed(step.seed)
                if step.bot != spec:
                    raise BadText(f"{step.bot} decides a step of a line of {spec}")
            if not math.isinf(moves_of(line)):
                raise BadText(f"a line of {spec} ends before the game")
    if not can_play(rules, black_spec, white_spec, handicap):
        raise BadText(f"{black_spec} against {white_spec} by these rules is not for a batch")
    players = _player(black_spec, rules, handicap), _player(white_spec, rules, handicap)
    games = [*zip(lines, turns or [IDENTITY] * len(lines), strict=True)]
    return _Batch(rules, players, handicap, attempts, len(lines)).play(games)


def ask(bot: Bot, words: Ints, sets: NDArray[np.uint32], seeds: Ints) -> Ints:
    """A bot's attempts for the players to move in games that go on, as kernels/layout.py has them.

    Args:
        bot: one that `can_ask` accepts, made for games by the same rules; its seed is not used.
        words: shape (games, WORDS), of games whose players see the board as it is.
        sets: shape (games, numbers of all sets).
        seeds: shape (games,): the bot's seed in each game.

    Returns:
        Shape (games,): points, layout.PASS or layout.RESIGN.
    """
    games = _DeskGames(bot.game.rules, (bot, bot), len(words), logged=1, kept=0)
    desk, found = games.desk, np.empty(len(words), np.int64)
    for first in range(0, len(words), len(games)):
        block = slice(first, first + len(games))
        number = len(words[block])
        desk.words[:number], desk.sets[:number] = words[block], sets[block]
        desk.words[:, layout.LOGGED] = 0
        for side in range(2):
            line = layout.VIEWS + side * layout.VIEW + layout.LINE
            desk.words[:number, line], desk.words[:number, line + 1] = seeds[block], NEVER
        playing = np.arange(len(games)) < number
        # A game stops when its log is full, which here has room for one attempt.
        while (playing & (desk.words[:, layout.LOGGED] == 0)).any():
            games.advance(playing)
        found[block] = (desk.log[:number, 0] >> 4) - 2
    return found


def _player(spec: str, rules: Rules, handicap: PointSet) -> Bot:
    """The bot that plays in games with this beginning."""
    return _without_unused_opening(bots.make(spec, Game(rules, Beginning(handicap)), 0))


def _without_unused_opening(bot: Bot) -> Bot:
    """The same bot, without its opening book if no line of it fits its game."""
    if any(bot.opens_from(View(bot.game.rules, colour)) for colour in Colour):
        return bot
    return without_opening(bot)


def _numbers(bot: Bot) -> list[int] | None:
    """A bot's parameters for the kernels, in the order of layout.py; None for an unknown bot."""
    kind = type(bot)
    if kind not in _KNOWN:
        return None
    names, read = _KNOWN[kind]
    if bot != kind(bot.game, bot.seed, **{name: getattr(bot, name) for name in names}):
        return None
    known = read(bot)
    return known + [0] * (layout.BOT - len(known))


def _searcher(code: int, bot: Any) -> list[int]:
    return [code, bot.playouts, bot.per_candidate, bot.resign]


def _phantom(bot: Any) -> list[int]:
    nets = bot.nets
    return [
        *_searcher(layout.PHANTOM, bot), bot.amaf, bot.narrow, nets.net != NONE, bot.retry == "on",
        nets.judge != NONE, nets.trust, nets.fold == "on",
    ]  # fmt: skip


_DEALT: Final = ("playouts", "per_candidate", "resign", "threads")
_KNOWN: Final[Mapping[type[Bot], tuple[tuple[str, ...], Callable[[Any], list[int]]]]] = {
    RandomBot: ((), lambda _: [layout.RANDOM]),
    FlatMC: ((*_DEALT, "exploration"), lambda bot: _searcher(layout.FLATMC, bot)),
    Phantom: ((*_DEALT, "amaf", "narrow", "net", "retry", "judge", "trust", "fold"), _phantom),
}
"""For each kind of bot, the parameters that the kernels know or that change no attempt while the
others have their defaults, and the function that reads them.
"""

_REASONS: Final = (None, Reason.OCCUPIED, Reason.OWN, Reason.SUICIDE, Reason.KO)
"""By the kernels' numbers."""


_Game: TypeAlias = tuple[tuple[Line, Line], Symmetry]
"""Black's line, White's line, and the symmetry under which Black sees the board."""


class _DeskGames:
    """Games at a desk, and what their decisions take.

    Attributes:
        desk: the arrays.
    """

    def __init__(
        self, rules: Rules, players: tuple[Bot, Bot], most: int, *, logged: int, kept: int
    ) -> None:
        """Take arrays for `most` games, or as many as are played at once.

        Args:
            rules: their rules.
            players: Black and White.
            most: the number of games to play.
            logged: the attempts for which a log has room.
            kept: the decisions that are cached, a power of two or 0.
        """
        if not is_compiled(advance):
            announce("games in lock step")
        self._size = rules.size
        numbers = np.array([_numbers(player) for player in players], np.int64)
        each = numbers[:, layout.PER_CANDIDATE]
        decision = np.where(each, each * rules.size**2, numbers[:, layout.PLAYOUTS]).max()
        games = max(1, min(GAMES, most, PLAYOUTS // max(1, int(decision))))
        self.desk = _desk(rules, numbers, games, logged, kept)
        self._nets = [_net(player, key) for player in players for key in ("net", "judge")]
        nets = [(net.channels, net.pairs) for net in self._nets]
        self._addresses = self.desk.addresses(nets, WORLDS, SURE)
        self._workspace = workspace(rules.size)

    def __len__(self) -> int:
        """The number of games at once."""
        return len(self.desk.words)

    def advance(self, playing: NDArray[np.bool_]) -> None:
        """Continue these games until each waits for playouts, and play those."""
        if advance(self._addresses, playing, self._size):
            desk = self.desk
            play_out(
                *self._workspace, self._size, desk.positions, desk.tables.reshape(-1),
                desk.tasks, desk.jobs, desk.candidates, desk.counts, desk.amaf_counts,
            )  # fmt: skip


class _Batch:
    """Games that are being played."""

    def __init__(
        self, rules: Rules, players: tuple[Bot, Bot], handicap: PointSet, attempts: bool, most: int
    ) -> None:
        self._rules = rules
        logged = LOGGED if attempts else 0
        self._games = _DeskGames(rules, players, most, logged=logged, kept=KEPT_DECISIONS)
        self._desk = self._games.desk
        self._handicap = rows_of(handicap, rules.size)
        self._logs: list[list[Attempt]] = [[] for _ in range(len(self._games))]

    def play(self, games: Sequence[_Game]) -> list[BatchGame]:
        """Play all games; each place at the desk takes the next game as soon as it is free."""
        results: list[BatchGame | None] = [None] * len(games)
        waiting = iter(enumerate(games))
        number_of = np.full(len(self._games), -1)
        for place in range(len(self._games)):
            number_of[place] = self._begin(place, waiting)
        words = self._desk.words
        while (playing := number_of >= 0).any():
            self._games.advance(playing)
            for place in np.flatnonzero(words[:, layout.LOGGED]).tolist():
                self._read_log(place)
            for place in np.flatnonzero(playing & (words[:, layout.ENDING] > 0)).tolist():
                ended = words[place, [layout.ENDING, layout.WINNER, layout.MARGIN, layout.MOVES]]
                outcome = _outcome(self._rules, *ended.tolist())
                results[number_of[place]] = BatchGame(outcome, tuple(self._logs[place]))
                number_of[place] = self._begin(place, waiting)
        return [game for game in results if game is not None]

    def _begin(self, place: int, waiting: Iterator[tuple[int, _Game]]) -> int:
        """Begin the next game at a free place; returns its number, -1 if no game is left."""
        number, (pair, turn) = next(waiting, (-1, (((), ()), IDENTITY)))
        if number >= 0:
            desk = self._desk
            desk.sets[place, : 2 * ROWS] = 0
            desk.sets[place, :ROWS] = self._handicap
            words, sets = desk.words[place], desk.sets[place]
            lines = np.full((2, layout.SEEDS, 2), NEVER, np.int64)
            for side, line in enumerate(pair):
                lines[side, : len(line), 0] = [step.seed or 0 for step in line]
                lines[side, : len(line) - 1, 1] = np.cumsum([step.moves for step in line[:-1]])
            turns = np.array([turn, IDENTITY], np.int64)
            begin_game(words, sets, lines, turns, desk.rules, self._rules.size)
            self._logs[place] = []
        return number

    def _read_log(self, place: int) -> None:
        words, log = self._desk.words[place], self._desk.log[place]
        for entry in log[: words[layout.LOGGED]].tolist():
            colour = WHITE if entry >> 3 & 1 else BLACK
            self._logs[place].append(Attempt(colour, (entry >> 4) - 2, _REASONS[entry & 7]))
        words[layout.LOGGED] = 0


def _outcome(rules: Rules, ending: int, winner: int, margin: int, moves: int) -> Outcome:
    """The outcome of a game, in the referee's words."""
    if ending == layout.SCORED:
        return Outcome.scored(margin - rules.komi, Ending.SCORE, "both players passed")
    if ending == layout.MOVE_LIMIT:
        why = f"{moves} moves were played"
        return Outcome.scored(margin - rules.komi, Ending.MOVE_LIMIT, why)
    if ending == layout.REPETITION:
        why = "the position is repeated; the game is drawn"
        return Outcome(None, None, Ending.REPETITION, why)
    won = (BLACK, WHITE)[winner]
    if ending == layout.RESIGNED:
        return Outcome(won, None, Ending.RESIGN, f"{won.other} resigns")
    sentence = f"{won.other} had {rules.tries_limit} attempts refused in one turn"
    return Outcome(won, None, Ending.ATTEMPTS, sentence)


def _desk(rules: Rules, numbers: Ints, games: int, logged: int, kept: int) -> Desk:
    """A desk for this many games at once."""
    points = rules.size**2
    counted = points * games if numbers[:, [layout.AMAF_WEIGHT, layout.BY_JUDGE]].any() else 0
    return Desk(
        rules=rules_array(rules),
        bots=numbers,
        words=np.zeros((games, layout.WORDS), np.int64),
        sets=np.zeros((games, set_rows(rules)), np.uint32),
        positions=np.zeros((games, POSITION), np.int64),
        tables=np.empty((games, points * row_length.py_func(points)), np.uint16),
        tasks=np.zeros((2 * games, TASK), np.int64),
        jobs=np.zeros(2 * games * points, np.int64),
        candidates=np.zeros(2 * games * points, np.int64),
        counts=np.zeros((3, 2 * games * points), np.int64),
        amaf_counts=np.zeros((2, counted), np.int64),
        onto=np.zeros(points * games, np.int64),
        log_odds=np.zeros(points * games, np.int64),
        shares=np.zeros(points * games, np.int64),
        planes=np.zeros((len(EVALUATOR_PLANES), points), np.uint32),
        odds=odds_table(),
        kept=np.zeros((kept, KEPT), np.int64),
        log=np.zeros((games, logged), np.int32),
    )


def _net(player: Bot, key: str) -> Net:
    """A player's net, or an arbitrary one for a player without."""
    name = getattr(player.nets, key) if isinstance(player, Phantom) else NONE
    return read_net(DEFAULT if name == NONE else name, None)


def set_rows(rules: Rules) -> int:
    """The rows of all sets of points that a game of these rules takes in the kernels."""
    positions = 0 if rules.ko == "simple" else rules.moves_limit + 1
    return ROWS * (layout.VIEW_SETS + 2 * (layout.CHANGED + rules.size**2 + positions))


def rules_array(rules: Rules) -> Ints:
    """Rules in the order of layout.py."""
    choices = [
        CHOICES[key].index(getattr(rules, key)) for key in ("ko", "captures_to_capturer", "reason")
    ]
    on_max_tries = CHOICES["on_max_tries"].index(rules.on_max_tries)
    limits = min(rules.tries_limit, NEVER), on_max_tries, min(rules.moves_limit, NEVER)
    needs = [rules.lead_to_exceed(colour) for colour in Colour]
    return np.array([*choices, *limits, *needs])


def rows_of(points: PointSet, size: int) -> list[int]:
    """A set of points as the kernels take it."""
    row = (1 << size) - 1
    return [points >> size * r & row for r in range(size)] + [0] * (ROWS - size)
