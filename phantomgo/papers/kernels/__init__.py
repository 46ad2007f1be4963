"""Numba kernels: random playouts of other games, and bandits on known results."""
