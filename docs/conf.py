"""The site: `make docs` builds it from the repository with Sphinx, MyST and furo."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from docs.generate import write  # noqa: E402  (found by the line above)
from phantomgo.version import __version__  # noqa: E402

write()

project = "phantomgo"
author = "the authors of phantomgo"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
# The sources are the repository's own files, so that links work there too.
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "gtp/README.md",
    "books/README.md",
]
exclude_patterns = ["docs/_build"]

myst_heading_anchors = 4

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
# A name such as `View` is documented twice: as `phantomgo.View` and where it is defined.
suppress_warnings = ["ref.python"]
# Docstrings write code in single backticks, as Markdown does.
default_role = "code"

html_theme = "furo"
html_title = f"phantomgo {release}"
html_extra_path = ["site"]
# Nothing is loaded from elsewhere: the site works offline.
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "default"
pygments_dark_style = "monokai"
