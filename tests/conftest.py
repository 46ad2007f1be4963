"""Settings for every test."""

from hypothesis import HealthCheck, settings

# A loaded machine is slow, not wrong.
settings.register_profile("phantomgo", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("phantomgo")
