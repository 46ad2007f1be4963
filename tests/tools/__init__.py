"""Tools for developers that are run by hand and are not shipped in the wheel.

What belongs here: planted faults, the release.
What does not: anything a test imports (tests/support) and anything a user runs (phantomgo/app).
"""
