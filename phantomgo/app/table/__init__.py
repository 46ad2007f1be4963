"""A game people sit at, without a front: no terminal and no browser takes part.

Start reading at table.py (the game, its players, clocks and thoughts) and viewer.py (one person's
look at it). game.py is the game and its record, players.py asks the bots in threads, scene.py says
what is to be seen on a board, facts.py what is to be said beside it. saving.py puts games on disk,
advice.py asks the bots for hints and judgements. phantomgo/app/play shows a table on a terminal,
phantomgo/app/web in browsers.
"""
