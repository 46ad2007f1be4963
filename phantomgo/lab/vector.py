"""Many games of Phantom Go, stepped at once from arrays, for what learns from them.

The games are the lock step's (lockstep/kernels/referee.py); tests compare them with the referee.
"""

import copy
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

import bots
from bots import Bot
from bots.book import LineBot
from bots.policies import POLICY_PLANES
from phantomgo.errors import BadText
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.history import drawn_game
from phantomgo.game.planes import PLANES
from phantomgo.game.points import BLACK, MAX_SIZE, PASS, WHITE, Colour, PointSet, grid
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.game.wording import line
from phantomgo.lab.lockstep.batch import ask, can_ask, rows_of, rules_array, set_rows
from phantomgo.lab.lockstep.kernels.layout import (
    ENDING,
    LOGGED,
    TO_MOVE,
    TURN,
    VIEW,
    VIEWS,
    WORDS,
)
from phantomgo.lab.lockstep.kernels.vector import (
    begin_all,
    observe_all,
    reward_all,
    see_all,
    step_all,
)
from phantomgo.rng import MAX_SEED, checked_seed, derived
from phantomgo.values import checked_int

MOST: Final = 1 << 16
"""The most games at once; one takes 50 kB on 9x9."""
SIDES: Final = (BLACK, WHITE)
"""By the number of the player."""
TOGETHER: Final = 8
"""The number of games from which a bot is asked in lock step."""
ROOM: Final = 64
"""Attempts of a game for which there is room at first."""


