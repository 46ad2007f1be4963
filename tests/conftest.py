"""Settings for every test."""

from hypothesis import settings

# A loaded machine is slow, not wrong.
settings.register_profile("phantomgo", deadline=None)
settings.load_profile("phantomgo")
