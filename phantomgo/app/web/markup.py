"""HTML built from the inside out, so that no text can become markup by mistake."""

from html import escape
from typing import Final, TypeAlias

VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
"""Elements without an end."""


class Markup(str):
    """Text that is HTML already; any other text is escaped where it is put in."""

    __slots__ = ()


Child: TypeAlias = str | None
Value: TypeAlias = str | int | float | bool | None


def tag(name: str, /, *children: Child, **attributes: Value) -> Markup:
    """An element. `class_` is written `class`, `aria_label` `aria-label`.

    Attributes that are None or False are left out, True stands alone; children that are None are
    left out.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(*children)}</{name}>")


def join(*children: Child) -> Markup:
    """Elements and texts one after another."""
    return Markup("".join(_child(child) for child in children if child is not None))


def _child(child: str) -> str:
    return child if isinstance(child, Markup) else escape(child, quote=False)


def _attribute(key: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(_text(value))}"'


def _text(value: str | int | float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
