"""Where things lie."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
TEXTS = sorted(
    page
    for page in [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        ROOT / "gtp/README.md",
        ROOT / "books/README.md",
    ]
    if not {"generated", "_build"} & {*page.relative_to(ROOT).parts}
)
"""All documents."""
PAGES = [page for page in TEXTS if "notes" not in page.relative_to(ROOT).parts]
"""The documents for users."""
