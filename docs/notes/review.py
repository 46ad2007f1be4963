"""Check the reviews of games by a stronger program.

python docs/notes/review.py [GAMES [SEED]]

Bots play games, and each is reviewed. Then a stronger program, with other seeds, continues it on
both sides from before and after each attempt that is named first or second. An attempt flips the
winner if that program wins most games from one side before it and from the other after it. Of a
game without such an attempt we ask whether the loser was ever ahead, as that program continues it.

In the first ten games each named attempt is judged again: the full board by 40 such games from
before and after it, and the player's view by 20,000 playouts; so are the views of some mistakes.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from bots import Bot, make
from bots.phantom import Phantom
from phantomgo import play_game
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.review import CLEAR, LEAST, Judgement, Review, decisive, judged, review
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, PASS, Move, attempt_text
from phantomgo.game.view import View
from phantomgo.lab.admission import usual_komi
from phantomgo.lab.vector import Games
from phantomgo.records.record_json import write_record

PLAYERS = (
    "flatmc:playouts=100",
    "phantom:playouts=20,book=none",
    "flatmc:playouts=1000",
    "phantom:playouts=200,book=none",
)
"""Levels of the tables, easy to hard; each plays itself."""
SIZES = (5, 7, 9)
STRONGER = "phantom:playouts=3000,book=none,resign=2"
CONTINUED = 16
"""Games from before and after an attempt."""
LOOKED = 12
"""Moments of a game without a flip from which half as many games are played."""
WORDS = 10
"""Games whose words are checked."""
AGAIN = 40
"""Games from before and after an attempt whose words are checked."""
MISTAKES = 5
"""Mistakes of a game that are judged again, about."""
PLAYOUTS = 20_000
SEED = 9_900_000


@lru_cache(256)
def bot(game: Game, seed: int) -> Bot:
    return make(STRONGER, game, seed)


def shares(game: TableGame, numbers: Iterable[int], count: int, seed: int) -> dict[int, float]:
    """For each of these moments, the share of games that the winner of this game wins from it."""
    numbers, last = sorted(set(numbers)), game.rules.size**2
    if not numbers:
        return {}
    one, begun = Games(game.rules, 1), Games(game.rules, len(numbers))
    for number in range(len(game.steps) + 1):
        if number in numbers:
            begun.put(np.array([numbers.index(number)]), one)
        if number < len(game.steps):
            move = game.steps[number].move
            one.step(np.array([last if move == PASS else move]))
    games = begun.take(np.repeat(np.arange(len(numbers)), count))
    while not games.over.all():
        sides = games.to_move.tolist()
        going = np.flatnonzero(~games.over).tolist()
        seeds = {place: seed + 2 * (place % count) + sides[place] for place in going}
        games.step(games.ask({place: bot(Game(game.rules), seeds[place]) for place in going}))
    assert game.outcome is not None
    won = (1 + games.returns[:, 0 if game.outcome.winner is BLACK else 1]) / 2
    return dict(zip(numbers, won.reshape(-1, count).mean(1).tolist(), strict=True))


def ever_behind(game: TableGame, seed: int) -> bool:
    """True if the loser was ever ahead; a narrow lead is checked again with more games."""
    turns = [0, *game.turn_ends()[:-1]]
    looked = [turns[n] for n in np.linspace(0, len(turns) - 1, LOOKED).astype(int)]
    found = shares(game, looked, CONTINUED // 2, seed)
    behind = [number for number, share in found.items() if share < 0.5]
    again = shares(game, behind, CONTINUED, seed + 1000)
    return any(found[number] + 2 * share < 1.5 for number, share in again.items())


def seen(view: View, move: Move, seed: int) -> tuple[Move, float | None]:
    """The best attempt in a view, and the cost of another one."""
    best = Phantom(Game.of(view), seed, playouts=PLAYOUTS).decide(view)
    if best.move == move:
        return move, 0.0
    if not {best.move, move} <= {candidate.point for candidate in best.candidates}:
        return best.move, None
    weighs = Phantom(Game.of(view), seed + 1, playouts=PLAYOUTS)
    values = {it.point: it.value for it in weighs.among(view, 1 << best.move | 1 << move)}
    return best.move, max(values[best.move] - values[move], 0.0)


def words(game: TableGame, reviewed: Review, named: list[int], seed: int, said: Counter) -> None:
    """Judge the named attempts and some mistakes again, and count what agrees."""
    assert game.outcome is not None
    size, costs, best = game.rules.size, [*reviewed.costs], [*reviewed.best]
    found = [judged(game, reviewed, number) for number in range(1, len(game.steps) + 1)]
    wrong = [n for n, what in enumerate(found, 1) if what is Judgement.MISTAKE]
    some = {*wrong[:: len(wrong) // MISTAKES + 1], *named}
    for number, step in enumerate(game.steps, 1):
        if number in some:
            view = game.moments[number - 1].view(step.colour)
            move, costs[number - 1] = seen(view, step.move, seed)
            best[number - 1] = attempt_text(move, size)
            if found[number - 1] is Judgement.MISTAKE and step.move >= 0:
                cost = costs[number - 1]
                said["mistakes"] += 1
                said["mistakes confirmed"] += cost is not None and cost >= CLEAR
                said["mistakes without cost"] += cost is not None and cost < LEAST
    ends = shares(game, [m for n in named for m in (n - 1, n)], AGAIN, seed)
    truth = [*reviewed.chances.truth]
    for moment, share in ends.items():
        black = share if game.outcome.winner is BLACK else 1 - share
        said["chances"] += 1
        said["chances within 0.15"] += abs(black - truth[moment]) <= 0.15
        truth[moment] = black
    chances = reviewed.chances._replace(truth=tuple(truth))
    again = reviewed._replace(chances=chances, costs=tuple(costs), best=tuple(best), sure=())
    for number in named:
        words, own = found[number - 1], judged(game, again, number)
        said["words"] += 1
        said["words that agree"] += words is own
        if words is not own:
            told = [truth[number - 1], truth[number], costs[number - 1]]
            said_so = [*reviewed.chances.truth[number - 1 : number + 1], reviewed.costs[number - 1]]
            print(f"  {number}: {words} by {said_so}, but {own} by {told}")


def main(games: int = 20, seed: int = SEED) -> None:
    flips = level = 0
    said: Counter[str] = Counter()
    for number in range(games):
        size, player = SIZES[number % len(SIZES)], PLAYERS[number % len(PLAYERS)]
        komi = usual_komi("olympiad", size, handicap=False)
        seeds = seed + 2 * number, seed + 2 * number + 1
        game = TableGame.resumed(play_game(player, player, size=size, komi=komi, seeds=seeds))
        reviewed = Review.read(review(write_record(game.record())))
        assert game.outcome is not None
        all_named = [n for n, what in decisive(game, reviewed) if what.startswith(f"{n}. ")]
        named = all_named[:2]
        ends = shares(game, [m for n in named for m in (n - 1, n)], CONTINUED, seed + 100)
        flipped = any(ends[n - 1] < 0.5 < ends[n] for n in named)
        flips += flipped
        behind = flipped or min(ends.values(), default=1.0) < 0.5 or ever_behind(game, seed + 200)
        level += not behind
        told = ", ".join(f"{n}: {ends[n - 1]:.2f} to {ends[n]:.2f}" for n in named)
        shown = "yes" if flipped else "no" if behind else "none to find"
        print(
            f"| {number} | {size}x{size} | {game.outcome.result} | {shown} | {told} |", flush=True
        )
        if number < WORDS:
            words(game, reviewed, all_named, seed + 300, said)
    print(f"{flips} of {games} flip; in {level} others the loser was never ahead")
    print(*(f"{what}: {count}" for what, count in said.items()), sep="\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
