"""A game that people play, independent of any interface (terminal or browser).

Start reading at table.py (the game, its players and clocks) and viewer.py (one person's look at
it). game.py is the game and its record, players.py asks the bots in threads, scene.py is the
visible state of a board, facts.py the sentences next to it. saving.py puts games on disk, advice.py
asks bots for hints and evaluations. phantomgo/app/play shows a table on a terminal,
phantomgo/app/web in browsers.
"""
