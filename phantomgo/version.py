"""The version, where every module may read it."""

__version__ = "0.6.0"
