"""`make release`: build the wheel of this version, check it in a fresh environment, and tag it.

Nothing is uploaded. The version is that of phantomgo/version.py; CHANGELOG.md has to have a section
for it, and everything has to be committed.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection

from phantomgo.version import __version__
from tests.support.places import ROOT

DIST = ROOT / "dist"


def problem(version: str, uncommitted: str, tags: Collection[str], changelog: str) -> str | None:
    """The reason why this version can't be released now, if there is one.

    Args:
        version: as in phantomgo/version.py.
        uncommitted: the output of `git status --porcelain`.
        tags: of the repository.
        changelog: the text of CHANGELOG.md.
    """
    if uncommitted.strip():
        return f"commit or remove these first:\n{uncommitted.rstrip()}"
    if f"v{version}" in tags:
        return f"v{version} is tagged already: raise the version in phantomgo/version.py"
    sections = [line for line in changelog.splitlines() if line.startswith("## ")]
    if not any(line.startswith(f"## {version}, ") for line in sections):
        return f"CHANGELOG.md has no section '## {version}, DATE'"
    return None


def main() -> None:
    uncommitted, tags = _git("status", "--porcelain"), _git("tag").split()
    wrong = problem(__version__, uncommitted, tags, (ROOT / "CHANGELOG.md").read_text())
    if wrong is not None:
        sys.exit(f"release: {wrong}")
    shutil.rmtree(DIST, ignore_errors=True)
    build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(DIST), str(ROOT)]
    subprocess.run([sys.executable, *build], check=True)
    (wheel,) = DIST.glob("phantomgo-*.whl")
    checks = ["-m", "pytest", "-q", "-m", "slow", str(ROOT / "tests/docs/test_wheel.py")]
    environment = os.environ | {"WHEEL": str(wheel)}
    subprocess.run([sys.executable, *checks], cwd=ROOT, env=environment, check=True)
    _git("tag", "--annotate", f"v{__version__}", "--message", f"phantomgo {__version__}")
    print(f"release: {wheel.relative_to(ROOT)} is checked, and this commit is v{__version__}")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    main()
