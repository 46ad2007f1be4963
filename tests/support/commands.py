"""Commands, run as from a shell: in this process, or in one of their own."""

import os
import subprocess
import sys
from subprocess import PIPE
from typing import Any

from phantomgo.app.cli import main
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE

COMMAND = [sys.executable, "-m", "phantomgo"]


def exit_code(*words):
    """What a command ends with, whether it returns or its parser leaves."""
    try:
        return main([*map(str, words)])
    except SystemExit as left:
        return left.code


def python(*words, **how) -> subprocess.CompletedProcess:
    """Python with these words, when it has ended; what it wrote is text unless `how` differs."""
    usual = {"cwd": ROOT, "capture_output": True, "text": True, "timeout": PATIENCE, "check": False}
    options: dict[str, Any] = usual | how
    return subprocess.run([sys.executable, *map(str, words)], **options)  # noqa: PLW1510


def started(*words, **how) -> subprocess.Popen:
    """Python with these words, under way, so that what it writes can be read from here."""
    usual = {"cwd": ROOT, "stdout": PIPE, "env": os.environ | {"PYTHONPATH": str(ROOT)}}
    options: dict[str, Any] = {**usual, "text": True} | how
    return subprocess.Popen([sys.executable, *map(str, words)], **options)


def phantomgo(*words, **how) -> subprocess.CompletedProcess:
    """The same for a command of ours."""
    return python("-m", "phantomgo", *words, **how)
