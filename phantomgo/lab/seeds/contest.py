"""The contest of games between seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

import bots
from bots.book import line_bot
from bots.bot import Bot
from bots.spec import is_book, is_engine, learns
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.playing import play_game
from phantomgo.game.points import Colour
from phantomgo.game.symmetry import IDENTITY, Symmetry
from phantomgo.game.view import View
from phantomgo.identity import Identity
from phantomgo.lab.players.identity import identify
from phantomgo.lab.run.contest import SEEDS, Contest, GameNumber, Result
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.lab.seeds.lines import Lines, LinesToLearn
from phantomgo.lab.seeds.seed_game import MAX_LINE, SeedGame, SeedSide
from phantomgo.portfolio.line import Line, Step
from phantomgo.portfolio.setup import Setup


def make_setup(black: str, white: str, profile: str, game: Game) -> Setup:
    """The setup of games between two bot specs, identifying both players now."""
    for spec in (black, white):
        if is_book(spec):
            raise BadText(f"{spec} is a book already; learn the bot it is for")
        if is_engine(spec):
            raise BadText(f"{spec[:60]} is an engine; seeds are learned only for bots")
        bot = bots.make(spec, game, 0)
        if learns(spec):
            raise BadText(f"{bot.name} learns from game to game: it has no seeds to learn")
        if not bot.deterministic:
            why = "does not repeat itself" if bot.foreign else "plays by the clock"
            raise BadText(f"{bot.name} {why}: the same seed is not the same player")
        if bot.foreign:  # before a book is learned from games that faults decide
            bot.decide(View(game.rules, Colour.BLACK))
    look = cache(lambda spec: identify(spec, game))
    return Setup(look(black), look(white), profile, game.rules, game.beginning)


def made_again(setup: Setup) -> Setup:
    """The same setup, with its players identified again."""
    return make_setup(setup.black.name, setup.white.name, setup.profile, setup.game)


@dataclass(frozen=True)
class SeedGames(Contest):
    """The contest of Phantom Go between seeds, with results as GTP writes them.

    Attributes:
        setup: the players and rules.
        lines: the lines that end after some moves, each continued by a seed of the game; None if
            seeds play whole games.
        together: whether games are played in lock step (phantomgo/lab/lockstep/batch.py), which
            has the same results and is several times as fast once compiled.
    """

    setup: Setup
    lines: Lines | None = None
    together: bool = False

    @classmethod
    def many(cls, setup: Setup, number: int, lines: Lines | None = None) -> Self:
        """The contest for about `number` games, in lock step if that is possible and pays."""
        from phantomgo.lab.lockstep.batch import can_play, pays  # noqa: PLC0415  (the compiler)

        handicap, attempts = setup.beginning
        names = setup.black.name, setup.white.name
        same_bots = lines is None or lines.bots <= {*names}
        worth = pays(number) and not attempts and same_bots
        return cls(setup, lines, worth and can_play(setup.rules, *names, handicap))

    @property
    def players(self) -> tuple[Identity, Identity]:
        return self.setup.black, self.setup.white

    @property
    def terms(self) -> Mapping[str, object]:
        lines = {} if self.lines is None else self.lines.terms
        return {"game": SEEDS, **self.setup.terms, **lines}

    def play(self, games: Sequence[GameNumber]) -> list[Result]:
        return self._play_together(games) if self.together else list(map(self._play_one, games))

    def _play_together(self, games: Sequence[GameNumber]) -> list[Result]:
        from phantomgo.lab.lockstep.batch import play_batch  # noqa: PLC0415

        drawn = [self._game(numbers) for numbers in games]
        lines = [self._lines(game) for game in drawn]
        turns = [game.turn for game in drawn]
        rules, handicap = self.setup.rules, self.setup.beginning.handicap
        names = self.setup.black.name, self.setup.white.name
        played = play_batch(rules, *names, handicap, lines, turns=turns)
        return [Result(game.outcome.result) for game in played]

    def _play_one(self, numbers: GameNumber) -> Result:
        drawn, game = self._game(numbers), self.setup.game
        black_line, white_line = self._lines(drawn)
        black, white = _bot(black_line, game, drawn.turn), _bot(white_line, game)
        record = play_game(game.rules, black, white, game.beginning)
        spare_the_collector()
        return Result(record.outcome.result)

    def _game(self, numbers: GameNumber) -> SeedGame:
        """The game with these numbers, which are those of lines where opening lines are learned."""
        if isinstance(self.lines, LinesToLearn) and max(numbers) <= MAX_LINE:
            return SeedGame.of_lines(*numbers, 0, [IDENTITY])
        return SeedGame.of(numbers)

    def _lines(self, game: SeedGame) -> tuple[Line, Line]:
        """Black's line and White's."""
        return self._line(Colour.BLACK, game.black), self._line(Colour.WHITE, game.white)

    def _line(self, colour: Colour, side: SeedSide) -> Line:
        """The line of a side, with the seed that continues as its last step."""
        bot = self.setup.spec(colour)
        if side.line is None:
            return (Step(bot, side.seed),)
        assert self.lines is not None
        line = self.lines.line(colour, bot, side.line)
        if line[-1].moves is None:
            return (*line[:-1], line[-1]._replace(seed=side.seed))
        return (*line, Step(bot, side.seed))


def _bot(line: Line, game: Game, symmetry: Symmetry = IDENTITY) -> Bot:
    """The bot that plays a line whose last step has the seed of the game."""
    seed = line[-1].seed
    assert seed is not None
    return line_bot(line, bots.make, game, seed, symmetry)
