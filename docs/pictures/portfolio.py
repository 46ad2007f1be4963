"""Draws portfolio.svg from the table of 5x5 in docs/notes/cross-validation.md."""

import re
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt

FOLDER = Path(__file__).parent
TRIES = (1, 2, 4, 8, 16)
METHODS = {
    "bestseed": ("best single seed", "#bd1f01"),
    "nash": ("Nash portfolio", "#3f90da"),
    "uniform": ("the bot itself", "#717581"),
}

mpl.rcParams["svg.hashsalt"] = "phantomgo"
note = (FOLDER.parent / "notes" / "cross-validation.md").read_text()
table = note.split("<!-- end -->")[0]
_, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
for method, (label, colour) in METHODS.items():
    (row,) = re.findall(rf"^\| {method} \|(.*)\|$", table, re.M)
    axes.plot(
        TRIES, [float(r) for r in re.findall(r"([\d.]+) ±", row)], "o-", color=colour, label=label
    )
    paper = [float(rate) for rate in re.findall(r"\(([\d.]+)", row)]
    if paper:
        axes.plot(TRIES, paper, "*", color=colour, markersize=9, alpha=0.5)
axes.plot([], [], "*", color="black", label="CIG 2016")
axes.set(xscale="log", ylim=(0, 80))
axes.set(xlabel="seeds that the opponent tries", ylabel="win rate in %")
axes.set_xticks(TRIES, [str(tries) for tries in TRIES])
axes.minorticks_off()
axes.legend()
plt.savefig(FOLDER / "portfolio.svg", metadata={"Date": None})
