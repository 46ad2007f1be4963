"""A game that people play, without a front: no terminal and no browser takes part.

Start reading at table.py (the game, its players and clocks) and viewer.py (one person's look at
it). game.py is the game and its record, players.py asks the bots in threads, scene.py is what is
seen on a board, facts.py what is said beside it. saving.py puts games on disk, advice.py asks bots
for hints and judgements. phantomgo/app/play shows a table on a terminal, phantomgo/app/web in
browsers.
"""
