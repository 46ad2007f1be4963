"""Games that are not Phantom Go, for the laboratory: seeds of their players can be learned too.

`state.py` says what a game is, `players.py` who plays it, and `contest.py` which games there are,
and makes contests of them. The games and their players have specs, as bots do: `domineering:size=5`
played by `flatmc:playouts=100`.
"""
