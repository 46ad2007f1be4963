"""The playouts, in numba: free functions on flat arrays, checked against tests/support/naive.py."""
