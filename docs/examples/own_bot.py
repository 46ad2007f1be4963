"""Check and measure a bot of your own, from mybots.py next to this file."""

from mybots import Corner

import phantomgo as pg

if __name__ == "__main__":  # two processes, which import this file
    for fault in pg.check_bot(Corner):
        print(fault)
    players = Corner, "mybots:Corner:reach=2", "random"
    match = pg.play_match(*players, games=10, size=5, run=pg.Run(workers=2))
    print(match)
    score = match.tally(0)
    print(f"Corner won {score.points:g} of {score.games} games")
