"""The newest nets, by which `champion` plays where no book fits, and from which learning begins."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

NET: Final = "stones4"
"""Where hidden stones stand."""
JUDGE: Final = "judge2"
"""How good candidates are."""
SPEC: Final = f"phantom:net={NET},judge={JUDGE},trust=300"
"""Who plays by them."""
SPECS: Final[Mapping[int, str]] = MappingProxyType(
    {7: f"phantom:net={NET},judge={JUDGE},trust=1000,fold=on", 9: SPEC}
)
"""Who does so on the boards where that has been measured to win (docs/phantom.md)."""
OPENING_BOOK: Final = "open7"
"""The book of moves from which they open where there is time to think."""
