"""Phantom Go: the referee, the views, and the laboratory of seed portfolios.

    import phantomgo as pg

    print(pg.play_match("phantom:playouts=200", "flatmc:playouts=200", games=20, size=5))

docs/library.md describes them. Names are imported when they are used.
"""

from importlib import import_module

from phantomgo.version import __version__ as __version__

with open(__file__.removesuffix("py") + "pyi", encoding="utf-8") as _stub:
    _lines = [line.split() for line in _stub if line.startswith("from ")]
_HOMES = {line[3]: line[1] for line in _lines if line[1] != "phantomgo.version"}
"""The public names, each with the module it is from."""

__all__ = sorted(_HOMES)  # noqa: PLE0605  (a list, whatever it is made from)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        member = getattr(import_module(_HOMES[name]), name)
    except (AttributeError, ImportError):
        import_module("phantomgo.files").check_packages()  # a module `bots` beside a script
        raise
    globals()[name] = member = import_module("phantomgo.checks").type_checked(member)
    return member


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
