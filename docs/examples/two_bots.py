"""Two bots play a game, and then a match."""

import phantomgo as pg

game = pg.play_game("phantom:playouts=100", "flatmc:playouts=100", size=5, seeds=(1, 2))
print(game.outcome.sentence)
for colour, move in game.moves[:4]:
    print(colour, pg.vertex(move, 5))

match = pg.play_match("phantom:playouts=100", "flatmc:playouts=100", games=10, size=5, komi=2.5)
print(match)
