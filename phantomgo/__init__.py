"""Phantom Go: the referee, the views, and the laboratory of seed portfolios.

    import phantomgo as pg

    print(pg.play_match("phantom:playouts=200", "flatmc:playouts=200", games=20, size=5))

docs/library.md describes them. Names are imported when they are used.
"""

import re
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from phantomgo.version import __version__ as __version__

_STUB: Final = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOMES: Final = {
    name: module
    for module, name in re.findall(r"^from (\S+) import (\w+)", _STUB, re.MULTILINE)
    if module != "phantomgo.version"
}
"""The public names, each with the module it is from."""

__all__ = sorted(_HOMES)  # noqa: PLE0605  (a list, whatever it is made from)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
