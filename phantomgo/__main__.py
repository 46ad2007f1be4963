"""`python -m phantomgo` is the command `phantomgo`."""

from phantomgo.app.cli import entry

entry()
