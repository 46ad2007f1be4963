"""A portfolio of seeds, learned for a weak bot and tested against that bot."""

import phantomgo as pg

bot = "flatmc:playouts=20"
book = pg.learn(bot, size=5, seeds=40, method="nash", test_seeds=0, out="nash.json")
print(len(book.black.lines), "seeds for Black,", len(book.white.lines), "for White")
match = pg.play_match("book:nash.json", bot, games=200, size=5)
print(match)
