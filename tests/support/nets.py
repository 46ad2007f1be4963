"""Files of nets."""

import json

from bots.features import PLANES
from bots.nets import Net


def net_text(name, layers, planes=PLANES, /, **changes) -> str:
    """The file of a net, with some of its fields changed; None leaves one out."""
    fields = {"format": 2, "name": name, "digest": Net(name, layers, planes, None, None).digest}
    fields |= {"learned_from": {}, "held_out": {}, "planes": planes, "layers": layers}
    return json.dumps({k: v for k, v in (fields | changes).items() if v is not None})
