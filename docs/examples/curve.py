"""Draw the paper's figure: win rates by the number of seeds learned from. Needs matplotlib."""

import matplotlib.pyplot as plt

import phantomgo as pg

sizes = [10, 30, 100, 380]
tables = [
    pg.evaluate("flat5", methods=["bestseed", "nash"], train=size, repeats=10) for size in sizes
]
for row, method in enumerate(tables[0].methods):
    for column, tries in enumerate(tables[0].exploiters):
        rates = [table.mean[row, column] for table in tables]
        plt.plot(sizes, rates, "o-" if method == "nash" else "x:", label=f"{method}, K'={tries}")
plt.xscale("log")
plt.xlabel("seeds learned from, K")
plt.ylabel("win rate on fresh seeds")
plt.legend(fontsize="small")
plt.savefig("curve.svg")
print(f"nash against the most dangerous of 16: {tables[-1].mean[1, -1]:.2f}")
