"""JSON that differs in one place from JSON that is good."""

import json


def changed(text: str, path: str, value: object) -> str:
    """The text with one field replaced, or taken out if the value is `...`.

    The path is the names of fields and the numbers of items with dots between them.
    """
    top = json.loads(text)
    *parents, last = path.split(".")
    inner = top
    for key in parents:
        inner = inner[int(key) if isinstance(inner, list) else key]
    if value is ...:
        del inner[last]
    else:
        inner[int(last) if isinstance(inner, list) else last] = value
    return json.dumps(top)
