"""Tools for developers that are run by hand and are not shipped in the wheel.

What belongs here: comparisons with older versions, benches of kernels, figures for the documents.
What does not: anything a test imports (tests/support) and anything a user runs (phantomgo/app).
"""
