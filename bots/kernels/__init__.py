"""Playouts, nets and statistics in numba: free functions on flat arrays.

They import nothing of ours but each other. Each is checked against an obvious Python oracle
(tests/support/naive.py). Whole games, which know the full board, belong to phantomgo/lab/lockstep.
"""
