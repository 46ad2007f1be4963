"""A best response, approximated: responders learn against a player, and the best one is measured.

A responder learns from games against draws of a player, as both colours. A `tree` (responder.py)
tries every candidate in each view against those draws that would have produced the view; its policy
is a book of moves. A `policy` is a network that learns by proximal policy optimization
(phantomgo/lab/policy/trainer.py). Its win rate in games against fresh draws is a lower bound on
that of a best response.

How much a responder finds is partly luck, so several learn, with seeds of their own. Half of their
games choose the best one, and its other half says what it wins, which the choice does not bias.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import bots
from bots.book import moves_bot
from bots.bot import BotBySeed
from phantomgo.errors import BadText
from phantomgo.estimates import Interval, wilson
from phantomgo.game.beginning import START
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, Colour
from phantomgo.lab.measure.responder import Position, Responder, faced
from phantomgo.lab.run.progress import Advance, Progress
from phantomgo.portfolio.movebook import MAX_DEPTH, Growth, MoveBook, read_moves, write_moves
from phantomgo.portfolio.setup import Setup
from phantomgo.rng import MAX_SEED
from phantomgo.values import Choice, checked, checked_int, checked_number
from phantomgo.version import __version__

MILLION: Final = 1_000_000
TREE: Final = "tree"
POLICY: Final = "policy"
KINDS: Final = (TREE, POLICY)
LEAST_ATTEMPTS: Final = 0.001
MOST_ATTEMPTS: Final = 1000.0
"""The fewest and the most million attempts of a responder."""
MOST_RESPONDERS: Final = 64
MOST_DRAWS: Final = 100_000
MANY: Final = 4
"""A bot counts as a few players if there are at least this many draws for each."""
LEAST: Final = 16
"""If a bot has endlessly many players, a view is improved only if this many reach it."""
_FRESH: Final = 1 << 32
"""The distance between the seeds to learn on and those to measure on."""


class Effort(NamedTuple):
    """The effort with which responders learn and are measured.

    Attributes:
        responder: their kind, `tree` or `policy`.
        attempts: million attempts that each makes while it learns, as both colours together.
        responders: how many there are.
        base: the spec of the bot that each begins as.
        draws: how many draws of the player a tree learns on.
        games: how many games against fresh draws each plays, half of them as either colour.
        seed: the seed from which all others are derived.
    """

    responder: str
    attempts: float
    responders: int
    base: str
    draws: int
    games: int
    seed: int

    def checked(self) -> "Effort":
        """The effort, once its values have been checked.

        Raises:
            BadText: a value is not allowed.
        """
        checked("responder", self.responder, Choice(KINDS))
        checked_number("attempts", self.attempts, LEAST_ATTEMPTS, MOST_ATTEMPTS)
        checked_int("responders", self.responders, 1, MOST_RESPONDERS)
        checked_int("draws", self.draws, 1, MOST_DRAWS)
        if checked_int("games", self.games, 4, MAX_SEED) % 4:
            raise BadText(f"games {self.games} is not a multiple of 4: two halves of each colour")
        checked_int("seed", self.seed, 0, 1 << 20)
        return self

    @property
    def seeds(self) -> range:
        """The seeds of the responders."""
        return range(self.seed * MOST_RESPONDERS, self.seed * MOST_RESPONDERS + self.responders)


class Response(NamedTuple):
    """The result of a responder in games against fresh draws.

    Attributes:
        seed: the seed it learned with.
        games: how many games it played, half of them as each colour.
        choosing: its points as Black and as White in the half of the games that chooses the best
            responder.
        measuring: its points in the other half.
    """

    seed: int
    games: int
    choosing: tuple[float, float]
    measuring: tuple[float, float]

    @property
    def share(self) -> float:
        """The share that it won of all its games."""
        return (sum(self.choosing) + sum(self.measuring)) / self.games

    def rate(self, *colours: Colour) -> Interval:
        """Its win rate as these colours, by default both, in the games that did not choose."""
        points = [self.measuring[colour - 1] for colour in colours or Colour]
        return wilson(sum(points), len(points) * self.games // 4)


class Found(NamedTuple):
    """The results of the responders of one effort.

    Attributes:
        attempts: million attempts that each made while it learned.
        responses: each responder's result.
    """

    attempts: float
    responses: Sequence[Response]

    @property
    def best(self) -> Response:
        """The responder that won most in the games that choose; the first of equal ones."""
        return max(self.responses, key=lambda response: sum(response.choosing))

    @property
    def spread(self) -> tuple[float, float]:
        """The lowest and the highest share that a responder won of all its games.

        If those of two players, with four responders each, do not overlap, the players differ with
        a confidence of 97 %: of equal players, one would have all its shares below the other's in
        one case of 35 (the rank test of Wilcoxon, 1945).
        """
        shares = [response.share for response in self.responses]
        return min(shares), max(shares)


def learn(
    setup: Setup, drawn: BotBySeed, effort: Effort, seed: int, file: Path, progress: Progress
) -> BotBySeed:
    """Have a responder learn, and write what it has learned.

    Args:
        setup: the games, with the base player on both sides.
        drawn: makes the player that it learns to beat.
        effort: the effort.
        seed: the responder's seed.
        file: where its policy is written, NAME.json; one that is there is the result.
        progress: receives reports of progress.

    Returns:
        The function that makes the responder's player of a seed.

    Raises:
        BadText: a network learns games from an empty board only.
        BadNet: the base player's network has another shape than those that are trained.
        MissingExtra: a network needs PyTorch, which is not installed.
    """
    learned = learn_tree if effort.responder == TREE else learn_policy
    if not file.exists():
        learned(setup, drawn, effort, seed, file, progress)
    return player_of(setup, effort.responder, file)


def player_of(setup: Setup, kind: str, file: Path) -> BotBySeed:
    """Return the function that makes a responder's player in the game of a seed."""
    if kind == POLICY:
        from bots.policy import PolicyBot  # noqa: PLC0415  (the compiler)

        return lambda seed: PolicyBot(setup.game, seed, net=str(file))
    book = read_moves(str(file))
    return lambda seed: moves_bot(book, bots.make(setup.black.name, setup.game, seed), bots.make)


