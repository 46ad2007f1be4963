"""The spread of fresh lines' win rates, and that expected by chance: docs/notes/lines.md.

python docs/notes/lines.py docs/notes/stores/even7.db ...
"""

import sys
from collections import defaultdict

import numpy as np

from phantomgo.game.outcome import black_won
from phantomgo.game.points import Colour
from phantomgo.lab.seeds.seed_game import SeedGame
from phantomgo.lab.seeds.seed_store import SeedStore

FIRST = 8
"""Games of each line before the first of them are dropped: `first` of the method."""

for file in sys.argv[1:]:
    won: dict[tuple[Colour, int], list[bool]] = defaultdict(list)
    with SeedStore(file) as store:
        for numbers, result in sorted(store.results().items()):
            game = SeedGame.of(numbers)
            lines = {Colour.BLACK: game.black.line, Colour.WHITE: game.white.line}
            named = [(colour, line) for colour, line in lines.items() if line is not None]
            if len(named) == 1:  # against the bot without a line
                won[named[0]].append(black_won(result))
    for colour in Colour:
        games = [each[:FIRST] for (whose, _), each in won.items() if whose is colour]
        rates = np.array([np.mean(each) for each in games if len(each) == FIRST])
        chance = (rates.mean() * (1 - rates.mean()) / FIRST) ** 0.5
        print(f"{file} {colour}: {len(rates)} lines, Black wins {rates.mean():.3f},", end=" ")
        print(f"standard deviation {rates.std():.3f}, by chance {chance:.3f}")
