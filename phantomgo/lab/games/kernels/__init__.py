"""Random playouts of games that are not Phantom Go, in numba."""
