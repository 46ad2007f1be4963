"""Learn a book of seeds, measure it, and play from it."""

import phantomgo as pg

bot = "flatmc:playouts=20"
book = pg.learn(
    bot,
    size=4,
    komi=0.5,
    seeds=16,
    test_seeds=8,
    out="small.json",
    run=pg.Run(store="small.db"),
)
for score in book.evaluation.played:
    print(f"against the most dangerous of {score.exploiter} fresh seeds: {100 * score.rate:.1f} %")

table = pg.evaluate(
    store="small.db", methods=["uniform", "nash"], train=8, exploiters=[1, 4], repeats=100
)
for method, rates in zip(table.methods, table.mean, strict=True):
    print(method, *(f"{100 * rate:.1f} %" for rate in rates))

print(pg.play_match("book:small.json", bot, games=10, size=4, komi=0.5))
