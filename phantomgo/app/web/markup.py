"""HTML built from the inside out, so that no text can become markup by mistake.

Phrases are translated here, and nowhere else.
"""

from html import escape
from typing import Final, TypeAlias

from phantomgo.app.web.reader import translated

VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
"""Elements without an end."""


class Markup(str):
    """Text that is HTML already; any other text is escaped where it is put in."""

    __slots__ = ()


Child: TypeAlias = str | None
Value: TypeAlias = str | int | float | bool | None


def tag(name: str, /, *children: Child, **attributes: Value) -> Markup:
    """Return an element. `class_` is written `class`, `aria_label` `aria-label`.

    Attributes that are None or False are omitted, and those that are True have no value; children
    that are None are omitted.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    end = "" if name in VOID else f"{join(*children)}</{name}>"
    return Markup(f"<{name}{written}>{end}")


def join(*children: Child) -> Markup:
    """Return elements and texts one after another."""
    return Markup("".join(_written(child) for child in children if child is not None))


def _written(child: str) -> str:
    return child if isinstance(child, Markup) else escape(translated(child), quote=False)


def form(action: str, *children: Child, class_: str) -> Markup:
    """Return a form that is posted to a path."""
    return tag("form", *children, method="post", action=action, class_=class_)


def hidden(name: str, value: str | int) -> Markup:
    """Return a field that is not shown."""
    return tag("input", type="hidden", name=name, value=value)


def _attribute(key: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if isinstance(value, str):
        text = translated(value)
    else:
        text = f"{value:g}" if isinstance(value, float) else str(value)
    return f" {name}" if value is True else f' {name}="{escape(text)}"'
