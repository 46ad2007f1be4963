"""Random playouts of games that are not Phantom Go, and bandits on known results, in numba."""
