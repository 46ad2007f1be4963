"""The playouts, in numba: free functions on flat arrays, each checked against tests/naive.py."""
