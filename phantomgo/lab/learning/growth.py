"""Books of moves, grown from games of a bot against itself.

A population of games is indexed by the messages that a player received. In a known situation the
move with the highest win rate is played if that is above a threshold; elsewhere the bot chooses,
which is the mutation. All games of a batch use the statistics from before the batch, so any number
of workers may play it.

Source: Audouard et al., Grid coevolution for adaptive simulations; application to the building of
opening books in the game of Go (EvoGames 2009), algorithm 1: mutate (very) bad moves.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import bots
from bots import Bot
from phantomgo.game.information_state import information_state
from phantomgo.game.outcome import black_score, black_won
from phantomgo.game.player import Decision
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, RESIGN, Colour, Move, parse_move, vertex
from phantomgo.game.recording import begin
from phantomgo.game.view import View
from phantomgo.identity import Identity
from phantomgo.lab.run.contest import Contest, GameNumber, Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.portfolio.movebook import Growth, MoveBook, Tried, best
from phantomgo.portfolio.setup import Setup
from phantomgo.rng import growing_seed
from phantomgo.version import __version__

THRESHOLDS: Final[Mapping[str, float]] = {"mbm": 0.5, "mvbm": 0.1}
"""The win rate above which a known move is played: mutate bad moves, or very bad ones."""


@dataclass(frozen=True)
class GrowthPlan:
    """The parameters by which a book of moves is grown.

    Attributes:
        setup: the players and rules.
        method: `mbm` or `mvbm`.
        depth: how many of a player's first moves are looked up and counted.
        batch: games between two updates.
        seed: seed from which those of all games are derived.
        start: a book to start from; None to start from nothing.
        usage: which known move the book plays, one of `USAGES`.
    """

    setup: Setup
    method: str
    depth: int
    batch: int
    seed: int
    start: MoveBook | None = None
    usage: str = "rate"

    @property
    def threshold(self) -> float:
        return THRESHOLDS[self.method]


Population: TypeAlias = dict[Colour, dict[str, dict[Move, Tried]]]
"""The statistics of each situation, by colour."""


@dataclass(frozen=True)
class GrowthBatch(Contest):
    """The contest of one batch; the result of game (batch, number) is its outcome and all attempts.

    `B+2.5 C3 D4 ...`: the rules determine who made each attempt.
    """

    plan: GrowthPlan
    known: Mapping[Colour, Mapping[str, Move]] = field(default_factory=dict)
    """The move to play in each situation with a known move above the threshold."""

    @property
    def players(self) -> tuple[Identity, Identity]:
        return self.plan.setup.black, self.plan.setup.white

    @property
    def terms(self) -> Mapping[str, object]:
        plan = self.plan
        return {
            "game": "moves",
            **plan.setup.terms,
            "method": plan.method,
            "depth": plan.depth,
            "batch": plan.batch,
            "seed": plan.seed,
            "start": None if plan.start is None else plan.start.digest,
        }

    def play(self, games: Sequence[GameNumber]) -> list[Result]:
        return [self._play(game) for game in games]

    def _play(self, game: GameNumber) -> Result:
        plan, setup = self.plan, self.plan.setup
        number = game[0] * plan.batch + game[1]
        black, white = (
            Follower(
                bots.make(setup.spec(colour), setup.game, growing_seed(plan.seed, number, colour)),
                self.known[colour],
                plan.depth,
            )
            for colour in Colour
        )
        record = play_game(setup.rules, black, white, setup.beginning)
        spare_the_collector()
        attempts = (vertex(attempt.move, setup.rules.size) for attempt in record.attempts)
        return Result(" ".join([record.outcome.result, *attempts]))


@dataclass(frozen=True)
class Follower:
    """A player who follows the population where it knows a move, and a bot elsewhere."""

    bot: Bot
    known: Mapping[str, Move]
    depth: int

    @property
    def name(self) -> str:
        return self.bot.name

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        if view.turn < self.depth:
            state = information_state(view)
            move = self.known.get(state.text)
            if move is not None:
                return Decision(state.actual(move))
        return self.bot.decide(view, seconds)


def grow(
    plan: GrowthPlan,
    name: str,
    games: int,
    least: int,
    store: Store,
    workers: Workers,
    progress: Progress = SILENT,
) -> Iterator[MoveBook]:
    """Play batch after batch; yield the book whenever the games have doubled, and at the end.

    The last batch has the games that are left. Situations seen in fewer than `least` games are
    dropped. Games that the store has are not played again.
    """
    population: Population = {colour: defaultdict(dict) for colour in Colour}
    if plan.start is not None:
        for colour in Colour:
            begun = plan.start.side(colour)
            population[colour] |= {situation: dict(moves) for situation, moves in begun.items()}
    known: dict[Colour, dict[str, Move]] = {colour: {} for colour in Colour}
    all_situations = [(colour, one) for colour in Colour for one in population[colour]]
    _update(known, population, plan.threshold, all_situations)
    batches, won = -(-games // plan.batch), 0
    results = store.results()
    with progress.stage("games", games) as advance:
        advance(sum(number * plan.batch + game < games for number, game in results))
        for number in range(batches):
            over = min((number + 1) * plan.batch, games)
            wanted = [(number, game) for game in range(over - number * plan.batch)]
            missing = [game for game in wanted if game not in results]
            if missing:
                batch = GrowthBatch(plan, known)
                run(Listed(missing), batch, workers, store, progress=progress, advance=advance)
                results |= store.results((number, 0), (number, plan.batch))
            played = [results[game] for game in wanted]
            won += sum(black_won(text.partition(" ")[0]) for text in played)
            _update(known, population, plan.threshold, _count(plan, population, played))
            done = number + 1
            if done == batches or done & (done - 1) == 0:
                yield _book(plan, name, population, over, won, least)


def _count(
    plan: GrowthPlan, population: Population, played: Iterable[str]
) -> set[tuple[Colour, str]]:
    """Count games, given by the results of their batch; returns the situations that they met."""
    met = set[tuple[Colour, str]]()
    for text in played:
        result, *attempts = text.split()
        black = black_score(result)
        for colour, situation, move in situations_of(plan, attempts):
            moves = population[colour][situation]
            games, won = moves.get(move, (0, 0.0))
            score = black if colour is BLACK else 1 - black
            moves[move] = Tried(games + 1, won + score)
            met.add((colour, situation))
    return met


def _update(
    known: dict[Colour, dict[str, Move]],
    population: Population,
    threshold: float,
    situations: Iterable[tuple[Colour, str]],
) -> None:
    """Update the moves that are played in these situations."""
    for colour, situation in situations:
        move = best(population[colour][situation], threshold)
        if move is None:
            known[colour].pop(situation, None)
        else:
            known[colour][situation] = move


def situations_of(plan: GrowthPlan, attempts: Sequence[str]) -> list[tuple[Colour, str, Move]]:
    """The situations of a game, each with the move that was attempted in it."""
    rules, situations = plan.setup.rules, list[tuple[Colour, str, Move]]()
    referee, begun = begin(rules, plan.setup.beginning)
    for word in attempts[len(begun) :]:
        colour = referee.to_move
        view = referee.view(colour)
        move = RESIGN if word == "resign" else parse_move(word, rules.size)
        if view.turn < plan.depth and move != RESIGN:
            state = information_state(view)
            situations.append((colour, state.text, state.canonical(move)))
        referee.attempt(colour, move)
    return situations


def _book(
    plan: GrowthPlan, name: str, population: Population, games: int, won: int, least: int
) -> MoveBook:
    black, white = (
        {
            situation: dict(moves)
            for situation, moves in population[colour].items()
            if sum(tried.games for tried in moves.values()) >= least
        }
        for colour in Colour
    )
    growth = Growth(
        method=plan.method,
        threshold=plan.threshold,
        depth=plan.depth,
        least=least,
        start=None if plan.start is None else plan.start.digest,
        games=games,
        batch=plan.batch,
        seed=plan.seed,
        black_wins=won,
        versions={"phantomgo": __version__},
        usage=plan.usage,
    )
    return MoveBook(name, plan.setup, black, white, growth)
