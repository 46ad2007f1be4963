"""Check the turning points of a review by a stronger program.

python docs/notes/review.py [GAMES]

Bots play games; each is reviewed; then a stronger program continues it, on both sides and with
other seeds, from before and after each of the two attempts that are named first. An attempt flips
the winner if that program wins most games from one side before it and from the other after it.
"""

import sys

from bots import make
from phantomgo import play_game
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.review import Review, decisive, review
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.points import Colour
from phantomgo.lab.admission import usual_komi
from phantomgo.records.record_json import write_record

PLAYERS = (
    "flatmc:playouts=100",
    "phantom:playouts=20,book=none",
    "flatmc:playouts=1000",
    "phantom:playouts=200,book=none",
)
"""Levels of the tables, easy to hard; each plays itself."""
SIZES = (5, 7, 9)
STRONGER = "phantom:playouts=3000,book=none"
CONTINUED = 5
"""Games from each position."""
SEED = 9_700_000


def won(game: TableGame, number: int, winner: Colour) -> float:
    """The share of continued games that the winner of this game wins from one of its moments."""
    begun = game.first(number)
    if begun.outcome is not None:
        return float(begun.outcome.winner is winner)
    start, count = Game(begun.rules, Beginning(begun.start.handicap)), 0.0
    for seed in range(SEED, SEED + 2 * CONTINUED, 2):
        players = {colour: make(STRONGER, start, seed + colour) for colour in Colour}
        referee = begun.twin()
        while referee.outcome is None:
            colour = referee.to_move
            referee.attempt(colour, players[colour].decide(referee.view(colour)).move)
        draw = referee.outcome.winner is None
        count += 0.5 if draw else referee.outcome.winner is winner
    return count / CONTINUED


def main(games: int) -> None:
    flips = ahead = 0
    for number in range(games):
        size, bot = SIZES[number % len(SIZES)], PLAYERS[number % len(PLAYERS)]
        komi = usual_komi("olympiad", size)
        seeds = SEED + 2 * number, SEED + 2 * number + 1
        game = TableGame.resumed(play_game(bot, bot, size=size, komi=komi, seeds=seeds))
        reviewed = Review.read(review(write_record(game.record())))
        winner = game.outcome.winner
        named = [n for n, _ in decisive(game, reviewed) if n <= len(game.steps)][:2]
        shares = [(won(game, n - 1, winner), won(game, n, winner)) for n in named]
        flipped = any(before < 0.5 < after for before, after in shares)
        flips += flipped
        ahead += not flipped and all(min(pair) > 0.5 for pair in shares)
        told = ", ".join(
            f"{n}: {a:.2f} to {b:.2f}" for n, (a, b) in zip(named, shares, strict=True)
        )
        print(number, f"{size}x{size}", game.outcome.result, flipped, told, flush=True)
    print(f"{flips} of {games} flip; in {ahead} others the winner is ahead before both already")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
