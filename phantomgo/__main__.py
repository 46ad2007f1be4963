"""`python -m phantomgo` is the command `phantomgo`."""

import sys

from phantomgo.app.cli import main

sys.exit(main())
