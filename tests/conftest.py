"""Settings for every test."""

from collections import Counter

from hypothesis import HealthCheck, settings

# A loaded machine is slow, not wrong.
settings.register_profile("phantomgo", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("phantomgo")


def pytest_terminal_summary(terminalreporter):
    """Say in one line how many tests were skipped, and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if reasons:
        told = "; ".join(f"{count}: {reason}" for reason, count in reasons.items())
        terminalreporter.write_line(f"skipped {told}")
