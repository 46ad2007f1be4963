"""Games other than Phantom Go, for experiments that learn seeds of their players.

`state.py` defines the interface of games, `players.py` their players, and `contest.py` the table of
games and their contests. Games and players have specs, as bots do: `domineering:size=5` played by
`flatmc:playouts=100`.
"""