class Answers(NamedTuple):
    """The referee's answers to an attempt in each of n games.

    Attributes:
        refused: shape (n,), bool: the attempt was illegal, and the same player attempts again
            unless the rules end the turn.
        rewards: shape (n, 2), float32: what Black and White get as the game ends by this attempt:
            1 for a won game, -1 for a lost one, 0 for a draw; 0 before and afterwards.
        terminated: shape (n,), bool: the game is over, for any reason but the next.
        truncated: shape (n,), bool: the game is over because the rules allow no more moves. The
            board is scored then too, so nothing is left to estimate.
    """

    refused: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class Games:
    """A number of games by the same rules, each at its own pace.

    An action is the number of a point (row * size + column, from the bottom left), and size * size
    passes. It is an attempt by the player to move in that game. An ended game ignores its actions
    until it begins again.

    Attributes:
        rules: of all games.
        autoreset: whether a game that ends begins again in the same `step`.
        handicap: Black's stones on the board before the first move of each game.
    """

    def __init__(
        self, rules: Rules, number: int, *, autoreset: bool = False, handicap: PointSet = 0
    ) -> None:
        """Begin games.

        Args:
            rules: of all games.
            number: how many games there are, from 1 to 65536; one takes 50 kB on 9x9, and 120 kB on
                19x19, or four times as much with superko.
            autoreset: whether a game that ends begins again in the same `step`, whose answers are
                then those of the game that has ended.
            handicap: Black's stones on the board before the first move, known to both players.

        Raises:
            BadText: a value is not allowed.
        """
        if not isinstance(rules, Rules):
            raise BadText(f"rules {rules!r:.40} are not Rules")
        if not isinstance(autoreset, bool):
            raise BadText(f"autoreset {autoreset!r:.40} is neither True nor False")
        most = Rules(size=MAX_SIZE).moves_limit
        if rules.ko != "simple" and rules.moves_limit > most:
            raise BadText(f"max_moves {rules.moves_limit} with superko is more than {most}")
        number = checked_int("number", number, 1, MOST)
        self.rules, self.autoreset = rules, autoreset
        self.handicap = checked_int("handicap", handicap, 0, grid(rules.size).full)
        self._game = Game(rules, Beginning(self.handicap))
        self._rules = rules_array(rules)
        self._words = np.zeros((number, WORDS), np.int64)
        self._sets = np.zeros((number, set_rows(rules)), np.uint32)
        self._log = np.zeros((number, ROOM), np.int16)
        self._referees: dict[int, Referee] = {}  # of the games whose views were asked for
        self.begin()

    def __len__(self) -> int:
        """The number of games."""
        return len(self._words)

    def begin(self, which: NDArray[np.bool_] | None = None) -> None:
        """Begin games again.

        Args:
            which: shape (n,), bool: True for each game that begins again; None for all.

        Raises:
            BadText: it is another array.
        """
        which = self._which(which)
        stones = np.array(rows_of(self.handicap, self.rules.size), np.uint32)
        begin_all(self._words, self._sets, self._rules, self.rules.size, which, stones)
        self._referees = {game: one for game, one in self._referees.items() if not which[game]}

    def step(self, actions: NDArray[np.integer], which: NDArray[np.bool_] | None = None) -> Answers:
        """Make an attempt in every game that is not over.

        Args:
            actions: shape (n,), any dtype of integers: from 0 to size * size, which passes.
            which: shape (n,), bool: True for each game in which the attempt is made; None for all.

        Raises:
            BadText: it is another array; no attempt was made.
        """
        number = len(self)
        refused, rewards = np.zeros(number, np.bool_), np.zeros((number, 2), np.float32)
        answers = Answers(refused, rewards, np.empty_like(refused), np.empty_like(refused))
        self._check("actions", actions)
        if actions.dtype.kind not in "iu":
            raise BadText(f"actions of dtype {actions.dtype} are not integers")
        which = self._which(which)
        state = self._words, self._sets, self._rules, self.rules.size
        most = step_all(*state, actions.astype(np.int64), which, self._log, *answers)
        if most < 0:
            game = -1 - most
            checked_int(f"game {game}: action", actions[game].item(), 0, self.rules.size**2)
        if most == self._log.shape[1]:
            self._log = np.hstack([self._log, np.zeros_like(self._log)])
        if self.autoreset:
            self.begin(answers.terminated | answers.truncated)
        return answers

    def _which(self, which: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        """A choice of games, if it is one."""
        if which is None:
            return np.ones(len(self), np.bool_)
        self._check("which", which)
        if which.dtype != np.bool_:
            raise BadText(f"which of dtype {which.dtype} is not of dtype bool")
        return which

    def _check(self, what: str, given: object) -> None:
        """Refuse what is not an array with one element for each game."""
        if not isinstance(given, np.ndarray):
            raise BadText(f"{what} of type {type(given).__name__:.40} is not a NumPy array")
        if given.shape != (len(self),):
            raise BadText(f"{what} of shape {given.shape} is not of shape {(len(self),)}")

    @property
    def to_move(self) -> NDArray[np.int64]:
        """Shape (n,): 0 where Black is to move, 1 where White is."""
        return self._words[:, TO_MOVE].copy()

    @property
    def over(self) -> NDArray[np.bool_]:
        """Shape (n,): True for games that have ended."""
        return self._words[:, ENDING] > 0

    @property
    def returns(self) -> NDArray[np.float32]:
        """Shape (n, 2): what Black and White got: 1, -1, or 0 for a draw; 0 until the end."""
        returns = np.zeros((len(self), 2), np.float32)
        reward_all(self._words, self._rules, returns)
        return returns

    def observe(
        self, colour: Colour | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """The observations of the players, and their legal actions.

        Args:
            colour: whose; None for the player to move in each game.

        Returns:
            The planes, shape (n, 8, size, size), float32, from 0 to 1: what the referee's messages
            make certain, channel by channel as phantomgo.game.planes.PLANES names them. And shape
            (n, size * size + 1), bool: True for each legal action, which is every action but those
            the player knows to be refused: own stones, located enemy stones, and points refused
            since their last move. None is legal in a game that is over, or while the other player
            is to move.
        """
        number, size = len(self), self.rules.size
        planes = np.empty((number, len(PLANES), size, size), np.float32)
        legal = np.empty((number, size**2 + 1), np.bool_)
        flat = planes.reshape(number, len(PLANES), size**2)
        viewer = -1 if colour is None else SIDES.index(_player(colour))
        observe_all(self._words, self._sets, size, viewer, flat, legal.view(np.uint8))
        return planes, legal

    def see(self) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """The input of our policies (bots/policy.py), and the actions worth an attempt.

        Returns:
            Shape (n, 15, size * size), uint8, in units of 1 / bots.kernels.net.ONE: the channels of
            bots.policies.POLICY_PLANES, one of which presumes enemy stones where attempts were
            refused. And shape (n, size * size + 1), bool: True for each legal action but points
            with a presumed stone, own eyes, and what would just be refused again
            (`pg.candidates`); nothing is worth an attempt in a game that is over.
        """
        number, points = len(self), self.rules.size**2
        planes = np.empty((number, len(POLICY_PLANES), points), np.uint8)
        worth = np.empty((number, points + 1), np.bool_)
        see_all(self._words, self._sets, self._rules, self.rules.size, planes, worth.view(np.uint8))
        return planes, worth

    def view(self, game: int, colour: Colour | None = None) -> View:
        """Everything that a player of one game knows, as our bots are asked with it.

        The referee plays again what was attempted since the last view of this game.

        Args:
            game: its number, from 0.
            colour: whose view; None for the player to move.

        Raises:
            BadText: a value is not allowed.
        """
        game = checked_int("game", game, 0, len(self) - 1)
        begun = Referee(self.rules, black=self.handicap)
        referee = self._referees.setdefault(game, begun)
        last, attempts = self.rules.size**2, self._log[game, : self._words[game, LOGGED]]
        for action in attempts[len(referee.log) :].tolist():
            referee.attempt(referee.to_move, PASS if action == last else action)
        return referee.view(referee.to_move if colour is None else colour)

    def told(self, game: int, colour: Colour | None = None) -> str:
        """All that a player of one game was told, a line of the phantom protocol (gtp/README.md)
        for each message: the text by which information states are told apart.

        Args:
            game: its number, from 0.
            colour: who was told; None for the player to move.
        """
        view = self.view(game, colour)
        return "\n".join(line(message, view.colour, self.rules.size) for message in view.events)

    def worlds(
        self, game: int, colour: Colour | None = None, *, number: int, seed: int
    ) -> Self | None:
        """Whole games in which a player of one game was told the same, message by message.

        They may differ in where the opponent's stones stand and in what the opponent was told. The
        opponent attempts in vain only where the rules announce it. Every other such game may be
        drawn, but nothing is promised about how likely it is, or how likely an opponent is to play
        it. The same seed draws the same worlds.

        Args:
            game: its number, from 0.
            colour: who was told; None for the player to move.
            number: how many worlds there are.
            seed: the number by which they are drawn.

        Returns:
            The worlds; None if the search for one of them ended without a game, which takes some
            seconds. There is at least one such game, but it may be hard to find (how often it is
            not found: docs/environments.md).

        Raises:
            BadText: a value is not allowed, or the games have a handicap.
        """
        if self.handicap:
            raise BadText("worlds are drawn only of games without a handicap")
        view = self.view(game, colour)
        worlds = type(self)(self.rules, number, autoreset=self.autoreset)
        one = type(self)(self.rules, 1)
        for world in range(number):
            moves = drawn_game(view, derived(checked_seed(seed), world) & MAX_SEED)
            if moves is None:
                return None
            one.begin()
            for move in moves:
                one.step(np.array([self.rules.size**2 if move == PASS else move]))
            worlds.put(np.array([world]), one)
        return worlds

    def play(
        self, bot: str, which: NDArray[np.bool_], seeds: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Ask one of our bots for an attempt in some of the games, for the player to move.

        A bot knows the player's view alone, as always. With one seed for each game a bot draws its
        line, if it has a book, once a game. Many games are decided at once where the bot can play
        in lock step, as `random`, and `flatmc` and `phantom` after their opening do.

        Args:
            bot: its spec.
            which: shape (n,), bool: True for each game in which it is asked; games that are over
                are left out.
            seeds: shape (n,), any dtype of integers: its seed in each game.

        Returns:
            Shape (n,): the actions; in the other games, and for a bot that resigns, a pass.

        Raises:
            BadText: a value is not allowed.
        """
        which = self._which(which)
        self._check("seeds", seeds)
        if seeds.dtype.kind not in "iu":
            raise BadText(f"seeds of dtype {seeds.dtype} are not integers")
        asked = np.flatnonzero(which & ~self.over).tolist()
        seeded = {game: checked_seed(seeds[game].item()) for game in asked}
        return self.ask({game: _made(bot, self._game, seed) for game, seed in seeded.items()})

    def ask(self, players: Mapping[int, Bot]) -> NDArray[np.int64]:
        """Ask bots for an attempt, each in one of the games, for the player to move.

        Args:
            players: by the number of the game, which is not over, a bot made for these rules.

        Returns:
            Shape (n,): the actions; in the other games, and for a bot that resigns, a pass.

        Raises:
            BadText: a game's number is out of range, or a player is not a bot for these rules.
        """
        actions = np.full(len(self), PASS)
        alike = defaultdict(list)
        alone = []
        for game, bot in players.items():
            self._check_player(game, bot)
            playing = self._playing(game, bot)
            if can_ask(playing):
                alike[replace(playing, seed=0)].append((game, playing.seed))
            else:
                alone.append(game)
        for bot, asked in alike.items():
            games, bot_seeds = map(np.array, zip(*asked, strict=True))
            if len(games) >= TOGETHER:
                words, sets = self._words[games], self._sets[games]
                actions[games] = ask(bot, words, sets, bot_seeds)
            else:
                alone += games.tolist()
        for game in alone:
            actions[game] = players[game].decide(self.view(game)).move
        return np.where(actions < 0, self.rules.size**2, actions)

    def _check_player(self, game: int, bot: Bot) -> None:
        checked_int("game", game, 0, len(self) - 1)
        if not isinstance(bot, Bot):
            raise BadText(f"{bot!r:.40} in game {game} is not a bot: make_bot makes one")
        if bot.game.rules != self.rules:
            size, komi = bot.game.rules.size, bot.game.rules.komi
            raise BadText(
                f"{bot.name:.60} in game {game} was made for other rules, of {size}x{size} with"
                f" komi {komi:g}"
            )

    def _playing(self, game: int, bot: Bot) -> Bot:
        """The bot that decides in a game: the one of a line, where it sees the board unturned."""
        if not isinstance(bot, LineBot):
            return bot
        side = int(self.to_move[game])
        turn = int(self._words[game, VIEWS + side * VIEW + TURN])
        return bot.unturned_player(SIDES[side], turn) or bot

    def copy(self) -> Self:
        """A copy of the games, which go on independently of these."""
        return self.take(np.arange(len(self)))

    def __deepcopy__(self, _memo: object) -> Self:
        return self.copy()

    def take(self, games: NDArray[np.integer]) -> Self:
        """Copies of some of the games, in this order, which go on by themselves.

        Args:
            games: shape (m,), any dtype of integers: their numbers, from 0; repeated ones are
                several copies.

        Raises:
            BadText: it is another array.
        """
        games = self._numbers(games)
        twin = copy.copy(self)
        twin._words, twin._sets = self._words[games], self._sets[games]
        twin._log = self._log[games]
        twin._referees = {}
        if self._referees:
            asked = enumerate(games.tolist())
            twin._referees = {
                new: self._referees[old].copy() for new, old in asked if old in self._referees
            }
        return twin

    def put(self, games: NDArray[np.integer], others: "Games") -> None:
        """Replace some of the games by copies of others.

        Args:
            games: shape (m,), any dtype of integers: the numbers of those that are replaced.
            others: m games by the same rules, with the same handicap.

        Raises:
            BadText: it is another array, or the games do not fit.
        """
        games = self._numbers(games)
        if not isinstance(others, Games) or others._game != self._game:
            raise BadText("the games to put are not Games by the same rules and handicap")
        if len(others) != len(games):
            raise BadText(f"{len(others)} games do not fit {len(games)} numbers")
        missing = others._log.shape[1] - self._log.shape[1]
        if missing > 0:
            self._log = np.pad(self._log, ((0, 0), (0, missing)))
        self._words[games], self._sets[games] = others._words, others._sets
        self._log[games, : others._log.shape[1]] = others._log
        for new, game in enumerate(games.tolist()):
            self._referees.pop(game, None)
            if new in others._referees:
                self._referees[game] = others._referees[new].copy()

    def _numbers(self, games: NDArray[np.integer]) -> NDArray[np.integer]:
        """Numbers of games, if they are."""
        if not isinstance(games, np.ndarray) or games.ndim != 1 or games.dtype.kind not in "iu":
            raise BadText(f"games {games!r:.40} are not an array of integers, of shape (m,)")
        if len(games) and not 0 <= games.min() <= games.max() < len(self):
            wrong = games[(games < 0) | (games >= len(self))][0].item()
            raise BadText(f"game {wrong} is not a whole number from 0 to {len(self) - 1}")
        return games


@lru_cache(4096)
def _made(spec: str, game: Game, seed: int) -> Bot:
    """A bot for such games."""
    return bots.make(spec, game, seed)


def _player(colour: Colour) -> Colour:
    """A colour, if it is one."""
    if not isinstance(colour, Colour):
        raise BadText(f"colour {colour!r:.60} is neither BLACK nor WHITE")
    return colour
