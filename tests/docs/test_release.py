"""`make release` refuses what can't be released; tests/docs/test_wheel.py checks the wheel."""

import pytest
import yaml

from phantomgo.version import __version__
from tests.support.places import ROOT
from tests.tools.release import problem

LOG = "# Changelog\n\n## Unreleased\n\n## 1.2.0, 2026-11-24\n"


@pytest.mark.parametrize(
    ("uncommitted", "tags", "changelog", "reason"),
    [
        (" M README.md\n", [], LOG, "commit or remove these first:\n M README.md"),
        ("", ["v1.1.0", "v1.2.0"], LOG, "v1.2.0 is tagged already"),
        ("", [], "## 1.2.0rc1, 2026-11-24", "CHANGELOG.md has no section '## 1.2.0, DATE'"),
        ("", [], LOG.replace("## 1.2.0", "### 1.2.0"), "CHANGELOG.md has no section"),
    ],
)
def test_a_release_is_refused(uncommitted, tags, changelog, reason):
    assert problem("1.2.0", uncommitted, tags, changelog).startswith(reason)


def test_nothing_publishes_by_itself():
    """The workflow waits for a person, and only its last job may ask PyPI for a token."""
    flow = yaml.safe_load((ROOT / ".github/workflows/publish.yml").read_text())
    assert flow[True] == "workflow_dispatch"  # YAML takes the key `on` for true
    assert flow["permissions"] == {}
    asking = [name for name, job in flow["jobs"].items() if "id-token" in job["permissions"]]
    assert asking == ["publish"]
    assert flow["jobs"]["publish"]["needs"] == "build"


def test_the_changelog_has_this_version():
    assert problem(__version__, "", [], (ROOT / "CHANGELOG.md").read_text()) is None