def learn_tree(
    setup: Setup, drawn: BotBySeed, effort: Effort, seed: int, file: Path, progress: Progress
) -> None:
    """Write the book of moves of a responder; the arguments are those of `learn`."""
    first = 2 * seed * _FRESH
    most = effort.attempts * MILLION / len(Colour)
    sides, games = {}, 0
    for colour in Colour:
        with progress.stage(f"attempts of responder {seed} as {colour}", int(most)) as advance:
            opponents = faced(drawn, colour.other, range(first, first + effort.draws))
            responder = Responder(
                Position.start(setup.rules, setup.beginning),
                colour,
                lambda game_seed: bots.make(effort.base, setup.game, game_seed),
                opponents,
                least=1 if effort.draws >= MANY * len(opponents) else LEAST,
                seed=seed,
            )
            responder.learn(_attempts_made(responder, most, advance))
            sides[colour] = responder.situations()
            games += responder.games
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
    )
    black, white = (sides[colour] for colour in Colour)
    write_moves(MoveBook(file.stem, setup, black, white, growth), file)


def _attempts_made(responder: Responder, most: float, advance: Advance) -> Callable[[], bool]:
    """A function that reports a responder's new attempts; True once it has made this many."""
    reported = 0

    def made() -> bool:
        nonlocal reported
        if responder.attempts > reported:
            advance(responder.attempts - reported)
            reported = responder.attempts
        return reported >= most

    return made


def learn_policy(
    setup: Setup, drawn: BotBySeed, effort: Effort, seed: int, file: Path, progress: Progress
) -> None:
    """Write the network of a responder; the arguments are those of `learn`.

    The state of the training is in a file next to it while it lasts, so an interruption loses what
    was learned since the last round, at most a million attempts.
    """
    if setup.beginning != START:
        raise BadText("a policy learns games from an empty board only: choose the responder tree")
    from bots.policies import LIBRARY, Policy  # noqa: PLC0415  (the compiler)
    from bots.policy import PolicyBot  # noqa: PLC0415
    from phantomgo.lab.policy.net import weights_of, whole_numbers  # noqa: PLC0415  (an extra)
    from phantomgo.lab.policy.trainer import Trainer  # noqa: PLC0415

    trainer, most = Trainer(setup.rules, seed, against=[drawn]), effort.attempts * MILLION
    state, base = file.with_suffix(".pt"), bots.make(effort.base, setup.game, seed)
    if state.exists():
        trainer.resume(state)
    elif isinstance(base, PolicyBot):
        trainer.begin(weights_of(base.policy))
    with progress.stage(f"attempts of responder {seed}", int(most)) as advance:
        advance(trainer.attempts)
        while (before := trainer.attempts) < most:
            trainer.round(lambda attempts: attempts >= most)
            trainer.save(state)
            advance(trainer.attempts - before)
    of: dict[str, object] = {"size": setup.rules.size, "komi": setup.rules.komi, "seed": seed}
    of |= {"attempts": trainer.attempts, "version": __version__}
    LIBRARY.write(Policy(file.stem, *whole_numbers(trainer.average), of), file)
    state.unlink(missing_ok=True)


def measure(
    setup: Setup, drawn: BotBySeed, mine: BotBySeed, seed: int, effort: Effort, progress: Progress
) -> Response:
    """The result of a responder in games against fresh draws of a player."""
    each, first = effort.games // 4, (2 * seed + 1) * _FRESH
    points = [[0.0, 0.0], [0.0, 0.0]]
    with progress.stage(f"games of responder {seed}", effort.games) as advance:
        for place in range(2 * each):
            for colour in Colour:
                pair = mine(first + place), drawn(first + place)
                black, white = pair if colour is BLACK else pair[::-1]
                outcome = play_game(setup.rules, black, white, setup.beginning).outcome
                points[place // each][colour - 1] += outcome.score(colour)
                advance(1)
    choosing, measuring = ((black, white) for black, white in points)
    return Response(seed, effort.games, choosing, measuring)


def find(
    setup: Setup,
    drawn: BotBySeed,
    effort: Effort,
    identifier: object,
    folder: Path,
    progress: Progress,
) -> Found:
    """Have the responders of an effort learn, and measure them.

    Args:
        setup: the games, with the base player on both sides.
        drawn: makes the player.
        effort: the effort.
        identifier: what the player is known by, as JSON; a responder that has learned against it
            with the same effort is taken from the folder.
        folder: where the responders' policies are written.
        progress: receives reports of progress.

    Raises:
        BadText, BadNet, MissingExtra: as `learn` does.
    """
    responses = []
    for seed in effort.seeds:
        file = file_of(setup, effort, identifier, seed, folder)
        mine = learn(setup, drawn, effort, seed, file, progress)
        responses.append(measure(setup, drawn, mine, seed, effort, progress))
    return Found(effort.attempts, tuple(responses))


def file_of(setup: Setup, effort: Effort, identifier: object, seed: int, folder: Path) -> Path:
    """The file of a responder in a folder, named by all that it depends on."""
    draws = effort.draws if effort.responder == TREE else 0
    terms = [setup.as_dict(), effort.responder, effort.attempts, draws, seed, identifier]
    return folder / f"{effort.responder}-{digest(terms)}.json"


def digest(value: object) -> str:
    """16 hexadecimal digits of a value's JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
