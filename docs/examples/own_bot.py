"""A bot of one's own, checked and measured. It lies in mybots.py beside this file."""

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
